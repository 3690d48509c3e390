/* Codec: series <-> bytes, losslessly, without a dictionary; one chunk is one byte string.
 *
 * A series is coded against the one before it in the same chunk, so a chunk stands alone:
 *
 *   flags      1 byte: SAME_TIMES | NATIVE | RAW_VALUES
 *   labels     varint count; each: 1 byte SAME_NAME | SAME_VALUE, then what is not the same:
 *              name: varint length, bytes; value: varint bytes shared with the value that the same
 *              place had before, varint length of the rest, bytes
 *   times      unless SAME_TIMES: varint count; zigzag varints: first, delta, delta of deltas ...
 *   values     RAW_VALUES: 8 bytes little-endian each; else varints: 0 and 8 bytes, or
 *              1 + zigzag(delta to the last integer)
 *
 * Doubles come back bit for bit (NaN payloads, -0). The decoder takes its input for hostile. */
#ifndef LV_STORE_CODEC_H
#define LV_STORE_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/error.h"
#include "judge/evidence.h"

enum {
	CODEC_MAX_LABELS = 1024,
	CODEC_MAX_LABEL_BYTES = 1 << 20,
	CODEC_MAX_SAMPLES = 1 << 22, /* of one series */
	CODEC_MAX_CHUNK = 96 << 20,  /* bytes; only one gigantic series comes near it */
};

struct bytes {
	unsigned char *at;
	size_t n, cap;
};

struct label_slot { /* what a label's place held in the series before; buffers are reused */
	struct bytes name, value; /* NUL-terminated, the NUL counted in neither */
};

struct label_slots {
	struct label_slot *at;
	size_t n, cap; /* n: places that ever held something */
	size_t used;   /* labels of the series before */
};

struct encoder {
	struct bytes out;
	struct label_slots slots;
	int64_t *t_ms; /* times of the series before */
	size_t n_times, cap_times;
};

void encoder_release(struct encoder *e);
void encoder_reset(struct encoder *e); /* begins a chunk; memory kept */
/* Appends to `out`. Refuses what the decoder would refuse: times out of order or range, labels
 * unsorted or not UTF-8, too much of anything; `out` is then as it was. */
int encoder_add(struct encoder *e, const struct series *s, struct error *err) LV_CHECKED;

struct decoder {
	const unsigned char *at, *end;
	struct label_slots slots;
	struct label *labels;
	size_t cap_labels;
	int64_t *t_ms;
	double *value;
	size_t n_times, cap_times;
};

void decoder_release(struct decoder *d);
void decoder_begin(struct decoder *d, const unsigned char *chunk, size_t n);
/* 1: *out is the next series, valid until the next call; 0: the chunk is at its end;
 * -1: ERROR_STORE "store-corrupt" */
int decoder_next(struct decoder *d, struct series *out, struct error *err) LV_CHECKED;

#endif
