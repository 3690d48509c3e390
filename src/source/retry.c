/* Retry: which failures are asked again, and after how long. Pure: clock and chance are passed in.
 */
#include "source/retry.h"

#include <curl/curl.h>
#include <string.h>

enum { BASE_MS = 250, TOP_MS = 10000, TRIES_OF_500 = 2, DAY_S = 86400 };

static bool is_worth_it(const struct retry_case *c)
{
	switch (c->failure) {
	case FAILURE_BROKEN:
		return true;
	case FAILURE_NO_CONTACT:
		return c->known; /* a wrong address is told at once, a restarting server waited for
				  */
	case FAILURE_FINAL:
		return false;
	case FAILURE_STATUS:
		break;
	}
	switch (c->status) {
	case 429:
	case 502:
	case 503:
	case 504:
		return true;
	case 500:
		return c->failed_500 < TRIES_OF_500;
	default:
		return false;
	}
}

int64_t retry_wait_ms(const struct retry_case *c)
{
	if (c->failed > c->retries || !is_worth_it(c))
		return -1;
	int doublings = c->failed - 1 < 8 ? c->failed - 1 : 8;
	int64_t top = (int64_t)BASE_MS << doublings;
	if (top > TOP_MS)
		top = TOP_MS;
	/* between half and the whole, so that parallel requests do not come back as one */
	int64_t wait = top / 2 + (int64_t)c->chance * (top - top / 2) / UINT32_MAX;
	if (c->retry_after_ms > wait)
		wait = c->retry_after_ms;
	return wait < c->left_ms ? wait : -1;
}

int64_t retry_after_ms(const char *value, int64_t now_ms)
{
	size_t digits = strspn(value, "0123456789");
	if (digits && !value[digits + strspn(value + digits, " \t")]) {
		int64_t s = 0;
		for (size_t i = 0; i < digits && s < DAY_S; i++)
			s = s * 10 + (value[i] - '0');
		return (s < DAY_S ? s : DAY_S) * 1000;
	}
	time_t at = curl_getdate(value, NULL);
	if (at < 0)
		return -1;
	int64_t ms = (int64_t)at * 1000 - now_ms;
	return ms > 0 ? ms : 0;
}
