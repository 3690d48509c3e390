/* Rules 1, 3 and 4 and the targets: what is asked for, and what is known of who was scraped. */
#include "fixture.h"

#define A "{job=\"app\",instance=\"a\"}"
#define B "{job=\"app\",instance=\"b\"}"
#define ERRORS_HELD "id: i, count: 'errors_total{job=\"app\"}', at_most: 0"
#define CODES "id: s, objective: 98%, good: 'reqs_total{code=\"200\"}', total: reqs_total"

static int64_t after(double s)
{
	return START_MS + llround(s * 1000);
}

static void rule_01_up_is_asked_of_the_jobs_with_a_margin(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, EVERY ":0");
	judge_invariant(ERRORS_HELD);
	const struct query *up = asked("up{job=\"app\"}");
	assert_true(up->kind == QUERY_RAW);
	assert_true(up->from_ms == after(-300));
	assert_true(up->to_ms == after(660));
}

static void rule_01_all_of_up_is_asked_if_a_selector_has_no_job(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, EVERY ":0");
	judge("invariants:\n  - { id: i, count: 'errors_total{job=\"app\"}', at_most: 0 }\n"
	      "  - { id: k, count: errors_total, at_most: 0 }");
	assert_string_equal(asked("up")->text, "up");
	assert_false(was_asked("up{"));
}

static void rule_01_range_reaches_two_intervals_past_the_end(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, EVERY ":0");
	judge_invariant(ERRORS_HELD);
	const struct query *q = asked("errors_total{");
	assert_true(q->kind == QUERY_RAW);
	assert_true(q->from_ms == after(-300));
	assert_true(q->to_ms == after(390));
}

static void rule_01_range_reaches_past_the_end_and_the_bound(void **state)
{
	(void)state;
	given_target("a");
	given("sent_total" A, EVERY ":0");
	judge_stage("id: s, objective: 99%, histogram: got, within: 20s, total: sent_total");
	assert_true(asked("sent_total")->to_ms >= after(360 + 20 + 30));
	assert_true(asked("got_bucket")->to_ms >= after(360 + 20 + 30));
}

static void rule_01_samples_outside_the_window_do_not_count(void **state)
{
	(void)state;
	given_target("a");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"200\"}",
		"-295~-25/15:7+7 -10~350/15:1000 365:2000 380:3000");
	judge_figure("id: f, count: reqs_total");
	expect_verdict("f", SHOWN, 0, 0);
}

static void rule_03_a_target_scraped_after_the_end_is_complete(void **state)
{
	(void)state;
	given_process("a", "-295~365/15", "@-5000");
	given("errors_total" A, "-295~365/15:0");
	judge_invariant(ERRORS_HELD);
	expect_verdict("i", HELD, 0, 0);
	assert_int_equal(result()->lagging.n, 0);
}

static void rule_03_a_target_without_a_scrape_after_the_end_lags(void **state)
{
	(void)state;
	given_process("a", "-295~350/15", "@-5000");
	given("errors_total" A, "-295~350/15:0");
	judge_invariant(ERRORS_HELD);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, TARGET_LAGGING);
	assert_int_equal(result()->lagging.n, 1);
	assert_string_equal(result()->lagging.first, "app/a");
}

static void rule_03_the_first_to_report_does_not_end_the_others(void **state)
{
	(void)state;
	given_process("a", "-295~350/15", "@-5000");
	given_target("b");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"200\"}", "-295~350/15:0+10");
	given("reqs_total{job=\"app\",instance=\"b\",code=\"200\"}", EVERY ":0+10");
	judge_stage(CODES);
	expect_stage("s", INCONCLUSIVE);
	expect_note(&stage("s")->sli.notes, TARGET_LAGGING);
	expect_no_note(&stage("s")->sli.notes, UNSEEN);
	assert_int_equal(result()->lagging.n, 1);
}

static void rule_03_what_lags_for_more_than_five_minutes_never_comes(void **state)
{
	(void)state;
	asked_at(360 + 301);
	given_process("a", "-295~350/15", "@-5000");
	given("errors_total" A, "-295~350/15:0");
	judge_invariant(ERRORS_HELD);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_run(INCONCLUSIVE);
}

static void rule_03_a_violation_on_a_lagging_target_stays(void **state)
{
	(void)state;
	given_process("a", "-295~350/15", "@-5000");
	given("errors_total" A, "-295~185/15:0 200~350/15:2");
	judge_invariant(ERRORS_HELD);
	expect_verdict("i", VIOLATED, 2, INFINITY);
	expect_run(INVALID);
}

