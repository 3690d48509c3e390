/* Request: from a query to what is sent. Pure; knows nothing of connections or secrets. */
#ifndef LV_SOURCE_REQUEST_H
#define LV_SOURCE_REQUEST_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "judge/evidence.h"
#include "judge/spec.h"

/* http(s)://[user[:password]@]host[:port][/prefix], taken apart; offsets into the text. */
struct url_parts {
	const char *text;
	size_t scheme;	     /* length with "://" */
	size_t user, user_n; /* userinfo; user_n = 0 if there is none */
	size_t host, host_n; /* without port and without brackets */
	size_t rest, rest_n; /* host:port/prefix without the slashes at the end */
};

/* ERROR_USAGE "usage" for anything else: other schemes, query, fragment, spaces, "@" in the path.
 */
int url_split(const char *url, struct url_parts *out, struct error *err) LV_CHECKED;
bool url_is_loopback(const struct url_parts *u);
/* Appends the URL without userinfo and with `path` behind its prefix. */
void url_add(struct strbuf *b, const struct url_parts *u, const char *path);

/* PromQL as sent. Prometheus 2 closes a range on both sides, Prometheus 3 and VictoriaMetrics leave
 * the left edge open: one millisecond more is asked on the left, and the decoder cuts. */
void request_query(struct strbuf *b, const struct query *q);
void request_time(struct strbuf *b, int64_t ms); /* Unix seconds, decimals if needed */
/* application/x-www-form-urlencoded */
void request_form(struct strbuf *b, const struct source_spec *spec, const struct query *q);

#endif
