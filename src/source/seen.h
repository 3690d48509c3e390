/* Seen: a set of label sets, as 128-bit fingerprints, to find a series that comes twice. */
#ifndef LV_SOURCE_SEEN_H
#define LV_SOURCE_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/selector.h"

struct fingerprint {
	uint64_t a, b; /* both 0: an empty place */
};

struct seen {
	struct fingerprint *at;
	size_t n, cap; /* cap: 0 or a power of two */
};

void seen_clear(struct seen *s); /* empty, memory kept */
void seen_release(struct seen *s);
bool seen_add(struct seen *s, const struct labels *l); /* false: it was there */

#endif
