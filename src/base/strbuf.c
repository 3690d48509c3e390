/* Strbuf: the growing byte string. Must not know what its bytes mean. */
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { DEFAULT_MAX = 64 << 20, FIRST_CAP = 64 };

char strbuf_empty[1]; /* shared by all empty buffers: read, never written */

/* Room for n more bytes and the NUL; false (and full) if that would pass the bound. */
static bool make_room(struct strbuf *b, size_t n)
{
	size_t max = b->max ? b->max : DEFAULT_MAX;
	if (b->full || n > max || b->n > max - n) {
		b->full = true;
		return false;
	}
	size_t need = b->n + n + 1;
	if (need > b->cap) {
		size_t cap = b->cap ? b->cap : FIRST_CAP;
		while (cap < need)
			cap *= 2;
		b->at = xrealloc(b->cap ? b->at : NULL, cap);
		b->cap = cap;
	}
	return true;
}

void strbuf_add(struct strbuf *b, const void *bytes, size_t n)
{
	if (!n || !make_room(b, n))
		return;
	memcpy(b->at + b->n, bytes, n);
	b->n += n;
	b->at[b->n] = '\0';
}

void strbuf_adds(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

void strbuf_addc(struct strbuf *b, char c)
{
	strbuf_add(b, &c, 1);
}

void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	if (n < 0) {
		b->full = true;
	} else if (n > 0 && make_room(b, (size_t)n)) {
		vsnprintf(b->at + b->n, (size_t)n + 1, fmt, again);
		b->n += (size_t)n;
	}
	va_end(again);
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	strbuf_vaddf(b, fmt, ap);
	va_end(ap);
}

void strbuf_clear(struct strbuf *b)
{
	b->n = 0;
	b->full = false;
	if (b->cap)
		b->at[0] = '\0';
}

void strbuf_release(struct strbuf *b)
{
	if (b->cap)
		free(b->at);
	*b = (struct strbuf){.at = strbuf_empty, .max = b->max};
}
