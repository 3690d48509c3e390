/* Rules 23 to 25: other denominators, too few events, balances, witnesses. */
#include "fixture.h"

#define A "{job=\"app\",instance=\"a\"}"
#define B "{job=\"app\",instance=\"b\"}"
#define UP_TO(n) "-295~-10/15:0 5~395/15:" n
#define ARRIVED(objective)                                                                         \
	"id: s, objective: " objective ", histogram: got, within: 1s, total: sent_total"
#define BUCKET "got_bucket{job=\"app\",instance=\"a\",le=\"1\"}"

static const struct sli_result *sli(void)
{
	return &stage("s")->sli;
}

/* --- rule 23 --- */

static void arrivals(const char *sent, const char *in_time, const char *all, const char *item)
{
	given_target("a");
	given("sent_total" A, sent);
	given(BUCKET, in_time);
	given("got_count" A, all);
	judge_stage(item);
}

static void rule_23_all_that_arrived_in_time_passes(void **state)
{
	(void)state;
	arrivals("-295~5/15:0 20~395/15:1000", "-295~5/15:0 20~395/15:1000",
		"-295~5/15:0 20~395/15:1000", ARRIVED("99.9%"));
	expect_stage("s", PASS);
	expect_exact(sli()->good, 1000);
	expect_exact(sli()->total, 1000);
}

static void rule_23_what_never_arrived_is_bad(void **state)
{
	(void)state;
	arrivals("-295~5/15:0 20~395/15:1000", "-295~5/15:0 20~395/15:990",
		"-295~5/15:0 20~395/15:990", ARRIVED("99.9%"));
	expect_stage("s", FAIL);
	expect_exact(sli()->good, 990);
	expect_exact(sli()->bad, 10);
}

static void rule_23_what_arrived_late_is_bad(void **state)
{
	(void)state;
	arrivals("-295~5/15:0 20~395/15:1000", "-295~5/15:0 20~395/15:990",
		"-295~5/15:0 20~395/15:1000", ARRIVED("99.9%"));
	expect_stage("s", FAIL);
	expect_exact(sli()->good, 990);
}

static void rule_23_early_arrivals_may_have_been_sent_before(void **state)
{
	(void)state;
	arrivals("-295~5/15:0 20~395/15:1000", "-295~-10/15:0 5:30 20~395/15:1000",
		"-295~-10/15:0 5:30 20~395/15:1000", ARRIVED("99.9%"));
	/* 30 were seen at 5, the first sample after 0 + 1 s */
	expect_stage("s", INCONCLUSIVE);
	expect_count(sli()->good, 970, 1000);
}

static void rule_23_late_arrivals_may_have_been_sent_inside(void **state)
{
	(void)state;
	arrivals("-295~5/15:0 20~395/15:1000", "-295~5/15:0 20~350/15:970 365:995 380~395/15:999",
		"-295~5/15:0 20~350/15:970 365:995 380~395/15:999", ARRIVED("99%"));
	/* 995 at 365, the first sample after 360 + 1 s */
	expect_stage("s", INCONCLUSIVE);
	expect_count(sli()->good, 970, 995);
}

static void rule_23_arrivals_are_at_most_what_was_sent(void **state)
{
	(void)state;
	arrivals("-295~5/15:0 20~395/15:1000", "-295~5/15:0 20~395/15:1005",
		"-295~5/15:0 20~395/15:1005", ARRIVED("99%"));
	expect_exact(sli()->good, 1000);
	expect_exact(sli()->bad, 0);
}

