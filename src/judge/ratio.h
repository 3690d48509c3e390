/* Ratio: verdicts on good of total by exact comparison (counting.md rules 19 to 21). */
#ifndef LV_JUDGE_RATIO_H
#define LV_JUDGE_RATIO_H

#include "judge/count.h"

/* Sign of good/total - objective. Exact for integers; counts that are not integers carry rounding
 * errors of their additions and compare as equal (0) within one part in 10^12. */
int ratio_cmp(double good, double total, struct decimal objective);

/* PASS if even the worst reading (good.low, bad.high) meets the objective, FAIL if even the best
 * one misses it, else INCONCLUSIVE. No events in the best reading: INCONCLUSIVE. */
enum stage_verdict ratio_verdict(struct count good, struct count bad, struct decimal objective);

/* The exact one-sided 95 % binomial statement (rule 21). */
enum confidence ratio_confidence(
	struct count good, struct count bad, struct decimal objective, enum stage_verdict verdict);

/* P(X <= k) for X ~ Binomial(n, p) */
double binomial_cdf(double k, double n, double p);

#endif
