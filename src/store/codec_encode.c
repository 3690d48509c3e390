/* Encoder: appends series to a chunk. The format stands in codec.h; memory is the series' own size
 * and one copy of the labels and times before. */
#include <math.h>

#include "base/utf8.h"
#include "store/codec_parts.h"

static inline unsigned char *put_varint(unsigned char *p, uint64_t v)
{
	while (v >= 0x80) {
		*p++ = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	*p++ = (unsigned char)v;
	return p;
}

static inline unsigned char *put_double(unsigned char *p, double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	for (int i = 0; i < 8; i++)
		*p++ = (unsigned char)(bits >> (8 * i));
	return p;
}

#define EXACT_INTEGERS 9007199254740992.0 /* 2^53 */

/* -0, fractions, NaN and whatever a double cannot hold exactly as an integer are none. */
static inline bool is_integer(double v, int64_t *out)
{
	if (!(fabs(v) <= EXACT_INTEGERS))
		return false;
	*out = (int64_t)v;
	return (double)*out == v && (v != 0 || !signbit(v));
}

void encoder_reset(struct encoder *e)
{
	if (e->out.cap > (size_t)4 << 20) { /* one gigantic series must not cost for ever */
		free(e->out.at);
		e->out = (struct bytes){0};
	}
	e->out.n = 0;
	e->slots.used = 0;
	e->n_times = 0;
}

void encoder_release(struct encoder *e)
{
	free(e->out.at);
	free(e->t_ms);
	label_slots_release(&e->slots);
	*e = (struct encoder){0};
}

static int refuse(struct error *err, const char *what)
{
	return error_set(err, ERROR_SOURCE, "not-prometheus",
		"cannot keep a series of the answer: %s; nothing was stored", what);
}

static int check_labels(const struct labels *l, struct error *err)
{
	if (l->n > CODEC_MAX_LABELS)
		return refuse(err, "it has more than 1,024 labels");
	for (size_t i = 0; i < l->n; i++) {
		if (i && strcmp(l->at[i - 1].name, l->at[i].name) >= 0)
			return refuse(err, "its labels are not in order or given twice");
		if (strlen(l->at[i].value) > CODEC_MAX_LABEL_BYTES)
			return refuse(err, "a label is longer than 1 MiB");
	}
	return 0;
}

static int check_times(const struct series *s, struct error *err)
{
	if (s->n > CODEC_MAX_SAMPLES)
		return refuse(err, "it has more than 4,194,304 samples; judge a shorter window");
	int64_t last = -CODEC_MAX_TIME_MS - 1;
	bool ordered = true;
	for (size_t i = 0; i < s->n; i++) {
		ordered &= s->t_ms[i] > last;
		last = s->t_ms[i];
	}
	if (!ordered || last > CODEC_MAX_TIME_MS)
		return refuse(err, "its times are out of order or out of range");
	return 0;
}

static size_t shared_prefix(const struct bytes *a, const char *b, size_t n)
{
	size_t max = a->n < n ? a->n : n, i = 0;
	while (i < max && a->at[i] == (unsigned char)b[i])
		i++;
	return i;
}

static int encode_label(
	struct encoder *e, size_t i, const struct label *l, bool known, struct error *err)
{
	struct label_slot *slot = label_slots_at(&e->slots, i);
	size_t name_n = strlen(l->name), value_n = strlen(l->value);
	bool same_name = known && slot->name.n == name_n && !memcmp(slot->name.at, l->name, name_n);
	size_t shared = known ? shared_prefix(&slot->value, l->value, value_n) : 0;
	bool same_value = known && shared == value_n && slot->value.n == value_n;
	if (!same_name && !label_name_valid(l->name, name_n))
		return refuse(err, "the name of a label is empty, too long or not UTF-8");
	if (!same_value && !utf8_valid(l->value, value_n))
		return refuse(err, "the value of a label is not UTF-8");

	bytes_reserve(&e->out, 64 + name_n + value_n);
	unsigned char *p = e->out.at + e->out.n;
	*p++ = (unsigned char)((same_name ? LABEL_SAME_NAME : 0) |
			       (same_value ? LABEL_SAME_VALUE : 0));
	if (!same_name) {
		p = put_varint(p, name_n);
		memcpy(p, l->name, name_n);
		p += name_n;
		bytes_replace(&slot->name, 0, l->name, name_n);
	}
	if (!same_value) {
		p = put_varint(p, shared);
		p = put_varint(p, value_n - shared);
		memcpy(p, l->value + shared, value_n - shared);
		p += value_n - shared;
		bytes_replace(&slot->value, shared, l->value + shared, value_n - shared);
	}
	e->out.n = (size_t)(p - e->out.at);
	return 0;
}

static int encode_labels(struct encoder *e, const struct labels *l, struct error *err)
{
	bytes_reserve(&e->out, 16);
	e->out.n = (size_t)(put_varint(e->out.at + e->out.n, l->n) - e->out.at);
	for (size_t i = 0; i < l->n; i++)
		if (encode_label(e, i, &l->at[i], i < e->slots.used, err))
			return -1;
	e->slots.used = l->n;
	return 0;
}

static void encode_times(struct encoder *e, const struct series *s)
{
	unsigned char *p = put_varint(e->out.at + e->out.n, s->n);
	uint64_t last = 0, delta = 0;
	for (size_t i = 0; i < s->n; i++) {
		uint64_t now = (uint64_t)s->t_ms[i], d = now - last;
		p = put_varint(p, zigzag(d - delta));
		/* the first delta is a time: it says nothing about the second */
		delta = i ? d : 0;
		last = now;
	}
	e->out.n = (size_t)(p - e->out.at);

	if (e->cap_times < s->n) {
		e->cap_times = s->n * 2;
		free(e->t_ms);
		e->t_ms = xmalloc(e->cap_times * sizeof *e->t_ms);
	}
	if (s->n)
		memcpy(e->t_ms, s->t_ms, s->n * sizeof *s->t_ms);
	e->n_times = s->n;
}

/* False: too many values are no integers; nothing was appended. */
static bool encode_integers(struct encoder *e, const struct series *s)
{
	unsigned char *p = e->out.at + e->out.n;
	uint64_t last = 0;
	size_t others = 0;
	for (size_t i = 0; i < s->n; i++) {
		int64_t now;
		if (is_integer(s->value[i], &now)) {
			p = put_varint(p, zigzag((uint64_t)now - last) + 1);
			last = (uint64_t)now;
			continue;
		}
		if (++others > s->n / 4 + 1)
			return false;
		*p++ = 0;
		p = put_double(p, s->value[i]);
	}
	e->out.n = (size_t)(p - e->out.at);
	return true;
}

static void encode_doubles(struct encoder *e, const struct series *s)
{
	unsigned char *p = e->out.at + e->out.n;
	for (size_t i = 0; i < s->n; i++)
		p = put_double(p, s->value[i]);
	e->out.n = (size_t)(p - e->out.at);
}

static bool same_times(const struct encoder *e, const struct series *s)
{
	return s->n && s->n == e->n_times && !memcmp(s->t_ms, e->t_ms, s->n * sizeof *s->t_ms);
}

int encoder_add(struct encoder *e, const struct series *s, struct error *err)
{
	bool same = same_times(e, s);
	if (check_labels(&s->labels, err) || (!same && check_times(s, err)))
		return -1;
	size_t start = e->out.n;
	bytes_reserve(&e->out, 1);
	e->out.at[e->out.n++] = 0;
	if (encode_labels(e, &s->labels, err)) {
		e->out.n = start;
		e->slots.used = 0; /* slots are half replaced: the next series starts afresh */
		return -1;
	}
	bytes_reserve(&e->out, 16 + 20 * s->n); /* times <= 10 bytes each, values <= 9 */
	unsigned flags = (same ? SERIES_SAME_TIMES : 0) | (s->native ? SERIES_NATIVE : 0);
	if (!same)
		encode_times(e, s);
	if (!encode_integers(e, s)) {
		flags |= SERIES_RAW_VALUES;
		encode_doubles(e, s);
	}
	e->out.at[start] = (unsigned char)flags;
	if (e->out.n > CODEC_MAX_CHUNK) {
		e->out.n = start;
		return refuse(err, "it is larger than 96 MiB; judge a shorter window");
	}
	return 0;
}
