/* The run's verdict by contract, its reasons, and what is said about the data. */
#include "fixture.h"

#define A "{job=\"app\",instance=\"a\"}"
#define UP_TO(n) "-295~-10/15:0 5~395/15:" n

/* one item of each outcome */
#define STAGE_PASSES "{ id: ok, objective: 90%, good: ok_total, total: ok_total }"
#define STAGE_FAILS "{ id: ko, objective: 90%, bad: ok_total, total: ok_total }"
#define STAGE_OPEN "{ id: open, objective: 90%, good: quiet_total, total: quiet_total }"
#define INVARIANT_HOLDS "{ id: held, count: quiet_total, at_most: 0 }"
#define INVARIANT_BREAKS "{ id: broken, count: ok_total, at_most: 0 }"
#define INVARIANT_OPEN "{ id: unproven, count: none_total, at_most: 0 }"
#define CONDITION_MET "{ id: met, first: level, equals: 7 }"
#define CONDITION_UNMET "{ id: unmet, first: level, equals: 8 }"
#define CONDITION_OPEN "{ id: unknown, first: none, equals: 7 }"

static void app(void)
{
	given_target("a");
	given("ok_total" A, UP_TO("100"));
	given("quiet_total" A, EVERY ":4");
	given("level" A, EVERY ":7");
}

static void run(const char *stages, const char *invariants, const char *preconditions)
{
	char blocks[1024];

	snprintf(blocks, sizeof blocks, "stages: [ %s ]\ninvariants: [ %s ]\npreconditions: [ %s ]",
		stages, invariants, preconditions);
	judge(blocks);
}

static void run_passes_if_all_is_well(void **state)
{
	(void)state;
	app();
	run(STAGE_PASSES, INVARIANT_HOLDS, CONDITION_MET);
	expect_run(PASS);
	assert_int_equal(result()->reasons.n, 0);
}

static void run_is_invalid_if_an_invariant_is_violated(void **state)
{
	(void)state;
	app();
	run(STAGE_FAILS ", " STAGE_OPEN, INVARIANT_BREAKS ", " INVARIANT_OPEN, CONDITION_UNMET);
	expect_run(INVALID);
	assert_int_equal(result()->reasons.at[0].code, REASON_INVARIANT_VIOLATED);
	assert_string_equal(result()->reasons.at[0].subject, "invariant/broken");
}

static void run_is_inconclusive_if_a_precondition_is_unmet(void **state)
{
	(void)state;
	app();
	run(STAGE_FAILS, INVARIANT_HOLDS, CONDITION_UNMET);
	expect_run(INCONCLUSIVE);
	expect_stage("ko", FAIL);
	assert_int_equal(result()->reasons.at[0].code, REASON_PRECONDITION_UNMET);
}

static void run_fails_if_a_stage_fails(void **state)
{
	(void)state;
	app();
	run(STAGE_PASSES ", " STAGE_OPEN ", " STAGE_FAILS, INVARIANT_OPEN, CONDITION_OPEN);
	expect_run(FAIL);
	assert_int_equal(result()->reasons.at[0].code, REASON_OBJECTIVE_MISSED);
	assert_string_equal(result()->reasons.at[0].subject, "stage/ko");
}

static void run_is_inconclusive_if_a_stage_is(void **state)
{
	(void)state;
	app();
	run(STAGE_PASSES ", " STAGE_OPEN, INVARIANT_HOLDS, CONDITION_MET);
	expect_run(INCONCLUSIVE);
	assert_string_equal(result()->reasons.at[0].subject, "stage/open");
}

static void run_is_inconclusive_if_an_invariant_is_unproven(void **state)
{
	(void)state;
	app();
	run(STAGE_PASSES, INVARIANT_HOLDS ", " INVARIANT_OPEN, CONDITION_MET);
	expect_run(INCONCLUSIVE);
	assert_string_equal(result()->reasons.at[0].subject, "invariant/unproven");
}

static void run_is_inconclusive_if_a_precondition_is_unproven(void **state)
{
	(void)state;
	app();
	run(STAGE_PASSES, INVARIANT_HOLDS, CONDITION_OPEN);
	expect_run(INCONCLUSIVE);
	assert_string_equal(result()->reasons.at[0].subject, "precondition/unknown");
}

static void run_is_not_judged_by_figures(void **state)
{
	(void)state;
	app();
	judge("stages: [ " STAGE_PASSES " ]\nfigures: [ { id: f, count: none_total } ]");
	expect_run(PASS);
	assert_int_equal(check("f")->verdict, CHECK_SHOWN);
}

static void delivered(const char *users, const char *stage_item)
{
	char blocks[512];

	app();
	given("users" A, users);
	load_is("1000");
	snprintf(blocks, sizeof blocks,
		"load: { unit: users, delivered: { max: users } }\n"
		"stages: [ %s ]",
		stage_item);
	judge(blocks);
}

