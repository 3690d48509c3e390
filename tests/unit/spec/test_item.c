/* Stages, invariants, preconditions, figures, load: what must stand together, and what is built. */
#include <stdio.h>

#include "loaded.h"

struct rule {
	const char *keys, *expected;
};

static void check_rules(const char *before, const struct rule *rules, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct strbuf b = STRBUF_INIT;

		strbuf_addf(&b, "%s%s }\n", before, rules[i].keys);
		refuses(b.at, rules[i].expected);
		strbuf_release(&b);
	}
}

#define CHECK_RULES(before, rules) check_rules(before, rules, sizeof(rules) / sizeof *(rules))

static void test_what_a_stage_needs(void **state)
{
	static const char two[] =
		"4:5: a stage needs two of good, bad and total, or `histogram` with "
		"`within`, or `steps`";
	static const struct rule rules[] = {
		{"good: g, total: t", ""},
		{"good: g, bad: b", ""},
		{"bad: b, total: t", ""},
		{"good: g, total: t, exclude: x", ""},
		{"good: g, total: t, exclude: [x, y]", ""},
		{"title: x", two},
		{"good: g", two},
		{"total: t", two},
		{"good: g, bad: b, total: t", "4:5: a stage takes only two of good, bad and total"},
		{"histogram: h, within: 1s", ""},
		{"histogram: h, within: 1s, total: t", ""},
		{"histogram: h", "4:5: a stage with `histogram` needs `within`"},
		{"within: 1s", "4:5: a stage with `within` needs `histogram`"},
		{"within: 1s, good: g, total: t", "4:5: a stage with `within` needs `histogram`"},
		{"histogram: h, within: 1s, good: g", "4:54: `within` already says what is good"},
		{"histogram: h, within: 1s, bad: g", "4:54: `within` already says what is good"},
		{"histogram: h, good: g, total: t", "4:28: `histogram` does nothing here"},
		{"good: g, total: t, success: '{a=\"b\"}'",
			"4:47: `success` needs `histogram` and"},
		{"good: g, total: t, exclude: '{a=\"b\"}'", "4:56: matchers in `exclude` need"},
		{"histogram: h, within: 1s, exclude: '{a=\"b\"}'", ""},
		{"histogram: h, within: 1s, exclude: 'h_count{a=\"b\"}'", ""},
	};

	(void)state;
	CHECK_RULES("stages:\n  - { id: s, objective: 1, ", rules);
}

static void test_percentiles(void **state)
{
	static const struct rule rules[] = {
		{"histogram: h, within: 1s, percentiles: { p95: 500ms, p99.9: 1s }", ""},
		{"good: g, total: t, histogram: h, percentiles: { p95: 500ms }", ""},
		{"good: g, total: t, percentiles: { p95: 500ms }",
			"4:47: `percentiles` need `histogram`"},
		{"histogram: h, within: 1s, percentiles: {}",
			"4:67: expected at least one percentile"},
		{"histogram: h, within: 1s, percentiles: { q95: 1s }",
			"4:69: expected a percentile such as"},
		{"histogram: h, within: 1s, percentiles: { p0: 1s }",
			"4:69: expected a percentile"},
		{"histogram: h, within: 1s, percentiles: { p100: 1s }",
			"4:69: expected a percentile"},
		{"histogram: h, within: 1s, percentiles: { p95: 1 }", "4:74: '1' needs a unit"},
		{"histogram: h, within: 1s, percentiles: { p95: 1s, p95.0: 2s }",
			"4:78: this percentile is given twice"},
	};
	struct loaded l;

	(void)state;
	CHECK_RULES("stages:\n  - { id: s, objective: 1, ", rules);
	load_fragment(&l,
		"stages: [{ id: s, objective: 1, good: g, total: t, histogram: h, percentiles: { "
		"p99.9: "
		"250ms } }]\n",
		NULL);
	has_problems(&l, "", "");
	assert_int_equal(l.spec.stages[0].n_percentiles, 1);
	assert_int_equal(l.spec.stages[0].percentiles[0].p.num, 999);
	assert_int_equal(l.spec.stages[0].percentiles[0].p.den, 10);
	assert_int_equal(l.spec.stages[0].percentiles[0].within_s.num, 1);
	assert_int_equal(l.spec.stages[0].percentiles[0].within_s.den, 4);
	assert_true(l.spec.stages[0].sli.has_histogram);
	assert_false(l.spec.stages[0].sli.has_within);
	loaded_release(&l);
}

