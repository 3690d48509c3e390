/* Selectors: a hand-written parser for series selectors and nothing else of PromQL; whatever else
 * stands there is refused with what to do instead. Must not know who fetches the series. */
#include "judge/selector.h"

#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

enum { MAX_TEXT = 64 * 1024, MAX_MATCHERS = 256 };

struct parser {
	struct arena *arena;
	struct regex_compiler *rx;
	const char *text, *at;
	const char *name;
	ARRAY_OF(struct matcher) matchers;
	struct error *err;
};

static int refuse_at(struct parser *p, const char *where, const char *why)
{
	return error_set(p->err, ERROR_USAGE, "bad-selector", "selector `%.*s`, byte %zu: %s",
		(int)utf8_cut(p->text, strlen(p->text), 200), p->text, (size_t)(where - p->text),
		why);
}

static int refuse(struct parser *p, const char *why)
{
	return refuse_at(p, p->at, why);
}

static void skip_space(struct parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static bool word_is(const char *s, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == n && !strncmp(*words, s, n))
			return true;
	return false;
}

/* `digits` digits of base 8 or 16. */
static bool read_code(const char **s, int digits, unsigned base, unsigned long *code)
{
	*code = 0;
	for (int i = 0; i < digits; i++, ++*s) {
		static const char alphabet[] = "0123456789abcdefABCDEF";
		const char *found = **s ? strchr(alphabet, **s) : NULL;
		if (!found)
			return false;
		unsigned value = (unsigned)(found - alphabet);
		if (value >= 16) /* a capital */
			value -= 6;
		if (value >= base)
			return false;
		*code = *code * base + value;
	}
	return true;
}

static void add_utf8(struct strbuf *b, unsigned long c)
{
	if (c < 0x80) {
		strbuf_addc(b, (char)c);
		return;
	}
	int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
	strbuf_addc(b, (char)(lead[more] | (c >> (6 * more))));
	while (more--)
		strbuf_addc(b, (char)(0x80 | ((c >> (6 * more)) & 0x3f)));
}

/* The escape after a backslash; *s stands on its letter and is moved past it. False: no escape. */
static bool read_escape(const char **s, char quote, struct strbuf *out)
{
	static const char letters[] = "abfnrtv\\", bytes[] = "\a\b\f\n\r\t\v\\";
	const char *start = *s, *found = *start ? strchr(letters, *start) : NULL;
	unsigned long code;
	++*s;
	if (*start == quote) {
		strbuf_addc(out, quote);
	} else if (found) {
		strbuf_addc(out, bytes[found - letters]);
	} else if (*start == 'x') { /* a byte, not a character */
		if (!read_code(s, 2, 16, &code) || !code)
			return false;
		strbuf_addc(out, (char)code);
	} else if (*start == 'u' || *start == 'U') {
		if (!read_code(s, *start == 'u' ? 4 : 8, 16, &code) || !code || code > 0x10ffff)
			return false;
		add_utf8(out, code); /* a surrogate is caught by the check of the whole */
	} else {
		*s = start;
		if (!read_code(s, 3, 8, &code) || !code || code > 255)
			return false;
		strbuf_addc(out, (char)code);
	}
	return true;
}

/* The quoted string at p->at, unquoted, in the arena; NULL if refused. */
static const char *parse_string(struct parser *p)
{
	const char *start = p->at, *s = start + 1;
	const char *why = NULL, *where = start, *result = NULL;
	char quote = *start;
	struct strbuf out = STRBUF_INIT;
	while (!why && *s != quote) {
		if (!*s || (*s == '\n' && quote != '`')) {
			where = start;
			why = "this quote is not closed";
		} else if (*s == '\\' && quote != '`') {
			where = s++;
			if (!read_escape(&s, quote, &out))
				why = "this is no escape of PromQL; write \\\\ for a backslash, or "
				      "quote "
				      "with backticks";
		} else {
			strbuf_addc(&out, *s++);
		}
	}
	if (!why && !utf8_valid(out.at, out.n)) {
		where = start;
		why = "this string is not UTF-8";
	}
	if (why)
		(void)refuse_at(p, where, why);
	else
		result = arena_strndup(p->arena, out.at, out.n);
	strbuf_release(&out);
	p->at = s + 1;
	return result;
}

