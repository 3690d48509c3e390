/* YAML as the format allows it: places, what is refused, limits. */
#include <stdio.h>

#include "loaded.h"

static void test_empty_files_lack_everything(void **state)
{
	const char *missing = "1:1: a spec needs at least one of stages, invariants\n"
			      "1:1: a spec needs the key 'loadverdict'\n"
			      "1:1: a spec needs the key 'name'";

	(void)state;
	refuses_whole("", missing);
	refuses_whole("# nothing\n", missing);
	refuses_whole("---\n", missing);
	refuses_whole("~\n", missing);
}

static void test_a_spec_is_a_map(void **state)
{
	(void)state;
	refuses_whole("- a\n", "1:1: a spec is a map");
	refuses_whole("hello\n", "1:1: a spec is a map");
}

static void test_duplicate_keys(void **state)
{
	(void)state;
	refuses("name: u\n", "3:1: the key 'name' is given twice (first in line 2)");
	refuses("window: { before: 1m, before: 2m }\n",
		"3:23: the key 'before' is given twice (first in line 3)");
}

static void test_merge_keys_and_tags(void **state)
{
	(void)state;
	refuses("variables: &v { a: b }\nwindow:\n  <<: *v\n",
		"5:3: merge keys (<<) are not allowed");
	refuses("window: { before: !!str 1m }\n", "3:19: tags ('tag:yaml.org,2002:str') are not");
	refuses("window: !x { before: 1m }\n", "3:9: tags ('!x') are not allowed");
	refuses("targets: { identity: !!seq [a] }\n", "3:22: tags");
	refuses_whole("%TAG ! tag:x.org,2000:\n---\nname: t\n", "1:1: %TAG is not allowed");
}

static void test_one_document_only(void **state)
{
	(void)state;
	refuses("---\na: b\n", "3:1: a second document is not allowed");
	refuses_whole("name: a\n...\n---\nname: b\n", "3:1: a second document is not allowed");
}

static void test_keys_are_words(void **state)
{
	(void)state;
	refuses("? [a, b]\n: c\n", "3:3: a key must be a plain word, not a list");
	refuses("window: { {a: b}: c }\n", "3:11: a key must be a plain word, not a map");
}

static void test_nothing_is_no_value(void **state)
{
	(void)state;
	refuses("timezone:\n", "3:10: there is no value here");
	refuses("timezone: ~\n", "3:11: there is no value here");
	refuses("window: null\n", "3:9: there is no value here");
	refuses("window: { before: }\n", "3:19: there is no value here");
	refuses("load: { unit: '' }\n", "3:15: must not be empty");
	accepts("load: { unit: 'null' }\n");
}

static void test_aliases(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l, "window: { before: &d 2m, after: *d }\n", NULL);
	has_problems(&l, "", "");
	assert_int_equal(l.spec.before_ms, 120000);
	assert_int_equal(l.spec.after_ms, 120000);
	loaded_release(&l);
	accepts("figures:\n  - &f { id: a, count: x }\n");
	refuses("window: { before: *nope }\n", "3:19: the alias 'nope' has no anchor before it");
	refuses("window: &w { before: *w }\n", "3:22: the alias 'w' has no anchor before it");
	refuses("figures:\n  - &f { id: a, count: x }\n  - *f\n",
		"4:14: the id 'a' is taken (line 4)");
}

static void test_broken_yaml(void **state)
{
	(void)state;
	refuses("window: { before: 1m\n", "4:7: not valid YAML: did not find expected ','");
	refuses("window: [\n", "5:1: not valid YAML");
	refuses("\tx: y\n", "3:1: not valid YAML: found a tab character");
	refuses("a: 'b\n", "5:1: not valid YAML: found unexpected end of stream");
	refuses("a: \"\\q\"\n", "3:5: not valid YAML: found unknown escape character");
	refuses("window: { before: \"1\\0m\" }\n", "3:19: a text must not hold a NUL character");
	refuses_whole("name: a\n\x01\n", "2:1: not valid YAML: control characters are not allowed");
}