static void run_with_too_little_load_does_not_pass(void **state)
{
	(void)state;
	delivered(EVERY ":949", STAGE_PASSES);
	expect_run(INCONCLUSIVE);
	expect_exact(result()->delivered, 949);
	expect_note(&result()->reasons, DELIVERED_SHORT);
	assert_string_equal(
		note_value(&result()->reasons, REASON_DELIVERED_SHORT, "percent"), "94.9");
}

static void run_with_95_percent_of_the_load_passes(void **state)
{
	(void)state;
	delivered(EVERY ":950", STAGE_PASSES);
	expect_run(PASS);
	expect_no_note(&result()->reasons, LOAD_NOT_MEASURED);
}

static void run_with_too_little_load_still_fails(void **state)
{
	(void)state;
	delivered(EVERY ":100", STAGE_FAILS);
	expect_run(FAIL);
	expect_note(&result()->reasons, DELIVERED_SHORT);
}

static void run_with_an_unknown_load_does_not_pass(void **state)
{
	(void)state;
	delivered("365~395/15:1000", STAGE_PASSES);
	expect_run(INCONCLUSIVE);
	expect_refused(result()->delivered);
	expect_note(&result()->reasons, UNDECIDED);
}

static void run_with_an_uncertain_load_does_not_pass(void **state)
{
	(void)state;
	app();
	given_process("g", "200~395/15", "@-5000");
	given("sent_total{job=\"app\",instance=\"g\"}", "200~215/15:100 230~395/15:1000");
	load_is("1000");
	judge("load: { delivered: { count: sent_total } }\nstages: [ " STAGE_PASSES " ]");
	expect_count(result()->delivered, 900, 1000);
	expect_run(INCONCLUSIVE);
	expect_note(&result()->reasons, UNDECIDED);
}

static void run_may_measure_the_load_as_a_rate(void **state)
{
	(void)state;
	app();
	load_is("10");
	given("sent_total" A, UP_TO("3600"));
	judge("load: { delivered: { rate: sent_total } }\nstages: [ " STAGE_PASSES " ]");
	expect_exact(result()->delivered, 10);
	expect_run(PASS);
}

static void run_without_a_stated_load_does_not_compare(void **state)
{
	(void)state;
	app();
	given("users" A, EVERY ":1");
	judge("load: { delivered: { max: users } }\nstages: [ " STAGE_PASSES " ]");
	expect_run(PASS);
	expect_exact(result()->delivered, 1);
}

static void run_says_that_the_load_was_not_measured(void **state)
{
	(void)state;
	app();
	load_is("1000");
	run(STAGE_PASSES, INVARIANT_HOLDS, CONDITION_MET);
	expect_run(PASS);
	expect_note(&result()->reasons, LOAD_NOT_MEASURED);
}

static void run_names_what_was_not_evaluated(void **state)
{
	(void)state;
	app();
	open_between(45, 60);
	judge("stages: [ " STAGE_PASSES " ]\n"
	      "intervals: [ { id: burst, from: 2m, to: 4m } ]\n"
	      "capacity: { safety_factor: 0.7 }");
	expect_run(PASS);
	assert_string_equal(note_value(&result()->reasons, REASON_NOT_EVALUATED, "blocks"),
		"intervals, capacity");
	assert_string_equal(note_value(&result()->reasons, REASON_OPEN_UNCERTAIN, "from"),
		"2026-05-28T20:27:25Z");
}

static void run_says_what_is_known_of_the_data(void **state)
{
	(void)state;
	app();
	given_process("b", "-295~95/15 200~395/15", "@-4000");
	server_said("PromQL info: something", true);
	judge("source: { url: 'https://localhost', tls: { insecure_skip_verify: true } }\n"
	      "stages: [ " STAGE_PASSES " ]");
	const struct quality *q = &result()->quality;
	assert_int_equal(q->targets, 2);
	assert_true(q->scrape_interval_ms == 15000);
	assert_int_equal(q->n_gaps, 1);
	assert_string_equal(q->gaps.at[0].target, "app/b");
	assert_true(q->gaps.at[0].from_ms == START_MS + 95000);
	/* up and start times of two, and ok_total, which is not asked for up to 395 */
	assert_int_equal(q->series, 5);
	assert_int_equal(q->samples, 2 * 47 + 2 * (47 - 6) + 46);
	expect_note(&q->warnings, SERVER_INFO);
	expect_note(&q->warnings, TEXT_REPAIRED);
	expect_note(&q->warnings, INSECURE_TLS);
}

static void run_ends_where_the_archive_cannot_be_read(void **state)
{
	static const char blocks[] =
		"stages:\n  - " STAGE_PASSES "\n"
		"  - { id: h, objective: 90%, histogram: lat, within: 1s }\n"
		"invariants:\n  - " INVARIANT_HOLDS "\n  - " INVARIANT_OPEN "\n"
		"  - { id: q, query: x, at_most: 0 }\n"
		"  - { id: b, balance: { left: [ok_total], right: [quiet_total] }, at_most: 0 }\n"
		"preconditions: [ " CONDITION_MET " ]";
	struct error err = {0};
	size_t failed = 0;

	(void)state;
	app();
	for (size_t nth = 1; nth < 200; nth++) {
		reading_fails_at(nth);
		if (judge_returns(blocks, &err) == 0)
			break;
		failed++;
		assert_int_equal(err.kind, ERROR_STORE);
	}
	assert_true(failed > 10 && failed < 190);
	reading_fails_at(0);
	judge(blocks);
	expect_run(INCONCLUSIVE);
}

