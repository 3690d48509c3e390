/* Spec: what is judged, as plain data, after packs and variables; made by src/spec, read by all.
 *
 * All memory belongs to the arena that the spec was loaded into. Optional things are NULL, n = 0 or
 * a `has_` flag. The keys are those of the spec file; their meaning stands in docs/spec.md. */
#ifndef LV_JUDGE_SPEC_H
#define LV_JUDGE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/decimal.h"
#include "judge/selector.h"

struct text { /* a text for people; a plain string fills both */
	const char *en;
	const char *ko;
};

struct selectors { /* a list is summed */
	struct selector *at;
	size_t n;
};

struct names {
	const char **at;
	size_t n;
};

enum across { ACROSS_NONE, ACROSS_SUM, ACROSS_MAX, ACROSS_MIN, ACROSS_AVG };

struct proof { /* what helps to prove a zero (counting.md rules 11, 25) and what is tolerated */
	bool optional;		  /* an absent family passes, and the report says so */
	bool absent;		  /* an `=` value that was never seen is known to be right */
	const char *outcome;	  /* one more outcome label; NULL */
	struct selectors family;  /* series of the same exporter that prove it was watched */
	struct selectors witness; /* counts the same events on processes that stayed */
	bool recorded;		  /* names with ':' are allowed */
};

struct sli { /* good, bad, total of a stage or a step */
	struct selectors good, bad, total, exclude;
	bool has_histogram;
	struct selector histogram; /* base name, without _bucket or _count */
	bool has_within;
	struct decimal within_s; /* seconds, > 0 */
	/* matchers added to the histogram; n = 0 when not given */
	struct selector success, exclude_matchers;
	struct proof proof;
};

struct percentile {
	struct decimal p;	 /* 95 for p95; 0 < p < 100 */
	struct decimal within_s; /* seconds */
};

struct step {
	const char *id;
	struct text title; /* en NULL: use id */
	struct sli sli;
};

struct stage {
	const char *id;
	struct text title; /* en NULL: use id */
	const char *component;
	struct text because;
	struct decimal objective; /* a share: 0 < objective <= 1 */
	bool has_at_least;
	struct decimal at_least; /* events */
	struct sli sli;		 /* unused when steps.n > 0 */
	bool each;
	struct step *steps;
	size_t n_steps;
	struct percentile *percentiles;
	size_t n_percentiles;
};

enum measure_kind {
	MEASURE_COUNT, /* selectors, counted from raw samples */
	MEASURE_MAX,   /* selectors, a value over the window */
	MEASURE_MIN,
	MEASURE_FIRST,
	MEASURE_LAST,
	MEASURE_AVG,
	MEASURE_BAND, /* histogram, over_s, up_to_s: how many were slower than over, at most up_to
		       */
	MEASURE_BALANCE, /* left, right */
	MEASURE_QUERY,	 /* PromQL, evaluated by the server */
	MEASURE_RATE,	 /* COUNT per second of the window; only in `load: { delivered }` */
};

struct measure { /* how one number of an invariant, a precondition or a figure is got */
	enum measure_kind kind;
	struct selectors selectors; /* COUNT and the values; BALANCE: left */
	struct selectors right;	    /* BALANCE */
	struct selector histogram;  /* BAND: base name */
	bool has_over, has_up_to;
	struct decimal over_s, up_to_s;
	const char *query; /* QUERY: ${window}, ${start}, ${end} are still in it */
	enum across across;
	struct names per; /* labels whose values are kept apart */
	struct proof proof;
	const char *unit;
};

struct limit {
	bool has_at_most, has_at_least, has_equals, has_within;
	struct decimal at_most, at_least, equals;
	struct decimal within; /* tolerance around `equals` */
};

struct check { /* an invariant, a precondition or a figure (then `limit` is empty) */
	const char *id;
	struct text title; /* en NULL: use id */
	struct text because;
	struct measure measure;
	struct limit limit;
	bool integrity; /* invariants: breaks a load even in a short run */
};

struct checks {
	struct check *at;
	size_t n;
};

enum unseen { UNSEEN_BAD, UNSEEN_PROPORTIONAL };

struct targets_spec {
	struct names identity; /* default job, instance */
	enum unseen unseen;
	bool has_alive;
	struct selector alive;
};

struct secret { /* where a secret is found; never the secret itself */
	const char *env;
	const char *file;
};

struct header {
	const char *name;
	const char *value;    /* NULL if `secret` is used */
	struct secret secret; /* both NULL if `value` is used */
};

enum auth_kind { AUTH_NONE, AUTH_BEARER, AUTH_BASIC };

struct source_spec {
	const char *url;    /* http(s)://host[:port][/prefix]; may hold userinfo: never print it */
	const char *tenant; /* NULL or "" when not used */
	enum auth_kind auth;
	const char *user;
	struct secret secret; /* bearer token or password */
	const char *ca, *cert, *key;
	bool insecure_skip_verify;
	struct header *headers;
	size_t n_headers;
	int64_t timeout_ms;
	int parallel;
	bool gzip;
};

struct variable { /* a variable that the spec used, as resolved */
	const char *name;
	const char *value; /* NULL if it is a secret */
};

struct spec {
	const char *path; /* as given, for messages */
	const char *name;
	struct text title;	 /* en NULL: use name */
	const char *timezone;	 /* NULL when not set */
	const char *environment; /* the chosen one; NULL */
	const char *load_unit;	 /* NULL when not set */
	bool has_delivered;
	struct measure delivered;
	bool has_window_before; /* said in the spec, not the default */
	int64_t before_ms, after_ms, warmup_ms;
	bool has_open;
	struct selector open_when;
	struct decimal open_becomes;
	struct source_spec source;
	struct targets_spec targets;
	struct stage *stages;
	size_t n_stages;
	struct checks invariants, preconditions, figures;
	struct names not_evaluated; /* blocks of later capabilities that stand in the spec */
	struct variable *variables;
	size_t n_variables;
	const char *source_text; /* the file as written */
	size_t source_len;
	const char *expanded;	   /* packs expanded: text per `use`, for the store; NULL if none */
	const char *judged_json;   /* canonical JSON of the judged parts (contract.md section 3) */
	const char *sha256;	   /* hex, of source_text */
	const char *judged_sha256; /* hex, of judged_json */
	const char *lang;	   /* report: { lang: ko }; NULL */
};

#endif
