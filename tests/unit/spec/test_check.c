/* Keys and types: the table of keys applied, and what every kind of value accepts. */
#include <stdio.h>

#include "loaded.h"

static void test_unknown_keys(void **state)
{
	(void)state;
	refuses("stagse: []\ninvariants: [{ id: i, count: c, at_most: 0 }]\n",
		"3:1: unknown key 'stagse' in a spec: did you mean 'stages'?");
	refuses("zzzzzz: 1\n", "3:1: unknown key 'zzzzzz' in a spec");
	refuses("window: { befor: 1m, aftre: 2m }\n",
		"3:11: unknown key 'befor' in `window`: did you mean 'before'?\n"
		"3:22: unknown key 'aftre' in `window`: did you mean 'after'?");
	refuses("source: { tls: { cacert: x } }\n", "3:18: unknown key 'cacert' in `tls`");
	refuses("open: { when: a, becomes: 1, x: 1 }\n", "3:30: unknown key 'x' in `open`");
	refuses("report: { grafana: { url: u, dashbord: d } }\n",
		"3:30: unknown key 'dashbord' in `grafana`: did you mean 'dashboard'?");
	refuses("Window: { before: 1m }\n",
		"3:1: unknown key 'Window' in a spec: did you mean 'window'?");
}

/* A misspelt key is one problem, not two. */
static void test_misspelt_needed_key(void **state)
{
	(void)state;
	refuses("stages:\n  - { id: s, objectve: 99%, good: g, total: t }\n",
		"4:14: unknown key 'objectve' in a stage: did you mean 'objective'?");
	refuses("invariants:\n  - { id: i, cuont: c, at_most: 0 }\n",
		"4:14: unknown key 'cuont' in an invariant: did you mean 'count'?");
	refuses("invariants:\n  - { id: i, count: c, at_mots: 0 }\n",
		"4:24: unknown key 'at_mots' in an invariant: did you mean 'at_most'?");
}

static void test_missing_keys(void **state)
{
	(void)state;
	refuses_whole("loadverdict: 1\nstages: [{ id: s, objective: 1, good: g, total: t }]\n",
		"1:1: a spec needs the key 'name'");
	refuses_whole("name: t\nstages: [{ id: s, objective: 1, good: g, total: t }]\n",
		"1:1: a spec needs the key 'loadverdict'");
	refuses_whole("loadverdict: 1\nname: t\n",
		"1:1: a spec needs at least one of stages, invariants");
	refuses("stages:\n  - { objective: 99%, good: g, total: t }\n",
		"4:5: a stage needs the key 'id'");
	refuses("stages:\n  - { id: s, good: g, total: t }\n",
		"4:5: a stage needs the key 'objective'");
	refuses("open: { when: a }\n", "3:7: `open` needs the key 'becomes'");
}

static void test_wrong_shapes(void **state)
{
	(void)state;
	refuses("window: 1m\n", "3:9: expected a map: `window`, not '1m'");
	refuses("window: [1m]\n", "3:9: expected a map: `window`, not a list");
	refuses("stages: { id: s }\n", "3:9: expected a list, not a map");
	refuses("stages: [s]\n", "3:10: expected a map: a stage, not 's'");
	refuses("timezone: [a]\n", "3:11: expected a time zone such as Asia/Seoul, not a list");
	refuses("variables: [a]\n", "3:12: expected a map, not a list");
	refuses("targets: { identity: job }\n", "3:22: expected a list, not 'job'");
	refuses("targets: { identity: [] }\n", "3:22: this list must not be empty");
	refuses("title: [a]\n", "3:8: expected a text, or one per language");
	refuses("environments: { stg: x }\n", "3:22: expected a map, not 'x'");
}

static void test_nothing_to_judge(void **state)
{
	(void)state;
	refuses("stages: []\n", "3:9: nothing would be judged");
	refuses("stages: []\ninvariants: []\n", "3:9: nothing would be judged");
	accepts("stages: []\ninvariants: [{ id: i, count: c, at_most: 0 }]\n");
	accepts("invariants: [{ id: i, count: c, at_most: 0 }]\n");
}

