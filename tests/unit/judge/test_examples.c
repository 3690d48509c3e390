/* Every row of the small examples in docs/counting.md: the cases in which `increase` is wrong. */
#include "fixture.h"

#define ON_A "{job=\"app\",instance=\"a\"}"

static void example_errors_born_at_one(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" ON_A, "185~395/15:1");
	judge_invariant("id: i, count: errors_total, at_most: 0");
	expect_verdict("i", VIOLATED, 1, 1);
	expect_note(&check("i")->notes, INVARIANT_VIOLATED);
	expect_run(INVALID);
}

static void example_errors_of_one_sample(void **state)
{
	(void)state;
	given_target("a");
	given("errors_total" ON_A, "350:3");
	judge_invariant("id: i, count: errors_total, at_most: 0");
	expect_verdict("i", VIOLATED, 3, 3);
}

static void example_ratio_that_hides_a_birth(void **state)
{
	(void)state;
	given_target("a");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"200\"}",
		"-295~5/15:0 20~335/15:434+434 350~395/15:9990");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"500\"}", "200~395/15:10");
	judge_stage(
		"id: s, objective: 99.95%, good: 'reqs_total{code=\"200\"}', total: reqs_total");
	expect_stage("s", FAIL);
	expect_exact(stage("s")->sli.good, 9990);
	expect_exact(stage("s")->sli.total, 10000);
	expect_note(&stage("s")->sli.notes, OBJECTIVE_MISSED);
	expect_run(FAIL);
}

static void example_one_is_one(void **state)
{
	(void)state;
	given_process("a", "-290~400/30", "@-5000");
	given("errors_total" ON_A, "-290~160/30:10 190~400/30:11");
	judge_invariant("id: i, count: errors_total, at_most: 0");
	expect_verdict("i", VIOLATED, 1, 1);
}

static void example_restart_hides_errors(void **state)
{
	(void)state;
	given("up" ON_A, "-290~400/30:1");
	given("process_start_time_seconds" ON_A, "-290~70/30:@-5000 100~400/30:@95");
	given("errors_total" ON_A, "-290~70/30:2 100~400/30:0");
	judge_invariant("id: i, count: errors_total, at_most: 0");
	expect_verdict("i", UNPROVEN, 0, INFINITY);
	const struct notes *n = &check("i")->notes;
	expect_note(n, UNSEEN);
	assert_string_equal(note_value(n, REASON_UNSEEN, "from"), "2026-05-28T20:27:50Z");
	assert_string_equal(note_value(n, REASON_UNSEEN, "to"), "2026-05-28T20:28:15Z");
	expect_run(INCONCLUSIVE);
}

static void example_bound_is_a_number(void **state)
{
	(void)state;
	given_target("a");
	given("lat_bucket{job=\"app\",instance=\"a\",le=\"1.0\"}", "-295~-10/15:0 5~395/15:990");
	given("lat_bucket{job=\"app\",instance=\"a\",le=\"+Inf\"}", "-295~-10/15:0 5~395/15:1000");
	given("lat_count" ON_A, "-295~-10/15:0 5~395/15:1000");
	judge_stage("id: s, objective: 99%, histogram: lat, within: 1s");
	expect_stage("s", PASS);
	expect_exact(stage("s")->sli.good, 990);
	expect_exact(stage("s")->sli.total, 1000);
	expect_run(PASS);
}

static void example_bound_on_one_pod(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given("lat_bucket{job=\"app\",instance=\"a\",le=\"1\"}", "-10:0 5~395/15:480");
	given("lat_count{job=\"app\",instance=\"a\"}", "-10:0 5~395/15:500");
	given("lat_bucket{job=\"app\",instance=\"b\",le=\"0.5\"}", "-10:0 5~395/15:300");
	given("lat_bucket{job=\"app\",instance=\"b\",le=\"2.5\"}", "-10:0 5~395/15:495");
	given("lat_count{job=\"app\",instance=\"b\"}", "-10:0 5~395/15:500");
	judge_stage("id: s, objective: 95%, histogram: lat, within: 1s");
	expect_stage("s", INCONCLUSIVE);
	expect_count(stage("s")->sli.good, 780, 975);
	expect_note(&stage("s")->sli.notes, BUCKET_MISSING);
	expect_run(INCONCLUSIVE);
}

