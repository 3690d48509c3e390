/* Evidence: what was asked of the server and what it answered, as the judge sees it.
 *
 * The judge never asks: it looks a query up in the evidence and, where it is missing, says that it
 * wants it. The driver fetches what is wanted and judges again; a stored run is judged from its
 * archive in the same way. Series are handed on one at a time, so nothing here grows with the
 * bytes received. */
#ifndef LV_JUDGE_EVIDENCE_H
#define LV_JUDGE_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "judge/selector.h"

/* The pattern that Prometheus itself uses for "the series ended here". The decoder puts it where
 * the server is known to answer staleness markers as NaN (counting.md rule 10). */
double sample_stale(void);
bool sample_is_stale(double v);

struct series {
	struct labels labels;
	size_t n; /* samples, in time order, times distinct; 0 only if `native` */
	const int64_t *t_ms;
	const double *value; /* may be NaN, infinite, stale */
	bool native;	     /* the answer also held native histograms for it */
};

enum query_kind {
	QUERY_RAW,    /* `text[to - from]` at to: raw samples with from <= t <= to */
	QUERY_PROMQL, /* `text` at to: a vector or scalar, one sample a series, timestamp = to */
};

struct query {
	enum query_kind kind;
	const char *text;	/* canonical PromQL without range */
	int64_t from_ms, to_ms; /* PROMQL: from_ms = to_ms */
	const char *subject;	/* who asked first: "stage/position", "targets"; for messages */
};

struct answer {
	struct query query;
	size_t n_series, n_samples;
	/* what the decoder had to do or the server said, NULL-terminated; never NULL */
	const char *const *infos; /* the server's `infos`, escaped for one line */
	bool repaired;		  /* invalid UTF-8 was replaced */
};

struct evidence {
	const struct answer *answers;
	size_t n_answers;
	/* Calls fn for every series of answer `i`, in the order received, until it returns non-zero
	 * (then returns 0 as well). The series is valid during the call only. -1: the archive
	 * cannot be read. */
	int (*each)(const struct evidence *self, size_t i,
		int (*fn)(void *arg, const struct series *s), void *arg, struct error *err);
	int64_t asked_ms;     /* the clock when the newest of the `up` answers was asked for */
	int64_t retention_ms; /* -1 unknown; asked only when `up` was empty */
};

/* Index of the answer to a query of the same kind, text and range, or -1. */
ptrdiff_t evidence_find(const struct evidence *e, const struct query *q);

#endif
