/* Rules 11 and 12: a zero is believed only where everyone who could have counted was watched. */
#include "fixture.h"

#define A "{job=\"app\",instance=\"a\"}"
#define B "{job=\"app\",instance=\"b\"}"
#define REQS(instance, uri, code)                                                                  \
	"reqs_total{job=\"app\",instance=\"" instance "\",uri=\"" uri "\",code=\"" code "\"}"
#define ZERO(selector) "id: i, count: '" selector "', at_most: 0"

static const struct notes *notes(void)
{
	return &check("i")->notes;
}

static void unproven(void)
{
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_run(INCONCLUSIVE);
}

/* --- a selector that matched --- */

static void rule_11_a_matched_zero_on_watched_targets_is_held(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("errors_total" A, EVERY ":0");
	given("errors_total" B, EVERY ":5");
	judge_invariant(ZERO("errors_total"));
	expect_verdict("i", HELD, 0, 0);
	expect_run(PASS);
}

static void rule_11_a_target_that_was_down_could_have_counted(void **state)
{
	(void)state;
	given_target("a");
	given("up" B, EVERY ":0");
	given("errors_total" A, EVERY ":0");
	judge_invariant(ZERO("errors_total"));
	unproven();
	expect_note(notes(), TARGET_DOWN);
	assert_string_equal(note_value(notes(), REASON_TARGET_DOWN, "target"), "app/b");
}

static void rule_11_a_target_that_failed_at_first_may_have_been_another_process(void **state)
{
	(void)state;
	given_target("a");
	given("up" B, "-295~365/15:0 380~395/15:1");
	given("errors_total" A, EVERY ":0");
	given("errors_total" B, "380~395/15:0");
	judge_invariant(ZERO("errors_total"));
	unproven();
	expect_note(notes(), UNSEEN);
}

static void rule_11_a_process_known_to_have_been_there_lost_nothing(void **state)
{
	(void)state;
	given_target("a");
	given("up" B, "-295~365/15:0 380~395/15:1");
	given("process_start_time_seconds" B, "380~395/15:@-5000");
	given("errors_total" A, EVERY ":0");
	given("errors_total" B, "380~395/15:0");
	judge_invariant(ZERO("errors_total"));
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_a_target_of_another_job_is_not_asked(void **state)
{
	(void)state;
	given_target("a");
	given("up{job=\"db\",instance=\"x\"}", EVERY ":0");
	given("errors_total" A, EVERY ":0");
	judge_invariant(ZERO("errors_total"));
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_a_target_that_the_selector_excludes_is_not_asked(void **state)
{
	(void)state;
	given_target("a");
	given("up" B, EVERY ":0");
	given("errors_total" A, EVERY ":0");
	judge_invariant(ZERO("errors_total{instance=\"a\"}"));
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_a_target_that_ended_failing_could_have_counted(void **state)
{
	(void)state;
	given_target("a");
	given("up" B, "-295~200/15:1 215~395/15:0");
	given("process_start_time_seconds" B, "-295~200/15:@-5000");
	given("errors_total" A, EVERY ":0");
	given("errors_total" B, "-295~200/15:0");
	judge_invariant(ZERO("errors_total"));
	unproven();
	expect_note(notes(), UNSEEN);
}

static void rule_11_without_any_target_a_zero_is_unproven(void **state)
{
	(void)state;
	given("errors_total" A, EVERY ":0");
	judge_invariant(ZERO("errors_total"));
	unproven();
	expect_note(notes(), NO_TARGET);
}

static void rule_11_the_exporter_s_own_up_must_be_one(void **state)
{
	(void)state;
	given_target("a");
	given("redis_up" A, "-295~200/15:1 215:0 230~395/15:1");
	given("redis_errors_total" A, EVERY ":0");
	judge_invariant(ZERO("redis_errors_total"));
	unproven();
	expect_note(notes(), EXPORTER_DOWN);
	assert_string_equal(note_value(notes(), REASON_EXPORTER_DOWN, "metric"), "redis_up");
}

static void rule_11_an_exporter_that_was_up_proves(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("redis_up" A, "-295~-10/15:0 5~365/15:1 380~395/15:0");
	given("redis_errors_total" A, EVERY ":0");
	judge_invariant(ZERO("redis_errors_total{job=\"app\",instance=\"a\"}"));
	expect_verdict("i", HELD, 0, 0);
}

/* --- a selector that matched nothing --- */

static void rule_11_an_empty_outcome_is_proven_by_its_siblings(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=~\"5..\"}"));
	expect_verdict("i", HELD, 0, 0);
	expect_note(notes(), ZERO_PROVEN);
	expect_run(PASS);
}

static void rule_11_a_typo_in_the_job_proves_nothing(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"ap\",code=~\"5..\"}"));
	unproven();
	expect_note(notes(), VALUE_UNKNOWN);
	assert_string_equal(note_value(notes(), REASON_VALUE_UNKNOWN, "label"), "job");
	assert_string_equal(note_value(notes(), REASON_VALUE_UNKNOWN, "values"), "app");
}

