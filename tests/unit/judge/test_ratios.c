/* Rules 18 to 21: copies, ratios as sets, exact comparison, the binomial statement. */
#include "fixture.h"

#include "judge/ratio.h"

#define A "{job=\"app\",instance=\"a\"}"
#define OK_A "reqs_total{job=\"app\",instance=\"a\",code=\"200\"}"
#define BAD_A "reqs_total{job=\"app\",instance=\"a\",code=\"500\"}"
#define GONE_A "reqs_total{job=\"app\",instance=\"a\",code=\"409\"}"
#define UP_TO(n) "-295~-10/15:0 5~395/15:" n
#define CODES(objective)                                                                           \
	"id: s, objective: " objective ", good: 'reqs_total{code=\"200\"}', total: reqs_total"

static const struct sli_result *sli(void)
{
	return &stage("s")->sli;
}

/* --- rule 18 --- */

static void copies(const char *label)
{
	char name[128];

	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "reqs_total{job=\"app\",instance=\"a\",%s=\"r%d\"}",
			label, i);
		given(name, i ? EVERY ":3+10" : EVERY ":0+10");
	}
}

static void rule_18_series_that_differ_in_a_copy_label_are_refused(void **state)
{
	static const char *const labels[] = {
		"replica", "prometheus", "prometheus_replica", "monitor", "reporter"};

	for (size_t i = 0; i < COUNT(labels); i++) {
		world_end(state);
		world_begin(state);
		given_target("a");
		copies(labels[i]);
		judge("stages: [ { id: s, objective: 1%, good: reqs_total, total: reqs_total } ]\n"
		      "invariants: [ { id: i, count: reqs_total, at_most: 99999 } ]");
		expect_stage("s", INCONCLUSIVE);
		expect_refused(sli()->good);
		expect_note(&sli()->notes, NOT_IN_THIS_BUILD);
		expect_verdict("i", UNPROVEN, NAN, NAN);
	}
}

static void rule_18_series_that_differ_in_another_label_are_not(void **state)
{
	(void)state;
	given_target("a");
	copies("version");
	judge_figure("id: f, count: reqs_total");
	expect_verdict("f", SHOWN, 480, 480);
}

static void rule_18_copies_whose_growth_differs_are_none(void **state)
{
	(void)state;
	given_target("a");
	given("reqs_total{job=\"app\",instance=\"a\",replica=\"r0\"}", EVERY ":0+10");
	given("reqs_total{job=\"app\",instance=\"a\",replica=\"r1\"}", EVERY ":0+7");
	judge_figure("id: f, count: reqs_total");
	expect_verdict("f", SHOWN, 24 * 17, 24 * 17);
}

static void rule_18_copies_agree_all_the_time(void **state)
{
	(void)state;
	given_target("a");
	given("reqs_total{job=\"app\",instance=\"a\",replica=\"r0\"}",
		"-295~5/15:0 20~125/15:0+10 140~245/15:70 260~395/15:70+10");
	given("reqs_total{job=\"app\",instance=\"a\",replica=\"r1\"}",
		"-295~140/15:0 155~275/15:0+10 290~395/15:130");
	judge_figure("id: f, count: reqs_total");
	expect_verdict("f", SHOWN, 260, 260);
}

static void rule_18_copies_need_growth(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total{job=\"app\",instance=\"a\",replica=\"r0\"}", EVERY ":4");
	given("errors_total{job=\"app\",instance=\"a\",replica=\"r1\"}", EVERY ":4");
	judge_invariant("id: i, count: errors_total, at_most: 0");
	expect_verdict("i", HELD, 0, 0);
}

static void two_ports(const char *start_of_second, const char *second)
{
	given_process("a:1", EVERY, "@-5000");
	given_process("a:2", EVERY, start_of_second);
	given("reqs_total{job=\"app\",instance=\"a:1\"}", EVERY ":0+10");
	given("reqs_total{job=\"app\",instance=\"a:2\"}", second);
	judge_figure("id: f, count: reqs_total");
}

