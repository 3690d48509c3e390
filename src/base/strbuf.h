/* Strbuf: a growing byte string, always NUL-terminated, with an upper bound.
 *
 * A strbuf that would pass its bound stops growing and sets `full`; writers may ignore it and the
 * owner checks once at the end. */
#ifndef LV_BASE_STRBUF_H
#define LV_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct strbuf {
	char *at; /* never NULL after init; NUL-terminated */
	size_t n, cap;
	size_t max; /* bytes; 0 = 64 MiB */
	bool full;
};
#define STRBUF_INIT                                                                                \
	{                                                                                          \
		.at = strbuf_empty                                                                 \
	}
extern char strbuf_empty[];

void strbuf_add(struct strbuf *b, const void *bytes, size_t n);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap);
void strbuf_clear(struct strbuf *b);   /* empty, memory kept */
void strbuf_release(struct strbuf *b); /* empty, memory freed */

#endif
