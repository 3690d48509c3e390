/* Decoder: series from the bytes of a chunk, which may come from anywhere: every length is checked
 * against what is left before anything is believed or allocated. */
#include "base/utf8.h"
#include "store/codec_parts.h"

void decoder_release(struct decoder *d)
{
	label_slots_release(&d->slots);
	free(d->labels);
	free(d->t_ms);
	free(d->value);
	*d = (struct decoder){0};
}

void decoder_begin(struct decoder *d, const unsigned char *chunk, size_t n)
{
	d->at = chunk;
	d->end = chunk + n;
	d->slots.used = 0;
	d->n_times = 0;
}

static int corrupt(struct error *err, const char *what)
{
	return error_set(err, ERROR_STORE, "store-corrupt",
		"the archived samples are damaged (%s); judge the run again from the server, or "
		"take "
		"another copy of the file",
		what);
}

static inline size_t left(const struct decoder *d)
{
	return (size_t)(d->end - d->at);
}

static inline bool get_varint(struct decoder *d, uint64_t *out)
{
	const unsigned char *p = d->at;
	uint64_t v = 0;
	for (unsigned shift = 0; p < d->end && shift < 64; shift += 7) {
		unsigned char c = *p++;
		if (shift == 63 && c > 1)
			return false;
		v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			d->at = p;
			*out = v;
			return true;
		}
	}
	return false;
}

static inline bool get_length(struct decoder *d, size_t max, size_t *out)
{
	uint64_t v;
	if (!get_varint(d, &v) || v > max)
		return false;
	*out = (size_t)v;
	return true;
}

static inline double get_double(struct decoder *d)
{
	uint64_t bits = 0;
	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)d->at[i] << (8 * i);
	d->at += 8;
	double v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

static bool decode_name(struct decoder *d, struct label_slot *slot)
{
	size_t n;
	if (!get_length(d, CODEC_MAX_LABEL_BYTES, &n) || n > left(d) || memchr(d->at, 0, n) ||
		!label_name_valid((const char *)d->at, n))
		return false;
	bytes_replace(&slot->name, 0, d->at, n);
	d->at += n;
	return true;
}

static bool decode_value(struct decoder *d, struct label_slot *slot, bool known)
{
	size_t shared, n;
	if (!get_length(d, known ? slot->value.n : 0, &shared) ||
		!get_length(d, CODEC_MAX_LABEL_BYTES - shared, &n) || n > left(d) ||
		(n && memchr(d->at, 0, n)))
		return false;
	bytes_replace(&slot->value, shared, d->at, n);
	d->at += n;
	return utf8_valid((const char *)slot->value.at, slot->value.n);
}

/* *names: whether a name changed, so that their order must be looked at again */
static bool decode_label(struct decoder *d, size_t i, bool *names)
{
	bool known = i < d->slots.used;
	struct label_slot *slot = label_slots_at(&d->slots, i);
	if (!left(d))
		return false;
	unsigned flags = *d->at++;
	if (flags > (LABEL_SAME_NAME | LABEL_SAME_VALUE) || (flags && !known))
		return false;
	if (!(flags & LABEL_SAME_NAME)) {
		*names = true;
		if (!decode_name(d, slot))
			return false;
	}
	return flags & LABEL_SAME_VALUE || decode_value(d, slot, known);
}

static bool decode_labels(struct decoder *d, struct labels *out)
{
	size_t n;
	if (!get_length(d, CODEC_MAX_LABELS, &n) || n > left(d))
		return false;
	if (n > d->cap_labels) {
		d->cap_labels = n * 2;
		d->labels = xrealloc(d->labels, d->cap_labels * sizeof *d->labels);
	}
	bool names = n != d->slots.used;
	for (size_t i = 0; i < n; i++) {
		if (!decode_label(d, i, &names))
			return false;
		d->labels[i].name = (const char *)d->slots.at[i].name.at;
		d->labels[i].value = (const char *)d->slots.at[i].value.at;
	}
	d->slots.used = n;
	for (size_t i = 1; names && i < n; i++)
		if (strcmp(d->labels[i - 1].name, d->labels[i].name) >= 0)
			return false;
	*out = (struct labels){d->labels, n};
	return true;
}

static void room_for_samples(struct decoder *d, size_t n)
{
	if (n <= d->cap_times)
		return;
	d->cap_times = n * 2;
	d->t_ms = xrealloc(d->t_ms, d->cap_times * sizeof *d->t_ms);
	d->value = xrealloc(d->value, d->cap_times * sizeof *d->value);
}

static bool decode_times(struct decoder *d)
{
	size_t n;
	d->n_times = 0; /* whatever fails below, old times are no longer those of a series */
	if (!get_length(d, CODEC_MAX_SAMPLES, &n) || n > left(d))
		return false;
	room_for_samples(d, n);
	int64_t last = -CODEC_MAX_TIME_MS - 1;
	uint64_t now = 0, delta = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t z;
		if (!get_varint(d, &z))
			return false;
		uint64_t step = unzigzag(z) + delta;
		now += step;
		delta = i ? step : 0;
		if ((int64_t)now <= last || (int64_t)now > CODEC_MAX_TIME_MS)
			return false;
		d->t_ms[i] = last = (int64_t)now;
	}
	d->n_times = n;
	return true;
}

static bool decode_integers(struct decoder *d)
{
	uint64_t last = 0;
	for (size_t i = 0; i < d->n_times; i++) {
		uint64_t z;
		if (!get_varint(d, &z))
			return false;
		if (!z) {
			if (left(d) < 8)
				return false;
			d->value[i] = get_double(d);
			continue;
		}
		last += unzigzag(z - 1);
		d->value[i] = (double)(int64_t)last;
	}
	return true;
}

static bool decode_doubles(struct decoder *d)
{
	if (left(d) / 8 < d->n_times)
		return false;
	for (size_t i = 0; i < d->n_times; i++)
		d->value[i] = get_double(d);
	return true;
}

int decoder_next(struct decoder *d, struct series *out, struct error *err)
{
	if (d->at == d->end)
		return 0;
	unsigned flags = *d->at++;
	if (flags > (SERIES_SAME_TIMES | SERIES_NATIVE | SERIES_RAW_VALUES))
		return corrupt(err, "unknown flags");
	struct labels labels;
	if (!decode_labels(d, &labels))
		return corrupt(err, "bad labels");
	if (flags & SERIES_SAME_TIMES ? !d->n_times : !decode_times(d))
		return corrupt(err, "bad times");
	if (!(flags & SERIES_RAW_VALUES ? decode_doubles(d) : decode_integers(d)))
		return corrupt(err, "bad values");
	*out = (struct series){.labels = labels,
		.n = d->n_times,
		.t_ms = d->t_ms,
		.value = d->value,
		.native = flags & SERIES_NATIVE};
	return 1;
}