static void test_steps(void **state)
{
	static const struct rule rules[] = {
		{"steps: [{ id: a, good: g, total: t }]", ""},
		{"each: false, steps: [{ id: a, good: g, total: t }]", ""},
		{"steps: []", "4:35: this list must not be empty"},
		{"each: true, good: g, total: t", "4:28: `each` needs `steps`"},
		{"steps: [{ id: a, good: g }]", "4:36: a step needs two of good, bad and total, or "
						"`histogram` with `within`"},
		{"steps: [{ good: g, total: t }]", "4:36: a step needs the key 'id'"},
		{"steps: [{ id: a, good: g, total: t }, { id: a, good: g, total: t }]",
			"4:72: the id 'a' is taken (line 4)"},
		{"steps: [{ id: a, good: g, total: t }], good: g",
			"4:67: beside `steps`, this key belongs into each step"},
		{"steps: [{ id: a, good: g, total: t }], optional: true",
			"4:67: beside `steps`, this key belongs into each step"},
		{"steps: [{ id: a, good: g, total: t }], percentiles: { p9: 1s }",
			"4:67: beside `steps`, this key belongs into each step"},
		{"steps: [{ id: a, good: g, total: t, objective: 1 }]",
			"4:64: unknown key 'objective' in a step"},
	};
	struct loaded l;

	(void)state;
	CHECK_RULES("stages:\n  - { id: s, objective: 1, ", rules);
	load_fragment(&l,
		"stages:\n  - id: s\n    objective: 1\n    each: false\n    steps:\n"
		"      - { id: a, title: A, histogram: h, within: 2s, success: '{x=\"1\"}', "
		"exclude: "
		"'{x=\"2\"}' }\n      - { id: b, bad: g, total: [t, u], exclude: v }\n",
		NULL);
	has_problems(&l, "", "");
	assert_false(l.spec.stages[0].each);
	assert_int_equal(l.spec.stages[0].n_steps, 2);
	assert_string_equal(l.spec.stages[0].steps[0].title.ko, "A");
	assert_int_equal(l.spec.stages[0].steps[0].sli.success.n, 1);
	assert_int_equal(l.spec.stages[0].steps[0].sli.exclude_matchers.n, 1);
	assert_int_equal(l.spec.stages[0].steps[0].sli.exclude.n, 0);
	assert_null(l.spec.stages[0].steps[1].title.en);
	assert_int_equal(l.spec.stages[0].steps[1].sli.total.n, 2);
	assert_int_equal(l.spec.stages[0].steps[1].sli.exclude.n, 1);
	assert_int_equal(l.spec.stages[0].steps[1].sli.exclude_matchers.n, 0);
	loaded_release(&l);
}

static void test_at_least_of_a_stage(void **state)
{
	static const struct rule rules[] = {
		{"at_least: 9000", ""},
		{"at_least: 0", ""},
		{"at_least: -1", "4:57: a number of events must not be below 0"},
		{"at_least: many", "4:57: expected a number"},
	};

	(void)state;
	CHECK_RULES("stages:\n  - { id: s, objective: 1, good: g, total: t, ", rules);
}

static void test_ids_are_unique_per_kind(void **state)
{
	(void)state;
	accepts("stages: [{ id: a, objective: 1, good: g, total: t }]\n"
		"invariants: [{ id: a, count: c, at_most: 0 }]\n"
		"preconditions: [{ id: a, first: c, equals: 0 }]\nfigures: [{ id: a, count: c "
		"}]\n");
	refuses("figures: [{ id: a, count: c }, { id: b, count: c }, { id: a, count: c }]\n",
		"3:59: the id 'a' is taken (line 3)");
	refuses("preconditions:\n  - { id: a, first: c, equals: 0 }\n  - { id: a, last: c, equals: "
		"0 }\n",
		"5:11: the id 'a' is taken (line 4)");
	refuses("evidence: [{ id: a, max: c }, { id: a, max: c }]\n",
		"3:37: the id 'a' is taken (line 3)");
}

/* The judge refuses such an item (counting.md rule 18); the spec itself is not wrong. */
static void test_recorded_names(void **state)
{
	(void)state;
	accepts("stages: [{ id: s, objective: 1, good: 'a:b', total: t }]\n");
	accepts("stages: [{ id: s, objective: 1, good: 'a:b', total: t, recorded: true }]\n"
		"figures: [{ id: f, max: 'a:b', recorded: true }, { id: g, query: 'a:b' }]\n"
		"load: { delivered: { max: 'a:b', recorded: true } }\n");
}

