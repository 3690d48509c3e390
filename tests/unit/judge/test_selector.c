/* Selectors: all that is accepted, all that is refused and how, canonical printing, matching. */
#include "../base/unit.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/selector.h"

/* A compiler over the C library's expressions, anchored; its memory is the arena's and `compiled`.
 */
struct posix_regex {
	struct regex regex;
	regex_t posix;
};

struct posix_compiler {
	struct regex_compiler compiler;
	struct posix_regex *compiled[16];
	size_t n;
};

static bool posix_test(const struct regex *self, const char *text)
{
	const struct posix_regex *r = (const struct posix_regex *)self;
	return !regexec(&r->posix, text, 0, NULL, 0);
}

static const struct regex *posix_compile(
	struct regex_compiler *self, const char *pattern, struct error *err)
{
	struct posix_compiler *c = (struct posix_compiler *)self;
	struct posix_regex *r = xmalloc(sizeof *r);
	char anchored[256];
	snprintf(anchored, sizeof anchored, "^(%s)$", pattern);
	r->regex.test = posix_test;
	if (regcomp(&r->posix, anchored, REG_EXTENDED | REG_NOSUB)) {
		free(r);
		(void)error_set(err, ERROR_USAGE, "bad-regex", "not an expression: %s", pattern);
		return NULL;
	}
	assert_true(c->n < COUNT(c->compiled));
	c->compiled[c->n++] = r;
	return &r->regex;
}

static struct arena arena;
static struct posix_compiler posix = {.compiler = {posix_compile}};

static int release(void **state)
{
	(void)state;
	for (; posix.n; posix.n--) {
		regfree(&posix.compiled[posix.n - 1]->posix);
		free(posix.compiled[posix.n - 1]);
	}
	arena_release(&arena);
	return 0;
}

static struct selector parsed(const char *text)
{
	struct selector s = {0};
	struct error err = {0};
	if (selector_parse(&arena, text, &posix.compiler, &s, &err))
		fail_msg("%s", err.text);
	return s;
}

static const char *printed(const struct selector *s)
{
	struct strbuf b = STRBUF_INIT;
	selector_print(&b, s);
	const char *text = arena_strdup(&arena, b.at);
	strbuf_release(&b);
	return text;
}

static void prints(const char *text, const char *canonical)
{
	struct selector s = parsed(text);
	assert_string_equal(printed(&s), canonical);
	struct selector again = parsed(canonical);
	assert_string_equal(printed(&again), canonical);
	(void)release(NULL);
}

/* Refused at that byte, with a text that holds `hint`. */
static void refused(const char *text, size_t byte, const char *hint)
{
	static const struct selector untouched = {.n = 42};
	struct selector s = untouched;
	struct error err = {0};
	char where[32];
	snprintf(where, sizeof where, "`, byte %zu: ", byte);
	if (!selector_parse(&arena, text, &posix.compiler, &s, &err))
		fail_msg("`%s` was taken", text);
	assert_memory_equal(&s, &untouched, sizeof s);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.code, "bad-selector");
	if (!strstr(err.text, where) || !strstr(err.text, hint))
		fail_msg("\"%s\" lacks \"%s\" or \"%s\"", err.text, where, hint);
	assert_int_equal(selector_parse(&arena, text, &posix.compiler, &s, NULL), -1);
	(void)release(NULL);
}

static void the_parts_are_found(void **state)
{
	(void)state;
	struct selector s = parsed(" http_requests_total { code =~ \"5..\" , job!='api',x=\"\" } ");
	assert_string_equal(s.name, "http_requests_total");
	assert_int_equal(s.n, 3);
	assert_string_equal(s.matcher[0].label, "code");
	assert_int_equal(s.matcher[0].op, MATCH_RE);
	assert_string_equal(s.matcher[0].value, "5..");
	assert_non_null(s.matcher[0].regex);
	assert_string_equal(s.matcher[1].label, "job");
	assert_int_equal(s.matcher[1].op, MATCH_NE);
	assert_string_equal(s.matcher[1].value, "api");
	assert_null(s.matcher[1].regex);
	assert_int_equal(s.matcher[2].op, MATCH_EQ);
	assert_string_equal(s.matcher[2].value, "");
	s = parsed("{code!~\"5..\"}");
	assert_null(s.name);
	assert_int_equal(s.matcher[0].op, MATCH_NRE);
}