static int set_name(struct parser *p, const char *where, const char *name)
{
	if (p->name)
		return refuse_at(p, where, "the metric name is given twice; keep one");
	if (!*name)
		return refuse_at(p, where, "the metric name is empty; leave it away or give one");
	p->name = name;
	return 0;
}

static int parse_op(struct parser *p, enum match_op *op)
{
	skip_space(p);
	if (!strncmp(p->at, "==", 2))
		return refuse(p, "write = instead of ==");
	if (!strncmp(p->at, "=~", 2) || !strncmp(p->at, "!~", 2) || !strncmp(p->at, "!=", 2)) {
		*op = *p->at == '=' ? MATCH_RE : p->at[1] == '~' ? MATCH_NRE : MATCH_NE;
		p->at += 2;
		return 0;
	}
	if (*p->at != '=')
		return refuse(p, "after a label one of = != =~ !~ must stand");
	*op = MATCH_EQ;
	p->at++;
	return 0;
}

/* op and value after the label. */
static int parse_matcher(struct parser *p, const char *where, const char *label)
{
	struct matcher m = {.label = label};
	if (parse_op(p, &m.op))
		return -1;
	skip_space(p);
	if (!is_quote(*p->at))
		return refuse(p, "the value must be quoted: label=\"value\"");
	const char *value_at = p->at;
	if (!(m.value = parse_string(p)))
		return -1;
	if (!strcmp(label, "__name__") && m.op != MATCH_EQ)
		return refuse_at(p, where,
			"only = is allowed on __name__, because a selector must be of one metric; "
			"write one selector for each name as a list, they are summed");
	if (!strcmp(label, "__name__"))
		return set_name(p, value_at, m.value);
	if (p->matchers.n == MAX_MATCHERS)
		return refuse_at(p, where, "more than 256 matchers");
	if (m.op == MATCH_RE || m.op == MATCH_NRE) {
		m.regex = p->rx->compile(p->rx, m.value, p->err);
		if (!m.regex)
			return error_wrap(p->err, "selector `%.*s`, byte %zu",
				(int)utf8_cut(p->text, strlen(p->text), 200), p->text,
				(size_t)(value_at - p->text));
	}
	*ARRAY_ADD(&p->matchers) = m;
	return 0;
}

static int refuse_in_braces(struct parser *p)
{
	if (!*p->at)
		return refuse(p, "the brace is not closed");
	if (*p->at == ',')
		return refuse(p, "a matcher is missing before this comma");
	if (*p->at == '{')
		return refuse(p, "a brace inside of braces");
	if (*p->at == '#')
		return refuse(p, "comments are not allowed in a selector");
	return refuse(p, "a label name must stand here; quote it if it has other characters than "
			 "letters, digits and _");
}

/* One matcher, or a quoted metric name. */
static int parse_entry(struct parser *p)
{
	const char *where = p->at, *label;
	if (is_quote(*p->at)) {
		if (!(label = parse_string(p)))
			return -1;
		skip_space(p);
		if (*p->at == ',' || *p->at == '}')
			return set_name(p, where, label);
		if (!*label)
			return refuse_at(p, where, "the label name is empty");
	} else {
		size_t n = selector_bare_name(p->at, false);
		if (!n)
			return refuse_in_braces(p);
		label = arena_strndup(p->arena, p->at, n);
		p->at += n;
	}
	return parse_matcher(p, where, label);
}

