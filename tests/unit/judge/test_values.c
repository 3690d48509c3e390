/* Rules 9 and 22: gauges over the window, several series, members, answers of the server. */
#include "fixture.h"

#define A "{job=\"app\",instance=\"a\"}"
#define B "{job=\"app\",instance=\"b\"}"

static const struct notes *notes(const char *id)
{
	return &check(id)->notes;
}

/* --- first and last --- */

static void rule_22_first_is_the_last_sample_at_or_before_the_start(void **state)
{
	(void)state;
	given_target("a");
	given("seats" A, "-295~-25/15:7 -10:4000 5~395/15:3990");
	judge_precondition("id: p, first: seats, equals: 4000");
	expect_verdict("p", HELD, 4000, 4000);
	expect_no_note(notes("p"), FIRST_INSIDE);
}

static void rule_22_a_first_value_that_differs_is_unmet(void **state)
{
	(void)state;
	given_target("a");
	given("seats" A, "-295~-10/15:3999 5~395/15:4000");
	judge_precondition("id: p, first: seats, equals: 4000");
	expect_verdict("p", VIOLATED, 3999, 3999);
	expect_note(notes("p"), PRECONDITION_UNMET);
	expect_run(INCONCLUSIVE);
	expect_note(&result()->reasons, PRECONDITION_UNMET);
}

static void rule_22_first_may_be_two_intervals_old(void **state)
{
	(void)state;
	given_process("a", "-300~-30/15 15~390/15", "@-5000");
	given("seats" A, "-300~-30/15:4000 15~390/15:3990");
	judge_precondition("id: p, first: seats, equals: 4000");
	expect_verdict("p", HELD, 4000, 4000);
}

static void rule_22_an_older_first_is_taken_from_inside_with_a_note(void **state)
{
	(void)state;
	given_process("a", "-301~-31/15 14~389/15", "@-5000");
	given("seats" A, "-301~-31/15:4000 14~389/15:3990");
	judge_precondition("id: p, first: seats, equals: 4000");
	expect_verdict("p", VIOLATED, 3990, 3990);
	expect_note(notes("p"), FIRST_INSIDE);
}

static void rule_22_first_of_a_series_born_inside_has_a_note(void **state)
{
	(void)state;
	given_target("a");
	given("seats" A, "50~395/15:4000");
	judge_precondition("id: p, first: seats, equals: 4000");
	expect_verdict("p", HELD, 4000, 4000);
	expect_note(notes("p"), FIRST_INSIDE);
}

static void rule_22_first_without_a_sample_is_unproven(void **state)
{
	(void)state;
	given_target("a");
	given("seats" A, "365~395/15:4000");
	judge_precondition("id: p, first: seats, equals: 4000");
	expect_verdict("p", UNPROVEN, NAN, NAN);
	judge_precondition("id: p, first: places, equals: 4000");
	expect_verdict("p", UNPROVEN, NAN, NAN);
	expect_note(notes("p"), METRIC_UNKNOWN);
}

static void rule_22_last_is_the_last_sample_at_or_before_the_end(void **state)
{
	(void)state;
	given_target("a");
	given("seats" A, "-295~335/15:7 350:12 365~395/15:0");
	judge_invariant("id: i, last: seats, equals: 12");
	expect_verdict("i", HELD, 12, 12);
}

static void rule_22_an_older_last_is_unproven(void **state)
{
	(void)state;
	given_process("a", "-295~320/15 395~410/15", "@-5000");
	given("seats" A, "-295~320/15:12 395~410/15:12");
	judge_invariant("id: i, last: seats, equals: 12");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	expect_note(notes("i"), VALUE_TOO_OLD);
}

static void rule_22_last_of_a_series_that_ended_is_unproven(void **state)
{
	(void)state;
	given_target("a");
	given("seats" A, "-295~200/15:12");
	judge_invariant("id: i, last: seats, equals: 12");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	expect_note(notes("i"), VALUE_TOO_OLD);
}