static void rule_18_one_process_scraped_twice_is_refused(void **state)
{
	(void)state;
	two_ports("@-5000", EVERY ":0+10");
	expect_verdict("f", SHOWN, NAN, NAN);
	expect_note(&check("f")->notes, NOT_IN_THIS_BUILD);
}

static void rule_18_evenly_loaded_pods_are_no_copies(void **state)
{
	(void)state;
	two_ports("@-4000", EVERY ":0+10");
	expect_verdict("f", SHOWN, 480, 480);
}

static void rule_18_processes_that_count_differently_are_no_copies(void **state)
{
	(void)state;
	two_ports("@-5000", EVERY ":0+11");
	expect_verdict("f", SHOWN, 24 * 21, 24 * 21);
}

static void rule_18_nine_events_make_no_suspicion(void **state)
{
	(void)state;
	given_process("a:1", EVERY, "@-5000");
	given_process("a:2", EVERY, "@-5000");
	given("reqs_total{job=\"app\",instance=\"a:1\"}", "-295~185/15:0 200~395/15:9");
	given("reqs_total{job=\"app\",instance=\"a:2\"}", "-295~185/15:0 200~395/15:9");
	judge_figure("id: f, count: reqs_total");
	expect_verdict("f", SHOWN, 18, 18);
}

static void rule_18_growth_must_agree_sample_by_sample(void **state)
{
	(void)state;
	given_process("a:1", EVERY, "@-5000");
	given_process("a:2", EVERY, "@-5000");
	given("reqs_total{job=\"app\",instance=\"a:1\"}", "-295~95/15:0 110~395/15:50");
	given("reqs_total{job=\"app\",instance=\"a:2\"}", "-295~185/15:0 200~395/15:50");
	judge_figure("id: f, count: reqs_total");
	expect_verdict("f", SHOWN, 100, 100);
}

static void rule_18_recording_rules_are_refused(void **state)
{
	(void)state;
	given_target("a");
	given("job:errors:sum" A, EVERY ":0");
	judge("invariants:\n"
	      "  - { id: i, count: 'job:errors:sum', at_most: 0 }\n"
	      "  - { id: k, max: 'job:errors:sum', at_most: 0 }\n"
	      "  - { id: h, histogram: 'job:lat', over: 1s, at_most: 0 }");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	expect_verdict("k", UNPROVEN, NAN, NAN);
	expect_verdict("h", UNPROVEN, NAN, NAN);
	expect_note(&check("i")->notes, RECORDED_NAME);
	expect_note(&check("k")->notes, RECORDED_NAME);
	expect_note(&check("h")->notes, RECORDED_NAME);
}

static void rule_18_recorded_allows_them(void **state)
{
	(void)state;
	given_target("a");
	given("job:errors:sum" A, EVERY ":0");
	judge("invariants:\n"
	      "  - { id: i, count: 'job:errors:sum', at_most: 0, recorded: true }\n"
	      "  - { id: k, max: 'job:errors:sum', at_most: 0, recorded: true }");
	expect_verdict("i", HELD, 0, 0);
	expect_verdict("k", HELD, 0, 0);
}

/* --- rule 19 --- */

static void rule_19_good_of_total(void **state)
{
	(void)state;
	given_target("a");
	given(OK_A, UP_TO("98"));
	given(BAD_A, UP_TO("2"));
	judge_stage(CODES("98%"));
	expect_stage("s", PASS);
	expect_exact(sli()->good, 98);
	expect_exact(sli()->bad, 2);
	expect_exact(sli()->total, 100);
}

static void rule_19_bad_of_total(void **state)
{
	(void)state;
	given_target("a");
	given(OK_A, UP_TO("98"));
	given(BAD_A, UP_TO("2"));
	judge_stage("id: s, objective: 98%, bad: 'reqs_total{code=~\"5..\"}', total: reqs_total");
	expect_stage("s", PASS);
	expect_exact(sli()->good, 98);
	expect_exact(sli()->bad, 2);
}

