/* Selectors: labels, canonical printing, matching and deriving; selector_parse.c reads them.
 * Must not know where series come from nor which library tests the regular expressions. */
#include "judge/selector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- labels ---- */

const char *labels_get(const struct labels *l, const char *name)
{
	size_t low = 0, high = l->n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(l->at[mid].name, name);
		if (!order)
			return l->at[mid].value;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return "";
}

int labels_cmp(const struct labels *a, const struct labels *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		int order = strcmp(a->at[i].name, b->at[i].name);
		if (!order)
			order = strcmp(a->at[i].value, b->at[i].value);
		if (order)
			return order;
	}
	return (a->n > b->n) - (a->n < b->n);
}

struct labels labels_copy(struct arena *a, const struct labels *l)
{
	struct label *at = arena_array(a, struct label, l->n);
	for (size_t i = 0; i < l->n; i++) {
		at[i].name = arena_strdup(a, l->at[i].name);
		at[i].value = arena_strdup(a, l->at[i].value);
	}
	return (struct labels){at, l->n};
}

/* ---- names and quoting ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

size_t selector_bare_name(const char *s, bool metric)
{
	size_t n = 0;
	while (is_word_start(s[n]) || (metric && s[n] == ':') || (n && is_digit(s[n])))
		n++;
	return n;
}

static bool is_bare(const char *name, bool metric)
{
	return *name && selector_bare_name(name, metric) == strlen(name);
}

static void print_quoted(struct strbuf *b, const char *s)
{
	strbuf_addc(b, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == '"' || c == '\\')
			strbuf_addf(b, "\\%c", c);
		else if (c == '\n')
			strbuf_adds(b, "\\n");
		else if (c < 0x20 || c == 0x7f)
			strbuf_addf(b, "\\x%02x", c);
		else
			strbuf_addc(b, *s);
	}
	strbuf_addc(b, '"');
}

/* Prints `name{a="b",...}` piece by piece. A name that needs quotes is printed as a matcher on
 * __name__, which older servers understand too. */
struct printer {
	struct strbuf *out;
	bool open; /* the brace is written */
	bool any;  /* something is in it */
};

static void print_pair(struct printer *p, const char *label, const char *op, const char *value)
{
	if (!p->open)
		strbuf_addc(p->out, '{');
	if (p->any)
		strbuf_addc(p->out, ',');
	p->open = p->any = true;
	if (is_bare(label, false))
		strbuf_adds(p->out, label);
	else
		print_quoted(p->out, label);
	strbuf_adds(p->out, op);
	print_quoted(p->out, value);
}

static void print_name(struct printer *p, const char *name)
{
	if (is_bare(name, true))
		strbuf_adds(p->out, name);
	else
		print_pair(p, "__name__", "=", name);
}

void labels_print(struct strbuf *b, const struct labels *l)
{
	struct printer p = {b, false, false};
	const char *name = labels_get(l, "__name__");
	if (*name)
		print_name(&p, name);
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->at[i].name, "__name__"))
			print_pair(&p, l->at[i].name, "=", l->at[i].value);
	if (p.open)
		strbuf_addc(b, '}');
	else if (!*name)
		strbuf_adds(b, "{}");
}

/* ---- printing ---- */

static int matcher_order(const void *left, const void *right)
{
	const struct matcher *a = *(const struct matcher *const *)left;
	const struct matcher *b = *(const struct matcher *const *)right;
	int order = strcmp(a->label, b->label);
	if (!order)
		order = (a->op > b->op) - (a->op < b->op);
	return order ? order : strcmp(a->value, b->value);
}

void selector_print(struct strbuf *b, const struct selector *s)
{
	static const char *const ops[] = {"=", "!=", "=~", "!~"};
	struct printer p = {b, false, false};
	const struct matcher **sorted = xmalloc(s->n * sizeof(const struct matcher *));
	for (size_t i = 0; i < s->n; i++)
		sorted[i] = &s->matcher[i];
	if (s->n)
		qsort(sorted, s->n, sizeof(const struct matcher *), matcher_order);
	if (s->name)
		print_name(&p, s->name);
	for (size_t i = 0; i < s->n; i++) /* the same matcher twice says nothing more */
		if (!i || matcher_order(&sorted[i - 1], &sorted[i]))
			print_pair(&p, sorted[i]->label, ops[sorted[i]->op], sorted[i]->value);
	if (p.open)
		strbuf_addc(b, '}');
	else if (!s->name)
		strbuf_adds(b, "{}");
	free(sorted);
}

/* ---- matching and deriving ---- */

bool matcher_test(const struct matcher *m, const char *value)
{
	switch (m->op) {
	case MATCH_EQ:
		return !strcmp(m->value, value);
	case MATCH_NE:
		return strcmp(m->value, value) != 0;
	case MATCH_RE:
		return m->regex->test(m->regex, value);
	case MATCH_NRE:
		return !m->regex->test(m->regex, value);
	}
	return false;
}

bool selector_matches(const struct selector *s, const struct labels *l)
{
	if (s->name && strcmp(s->name, labels_get(l, "__name__")))
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (!matcher_test(&s->matcher[i], labels_get(l, s->matcher[i].label)))
			return false;
	return true;
}

struct selector selector_without(struct arena *a, const struct selector *s, size_t matcher_index)
{
	assert(matcher_index < s->n);
	struct selector less = {s->name, arena_array(a, struct matcher, s->n - 1), 0};
	for (size_t i = 0; i < s->n; i++)
		if (i != matcher_index)
			less.matcher[less.n++] = s->matcher[i];
	return less;
}

struct selector selector_with(
	struct arena *a, const struct selector *s, const struct matcher *more, size_t n)
{
	struct selector all = {s->name, arena_array(a, struct matcher, s->n + n), s->n + n};
	for (size_t i = 0; i < s->n; i++)
		all.matcher[i] = s->matcher[i];
	for (size_t i = 0; i < n; i++)
		all.matcher[s->n + i] = more[i];
	return all;
}

struct selector selector_renamed(struct arena *a, const struct selector *s, const char *name)
{
	struct selector renamed = selector_with(a, s, NULL, 0);
	renamed.name = name;
	return renamed;
}