/* --- max, min, avg --- */

static void rule_22_max_includes_the_value_carried_in(void **state)
{
	(void)state;
	given_target("a");
	given("active" A, "-295~-25/15:5 -10:1001 5~395/15:900");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", VIOLATED, 1001, 1001);
	expect_run(INVALID);
}

static void rule_22_max_does_not_reach_further_back(void **state)
{
	(void)state;
	given_target("a");
	given("active" A, "-295~-25/15:5000 -10~350/15:1000 365~395/15:5000");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", HELD, 1000, 1000);
	assert_int_equal(check("i")->sampled_every_ms, 15000);
	expect_note(notes("i"), SAMPLED_EVERY);
	assert_string_equal(note_value(notes("i"), REASON_SAMPLED_EVERY, "interval"), "15s");
}

static void rule_22_max_says_when(void **state)
{
	(void)state;
	given_target("a");
	given("active" A, "-295~185/15:3 200:8 215~395/15:3");
	judge_figure("id: f, max: active");
	expect_verdict("f", SHOWN, 8, 8);
	assert_true(check("f")->max_at_ms == START_MS + 200000);
}

static void rule_22_min_runs_over_the_window(void **state)
{
	(void)state;
	given_target("a");
	given("ready" A, "-295~-25/15:0 -10~185/15:4 200:3 215~350/15:4 365~395/15:0");
	judge_invariant("id: i, min: ready, at_least: 3");
	expect_verdict("i", HELD, 3, 3);
	judge_invariant("id: i, min: ready, at_least: 4");
	expect_verdict("i", VIOLATED, 3, 3);
}

static void rule_22_avg_is_weighted_by_time(void **state)
{
	(void)state;
	given_process("a", "-300~390/15", "@-5000");
	given("busy" A, "-300~75/15:10 90~390/15:20");
	judge_figure("id: f, avg: busy");
	/* 10 for 90 s, 20 for 270 s */
	expect_verdict("f", SHOWN, 17.5, 17.5);
}

static void rule_22_staleness_markers_and_infinities_are_no_values(void **state)
{
	(void)state;
	given_target("a");
	given("active" A, "-295~185/15:3 200:stale 215~395/15:3");
	given("ratio" A, "-295~185/15:3 200:NaN 215~395/15:3");
	judge("invariants:\n  - { id: i, max: active, at_most: 3 }\n"
	      "  - { id: k, max: ratio, at_most: 3 }");
	expect_verdict("i", HELD, 3, 3);
	expect_verdict("k", UNPROVEN, NAN, NAN);
	expect_note(notes("k"), BAD_VALUE);
}

/* --- several series --- */

static void rule_22_several_series_without_across_are_unproven(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("waiting" A, EVERY ":7");
	given("waiting" B, EVERY ":7");
	judge_invariant("id: i, max: waiting, at_most: 1000");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	expect_note(notes("i"), SEVERAL_SERIES);
	assert_string_equal(note_value(notes("i"), REASON_SEVERAL_SERIES, "n"), "2");
}

static void rule_22_across_combines_them(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("waiting" A, EVERY ":7");
	given("waiting" B, EVERY ":9");
	judge("figures:\n"
	      "  - { id: sum, max: waiting, across: sum }\n"
	      "  - { id: max, max: waiting, across: max }\n"
	      "  - { id: min, max: waiting, across: min }\n"
	      "  - { id: avg, max: waiting, across: avg }\n"
	      "  - { id: mean, avg: waiting, across: avg }\n"
	      "invariants: [ { id: first, first: waiting, across: avg, equals: 8 } ]");
	expect_verdict("sum", SHOWN, 16, 16);
	expect_verdict("max", SHOWN, 9, 9);
	expect_verdict("min", SHOWN, 7, 7);
	expect_verdict("avg", SHOWN, 8, 8);
	expect_verdict("mean", SHOWN, 8, 8);
	expect_verdict("first", HELD, 8, 8);
}