static void run_says_what_was_not_archived(void **state)
{
	(void)state;
	app();
	nothing_comes_after(2);
	run(STAGE_PASSES, INVARIANT_HOLDS, CONDITION_MET);
	expect_run(INCONCLUSIVE);
	assert_string_equal(
		note_value(&result()->reasons, REASON_NOT_ARCHIVED, "query"), "ok_total");
}

static void run_gives_the_same_result_for_the_same_evidence(void **state)
{
	(void)state;
	app();
	run(STAGE_FAILS, INVARIANT_OPEN, CONDITION_OPEN);
	size_t n = result()->reasons.n;
	run(STAGE_FAILS, INVARIANT_OPEN, CONDITION_OPEN);
	assert_int_equal(result()->reasons.n, n);
	expect_run(FAIL);
}

static void verdicts_have_names_and_exit_codes(void **state)
{
	(void)state;
	assert_string_equal(run_verdict_name(RUN_PASS), "PASS");
	assert_string_equal(run_verdict_name(RUN_FAIL), "FAIL");
	assert_string_equal(run_verdict_name(RUN_INVALID), "INVALID");
	assert_string_equal(run_verdict_name(RUN_INCONCLUSIVE), "INCONCLUSIVE");
	assert_int_equal(verdict_exit(RUN_PASS), 0);
	assert_int_equal(verdict_exit(RUN_FAIL), 1);
	assert_int_equal(verdict_exit(RUN_INVALID), 4);
	assert_int_equal(verdict_exit(RUN_INCONCLUSIVE), 3);
	assert_string_equal(check_verdict_name(CHECK_HELD, false), "HELD");
	assert_string_equal(check_verdict_name(CHECK_VIOLATED, false), "VIOLATED");
	assert_string_equal(check_verdict_name(CHECK_HELD, true), "MET");
	assert_string_equal(check_verdict_name(CHECK_VIOLATED, true), "UNMET");
	assert_string_equal(check_verdict_name(CHECK_UNPROVEN, true), "UNPROVEN");
	assert_null(check_verdict_name(CHECK_SHOWN, false));
	assert_string_equal(confidence_name(CONFIDENCE_DEMONSTRATED), "demonstrated");
	assert_string_equal(
		confidence_name(CONFIDENCE_MET_NOT_DEMONSTRATED), "met-not-demonstrated");
	assert_string_equal(confidence_name(CONFIDENCE_MISSED_NOT_CLEARLY), "missed-not-clearly");
	assert_string_equal(confidence_name(CONFIDENCE_CLEARLY_MISSED), "clearly-missed");
	assert_null(confidence_name(CONFIDENCE_NONE));
}

static void reasons_are_found_by_their_codes(void **state)
{
	(void)state;
	for (int r = 0; r < REASON_COUNT; r++)
		assert_int_equal(reason_find(reason_code((enum reason)r)), r);
	assert_int_equal(reason_find("no-such-reason"), -1);
	assert_int_equal(reason_severity(REASON_OBJECTIVE_MISSED), SEVERITY_DECIDES);
	assert_int_equal(reason_severity(REASON_UNSEEN), SEVERITY_DOUBT);
	assert_int_equal(reason_severity(REASON_WITNESSED), SEVERITY_NOTE);
	assert_int_equal(reason_severity(REASON_USAGE), SEVERITY_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(run_passes_if_all_is_well),
		RULE(run_is_invalid_if_an_invariant_is_violated),
		RULE(run_is_inconclusive_if_a_precondition_is_unmet),
		RULE(run_fails_if_a_stage_fails),
		RULE(run_is_inconclusive_if_a_stage_is),
		RULE(run_is_inconclusive_if_an_invariant_is_unproven),
		RULE(run_is_inconclusive_if_a_precondition_is_unproven),
		RULE(run_is_not_judged_by_figures),
		RULE(run_with_too_little_load_does_not_pass),
		RULE(run_with_95_percent_of_the_load_passes),
		RULE(run_with_too_little_load_still_fails),
		RULE(run_with_an_unknown_load_does_not_pass),
		RULE(run_with_an_uncertain_load_does_not_pass),
		RULE(run_may_measure_the_load_as_a_rate),
		RULE(run_without_a_stated_load_does_not_compare),
		RULE(run_says_that_the_load_was_not_measured),
		RULE(run_names_what_was_not_evaluated),
		RULE(run_says_what_is_known_of_the_data),
		RULE(run_ends_where_the_archive_cannot_be_read),
		RULE(run_says_what_was_not_archived),
		RULE(run_gives_the_same_result_for_the_same_evidence),
		RULE(verdicts_have_names_and_exit_codes),
		RULE(reasons_are_found_by_their_codes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
