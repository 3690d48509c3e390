/* Errors: the texts of `struct error`. Whatever goes into a text may come from a hostile server, so
 * it is made valid UTF-8 without control characters here. Knows no reason code and no exit path. */
#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"

/* C0 but for line feed and tab, DEL, and C1 (two bytes in UTF-8), which terminals act upon. */
static void replace_controls(char *s)
{
	for (unsigned char *p = (unsigned char *)s; *p; p++) {
		if ((*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f)
			*p = '?';
		else if (p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
			p[0] = p[1] = '?';
	}
}

static void set_text(struct error *err, const struct strbuf *raw)
{
	struct strbuf clean = STRBUF_INIT;
	utf8_add_repaired(&clean, raw->at, raw->n);
	size_t n = utf8_cut(clean.at, clean.n, sizeof err->text - 1);
	memcpy(err->text, clean.at, n);
	err->text[n] = '\0';
	replace_controls(err->text);
	strbuf_release(&clean);
}

int error_set(struct error *err, enum error_kind kind, const char *code, const char *fmt, ...)
{
	if (!err)
		return -1;
	/* by way of a buffer: an argument may be the old text */
	struct strbuf raw = STRBUF_INIT;
	va_list ap;
	va_start(ap, fmt);
	strbuf_vaddf(&raw, fmt, ap);
	va_end(ap);
	err->kind = kind;
	err->code = code;
	set_text(err, &raw);
	strbuf_release(&raw);
	return -1;
}

int error_wrap(struct error *err, const char *fmt, ...)
{
	if (!err)
		return -1;
	struct strbuf raw = STRBUF_INIT;
	va_list ap;
	va_start(ap, fmt);
	strbuf_vaddf(&raw, fmt, ap);
	va_end(ap);
	strbuf_adds(&raw, ": ");
	strbuf_adds(&raw, err->text);
	set_text(err, &raw);
	strbuf_release(&raw);
	return -1;
}

void error_out_of_memory(void)
{
	fprintf(stderr, "loadverdict: out of memory\n");
	exit(ERROR_BUG);
}