static void test_one_way_to_a_number(void **state)
{
	static const char one[] =
		"4:5: an invariant needs one of count, max, min, first, last, avg, "
		"histogram, balance, query";
	static const struct rule rules[] = {
		{"count: c", ""},
		{"max: c", ""},
		{"min: c", ""},
		{"first: c", ""},
		{"last: c", ""},
		{"avg: c", ""},
		{"histogram: h, over: 1s", ""},
		{"histogram: h, up_to: 1s", ""},
		{"histogram: h, over: 1s, up_to: 2s", ""},
		{"balance: { left: a, right: b }", ""},
		{"query: 'sum(a)'", ""},
		{"title: x", one},
		{"count: c, max: d", "4:36: an invariant takes only one of count, max, min"},
		{"histogram: h", "4:5: a latency band needs `over`, `up_to`, or both"},
		{"histogram: h, over: 2s, up_to: 2s", "4:57: `up_to` must be more than `over`"},
		{"count: c, over: 1s", "4:36: this key is a bound of a latency band"},
		{"balance: { left: a }", "4:35: a balance needs the key 'right'"},
		{"balance: [a, b]", "4:35: expected a map: a balance"},
	};

	(void)state;
	CHECK_RULES("invariants:\n  - { id: i, at_most: 0, ", rules);
}

static void test_across_and_per(void **state)
{
	static const char across[] = "4:24: `across` goes with max, min, first, last and avg";
	static const struct rule rules[] = {
		{"max: c, across: sum", ""},
		{"min: c, across: min", ""},
		{"first: c, across: max", ""},
		{"last: c, across: avg", ""},
		{"avg: c, across: sum, per: [pod]", ""},
		{"max: c, per: [pod]", ""},
		{"count: c, per: [pod, zone]", ""},
		{"count: c, across: sum", across},
		{"histogram: h, over: 1s, across: sum", "4:38: `across` goes with"},
		{"balance: { left: a, right: b }, across: sum", "4:46: `across` goes with"},
		{"query: q, across: sum", "4:24: `across` does not go with `query`"},
		{"query: q, per: [a]", "4:24: `per` goes with counts and values"},
		{"balance: { left: a, right: b }, per: [a]", "4:46: `per` goes with"},
		{"max: c, per: []", "4:27: this list must not be empty"},
	};

	(void)state;
	CHECK_RULES("figures:\n  - { id: i, ", rules);
}

static void test_keys_that_would_do_nothing(void **state)
{
	static const char zero[] = "4:22: this key helps to prove that a count is zero";
	static const struct rule rules[] = {
		{"count: c, family: f, outcome: o, absent: true, optional: true, witness: w", ""},
		{"histogram: h, over: 1s, family: f, witness: [w, x]", ""},
		{"max: c, family: f", zero},
		{"max: c, outcome: f", zero},
		{"max: c, absent: true", zero},
		{"max: c, witness: w", zero},
		{"max: c, optional: true, recorded: true", ""},
		{"query: q, optional: true", "4:24: this key does not go with `query`"},
		{"query: q, recorded: true", "4:24: this key does not go with `query`"},
		{"query: q, witness: w", "4:24: this key helps to prove"},
	};

	(void)state;
	CHECK_RULES("figures:\n  - { id: i, ", rules);
}

static void test_limits_of_checks(void **state)
{
	static const char none[] =
		"4:5: a precondition needs at least one of at_most, at_least, equals";
	static const struct rule rules[] = {
		{"at_most: 1", ""},
		{"at_least: 1", ""},
		{"equals: 1", ""},
		{"at_least: 1, at_most: 2", ""},
		{"at_least: 1, at_most: 1", ""},
		{"equals: 1, within: 0.5", ""},
		{"equals: 0, within: 0", ""},
		{"title: x", none},
		{"within: 1", none},
		{"at_most: 1, within: 1", "4:36: `within` is a tolerance around `equals`"},
		{"equals: 1, at_most: 1",
			"4:24: `equals` does not go with `at_most` or `at_least`"},
		{"equals: 1, at_least: 1", "4:24: `equals` does not go with"},
		{"at_least: 2, at_most: 1", "4:34: `at_least` is more than `at_most`"},
		{"equals: 1, within: -1", "4:43: a tolerance must not be below 0"},
		{"equals: 1, within: 1s", "4:43: '1s' is a duration"},
	};
	struct loaded l;

	(void)state;
	check_rules("preconditions:\n  - { id: i, first: c, ", rules, 8);
	check_rules("preconditions:\n  - { id: i, max: c,   ", rules + 9, 6);
	refuses("preconditions:\n  - { id: i, first: c, within: 1 }\n",
		"4:5: a precondition needs at least one of at_most, at_least, equals\n"
		"4:24: `within` is a tolerance around `equals`");
	load_fragment(&l,
		"invariants: [{ id: i, count: c, at_most: 1/3, at_least: -2, integrity: true },"
		" { id: j, first: c, equals: 20, within: 1.5 }]\n",
		NULL);
	has_problems(&l, "", "");
	assert_true(l.spec.invariants.at[0].integrity);
	assert_int_equal(l.spec.invariants.at[0].limit.at_most.den, 3);
	assert_int_equal(l.spec.invariants.at[0].limit.at_least.num, -2);
	assert_false(l.spec.invariants.at[0].limit.has_equals);
	assert_true(l.spec.invariants.at[1].limit.has_within);
	assert_int_equal(l.spec.invariants.at[1].limit.within.num, 3);
	loaded_release(&l);
}

