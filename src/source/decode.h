/* Decode: the JSON answer of /api/v1/query, streamed: bytes in, one series at a time out. Strict
 * about what it needs, blind to fields it does not know. Knows nothing of HTTP. */
#ifndef LV_SOURCE_DECODE_H
#define LV_SOURCE_DECODE_H

#include "source/collect.h"

struct decode;

struct decode *decode_new(const struct source_limits *limits); /* limits must outlive it */
void decode_free(struct decode *d);

/* Begins an answer; the query must live until decode_end. */
void decode_begin(
	struct decode *d, const struct query *q, bool nan_is_stale, series_fn *fn, void *ctx);

/* Both: ERROR_SOURCE "not-prometheus" | "incomplete-answer" | "too-large" | "refused", without
 * context; or the error of fn. After -1 only decode_begin may follow. */
int decode_feed(struct decode *d, const char *bytes, size_t n, struct error *err) LV_CHECKED;
/* The body has ended: the answer must be whole. `out` is valid until the next decode_begin. */
int decode_end(struct decode *d, struct answer *out, struct error *err) LV_CHECKED;

bool decode_was_cut(const struct decode *d);	 /* the failure: the body ended too early */
bool decode_was_stopped(const struct decode *d); /* the failure: fn returned -1 */
size_t decode_samples(const struct decode *d);	 /* handed on so far */

#endif