static void test_not_in_this_build(void **state)
{
	static const char *const on_item[] = {
		"source: app", "dedup: replica", "copies: distinct", "decay: 3m"};

	(void)state;
	refuses("sources: { app: { url: 'http://a' } }\n",
		"3:1: 'sources' is not in this build: it comes with a later release");
	refuses("source: { auth: { sigv4: { region: r } } }\n",
		"3:19: 'sigv4' is not in this build: it comes with a later release");
	refuses("source: { tenant: a|b }\n", "3:19: several tenants (a|b) are not in this build");
	accepts("source: { tenant: a }\n");
	for (size_t i = 0; i < sizeof on_item / sizeof *on_item; i++) {
		char yaml[200], expected[200];
		int n = (int)strcspn(on_item[i], ":");

		snprintf(yaml, sizeof yaml,
			"stages:\n  - { id: s, objective: 1, good: g, total: t, %s }\n",
			on_item[i]);
		snprintf(expected, sizeof expected, "4:47: '%.*s' is not in this build", n,
			on_item[i]);
		refuses(yaml, expected);
		snprintf(yaml, sizeof yaml, "figures:\n  - { id: f, count: c, %s }\n", on_item[i]);
		snprintf(expected, sizeof expected, "4:24: '%.*s' is not in this build", n,
			on_item[i]);
		refuses(yaml, expected);
	}
}

static void test_keys_that_belong_elsewhere(void **state)
{
	(void)state;
	refuses("figures: [{ id: f, count: c, at_most: 0 }]\n",
		"3:30: 'at_most' does not belong into a figure: a figure is shown, not judged");
	refuses("figures: [{ id: f, count: c, integrity: true }]\n",
		"3:30: 'integrity' does not belong into a figure");
	refuses("preconditions: [{ id: p, first: c, at_most: 0, integrity: true }]\n",
		"3:48: 'integrity' does not belong into a precondition: it belongs to invariants");
	refuses("stages: [{ id: s, objective: 1, good: g, total: t, witness: w }]\n",
		"3:52: 'witness' does not belong into a stage: a witness proves a zero");
}

static void test_format(void **state)
{
	const char *rest = "\nname: t\nstages: [{ id: s, objective: 1, good: g, total: t }]\n";
	char yaml[200];

	(void)state;
	snprintf(yaml, sizeof yaml, "loadverdict: 2%s", rest);
	refuses_whole(yaml, "1:14: this build reads format 1");
	snprintf(yaml, sizeof yaml, "loadverdict: '1'%s", rest);
	refuses_whole(yaml, "");
}

static void test_booleans(void **state)
{
	static const char *const wrong[] = {
		"yes", "no", "on", "off", "y", "True", "TRUE", "1", "0"};

	(void)state;
	accepts("figures: [{ id: f, count: c, optional: true }]\n");
	accepts("figures: [{ id: f, count: c, optional: false }]\n");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char yaml[200];

		snprintf(yaml, sizeof yaml, "figures: [{ id: f, count: c, optional: %s }]\n",
			wrong[i]);
		refuses(yaml, i < 5 ? "3:40: write true or false, not '"
				    : "3:40: expected true or false, not '");
	}
}

static void test_durations(void **state)
{
	static const char *const right[] = {"0s", "30s", "1m30s", "250ms", "1h", "1.5s", "0"};
	static const char *const wrong[] = {"1x", "-1s", "1 s", "s", "1m1h", "''", "abc"};
	char yaml[200];

	(void)state;
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		snprintf(yaml, sizeof yaml, "window: { before: %s }\n", right[i]);
		accepts(yaml);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		snprintf(yaml, sizeof yaml, "window: { before: %s }\n", wrong[i]);
		refuses(yaml, "3:19: expected a duration such as 1m30s, not ");
	}
	refuses("window: { before: 5 }\n", "3:19: '5' needs a unit, such as 5s or 5ms");
}

static const char *within(char *yaml, size_t n, const char *value)
{
	snprintf(
		yaml, n, "stages:\n  - { id: s, objective: 1, histogram: h, within: %s }\n", value);
	return yaml;
}

static void test_bounds_of_histograms(void **state)
{
	static const struct {
		const char *text;
		int64_t num, den;
	} right[] = {{"1s", 1, 1}, {"2.5s", 5, 2}, {"500ms", 1, 2}, {"2.5ms", 1, 400},
		{"1m30s", 90, 1}, {"0.05s", 1, 20}, {"1s500ms", 3, 2}};
	char yaml[200];

	(void)state;
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		struct loaded l;

		load_fragment(&l, within(yaml, sizeof yaml, right[i].text), NULL);
		has_problems(&l, yaml, "");
		assert_true(l.spec.stages[0].sli.has_within);
		assert_int_equal(l.spec.stages[0].sli.within_s.num, right[i].num);
		assert_int_equal(l.spec.stages[0].sli.within_s.den, right[i].den);
		loaded_release(&l);
	}
	refuses(within(yaml, sizeof yaml, "0s"), "4:50: must be more than 0");
	refuses(within(yaml, sizeof yaml, "1"), "4:50: '1' needs a unit, such as 1s or 1ms");
	refuses(within(yaml, sizeof yaml, "fast"), "4:50: expected a duration such as 500ms");
	refuses(within(yaml, sizeof yaml, "1e400s"), "4:50: expected a duration");
}

