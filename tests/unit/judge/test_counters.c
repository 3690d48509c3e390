/* Rules 5 to 10: counting the growth of counters, and what may have been lost. */
#include "fixture.h"

#define A "{job=\"app\",instance=\"a\"}"
#define B "{job=\"app\",instance=\"b\"}"
#define OK_A "reqs_total{job=\"app\",instance=\"a\",code=\"200\"}"
#define OK_B "reqs_total{job=\"app\",instance=\"b\",code=\"200\"}"
#define BAD_A "reqs_total{job=\"app\",instance=\"a\",code=\"500\"}"
#define ERRORS "id: i, count: errors_total, at_most: 0"
#define COUNTED "id: f, count: errors_total"
#define CODES(objective)                                                                           \
	"id: s, objective: " objective ", good: 'reqs_total{code=\"200\"}', total: reqs_total"

/* --- rule 5 --- */

static void rule_05_baseline_is_last_sample_at_or_before_start(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~-25/15:2 -10:5 5~350/15:9 365~395/15:9");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 4, 4);
}

static void rule_05_a_sample_at_the_start_is_the_baseline(void **state)
{
	(void)state;
	given_process("a", "-300~390/15", "@-5000");
	given("errors_total" A, "-300~-15/15:2 0:5 15~390/15:9");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 4, 4);
	expect_no_note(&check("f")->notes, BASELINE_GROWTH);
}

static void rule_05_growth_between_baseline_and_start_counts_with_a_note(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~-10/15:0 5~395/15:3");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 3, 3);
	expect_note(&check("i")->notes, BASELINE_GROWTH);
	assert_string_equal(note_value(&check("i")->notes, REASON_BASELINE_GROWTH, "growth"), "3");
}

static void rule_05_no_growth_before_the_start_needs_no_note(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~5/15:0 20~395/15:3");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 3, 3);
	expect_no_note(&check("i")->notes, BASELINE_GROWTH);
}

static void rule_05_after_a_reset_the_new_value_counts(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~-10/15:10 5~95/15:20 110~200/15:3 215~395/15:5");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 15, 15);
	assert_int_equal(result()->quality.n_resets, 1);
}

static void rule_05_an_equal_value_is_no_growth(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, EVERY ":123456789");
	judge_invariant(ERRORS);
	expect_verdict("i", HELD, 0, 0);
	assert_int_equal(result()->quality.n_resets, 0);
}

static void rule_05_large_integers_stay_integers(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~170/15:9007199254740990 185~395/15:9007199254740991");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 1, 1);
}

static void rule_05_a_ratio_ends_at_the_last_sample_in_the_window(void **state)
{
	(void)state;
	given_target("a");
	given(OK_A, "-295~-10/15:0 5~395/15:100");
	given(BAD_A, "-295~350/15:0 365~395/15:50");
	judge_stage(CODES("99%"));
	expect_stage("s", PASS);
	expect_exact(stage("s")->sli.good, 100);
	expect_exact(stage("s")->sli.bad, 0);
}

static void rule_05_a_sample_at_the_end_is_in_the_window(void **state)
{
	(void)state;
	given_process("a", "-300~390/15", "@-5000");
	given(OK_A, "-300~-15/15:0 0:0 15~390/15:100");
	given(BAD_A, "-300~345/15:0 360~390/15:50");
	judge_stage(CODES("99%"));
	expect_stage("s", FAIL);
	expect_exact(stage("s")->sli.bad, 50);
}

static void rule_05_an_invariant_ends_at_the_first_good_scrape_after_the_end(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~350/15:0 365:1 380~395/15:1");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 1, 1);
}

static void rule_05_an_invariant_ignores_what_comes_later(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~365/15:0 380~395/15:1");
	judge_invariant(ERRORS);
	expect_verdict("i", HELD, 0, 0);
}

static void rule_05_a_birth_at_the_first_scrape_after_the_end_is_seen(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total{job=\"app\",instance=\"a\",kind=\"x\"}", EVERY ":0");
	given("errors_total{job=\"app\",instance=\"a\",kind=\"y\"}", "365~395/15:2");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 2, 2);
}