static int refuse_after_entry(struct parser *p)
{
	static const char *const or [] = {"or", "OR", NULL};
	size_t n = selector_bare_name(p->at, false);
	if (word_is(p->at, n, or))
		return refuse(p,
			"`or` is not allowed in braces; write two selectors as a list, they "
			"are summed, or use =~ with a|b");
	if (!*p->at)
		return refuse(p, "the brace is not closed");
	return refuse(p, "a comma or } must stand here");
}

static int parse_braces(struct parser *p)
{
	const char *open = p->at++;
	skip_space(p);
	while (*p->at != '}') {
		if (parse_entry(p))
			return -1;
		skip_space(p);
		if (*p->at != ',' && *p->at != '}')
			return refuse_after_entry(p);
		if (*p->at == ',')
			p->at++;
		skip_space(p);
	}
	p->at++;
	if (!p->name && !p->matchers.n)
		return refuse_at(p, open, "this selects every series; name a metric or a label");
	return 0;
}

/* What stands where a selector should begin, or after its end: PromQL that is not a selector. */
static int refuse_rest(struct parser *p, bool at_start)
{
	static const char *const joins[] = {"or", "and", "unless", "by", "without", "on",
		"ignoring", "group_left", "group_right", "bool", "atan2", NULL};
	static const char *const offset[] = {"offset", "OFFSET", NULL};
	const char *c = p->at;
	if (!*c)
		return refuse(p, "the selector is empty; write name{label=\"value\"}");
	if (word_is(c, selector_bare_name(c, false), offset))
		return refuse(
			p, "`offset` is not allowed: the window alone says which time is judged");
	if (*c == '@')
		return refuse(p, "`@` is not allowed: the window alone says which time is judged");
	if (*c == '[')
		return refuse(p,
			"a range is not allowed: the window alone says which time is judged; "
			"remove the brackets");
	if (*c == '#')
		return refuse(p, "comments are not allowed in a selector");
	if (!at_start && *c == '(')
		return refuse(p,
			"functions are not allowed: the increase is counted from the raw "
			"samples; give the counter alone, or use a key that takes `query`");
	if (strchr("+-*/%^=!<>()", *c) ||
		(!at_start && word_is(c, selector_bare_name(c, false), joins)))
		return refuse(p,
			"operators are not allowed in a selector: give selectors as a list, "
			"they are summed, or use a key that takes `query`");
	if (!at_start && *c == '.')
		return refuse(p, "a metric name with dots must be quoted: {\"http.requests\"}");
	if (!at_start && *c == '{')
		return refuse(p, "a second pair of braces; put all matchers into one");
	if (at_start && is_quote(*c))
		return refuse(p, "a quoted metric name belongs into braces: {\"http.requests\"}");
	return refuse(p, at_start ? "a selector must start with a metric name or {"
				  : "the selector ends before this; remove the rest");
}

static int parse_whole(struct parser *p)
{
	skip_space(p);
	size_t n = selector_bare_name(p->at, true);
	if (!n && *p->at != '{')
		return refuse_rest(p, true);
	if (n) {
		p->name = arena_strndup(p->arena, p->at, n);
		p->at += n;
		skip_space(p);
	}
	if (*p->at == '{' && parse_braces(p))
		return -1;
	skip_space(p);
	return *p->at ? refuse_rest(p, false) : 0;
}

int selector_parse(struct arena *a, const char *text, struct regex_compiler *rx,
	struct selector *out, struct error *err)
{
	struct parser p = {.arena = a, .rx = rx, .text = text, .at = text, .err = err};
	if (strlen(text) > MAX_TEXT)
		return refuse(&p, "longer than 64 KiB");
	int status = parse_whole(&p);
	if (!status) {
		struct selector s = {.name = p.name, .n = p.matchers.n};
		s.matcher = arena_array(a, struct matcher, s.n);
		if (s.n)
			memcpy(s.matcher, p.matchers.at, s.n * sizeof *s.matcher);
		*out = s;
	}
	ARRAY_RELEASE(&p.matchers);
	return status;
}
