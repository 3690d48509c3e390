/* Grammar: the decoder's state, and the callbacks by which yajl drives it: what may stand where in
 * an answer. For decode.c only. */
#ifndef LV_SOURCE_GRAMMAR_H
#define LV_SOURCE_GRAMMAR_H

#include <yajl/yajl_parse.h>

#include "source/collect.h"

enum place {
	ROOT,
	TOP,	/* { status, data, ... } */
	DATA,	/* { resultType, result } */
	RESULT, /* [ series... ] or the [ time, value ] of a scalar */
	SERIES, /* { metric, values, value, histograms, histogram } */
	METRIC, /* { label: value } */
	VALUES, /* [ sample... ] */
	SAMPLE, /* [ time, value ] */
	NOTES,	/* warnings, infos */
	HISTOGRAMS /* [ ... ]: not read, but seen */,
	SKIP
};

enum key {
	KEY_OTHER,
	KEY_STATUS,
	KEY_ERROR,
	KEY_ERROR_TYPE,
	KEY_WARNINGS,
	KEY_INFOS,
	KEY_PARTIAL,
	KEY_DATA,
	KEY_RESULT_TYPE,
	KEY_RESULT,
	KEY_METRIC,
	KEY_VALUES,
	KEY_VALUE,
	KEY_HISTOGRAMS,
	KEY_HISTOGRAM,
	KEY_COUNT
};

enum { MAX_INFOS = 10, HEAD = 160, TYPE_MAX = 16 };

struct decode {
	const struct source_limits *limits;
	struct collect collect;
	yajl_handle yajl;
	struct error *err;
	uint8_t *stack; /* of enum place */
	int depth;	/* the place is stack[depth] */
	enum key key;	/* of the value to come */
	uint32_t had;	/* keys seen, one bit each; those of SERIES are cleared per series */
	int item;	/* elements of the sample so far */
	int64_t at_ms;
	double value;
	int64_t before, bytes,
		quiet;	 /* received: before this piece, with it, since the last token */
	char head[HEAD]; /* the body's first bytes */
	bool success, scalar, cut;
	char type[TYPE_MAX];
	struct strbuf error, error_type, warning;
	struct strbuf info[MAX_INFOS];
	const char *infos[MAX_INFOS + 1];
	size_t n_infos;
};

extern const yajl_callbacks grammar_callbacks;
extern const char grammar_hint[]; /* what to check when an answer is not Prometheus' */

enum place grammar_place(const struct decode *d);
bool grammar_had(const struct decode *d, enum key key); /* within the object that is open */
/* ERROR_SOURCE "not-prometheus" with the place in the body; returns -1. */
int grammar_odd(struct decode *d, const char *what);

#endif
