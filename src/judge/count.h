/* Counts: interval arithmetic on struct count (result.h). Integers stay exact up to 2^53. */
#ifndef LV_JUDGE_COUNT_H
#define LV_JUDGE_COUNT_H

#include <math.h>
#include <stdbool.h>

#include "judge/result.h"

static inline struct count count_of(double v)
{
	return (struct count){v, v};
}

/* nothing is known at all: the item was refused */
static inline struct count count_refused(void)
{
	return (struct count){NAN, NAN};
}

static inline bool count_is_refused(struct count c)
{
	return isnan(c.low) || isnan(c.high);
}

static inline bool count_is_exact(struct count c)
{
	return c.low == c.high;
}

static inline struct count count_add(struct count a, struct count b)
{
	return (struct count){a.low + b.low, a.high + b.high};
}

/* a - b for counts of events: never below 0 */
static inline struct count count_sub(struct count a, struct count b)
{
	/* high - low may be infinite, never NaN: lows are finite */
	return (struct count){fmax(0, a.low - b.high), fmax(0, a.high - b.low)};
}

#endif