static void rule_23_nothing_sent_is_no_traffic(void **state)
{
	(void)state;
	arrivals(EVERY ":7", EVERY ":0", EVERY ":0", ARRIVED("99%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, NO_TRAFFIC);
}

static void rule_23_exclude_is_taken_out_of_what_was_sent(void **state)
{
	(void)state;
	given("withdrawn_total" A, UP_TO("10"));
	arrivals("-295~5/15:0 20~395/15:1000", "-295~5/15:0 20~395/15:990",
		"-295~5/15:0 20~395/15:990", ARRIVED("99.9%") ", exclude: withdrawn_total");
	/* the 10 withdrawn may have arrived, and 10 others be lost: 980 of 990 */
	expect_stage("s", INCONCLUSIVE);
	expect_count(sli()->good, 980, 990);
	expect_exact(sli()->total, 990);
	expect_exact(sli()->excluded, 10);
}

static void rule_23_an_unknown_histogram_proves_no_arrival(void **state)
{
	(void)state;
	given_target("a");
	given("sent_total" A, UP_TO("1000"));
	judge_stage(ARRIVED("1%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, METRIC_UNKNOWN);
}

/* --- rule 24 --- */

static void events(const char *good, const char *bad, const char *more)
{
	char item[256];

	given_target("a");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"200\"}", good);
	given("reqs_total{job=\"app\",instance=\"a\",code=\"500\"}", bad);
	snprintf(item, sizeof item,
		"id: s, objective: 0.9, good: 'reqs_total{code=\"200\"}', total: reqs_total, %s",
		more);
	judge_stage(item);
}

static void rule_24_too_few_events_leave_no_pass(void **state)
{
	(void)state;
	events(UP_TO("99"), UP_TO("0"), "at_least: 100");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, TOO_FEW_EVENTS);
	assert_int_equal(sli()->confidence, CONFIDENCE_NONE);
	expect_run(INCONCLUSIVE);
}

static void rule_24_just_enough_events_pass(void **state)
{
	(void)state;
	events(UP_TO("99"), UP_TO("1"), "at_least: 100");
	expect_stage("s", PASS);
	expect_no_note(&sli()->notes, TOO_FEW_EVENTS);
}

static void rule_24_a_fail_stays_one(void **state)
{
	(void)state;
	events(UP_TO("50"), UP_TO("49"), "at_least: 100");
	expect_stage("s", FAIL);
}

static void rule_24_the_upper_end_is_what_counts(void **state)
{
	(void)state;
	given_process("b", "200~395/15", "@-5000");
	given("reqs_total{job=\"app\",instance=\"b\",code=\"200\"}", "200~395/15:10");
	events(UP_TO("95"), UP_TO("0"), "at_least: 100");
	expect_count(sli()->total, 95, 105);
	expect_stage("s", PASS);
}

static void rule_24_counts_the_sum_of_steps(void **state)
{
	(void)state;
	given_target("a");
	given("x_total{job=\"app\",instance=\"a\",code=\"200\"}", UP_TO("60"));
	given("y_total{job=\"app\",instance=\"a\",code=\"200\"}", UP_TO("39"));
	judge_stage("id: s, objective: 90%, at_least: 100, steps: ["
		    "{ id: x, good: 'x_total{code=\"200\"}', total: x_total }, "
		    "{ id: y, good: 'y_total{code=\"200\"}', total: y_total } ]");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, TOO_FEW_EVENTS);
}

/* --- rule 25: balance --- */

#define BALANCE "id: i, balance: { left: [sold_total], right: [paid_total] }, at_most: 0"

static void balance(const char *left, const char *right)
{
	given_target("a");
	given("sold_total" A, left);
	given("paid_total" A, right);
	judge_invariant(BALANCE);
}

static void rule_25_equal_sides_are_held(void **state)
{
	(void)state;
	balance("-295~5/15:0 20~395/15:100", "-295~95/15:7 110~395/15:107");
	expect_verdict("i", HELD, 0, 0);
}

static void rule_25_the_left_may_be_more(void **state)
{
	(void)state;
	balance("-295~5/15:0 20~395/15:101", "-295~95/15:7 110~395/15:107");
	expect_verdict("i", VIOLATED, 1, 1);
}

static void rule_25_the_right_may_be_more(void **state)
{
	(void)state;
	balance("-295~5/15:0 20~395/15:98", "-295~95/15:7 110~395/15:107");
	expect_verdict("i", VIOLATED, 2, 2);
}

static void rule_25_growth_at_the_start_may_be_outside(void **state)
{
	(void)state;
	balance("-295~-10/15:0 5:3 20~395/15:100", "-295~5/15:0 20~395/15:97");
	/* left is [97, 100] */
	expect_verdict("i", UNPROVEN, 0, 3);
	expect_note(&check("i")->notes, UNDECIDED);
}

static void rule_25_growth_at_the_end_may_be_outside(void **state)
{
	(void)state;
	balance("-295~5/15:0 20~350/15:100 365~395/15:104", "-295~5/15:0 20~395/15:100");
	expect_verdict("i", UNPROVEN, 0, 4);
}

static void rule_25_sides_too_far_apart_are_violated_at_any_edge(void **state)
{
	(void)state;
	balance("-295~-10/15:0 5:3 20~350/15:100 365~395/15:104", "-295~5/15:0 20~395/15:90");
	/* left is [97, 104] */
	expect_verdict("i", VIOLATED, 7, 14);
}

static void rule_25_growth_after_the_outer_sample_is_outside(void **state)
{
	(void)state;
	balance("-295~-10/15:0 5:0 20~365/15:100 380~395/15:150", "-295~5/15:0 20~395/15:100");
	expect_verdict("i", HELD, 0, 0);
}

static void rule_25_processes_are_scraped_at_other_moments(void **state)
{
	(void)state;
	given_target("a");
	given_process("b", "-288~402/15", "@-4000");
	given("sold_total" A, EVERY ":0+10");
	given("paid_total" B, "-288~402/15:0+10");
	judge_invariant(BALANCE);
	/* inner 230, outer 250 on both sides */
	expect_verdict("i", UNPROVEN, 0, 20);
	judge_invariant("id: i, balance: { left: [sold_total], right: [paid_total] }, "
			"at_most: 20");
	expect_verdict("i", HELD, 0, 20);
}

static void rule_25_a_side_that_is_unknown_proves_nothing(void **state)
{
	(void)state;
	given_target("a");
	given("sold_total" A, EVERY ":0");
	judge_invariant(BALANCE);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, METRIC_UNKNOWN);
}