static void rule_03_a_target_of_another_job_may_lag(void **state)
{
	(void)state;
	given_target("a");
	given("up{job=\"other\",instance=\"x\"}", "-295~200/15:1");
	given("errors_total" A, EVERY ":0");
	judge_invariant("id: i, count: errors_total, at_most: 0");
	expect_verdict("i", HELD, 0, 0);
	assert_int_equal(result()->lagging.n, 0);
}

static void rule_03_a_target_has_ended_if_others_went_on(void **state)
{
	(void)state;
	asked_at(1000);
	given_process("a", "-295~200/15", "@-5000");
	given_target("b");
	given("errors_total" A, "-295~200/15:0");
	given("errors_total" B, EVERY ":0");
	judge_invariant(ERRORS_HELD);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, UNSEEN);
	expect_no_note(&check("i")->notes, TARGET_LAGGING);
}

static void rule_04_older_than_the_retention(void **state)
{
	(void)state;
	asked_at(100000);
	retention_is(99999);
	judge_invariant(ERRORS_HELD);
	expect_run(INCONCLUSIVE);
	expect_note(&result()->reasons, OLDER_THAN_RETENTION);
	assert_int_equal(verdict_exit(result()->verdict), 3);
}

static void rule_04_within_the_retention_there_is_just_no_data(void **state)
{
	(void)state;
	asked_at(100000);
	retention_is(100001);
	judge_invariant(ERRORS_HELD);
	expect_run(INCONCLUSIVE);
	expect_note(&result()->reasons, NO_DATA);
	expect_no_note(&result()->reasons, OLDER_THAN_RETENTION);
}

static void rule_04_an_unknown_retention_is_no_data(void **state)
{
	(void)state;
	judge_invariant(ERRORS_HELD);
	expect_run(INCONCLUSIVE);
	expect_note(&result()->reasons, NO_DATA);
}

static void rule_04_without_up_nothing_is_proven(void **state)
{
	(void)state;
	given("errors_total" A, EVERY ":0");
	judge_invariant(ERRORS_HELD);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, NO_TARGET);
	expect_note(&result()->reasons, NO_UP);
	expect_run(INCONCLUSIVE);
}

static void rule_04_without_up_a_birth_is_unproven(void **state)
{
	(void)state;
	given("errors_total" A, "200~395/15:4");
	judge_invariant(ERRORS_HELD);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, BIRTH_UNKNOWN);
}

static void rule_04_an_always_present_family_stands_for_up(void **state)
{
	(void)state;
	given("process_uptime_seconds" A, EVERY ":100+15");
	given("errors_total" A, "200~395/15:4");
	given("faults_total" A, EVERY ":4");
	judge("targets: { alive: 'process_uptime_seconds{job=\"app\"}' }\n"
	      "invariants:\n  - { id: i, count: 'errors_total{job=\"app\"}', at_most: 0 }\n"
	      "  - { id: k, count: 'faults_total{job=\"app\"}', at_most: 0 }");
	expect_verdict("i", VIOLATED, 4, 4);
	expect_verdict("k", HELD, 0, 0);
	assert_false(was_asked("up{"));
}

static void rule_04_alive_series_of_one_target_are_one_target(void **state)
{
	(void)state;
	given("goroutines{job=\"app\",instance=\"a\",kind=\"x\"}", EVERY ":0");
	given("goroutines{job=\"app\",instance=\"a\",kind=\"y\"}", EVERY ":3");
	given("errors_total" A, EVERY ":4");
	judge("targets: { alive: goroutines }\n"
	      "invariants: [ { id: i, count: errors_total, at_most: 0 } ]");
	expect_verdict("i", HELD, 0, 0);
	assert_int_equal(result()->quality.targets, 1);
}

static void targets_join_by_identity_and_every_common_label(void **state)
{
	(void)state;
	given("up{job=\"app\",instance=\"a\",pod=\"p1\"}", EVERY ":1");
	given("up{job=\"app\",instance=\"a\",pod=\"p2\"}", EVERY ":1");
	given("errors_total{job=\"app\",instance=\"a\",pod=\"p2\"}", "185~395/15:1");
	judge_invariant(ERRORS_HELD);
	expect_verdict("i", VIOLATED, 1, 1);
	assert_string_equal(result()->quality.births.at[0].target, "app/a");
}