static void accepted_forms_print_canonically(void **state)
{
	(void)state;
	prints("up", "up");
	prints("up{}", "up");
	prints("up { }", "up");
	prints("\tup\n{\r\n}", "up");
	prints("job:requests:rate5m", "job:requests:rate5m");
	prints(":a", ":a");
	prints("_x9", "_x9");
	prints("offset{a=\"b\"}", "offset{a=\"b\"}");
	prints("a{b=\"c\",}", "a{b=\"c\"}");
	prints("a{b=\"c\" , }", "a{b=\"c\"}");
	prints("{b=\"c\"}", "{b=\"c\"}");
	prints("{code!=\"500\"}", "{code!=\"500\"}");
	prints("a{or=\"1\",by=\"2\",offset=\"3\"}", "a{by=\"2\",offset=\"3\",or=\"1\"}");
	prints("a{b=~\"x|y\",c!~'z.*'}", "a{b=~\"x|y\",c!~\"z.*\"}");
}

static void the_name_may_stand_in_braces(void **state)
{
	(void)state;
	prints("{__name__=\"up\"}", "up");
	prints("{__name__=\"up\",job=\"a\"}", "up{job=\"a\"}");
	prints("{job=\"a\",__name__='up'}", "up{job=\"a\"}");
	prints("{\"up\"}", "up");
	prints("{'up',job=\"a\"}", "up{job=\"a\"}");
	prints("{job=\"a\",\"up\",}", "up{job=\"a\"}");
	prints("{\"http.server.duration\", a=\"b\"}",
		"{__name__=\"http.server.duration\",a=\"b\"}");
	prints("{`http.server.duration`}", "{__name__=\"http.server.duration\"}");
	prints("{\"요청 수\"}", "{__name__=\"요청 수\"}");
	prints("{__name__=\"9x\"}", "{__name__=\"9x\"}");
	prints("a{\"http.status\"=\"200\"}", "a{\"http.status\"=\"200\"}");
	prints("a{\"plain\" = \"200\"}", "a{plain=\"200\"}");
	prints("a{\"x:y\"=~\"1\"}", "a{\"x:y\"=~\"1\"}"); /* ":" is bare in metric names only */
	prints("a{\"9\"!=\"\"}", "a{\"9\"!=\"\"}");
	prints("{\"__name__\"=\"up\"}", "up");
}

static void strings_are_unquoted(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"a{b=\"\\n\"}", "\n"},
		{"a{b=\"\\\"\"}", "\""},
		{"a{b='\\''}", "'"},
		{"a{b=\"'\"}", "'"},
		{"a{b='\"'}", "\""},
		{"a{b=\"\\\\\"}", "\\"},
		{"a{b=\"\\a\\b\\f\\r\\t\\v\"}", "\a\b\f\r\t\v"},
		{"a{b=\"\\x41\\x7a\"}", "Az"},
		{"a{b=\"\\101\"}", "A"},
		{"a{b=\"\\xc3\\xA9\"}", "\xc3\xa9"}, /* bytes that make up a character */
		{"a{b=\"\\303\\251\"}", "\xc3\xa9"},
		{"a{b=\"\\u00e9\\u20AC\\u0041\"}", "\xc3\xa9\xe2\x82\xac"
						   "A"},
		{"a{b=\"\\U0001F680\"}", "\xf0\x9f\x9a\x80"},
		{"a{b=\"한글\"}", "한글"},
		{"a{b=`\\d+\\n\"'`}", "\\d+\\n\"'"},
		{"a{b=`two\nlines`}", "two\nlines"},
		{"a{b=\"#{}[],=~\"}", "#{}[],=~"},
		{"a{b=``}", ""},
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct selector s = parsed(rows[i][0]);
		assert_string_equal(s.matcher[0].value, rows[i][1]);
	}
}

static void values_are_escaped_when_printed(void **state)
{
	(void)state;
	prints("a{b='\"\\\\\\n\\t\\x7f'}", "a{b=\"\\\"\\\\\\n\\x09\\x7f\"}");
	prints("a{b=`\\d`}", "a{b=\"\\\\d\"}");
	prints("a{'q\"'=`é`}", "a{\"q\\\"\"=\"é\"}");
	prints("{__name__=\"x\\ny\"}", "{__name__=\"x\\ny\"}");
}

