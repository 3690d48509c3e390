/* Escape: hostile text made inert for terminals, chats and Markdown. Must not know what the text
 * says. */
#include "report/escape.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

#define ELLIPSIS "\u2026"
#define INVISIBLE "&#8203;" /* zero-width space: parts what would be a mention or a reference */

/* decodes one character of valid UTF-8 */
static uint32_t decode(const char *s, size_t *n)
{
	const unsigned char *p = (const unsigned char *)s;

	*n = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	switch (*n) {
	case 1:
		return p[0];
	case 2:
		return (uint32_t)(p[0] & 0x1f) << 6 | (p[1] & 0x3f);
	case 3:
		return (uint32_t)(p[0] & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
	default:
		return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3f) << 12 |
		       (uint32_t)(p[2] & 0x3f) << 6 | (p[3] & 0x3f);
	}
}

/* characters that act on a terminal or on the order of others, or that nobody can see */
static bool is_treacherous(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xe0000 && c <= 0xe007f);
}

static void add_written_out(struct strbuf *b, uint32_t c)
{
	if (c == '\n')
		strbuf_adds(b, "\\n");
	else if (c == '\r')
		strbuf_adds(b, "\\r");
	else if (c == '\t')
		strbuf_adds(b, "\\t");
	else if (c < 0x100)
		strbuf_addf(b, "\\x%02x", c);
	else
		strbuf_addf(b, "\\u%04x", c);
}

void escape_plain(struct strbuf *b, const char *s, size_t max)
{
	struct strbuf valid = STRBUF_INIT;
	size_t n, shown = 0;

	if (!utf8_valid(s, strlen(s))) {
		utf8_add_repaired(&valid, s, strlen(s));
		s = valid.at;
	}
	for (; *s; s += n, shown++) {
		uint32_t c = decode(s, &n);
		if (max && shown == max) {
			strbuf_adds(b, ELLIPSIS);
			break;
		}
		if (is_treacherous(c))
			add_written_out(b, c);
		else
			strbuf_add(b, s, n);
	}
	strbuf_release(&valid);
}

/* ":tada:" at p */
static bool starts_emoji(const char *p)
{
	size_t n =
		strspn(p + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-");

	return n && p[1 + n] == ':' && strspn(p + 1, "0123456789") < n;
}

/* A sigil that starts a mention or a reference on GitHub or GitLab: @user #12 GH-12 !12 $1 %1 ~1
 * &1. Backslashes do not help: these are looked for in the rendered text. */
static bool starts_reference(const char *start, const char *p)
{
	unsigned char next = (unsigned char)p[1];

	if (!strchr("@#!$%~&^", *p) || (*p == '%' && p > start && isdigit((unsigned char)p[-1])))
		return false;
	return isalnum(next) || next == '_' || next == '"' || next >= 0x80;
}

/* "- ", "---", "# ", "1. ": a list, a line, a heading where a text begins with it */
static bool starts_block(const char *start, const char *p)
{
	bool marks = !p[1] || p[1] == ' ' || p[1] == *p;

	if (p == start)
		return marks && strchr("-+=#", *p);
	return marks && (*p == '.' || *p == ')') &&
	       strspn(start, "0123456789") == (size_t)(p - start);
}

static void add_markdown_char(struct strbuf *b, const char *start, const char *p)
{
	char c = *p;

	if (c == '<')
		strbuf_adds(b, "&lt;");
	else if (c == '>')
		strbuf_adds(b, "&gt;");
	else if (c == '&')
		strbuf_adds(b, "&amp;");
	else if (strchr("\\`*_[]~|$", c) || starts_block(start, p))
		strbuf_addf(b, "\\%c", c);
	else
		strbuf_addc(b, c);
}

static bool starts_link(const char *p)
{
	return !strncmp(p, "://", 3);
}

void escape_markdown(struct strbuf *b, const char *s, size_t max)
{
	struct strbuf plain = STRBUF_INIT;

	escape_plain(&plain, s, max);
	for (const char *p = plain.at; *p; p++) {
		if (!strncasecmp(p, "www.", 4) || !strncasecmp(p, "gh-", 3)) {
			size_t n = strcspn(p, ".-");
			strbuf_add(b, p, n);
			strbuf_adds(b, INVISIBLE);
			p += n;
		}
		add_markdown_char(b, plain.at, p);
		if (*p == ':' ? starts_link(p) || starts_emoji(p) : starts_reference(plain.at, p))
			strbuf_adds(b, INVISIBLE);
	}
	strbuf_release(&plain);
}

void escape_markdown_code(struct strbuf *b, const char *s, size_t max)
{
	struct strbuf plain = STRBUF_INIT;
	size_t longest = 0;

	escape_plain(&plain, s, max);
	for (const char *p = plain.at; (p = strchr(p, '`')) != NULL;) {
		size_t n = strspn(p, "`");
		longest = n > longest ? n : longest;
		p += n;
	}
	for (size_t i = 0; i <= longest; i++)
		strbuf_addc(b, '`');
	/* an outer space keeps a backtick at the edge apart, and is not shown */
	const char *pad = longest || *plain.at == ' ' || !*plain.at ? " " : "";
	strbuf_addf(b, "%s%s%s", pad, plain.at, pad);
	for (size_t i = 0; i <= longest; i++)
		strbuf_addc(b, '`');
	strbuf_release(&plain);
}

void escape_marker(struct strbuf *b, const char *s)
{
	char last = 0;

	for (; *s; s++) {
		char c = isalnum((unsigned char)*s) || strchr("._/", *s) ? *s : '-';
		if (c != '-' || (last && last != '-'))
			strbuf_addc(b, c);
		last = c;
	}
	while (b->n && b->at[b->n - 1] == '-')
		b->at[--b->n] = 0;
}