static void example_bucket_over_count(void **state)
{
	(void)state;
	given_target("a");
	given("lat_bucket{job=\"app\",instance=\"a\",le=\"1\"}", "-10:0 5~395/15:1515");
	given("lat_count" ON_A, "-10:0 5~395/15:666");
	judge_stage("id: s, objective: 95%, histogram: lat, within: 1s");
	expect_stage("s", INCONCLUSIVE);
	expect_refused(stage("s")->sli.good);
	expect_refused(stage("s")->sli.total);
	expect_note(&stage("s")->sli.notes, BUCKET_OVER_COUNT);
}

static void example_label_that_is_not_there(void **state)
{
	(void)state;
	given_target("a");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"500\"}", EVERY ":7");
	judge_invariant("id: i, count: 'reqs_total{status=\"5xx\"}', at_most: 0");
	assert_int_equal(check("i")->verdict, CHECK_UNPROVEN);
	expect_note(&check("i")->notes, LABEL_UNKNOWN);
	assert_string_equal(
		note_value(&check("i")->notes, REASON_LABEL_UNKNOWN, "label"), "status");
	expect_run(INCONCLUSIVE);
}

static void example_start_time_jitters(void **state)
{
	(void)state;
	given("up" ON_A, EVERY ":1");
	given("process_start_time_seconds" ON_A, "-295~170/15:@-5000 185~395/15:@-4999");
	given("errors_total" ON_A, EVERY ":5000");
	judge_invariant("id: i, count: errors_total, at_most: 0");
	expect_verdict("i", HELD, 0, 0);
	expect_run(PASS);
}

static void gap_over_the_end(const char *up)
{
	given("up" ON_A, up);
	given("process_start_time_seconds" ON_A, "-295~95/15:@-5000 380:@-5000 395:@-5000");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"200\"}",
		"-295~-10/15:0 5~95/15:100 380:10000 395:10000");
	given("reqs_total{job=\"app\",instance=\"a\",code=\"500\"}", "380:1495 395:1495");
	judge("stages: [ { id: s, objective: 50%, good: 'reqs_total{code=\"200\"}', "
	      "total: reqs_total } ]\n"
	      "invariants: [ { id: i, count: 'reqs_total{code=~\"5..\"}', at_most: 0 } ]");
	expect_stage("s", INCONCLUSIVE);
	expect_count(stage("s")->sli.good, 100, 10000);
	expect_count(stage("s")->sli.bad, 0, 1495);
	expect_note(&stage("s")->sli.notes, EDGE_GAP);
	expect_verdict("i", UNPROVEN, 0, 1495);
	expect_run(INCONCLUSIVE);
}

static void example_gap_over_the_end(void **state)
{
	(void)state;
	gap_over_the_end("-295~95/15:1 380:1 395:1");
}

static void example_gap_of_failed_scrapes_over_the_end(void **state)
{
	(void)state;
	gap_over_the_end("-295~95/15:1 110~365/15:0 380:1 395:1");
}

static void example_what_never_arrived(void **state)
{
	(void)state;
	given_process("a", "-300~405/15", "@-5000");
	given("sent_total" ON_A, "-300~-15/15:0 0:10 15:10 30~405/15:1010");
	given("arrival_seconds_bucket{job=\"app\",instance=\"a\",le=\"1\"}",
		"-300~0/15:0 15:10 30~405/15:1000");
	given("arrival_seconds_count" ON_A, "-300~0/15:0 15:10 30~405/15:1000");
	judge_stage("id: s, objective: 99.9%, histogram: arrival_seconds, within: 1s, "
		    "total: sent_total");
	expect_stage("s", INCONCLUSIVE);
	expect_exact(stage("s")->sli.total, 1000);
	expect_count(stage("s")->sli.good, 990, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(example_errors_born_at_one),
		RULE(example_errors_of_one_sample),
		RULE(example_ratio_that_hides_a_birth),
		RULE(example_one_is_one),
		RULE(example_restart_hides_errors),
		RULE(example_bound_is_a_number),
		RULE(example_bound_on_one_pod),
		RULE(example_bucket_over_count),
		RULE(example_label_that_is_not_there),
		RULE(example_start_time_jitters),
		RULE(example_gap_over_the_end),
		RULE(example_gap_of_failed_scrapes_over_the_end),
		RULE(example_what_never_arrived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