static void rule_05_a_series_absent_at_the_end_did_not_grow(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total{job=\"app\",instance=\"a\",kind=\"x\"}", EVERY ":0");
	given("errors_total{job=\"app\",instance=\"a\",kind=\"y\"}", "-295~350/15:4 380~395/15:9");
	judge_invariant(ERRORS);
	expect_verdict("i", HELD, 0, 0);
}

static void rule_05_a_gap_over_the_start_makes_an_interval(void **state)
{
	(void)state;
	given_process("a", "-295~-40/15 20~395/15", "@-5000");
	given("errors_total" A, "-295~-40/15:1 20~200/15:8 215~395/15:10");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 2, 9);
	expect_note(&check("f")->notes, EDGE_GAP);
	assert_string_equal(note_value(&check("f")->notes, REASON_EDGE_GAP, "edge"), "start");
}

static void rule_05_one_and_a_half_intervals_are_no_gap(void **state)
{
	(void)state;
	given_process("a", "-295~-15/10 5~395/10", "@-5000");
	given("errors_total" A, "-295~-15/10:1 5~395/10:8");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 7, 7);
	expect_no_note(&check("f")->notes, EDGE_GAP);
}

static void rule_05_a_bit_more_is_a_gap(void **state)
{
	(void)state;
	given_process("a", "-296~-16/10 5~395/10", "@-5000");
	given("errors_total" A, "-296~-16/10:1 5~395/10:8");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 0, 7);
}

static void rule_05_a_gap_over_the_end_makes_an_interval(void **state)
{
	(void)state;
	given_process("a", "-295~320/15 395~410/15", "@-5000");
	given("errors_total" A, "-295~200/15:1 215~320/15:3 395~410/15:8");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 2, 7);
	assert_string_equal(note_value(&check("f")->notes, REASON_EDGE_GAP, "edge"), "end");
}

static void rule_05_without_growth_across_it_a_gap_changes_nothing(void **state)
{
	(void)state;
	given_process("a", "-295~-40/15 20~320/15 395~410/15", "@-5000");
	given("errors_total" A, "-295~-40/15:8 20~320/15:8 395~410/15:8");
	judge_invariant(ERRORS);
	expect_verdict("i", HELD, 0, 0);
}

/* --- rule 6 --- */

static void rule_06_birth_at_good_scrape_counts_fully(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "185~395/15:4");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 4, 4);
	assert_int_equal(result()->quality.n_births, 1);
}

static void rule_06_a_failed_scrape_before_the_birth_does_not_hide_it(void **state)
{
	(void)state;
	given("up" A, "-295~155/15:1 170:0 185~395/15:1");
	given("process_start_time_seconds" A, "-295~155/15:@-5000 185~395/15:@-5000");
	given("errors_total" A, "185~395/15:4");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 4, 4);
}

static void rule_06_first_value_without_an_earlier_good_scrape_is_an_interval(void **state)
{
	(void)state;
	given("up" A, "-295~170/15:0 185~395/15:1");
	given("process_start_time_seconds" A, "185~395/15:@-5000");
	given("errors_total" A, "185~395/15:4");
	judge_figure(COUNTED);
	assert_true(check("f")->observed.low == 0);
	assert_true(check("f")->observed.high >= 4);
	expect_note(&check("f")->notes, BIRTH_UNKNOWN);
}

static void rule_06_a_process_that_started_in_the_window_counts_from_zero(void **state)
{
	(void)state;
	given_target("a");
	given_process("b", "50~395/15", "@40");
	given("errors_total" B, "50~395/15:7");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 7, 7);
}

static void rule_06_a_process_that_started_at_the_start_counts_from_zero(void **state)
{
	(void)state;
	given_process("b", "50~395/15", "@0");
	given("errors_total" B, "50~395/15:7");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 7, 7);
}

static void rule_06_a_process_that_started_before_is_an_interval(void **state)
{
	(void)state;
	given_process("b", "50~395/15", "@-1");
	given("errors_total" B, "50~395/15:7");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 0, 7);
	expect_note(&check("f")->notes, BIRTH_UNKNOWN);
}

