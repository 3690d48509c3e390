/* Fetching in tests: runs a batch against a server and keeps all that the sink was told. */
#ifndef LV_TESTS_FETCH_H
#define LV_TESTS_FETCH_H

#include "base/strbuf.h"
#include "source/source.h"

struct fetched {
	struct strbuf series[8]; /* per query; "void" series are gone again */
	int begun[8], abandoned[8], ended[8];
	bool open[8];
	struct answer answer[8];	       /* without infos */
	struct strbuf retries, lines, updates; /* progress, a line each */
	struct error err;
	int refuse_begin, refuse_series, refuse_end; /* the sink fails here */
};

/* What source_fetch gave; or of source_open if that failed. */
int fetch(struct fetched *f, const struct source_spec *spec, const struct source_limits *limits,
	const struct query *q, size_t n);
/* With one raw query for `up` from 1 s to 9 s. */
int fetch_up(struct fetched *f, const struct source_spec *spec, const struct source_limits *limits);
void fetched_release(struct fetched *f);
struct source_spec spec_for(const char *url);

#endif