static void equal_selectors_print_equally(void **state)
{
	(void)state;
	static const char *const rows[] = {"a{x=\"1\",b!=\"2\",b=\"3\",b=~\"4\",b=\"2\"}",
		"a{b=~'4',b=\"2\",b=\"3\",b!=`2`,x='1'}",
		" a { b=\"2\", b=\"2\", x=\"\\x31\", b=\"3\", b!=\"2\", b=~\"4\", b=~\"4\", }",
		"{x=\"1\",\"a\",\"b\"!=\"2\",b=\"3\",b=~\"4\",b=\"2\"}"};
	for (size_t i = 0; i < COUNT(rows); i++)
		prints(rows[i], "a{b=\"2\",b=\"3\",b!=\"2\",b=~\"4\",x=\"1\"}");
}

static void other_promql_is_refused_with_help(void **state)
{
	(void)state;
	refused("a offset 5m", 2, "`offset` is not allowed");
	refused("a{b=\"c\"} OFFSET 5m", 9, "`offset` is not allowed");
	refused("a @ 1780000060", 2, "`@` is not allowed");
	refused("a{b=\"c\"}@start()", 8, "`@` is not allowed");
	refused("a[5m]", 1, "range is not allowed");
	refused("a{b=\"c\"}[5m:1m]", 8, "range is not allowed");
	refused("rate(a[5m])", 4, "functions are not allowed");
	refused("sum(a)", 3, "functions are not allowed");
	refused("sum by (x) (a)", 4, "operators are not allowed");
	refused("a + b", 2, "operators are not allowed");
	refused("a-b", 1, "operators are not allowed");
	refused("a / ignoring(x) b", 2, "operators are not allowed");
	refused("a > 1", 2, "operators are not allowed");
	refused("a == 1", 2, "operators are not allowed");
	refused("a or b", 2, "operators are not allowed");
	refused("a unless b", 2, "operators are not allowed");
	refused("(a)", 0, "operators are not allowed");
	refused("-a", 0, "operators are not allowed");
	refused("a # all of them", 2, "comments");
	refused("# a", 0, "comments");
	refused("a{ # b\n}", 3, "comments");
	refused("a{b=\"c\"}{d=\"e\"}", 8, "second pair of braces");
	refused("a{b=\"1\" or c=\"2\"}", 8, "`or` is not allowed");
	refused("a b", 2, "ends before this");
	refused("a,b", 1, "ends before this");
	refused("a}", 1, "ends before this");
	refused("42", 0, "must start with a metric name");
	refused("\"a\"", 0, "belongs into braces");
	refused("http.requests", 4, "with dots must be quoted");
	refused("", 0, "empty");
	refused(" \n", 2, "empty");
	refused("{}", 0, "every series");
	refused(" { }", 1, "every series");
}

static void names_are_one_and_equal(void **state)
{
	(void)state;
	refused("{__name__=~\"http_.*\"}", 1, "only = is allowed on __name__");
	refused("{__name__!=\"up\"}", 1, "only = is allowed on __name__");
	refused("{a=\"b\",__name__!~\"up\"}", 7, "only = is allowed on __name__");
	refused("up{__name__=~\".*\"}", 3, "only = is allowed on __name__");
	refused("up{__name__=\"up\"}", 12, "twice");
	refused("up{\"up\"}", 3, "twice");
	refused("{\"a\",\"b\"}", 5, "twice");
	refused("{\"a\",__name__=\"a\"}", 14, "twice");
	refused("{__name__=\"\"}", 10, "metric name is empty");
	refused("{\"\"}", 1, "metric name is empty");
	refused("{\"\"=\"x\"}", 1, "label name is empty");
}