static void rule_22_pods_scraped_at_other_moments_add_up_to_no_peak(void **state)
{
	(void)state;
	given_target("a");
	given_process("b", "-288~402/15", "@-4000");
	given("active" A, "-295~170/15:600 185~395/15:300");
	given("active" B, "-288~177/15:300 192~402/15:600");
	judge_invariant("id: i, max: active, across: sum, at_most: 1000");
	expect_verdict("i", HELD, 900, 900);
}

static void rule_22_a_value_is_held_until_the_next_sample(void **state)
{
	(void)state;
	given_target("a");
	given_process("b", "-288~402/15", "@-4000");
	given("active" A, "-295~170/15:600 185~395/15:300");
	given("active" B, "-288~162/15:300 177~402/15:600");
	judge_invariant("id: i, max: active, across: sum, at_most: 1000");
	/* from 177 to 185 both stood at 600 for all that is known */
	expect_verdict("i", VIOLATED, 1200, 1200);
}

static void rule_22_a_series_that_ended_stops_being_carried(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("active" A, "-295~170/15:600");
	given("active" B, "-295~185/15:300 200~395/15:600");
	judge_invariant("id: i, max: active, across: sum, at_most: 1000");
	expect_verdict("i", HELD, 900, 900);
}

static void rule_22_per_keeps_series_apart_and_the_worst_decides(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("waiting" A, EVERY ":7");
	given("waiting" B, EVERY ":9");
	judge_invariant("id: i, max: waiting, per: [instance], at_most: 8");
	expect_verdict("i", VIOLATED, 9, 9);
	assert_int_equal(check("i")->n_members, 2);
	assert_string_equal(labels_get(&check("i")->members[0].labels, "instance"), "a");
	assert_int_equal(check("i")->members[0].verdict, CHECK_HELD);
	assert_int_equal(check("i")->members[1].verdict, CHECK_VIOLATED);
	judge_invariant("id: i, max: waiting, per: [instance], at_most: 9");
	expect_verdict("i", HELD, 9, 9);
}

static void rule_22_an_undecided_member_leaves_the_item_unproven(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("waiting" A, EVERY ":7");
	given("waiting{job=\"app\",instance=\"b\",queue=\"x\"}", EVERY ":7");
	given("waiting{job=\"app\",instance=\"b\",queue=\"y\"}", EVERY ":7");
	judge_invariant("id: i, max: waiting, per: [instance], at_most: 8");
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(notes("i"), MEMBER_UNDECIDED);
	judge_invariant("id: i, max: nothing, per: [instance], at_most: 8");
	expect_verdict("i", UNPROVEN, NAN, NAN);
}

static void rule_22_per_splits_counts_as_well(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("errors_total" A, EVERY ":7");
	given("errors_total" B, "-295~185/15:7 200~395/15:9");
	judge_invariant("id: i, count: errors_total, per: [instance], at_most: 0");
	expect_verdict("i", VIOLATED, 2, 2);
	assert_int_equal(check("i")->n_members, 2);
	expect_exact(check("i")->members[0].observed, 0);
	expect_exact(check("i")->members[1].observed, 2);
}

static void rule_22_optional_values_may_be_absent(void **state)
{
	(void)state;
	given_target("a");
	judge_invariant("id: i, max: waiting, optional: true, at_most: 8");
	assert_int_equal(check("i")->verdict, CHECK_HELD);
	expect_note(notes("i"), OPTIONAL_ABSENT);
}

/* --- gaps (rule 9) --- */

static void rule_09_never_above_is_unproven_over_a_gap(void **state)
{
	(void)state;
	given_process("a", "-295~95/15 200~395/15", "@-5000");
	given("active" A, "-295~95/15:7 200~395/15:7");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", UNPROVEN, 7, INFINITY);
	expect_note(notes("i"), GAUGE_GAP);
}

static void rule_09_never_above_is_unproven_over_failed_scrapes(void **state)
{
	(void)state;
	given("up" A, "-295~95/15:1 110~185/15:0 200~395/15:1");
	given("active" A, "-295~95/15:7 200~395/15:7");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", UNPROVEN, 7, INFINITY);
}