static void rule_11_a_typo_in_the_uri_proves_nothing(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/order", "200"), EVERY ":0+10");
	given(REQS("a", "/pay", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",uri=\"/oder\",code=~\"5..\"}"));
	unproven();
	expect_note(notes(), VALUE_UNKNOWN);
	assert_string_equal(note_value(notes(), REASON_VALUE_UNKNOWN, "label"), "uri");
	assert_string_equal(note_value(notes(), REASON_VALUE_UNKNOWN, "value"), "/oder");
	assert_string_equal(note_value(notes(), REASON_VALUE_UNKNOWN, "values"), "/order, /pay");
}

static void rule_11_a_label_that_says_where_is_no_outcome(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/order", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",uri=~\"/pay.*\"}"));
	unproven();
}

static void rule_11_an_unknown_label_is_named(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",status=~\"5..\"}"));
	unproven();
	expect_note(notes(), LABEL_UNKNOWN);
	assert_string_equal(note_value(notes(), REASON_LABEL_UNKNOWN, "label"), "status");
}

static void rule_11_an_unknown_metric_is_named(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("request_total{job=\"app\",code=~\"5..\"}"));
	unproven();
	expect_note(notes(), METRIC_UNKNOWN);
	assert_string_equal(note_value(notes(), REASON_METRIC_UNKNOWN, "metric"), "request_total");
}

static void rule_11_a_matcher_that_no_status_satisfies_proves_nothing(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=\"5XX\"}") ", absent: true");
	unproven();
	expect_note(notes(), MATCHER_IMPOSSIBLE);
	assert_string_equal(note_value(notes(), REASON_MATCHER_IMPOSSIBLE, "matcher"), "5XX");
}

static void rule_11_values_that_are_no_status_may_be_matched_by_anything(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "2xx"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=~\"5x+\"}"));
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_an_equal_value_seen_nowhere_needs_absent(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=\"503\"}"));
	unproven();
	expect_note(notes(), VALUE_UNKNOWN);
	assert_string_equal(note_value(notes(), REASON_VALUE_UNKNOWN, "values"), "200");
}

static void rule_11_absent_says_that_the_value_is_right(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=\"503\"}") ", absent: true");
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_a_regex_without_operators_is_an_equal_value(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=~\"503\"}"));
	unproven();
	expect_note(notes(), VALUE_UNKNOWN);
}

static void rule_11_an_equal_value_seen_elsewhere_needs_no_absent(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/order", "200"), EVERY ":0+10");
	given(REQS("a", "/pay", "200"), EVERY ":0+10");
	given(REQS("a", "/pay", "503"), EVERY ":3");
	judge_invariant(ZERO("reqs_total{job=\"app\",uri=\"/order\",code=\"503\"}"));
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_a_sibling_that_lacks_the_label_is_none(void **state)
{
	(void)state;
	given_target("a");
	given("reqs_total" A, EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=~\"5..\"}"));
	unproven();
	expect_note(notes(), LABEL_UNKNOWN);
}

static void rule_11_a_label_that_up_carries_is_no_outcome(void **state)
{
	(void)state;
	given("up{job=\"app\",instance=\"a\",reason=\"blue\"}", EVERY ":1");
	given("reqs_total{job=\"app\",instance=\"a\",reason=\"blue\"}", EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",reason=~\"gr.*\"}"));
	unproven();
}

static void rule_11_the_spec_may_name_an_outcome_label(void **state)
{
	(void)state;
	given_target("a");
	given("orders_total{job=\"app\",instance=\"a\",state=\"paid\"}", EVERY ":0+10");
	judge_invariant(ZERO("orders_total{job=\"app\",state=~\"lost.*\"}"));
	unproven();
	judge_invariant(ZERO("orders_total{job=\"app\",state=~\"lost.*\"}") ", outcome: state");
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_siblings_are_needed_on_every_target_that_was_seen(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=~\"5..\"}"));
	unproven();
	expect_note(notes(), NO_FAMILY);
	assert_string_equal(note_value(notes(), REASON_NO_FAMILY, "target"), "app/b");
}

static void rule_11_siblings_on_other_jobs_targets_are_not_needed(void **state)
{
	(void)state;
	given_target("a");
	given("up{job=\"db\",instance=\"x\"}", EVERY ":1");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{code=~\"5..\"}"));
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_an_empty_zero_needs_its_targets_watched_too(void **state)
{
	(void)state;
	given_target("a");
	given("up" B, EVERY ":0");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant(ZERO("reqs_total{job=\"app\",code=~\"5..\"}"));
	unproven();
	expect_note(notes(), TARGET_DOWN);
}

