/* Value: max, min, first, last and avg of gauges over the window (counting.md rules 9 and 22). */
#ifndef LV_JUDGE_VALUE_H
#define LV_JUDGE_VALUE_H

#include "judge/context.h"

struct value_group { /* one member of `per`, or all series */
	struct labels key;
	size_t n_series;
	struct count value;
	int64_t at_ms; /* of the max or min; TIME_NONE otherwise */
	bool refused;
};

struct values {
	ARRAY_OF(struct value_group) groups;
	bool refused, pending;
	bool doubt; /* value proven nowhere near the edge; a note says so */
	int64_t interval_ms;
};

/* Computes the measure per group. Notes to `notes`. The groups are released by values_release. */
void values_read(struct judge *j, const struct measure *m, const char *subject, struct notes *notes,
	struct values *out);
void values_release(struct values *v);

#endif