static void rule_09_one_and_a_half_intervals_are_no_gap(void **state)
{
	(void)state;
	given_process("a", "-295~95/10 110~400/10", "@-5000");
	given("active" A, "-295~95/10:7 110~400/10:7");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", HELD, 7, 7);
}

static void rule_09_a_violation_elsewhere_stays(void **state)
{
	(void)state;
	given_process("a", "-295~95/15 200~395/15", "@-5000");
	given("active" A, "-295~95/15:7 200~395/15:1007");
	judge_invariant("id: i, max: active, at_most: 1000");
	assert_int_equal(check("i")->verdict, CHECK_VIOLATED);
	assert_true(check("i")->observed.low == 1007);
}

static void rule_09_a_gap_opens_min_and_avg_too(void **state)
{
	(void)state;
	given_process("a", "-295~95/15 200~395/15", "@-5000");
	given("active" A, "-295~95/15:7 200~395/15:7");
	judge("invariants:\n  - { id: i, min: active, at_least: 7 }\n"
	      "  - { id: k, avg: active, at_most: 7 }\n"
	      "  - { id: m, max: active, across: avg, at_most: 7 }\n"
	      "  - { id: f, first: active, equals: 7 }\n"
	      "  - { id: l, last: active, equals: 7 }");
	expect_verdict("i", UNPROVEN, -INFINITY, 7);
	expect_verdict("k", UNPROVEN, -INFINITY, INFINITY);
	expect_verdict("m", UNPROVEN, -INFINITY, INFINITY);
	expect_verdict("f", HELD, 7, 7);
	expect_verdict("l", HELD, 7, 7);
}

static void rule_09_a_target_that_never_had_the_gauge_leaves_no_gap(void **state)
{
	(void)state;
	given_target("a");
	given_process("b", "-295~95/15 200~395/15", "@-4000");
	given("active" A, EVERY ":7");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", HELD, 7, 7);
}

static void rule_09_a_target_that_was_down_may_have_had_it(void **state)
{
	(void)state;
	given_target("a");
	given("up" B, EVERY ":0");
	given("active" A, EVERY ":7");
	judge_invariant("id: i, max: active, across: sum, at_most: 1000");
	expect_verdict("i", UNPROVEN, 7, INFINITY);
	judge_precondition("id: p, first: active, across: sum, equals: 7");
	expect_verdict("p", UNPROVEN, -INFINITY, INFINITY);
	expect_note(notes("p"), TARGET_DOWN);
}

static void rule_09_an_old_process_first_seen_late_leaves_a_gap(void **state)
{
	(void)state;
	given_process("a", "50~395/15", "@-5000");
	given("active" A, "50~395/15:7");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", UNPROVEN, 7, INFINITY);
	expect_note(notes("i"), GAUGE_GAP);
}

static void rule_09_a_new_process_leaves_none(void **state)
{
	(void)state;
	given_process("a", "50~395/15", "@40");
	given("active" A, "50~395/15:7");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", HELD, 7, 7);
}

static void rule_09_a_lagging_target_leaves_it_open(void **state)
{
	(void)state;
	given_process("a", "-295~350/15", "@-5000");
	given("active" A, "-295~350/15:7");
	judge("invariants:\n  - { id: i, max: active, at_most: 1000 }\n"
	      "  - { id: f, first: active, equals: 7 }");
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(notes("i"), TARGET_LAGGING);
	expect_verdict("f", HELD, 7, 7);
}

static void rule_09_a_gauge_without_a_target_tells_by_its_own_samples(void **state)
{
	(void)state;
	given_target("a");
	given("active" B, EVERY ":7");
	judge_invariant("id: i, max: active, at_most: 1000");
	expect_verdict("i", HELD, 7, 7);
}