static void rule_06_created_in_the_window_counts_from_zero(void **state)
{
	(void)state;
	given_process("b", "50~395/15", "@-5000");
	given("errors_total{job=\"app\",instance=\"b\",kind=\"x\"}", "50~395/15:7");
	given("errors_created{job=\"app\",instance=\"b\",kind=\"x\"}", "50~395/15:@30");
	given("errors_created{job=\"app\",instance=\"b\",kind=\"y\"}", "50~395/15:@-4000");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 7, 7);
}

static void rule_06_created_before_the_start_is_an_interval(void **state)
{
	(void)state;
	given_process("b", "50~395/15", "@-5000");
	given("errors_total{job=\"app\",instance=\"b\",kind=\"x\"}", "50~395/15:7");
	given("errors_created{job=\"app\",instance=\"b\",kind=\"x\"}", "50~395/15:@-1");
	given("errors_created{job=\"app\",instance=\"b\",kind=\"y\"}", "50~395/15:@30");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 0, 7);
}

static void rule_06_created_serves_buckets_too(void **state)
{
	(void)state;
	given_process("b", "50~395/15", "@-5000");
	given("lat_count" B, "50~395/15:10");
	given("lat_bucket{job=\"app\",instance=\"b\",le=\"1\"}", "50~395/15:9");
	given("lat_created" B, "50~395/15:@30");
	judge_stage("id: s, objective: 90%, histogram: lat, within: 1s");
	expect_stage("s", PASS);
	expect_exact(stage("s")->sli.good, 9);
	expect_exact(stage("s")->sli.total, 10);
}

static void rule_06_after_an_absence_the_next_sample_is_a_birth(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~95/15:10 140~395/15:12");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 12, 12);
}

static void rule_06_without_an_absence_only_the_growth_counts(void **state)
{
	(void)state;
	given("up" A, "-295~95/15:1 110~125/15:0 140~395/15:1");
	given("process_start_time_seconds" A, "-295~95/15:@-5000 140~395/15:@-5000");
	given("errors_total" A, "-295~95/15:10 140~395/15:12");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 2, 2);
}

/* --- rule 7 --- */

static void rule_07_a_restart_leaves_the_lost_stretch_unseen(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("process_start_time_seconds" A, "-295~200/15:@-5000 215~395/15:@210");
	given("errors_total" A, "-295~200/15:3 215~395/15:0");
	judge_invariant(ERRORS);
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
}

static void rule_07_a_restart_before_the_window_loses_nothing_inside(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("process_start_time_seconds" A, "-295~-100/15:@-5000 -85~395/15:@-90");
	given("errors_total" A, "-295~-100/15:3 -85~395/15:0");
	judge_invariant(ERRORS);
	expect_verdict("i", HELD, 0, 0);
}

static void rule_07_a_restart_can_hide_in_a_value_that_did_not_fall(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("process_start_time_seconds" A, "-295~200/15:@-5000 215~395/15:@215");
	given(OK_A, "-295~-10/15:100 5~200/15:200 215~395/15:250");
	given("errors_total" A, EVERY ":7");
	judge("stages: [ { " CODES("1%") " } ]\n"
					 "invariants: [ { " ERRORS " } ]");
	/* 100, then 50 if the counter outlived the process, else 250; one interval is unseen */
	assert_true(stage("s")->sli.good.low == 150);
	assert_true(stage("s")->sli.good.high >= 350);
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
}

static void rule_07_a_violation_seen_stays_one(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("process_start_time_seconds" A, "-295~200/15:@-5000 215~395/15:@210");
	given("errors_total" A, "-295~95/15:3 110~200/15:4 215~395/15:0");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 1, INFINITY);
}

/* --- rule 8 --- */

/* a counts 10 each scrape; b as well until 200, then it is gone */
static void b_leaves(const char *up_b)
{
	asked_at(1000);
	given_target("a");
	given("up" B, up_b);
	given("process_start_time_seconds" B, "-295~200/15:@-5000");
	given(OK_A, EVERY ":0+10");
	given(OK_B, "-295~200/15:0+10");
}

