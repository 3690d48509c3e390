/* Ratio: exact comparison, and the binomial distribution by the incomplete beta function. */
#include "judge/ratio.h"

#define SIGNIFICANCE 0.05
#define EXACT_MAX 9007199254740992.0 /* 2^53 */

static bool is_integer(double v)
{
	return v == floor(v) && fabs(v) <= EXACT_MAX;
}

int ratio_cmp(double good, double total, struct decimal objective)
{
	if (is_integer(good) && is_integer(total))
		return decimal_cmp_ratio(good, total, objective);
	double want = total * decimal_to_double(objective);
	if (fabs(good - want) <= fabs(want) * 1e-12)
		return 0;
	return good > want ? 1 : -1;
}

/* A tie of inexact numbers decides nothing: it must not become a PASS. */
static bool is_met(double good, double total, struct decimal objective)
{
	int c = ratio_cmp(good, total, objective);
	return c > 0 || (!c && is_integer(good) && is_integer(total));
}

enum stage_verdict ratio_verdict(struct count good, struct count bad, struct decimal objective)
{
	if (count_is_refused(good) || count_is_refused(bad))
		return STAGE_INCONCLUSIVE;
	double worst = good.low + bad.high, best = good.high + bad.low;
	if (!isinf(worst) && worst > 0 && is_met(good.low, worst, objective))
		return STAGE_PASS;
	if (!isinf(best) && best > 0 && ratio_cmp(good.high, best, objective) < 0)
		return STAGE_FAIL;
	return STAGE_INCONCLUSIVE;
}

/* Continued fraction of the incomplete beta function (modified Lentz). */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		if (fabs(d * c - 1) < 1e-14)
			break;
	}
	return h;
}

static double incomplete_beta(double a, double b, double x)
{
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double binomial_cdf(double k, double n, double p)
{
	if (k < 0)
		return 0;
	if (k >= n)
		return 1;
	if (k == 0)
		return exp(n * log1p(-p));
	return incomplete_beta(n - k, k + 1, 1 - p);
}

enum confidence ratio_confidence(
	struct count good, struct count bad, struct decimal objective, enum stage_verdict verdict)
{
	double p = 1 - decimal_to_double(objective);

	if (verdict == STAGE_PASS) {
		double n = good.low + bad.high, failures = bad.high;
		return binomial_cdf(floor(failures), floor(n), p) <= SIGNIFICANCE
			       ? CONFIDENCE_DEMONSTRATED
			       : CONFIDENCE_MET_NOT_DEMONSTRATED;
	}
	if (verdict == STAGE_FAIL) {
		double n = good.high + bad.low, failures = bad.low;
		return 1 - binomial_cdf(ceil(failures) - 1, ceil(n), p) <= SIGNIFICANCE
			       ? CONFIDENCE_CLEARLY_MISSED
			       : CONFIDENCE_MISSED_NOT_CLEARLY;
	}
	return CONFIDENCE_NONE;
}