static void test_encoding(void **state)
{
	static const char nul[] = "name: a\n\0name: b\n";
	struct loaded l;

	(void)state;
	refuses_whole("name: a\ntitle: \xff\n", "2:1: this line is not UTF-8");
	refuses_whole(
		"\xef\xbb\xbfloadverdict: 1\nname: t\nstages: [{ id: s, objective: 1, good: g, "
		"total: t }]\n",
		"");
	load_whole(&l, nul, sizeof nul - 1, NULL, NULL);
	has_problems(&l, "NUL", "2:1: not valid YAML: control characters");
	loaded_release(&l);
}

/* Columns count characters, not bytes. */
static void test_places_behind_korean(void **state)
{
	(void)state;
	refuses("title: { ko: 한국시리즈, eng: x }\n",
		"3:21: unknown key 'eng' in a text: did you mean 'en'?");
	refuses("load: { unit: 명, x: 1 } # 댓글\n", "3:18: unknown key 'x' in `load`");
	refuses("title: 한글\nstages:\n  - { id: é, objective: 1, good: g, total: t }\n",
		"5:11: expected a name of letters");
}

static void test_windows_line_ends(void **state)
{
	(void)state;
	refuses_whole(
		"loadverdict: 1\r\nname: t\r\nx: y\r\ninvariants: [{ id: i, count: c, at_most: "
		"0 }]\r\n",
		"3:1: unknown key 'x' in a spec");
}

