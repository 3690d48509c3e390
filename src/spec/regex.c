/* Regex: the matchers' expressions, by pcre2 but in the language of RE2, which the servers speak.
 *
 * What RE2 does not have is refused, so that no expression means one thing here and another there.
 * Time is bounded: backtracking has a limit, and past it a second algorithm without backtracking
 * decides on texts that are not too long. What neither can decide ends the program: a guess could
 * become a wrong verdict. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <ctype.h>
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "spec/load.h"

#define uthash_fatal(msg) error_out_of_memory()
#include <uthash.h>

enum {
	PATTERN_BYTES = 4096,
	COMPILED_BYTES = 65536,
	NESTING = 100,
	REPEATS = 1000, /* as RE2 */
	MATCH_LIMIT = 100000,
	DEPTH_LIMIT = 1000,
	HEAP_KIB = 20000,
	/* the second algorithm's time grows with the square of its states, times the text */
	WORKSPACE_INTS = 16000,
	TEXT_BYTES = 1024,
};

struct compiled {
	struct regex base;
	struct compiler *owner;
	pcre2_code *code;
	char *pattern;
	UT_hash_handle hh;
};

struct compiler {
	struct regex_compiler base;
	pcre2_compile_context *compile;
	pcre2_match_context *match;
	pcre2_match_data *data;
	struct compiled *all;
	int workspace[WORKSPACE_INTS];
};

static _Noreturn void give_up(const struct compiled *c, size_t n)
{
	fprintf(stderr,
		"loadverdict: the regular expression '%s' takes too long on a label value of %zu "
		"bytes: write it without repeats in repeats\n",
		c->pattern, n);
	exit(ERROR_USAGE);
}

static bool test_without_backtracking(const struct compiled *c, const char *text, size_t n)
{
	struct compiler *o = c->owner;
	int rc = PCRE2_ERROR_MATCHLIMIT;

	if (n <= TEXT_BYTES)
		rc = pcre2_dfa_match(c->code, (PCRE2_SPTR)text, n, 0, PCRE2_DFA_SHORTEST, o->data,
			o->match, o->workspace, WORKSPACE_INTS);
	if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
		give_up(c, n);
	return rc >= 0;
}

static bool test(const struct regex *self, const char *text)
{
	const struct compiled *c = (const struct compiled *)self;
	size_t n = strlen(text);
	int rc = pcre2_match(c->code, (PCRE2_SPTR)text, n, 0, 0, c->owner->data, c->owner->match);

	if (rc == PCRE2_ERROR_MATCHLIMIT || rc == PCRE2_ERROR_DEPTHLIMIT ||
		rc == PCRE2_ERROR_HEAPLIMIT)
		return test_without_backtracking(c, text, n);
	return rc >= 0;
}

/* --- what RE2 does not have --- */

static size_t class_length(const char *p)
{
	const char *s = p + 1;

	if (*s == '^')
		s++;
	if (*s == ']')
		s++;
	while (*s && *s != ']') {
		const char *end = !strncmp(s, "[:", 2) ? strstr(s, ":]") : NULL;

		if (end)
			s = end + 2;
		else
			s += *s == '\\' && s[1] ? 2 : 1;
	}
	return (size_t)(s - p) + (*s == ']');
}

/* Length of `*`, `+`, `?`, `{2}`, `{2,}`, `{2,3}` at p, 0 if it is none; *most: its largest count
 */
static size_t quantifier_length(const char *p, long *most)
{
	const char *s = p + 1;
	char *end;

	*most = 0;
	if (*p == '*' || *p == '+' || *p == '?')
		return 1;
	if (*p != '{' || !isdigit((unsigned char)*s))
		return 0;
	*most = strtol(s, &end, 10);
	s = end;
	if (*s == ',') {
		s++;
		if (isdigit((unsigned char)*s)) {
			long upper = strtol(s, &end, 10);

			*most = upper > *most ? upper : *most;
			s = end;
		}
	}
	return *s == '}' ? (size_t)(s + 1 - p) : 0;
}

static const char *quantifier_fault(const char *after, long most)
{
	long ignored;

	if (most > REPEATS)
		return "repeats more than 1000 times, repeats in repeats multiplied";
	if (*after == '+')
		return "has a possessive quantifier";
	if (*after == '?')
		after++;
	return quantifier_length(after, &ignored) ? "has one quantifier after another" : NULL;
}

static const char *group_fault(const char *p)
{
	const char *s = p + 2;

	if (p[1] == '*')
		return "has a (*VERB)";
	if (p[1] != '?' || *s == ':')
		return NULL;
	if (s[0] == '=' || s[0] == '!' || (s[0] == '<' && (s[1] == '=' || s[1] == '!')))
		return "has a lookaround";
	if (s[0] == '>')
		return "has an atomic group";
	if ((s[0] == 'P' && s[1] == '<') || s[0] == '<')
		return NULL;
	while (*s && strchr("imsU-", *s))
		s++;
	return s > p + 2 && (*s == ':' || *s == ')') ? NULL
						     : "has a group that begins with (? in a way "
						       "that RE2 does not know";
}

static const char *escape_fault(char c)
{
	if (isdigit((unsigned char)c) && c != '0')
		return "has a backreference";
	if (c == 'k' || c == 'g')
		return "has a backreference";
	return c && strchr("KGRXNhHVeoZcE", c) ? "has an escape that RE2 does not know" : NULL;
}