static void wrong_braces_and_strings_are_refused(void **state)
{
	(void)state;
	refused("a{", 2, "not closed");
	refused("a{b=\"c\"", 7, "not closed");
	refused("a{b=\"c\",", 8, "not closed");
	refused("a{,}", 2, "missing before this comma");
	refused("a{b=\"c\",,}", 8, "missing before this comma");
	refused("a{b=\"c\" d=\"e\"}", 8, "comma or }");
	refused("a{b=\"c\";}", 7, "comma or }");
	refused("a{{b=\"c\"}}", 2, "brace inside");
	refused("a{9=\"c\"}", 2, "label name must stand here");
	refused("a{b.c=\"d\"}", 3, "= != =~ !~");
	refused("a{http:x=\"d\"}", 6, "= != =~ !~");
	refused("a{한글=\"d\"}", 2, "label name must stand here");
	refused("한글{}", 0, "must start with a metric name");
	refused("a{b}", 3, "= != =~ !~");
	refused("a{b>\"1\"}", 3, "= != =~ !~");
	refused("a{b~\"1\"}", 3, "= != =~ !~");
	refused("a{b==\"c\"}", 3, "write = instead of ==");
	refused("a{b=c}", 4, "must be quoted");
	refused("a{b=5}", 4, "must be quoted");
	refused("a{b=}", 4, "must be quoted");
	refused("a{b=", 4, "must be quoted");
	refused("a{b=\"c}", 4, "quote is not closed");
	refused("a{b='c}", 4, "quote is not closed");
	refused("a{b=`c}", 4, "quote is not closed");
	refused("a{b=\"c\n\"}", 4, "quote is not closed");
	refused("a{b=\"c\\\"}", 4, "quote is not closed");
	refused("{\"", 1, "quote is not closed");
	refused("a{b=\"\\d+\"}", 5, "no escape of PromQL");
	refused("a{b=\"x\\'\"}", 6, "no escape of PromQL");
	refused("a{b=\"\\", 5, "no escape of PromQL");
	refused("a{b=\"\\x4\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\xg0\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\x00\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\u12\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\U00110000\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\U0000\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\18\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\400\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\000\"}", 5, "no escape of PromQL");
	refused("a{b=\"\\xff\"}", 4, "not UTF-8");
	refused("a{b=\"\\ud800\"}", 4, "not UTF-8");
	refused("a{b=\"\xff\"}", 4, "not UTF-8");
	refused("{\"\\xff\"}", 1, "not UTF-8");
}

static void a_wrong_expression_keeps_its_own_code(void **state)
{
	(void)state;
	struct selector s;
	struct error err = {0};
	assert_int_equal(selector_parse(&arena, "a{b=~\"(\"}", &posix.compiler, &s, &err), -1);
	assert_string_equal(err.code, "bad-regex");
	assert_non_null(strstr(err.text, "selector `a{b=~\"(\"}`, byte 5: not an expression"));
}

static void sizes_are_bounded(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	strbuf_adds(&b, "a{");
	for (int i = 0; i < 256; i++)
		strbuf_addf(&b, "l%d=\"v\",", i);
	size_t n = b.n;
	strbuf_adds(&b, "}");
	assert_int_equal(parsed(b.at).n, 256);
	b.n = n;
	strbuf_adds(&b, "more=\"v\"}");
	refused(b.at, n, "more than 256");
	strbuf_clear(&b);
	for (int i = 0; i < 64 * 1024; i++)
		strbuf_addc(&b, 'a');
	assert_int_equal(strlen(parsed(b.at).name), 64 * 1024);
	strbuf_addc(&b, 'a');
	refused(b.at, 0, "longer than 64 KiB");
	strbuf_release(&b);
}

static void labels_behave_as_a_sorted_map(void **state)
{
	(void)state;
	static const struct label at[] = {
		{"__name__", "up"}, {"code", "200"}, {"job", "a\"\n"}, {"x.y", ""}};
	const struct labels l = {at, 4}, none = {NULL, 0}, three = {at, 3}, nameless = {at + 1, 2};
	assert_string_equal(labels_get(&l, "__name__"), "up");
	assert_string_equal(labels_get(&l, "code"), "200");
	assert_string_equal(labels_get(&l, "x.y"), "");
	assert_string_equal(labels_get(&l, "absent"), "");
	assert_string_equal(labels_get(&none, "job"), "");
	assert_int_equal(labels_cmp(&l, &l), 0);
	assert_true(labels_cmp(&three, &l) < 0);
	assert_true(labels_cmp(&l, &none) > 0);
	assert_true(labels_cmp(&l, &nameless) < 0);
	static const struct label other[] = {{"__name__", "up"}, {"code", "201"}};
	assert_true(labels_cmp(&l, &(struct labels){other, 2}) < 0);
	struct labels copy = labels_copy(&arena, &l);
	assert_int_equal(labels_cmp(&copy, &l), 0);
	assert_ptr_not_equal(copy.at[1].value, at[1].value);
	struct strbuf b = STRBUF_INIT;
	labels_print(&b, &l);
	assert_string_equal(b.at, "up{code=\"200\",job=\"a\\\"\\n\",\"x.y\"=\"\"}");
	strbuf_clear(&b);
	labels_print(&b, &nameless);
	assert_string_equal(b.at, "{code=\"200\",job=\"a\\\"\\n\"}");
	strbuf_clear(&b);
	labels_print(&b, &none);
	labels_print(&b, &(struct labels){at, 1});
	assert_string_equal(b.at, "{}up");
	strbuf_clear(&b);
	static const struct label dotted[] = {{"__name__", "a.b"}, {"c", "d"}};
	labels_print(&b, &(struct labels){dotted, 2});
	assert_string_equal(b.at, "{__name__=\"a.b\",c=\"d\"}");
	strbuf_release(&b);
}