static void rule_08_an_ended_target_leaves_one_interval_unseen(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1");
	judge_stage(CODES("97%"));
	/* 24 and 14 scrapes of 10; worst 380 of 390 */
	expect_stage("s", PASS);
	expect_count(stage("s")->sli.good, 380, 390);
	expect_count(stage("s")->sli.bad, 0, 10);
	expect_count(stage("s")->sli.total, 380, 390);
	expect_note(&stage("s")->sli.notes, UNSEEN_BAD);
}

static void rule_08_pass_needs_the_objective_with_all_unseen_bad(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1");
	judge_stage(CODES("98%"));
	expect_stage("s", INCONCLUSIVE);
	assert_true(stage("s")->sli.has_unseen);
	assert_int_equal(stage("s")->sli.if_proportional, STAGE_PASS);
	expect_note(&stage("s")->sli.notes, UNSEEN);
	expect_run(INCONCLUSIVE);
}

static void rule_08_failed_scrapes_reach_one_interval_past_the_last(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1 215~245/15:0");
	judge_stage(CODES("90%"));
	expect_stage("s", PASS);
	expect_count(stage("s")->sli.bad, 0, 40);
}

static void rule_08_a_restart_leaves_the_time_to_the_new_start_unseen(void **state)
{
	(void)state;
	given("up" A, "-295~200/15:1 215:0 230~395/15:1");
	given("process_start_time_seconds" A, "-295~200/15:@-5000 230~395/15:@215");
	given(OK_A, "-295~200/15:0+10 230~395/15:10+10");
	judge_stage(CODES("90%"));
	expect_count(stage("s")->sli.bad, 0, 10);
}

static void rule_08_the_largest_count_of_any_target_bounds_the_unseen(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1");
	given_target("c");
	given("reqs_total{job=\"app\",instance=\"c\",code=\"200\"}", "-295~95/15:0 110~395/15:100");
	judge_stage(CODES("50%"));
	expect_count(stage("s")->sli.bad, 0, 100);
}

static void rule_08_the_bound_is_of_all_series_of_a_target_together(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1");
	given(BAD_A, EVERY ":0+5");
	judge_stage(CODES("50%"));
	/* 24 scrapes of 5, and one interval of 10 + 5 */
	expect_count(stage("s")->sli.bad, 120, 135);
}

static void rule_08_proportional_takes_the_unseen_to_be_like_the_seen(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1");
	judge("targets: { unseen: proportional }\nstages: [ { " CODES("98%") " } ]");
	expect_stage("s", PASS);
	expect_exact(stage("s")->sli.good, 380);
	assert_true(stage("s")->sli.proportional);
	assert_int_equal(stage("s")->sli.if_unseen_bad, STAGE_INCONCLUSIVE);
	expect_note(&stage("s")->sli.notes, UNSEEN_PROPORTIONAL);
	assert_string_equal(
		note_value(&stage("s")->sli.notes, REASON_UNSEEN_PROPORTIONAL, "verdict"),
		"INCONCLUSIVE");
}

static void rule_08_proportional_proves_no_zero(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1");
	judge("targets: { unseen: proportional }\n"
	      "invariants: [ { id: i, count: 'reqs_total{code=~\"5..\"}', at_most: 0 } ]");
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
}

static void rule_08_an_unseen_stretch_leaves_no_bound_on_an_invariant(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1");
	judge_invariant("id: i, count: reqs_total, at_most: 100000");
	expect_verdict("i", UNPROVEN, 380 + 10, INFINITY);
}

static void rule_08_figures_have_no_bound_either(void **state)
{
	(void)state;
	b_leaves("-295~200/15:1");
	judge_figure("id: f, count: reqs_total");
	expect_verdict("f", SHOWN, 380, INFINITY);
}

static void rule_08_a_target_that_ended_before_the_window_could_not_count(void **state)
{
	(void)state;
	asked_at(1000);
	given_target("a");
	given_process("b", "-295~-40/15", "@-5000");
	given("errors_total" A, EVERY ":0");
	given("errors_total" B, "-295~-40/15:0");
	judge_invariant(ERRORS);
	expect_verdict("i", HELD, 0, 0);
}