static const char *objective(char *yaml, size_t n, const char *value)
{
	snprintf(yaml, n, "stages:\n  - { id: s, objective: %s, good: g, total: t }\n", value);
	return yaml;
}

static void test_objectives(void **state)
{
	static const struct {
		const char *text;
		int64_t num, den;
	} right[] = {{"99.9%", 999, 1000}, {"0.999", 999, 1000}, {"1", 1, 1}, {"100%", 1, 1},
		{"0.01%", 1, 10000}, {"2/3", 2, 3}, {"'99%'", 99, 100}, {"1.0", 1, 1}};
	char yaml[200];

	(void)state;
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		struct loaded l;

		load_fragment(&l, objective(yaml, sizeof yaml, right[i].text), NULL);
		has_problems(&l, yaml, "");
		assert_int_equal(l.spec.stages[0].objective.num, right[i].num);
		assert_int_equal(l.spec.stages[0].objective.den, right[i].den);
		loaded_release(&l);
	}
	refuses(objective(yaml, sizeof yaml, "99.9"),
		"4:25: '99.9' is more than 1: write a percentage (99.9%) or a decimal up to 1");
	refuses(objective(yaml, sizeof yaml, "101%"), "4:25: a share must be at most 100%");
	refuses(objective(yaml, sizeof yaml, "0"), "4:25: a share must be more than 0");
	refuses(objective(yaml, sizeof yaml, "-1%"), "4:25: a share must be more than 0");
	refuses(objective(yaml, sizeof yaml, "high"), "4:25: expected a share such as 99.9%");
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t num, den;
	} right[] = {{"10", 10, 1}, {"-3", -3, 1}, {"0.5", 1, 2}, {"1e3", 1000, 1}, {"60%", 3, 5},
		{"4000000/365/400000", 2, 73}, {"512MiB", 512 << 20, 1}, {"1GB", 1000000000, 1}};
	static const char *const wrong[] = {"0x10", "1_000", "ten", ".inf", "1/0", "1e400", "''"};
	char yaml[200];

	(void)state;
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		struct loaded l;

		snprintf(yaml, sizeof yaml, "invariants: [{ id: i, max: m, at_most: %s }]\n",
			right[i].text);
		load_fragment(&l, yaml, NULL);
		has_problems(&l, yaml, "");
		assert_int_equal(l.spec.invariants.at[0].limit.at_most.num, right[i].num);
		assert_int_equal(l.spec.invariants.at[0].limit.at_most.den, right[i].den);
		loaded_release(&l);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		snprintf(yaml, sizeof yaml, "invariants: [{ id: i, max: m, at_most: %s }]\n",
			wrong[i]);
		refuses(yaml, "3:40: expected a number such as 10");
	}
	refuses("invariants: [{ id: i, max: m, at_most: 500ms }]\n",
		"3:40: '500ms' is a duration, but this is a limit on a metric's value");
}

static void test_words_and_names(void **state)
{
	(void)state;
	refuses("targets: { unseen: proportinal }\n",
		"3:20: expected bad or proportional, not 'proportinal': did you mean "
		"'proportional'?");
	refuses("source: { compression: zip }\n", "3:24: expected none or gzip, not 'zip'");
	refuses("figures: [{ id: f, max: m, across: total }]\n",
		"3:36: expected sum, max, min or avg, not 'total'");
	refuses("targets: { identity: [9a] }\n", "3:23: expected a label's name, not '9a'");
	refuses("targets: { identity: [job, job] }\n", "3:28: 'job' is given twice");
	refuses("figures: [{ id: 'a b', max: m }]\n", "3:17: expected a name of letters");
	refuses("figures: [{ id: 'a/b', max: m }]\n", "3:17: expected a name of letters");
	accepts("figures: [{ id: A-z_0.9, max: m }]\n");
	refuses("timezone: 'Asia Seoul'\n", "3:11: expected a time zone");
	refuses("source: { parallel: 0 }\n", "3:21: expected a whole number from 1 to 64, not '0'");
	refuses("source: { parallel: 65 }\n", "3:21: expected a whole number from 1 to 64");
	refuses("source: { parallel: 2.0 }\n", "3:21: expected a whole number from 1 to 64");
	refuses("load: { unit: \"a\\nb\" }\n", "3:15: must be one line without control characters");
	refuses("report: { lang: de }\n", "3:17: expected en or ko, not 'de'");
}