static void test_measures(void **state)
{
	static const struct {
		const char *keys;
		enum measure_kind kind;
	} cases[] = {
		{"count: c", MEASURE_COUNT},
		{"max: c", MEASURE_MAX},
		{"min: c", MEASURE_MIN},
		{"first: c", MEASURE_FIRST},
		{"last: c", MEASURE_LAST},
		{"avg: c", MEASURE_AVG},
		{"histogram: c, over: 1s", MEASURE_BAND},
		{"balance: { left: c, right: [d, e] }", MEASURE_BALANCE},
		{"query: c", MEASURE_QUERY},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct loaded l;
		char yaml[200];

		snprintf(yaml, sizeof yaml, "figures: [{ id: f, unit: u, %s }]\n", cases[i].keys);
		load_fragment(&l, yaml, NULL);
		has_problems(&l, yaml, "");
		assert_int_equal(l.spec.figures.at[0].measure.kind, cases[i].kind);
		assert_string_equal(l.spec.figures.at[0].measure.unit, "u");
		if (cases[i].kind == MEASURE_BALANCE)
			assert_int_equal(l.spec.figures.at[0].measure.right.n, 2);
		loaded_release(&l);
	}
}

static void test_proof(void **state)
{
	const struct proof *p;
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"invariants: [{ id: i, count: c, at_most: 0, family: [f, g], outcome: o, absent: "
		"true, "
		"optional: true, recorded: true, witness: w }]\n",
		NULL);
	has_problems(&l, "", "");
	p = &l.spec.invariants.at[0].measure.proof;
	assert_true(p->absent && p->optional && p->recorded);
	assert_string_equal(p->outcome, "o");
	assert_int_equal(p->family.n, 2);
	assert_int_equal(p->witness.n, 1);
	loaded_release(&l);
	load_fragment(&l,
		"stages: [{ id: s, objective: 1, good: g, total: t, family: f, absent: true }]\n",
		NULL);
	p = &l.spec.stages[0].sli.proof;
	assert_true(p->absent && !p->optional && !p->recorded);
	assert_int_equal(p->family.n, 1);
	loaded_release(&l);
}

static void test_delivered(void **state)
{
	static const struct {
		const char *keys, *expected;
		enum measure_kind kind;
	} cases[] = {
		{"max: k6_vus, across: sum", "", MEASURE_MAX},
		{"avg: k6_vus", "", MEASURE_AVG},
		{"count: reqs", "", MEASURE_COUNT},
		{"rate: reqs", "", MEASURE_RATE},
		{"query: 'sum(x)'", "", MEASURE_QUERY},
		{"across: sum",
			"3:20: what was delivered needs one of max, avg, count, rate, query", 0},
		{"max: a, rate: b", "3:30: what was delivered takes only one of", 0},
		{"last: a",
			"3:20: what was delivered needs one of\n3:22: unknown key 'last' in what "
			"was",
			0},
		{"rate: a, across: sum", "3:31: `across` goes with", 0},
		{"max: a, per: [b]", "3:30: unknown key 'per'", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct loaded l;
		char yaml[200];

		snprintf(yaml, sizeof yaml, "load: { delivered: { %s } }\n", cases[i].keys);
		load_fragment(&l, yaml, NULL);
		has_problems(&l, yaml, cases[i].expected);
		if (!*cases[i].expected) {
			assert_true(l.spec.has_delivered);
			assert_int_equal(l.spec.delivered.kind, cases[i].kind);
		}
		loaded_release(&l);
	}
}

static void test_window(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l, "title: x\n", NULL);
	assert_int_equal(l.spec.before_ms, 60000);
	assert_int_equal(l.spec.after_ms, 300000);
	assert_int_equal(l.spec.warmup_ms, 0);
	assert_false(l.spec.has_window_before);
	loaded_release(&l);
	load_fragment(&l, "window: { before: 10s, after: 20s, warmup: 5s }\n", NULL);
	assert_int_equal(l.spec.before_ms, 10000);
	assert_int_equal(l.spec.after_ms, 20000);
	assert_int_equal(l.spec.warmup_ms, 5000);
	assert_true(l.spec.has_window_before);
	loaded_release(&l);
	refuses("window: { before: 1m, after: 1m, warmup: 2m }\n", "3:9: nothing is left to judge");
	refuses("window: { before: 0s, after: 0s }\n", "3:9: nothing is left to judge");
}