/* --- rule 9 --- */

static void rule_09_counters_lose_nothing_in_a_gap_of_one_process(void **state)
{
	(void)state;
	given_process("a", "-295~95/15 200~395/15", "@-5000");
	given("errors_total" A, "-295~95/15:7 200~395/15:7");
	judge_invariant(ERRORS);
	expect_verdict("i", HELD, 0, 0);
	assert_int_equal(result()->quality.n_gaps, 1);
}

static void rule_09_growth_over_a_gap_counts(void **state)
{
	(void)state;
	given_process("a", "-295~95/15 200~395/15", "@-5000");
	given("errors_total" A, "-295~95/15:7 200~395/15:9");
	judge_invariant(ERRORS);
	expect_verdict("i", VIOLATED, 2, 2);
}

static void rule_09_failed_scrapes_of_one_process_lose_nothing_either(void **state)
{
	(void)state;
	given("up" A, "-295~95/15:1 110~185/15:0 200~395/15:1");
	given("process_start_time_seconds" A, "-295~95/15:@-5000 200~395/15:@-5000");
	given("errors_total" A, "-295~95/15:7 200~395/15:7");
	judge_invariant(ERRORS);
	expect_verdict("i", HELD, 0, 0);
}

static void rule_09_a_gap_with_another_process_after_it_is_unseen(void **state)
{
	(void)state;
	given_process("x", EVERY, "@-5000");
	given("up" A, "-295~95/15:1 200~395/15:1");
	given("process_start_time_seconds" A, "-295~95/15:@-5000 200~395/15:@150");
	given("errors_total" A, "-295~95/15:7 200~395/15:7");
	judge_invariant("id: i, count: 'errors_total{instance=\"a\"}', at_most: 0");
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
}

/* --- rule 10 --- */

static void rule_10_staleness_markers_are_no_values(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~200/15:3 215:stale");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 0, 0);
}

static void refused_for(const char *samples, const char *value)
{
	given_target("a");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"500\"}", samples);
	given(OK_A, EVERY ":0+10");
	judge("stages: [ { " CODES(
		"98%") " } ]\n"
		       "invariants: [ { id: i, count: reqs_total, at_most: 99999 } ]");
	expect_stage("s", INCONCLUSIVE);
	expect_refused(stage("s")->sli.good);
	expect_refused(stage("s")->sli.total);
	expect_note(&stage("s")->sli.notes, BAD_VALUE);
	expect_verdict("i", UNPROVEN, NAN, NAN);
	assert_string_equal(note_value(&check("i")->notes, REASON_BAD_VALUE, "value"), value);
	expect_run(INCONCLUSIVE);
}

static void rule_10_nan_refuses_the_family(void **state)
{
	(void)state;
	refused_for("-295~200/15:3 215:NaN 230~395/15:3", "NaN");
}

static void rule_10_infinity_refuses_the_family(void **state)
{
	(void)state;
	refused_for("-295~200/15:3 215:+Inf 230~395/15:3", "+Inf");
}

static void rule_10_a_negative_value_refuses_the_family(void **state)
{
	(void)state;
	refused_for("-295~200/15:3 215:-1 230~395/15:3", "-1");
}

static void rule_10_the_other_replica_s_sample_is_no_reset(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~200/15:10000 205:9950 215~395/15:10000");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, NAN, NAN);
	expect_note(&check("f")->notes, NOT_IN_THIS_BUILD);
}

static void rule_10_a_fall_by_one_percent_is_a_reset(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~200/15:10000 205:9900 215~395/15:9900");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 9900, 9900);
}

