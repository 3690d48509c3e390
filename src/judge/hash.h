/* Hash: the identity of a label set in 128 bits, so that a chance collision never hides a series.
 */
#ifndef LV_JUDGE_HASH_H
#define LV_JUDGE_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/selector.h"

/* `skip` (may be NULL) tells which label names do not belong to the identity. */
void labels_hash(const struct labels *l, bool (*skip)(const char *name), uint64_t id[2]);

#endif
