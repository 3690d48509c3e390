/* Codec parts: numbers and limits that encoder and decoder share; for codec_*.c only. */
#ifndef LV_STORE_CODEC_PARTS_H
#define LV_STORE_CODEC_PARTS_H

#include <stdbool.h>
#include <string.h>

#include "store/codec.h"

enum series_flag { SERIES_SAME_TIMES = 1, SERIES_NATIVE = 2, SERIES_RAW_VALUES = 4 };
enum label_flag { LABEL_SAME_NAME = 1, LABEL_SAME_VALUE = 2 };

/* Years -200,000 to 200,000: sums and differences of times cannot overflow. */
#define CODEC_MAX_TIME_MS ((int64_t)1 << 53)

static inline uint64_t zigzag(uint64_t delta)
{
	return (delta << 1) ^ (uint64_t) - (int64_t)(delta >> 63);
}

static inline uint64_t unzigzag(uint64_t z)
{
	return (z >> 1) ^ (uint64_t) - (int64_t)(z & 1);
}

/* Room for n more bytes; nothing is written. */
void bytes_reserve(struct bytes *b, size_t n);
/* Makes `b` hold a copy of s[0..n) after its first `keep` bytes, NUL-terminated. */
void bytes_replace(struct bytes *b, size_t keep, const void *s, size_t n);
/* The slot for place i, added when it is new. */
struct label_slot *label_slots_at(struct label_slots *slots, size_t i);
void label_slots_release(struct label_slots *slots);
bool label_name_valid(const char *name, size_t n);

#endif
