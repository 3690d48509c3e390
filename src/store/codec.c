/* Codec: what encoder and decoder share: growing bytes and the labels of the series before.
 * Knows nothing of chunks, files or compression. */
#include "store/codec_parts.h"

#include "base/utf8.h"

void bytes_reserve(struct bytes *b, size_t n)
{
	if (b->cap - b->n >= n && b->at)
		return;
	size_t cap = b->cap ? b->cap : 32;
	while (cap - b->n < n)
		cap *= 2;
	b->at = xrealloc(b->at, cap);
	b->cap = cap;
}

void bytes_replace(struct bytes *b, size_t keep, const void *s, size_t n)
{
	b->n = keep;
	bytes_reserve(b, n + 1);
	if (n)
		memcpy(b->at + keep, s, n);
	b->n = keep + n;
	b->at[b->n] = '\0';
}

struct label_slot *label_slots_at(struct label_slots *slots, size_t i)
{
	while (slots->n <= i)
		ARRAY_ADD(slots);
	return &slots->at[i];
}

void label_slots_release(struct label_slots *slots)
{
	for (size_t i = 0; i < slots->n; i++) {
		free(slots->at[i].name.at);
		free(slots->at[i].value.at);
	}
	free(slots->at);
	*slots = (struct label_slots){0};
}

bool label_name_valid(const char *name, size_t n)
{
	return n > 0 && n <= CODEC_MAX_LABEL_BYTES && utf8_valid(name, n);
}
