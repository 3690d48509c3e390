/* SLI: good, bad, total and excluded events of one stage or step. */
#ifndef LV_JUDGE_SLI_H
#define LV_JUDGE_SLI_H

#include "judge/context.h"

struct sli_counts {
	struct count good, bad, total, excluded; /* without what unseen stretches may hold */
	double unseen;				 /* events that unseen stretches may hold at most */
	bool has_unseen;
	bool refused, pending;
	bool doubt; /* something needed is unproven (a note says what): no PASS and no FAIL */
};

#define QUANTILES 3

struct quantiles { /* p50, p95, p99 and the stage's percentiles, of all events of the histogram */
	bool there;
	struct count bounds_s[QUANTILES];
	double at_s[QUANTILES];
	const struct percentile *percentiles;
	size_t n_percentiles;
	struct count *within, *beyond; /* by percentile */
	double unseen;
	bool doubt;
};

/* Counts good and bad, and quantiles on the way where there is a histogram. Notes go to `notes`. */
struct sli_counts sli_count(struct judge *j, const struct sli *s, const char *subject,
	struct notes *notes, struct quantiles *q);
struct sli_counts sli_sum(struct sli_counts a, struct sli_counts b);

/* Verdict, confidence and the readings of unseen stretches; fills `out` but its quantiles. */
void sli_decide(struct judge *j, const struct sli_counts *c, struct decimal objective,
	const struct decimal *at_least, struct sli_result *out);

#endif
