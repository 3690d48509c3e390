/* Connect: how every handle is set up: who is talked to, with which proofs, and what is not done.
 */
#include "source/transfer.h"

#include <time.h>

enum { BUFFER_BYTES = 256 * 1024, CONNECT_MS = 10000 };

int64_t clock_monotonic_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_wall_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void set_tls(CURL *easy, const struct source_spec *spec)
{
	if (spec->ca)
		curl_easy_setopt(easy, CURLOPT_CAINFO, spec->ca);
	if (spec->cert)
		curl_easy_setopt(easy, CURLOPT_SSLCERT, spec->cert);
	if (spec->key)
		curl_easy_setopt(easy, CURLOPT_SSLKEY, spec->key);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, spec->insecure_skip_verify ? 0L : 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, spec->insecure_skip_verify ? 0L : 2L);
}

CURL *connect_handle(const struct source *s)
{
	CURL *easy = curl_easy_init();
	if (!easy)
		return NULL;
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	/* A redirect would take our headers along and turn POST into GET. */
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "loadverdict/" LV_VERSION);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, s->access.headers);
	curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)BUFFER_BYTES);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	if (s->access.user) {
		curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		curl_easy_setopt(easy, CURLOPT_USERNAME, s->access.user);
		curl_easy_setopt(easy, CURLOPT_PASSWORD, s->access.password);
	}
	if (url_is_loopback(&s->url))
		curl_easy_setopt(easy, CURLOPT_PROXY, "");
	/* Only on demand: on a fast link the server's compression costs far more than it saves. */
	if (s->spec->gzip)
		curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
	set_tls(easy, s->spec);
	return easy;
}
