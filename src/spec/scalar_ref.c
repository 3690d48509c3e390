/* Scalars that refer to something outside: selectors, queries, urls.
 * Selectors are parsed here once; the builders take node->selector. */
#include <ctype.h>
#include <string.h>

#include "spec/scalar.h"
#include "spec/scalar_ref.h"

/* A quote, brace or parenthesis that never closes: what a cut at ` #` leaves behind. */
static bool unclosed(const char *s)
{
	int open = 0;

	for (; *s; s++) {
		if (*s == '"' || *s == '\'' || *s == '`') {
			char q = *s++;

			while (*s && *s != q)
				s += *s == '\\' && q != '`' && s[1] ? 2 : 1;
			if (!*s)
				return true;
		}
		open += *s == '{' || *s == '(' || *s == '[';
		open -= *s == '}' || *s == ')' || *s == ']';
	}
	return open > 0;
}

static bool cut_by_comment(struct loading *l, struct node *n)
{
	if (!n->cut || !unclosed(n->text))
		return false;
	problem_at(l, n,
		"quote this selector: YAML took the rest of the line, from ' #' on, for a comment "
		"(what is left is %s)",
		shown(l, n));
	return true;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

static bool has_matcher(const struct selector *s, const char *label)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->matcher[i].label, label))
			return true;
	return false;
}

static void check_histogram(struct loading *l, struct node *n)
{
	static const char *const suffix[] = {"_bucket", "_count", "_sum"};
	const char *name = n->selector->name;

	for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
		if (ends_with(name, suffix[i])) {
			problem_at(l, n, "a histogram is named without %s: write '%.*s'", suffix[i],
				(int)(strlen(name) - strlen(suffix[i])), name);
			return;
		}
	if (has_matcher(n->selector, "le"))
		problem_at(l, n,
			"a histogram's selector must not match `le`: `within` chooses the bucket");
}

static void check_matchers(struct loading *l, struct node *n)
{
	if (n->selector->name)
		problem_at(
			l, n, "matchers must not name a metric: they are added to the histogram");
	else if (has_matcher(n->selector, "le"))
		problem_at(l, n, "matchers must not match `le`: `within` chooses the bucket");
}

static void check_selector(struct loading *l, struct node *n, enum type_kind kind)
{
	bool bare = n->text[strspn(n->text, " \t\n")] == '{';
	struct selector *s;
	struct error err = {0};

	if (!*n->text) {
		problem_at(l, n, "expected %s, not an empty text", scalar_expected(kind));
		return;
	}
	if (kind == TYPE_MATCHERS && !bare) {
		problem_at(l, n,
			"expected %s, not a selector: `success` narrows the stage's own histogram",
			scalar_expected(kind));
		return;
	}
	if (cut_by_comment(l, n))
		return;
	s = arena_new(l->a, struct selector);
	if (selector_parse(l->a, n->text, l->o->rx, s, &err) < 0) {
		problem_at(l, n, "%s", err.text);
		return;
	}
	n->selector = s;
	if (kind == TYPE_MATCHERS || (kind == TYPE_EXCLUDE && bare))
		check_matchers(l, n);
	else if (!s->name)
		problem_at(l, n, "name the metric: %s would match every metric", shown(l, n));
	else if (kind == TYPE_HISTOGRAM)
		check_histogram(l, n);
}

static void check_query(struct loading *l, struct node *n)
{
	if (!n->text[strspn(n->text, " \t\n")])
		problem_at(l, n, "expected %s, not an empty text", scalar_expected(TYPE_QUERY));
	else
		cut_by_comment(l, n);
}

bool url_userinfo(const char *url, size_t *from, size_t *to)
{
	const char *scheme = strstr(url, "://"), *start, *end, *at = NULL;

	start = scheme ? scheme + 3 : url;
	end = start + strcspn(start, "/?#");
	for (const char *p = start; p < end; p++)
		if (*p == '@')
			at = p;
	if (!at)
		return false;
	*from = (size_t)(start - url);
	*to = (size_t)(at - url);
	return true;
}

static const char *host_fault(const char *host)
{
	size_t n = strcspn(host, "/");
	const char *colon, *close = memchr(host, ']', n);

	if (n == 0 || *host == ':')
		return "the url has no host";
	colon = close ? (close[1] == ':' ? close + 1 : NULL) : memchr(host, ':', n);
	if (colon) {
		const char *port = colon + 1;
		size_t digits = strspn(port, "0123456789");

		if (digits == 0 || digits > 5 || port + digits != host + n)
			return "the url's port is not a number";
	}
	return NULL;
}

/* No message here may hold the url: it can hold a password. */
static void check_url(struct loading *l, struct node *n)
{
	size_t from, to, scheme = 0;
	const char *fault = NULL;

	if (!strncasecmp(n->text, "http://", 7))
		scheme = 7;
	else if (!strncasecmp(n->text, "https://", 8))
		scheme = 8;
	if (!scheme)
		fault = "the url must begin with http:// or https://";
	else if (strpbrk(n->text, "?#"))
		fault = "the url must have no '?' or '#': only host and path prefix";
	for (const char *p = n->text; *p && !fault; p++)
		if ((unsigned char)*p <= ' ' || *p == 0x7f)
			fault = "the url must not hold spaces or control characters";
	if (!fault)
		fault = host_fault(n->text + (url_userinfo(n->text, &from, &to) ? to + 1 : scheme));
	if (fault)
		problem_at(l, n, "%s", fault);
}

bool scalar_ref_check(struct loading *l, struct node *n, const struct type *t)
{
	switch (t->kind) {
	case TYPE_SELECTOR:
	case TYPE_HISTOGRAM:
	case TYPE_MATCHERS:
	case TYPE_EXCLUDE:
		check_selector(l, n, t->kind);
		return true;
	case TYPE_QUERY:
		check_query(l, n);
		return true;
	case TYPE_URL:
		check_url(l, n);
		return true;
	default:
		return false;
	}
}
