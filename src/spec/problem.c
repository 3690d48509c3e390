/* Problems: collecting everything that is wrong, with its place, and guessing what was meant.
 * Knows nothing of keys and types. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "spec/loading.h"

enum { SHOWN_BYTES = 80, WORD_BYTES = 64 };

static void add(struct loading *l, int line, int column, const char *text)
{
	if (l->problems->n >= l->limits->problems) {
		l->problems_left_out++;
		return;
	}
	*ARRAY_ADD(l->problems) = (struct problem){line, column, text};
}

static void place(struct loading *l, const struct origin *origin, int line, int column,
	const char *fmt, va_list ap)
{
	struct strbuf b = STRBUF_INIT;

	if (origin) {
		strbuf_addf(&b, "in pack '%s', line %d, column %d: ", origin->file, line, column);
		line = origin->use->line;
		column = origin->use->column;
	}
	strbuf_vaddf(&b, fmt, ap);
	add(l, line, column, arena_strndup(l->a, b.at, b.n));
	strbuf_release(&b);
}

void problem_at(struct loading *l, struct node *n, const char *fmt, ...)
{
	va_list ap;

	n->bad = true;
	va_start(ap, fmt);
	place(l, n->origin, n->line, n->column, fmt, ap);
	va_end(ap);
}

void problem_mark(
	struct loading *l, const struct origin *origin, int line, int column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	place(l, origin, line, column, fmt, ap);
	va_end(ap);
}

static int by_place(const void *x, const void *y)
{
	const struct problem *a = x, *b = y;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return strcmp(a->text, b->text);
}

void problems_finish(struct loading *l)
{
	struct problems *p = l->problems;
	size_t kept = 0;

	if (p->n)
		qsort(p->at, p->n, sizeof *p->at, by_place);
	for (size_t i = 0; i < p->n; i++)
		if (!kept || by_place(&p->at[kept - 1], &p->at[i]) != 0)
			p->at[kept++] = p->at[i];
	p->n = kept;
	if (l->problems_left_out)
		*ARRAY_ADD(p) = (struct problem){0, 0,
			arena_printf(
				l->a, "%zu more problems are not shown", l->problems_left_out)};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edits (insert, drop, replace, swap neighbours) that turn a into b; words of up to WORD_BYTES. */
static size_t distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), rows[3][WORD_BYTES + 1];
	size_t *two = rows[0], *one = rows[1], *now = rows[2];

	for (size_t j = 0; j <= lb; j++)
		one[j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *swap;

		now[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			now[j] = least(
				least(one[j], now[j - 1]) + 1, one[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], two[j - 2] + 1);
		}
		swap = two;
		two = one;
		one = now;
		now = swap;
	}
	return one[lb];
}

const char *nearest(const char *word, const char *const *candidates)
{
	const char *best = NULL;
	size_t best_d = 0, n = strlen(word);

	if (n == 0 || n > WORD_BYTES)
		return NULL;
	for (; *candidates; candidates++) {
		size_t d, m = strlen(*candidates);

		if (m > WORD_BYTES)
			continue;
		d = distance(word, *candidates);
		/* a third of the letters may be wrong, one in short words */
		if (d > (n + 2) / 3 || d >= m || (best && d >= best_d))
			continue;
		best = *candidates;
		best_d = d;
	}
	return best;
}

const char *did_you_mean(struct loading *l, const char *word, const char *const *candidates)
{
	const char *best = nearest(word, candidates);

	return best ? arena_printf(l->a, ": did you mean '%s'?", best) : "";
}

const char *shown_text(struct loading *l, const char *text)
{
	size_t n = strlen(text), cut = utf8_cut(text, n, SHOWN_BYTES);
	char *s = arena_printf(l->a, "'%.*s%s'", (int)cut, text, cut < n ? "..." : "");

	for (char *p = s; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = ' ';
	return s;
}

const char *shown(struct loading *l, const struct node *n)
{
	if (n->secret)
		return "a secret";
	if (n->kind != NODE_SCALAR)
		return n->kind == NODE_MAP ? "a map" : "a list";
	return n->null ? "nothing" : shown_text(l, n->text);
}
