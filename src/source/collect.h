/* Collect: gathers one series at a time from the decoder, checks it and hands it on. Memory for one
 * series, reused, and a fingerprint for each seen. Knows nothing of JSON. */
#ifndef LV_SOURCE_COLLECT_H
#define LV_SOURCE_COLLECT_H

#include "base/array.h"
#include "base/strbuf.h"
#include "source/seen.h"
#include "source/source.h"

typedef int series_fn(void *ctx, const struct series *s, struct error *err);

struct label_span { /* offsets into the text */
	size_t name, value;
};

struct collect {
	const struct source_limits *limits;
	const struct query *query;
	bool nan_is_stale; /* the server answers staleness markers as NaN */
	series_fn *fn;
	void *ctx;
	/* the series under way */
	struct strbuf text;
	ARRAY_OF(struct label_span) spans;
	ARRAY_OF(struct label) labels;
	int64_t *t_ms;
	double *value;
	size_t n, cap;
	int64_t received; /* samples, also those outside of the range */
	int64_t last_ms;
	bool native;
	/* the answer */
	struct seen seen;
	int64_t series;		    /* received */
	size_t n_series, n_samples; /* handed on */
	bool repaired;
	bool stopped; /* fn failed: its error is not ours */
};

void collect_init(struct collect *c, const struct source_limits *limits);
void collect_release(struct collect *c);
void collect_answer(struct collect *c, const struct query *q, bool nan_is_stale, series_fn *fn,
	void *ctx);						     /* begins an answer */
int collect_series(struct collect *c, struct error *err) LV_CHECKED; /* begins a series */
int collect_name(struct collect *c, const char *s, size_t n, struct error *err) LV_CHECKED;
int collect_value(struct collect *c, const char *s, size_t n, struct error *err) LV_CHECKED;
int collect_sample(struct collect *c, int64_t t_ms, double v, struct error *err) LV_CHECKED;
int collect_end(struct collect *c, struct error *err) LV_CHECKED; /* ends a series */

#endif