static void rule_11_a_metric_without_siblings_is_unproven(void **state)
{
	(void)state;
	given_target("a");
	given("messages_total" A, EVERY ":0+10");
	judge_invariant(ZERO("dead_letters_total{job=\"app\"}"));
	unproven();
	expect_note(notes(), METRIC_UNKNOWN);
}

static void rule_11_a_family_of_the_same_exporter_proves_it(void **state)
{
	(void)state;
	given_target("a");
	given("messages_total" A, EVERY ":0+10");
	judge_invariant(ZERO("dead_letters_total{job=\"app\"}") ", family: messages_total");
	expect_verdict("i", HELD, 0, 0);
}

static void rule_11_a_family_must_be_there(void **state)
{
	(void)state;
	given_target("a");
	judge_invariant(ZERO("dead_letters_total{job=\"app\"}") ", family: messages_total");
	unproven();
	expect_note(notes(), NO_SERIES);
}

static void rule_11_a_family_must_be_there_on_every_target(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("messages_total" A, EVERY ":0+10");
	judge_invariant(ZERO("dead_letters_total{job=\"app\"}") ", family: messages_total");
	unproven();
	expect_note(notes(), NO_FAMILY);
}

static void rule_11_series_that_never_met_are_none(void **state)
{
	(void)state;
	given_target("a");
	given("jobs_total{job=\"app\",instance=\"a\",kind=\"x\",queue=\"1\"}", EVERY ":0+10");
	given("jobs_total{job=\"app\",instance=\"a\",kind=\"y\",queue=\"2\"}", EVERY ":0+10");
	judge_invariant(ZERO("jobs_total{kind=\"x\",queue=\"2\"}"));
	unproven();
	expect_note(notes(), NO_SERIES);
	expect_note(notes(), NO_FAMILY);
}

static void rule_11_optional_lets_an_absent_family_pass(void **state)
{
	(void)state;
	given_target("a");
	judge_invariant(ZERO("dead_letters_total{job=\"app\"}") ", optional: true");
	assert_int_equal(check("i")->verdict, CHECK_HELD);
	expect_note(notes(), OPTIONAL_ABSENT);
	expect_run(PASS);
}

static void rule_11_optional_excuses_no_violation(void **state)
{
	(void)state;
	given_target("a");
	given("dead_letters_total" A, "185~395/15:1");
	judge_invariant(ZERO("dead_letters_total{job=\"app\"}") ", optional: true");
	expect_verdict("i", VIOLATED, 1, 1);
}

static void rule_11_optional_excuses_no_violation_beside_it(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" A, EVERY ":0");
	given("faults_total" A, "185~395/15:1");
	judge_invariant("id: i, count: [errors_total, none_total], at_most: 0, optional: true");
	expect_verdict("i", HELD, 0, 0);
	expect_note(notes(), OPTIONAL_ABSENT);
	judge_invariant("id: i, count: [faults_total, none_total], at_most: 0, optional: true");
	expect_verdict("i", VIOLATED, 1, 1);
}

static void rule_11_optional_bad_events_may_be_absent(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_stage("id: s, objective: 99%, bad: faults_total, total: reqs_total");
	expect_stage("s", INCONCLUSIVE);
	judge_stage("id: s, objective: 99%, bad: faults_total, total: reqs_total, optional: true");
	expect_stage("s", PASS);
	expect_note(&stage("s")->sli.notes, OPTIONAL_ABSENT);
	judge_stage("id: s, objective: 99%, bad: faults_total, total: none_total, optional: true");
	expect_stage("s", INCONCLUSIVE);
}

static void rule_11_of_a_list_every_selector_is_proven(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_invariant("id: i, at_most: 0, count: ['reqs_total{code=~\"5..\"}', 'faults_total']");
	unproven();
	expect_note(notes(), METRIC_UNKNOWN);
}

static void rule_11_no_bad_events_in_a_stage_must_be_proven(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":0+10");
	judge_stage("id: s, objective: 99%, bad: 'reqs_total{cod=~\"5..\"}', total: reqs_total");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&stage("s")->sli.notes, LABEL_UNKNOWN);
	judge_stage("id: s, objective: 99%, bad: 'reqs_total{code=~\"5..\"}', total: reqs_total");
	expect_stage("s", PASS);
}

/* --- rule 12 --- */

