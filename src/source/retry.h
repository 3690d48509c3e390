/* Retry: which failures are asked again, and after how long. Pure: clock and chance are passed in.
 */
#ifndef LV_SOURCE_RETRY_H
#define LV_SOURCE_RETRY_H

#include <stdbool.h>
#include <stdint.h>

enum failure {
	FAILURE_STATUS,	    /* an HTTP status other than 200 */
	FAILURE_BROKEN,	    /* reset, closed without an answer, or cut in the middle */
	FAILURE_NO_CONTACT, /* no connection, no such host */
	FAILURE_FINAL	    /* too slow, TLS, redirect, or an answer that is no good */
};

struct retry_case {
	enum failure failure;
	int status;		/* FAILURE_STATUS */
	int failed;		/* times that this request failed, this one included; > 0 */
	int failed_500;		/* of these, with status 500 */
	int retries;		/* limit */
	bool known;		/* this server has answered before */
	int64_t retry_after_ms; /* the server's wish; -1 none */
	int64_t left_ms;	/* until the deadline */
	uint32_t chance;	/* evenly distributed */
};

/* Milliseconds to wait before the next try, or -1 to give up. */
int64_t retry_wait_ms(const struct retry_case *c);

/* Value of Retry-After: seconds, or an HTTP date seen from `now_ms`. -1 if it is neither. */
int64_t retry_after_ms(const char *value, int64_t now_ms);

#endif