static void targets_do_not_join_where_a_common_label_differs(void **state)
{
	(void)state;
	given("up{job=\"app\",instance=\"a\",pod=\"p1\"}", EVERY ":1");
	given("errors_total{job=\"app\",instance=\"a\",pod=\"p2\"}", "185~395/15:1");
	judge_invariant(ERRORS_HELD);
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, BIRTH_UNKNOWN);
}

static void targets_that_fit_twice_do_not_join(void **state)
{
	(void)state;
	given("up{job=\"app\",instance=\"a\",pod=\"p1\"}", EVERY ":1");
	given("up{job=\"app\",instance=\"a\",pod=\"p2\"}", EVERY ":1");
	given("errors_total" A, "185~395/15:1");
	judge_invariant(ERRORS_HELD);
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, BIRTH_UNKNOWN);
}

static void targets_join_by_the_identity_that_the_spec_names(void **state)
{
	(void)state;
	given("up{job=\"app\",pod=\"p\",instance=\"1.2.3.4:1\"}", EVERY ":1");
	given("errors_total{job=\"app\",pod=\"p\"}", "185~395/15:1");
	judge("targets: { identity: [job, pod] }\n"
	      "invariants: [ { id: i, count: errors_total, at_most: 0 } ]");
	expect_verdict("i", VIOLATED, 1, 1);
}

static void targets_answered_twice_are_one(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("errors_total" A, EVERY ":0");
	given("errors_total" B, EVERY ":0");
	judge("invariants:\n  - { id: i, count: 'errors_total{job=\"app\"}', at_most: 0 }\n"
	      "  - { id: k, count: 'errors_total{job=~\"a.*\"}', at_most: 0 }");
	expect_verdict("i", HELD, 0, 0);
	expect_verdict("k", HELD, 0, 0);
	assert_int_equal(result()->quality.targets, 2);
}

static void errors_with_start_times(const char *start)
{
	given("up" A, EVERY ":1");
	given("process_start_time_seconds" A, start);
	given("errors_total" A, EVERY ":0");
	judge_invariant(ERRORS_HELD);
}

static void targets_start_time_that_moved_by_two_seconds_is_jitter(void **state)
{
	(void)state;
	errors_with_start_times("-295~185/15:@-5000 200~395/15:@-4998");
	expect_verdict("i", HELD, 0, 0);
}

static void targets_start_time_that_moved_by_more_is_a_restart(void **state)
{
	(void)state;
	errors_with_start_times("-295~185/15:@-5000 200~395/15:@-4997.9");
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
	expect_note(&result()->quality.warnings, RESTARTED);
}

static void targets_start_time_that_moved_back_is_no_restart(void **state)
{
	(void)state;
	errors_with_start_times("-295~185/15:@-5000 200~395/15:@-5010");
	expect_verdict("i", HELD, 0, 0);
}

static void targets_without_start_times_stay_the_same_process(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("errors_total" A, EVERY ":0");
	judge_invariant(ERRORS_HELD);
	expect_verdict("i", HELD, 0, 0);
	expect_note(&check("i")->notes, NO_START_TIME);
}

static void targets_without_start_times_restart_where_a_counter_falls(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("errors_total" A, EVERY ":0");
	given("reqs_total" A, "-295~185/15:0+10 200~395/15:0+10");
	judge("invariants: [ { id: i, count: errors_total, at_most: 0 } ]\n"
	      "figures: [ { id: f, count: reqs_total } ]");
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
}

static void targets_without_start_times_restart_where_a_counter_vanishes(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("errors_total" A, EVERY ":0");
	given("reqs_total" A, "-295~185/15:0+10");
	judge("invariants: [ { id: i, count: errors_total, at_most: 0 } ]\n"
	      "figures: [ { id: f, count: reqs_total } ]");
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
}

static void targets_without_start_times_restart_where_a_histogram_falls(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("lat_bucket{job=\"app\",instance=\"a\",le=\"1\"}", "-295~200/15:50 215~395/15:0");
	given("lat_count" A, "-295~200/15:50 215~395/15:0");
	judge_invariant("id: i, histogram: lat, over: 1s, at_most: 0");
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
	judge_stage("id: s, objective: 1%, histogram: lat, within: 1s");
	expect_note(&stage("s")->sli.notes, UNSEEN);
}