static void rule_12_no_traffic_is_inconclusive(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), EVERY ":100");
	judge_stage("id: s, objective: 99%, good: 'reqs_total{code=\"200\"}', total: reqs_total");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&stage("s")->sli.notes, NO_TRAFFIC);
	expect_exact(stage("s")->sli.total, 0);
	assert_int_equal(stage("s")->sli.confidence, CONFIDENCE_NONE);
	expect_run(INCONCLUSIVE);
}

static void rule_12_no_traffic_in_a_histogram_is_inconclusive(void **state)
{
	(void)state;
	given_target("a");
	given("lat_bucket{job=\"app\",instance=\"a\",le=\"1\"}", EVERY ":7");
	given("lat_count" A, EVERY ":7");
	judge_stage("id: s, objective: 99%, histogram: lat, within: 1s");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&stage("s")->sli.notes, NO_TRAFFIC);
	expect_refused(stage("s")->sli.p95_s);
}

static void rule_12_one_event_is_traffic(void **state)
{
	(void)state;
	given_target("a");
	given(REQS("a", "/", "200"), "-295~5/15:100 20~395/15:101");
	judge_stage("id: s, objective: 99%, good: 'reqs_total{code=\"200\"}', total: reqs_total");
	expect_stage("s", PASS);
	expect_no_note(&stage("s")->sli.notes, NO_TRAFFIC);
}

static void rule_12_an_unknown_total_is_not_called_no_traffic(void **state)
{
	(void)state;
	given_target("a");
	judge_stage("id: s, objective: 99%, good: 'reqs_total{code=\"200\"}', total: reqs_total");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&stage("s")->sli.notes, METRIC_UNKNOWN);
	expect_no_note(&stage("s")->sli.notes, NO_TRAFFIC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(rule_11_a_matched_zero_on_watched_targets_is_held),
		RULE(rule_11_a_target_that_was_down_could_have_counted),
		RULE(rule_11_a_target_that_failed_at_first_may_have_been_another_process),
		RULE(rule_11_a_process_known_to_have_been_there_lost_nothing),
		RULE(rule_11_a_target_of_another_job_is_not_asked),
		RULE(rule_11_a_target_that_the_selector_excludes_is_not_asked),
		RULE(rule_11_a_target_that_ended_failing_could_have_counted),
		RULE(rule_11_without_any_target_a_zero_is_unproven),
		RULE(rule_11_the_exporter_s_own_up_must_be_one),
		RULE(rule_11_an_exporter_that_was_up_proves),
		RULE(rule_11_an_empty_outcome_is_proven_by_its_siblings),
		RULE(rule_11_a_typo_in_the_job_proves_nothing),
		RULE(rule_11_a_typo_in_the_uri_proves_nothing),
		RULE(rule_11_a_label_that_says_where_is_no_outcome),
		RULE(rule_11_an_unknown_label_is_named),
		RULE(rule_11_an_unknown_metric_is_named),
		RULE(rule_11_a_matcher_that_no_status_satisfies_proves_nothing),
		RULE(rule_11_values_that_are_no_status_may_be_matched_by_anything),
		RULE(rule_11_an_equal_value_seen_nowhere_needs_absent),
		RULE(rule_11_absent_says_that_the_value_is_right),
		RULE(rule_11_a_regex_without_operators_is_an_equal_value),
		RULE(rule_11_an_equal_value_seen_elsewhere_needs_no_absent),
		RULE(rule_11_a_sibling_that_lacks_the_label_is_none),
		RULE(rule_11_a_label_that_up_carries_is_no_outcome),
		RULE(rule_11_the_spec_may_name_an_outcome_label),
		RULE(rule_11_siblings_are_needed_on_every_target_that_was_seen),
		RULE(rule_11_siblings_on_other_jobs_targets_are_not_needed),
		RULE(rule_11_an_empty_zero_needs_its_targets_watched_too),
		RULE(rule_11_a_metric_without_siblings_is_unproven),
		RULE(rule_11_a_family_of_the_same_exporter_proves_it),
		RULE(rule_11_a_family_must_be_there),
		RULE(rule_11_a_family_must_be_there_on_every_target),
		RULE(rule_11_series_that_never_met_are_none),
		RULE(rule_11_optional_lets_an_absent_family_pass),
		RULE(rule_11_optional_excuses_no_violation),
		RULE(rule_11_optional_excuses_no_violation_beside_it),
		RULE(rule_11_optional_bad_events_may_be_absent),
		RULE(rule_11_of_a_list_every_selector_is_proven),
		RULE(rule_11_no_bad_events_in_a_stage_must_be_proven),
		RULE(rule_12_no_traffic_is_inconclusive),
		RULE(rule_12_no_traffic_in_a_histogram_is_inconclusive),
		RULE(rule_12_one_event_is_traffic),
		RULE(rule_12_an_unknown_total_is_not_called_no_traffic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
