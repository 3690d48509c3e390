/* Histogram: classic buckets of many series, and what lies within a bound (counting.md rules 13 to
 * 17). Native histograms are refused by the fold (tally.h). */
#ifndef LV_JUDGE_HISTOGRAM_H
#define LV_JUDGE_HISTOGRAM_H

#include "judge/proof.h"
#include "judge/tally.h"

struct bucket {
	double le; /* in the histogram's unit */
	struct count count[TALLY_SPANS];
	int64_t last_ms; /* last sample at or before the window's end */
	double last_value;
};

struct bucket_group { /* one histogram: all labels but le */
	uint64_t id[2];
	struct labels labels;
	bool success, excluded;
	bool has_count;
	size_t entry;	 /* of the tally, for _count: index + 1; 0 without one */
	uint64_t layout; /* of its buckets as spelt: copies of one process have the same */
	struct count count[TALLY_SPANS];
	int64_t last_ms;
	double last_value;
	ARRAY_OF(struct bucket) buckets; /* sorted by le after reading; +Inf not among them */
};

struct histogram {
	struct tally tally; /* fold, notes, watch; its entries are the _count series */
	struct selector buckets, counts;
	const struct selector *success, *exclude; /* matcher lists; n = 0: everything, nothing */
	ARRAY_OF(struct bucket_group) groups;
	ARRAY_OF(size_t) index;
	double unit_s; /* seconds of one unit of `le`: 1, 0.001 for ..._milliseconds */
};

/* Seconds of one unit of `le`, by the end of the base name: 0.001 for ..._milliseconds, else 1. */
double histogram_unit_s(const char *name);
/* A bound in that unit, as `le` has it. */
double histogram_bound(struct decimal seconds, double unit_s);

/* The caller may set tally.span and n_spans between init and read. */
void histogram_init(struct histogram *h, struct judge *j, const struct selector *base,
	const struct selector *success, const struct selector *exclude, const struct proof *proof,
	const char *subject, struct notes *notes);
void histogram_read(struct histogram *h);
void histogram_release(struct histogram *h);

struct within { /* how the events of a histogram lie around a bound */
	struct count good, bad, total, excluded;
};

/* Events of the groups that are not excluded; good: successful (unless `any`) and within `seconds`.
 */
struct within histogram_within(struct histogram *h, struct decimal seconds, size_t span, bool any);
/* Events slower than over_s and at most up_to_s (either may be NULL). */
struct count histogram_band(
	struct histogram *h, const struct decimal *over_s, const struct decimal *up_to_s);
/* Bounds of quantile q (0..1) in seconds, over all groups not excluded; high INFINITY in the top
 * bucket; NaN when there are no events. `*at` is interpolated, for display only. */
struct count histogram_quantile(struct histogram *h, double q, double *at_s);

#endif