static void test_selectors(void **state)
{
	(void)state;
	refuses("figures: [{ id: f, count: 'rate(a[5m])' }]\n", "3:27: ");
	refuses("figures: [{ id: f, count: 'a{b=\"c\"}[5m]' }]\n", "3:27: ");
	refuses("figures: [{ id: f, count: 'a offset 5m' }]\n", "3:27: ");
	refuses("figures: [{ id: f, count: '{__name__=~\"a.*\"}' }]\n", "3:27: ");
	refuses("figures: [{ id: f, count: 'a{b=~\"(\"}' }]\n", "3:27: ");
	refuses("figures: [{ id: f, count: '{job=\"a\"}' }]\n", "3:27: name the metric");
	refuses("figures: [{ id: f, count: '' }]\n", "3:27: expected a selector such as");
	accepts("figures: [{ id: f, count: '{__name__=\"a\",job=\"b\"}' }]\n");
	refuses("figures: [{ id: f, count: [] }]\n", "3:27: this list must not be empty");
	refuses("figures: [{ id: f, count: [a, 'a{}'] }]\n", "3:31: this selector is given twice");
	accepts("figures: [{ id: f, count: [a, b] }]\n");
	refuses("figures: [{ id: f, query: '  ' }]\n", "3:27: expected a PromQL query");
}

static void test_histograms_and_matchers(void **state)
{
	static const struct {
		const char *keys, *expected;
	} cases[] = {
		{"histogram: h_bucket, within: 1s",
			"4:39: a histogram is named without _bucket: write 'h'"},
		{"histogram: h_count, within: 1s",
			"4:39: a histogram is named without _count: write 'h'"},
		{"histogram: h_sum, within: 1s", "4:39: a histogram is named without _sum"},
		{"histogram: 'h{le=\"1\"}', within: 1s",
			"4:39: a histogram's selector must not match `le`"},
		{"histogram: h, within: 1s, success: '{le=\"1\"}'",
			"4:63: matchers must not match `le`"},
		{"histogram: h, within: 1s, success: '{}'", "4:63: selector `{}`, byte 0"},
		{"histogram: h, within: 1s, success: 'h{a=\"b\"}'",
			"4:63: expected matchers such as"},
		{"histogram: h, within: 1s, success: '{__name__=\"x\"}'",
			"4:63: matchers must not name a metric"},
		{"histogram: h, within: 1s, exclude: '{__name__=\"x\"}'",
			"4:63: matchers must not name a metric"},
		{"histogram: h, within: 1s, exclude: 'x{a=\"b\"}'", ""},
		{"histogram: h, within: 1s, exclude: '{a=\"b\"}', success: '{a=\"c\"}'", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char yaml[300];

		snprintf(yaml, sizeof yaml, "stages:\n  - { id: s, objective: 1, %s }\n",
			cases[i].keys);
		refuses(yaml, cases[i].expected);
	}
}

static void test_texts(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l, "title: 예매\n", NULL);
	assert_string_equal(l.spec.title.en, "예매");
	assert_string_equal(l.spec.title.ko, "예매");
	loaded_release(&l);
	load_fragment(&l, "title: { en: Sale }\n", NULL);
	assert_string_equal(l.spec.title.en, "Sale");
	assert_string_equal(l.spec.title.ko, "Sale");
	loaded_release(&l);
	load_fragment(&l, "title: { en: Sale, ko: 판매 }\n", NULL);
	assert_string_equal(l.spec.title.en, "Sale");
	assert_string_equal(l.spec.title.ko, "판매");
	loaded_release(&l);
	refuses("title: {}\n", "3:8: a text needs at least one of en, ko");
	refuses("title: ''\n", "3:8: must not be empty");
	refuses("title: \"a\\ab\"\n", "3:8: must not hold control characters");
}

/* Everything that is wrong, at once, in the order of the file. */
static void test_all_at_once(void **state)
{
	(void)state;
	refuses("windw: {}\nsource: { url: ftp://x, tls: { cert: c } }\nstages:\n"
		"  - { id: a, objective: 99.9, good: g, total: t }\n"
		"  - { id: a, objective: 1, good: g }\n"
		"figures: [{ id: f }]\n",
		"3:1: unknown key 'windw'\n"
		"4:16: the url must begin with\n"
		"4:30: `cert` and `key` go together\n"
		"6:25: '99.9' is more than 1\n"
		"7:5: a stage needs two of good, bad and total\n"
		"7:11: the id 'a' is taken (line 6)\n"
		"8:11: a figure needs one of count, max");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown_keys),
		cmocka_unit_test(test_misspelt_needed_key),
		cmocka_unit_test(test_missing_keys),
		cmocka_unit_test(test_wrong_shapes),
		cmocka_unit_test(test_nothing_to_judge),
		cmocka_unit_test(test_not_in_this_build),
		cmocka_unit_test(test_keys_that_belong_elsewhere),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_booleans),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_bounds_of_histograms),
		cmocka_unit_test(test_objectives),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_words_and_names),
		cmocka_unit_test(test_selectors),
		cmocka_unit_test(test_histograms_and_matchers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_all_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