static void rule_19_good_and_bad(void **state)
{
	(void)state;
	given_target("a");
	given(OK_A, UP_TO("98"));
	given(BAD_A, UP_TO("2"));
	judge_stage("id: s, objective: 98.1%, good: 'reqs_total{code=\"200\"}', "
		    "bad: 'reqs_total{code=\"500\"}'");
	expect_stage("s", FAIL);
	expect_exact(sli()->total, 100);
}

static void rule_19_exclude_is_taken_out_of_total_and_good(void **state)
{
	static const char *const sides[] = {"good: 'reqs_total{code!=\"500\"}', total: reqs_total",
		"bad: 'reqs_total{code=\"500\"}', total: reqs_total",
		"good: 'reqs_total{code!=\"500\"}', bad: 'reqs_total{code=\"500\"}'"};
	char item[256];

	(void)state;
	given_target("a");
	given(OK_A, UP_TO("98"));
	given(BAD_A, UP_TO("2"));
	given(GONE_A, UP_TO("50"));
	for (size_t i = 0; i < COUNT(sides); i++) {
		snprintf(item, sizeof item,
			"id: s, objective: 0.98, %s, exclude: 'reqs_total{code=\"409\"}'",
			sides[i]);
		judge_stage(item);
		expect_stage("s", PASS);
		expect_exact(sli()->good, 98);
		expect_exact(sli()->total, 100);
		expect_exact(sli()->excluded, 50);
	}
}

static void rule_19_an_exclude_of_another_family_shrinks_the_total(void **state)
{
	(void)state;
	given_target("a");
	given(OK_A, UP_TO("90"));
	given(BAD_A, UP_TO("10"));
	given("sold_out_total" A, UP_TO("10"));
	judge_stage(CODES("100%") ", exclude: sold_out_total");
	expect_exact(sli()->total, 90);
	judge_stage("id: s, objective: 50%, bad: 'reqs_total{code=\"500\"}', total: reqs_total, "
		    "exclude: sold_out_total");
	expect_exact(sli()->total, 90);
}

static void rule_19_good_and_total_of_two_families(void **state)
{
	(void)state;
	given_target("a");
	given("done_total" A, UP_TO("90"));
	given("asked_total" A, UP_TO("100"));
	judge_stage("id: s, objective: 90%, good: done_total, total: asked_total");
	expect_stage("s", PASS);
	expect_exact(sli()->bad, 10);
	judge_stage("id: s, objective: 90%, bad: done_total, total: asked_total");
	expect_stage("s", FAIL);
	expect_exact(sli()->good, 10);
}

/* the series of good is new on a process that is older than the window: [0, 10] */
static void good_is_an_interval(const char *objective)
{
	given_target("b");
	given_process("a", "200~395/15", "@-5000");
	given(OK_A, "200~350/15:10 365~395/15:10");
	given("reqs_total{job=\"app\",instance=\"b\",code=\"500\"}", UP_TO("5"));
	given("reqs_total{job=\"app\",instance=\"b\",code=\"200\"}", UP_TO("95"));
	judge_stage(objective);
	expect_count(sli()->good, 95, 105);
}

static void rule_19_bad_is_counted_from_the_difference_of_the_sets(void **state)
{
	(void)state;
	good_is_an_interval(CODES("95%"));
	/* the uncertain series is good in both ends: 95 / 100 to 105 / 110 */
	expect_exact(sli()->bad, 5);
	expect_count(sli()->total, 100, 110);
	expect_stage("s", PASS);
}