static void test_unquoted_selectors(void **state)
{
	const char *stage = "stages:\n  - id: s\n    objective: 99%\n    total: t\n    ";
	static const struct {
		const char *line, *expected;
	} cases[] = {
		{"good: {status=~\"2..\"}\n", "7:11: quote this selector: without quotes, YAML"},
		{"good: t{x=\"b #c\"}\n",
			"7:11: quote this selector: YAML took the rest of the line"},
		{"good: t{x=\"b: c\"}\n", "7:17: not valid YAML: mapping values are not allowed in "
					  "this context; if this is a selector"},
		{"good: 't{x=\"b #c: d\"}'\n", ""},
		{"good: t{x=\"b\"} # comment\n", ""},
		{"good: t{x=\"b\"\n", "7:11: "},
		{"good: [{a=\"b\"}]\n", "7:12: quote this selector"},
		{"histogram: {a=\"b\"}\n    within: 1s\n", "7:16: quote this selector"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char yaml[500];

		snprintf(yaml, sizeof yaml, "%s%s", stage, cases[i].line);
		refuses(yaml, cases[i].expected);
	}
	refuses("figures: [{ id: f, count: a{b=\"c\"} }]\n",
		"3:28: not valid YAML: did not find expected ',' or '}'; if this is a selector or "
		"a "
		"${variable}, quote it");
	refuses("load: { unit: ${x} }\n",
		"3:16: not valid YAML: did not find expected ',' or '}'; if");
	refuses("figures:\n  - id: f\n    query: sum(a{b=\"c #d\"})\n",
		"5:12: quote this selector: YAML took");
	refuses("stages:\n  - { id: s, objective: 1, histogram: h, within: 1s, success: "
		"{status=~\"2..\"} }\n",
		"4:63: quote this selector: without quotes, YAML reads {...} as a map");
}

/* --- limits --- */

static void refuses_under(const struct spec_limits *limits, const char *yaml, const char *expected)
{
	struct loaded l;

	load_whole(&l, yaml, strlen(yaml), NULL, limits);
	has_problems(&l, yaml, expected);
	loaded_release(&l);
}

#define WHOLE                                                                                      \
	"loadverdict: 1\nname: t\nwindow: { before: &d 2m, after: *d }\n"                          \
	"invariants: [{ id: i, count: [a, b], at_most: 0 }]\n"

static void test_limits(void **state)
{
	struct spec_limits x = spec_limits_default;

	(void)state;
	refuses_under(&x, WHOLE, "");
	x.file_bytes = strlen(WHOLE);
	refuses_under(&x, WHOLE, "");
	x.file_bytes--;
	refuses_under(&x, WHOLE, "0:0: larger than 110 bytes");
	x = spec_limits_default;
	x.aliases = 1;
	refuses_under(&x, WHOLE, "");
	x.aliases = 0;
	refuses_under(&x, WHOLE, "3:33: more than 0 aliases");
	x = spec_limits_default;
	x.depth = 4;
	refuses_under(&x, WHOLE, "4:31: maps and lists more than 4 deep");
	x.depth = 5;
	refuses_under(&x, WHOLE, "");
	x = spec_limits_default;
	x.keys = 4;
	refuses_under(&x, WHOLE, "");
	x.keys = 3;
	refuses_under(&x, WHOLE, "1:1: a map of more than 3 keys");
	x = spec_limits_default;
	x.selectors = 2;
	refuses_under(&x, WHOLE, "");
	x.selectors = 1;
	refuses_under(&x, WHOLE, "4:30: more than 1 selectors in one list");
	x = spec_limits_default;
	x.scalar_bytes = 11;
	refuses_under(&x, WHOLE, "");
	x.scalar_bytes = 10;
	refuses_under(&x, WHOLE, "1:1: a text of more than 10 bytes");
}

static void test_limit_of_nodes(void **state)
{
	struct spec_limits x = spec_limits_default;

	(void)state;
	/* root, 4 keys, 2 scalars, map + 2 keys + scalar + copy of the alias, list, map, 3 keys,
	 * id, list of 2, at_most */
	x.nodes = 22;
	refuses_under(&x, WHOLE, "");
	x.nodes = 21;
	refuses_under(&x, WHOLE, "4:47: more than 21 values");
}

/* Aliases of aliases grow exponentially: the limit of nodes stops them. */
static void test_alias_bomb(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct loaded l;

	(void)state;
	strbuf_adds(&b, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 12; i++) {
		strbuf_addf(&b, "a%d: &a%d [", i, i);
		for (int j = 0; j < 10; j++)
			strbuf_addf(&b, "%s*a%d", j ? ", " : "", i - 1);
		strbuf_adds(&b, "]\n");
	}
	load_whole(&l, b.at, b.n, NULL, NULL);
	assert_int_equal(l.problems.n, 1);
	assert_true(any_text_has(&l, "more than 100000 values"));
	assert_true(l.a.total < 64u << 20);
	loaded_release(&l);
	strbuf_release(&b);
}

static void test_deep_nesting(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct loaded l;

	(void)state;
	for (int i = 0; i < 100000; i++)
		strbuf_addc(&b, '[');
	load_whole(&l, b.at, b.n, NULL, NULL);
	has_problems(&l, "[[[[...", "1:33: maps and lists more than 32 deep");
	loaded_release(&l);
	strbuf_release(&b);
}

static void test_limit_of_problems(void **state)
{
	struct spec_limits x = spec_limits_default;

	(void)state;
	x.problems = 2;
	refuses_under(&x, "loadverdict: 1\nname: t\nwindow: { a: 1, b: 2, c: 3 }\nstages: []\n",
		"3:11: unknown key 'a'\n3:17: unknown key 'b'\n0:0: 2 more problems are not shown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty_files_lack_everything),
		cmocka_unit_test(test_a_spec_is_a_map),
		cmocka_unit_test(test_duplicate_keys),
		cmocka_unit_test(test_merge_keys_and_tags),
		cmocka_unit_test(test_one_document_only),
		cmocka_unit_test(test_keys_are_words),
		cmocka_unit_test(test_nothing_is_no_value),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_broken_yaml),
		cmocka_unit_test(test_encoding),
		cmocka_unit_test(test_places_behind_korean),
		cmocka_unit_test(test_windows_line_ends),
		cmocka_unit_test(test_unquoted_selectors),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_limit_of_nodes),
		cmocka_unit_test(test_alias_bomb),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_limit_of_problems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
