/* Seen: a set of label sets, as 128-bit fingerprints, to find a series that comes twice. */
#include "source/seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static uint64_t mix(uint64_t h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93;
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93;
	return h ^ h >> 32;
}

/* The final NUL goes in as well: it keeps {a="bc"} and {ab="c"} apart. */
static void add_text(struct fingerprint *f, const char *s)
{
	unsigned char c;
	do {
		c = (unsigned char)*s++;
		f->a = (f->a ^ c) * 0x100000001b3;
		f->b = (f->b + c + 1) * 0x9e3779b97f4a7c15;
		f->b ^= f->b >> 29;
	} while (c);
}

static struct fingerprint fingerprint_of(const struct labels *l)
{
	struct fingerprint f = {0xcbf29ce484222325, 0x2545f4914f6cdd1d};
	for (size_t i = 0; i < l->n; i++) {
		add_text(&f, l->at[i].name);
		add_text(&f, l->at[i].value);
	}
	f.a = mix(f.a);
	f.b = mix(f.b ^ f.a);
	if (!f.a && !f.b)
		f.b = 1;
	return f;
}

static bool place(struct seen *s, struct fingerprint f)
{
	size_t i = (size_t)f.a & (s->cap - 1);
	for (; s->at[i].a || s->at[i].b; i = (i + 1) & (s->cap - 1))
		if (s->at[i].a == f.a && s->at[i].b == f.b)
			return false;
	s->at[i] = f;
	s->n++;
	return true;
}

static void grow(struct seen *s)
{
	struct seen old = *s;
	s->cap = old.cap ? old.cap * 2 : 1024;
	s->n = 0;
	s->at = xmalloc(s->cap * sizeof *s->at);
	memset(s->at, 0, s->cap * sizeof *s->at);
	for (size_t i = 0; i < old.cap; i++)
		if (old.at[i].a || old.at[i].b)
			place(s, old.at[i]);
	free(old.at);
}

bool seen_add(struct seen *s, const struct labels *l)
{
	if (s->n * 2 >= s->cap)
		grow(s);
	return place(s, fingerprint_of(l));
}

void seen_clear(struct seen *s)
{
	if (s->n)
		memset(s->at, 0, s->cap * sizeof *s->at);
	s->n = 0;
}

void seen_release(struct seen *s)
{
	free(s->at);
	*s = (struct seen){0};
}
