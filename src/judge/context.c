/* Context: looking up answers, and notes with their texts. */
#include "judge/context.h"

#include <assert.h>
#include <stdarg.h>

#include "base/duration.h"
#include "base/timestamp.h"
#include "judge/hash.h"

/* Thousands of series may say the same of themselves; verdicts do not hang on the number of notes.
 */
#define NOTES_PER_CODE 100

ptrdiff_t judge_answer(struct judge *j, const struct query *q)
{
	ptrdiff_t i = evidence_find(j->in->evidence, q);

	if (i >= 0)
		return i;
	for (size_t k = 0; k < j->out->wants.n; k++) {
		const struct query *w = &j->out->wants.at[k];
		if (w->kind == q->kind && w->from_ms == q->from_ms && w->to_ms == q->to_ms &&
			!strcmp(w->text, q->text))
			return -1;
	}
	struct query *w = ARRAY_ADD(&j->out->wants);
	*w = *q;
	w->text = arena_strdup(j->arena, q->text);
	w->subject = arena_strdup(j->arena, q->subject);
	return -1;
}

static bool each_of(
	struct judge *j, const struct query *q, int (*fn)(void *, const struct series *), void *arg)
{
	ptrdiff_t i = judge_answer(j, q);

	if (i < 0 || j->failed)
		return false;
	if (j->in->evidence->each(j->in->evidence, (size_t)i, fn, arg, j->err) < 0) {
		j->failed = true;
		return false;
	}
	return true;
}

bool judge_each(struct judge *j, const struct selector *s, const char *subject,
	int (*fn)(void *arg, const struct series *s), void *arg)
{
	struct strbuf b = STRBUF_INIT;

	selector_print(&b, s);
	struct query q = {QUERY_RAW, b.at, j->from_ms, j->to_ms, subject};
	bool there = each_of(j, &q, fn, arg);
	strbuf_release(&b);
	return there;
}

bool judge_each_promql(struct judge *j, const char *text, const char *subject,
	int (*fn)(void *arg, const struct series *s), void *arg)
{
	int64_t end = j->in->window.end_ms;
	struct query q = {QUERY_PROMQL, text, end, end, subject};

	return each_of(j, &q, fn, arg);
}

static bool note_equal(const struct note *a, const struct note *b)
{
	if (a->code != b->code || a->n_args != b->n_args ||
		strcmp(a->subject ? a->subject : "", b->subject ? b->subject : ""))
		return false;
	for (size_t i = 0; i < a->n_args; i++)
		if (strcmp(a->arg[i].value, b->arg[i].value))
			return false;
	return true;
}

void note_add(struct judge *j, struct notes *notes, enum reason code, const char *subject, ...)
{
	struct note n = {.code = code, .subject = subject ? arena_strdup(j->arena, subject) : NULL};
	va_list ap;

	va_start(ap, subject);
	for (const char *key; (key = va_arg(ap, const char *));) {
		const char *value = va_arg(ap, const char *);
		if (n.n_args < sizeof n.arg / sizeof *n.arg)
			n.arg[n.n_args++] =
				(struct note_arg){key, arena_strdup(j->arena, value ? value : "")};
	}
	va_end(ap);
	size_t of_code = 0;
	for (size_t i = 0; i < notes->n; i++) {
		if (note_equal(&notes->at[i], &n))
			return;
		of_code += notes->at[i].code == code;
	}
	if (of_code < NOTES_PER_CODE)
		*ARRAY_ADD(notes) = n;
}

bool notes_have(const struct notes *notes, enum reason code)
{
	for (size_t i = 0; i < notes->n; i++)
		if (notes->at[i].code == code)
			return true;
	return false;
}

bool notes_doubt(const struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		if (reason_severity(notes->at[i].code) == SEVERITY_DOUBT)
			return true;
	return false;
}

static void events_grow(struct judge *j)
{
	ARRAY_OF(uint64_t) old = {j->events.at, j->events.n, j->events.cap};
	size_t n = old.n ? old.n * 2 : 64;

	j->events.at = NULL;
	j->events.n = j->events.cap = 0;
	for (size_t i = 0; i < n; i++)
		*ARRAY_ADD(&j->events) = 0;
	for (size_t i = 0; i < old.n; i++) {
		assert(j->events.at);
		size_t b = old.at[i] & (n - 1);
		while (old.at[i] && j->events.at[b])
			b = (b + 1) & (n - 1);
		if (old.at[i])
			j->events.at[b] = old.at[i];
	}
	ARRAY_RELEASE(&old);
}

bool judge_event_is_new(struct judge *j, const struct labels *l, int64_t at_ms)
{
	uint64_t id[2];

	labels_hash(l, NULL, id);
	uint64_t key = (id[0] ^ id[1] ^ ((uint64_t)at_ms * 0x9e3779b97f4a7c15u)) | 1;
	if (j->n_events * 2 >= j->events.n)
		events_grow(j);
	assert(j->events.at);
	size_t b = key & (j->events.n - 1);
	for (; j->events.at[b]; b = (b + 1) & (j->events.n - 1))
		if (j->events.at[b] == key)
			return false;
	j->events.at[b] = key;
	j->n_events++;
	return true;
}

static const char *keep(struct judge *j, struct strbuf *b)
{
	const char *s = arena_strndup(j->arena, b->at, b->n);
	strbuf_release(b);
	return s;
}

const char *text_time(struct judge *j, int64_t ms)
{
	struct strbuf b = STRBUF_INIT;
	timestamp_format_utc(&b, ms);
	return keep(j, &b);
}

const char *text_duration(struct judge *j, int64_t ms)
{
	struct strbuf b = STRBUF_INIT;
	duration_format(&b, ms);
	return keep(j, &b);
}

const char *text_number(struct judge *j, double v)
{
	struct strbuf b = STRBUF_INIT;
	decimal_format_double(&b, v);
	return keep(j, &b);
}

const char *text_decimal(struct judge *j, struct decimal d)
{
	struct strbuf b = STRBUF_INIT;
	decimal_format(&b, d);
	return keep(j, &b);
}

const char *text_selector(struct judge *j, const struct selector *s)
{
	struct strbuf b = STRBUF_INIT;
	selector_print(&b, s);
	return keep(j, &b);
}

const char *text_labels(struct judge *j, const struct labels *l)
{
	struct strbuf b = STRBUF_INIT;
	labels_print(&b, l);
	/* for people: an absurdly long label set is cut, the archive keeps it whole */
	if (b.n > 500) {
		size_t n = 500;
		while (n && ((unsigned char)b.at[n] & 0xc0) == 0x80)
			n--;
		const char *s = arena_printf(j->arena, "%.*s...", (int)n, b.at);
		strbuf_release(&b);
		return s;
	}
	return keep(j, &b);
}