static void targets_of_steps_restart_where_a_counter_falls(void **state)
{
	(void)state;
	given("up" A, EVERY ":1");
	given("x_total" A, "-295~200/15:0+10 215~395/15:0+10");
	judge_stage("id: s, objective: 99%, steps: [ { id: x, good: x_total, total: x_total }, "
		    "{ id: y, histogram: y, within: 30s } ]");
	expect_note(&stage("s")->steps[0].sli.notes, UNSEEN);
	assert_true(asked("y_count")->to_ms == after(360 + 30 + 30));
}

static void targets_that_failed_before_they_started_were_somebody_else(void **state)
{
	(void)state;
	given("up" A, "-295~170/15:0 185~395/15:1");
	given("process_start_time_seconds" A, "185~395/15:@180");
	given("errors_total" A, "185~395/15:0");
	judge_invariant(ERRORS_HELD);
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	expect_note(&check("i")->notes, UNSEEN);
}

static void targets_that_began_after_the_window_had_no_part_in_it(void **state)
{
	(void)state;
	given_target("a");
	given_process("b", "395~650/15", "@390");
	given("errors_total" A, EVERY ":0");
	judge_invariant(ERRORS_HELD);
	expect_verdict("i", HELD, 0, 0);
}

static void targets_with_a_staleness_marker_in_up_were_not_scraped_then(void **state)
{
	(void)state;
	asked_at(1000);
	given_target("b");
	given("up" A, "-295~200/15:1 215:stale");
	given("errors_total" A, "-295~200/15:0");
	given("errors_total" B, EVERY ":0");
	judge_invariant(ERRORS_HELD);
	assert_string_equal(
		note_value(&check("i")->notes, REASON_UNSEEN, "to"), "2026-05-28T20:30:15Z");
}

static void targets_with_start_times_do_not_restart_where_a_counter_vanishes(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, EVERY ":0");
	given("reqs_total" A, "-295~185/15:0+10");
	judge("invariants: [ { id: i, count: errors_total, at_most: 0 } ]\n"
	      "figures: [ { id: f, count: reqs_total } ]");
	expect_verdict("i", HELD, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(rule_01_up_is_asked_of_the_jobs_with_a_margin),
		RULE(rule_01_all_of_up_is_asked_if_a_selector_has_no_job),
		RULE(rule_01_range_reaches_two_intervals_past_the_end),
		RULE(rule_01_range_reaches_past_the_end_and_the_bound),
		RULE(rule_01_samples_outside_the_window_do_not_count),
		RULE(rule_03_a_target_scraped_after_the_end_is_complete),
		RULE(rule_03_a_target_without_a_scrape_after_the_end_lags),
		RULE(rule_03_the_first_to_report_does_not_end_the_others),
		RULE(rule_03_what_lags_for_more_than_five_minutes_never_comes),
		RULE(rule_03_a_violation_on_a_lagging_target_stays),
		RULE(rule_03_a_target_of_another_job_may_lag),
		RULE(rule_03_a_target_has_ended_if_others_went_on),
		RULE(rule_04_older_than_the_retention),
		RULE(rule_04_within_the_retention_there_is_just_no_data),
		RULE(rule_04_an_unknown_retention_is_no_data),
		RULE(rule_04_without_up_nothing_is_proven),
		RULE(rule_04_without_up_a_birth_is_unproven),
		RULE(rule_04_an_always_present_family_stands_for_up),
		RULE(rule_04_alive_series_of_one_target_are_one_target),
		RULE(targets_join_by_identity_and_every_common_label),
		RULE(targets_do_not_join_where_a_common_label_differs),
		RULE(targets_that_fit_twice_do_not_join),
		RULE(targets_join_by_the_identity_that_the_spec_names),
		RULE(targets_answered_twice_are_one),
		RULE(targets_start_time_that_moved_by_two_seconds_is_jitter),
		RULE(targets_start_time_that_moved_by_more_is_a_restart),
		RULE(targets_start_time_that_moved_back_is_no_restart),
		RULE(targets_without_start_times_stay_the_same_process),
		RULE(targets_without_start_times_restart_where_a_counter_falls),
		RULE(targets_without_start_times_restart_where_a_counter_vanishes),
		RULE(targets_without_start_times_restart_where_a_histogram_falls),
		RULE(targets_of_steps_restart_where_a_counter_falls),
		RULE(targets_that_failed_before_they_started_were_somebody_else),
		RULE(targets_that_began_after_the_window_had_no_part_in_it),
		RULE(targets_with_a_staleness_marker_in_up_were_not_scraped_then),
		RULE(targets_with_start_times_do_not_restart_where_a_counter_vanishes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
