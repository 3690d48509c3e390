/* Source: asks a Prometheus-compatible server and hands the series on while they arrive.
 *
 * libcurl multi, `spec->parallel` requests at once over kept-alive connections; each body goes
 * through the streaming decoder and is never held whole. */
#ifndef LV_SOURCE_SOURCE_H
#define LV_SOURCE_SOURCE_H

#include "base/error.h"
#include "judge/evidence.h"
#include "judge/spec.h"

struct source;

struct source_limits {	     /* all > 0; the defaults stand in source_limits_default */
	int64_t body_bytes;  /* of one answer, after decompression */
	int64_t series;	     /* of one answer */
	int64_t samples;     /* of one series */
	int64_t label_bytes; /* of one label value */
	int labels;	     /* of one series */
	int depth;	     /* JSON nesting */
	int64_t deadline_ms; /* of all requests of one source together */
	int retries;	     /* of one request */
};
extern const struct source_limits source_limits_default;

/* Told while requests run; any may be NULL. */
struct source_progress {
	void (*update)(void *ctx, size_t done, size_t total, int64_t samples, int64_t bytes);
	void (*retry)(void *ctx, const char *why, int64_t wait_ms);
	void (*verbose)(void *ctx, const char *line); /* -v: one line a request; never a secret */
	void *ctx;
};

/* Receives the answer of query `i` of the batch. Several queries of one batch may be under way at
 * once: `begin` opens, `series` gives one series, `end` closes with what is known of the answer,
 * and `abandon` says that all given since `begin` is void (a retry begins again). Returning -1
 * stops everything. Called from source_fetch's thread only. */
struct source_sink {
	int (*begin)(void *ctx, size_t i, struct error *err);
	int (*series)(void *ctx, size_t i, const struct series *s, struct error *err);
	int (*end)(void *ctx, size_t i, const struct answer *a, struct error *err);
	void (*abandon)(void *ctx, size_t i);
	void *ctx;
};

/* Reads the secrets (env, files) once. `clock_ms` is a monotonic-free wall clock for Retry-After
 * dates. Errors: ERROR_USAGE "secret-missing", ERROR_SOURCE "unreachable" (bad URL: ERROR_USAGE).
 */
int source_open(const struct source_spec *spec, const struct source_limits *limits,
	const struct source_progress *progress, struct source **out, struct error *err) LV_CHECKED;
void source_close(struct source *s);

/* Asks all queries. Each answer must be whole (counting.md, Fetch 2); the first one that cannot be
 * had ends the batch: ERROR_SOURCE with the query's subject, its text and the server's words. */
int source_fetch(struct source *s, const struct query *q, size_t n, const struct source_sink *sink,
	struct error *err) LV_CHECKED;

/* storageRetention in ms from /api/v1/status/runtimeinfo; -1 if it is not served or not a time.
 * Never fails: the retention only explains an empty answer. */
int64_t source_retention_ms(struct source *s);

/* The request of a query as a person would type it, for `plan`: method, URL without userinfo, form.
 */
void source_print_request(struct strbuf *b, const struct source_spec *spec, const struct query *q);

/* The URL without userinfo, for store and report. */
char *source_public_url(struct arena *a, const char *url);

#endif