static void test_open_and_targets(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l, "title: x\n", NULL);
	assert_false(l.spec.has_open);
	assert_int_equal(l.spec.targets.identity.n, 2);
	assert_string_equal(l.spec.targets.identity.at[1], "instance");
	assert_int_equal(l.spec.targets.unseen, UNSEEN_BAD);
	assert_false(l.spec.targets.has_alive);
	loaded_release(&l);
	load_fragment(&l,
		"open: { when: 'a:open{b=\"c\"}', becomes: 1.5 }\n"
		"targets: { identity: [pod], unseen: proportional, alive: 'x{y=\"z\"}' }\n",
		NULL);
	has_problems(&l, "", "");
	assert_true(l.spec.has_open);
	assert_string_equal(l.spec.open_when.name, "a:open");
	assert_int_equal(l.spec.open_becomes.num, 3);
	assert_int_equal(l.spec.targets.identity.n, 1);
	assert_string_equal(l.spec.targets.identity.at[0], "pod");
	assert_int_equal(l.spec.targets.unseen, UNSEEN_PROPORTIONAL);
	assert_true(l.spec.targets.has_alive);
	loaded_release(&l);
}

static void test_blocks_of_later_capabilities(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"system: [{ id: a, labels: c, of: [d] }]\ncapacity: { repeats: 3 }\n"
		"report: { lang: ko, artifacts: { raw: u } }\n",
		NULL);
	has_problems(&l, "", "");
	assert_int_equal(l.spec.not_evaluated.n, 3);
	assert_string_equal(l.spec.not_evaluated.at[0], "system");
	assert_string_equal(l.spec.not_evaluated.at[1], "capacity");
	assert_string_equal(l.spec.not_evaluated.at[2], "report.artifacts");
	assert_string_equal(l.spec.lang, "ko");
	loaded_release(&l);
	load_fragment(&l, "report: { lang: en }\n", NULL);
	assert_int_equal(l.spec.not_evaluated.n, 0);
	loaded_release(&l);
	refuses("capacity: { repeat: 3 }\n",
		"3:13: unknown key 'repeat' in `capacity`: did you mean 'repeats'?");
	refuses("schedule: [{ load: 10 }]\n", "3:12: a step of `schedule` needs the key 'measure'");
	refuses("evidence: [{ id: a, max: c, trend: { at_most: 1% } }]\n",
		"3:47: expected a change per time such as 1%/h");
	refuses("milestones: [{ id: a, first_time: c }]\n",
		"3:14: a milestone needs one of at_least, at_most, increases");
	refuses("decisions: [{ id: a, when: { required: MAYBE }, then: x }]\n",
		"3:40: expected MET, NOT_MET or UNDECIDED");
	refuses("stop: {}\n", "3:7: `stop` needs at least one of errors, restarts, disk_free");
	refuses("generator: { k6: 'a{b=\"c\"}' }\n", "3:18: expected matchers");
	refuses("traffic: { mau: 1, dau_per_mau: { low: 1/3, mid: 1/2 } }\n",
		"3:33: `dau_per_mau` needs the key 'high'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_a_stage_needs),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_at_least_of_a_stage),
		cmocka_unit_test(test_ids_are_unique_per_kind),
		cmocka_unit_test(test_recorded_names),
		cmocka_unit_test(test_one_way_to_a_number),
		cmocka_unit_test(test_across_and_per),
		cmocka_unit_test(test_keys_that_would_do_nothing),
		cmocka_unit_test(test_limits_of_checks),
		cmocka_unit_test(test_measures),
		cmocka_unit_test(test_proof),
		cmocka_unit_test(test_delivered),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_open_and_targets),
		cmocka_unit_test(test_blocks_of_later_capabilities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
