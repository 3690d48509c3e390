/* Growth: one counter series as steps, and counts of steps between edges (counting.md rules 5, 6,
 * 7, 10). Pure folds over one series in constant memory beside a reused scratch list. */
#ifndef LV_JUDGE_GROWTH_H
#define LV_JUDGE_GROWTH_H

#include "base/array.h"
#include "judge/evidence.h"
#include "judge/target.h"

enum step_kind {
	STEP_GROWTH, /* v2 - v1 */
	STEP_RESET,  /* v2, because the process or the counter began again */
	STEP_BIRTH,  /* v2, because the series was absent at a good scrape before */
	STEP_UNKNOWN /* first sample of a series of which nothing earlier is known: between 0 and v
		      */
};

struct step_of_growth {
	int64_t since_ms; /* nothing of the growth happened at or before: last sample, or last good
			     scrape without the series; INT64_MIN if unknown */
	int64_t at_ms;	  /* time of the sample */
	double growth;
	double certain; /* of it; less where a restart may hide in a value that did not fall */
	enum step_kind kind;
};

struct growth { /* reused from series to series; released once */
	ARRAY_OF(struct step_of_growth) steps;
	int64_t interval_ms; /* of the target, else the series' own median spacing */
	int64_t first_ms;    /* time of the first sample */
	int64_t last_ms;
	double first_value;
	int64_t reborn_ms; /* the first time that it came back after an absence inside */
	double reborn_value;
	bool bad_value; /* NaN, negative or infinite */
	double bad_value_seen;
	int64_t bad_value_at_ms;
	bool replica_dip; /* a fall that looks like another replica's sample (rule 10) */
	int64_t replica_dip_at_ms;
	int64_t vanished_ms;  /* first good scrape without the series after its last sample */
	bool baseline_before; /* a sample at or before the window's start exists */
};

/* `t` may be NULL. `created_ms` is the series' own _created time or INT64_MIN. `start_ms` is the
 * window's start. */
void growth_of(struct growth *g, const struct series *s, const struct target *t, int64_t created_ms,
	int64_t start_ms);
void growth_release(struct growth *g);
/* Median of the series' first spacings; 0 with fewer than two samples. */
int64_t series_interval(const struct series *s);

enum edge_side {
	EDGE_BEFORE, /* the last sample at or before the edge */
	EDGE_AFTER   /* the target's first good scrape (else the first sample) at or after it */
};

struct span {
	int64_t from_ms, to_ms;
	enum edge_side from_side, to_side;
};

struct span_count {
	struct count count;
	double gap_growth; /* growth across a gap over an edge: in high, not in low */
	int64_t gap_from_ms, gap_to_ms;
	bool gap_at_start, gap_at_end;
	double before_start; /* growth of the step that straddles the start, counted as inside */
	int64_t before_since_ms;
	bool unknown_birth; /* the first value counts only in high */
	double unknown_value;
	int64_t unknown_at_ms;
	double largest_step; /* the largest growth of one step */
};

struct span_count growth_count(
	const struct growth *g, const struct target *t, const struct span *span);

#endif
