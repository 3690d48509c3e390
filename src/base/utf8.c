/* UTF-8: checked by the table of the Unicode standard, repaired by its "maximal subpart" rule.
 * The only user of utf8proc, for terminal widths. */
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Bytes of the well-formed character at s, or 0; then *bad is the length of what is replaced. */
static size_t sequence(const unsigned char *s, size_t n, size_t *bad)
{
	*bad = 1;
	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	size_t len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	/* the second byte also rules out overlong forms, surrogates and what is past U+10FFFF */
	unsigned char low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
	unsigned char high = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
	for (size_t i = 1; i < len; i++) {
		if (i == n || s[i] < low || s[i] > high) {
			*bad = i;
			return 0;
		}
		low = 0x80;
		high = 0xbf;
	}
	return len;
}

/* Length of the longest valid prefix; *bad as above if it is shorter than n. */
static size_t valid_prefix(const char *s, size_t n, size_t *bad)
{
	size_t i = 0, len;
	while (i < n && (len = sequence((const unsigned char *)s + i, n - i, bad)))
		i += len;
	return i;
}

bool utf8_valid(const char *s, size_t n)
{
	size_t bad;
	return valid_prefix(s, n, &bad) == n;
}

bool utf8_add_repaired(struct strbuf *b, const char *s, size_t n)
{
	bool replaced = false;
	while (n) {
		size_t bad, good = valid_prefix(s, n, &bad);
		strbuf_add(b, s, good);
		s += good;
		n -= good;
		if (n) {
			strbuf_adds(b, "\xef\xbf\xbd");
			s += bad;
			n -= bad;
			replaced = true;
		}
	}
	return replaced;
}

/* s is valid */
static size_t valid_width(const char *s)
{
	utf8proc_uint8_t *nfc = utf8proc_NFC((const utf8proc_uint8_t *)s);
	const utf8proc_uint8_t *p = nfc ? nfc : (const utf8proc_uint8_t *)s;
	size_t width = 0;
	for (utf8proc_int32_t c; *p;) {
		utf8proc_ssize_t len = utf8proc_iterate(p, -1, &c);
		if (len <= 0)
			break;
		/* format characters (bidi marks, joiners) take no column whatever their table says
		 */
		if (utf8proc_category(c) != UTF8PROC_CATEGORY_CF)
			width += (size_t)utf8proc_charwidth(c);
		p += len;
	}
	free(nfc);
	return width;
}

size_t utf8_width(const char *s)
{
	size_t n = strlen(s);
	if (utf8_valid(s, n))
		return valid_width(s);
	struct strbuf repaired = STRBUF_INIT;
	utf8_add_repaired(&repaired, s, n);
	size_t width = valid_width(repaired.at);
	strbuf_release(&repaired);
	return width;
}

size_t utf8_cut(const char *s, size_t n, size_t max)
{
	if (n <= max)
		return n;
	/* at most three continuation bytes belong to a character; more are no UTF-8 */
	for (size_t back = 0; back <= 3 && back <= max; back++)
		if (((unsigned char)s[max - back] & 0xc0) != 0x80)
			return max - back;
	return max;
}