static void rule_25_an_unseen_side_is_open(void **state)
{
	(void)state;
	asked_at(1000);
	given_target("a");
	given_process("b", "-295~200/15", "@-4000");
	given("sold_total" A, EVERY ":0");
	given("paid_total" B, "-295~200/15:0");
	judge_invariant(BALANCE);
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
}

static void rule_25_refused_samples_refuse_the_balance(void **state)
{
	(void)state;
	balance(EVERY ":0", "-295~200/15:3 215:-1 230~395/15:3");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	expect_note(&check("i")->notes, BAD_VALUE);
}

/* --- rule 25: witness --- */

#define WITNESSED                                                                                  \
	"id: i, count: 'errors_total{job=\"app\"}', at_most: 0, witness: 'seen_errors_total'"

static void app_restarts(const char *errors)
{
	given("up" A, EVERY ":1");
	given("process_start_time_seconds" A, "-295~200/15:@-5000 215~395/15:@210");
	given("errors_total" A, errors);
}

static void gateway(const char *up, const char *seen)
{
	given("up{job=\"gw\",instance=\"g\"}", up);
	given("process_start_time_seconds{job=\"gw\",instance=\"g\"}", EVERY ":@-9000");
	given("seen_errors_total{job=\"gw\",instance=\"g\"}", seen);
}

static void rule_25_a_witness_that_stayed_proves_the_zero(void **state)
{
	(void)state;
	app_restarts(EVERY ":0");
	gateway(EVERY ":1", EVERY ":3");
	judge_invariant(WITNESSED);
	expect_verdict("i", HELD, 0, 0);
	expect_note(&check("i")->notes, WITNESSED);
	expect_run(PASS);
}

static void rule_25_without_a_witness_it_is_unproven(void **state)
{
	(void)state;
	app_restarts(EVERY ":0");
	gateway(EVERY ":1", EVERY ":3");
	judge_invariant("id: i, count: 'errors_total{job=\"app\"}', at_most: 0");
	expect_verdict("i", UNPROVEN, 0, INFINITY);
}

static void rule_25_a_witness_that_saw_something_proves_nothing(void **state)
{
	(void)state;
	app_restarts(EVERY ":0");
	gateway(EVERY ":1", "-295~200/15:3 215~395/15:4");
	judge_invariant(WITNESSED);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_no_note(&check("i")->notes, WITNESSED);
}