static void rule_10_a_fall_after_half_an_interval_is_a_reset(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, "-295~200/15:10000 207.5:9950 215~395/15:9950");
	judge_figure(COUNTED);
	expect_verdict("f", SHOWN, 9950, 9950);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(rule_05_baseline_is_last_sample_at_or_before_start),
		RULE(rule_05_a_sample_at_the_start_is_the_baseline),
		RULE(rule_05_growth_between_baseline_and_start_counts_with_a_note),
		RULE(rule_05_no_growth_before_the_start_needs_no_note),
		RULE(rule_05_after_a_reset_the_new_value_counts),
		RULE(rule_05_an_equal_value_is_no_growth),
		RULE(rule_05_large_integers_stay_integers),
		RULE(rule_05_a_ratio_ends_at_the_last_sample_in_the_window),
		RULE(rule_05_a_sample_at_the_end_is_in_the_window),
		RULE(rule_05_an_invariant_ends_at_the_first_good_scrape_after_the_end),
		RULE(rule_05_an_invariant_ignores_what_comes_later),
		RULE(rule_05_a_birth_at_the_first_scrape_after_the_end_is_seen),
		RULE(rule_05_a_series_absent_at_the_end_did_not_grow),
		RULE(rule_05_a_gap_over_the_start_makes_an_interval),
		RULE(rule_05_one_and_a_half_intervals_are_no_gap),
		RULE(rule_05_a_bit_more_is_a_gap),
		RULE(rule_05_a_gap_over_the_end_makes_an_interval),
		RULE(rule_05_without_growth_across_it_a_gap_changes_nothing),
		RULE(rule_06_birth_at_good_scrape_counts_fully),
		RULE(rule_06_a_failed_scrape_before_the_birth_does_not_hide_it),
		RULE(rule_06_first_value_without_an_earlier_good_scrape_is_an_interval),
		RULE(rule_06_a_process_that_started_in_the_window_counts_from_zero),
		RULE(rule_06_a_process_that_started_at_the_start_counts_from_zero),
		RULE(rule_06_a_process_that_started_before_is_an_interval),
		RULE(rule_06_created_in_the_window_counts_from_zero),
		RULE(rule_06_created_before_the_start_is_an_interval),
		RULE(rule_06_created_serves_buckets_too),
		RULE(rule_06_after_an_absence_the_next_sample_is_a_birth),
		RULE(rule_06_without_an_absence_only_the_growth_counts),
		RULE(rule_07_a_restart_leaves_the_lost_stretch_unseen),
		RULE(rule_07_a_restart_before_the_window_loses_nothing_inside),
		RULE(rule_07_a_restart_can_hide_in_a_value_that_did_not_fall),
		RULE(rule_07_a_violation_seen_stays_one),
		RULE(rule_08_an_ended_target_leaves_one_interval_unseen),
		RULE(rule_08_pass_needs_the_objective_with_all_unseen_bad),
		RULE(rule_08_failed_scrapes_reach_one_interval_past_the_last),
		RULE(rule_08_a_restart_leaves_the_time_to_the_new_start_unseen),
		RULE(rule_08_the_largest_count_of_any_target_bounds_the_unseen),
		RULE(rule_08_the_bound_is_of_all_series_of_a_target_together),
		RULE(rule_08_proportional_takes_the_unseen_to_be_like_the_seen),
		RULE(rule_08_proportional_proves_no_zero),
		RULE(rule_08_an_unseen_stretch_leaves_no_bound_on_an_invariant),
		RULE(rule_08_figures_have_no_bound_either),
		RULE(rule_08_a_target_that_ended_before_the_window_could_not_count),
		RULE(rule_09_counters_lose_nothing_in_a_gap_of_one_process),
		RULE(rule_09_growth_over_a_gap_counts),
		RULE(rule_09_failed_scrapes_of_one_process_lose_nothing_either),
		RULE(rule_09_a_gap_with_another_process_after_it_is_unseen),
		RULE(rule_10_staleness_markers_are_no_values),
		RULE(rule_10_nan_refuses_the_family),
		RULE(rule_10_infinity_refuses_the_family),
		RULE(rule_10_a_negative_value_refuses_the_family),
		RULE(rule_10_the_other_replica_s_sample_is_no_reset),
		RULE(rule_10_a_fall_by_one_percent_is_a_reset),
		RULE(rule_10_a_fall_after_half_an_interval_is_a_reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