struct scan { /* how often the items of every open group are repeated at most */
	long most[NESTING + 1];
	size_t depth;
	long last; /* the same of the item before */
};

static void scan_parenthesis(struct scan *s, char c)
{
	if (c == '(') {
		if (s->depth < NESTING)
			s->most[++s->depth] = 1;
		return;
	}
	s->last = s->most[s->depth];
	if (s->depth == 0)
		return;
	s->depth--;
	if (s->last > s->most[s->depth])
		s->most[s->depth] = s->last;
}

static size_t scan_quantifier(struct scan *s, const char *p, const char **fault)
{
	long most;
	size_t n = quantifier_length(p, &most);

	/* what repeats without end has its own bounds in RE2; only counts multiply */
	most = s->last * (most > 1 ? most : 1);
	*fault = quantifier_fault(p + n, most);
	if (most > s->most[s->depth])
		s->most[s->depth] = most;
	return n + (p[n] == '?');
}

static const char *foreign(const char *p)
{
	struct scan s = {.most = {1}, .last = 1};
	const char *fault = NULL;

	while (*p && !fault) {
		const char *end;
		size_t n = 1;
		long ignored;

		if (quantifier_length(p, &ignored)) {
			n = scan_quantifier(&s, p, &fault);
			s.last = 1;
			p += n;
			continue;
		}
		s.last = 1;
		if (!strncmp(p, "\\Q", 2)) {
			end = strstr(p, "\\E");
			n = end ? (size_t)(end + 2 - p) : strlen(p);
		} else if (*p == '\\' && p[1]) {
			fault = escape_fault(p[1]);
			n = 2;
		} else if (*p == '[') {
			n = class_length(p);
		} else if (*p == '(') {
			fault = group_fault(p);
			n = p[1] == '?' ? 2 : 1;
			scan_parenthesis(&s, '(');
		} else if (*p == ')') {
			scan_parenthesis(&s, ')');
		}
		p += n;
	}
	return fault;
}

/* --- the compiler --- */

static const struct regex *refuse(struct error *err, const char *pattern, const char *why)
{
	error_set(err, ERROR_USAGE, "bad-regex", "the regular expression '%.80s'%s %s", pattern,
		strlen(pattern) > 80 ? "..." : "", why);
	return NULL;
}

static const struct regex *keep(struct compiler *o, pcre2_code *code, const char *pattern)
{
	struct compiled *c = xmalloc(sizeof *c);

	*c = (struct compiled){
		.base = {test}, .owner = o, .code = code, .pattern = xstrdup(pattern)};
	HASH_ADD_KEYPTR(hh, o->all, c->pattern, strlen(c->pattern), c);
	return &c->base;
}

static const struct regex *compile(
	struct regex_compiler *self, const char *pattern, struct error *err)
{
	struct compiler *o = (struct compiler *)self;
	struct compiled *known;
	pcre2_code *code;
	PCRE2_SIZE at;
	size_t size = 0;
	int rc;
	char why[200];
	const char *fault;

	HASH_FIND_STR(o->all, pattern, known);
	if (known)
		return &known->base;
	if (strlen(pattern) > PATTERN_BYTES)
		return refuse(err, pattern, "is longer than 4096 bytes");
	fault = foreign(pattern);
	if (fault) {
		snprintf(why, sizeof why, "%s: Prometheus would refuse it", fault);
		return refuse(err, pattern, why);
	}
	code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
		PCRE2_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_DOLLAR_ENDONLY |
			PCRE2_NEVER_BACKSLASH_C,
		&rc, &at, o->compile);
	if (!code) {
		PCRE2_UCHAR text[120];

		pcre2_get_error_message(rc, text, sizeof text);
		snprintf(why, sizeof why, "is not one: %s (at byte %zu)", (const char *)text,
			(size_t)at + 1);
		return refuse(err, pattern, why);
	}
	pcre2_pattern_info(code, PCRE2_INFO_SIZE, &size);
	if (size > COMPILED_BYTES) {
		pcre2_code_free(code);
		return refuse(err, pattern, "is too complex: make it simpler");
	}
	return keep(o, code, pattern);
}

struct regex_compiler *regex_compiler_new(void)
{
	struct compiler *o = xmalloc(sizeof *o);

	*o = (struct compiler){.base = {compile}};
	o->compile = pcre2_compile_context_create(NULL);
	o->match = pcre2_match_context_create(NULL);
	o->data = pcre2_match_data_create(1, NULL);
	if (!o->compile || !o->match || !o->data)
		error_out_of_memory();
	pcre2_set_newline(o->compile, PCRE2_NEWLINE_LF);
	pcre2_set_parens_nest_limit(o->compile, NESTING);
	pcre2_set_match_limit(o->match, MATCH_LIMIT);
	pcre2_set_depth_limit(o->match, DEPTH_LIMIT);
	pcre2_set_heap_limit(o->match, HEAP_KIB);
	return &o->base;
}

void regex_compiler_free(struct regex_compiler *rx)
{
	struct compiler *o = (struct compiler *)rx;
	struct compiled *c, *next;

	if (!rx)
		return;
	c = o->all;
	HASH_CLEAR(hh, o->all); /* frees the table, not what it holds */
	for (; c; c = next) {
		next = c->hh.next;
		pcre2_code_free(c->code);
		free(c->pattern);
		free(c);
	}
	pcre2_match_data_free(o->data);
	pcre2_match_context_free(o->match);
	pcre2_compile_context_free(o->compile);
	free(o);
}
