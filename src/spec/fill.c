/* Fill: one text with `${NAME}` -> the text with values.
 * Values are never read again: what they hold is text, not more variables. */
#include <ctype.h>
#include <string.h>

#include "spec/fill.h"

static bool has_quotes(enum type_kind k)
{
	return k == TYPE_SELECTOR || k == TYPE_HISTOGRAM || k == TYPE_MATCHERS ||
	       k == TYPE_EXCLUDE || k == TYPE_QUERY;
}

/* The quote that is open after one more byte of a selector; *skip is set after a backslash. */
static char quote_after(char quote, char c, bool *skip)
{
	if (*skip) {
		*skip = false;
		return quote;
	}
	if (quote && c == '\\' && quote != '`') {
		*skip = true;
		return quote;
	}
	if (quote && c != quote)
		return quote;
	if (!quote && (c == '"' || c == '\'' || c == '`'))
		return c;
	return '\0';
}

static bool add_escaped(struct strbuf *b, char quote, const char *value)
{
	if (quote == '`') {
		strbuf_adds(b, value);
		return !strchr(value, '`');
	}
	for (; *value; value++) {
		if (quote && (*value == '\\' || *value == quote))
			strbuf_addc(b, '\\');
		if (quote && *value == '\n')
			strbuf_adds(b, "\\n");
		else
			strbuf_addc(b, *value);
	}
	return true;
}

/* Splits `${NAME}` or `${NAME:-otherwise}` at s; the length, or 0 if it is no such thing. */
static size_t reference(struct loading *l, const char *s, const char **name, const char **otherwise)
{
	const char *p = s + 2, *end;

	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	if (p == s + 2 || isdigit((unsigned char)s[2]))
		return 0;
	*name = arena_strndup(l->a, s + 2, (size_t)(p - s - 2));
	*otherwise = NULL;
	if (*p == '}')
		return (size_t)(p + 1 - s);
	if (strncmp(p, ":-", 2) != 0)
		return 0;
	p += 2;
	end = strchr(p, '}');
	if (!end || memchr(p, '$', (size_t)(end - p)))
		return 0;
	*otherwise = arena_strndup(l->a, p, (size_t)(end - p));
	return (size_t)(end + 1 - s);
}

/* Handles the `${` at s; the bytes used, or 0 after a problem. */
static size_t fill_one(struct fill *f, struct node *n, const struct type *t, const char *s,
	char quote, struct strbuf *out)
{
	const char *name, *otherwise, *value;
	size_t tag = 0, from = out->n, used = reference(f->l, s, &name, &otherwise);

	if (!used) {
		problem_at(f->l, n,
			"'${' begins a variable: write ${NAME} or ${NAME:-default}, and $${ for a "
			"plain '${'");
		return 0;
	}
	switch (f->find(f, n, t, name, otherwise, &value, &tag)) {
	case FOUND_LEAVE:
		strbuf_add(out, s, used);
		return used;
	case FOUND_FAULT:
		return 0;
	case FOUND_VALUE:
		break;
	}
	if (!add_escaped(out, quote, value)) {
		problem_at(f->l, n, "the value of ${%s} holds a `, which cannot stand in backticks",
			name);
		return 0;
	}
	*ARRAY_ADD(&f->pieces) = (struct piece){from, out->n, tag};
	return used;
}

static bool fill_into(struct fill *f, struct node *n, const struct type *t, struct strbuf *out)
{
	bool quoting = has_quotes(t->kind), skip = false;
	char quote = '\0';

	for (const char *s = n->text; *s;) {
		size_t used = 1;

		if (!strncmp(s, "$${", 3)) {
			strbuf_adds(out, f->keep_escapes ? "$${" : "${");
			s += 3;
			continue;
		}
		if (!strncmp(s, "${", 2)) {
			used = fill_one(f, n, t, s, quote, out);
			if (!used)
				return false;
			skip = false;
		} else {
			if (quoting)
				quote = quote_after(quote, *s, &skip);
			strbuf_addc(out, *s);
		}
		s += used;
	}
	return true;
}

void fill_text(struct fill *f, struct node *n, const struct type *t)
{
	struct strbuf b = STRBUF_INIT;

	f->pieces.n = 0;
	if (n->bad || !strstr(n->text, "${"))
		return;
	/* one byte more shows that it was too long */
	b.max = f->l->limits->scalar_bytes + 1;
	if (fill_into(f, n, t, &b)) {
		if (b.full || b.n > f->l->limits->scalar_bytes)
			problem_at(f->l, n, "with its variables, a text of more than %zu bytes",
				f->l->limits->scalar_bytes);
		else
			n->text = arena_strndup(f->l->a, b.at, b.n);
		n->null = false;
	}
	strbuf_release(&b);
}
