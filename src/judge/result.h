/* Result: the verdicts of one run and every number behind them; made by the judge, drawn by the
 * report, kept by the store. Plain data in the judge's arena. */
#ifndef LV_JUDGE_RESULT_H
#define LV_JUDGE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/decimal.h"
#include "judge/evidence.h"
#include "judge/reason.h"
#include "judge/selector.h"

#define TIME_NONE INT64_MIN

struct window {		 /* Unix ms */
	int64_t open_ms; /* TIME_NONE for a window without an opening */
	int64_t start_ms, end_ms;
	/* the opening was found from samples and lies after this one; TIME_NONE otherwise */
	int64_t open_early_ms;
};

/* An interval of counts or values (counting.md). Exact when low == high. `high` is INFINITY where
 * nothing bounds it, `low` -INFINITY likewise; both NaN where the item was refused. */
struct count {
	double low, high;
};

enum run_verdict { RUN_PASS, RUN_FAIL, RUN_INVALID, RUN_INCONCLUSIVE };
enum stage_verdict { STAGE_PASS, STAGE_FAIL, STAGE_INCONCLUSIVE };
enum check_verdict { /* HELD/VIOLATED for invariants, MET/UNMET for preconditions */
	CHECK_HELD,
	CHECK_VIOLATED,
	CHECK_UNPROVEN,
	CHECK_SHOWN /* figures: not judged */
};
enum confidence {
	CONFIDENCE_NONE, /* no traffic, refused, or not exact */
	CONFIDENCE_DEMONSTRATED,
	CONFIDENCE_MET_NOT_DEMONSTRATED,
	CONFIDENCE_MISSED_NOT_CLEARLY,
	CONFIDENCE_CLEARLY_MISSED
};

struct note_arg {
	const char *key, *value; /* value: UTF-8, hostile; times are RFC 3339 UTC */
};

struct note {
	enum reason code;
	const char *subject; /* "stage/position", "target/app/a:1"; NULL for the run */
	struct note_arg arg[6];
	size_t n_args;
};

struct notes {
	struct note *at; /* malloc'd by ARRAY_ADD; released by result_release */
	size_t n, cap;
};

struct percentile_result {
	struct decimal p, within_s;
	double share_low, share_high; /* NaN when refused */
	enum stage_verdict verdict;
};

struct sli_result { /* of a stage or of one of its steps */
	struct count good, bad, total, excluded;
	/* total before unseen stretches were added on; ratio.low = good.low / (good.low + bad.high)
	 */
	enum stage_verdict verdict;
	enum confidence confidence;
	bool proportional;		    /* targets.unseen: proportional decided here */
	enum stage_verdict if_unseen_bad;   /* under `proportional`: the verdict of the default */
	enum stage_verdict if_proportional; /* under the default: the verdict of `proportional` */
	bool has_unseen;		    /* then the two above are meaningful */
	bool has_quantiles;		    /* a histogram was read */
	struct count p50_s, p95_s, p99_s;
	double p50_at_s, p95_at_s, p99_at_s; /* interpolated, for display only; NaN if none */
	struct notes notes;
};

struct step_result {
	const char *id;
	struct sli_result sli;
};

struct stage_result {
	const char *id;
	struct sli_result sli; /* of the stage as a whole (steps: their sum) */
	struct step_result *steps;
	size_t n_steps;
	struct percentile_result *percentiles;
	size_t n_percentiles;
};

struct member_result { /* one value combination of `per` */
	struct labels labels;
	struct count observed;
	enum check_verdict verdict;
};

struct check_result {
	const char *id;
	struct count observed;
	enum check_verdict verdict;
	struct member_result *members;
	size_t n_members;
	int64_t sampled_every_ms; /* values: the scrape interval; 0 for counts */
	int64_t max_at_ms;	  /* max, min: when it was seen; TIME_NONE otherwise */
	struct notes notes;
};

struct event {		    /* of data quality */
	const char *target; /* "job/instance" */
	const char *what;   /* a series or metric, or NULL */
	int64_t from_ms, to_ms;
};

struct quality {
	size_t series, samples, targets;
	int64_t scrape_interval_ms; /* median over targets; 0 unknown */
	ARRAY_OF(struct event) gaps;
	ARRAY_OF(struct event) resets;
	ARRAY_OF(struct event) births;	   /* at most 1,000 each are listed */
	size_t n_gaps, n_resets, n_births; /* all of them */
	struct notes warnings;
};

struct lagging { /* targets without a scrape at or after the end (counting.md rule 3) */
	size_t n;
	const char *first; /* name of one of them; NULL */
};

struct result {
	enum run_verdict verdict;
	struct notes reasons; /* why this verdict, the decisive ones first */
	struct stage_result *stages;
	size_t n_stages;
	struct check_result *invariants, *preconditions, *figures;
	size_t n_invariants, n_preconditions, n_figures;
	bool has_delivered; /* load.delivered was given */
	struct count delivered;
	struct quality quality;
	struct lagging lagging;
	/* queries that the evidence lacks; while any is here, the verdict is not final */
	ARRAY_OF(struct query) wants;
};

struct run_label {
	const char *key, *value;
};

struct run_info {   /* who, when and what: everything about a run that is not judged from samples */
	int64_t id; /* 0 until stored */
	int revision;
	const char *uid;  /* 32 hex digits */
	const char *name; /* NULL */
	const char *spec_name, *spec_sha256, *judged_sha256;
	const char *environment, *campaign, *commit; /* NULL when unknown */
	int repeat;
	bool has_load;
	struct decimal load;
	const char *load_unit;
	struct window window;
	struct run_label *labels;
	size_t n_labels;
	const char *source_url; /* without userinfo */
	const char *tenant;	/* NULL */
	bool insecure;		/* insecure_skip_verify */
	const char *version;	/* of loadverdict */
	int64_t judged_at_ms;
	bool known_registered; /* else registered_before_open is null */
	bool registered_before_open;
};

#endif