static void own_gap(const char *samples)
{
	given_target("a");
	given("active" B, samples);
	judge("invariants:\n  - { id: i, max: active, at_most: 1000 }\n"
	      "  - { id: f, first: active, equals: 7 }");
	expect_verdict("i", UNPROVEN, 7, INFINITY);
	expect_note(notes("i"), NO_TARGET);
	expect_verdict("f", HELD, 7, 7);
}

static void rule_09_a_gap_of_its_own_is_a_gap(void **state)
{
	(void)state;
	own_gap("-295~95/15:7 200~395/15:7");
}

static void rule_09_a_gap_before_does_not_excuse_a_gap_inside(void **state)
{
	(void)state;
	own_gap("-295:7 -85~95/15:7 200~395/15:7");
}

static void rule_09_a_gap_at_the_end_is_a_gap(void **state)
{
	(void)state;
	own_gap("-295~320/15:7");
}

static void rule_22_a_series_that_ended_had_its_maximum(void **state)
{
	(void)state;
	given_target("a");
	given("active" A, "-295~-10/15:9 5~170/15:600");
	judge("invariants:\n  - { id: i, max: active, at_most: 600 }\n"
	      "  - { id: f, first: active, equals: 9 }");
	expect_verdict("i", HELD, 600, 600);
	expect_verdict("f", HELD, 9, 9);
}

/* --- limits --- */

static void rule_22_limits_are_closed(void **state)
{
	(void)state;
	given_target("a");
	given("x" A, EVERY ":0.3");
	judge("invariants:\n"
	      "  - { id: most, max: x, at_most: 0.3 }\n"
	      "  - { id: least, min: x, at_least: 0.3 }\n"
	      "  - { id: equal, last: x, equals: 0.3 }\n"
	      "  - { id: near, last: x, equals: 0.5, within: 0.2 }\n"
	      "  - { id: far, last: x, equals: 0.5, within: 0.1 }\n"
	      "  - { id: over, max: x, at_most: 0.29 }\n"
	      "  - { id: under, min: x, at_least: 0.31 }\n"
	      "  - { id: both, max: x, at_most: 1, at_least: 0.5 }");
	expect_verdict("most", HELD, 0.3, 0.3);
	expect_verdict("least", HELD, 0.3, 0.3);
	expect_verdict("equal", HELD, 0.3, 0.3);
	expect_verdict("near", HELD, 0.3, 0.3);
	expect_verdict("far", VIOLATED, 0.3, 0.3);
	expect_verdict("over", VIOLATED, 0.3, 0.3);
	expect_verdict("under", VIOLATED, 0.3, 0.3);
	expect_verdict("both", VIOLATED, 0.3, 0.3);
	assert_string_equal(
		note_value(notes("far"), REASON_INVARIANT_VIOLATED, "limit"), "= 0.5 +- 0.1");
	assert_string_equal(
		note_value(notes("both"), REASON_INVARIANT_VIOLATED, "limit"), "<= 1, >= 0.5");
}

/* --- query --- */

static void rule_22_a_query_is_filled_and_asked_at_the_end(void **state)
{
	(void)state;
	given_target("a");
	given_answer("increase(x[360000ms]) + 1780000000.000 - 1780000360.000 > $", "", 3);
	judge_invariant("id: i, at_most: 3, "
			"query: 'increase(x[${window}]) + ${start} - ${end} > $'");
	expect_verdict("i", HELD, 3, 3);
	expect_note(notes("i"), BY_SERVER);
	const struct query *q = asked("increase");
	assert_int_equal(q->kind, QUERY_PROMQL);
	assert_true(q->to_ms == START_MS + 360000);
}

static void rule_22_an_answer_over_the_limit_violates(void **state)
{
	(void)state;
	given_target("a");
	given_answer("x", "", 3);
	judge_invariant("id: i, query: x, at_most: 2");
	expect_verdict("i", VIOLATED, 3, 3);
}