static void matching_is_promqls(void **state)
{
	(void)state;
	static const struct label at[] = {{"__name__", "reqs"}, {"code", "503"}, {"job", "api"}};
	const struct labels l = {at, 3};
	static const struct {
		const char *text;
		bool matches;
	} rows[] = {{"reqs", true}, {"req", false}, {"{job=\"api\"}", true},
		{"reqs{job=\"api\",code=\"503\"}", true}, {"reqs{job=\"api\",code=\"200\"}", false},
		{"reqs{code=~\"5..\"}", true}, {"reqs{code=~\"5\"}", false}, /* anchored */
		{"reqs{code!~\"2..\"}", true}, {"reqs{code!~\"5..\"}", false},
		{"reqs{code!=\"503\"}", false}, {"reqs{code!=\"200\"}", true},
		/* an absent label is an empty one */
		{"reqs{pod=\"\"}", true}, {"reqs{pod!=\"\"}", false}, {"reqs{pod=~\".*\"}", true},
		{"reqs{pod=~\".+\"}", false}, {"reqs{pod!~\".+\"}", true},
		{"reqs{pod!=\"x\"}", true}};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct selector s = parsed(rows[i].text);
		if (selector_matches(&s, &l) != rows[i].matches)
			fail_msg("%s", rows[i].text);
	}
	struct selector s = parsed("reqs");
	assert_false(selector_matches(&s, &(struct labels){at + 1, 2})); /* of no known name */
}

static void derived_selectors_leave_the_original(void **state)
{
	(void)state;
	struct selector s = parsed("a{b=\"1\",c=~\"2\",d!=\"3\"}");
	struct selector less = selector_without(&arena, &s, 1);
	assert_string_equal(printed(&less), "a{b=\"1\",d!=\"3\"}");
	less = selector_without(&arena, &less, 0);
	less = selector_without(&arena, &less, 0);
	assert_string_equal(printed(&less), "a");
	const struct matcher more[] = {
		{.label = "bb", .op = MATCH_EQ, .value = "x"}, {.label = "b", .value = "1"}};
	struct selector all = selector_with(&arena, &s, more, 2);
	assert_int_equal(all.n, 5);
	assert_string_equal(printed(&all), "a{b=\"1\",bb=\"x\",c=~\"2\",d!=\"3\"}");
	struct selector renamed = selector_renamed(&arena, &s, "a_count");
	assert_string_equal(printed(&renamed), "a_count{b=\"1\",c=~\"2\",d!=\"3\"}");
	renamed.matcher[0].value = "changed";
	renamed = selector_renamed(&arena, &less, NULL);
	assert_string_equal(printed(&renamed), "{}");
	assert_string_equal(printed(&s), "a{b=\"1\",c=~\"2\",d!=\"3\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_parts_are_found, release),
		cmocka_unit_test_teardown(accepted_forms_print_canonically, release),
		cmocka_unit_test_teardown(the_name_may_stand_in_braces, release),
		cmocka_unit_test_teardown(strings_are_unquoted, release),
		cmocka_unit_test_teardown(values_are_escaped_when_printed, release),
		cmocka_unit_test_teardown(equal_selectors_print_equally, release),
		cmocka_unit_test_teardown(other_promql_is_refused_with_help, release),
		cmocka_unit_test_teardown(names_are_one_and_equal, release),
		cmocka_unit_test_teardown(wrong_braces_and_strings_are_refused, release),
		cmocka_unit_test_teardown(a_wrong_expression_keeps_its_own_code, release),
		cmocka_unit_test_teardown(sizes_are_bounded, release),
		cmocka_unit_test_teardown(labels_behave_as_a_sorted_map, release),
		cmocka_unit_test_teardown(matching_is_promqls, release),
		cmocka_unit_test_teardown(derived_selectors_leave_the_original, release),
	};
	return cmocka_run_group_tests_name("selector", tests, NULL, NULL);
}