static void rule_19_a_ratio_is_decided_by_both_ends(void **state)
{
	(void)state;
	good_is_an_interval(CODES("95.2%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, UNDECIDED);
}

static void rule_19_good_over_total_is_refused(void **state)
{
	(void)state;
	given_target("a");
	given("done_total" A, UP_TO("101"));
	given("asked_total" A, UP_TO("100"));
	judge_stage("id: s, objective: 90%, good: done_total, total: asked_total");
	expect_stage("s", INCONCLUSIVE);
	expect_refused(sli()->good);
	expect_note(&sli()->notes, GOOD_OVER_TOTAL);
	judge_stage("id: s, objective: 90%, bad: done_total, total: asked_total");
	expect_note(&sli()->notes, GOOD_OVER_TOTAL);
}

static void rule_19_good_may_equal_total(void **state)
{
	(void)state;
	given_target("a");
	given("done_total" A, UP_TO("100"));
	given("asked_total" A, UP_TO("100"));
	judge_stage("id: s, objective: 99.99%, good: done_total, total: asked_total");
	expect_stage("s", PASS);
}

static void rule_19_a_list_is_summed_and_no_series_counts_twice(void **state)
{
	(void)state;
	given_target("a");
	given(OK_A, UP_TO("98"));
	given(BAD_A, UP_TO("2"));
	given("other_total" A, UP_TO("5"));
	judge_figure("id: f, count: ['reqs_total{code=\"200\"}', reqs_total, other_total]");
	expect_verdict("f", SHOWN, 105, 105);
}

static void rule_19_hundreds_of_series_are_counted_each(void **state)
{
	char name[128];

	(void)state;
	given_target("a");
	for (int i = 0; i < 300; i++) {
		snprintf(
			name, sizeof name, "reqs_total{job=\"app\",instance=\"a\",uri=\"/%d\"}", i);
		given(name, i % 3 ? "-295~-10/15:0 5~335/15:3 350~395/15:4" : EVERY ":5");
	}
	judge_figure("id: f, count: [ 'reqs_total{uri!=\"/1\"}', reqs_total ]");
	expect_verdict("f", SHOWN, 800, 800);
}

static void rule_19_steps_are_met_each_or_in_sum(void **state)
{
	static const char steps[] =
		"steps: [ { id: x, good: 'x_total{code=\"200\"}', total: x_total }, "
		"{ id: y, good: 'y_total{code=\"200\"}', total: y_total } ]";
	char item[512];

	(void)state;
	given_target("a");
	given("x_total{job=\"app\",instance=\"a\",code=\"200\"}", UP_TO("9900"));
	given("y_total{job=\"app\",instance=\"a\",code=\"200\"}", UP_TO("90"));
	given("y_total{job=\"app\",instance=\"a\",code=\"500\"}", UP_TO("10"));
	snprintf(item, sizeof item, "id: s, objective: 0.99, %s", steps);
	judge_stage(item);
	expect_stage("s", FAIL);
	expect_note(&sli()->notes, STEP_MISSED);
	assert_int_equal(stage("s")->steps[0].sli.verdict, STAGE_PASS);
	assert_int_equal(stage("s")->steps[1].sli.verdict, STAGE_FAIL);
	snprintf(item, sizeof item, "id: s, objective: 0.99, each: false, %s", steps);
	judge_stage(item);
	expect_stage("s", PASS);
	expect_exact(sli()->good, 9990);
}

static void rule_19_an_undecided_step_leaves_no_pass(void **state)
{
	(void)state;
	given_target("a");
	given("x_total{job=\"app\",instance=\"a\",code=\"200\"}", UP_TO("9900"));
	judge_stage("id: s, objective: 99%, steps: ["
		    "{ id: x, good: 'x_total{code=\"200\"}', total: x_total }, "
		    "{ id: y, good: 'y_total{code=\"200\"}', total: y_total } ]");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, STEP_UNDECIDED);
}

/* --- rule 20 --- */

static void codes(const char *good, const char *bad, const char *item)
{
	given_target("a");
	given(OK_A, good);
	given(BAD_A, bad);
	judge_stage(item);
}

static void rule_20_an_objective_met_exactly_passes(void **state)
{
	(void)state;
	codes(UP_TO("9990"), UP_TO("10"), CODES("99.9%"));
	expect_stage("s", PASS);
}

static void rule_20_an_objective_missed_by_one_fails(void **state)
{
	(void)state;
	codes(UP_TO("9989"), UP_TO("11"), CODES("99.9%"));
	expect_stage("s", FAIL);
	assert_string_equal(
		note_value(&sli()->notes, REASON_OBJECTIVE_MISSED, "ratio"), "0.998900000000");
}

static void rule_20_what_rounds_up_to_the_objective_fails(void **state)
{
	(void)state;
	codes(UP_TO("9989999"), UP_TO("10001"), CODES("99.9%"));
	expect_stage("s", FAIL);
}

static void rule_20_doubles_would_miss_fifty_six_of_a_hundred(void **state)
{
	(void)state;
	/* 0.56 * 100 is 56.00000000000001 */
	codes(UP_TO("56"), UP_TO("44"), CODES("56%"));
	expect_stage("s", PASS);
}

static void rule_20_doubles_would_meet_what_is_missed(void **state)
{
	(void)state;
	/* 1 - 1e-16 is 1 as a double */
	struct decimal objective = {999999999999999, 1000000000000000};
	assert_int_equal(ratio_cmp(9007199254740000.0, 9007199254740010.0, objective), -1);
	assert_int_equal(ratio_cmp(63, 90, (struct decimal){7, 10}), 0);
	assert_int_equal(ratio_cmp(64, 90, (struct decimal){7, 10}), 1);
}

static void rule_20_an_inexact_tie_decides_nothing(void **state)
{
	(void)state;
	struct count good = {0.1 + 0.2, 0.1 + 0.2}, bad = {0.7, 0.7};
	assert_int_equal(ratio_verdict(good, bad, (struct decimal){3, 10}), STAGE_INCONCLUSIVE);
	assert_int_equal(ratio_verdict(good, bad, (struct decimal){29, 100}), STAGE_PASS);
	assert_int_equal(ratio_verdict(good, bad, (struct decimal){31, 100}), STAGE_FAIL);
}

static void rule_20_nothing_known_decides_nothing(void **state)
{
	(void)state;
	struct decimal half = {1, 2};
	struct count none = {0, 0}, refused = {NAN, NAN}, all = {0, INFINITY};
	assert_int_equal(ratio_verdict(none, none, half), STAGE_INCONCLUSIVE);
	assert_int_equal(ratio_verdict(refused, none, half), STAGE_INCONCLUSIVE);
	assert_int_equal(ratio_verdict(none, refused, half), STAGE_INCONCLUSIVE);
	assert_int_equal(ratio_verdict(all, all, half), STAGE_INCONCLUSIVE);
}

/* --- rule 21 --- */

static enum confidence confidence_of(double good, double bad, struct decimal objective)
{
	struct count g = {good, good}, b = {bad, bad};
	return ratio_confidence(g, b, objective, ratio_verdict(g, b, objective));
}

static void rule_21_no_failure_in_2995_demonstrates_three_nines(void **state)
{
	(void)state;
	struct decimal objective = {999, 1000};
	assert_int_equal(confidence_of(2995, 0, objective), CONFIDENCE_DEMONSTRATED);
	assert_int_equal(confidence_of(2994, 0, objective), CONFIDENCE_MET_NOT_DEMONSTRATED);
}

static void rule_21_one_failure_needs_more(void **state)
{
	(void)state;
	struct decimal objective = {999, 1000};
	/* P(X <= 1) falls to 5 % at 4,742 */
	assert_int_equal(confidence_of(4741, 1, objective), CONFIDENCE_DEMONSTRATED);
	assert_int_equal(confidence_of(4740, 1, objective), CONFIDENCE_MET_NOT_DEMONSTRATED);
}

static void rule_21_a_miss_is_clear_or_not(void **state)
{
	(void)state;
	struct decimal objective = {99, 100};
	assert_int_equal(confidence_of(989, 11, objective), CONFIDENCE_MISSED_NOT_CLEARLY);
	assert_int_equal(confidence_of(900, 100, objective), CONFIDENCE_CLEARLY_MISSED);
	/* P(X >= 2) is 4.8 % of 35, 5.03 % of 36 */
	assert_int_equal(confidence_of(33, 2, objective), CONFIDENCE_CLEARLY_MISSED);
	assert_int_equal(confidence_of(34, 2, objective), CONFIDENCE_MISSED_NOT_CLEARLY);
}

static void rule_21_undecided_ratios_make_no_statement(void **state)
{
	(void)state;
	assert_int_equal(confidence_of(0, 0, (struct decimal){1, 2}), CONFIDENCE_NONE);
}

static void rule_21_the_stage_says_it(void **state)
{
	(void)state;
	codes(UP_TO("2995"), UP_TO("0"), CODES("99.9%"));
	expect_stage("s", PASS);
	assert_int_equal(sli()->confidence, CONFIDENCE_DEMONSTRATED);
}

static void near(double got, double want)
{
	if (fabs(got - want) > 1e-9 * want)
		fail_msg("got %.17g, not %.17g", got, want);
}

static void rule_21_the_distribution_is_exact(void **state)
{
	(void)state;
	near(binomial_cdf(5, 10, 0.5), 0.623046875);
	near(binomial_cdf(2, 20, 0.1), 0.676926805189466);
	near(binomial_cdf(0, 100, 0.01), 0.3660323412732295);
	near(binomial_cdf(5, 1000, 0.01), 0.06613951160725197);
	near(binomial_cdf(9, 1000, 0.01), 0.45730059217489083);
	near(binomial_cdf(20, 1000, 0.01), 0.9985035184522908);
	near(binomial_cdf(3, 2995, 0.001), 0.6483526755060288);
	near(binomial_cdf(95, 100, 0.9), 0.9762889173365232);
	near(binomial_cdf(40, 50000, 0.001), 0.08596247831655204);
	near(binomial_cdf(10, 10, 0.5), 1);
	assert_true(binomial_cdf(-1, 10, 0.5) == 0);
	assert_true(binomial_cdf(3, 10, 0) == 1);
	assert_true(binomial_cdf(3, 10, 1) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(rule_18_series_that_differ_in_a_copy_label_are_refused),
		RULE(rule_18_series_that_differ_in_another_label_are_not),
		RULE(rule_18_copies_whose_growth_differs_are_none),
		RULE(rule_18_copies_agree_all_the_time),
		RULE(rule_18_copies_need_growth),
		RULE(rule_18_one_process_scraped_twice_is_refused),
		RULE(rule_18_evenly_loaded_pods_are_no_copies),
		RULE(rule_18_processes_that_count_differently_are_no_copies),
		RULE(rule_18_nine_events_make_no_suspicion),
		RULE(rule_18_growth_must_agree_sample_by_sample),
		RULE(rule_18_recording_rules_are_refused),
		RULE(rule_18_recorded_allows_them),
		RULE(rule_19_good_of_total),
		RULE(rule_19_bad_of_total),
		RULE(rule_19_good_and_bad),
		RULE(rule_19_exclude_is_taken_out_of_total_and_good),
		RULE(rule_19_an_exclude_of_another_family_shrinks_the_total),
		RULE(rule_19_good_and_total_of_two_families),
		RULE(rule_19_bad_is_counted_from_the_difference_of_the_sets),
		RULE(rule_19_a_ratio_is_decided_by_both_ends),
		RULE(rule_19_good_over_total_is_refused),
		RULE(rule_19_good_may_equal_total),
		RULE(rule_19_a_list_is_summed_and_no_series_counts_twice),
		RULE(rule_19_hundreds_of_series_are_counted_each),
		RULE(rule_19_steps_are_met_each_or_in_sum),
		RULE(rule_19_an_undecided_step_leaves_no_pass),
		RULE(rule_20_an_objective_met_exactly_passes),
		RULE(rule_20_an_objective_missed_by_one_fails),
		RULE(rule_20_what_rounds_up_to_the_objective_fails),
		RULE(rule_20_doubles_would_miss_fifty_six_of_a_hundred),
		RULE(rule_20_doubles_would_meet_what_is_missed),
		RULE(rule_20_an_inexact_tie_decides_nothing),
		RULE(rule_20_nothing_known_decides_nothing),
		RULE(rule_21_no_failure_in_2995_demonstrates_three_nines),
		RULE(rule_21_one_failure_needs_more),
		RULE(rule_21_a_miss_is_clear_or_not),
		RULE(rule_21_undecided_ratios_make_no_statement),
		RULE(rule_21_the_stage_says_it),
		RULE(rule_21_the_distribution_is_exact),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