static void rule_22_an_empty_answer_is_unproven(void **state)
{
	(void)state;
	given_target("a");
	judge_invariant("id: i, query: x, at_most: 2");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	expect_note(notes("i"), QUERY_EMPTY);
	assert_string_equal(note_value(notes("i"), REASON_QUERY_EMPTY, "answer"), "empty");
}

static void rule_22_a_nan_answer_is_unproven(void **state)
{
	(void)state;
	given_target("a");
	given_answer("x", "", NAN);
	judge_invariant("id: i, query: x, at_most: 2");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	assert_string_equal(note_value(notes("i"), REASON_QUERY_EMPTY, "answer"), "NaN");
}

static void rule_22_several_answers_are_unproven(void **state)
{
	(void)state;
	given_target("a");
	given_answer("x", "{pod=\"a\"}", 3);
	given_answer("x", "{pod=\"b\"}", 3);
	judge_invariant("id: i, query: x, at_most: 4");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	expect_note(notes("i"), SEVERAL_SERIES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(rule_22_first_is_the_last_sample_at_or_before_the_start),
		RULE(rule_22_a_first_value_that_differs_is_unmet),
		RULE(rule_22_first_may_be_two_intervals_old),
		RULE(rule_22_an_older_first_is_taken_from_inside_with_a_note),
		RULE(rule_22_first_of_a_series_born_inside_has_a_note),
		RULE(rule_22_first_without_a_sample_is_unproven),
		RULE(rule_22_last_is_the_last_sample_at_or_before_the_end),
		RULE(rule_22_an_older_last_is_unproven),
		RULE(rule_22_last_of_a_series_that_ended_is_unproven),
		RULE(rule_22_max_includes_the_value_carried_in),
		RULE(rule_22_max_does_not_reach_further_back),
		RULE(rule_22_max_says_when),
		RULE(rule_22_min_runs_over_the_window),
		RULE(rule_22_avg_is_weighted_by_time),
		RULE(rule_22_staleness_markers_and_infinities_are_no_values),
		RULE(rule_22_several_series_without_across_are_unproven),
		RULE(rule_22_across_combines_them),
		RULE(rule_22_pods_scraped_at_other_moments_add_up_to_no_peak),
		RULE(rule_22_a_value_is_held_until_the_next_sample),
		RULE(rule_22_a_series_that_ended_stops_being_carried),
		RULE(rule_22_per_keeps_series_apart_and_the_worst_decides),
		RULE(rule_22_an_undecided_member_leaves_the_item_unproven),
		RULE(rule_22_per_splits_counts_as_well),
		RULE(rule_22_optional_values_may_be_absent),
		RULE(rule_09_never_above_is_unproven_over_a_gap),
		RULE(rule_09_never_above_is_unproven_over_failed_scrapes),
		RULE(rule_09_one_and_a_half_intervals_are_no_gap),
		RULE(rule_09_a_violation_elsewhere_stays),
		RULE(rule_09_a_gap_opens_min_and_avg_too),
		RULE(rule_09_a_target_that_never_had_the_gauge_leaves_no_gap),
		RULE(rule_09_a_target_that_was_down_may_have_had_it),
		RULE(rule_09_an_old_process_first_seen_late_leaves_a_gap),
		RULE(rule_09_a_new_process_leaves_none),
		RULE(rule_09_a_lagging_target_leaves_it_open),
		RULE(rule_09_a_gauge_without_a_target_tells_by_its_own_samples),
		RULE(rule_09_a_gap_of_its_own_is_a_gap),
		RULE(rule_09_a_gap_before_does_not_excuse_a_gap_inside),
		RULE(rule_09_a_gap_at_the_end_is_a_gap),
		RULE(rule_22_a_series_that_ended_had_its_maximum),
		RULE(rule_22_limits_are_closed),
		RULE(rule_22_a_query_is_filled_and_asked_at_the_end),
		RULE(rule_22_an_answer_over_the_limit_violates),
		RULE(rule_22_an_empty_answer_is_unproven),
		RULE(rule_22_a_nan_answer_is_unproven),
		RULE(rule_22_several_answers_are_unproven),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
