/* Collect: gathers one series at a time from the decoder, checks it and hands it on. Memory for one
 * series, reused, and a fingerprint for each seen. Knows nothing of JSON. */
#include "source/collect.h"

#include <inttypes.h>
#include <math.h>

#include "base/timestamp.h"
#include "base/utf8.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

void collect_init(struct collect *c, const struct source_limits *limits)
{
	*c = (struct collect){.limits = limits, .text = STRBUF_INIT};
}

void collect_release(struct collect *c)
{
	strbuf_release(&c->text);
	ARRAY_RELEASE(&c->spans);
	ARRAY_RELEASE(&c->labels);
	free(c->t_ms);
	free(c->value);
	seen_release(&c->seen);
}

void collect_answer(
	struct collect *c, const struct query *q, bool nan_is_stale, series_fn *fn, void *ctx)
{
	c->query = q;
	c->nan_is_stale = nan_is_stale && q->kind == QUERY_RAW;
	c->fn = fn;
	c->ctx = ctx;
	seen_clear(&c->seen);
	c->series = 0;
	c->n_series = c->n_samples = 0;
	c->repaired = c->stopped = false;
}

int collect_series(struct collect *c, struct error *err)
{
	strbuf_clear(&c->text);
	c->spans.n = c->labels.n = 0;
	c->n = 0;
	c->received = 0;
	c->native = false;
	if (++c->series > c->limits->series)
		return error_set(err, ERROR_SOURCE, "too-large",
			"the answer has more than %" PRId64 " series: narrow the selector",
			c->limits->series);
	return 0;
}

static bool is_plain(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] <= 0)
			return false;
	return true;
}

/* Appends s and a NUL; invalid bytes and NULs become U+FFFD. Returns the offset. */
static size_t add_text(struct collect *c, const char *s, size_t n)
{
	size_t at = c->text.n;
	if (is_plain(s, n)) {
		strbuf_add(&c->text, s, n);
		strbuf_add(&c->text, "", 1);
		return at;
	}
	while (n) {
		size_t part = strnlen(s, n);
		c->repaired |= utf8_add_repaired(&c->text, s, part);
		s += part;
		n -= part;
		if (n) {
			strbuf_adds(&c->text, replacement);
			c->repaired = true;
			s++;
			n--;
		}
	}
	strbuf_add(&c->text, "", 1);
	return at;
}

static int too_long(const struct collect *c, const char *what, struct error *err)
{
	return error_set(err, ERROR_SOURCE, "too-large",
		"series %" PRId64 " has a label %s of more than %" PRId64 " bytes", c->series, what,
		c->limits->label_bytes);
}

int collect_name(struct collect *c, const char *s, size_t n, struct error *err)
{
	if ((int64_t)n > c->limits->label_bytes)
		return too_long(c, "name", err);
	if (!n)
		return error_set(err, ERROR_SOURCE, "not-prometheus",
			"series %" PRId64 " has a label without a name", c->series);
	if (c->spans.n >= (size_t)c->limits->labels)
		return error_set(err, ERROR_SOURCE, "too-large",
			"series %" PRId64 " has more than %d labels", c->series, c->limits->labels);
	ARRAY_ADD(&c->spans)->name = add_text(c, s, n);
	return 0;
}

int collect_value(struct collect *c, const char *s, size_t n, struct error *err)
{
	if ((int64_t)n > c->limits->label_bytes)
		return too_long(c, "value", err);
	if (!n) /* an empty label is an absent one */
		c->spans.n--;
	else
		c->spans.at[c->spans.n - 1].value = add_text(c, s, n);
	return 0;
}

static void room_for_sample(struct collect *c)
{
	if (c->n < c->cap)
		return;
	c->cap = c->cap ? c->cap * 2 : 256;
	c->t_ms = xrealloc(c->t_ms, c->cap * sizeof *c->t_ms);
	c->value = xrealloc(c->value, c->cap * sizeof *c->value);
}

static int wrong_order(const struct collect *c, int64_t t_ms, struct error *err)
{
	struct strbuf at = STRBUF_INIT;
	timestamp_format_utc(&at, t_ms);
	error_set(err, ERROR_SOURCE, "not-prometheus",
		"series %" PRId64 " %s at %s: such an answer cannot be trusted", c->series,
		t_ms == c->last_ms ? "has two samples" : "is not in the order of time", at.at);
	strbuf_release(&at);
	return -1;
}

int collect_sample(struct collect *c, int64_t t_ms, double v, struct error *err)
{
	if (c->received && t_ms <= c->last_ms)
		return wrong_order(c, t_ms, err);
	if (++c->received > c->limits->samples)
		return error_set(err, ERROR_SOURCE, "too-large",
			"series %" PRId64 " has more than %" PRId64 " samples: shorten the window",
			c->series, c->limits->samples);
	c->last_ms = t_ms;
	if (t_ms < c->query->from_ms || t_ms > c->query->to_ms)
		return 0;
	room_for_sample(c);
	c->t_ms[c->n] = t_ms;
	c->value[c->n++] = c->nan_is_stale && isnan(v) ? sample_stale() : v;
	return 0;
}

/* Insertion: servers send labels nearly sorted. -1: a name comes twice. */
static int sort_labels(struct collect *c)
{
	for (size_t i = 0; i < c->spans.n; i++) {
		struct label l = {
			c->text.at + c->spans.at[i].name, c->text.at + c->spans.at[i].value};
		ARRAY_ADD(&c->labels);
		size_t j = i;
		int order = -1;
		for (; j; j--) {
			order = strcmp(c->labels.at[j - 1].name, l.name);
			if (order <= 0)
				break;
			c->labels.at[j] = c->labels.at[j - 1];
		}
		if (j && !order)
			return -1;
		c->labels.at[j] = l;
	}
	return 0;
}

static int came_twice(const struct collect *c, const struct labels *l, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	labels_print(&text, l);
	error_set(err, ERROR_SOURCE, "not-prometheus",
		"series %" PRId64 " is in the answer twice: %.*s", c->series,
		(int)utf8_cut(text.at, text.n, 300), text.at);
	strbuf_release(&text);
	return -1;
}

int collect_end(struct collect *c, struct error *err)
{
	if (c->text.full)
		return error_set(err, ERROR_SOURCE, "too-large",
			"the labels of series %" PRId64 " do not fit into %zu bytes", c->series,
			c->text.n);
	if (sort_labels(c))
		return error_set(err, ERROR_SOURCE, "not-prometheus",
			"series %" PRId64 " has a label twice", c->series);
	struct series s = {
		.labels = {c->labels.at, c->labels.n},
		.n = c->n,
		.t_ms = c->t_ms,
		.value = c->value,
		.native = c->native,
	};
	if (!seen_add(&c->seen, &s.labels))
		return came_twice(c, &s.labels, err);
	if (!c->n && !c->native)
		return 0;
	c->n_series++;
	c->n_samples += c->n;
	c->stopped = c->fn(c->ctx, &s, err) != 0;
	return c->stopped ? -1 : 0;
}
