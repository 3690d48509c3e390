/* Failure: the messages of requests that came to nothing: what, where, why, and what to do next.
 * Pure but for curl's own words. */
#ifndef LV_SOURCE_FAILURE_H
#define LV_SOURCE_FAILURE_H

#include <curl/curl.h>

#include "base/error.h"
#include "source/request.h"

struct attempt { /* how a request ended */
	const struct source_spec *spec;
	const char *url; /* without userinfo */
	bool user_in_url;
	const struct query *query; /* NULL: not a query */
	int tries;
	int64_t timeout_ms; /* that this try was given */
	CURLcode curl;
	const char *curl_text; /* "" or curl's words */
	int status;	       /* 0: none came */
	const char *location;  /* of a redirect; NULL */
	const char *body;      /* of an error answer; not NULL */
	size_t body_n;
};

/* Both fill `err` (ERROR_SOURCE) and return -1. */
int failure_of_status(const struct attempt *a, struct error *err);
int failure_of_curl(const struct attempt *a, struct error *err);
/* Puts subject, URL and query before the text that is there. */
int failure_context(const struct attempt *a, struct error *err);

#endif
