/* Selectors: parsed PromQL series selectors, the labels of series, and how they match.
 *
 * Parsing and printing are pure. Regular expressions are compiled by the caller (a `regex_compiler`
 * passed in), because the judge links to no library. */
#ifndef LV_JUDGE_SELECTOR_H
#define LV_JUDGE_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

struct label {
	const char *name;
	const char *value;
};

struct labels { /* sorted by name (byte order), no duplicates; includes __name__ when known */
	const struct label *at;
	size_t n;
};

/* Value of a label, "" when absent, as PromQL sees it. */
const char *labels_get(const struct labels *l, const char *name);
int labels_cmp(const struct labels *a, const struct labels *b);
/* Appends {a="b",...} or name{...}, PromQL-escaped. */
void labels_print(struct strbuf *b, const struct labels *l);
struct labels labels_copy(struct arena *a, const struct labels *l);

struct regex { /* a compiled, fully anchored expression */
	bool (*test)(const struct regex *self, const char *text);
};

struct regex_compiler {
	/* NULL with `err` (ERROR_USAGE "bad-regex") if the pattern is not one. Owned by the arena
	 * or by the compiler. */
	const struct regex *(*compile)(
		struct regex_compiler *self, const char *pattern, struct error *err);
};

enum match_op { MATCH_EQ, MATCH_NE, MATCH_RE, MATCH_NRE };

struct matcher {
	const char *label;
	enum match_op op;
	const char *value;
	const struct regex *regex; /* for MATCH_RE, MATCH_NRE */
};

struct selector {
	const char *name; /* NULL for a bare matcher list `{...}` without a __name__ matcher */
	struct matcher *matcher; /* never one on __name__: `{__name__="x"}` sets `name` */
	size_t n;
};

/* Parses `name{a="b",c=~"d"}`, `{...}`, single, double or backtick quotes, trailing comma, quoted
 * UTF-8 names in braces ({"http.server.duration", a="b"}). Everything else (offset, @, ranges,
 * functions, operators, comments) is refused with what to do. A regex or negation on __name__ is
 * refused (counting.md rule 18). Errors: ERROR_USAGE "bad-selector" with the byte offset. */
int selector_parse(struct arena *a, const char *text, struct regex_compiler *rx,
	struct selector *out, struct error *err) LV_CHECKED;

/* Length of the name at s that needs no quotes: letters, digits, "_", and ":" in a metric's. */
size_t selector_bare_name(const char *s, bool metric);

/* Canonical PromQL text; equal selectors print equally (matchers sorted by label, op, value). */
void selector_print(struct strbuf *b, const struct selector *s);
bool selector_matches(const struct selector *s, const struct labels *l);
bool matcher_test(const struct matcher *m, const char *value);

/* New selectors in the arena; the original is untouched, strings are shared. */
struct selector selector_without(struct arena *a, const struct selector *s, size_t matcher_index);
struct selector selector_with(
	struct arena *a, const struct selector *s, const struct matcher *more, size_t n);
struct selector selector_renamed(struct arena *a, const struct selector *s, const char *name);

#endif