static void rule_25_a_witness_that_left_proves_nothing(void **state)
{
	(void)state;
	asked_at(1000);
	app_restarts(EVERY ":0");
	gateway("-295~200/15:1 215~395/15:0", "-295~200/15:3");
	judge_invariant(WITNESSED);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
}

static void rule_25_a_witness_must_be_known(void **state)
{
	(void)state;
	app_restarts(EVERY ":0");
	judge_invariant(WITNESSED);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
}

static void rule_25_a_witness_excuses_no_violation(void **state)
{
	(void)state;
	app_restarts("-295~95/15:0 110~200/15:1 215~395/15:0");
	gateway(EVERY ":1", EVERY ":3");
	judge_invariant(WITNESSED);
	expect_verdict("i", VIOLATED, 1, INFINITY);
}

static void rule_25_a_witness_proves_a_lagging_target_too(void **state)
{
	(void)state;
	given_process("a", "-295~350/15", "@-5000");
	given("errors_total" A, "-295~350/15:0");
	gateway(EVERY ":1", EVERY ":3");
	judge_invariant(WITNESSED);
	expect_verdict("i", HELD, 0, 0);
}

static void rule_25_a_witness_does_not_prove_an_unknown_metric(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("process_start_time_seconds" A, "-295~200/15:@-5000 215~395/15:@210");
	gateway(EVERY ":1", EVERY ":3");
	judge_invariant(WITNESSED);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, METRIC_UNKNOWN);
}

static void rule_25_a_witness_does_not_speak_for_a_target_never_seen(void **state)
{
	(void)state;
	given_target("a");
	given("up" B, EVERY ":0");
	given("errors_total" A, EVERY ":0");
	gateway(EVERY ":1", EVERY ":3");
	judge_invariant(WITNESSED);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, TARGET_DOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(rule_23_all_that_arrived_in_time_passes),
		RULE(rule_23_what_never_arrived_is_bad),
		RULE(rule_23_what_arrived_late_is_bad),
		RULE(rule_23_early_arrivals_may_have_been_sent_before),
		RULE(rule_23_late_arrivals_may_have_been_sent_inside),
		RULE(rule_23_arrivals_are_at_most_what_was_sent),
		RULE(rule_23_nothing_sent_is_no_traffic),
		RULE(rule_23_exclude_is_taken_out_of_what_was_sent),
		RULE(rule_23_an_unknown_histogram_proves_no_arrival),
		RULE(rule_24_too_few_events_leave_no_pass),
		RULE(rule_24_just_enough_events_pass),
		RULE(rule_24_a_fail_stays_one),
		RULE(rule_24_the_upper_end_is_what_counts),
		RULE(rule_24_counts_the_sum_of_steps),
		RULE(rule_25_equal_sides_are_held),
		RULE(rule_25_the_left_may_be_more),
		RULE(rule_25_the_right_may_be_more),
		RULE(rule_25_growth_at_the_start_may_be_outside),
		RULE(rule_25_growth_at_the_end_may_be_outside),
		RULE(rule_25_sides_too_far_apart_are_violated_at_any_edge),
		RULE(rule_25_growth_after_the_outer_sample_is_outside),
		RULE(rule_25_processes_are_scraped_at_other_moments),
		RULE(rule_25_a_side_that_is_unknown_proves_nothing),
		RULE(rule_25_an_unseen_side_is_open),
		RULE(rule_25_refused_samples_refuse_the_balance),
		RULE(rule_25_a_witness_that_stayed_proves_the_zero),
		RULE(rule_25_without_a_witness_it_is_unproven),
		RULE(rule_25_a_witness_that_saw_something_proves_nothing),
		RULE(rule_25_a_witness_that_left_proves_nothing),
		RULE(rule_25_a_witness_must_be_known),
		RULE(rule_25_a_witness_excuses_no_violation),
		RULE(rule_25_a_witness_proves_a_lagging_target_too),
		RULE(rule_25_a_witness_does_not_prove_an_unknown_metric),
		RULE(rule_25_a_witness_does_not_speak_for_a_target_never_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
