/* Rules 13 to 17: classic buckets, what lies within a bound, quantiles. */
#include "fixture.h"

#define A "{job=\"app\",instance=\"a\"}"
#define B "{job=\"app\",instance=\"b\"}"
#define BUCKET(instance, le) "lat_bucket{job=\"app\",instance=\"" instance "\",le=\"" le "\"}"
#define WITHIN(objective) "id: s, objective: " objective ", histogram: lat, within: 1s"
#define UP_TO(n) "-295~-10/15:0 5~395/15:" n

static const struct sli_result *sli(void)
{
	return &stage("s")->sli;
}

/* --- rule 13 --- */

static void rule_13_le_is_compared_as_a_number(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given_target("c");
	given(BUCKET("a", "1"), UP_TO("90"));
	given("lat_count" A, UP_TO("100"));
	given(BUCKET("b", "1.0"), UP_TO("80"));
	given("lat_count" B, UP_TO("100"));
	given(BUCKET("c", "1e+00"), UP_TO("70"));
	given("lat_count{job=\"app\",instance=\"c\"}", UP_TO("100"));
	judge_stage(WITHIN("80%"));
	expect_stage("s", PASS);
	expect_exact(sli()->good, 240);
	expect_exact(sli()->bad, 60);
	expect_no_note(&sli()->notes, BUCKET_MISSING);
}

static void rule_13_le_that_is_no_number_is_refused(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "1"), UP_TO("90"));
	given(BUCKET("a", "fast"), UP_TO("90"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("80%"));
	expect_stage("s", INCONCLUSIVE);
	expect_refused(sli()->good);
	expect_note(&sli()->notes, BAD_VALUE);
}

static void missing_bound(const char *objective)
{
	given_target("a");
	given(BUCKET("a", "0.5"), UP_TO("60"));
	given(BUCKET("a", "2.5"), UP_TO("99"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(objective);
	expect_count(sli()->good, 60, 99);
	expect_count(sli()->bad, 1, 40);
	expect_note(&sli()->notes, BUCKET_MISSING);
}

static void rule_13_without_the_bound_good_lies_between_its_neighbours(void **state)
{
	(void)state;
	missing_bound(WITHIN("80%"));
	expect_stage("s", INCONCLUSIVE);
}

static void rule_13_both_ends_may_pass(void **state)
{
	(void)state;
	missing_bound(WITHIN("60%"));
	expect_stage("s", PASS);
}

static void rule_13_both_ends_may_fail(void **state)
{
	(void)state;
	missing_bound(WITHIN("99.1%"));
	expect_stage("s", FAIL);
}

static void rule_13_a_missing_bucket_is_not_good(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "0.5"), UP_TO("60"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("80%"));
	expect_stage("s", INCONCLUSIVE);
	expect_count(sli()->good, 60, 100);
}

static void rule_13_below_the_lowest_bucket_nothing_is_known_to_be_good(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "2.5"), UP_TO("99"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("80%"));
	expect_count(sli()->good, 0, 99);
}

static void rule_13_a_pod_without_events_needs_no_bucket(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given(BUCKET("a", "1"), UP_TO("90"));
	given("lat_count" A, UP_TO("100"));
	given(BUCKET("b", "5"), EVERY ":0");
	given("lat_count" B, EVERY ":0");
	judge_stage(WITHIN("90%"));
	expect_stage("s", PASS);
	expect_no_note(&sli()->notes, BUCKET_MISSING);
}

static void rule_13_the_unit_of_the_name_counts(void **state)
{
	(void)state;
	given_target("a");
	given("lat_milliseconds_bucket{job=\"app\",instance=\"a\",le=\"100\"}", UP_TO("90"));
	given("lat_milliseconds_bucket{job=\"app\",instance=\"a\",le=\"0.1\"}", UP_TO("1"));
	given("lat_milliseconds_count" A, UP_TO("100"));
	judge_stage("id: s, objective: 90%, histogram: lat_milliseconds, within: 100ms");
	expect_stage("s", PASS);
	expect_exact(sli()->good, 90);
	expect_count(sli()->p50_s, 0.0001, 0.1);
}

static void rule_13_success_and_exclude_are_matchers(void **state)
{
	static const struct {
		const char *status, *within, *all;
	} given_of[] = {{"200", UP_TO("90"), UP_TO("95")}, {"500", UP_TO("4"), UP_TO("5")},
		{"409", UP_TO("50"), UP_TO("50")}};
	char name[128];

	(void)state;
	given_target("a");
	for (size_t i = 0; i < COUNT(given_of); i++) {
		snprintf(name, sizeof name,
			"lat_bucket{job=\"app\",instance=\"a\",status=\"%s\",le=\"1\"}",
			given_of[i].status);
		given(name, given_of[i].within);
		snprintf(name, sizeof name, "lat_count{job=\"app\",instance=\"a\",status=\"%s\"}",
			given_of[i].status);
		given(name, given_of[i].all);
	}
	judge_stage(WITHIN("90%") ", success: '{status=~\"2..\"}', exclude: '{status=\"409\"}'");
	expect_stage("s", PASS);
	expect_exact(sli()->good, 90);
	expect_exact(sli()->bad, 10);
	expect_exact(sli()->total, 100);
	expect_exact(sli()->excluded, 50);
	judge_stage(WITHIN("90%") ", success: '{code=~\"2..\"}'");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, LABEL_UNKNOWN);
}

static void rule_13_an_exclude_of_another_family_may_be_good_or_bad(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "1"), UP_TO("90"));
	given("lat_count" A, UP_TO("100"));
	given("rejected_total" A, UP_TO("5"));
	judge_stage(WITHIN("80%") ", exclude: rejected_total");
	expect_exact(sli()->total, 95);
	expect_exact(sli()->excluded, 5);
	expect_count(sli()->good, 85, 90);
	expect_stage("s", PASS);
}

static void rule_13_an_unknown_histogram_is_inconclusive(void **state)
{
	(void)state;
	given_target("a");
	judge_stage(WITHIN("90%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, METRIC_UNKNOWN);
	expect_run(INCONCLUSIVE);
}

static void rule_13_dozens_of_histograms_are_added_up(void **state)
{
	char name[128];

	(void)state;
	given_target("a");
	for (int i = 0; i < 50; i++) {
		snprintf(name, sizeof name,
			"lat_bucket{job=\"app\",instance=\"a\",uri=\"/%d\",le=\"1\"}", i);
		given(name, UP_TO("9"));
		snprintf(name, sizeof name, "lat_count{job=\"app\",instance=\"a\",uri=\"/%d\"}", i);
		given(name, UP_TO("10"));
	}
	judge_stage(WITHIN("90%"));
	expect_stage("s", PASS);
	expect_exact(sli()->good, 450);
	expect_exact(sli()->total, 500);
}

static void rule_13_an_unknown_exclude_takes_nothing_out(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "1"), UP_TO("90"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("80%") ", exclude: rejected_total");
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, METRIC_UNKNOWN);
}

/* --- rule 14 --- */

static void rule_14_a_bucket_over_count_is_refused(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "1"), UP_TO("101"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("50%"));
	expect_stage("s", INCONCLUSIVE);
	expect_refused(sli()->good);
	expect_note(&sli()->notes, BUCKET_OVER_COUNT);
}

static void rule_14_a_bucket_may_equal_count(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "1"), UP_TO("100"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("99.9%"));
	expect_stage("s", PASS);
	expect_exact(sli()->good, 100);
}

static void rule_14_buckets_that_fall_are_refused(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "0.5"), UP_TO("91"));
	given(BUCKET("a", "1"), UP_TO("90"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("50%"));
	expect_stage("s", INCONCLUSIVE);
	expect_refused(sli()->total);
	expect_note(&sli()->notes, BUCKETS_FALL);
}

static void rule_14_on_one_pod_is_enough_to_refuse(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given(BUCKET("a", "1"), UP_TO("50"));
	given("lat_count" A, UP_TO("100"));
	given(BUCKET("b", "1"), UP_TO("51"));
	given("lat_count" B, UP_TO("50"));
	judge_stage(WITHIN("50%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, BUCKET_OVER_COUNT);
}

static void rule_14_buckets_without_count_are_refused(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given(BUCKET("a", "1"), UP_TO("50"));
	given("lat_count" B, UP_TO("50"));
	given(BUCKET("b", "1"), UP_TO("50"));
	judge_stage(WITHIN("50%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, BUCKETS_INCOMPLETE);
}

static void rule_14_a_count_without_buckets_is_refused(void **state)
{
	(void)state;
	given_target("a");
	given("lat_count" A, UP_TO("50"));
	judge_stage(WITHIN("50%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, BUCKETS_INCOMPLETE);
}

static void rule_14_a_bucket_with_a_bad_value_is_refused(void **state)
{
	(void)state;
	given_target("a");
	given("lat_count" A, UP_TO("50"));
	given(BUCKET("a", "1"), "-295~200/15:3 215:NaN 230~395/15:3");
	judge_stage(WITHIN("50%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, BAD_VALUE);
}

static void rule_14_the_infinite_bucket_serves_as_count(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "1"), UP_TO("40"));
	given(BUCKET("a", "+Inf"), UP_TO("50"));
	judge_stage(WITHIN("80%"));
	expect_stage("s", PASS);
	expect_exact(sli()->total, 50);
}

static void rule_14_an_edge_gap_is_in_good_and_total_alike(void **state)
{
	(void)state;
	given_process("a", "-295~-40/15 20~395/15", "@-5000");
	given(BUCKET("a", "1"), "-295~-40/15:0 20~200/15:10 215~395/15:110");
	given("lat_count" A, "-295~-40/15:0 20~200/15:10 215~395/15:110");
	judge_stage(WITHIN("99.9%"));
	/* 100 or 110 of as many: never a bad one */
	expect_stage("s", PASS);
	expect_count(sli()->good, 100, 110);
	expect_exact(sli()->bad, 0);
}

/* --- rule 15 --- */

static void rule_15_native_histograms_are_refused(void **state)
{
	(void)state;
	given_target("a");
	given_native("lat_count" A, UP_TO("100"));
	given(BUCKET("a", "1"), UP_TO("90"));
	judge_stage(WITHIN("90%"));
	expect_stage("s", INCONCLUSIVE);
	expect_refused(sli()->good);
	expect_note(&sli()->notes, NOT_IN_THIS_BUILD);
}

static void rule_15_native_histograms_are_refused_as_counters_and_values(void **state)
{
	(void)state;
	given_target("a");
	given_native("lat" A, "");
	judge("invariants:\n  - { id: i, count: lat, at_most: 0 }\n"
	      "  - { id: k, max: lat, at_most: 0 }");
	expect_verdict("i", UNPROVEN, NAN, NAN);
	expect_verdict("k", UNPROVEN, NAN, NAN);
	expect_note(&check("i")->notes, NOT_IN_THIS_BUILD);
	expect_note(&check("k")->notes, NOT_IN_THIS_BUILD);
}

/* --- rule 16 --- */

static void rule_16_quantiles_are_bounds_of_buckets(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "0.1"), UP_TO("50"));
	given(BUCKET("a", "0.5"), UP_TO("95"));
	given(BUCKET("a", "1"), UP_TO("100"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("90%"));
	assert_true(sli()->has_quantiles);
	expect_count(sli()->p50_s, 0, 0.1);
	expect_count(sli()->p95_s, 0.1, 0.5);
	expect_count(sli()->p99_s, 0.5, 1);
	assert_true(fabs(sli()->p50_at_s - 0.1) < 1e-9);
	assert_true(fabs(sli()->p99_at_s - 0.9) < 1e-9);
}

static void rule_16_in_the_top_bucket_high_is_unknown(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "1"), UP_TO("98"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("90%"));
	expect_count(sli()->p99_s, 1, INFINITY);
	assert_true(isnan(sli()->p99_at_s));
	expect_count(sli()->p95_s, 0, 1);
}

static void rule_16_pods_with_other_buckets_widen_the_bounds(void **state)
{
	(void)state;
	given_target("a");
	given_target("b");
	given(BUCKET("a", "1"), UP_TO("100"));
	given("lat_count" A, UP_TO("100"));
	given(BUCKET("b", "0.5"), UP_TO("10"));
	given(BUCKET("b", "2"), UP_TO("100"));
	given("lat_count" B, UP_TO("100"));
	judge_stage(WITHIN("10%"));
	/* 100 to 200 of 200 within 1 s */
	expect_count(sli()->p99_s, 0.5, 2);
}

static void percentile_of(const char *within_half)
{
	given_target("a");
	given(BUCKET("a", "0.5"), within_half);
	given(BUCKET("a", "1"), UP_TO("100"));
	given("lat_count" A, UP_TO("100"));
	given("ok_total" A, UP_TO("100"));
	judge_stage("id: s, objective: 99%, good: ok_total, total: ok_total, histogram: lat, "
		    "percentiles: { p95: 500ms }");
}

static void rule_16_a_percentile_met_exactly_passes(void **state)
{
	(void)state;
	percentile_of(UP_TO("95"));
	expect_stage("s", PASS);
	assert_int_equal(stage("s")->n_percentiles, 1);
	assert_int_equal(stage("s")->percentiles[0].verdict, STAGE_PASS);
	assert_true(stage("s")->percentiles[0].share_low == 0.95);
	assert_true(stage("s")->percentiles[0].share_high == 0.95);
}

static void rule_16_a_percentile_missed_fails_the_stage(void **state)
{
	(void)state;
	percentile_of(UP_TO("94"));
	expect_stage("s", FAIL);
	assert_int_equal(stage("s")->percentiles[0].verdict, STAGE_FAIL);
	expect_note(&sli()->notes, PERCENTILE_MISSED);
	expect_no_note(&sli()->notes, OBJECTIVE_MISSED);
	expect_run(FAIL);
}

static void rule_16_a_percentile_without_its_bucket_is_undecided(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "0.25"), UP_TO("90"));
	given(BUCKET("a", "1"), UP_TO("100"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("99%") ", percentiles: { p95: 500ms }");
	expect_stage("s", INCONCLUSIVE);
	assert_true(stage("s")->percentiles[0].share_low == 0.9);
	assert_true(stage("s")->percentiles[0].share_high == 1);
	expect_note(&sli()->notes, UNDECIDED);
}

static void rule_16_a_percentile_without_events_is_refused(void **state)
{
	(void)state;
	percentile_of(EVERY ":0");
	judge_stage("id: s, objective: 99%, good: ok_total, total: ok_total, histogram: none, "
		    "percentiles: { p95: 500ms }");
	expect_stage("s", INCONCLUSIVE);
	assert_true(isnan(stage("s")->percentiles[0].share_low));
}

static void rule_16_a_percentile_without_traffic_is_refused(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "0.5"), EVERY ":7");
	given("lat_count" A, EVERY ":7");
	judge_stage("id: s, objective: 99%, histogram: lat, within: 500ms, "
		    "percentiles: { p95: 500ms }");
	expect_stage("s", INCONCLUSIVE);
	assert_true(isnan(stage("s")->percentiles[0].share_high));
}

static void rule_16_percentiles_count_failures_too(void **state)
{
	(void)state;
	given_target("a");
	given("lat_bucket{job=\"app\",instance=\"a\",status=\"200\",le=\"1\"}", UP_TO("90"));
	given("lat_count{job=\"app\",instance=\"a\",status=\"200\"}", UP_TO("90"));
	given("lat_bucket{job=\"app\",instance=\"a\",status=\"500\",le=\"1\"}", UP_TO("10"));
	given("lat_count{job=\"app\",instance=\"a\",status=\"500\"}", UP_TO("10"));
	judge_stage(WITHIN("90%") ", success: '{status=\"200\"}', percentiles: { p99: 1s }");
	expect_stage("s", PASS);
	assert_true(stage("s")->percentiles[0].share_low == 1);
}

static void unseen_percentile(const char *targets)
{
	char blocks[512];

	asked_at(1000);
	given_target("a");
	given_process("b", "-295~200/15", "@-5000");
	given(BUCKET("a", "1"), EVERY ":0+10");
	given("lat_count" A, EVERY ":0+10");
	given(BUCKET("b", "1"), "-295~200/15:0+10");
	given("lat_count" B, "-295~200/15:0+10");
	snprintf(blocks, sizeof blocks, "%sstages: [ { %s, percentiles: { p98: 1s } } ]", targets,
		WITHIN("90%"));
	judge(blocks);
}

static void rule_16_unseen_events_may_miss_a_percentile(void **state)
{
	(void)state;
	unseen_percentile("");
	/* 380 of 380 to 390 */
	expect_stage("s", INCONCLUSIVE);
	assert_int_equal(stage("s")->percentiles[0].verdict, STAGE_INCONCLUSIVE);
	assert_true(fabs(stage("s")->percentiles[0].share_low - 380.0 / 390) < 1e-12);
}

static void rule_16_unless_they_are_taken_to_be_like_the_seen(void **state)
{
	(void)state;
	unseen_percentile("targets: { unseen: proportional }\n");
	expect_stage("s", PASS);
}

/* --- rule 17 --- */

static void rule_17_micrometer_has_no_bound_at_one_second(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "0.984263336"), UP_TO("98"));
	given(BUCKET("a", "1.073741824"), UP_TO("99"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("98.5%"));
	expect_stage("s", INCONCLUSIVE);
	expect_note(&sli()->notes, MICROMETER_BOUNDS);
}

static void rule_17_other_buckets_are_not_micrometer_s(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "0.5"), UP_TO("98"));
	given(BUCKET("a", "2"), UP_TO("99"));
	given("lat_count" A, UP_TO("100"));
	judge_stage(WITHIN("98.5%"));
	expect_note(&sli()->notes, BUCKET_MISSING);
	expect_no_note(&sli()->notes, MICROMETER_BOUNDS);
}

/* --- bands of figures --- */

static void bands(const char *limits, double low, double high)
{
	char item[128];

	snprintf(item, sizeof item, "id: f, histogram: lat, %s", limits);
	judge_figure(item);
	expect_verdict("f", SHOWN, low, high);
}

static void band_counts_what_was_slower_and_what_was_not_too_slow(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "0.5"), UP_TO("50"));
	given(BUCKET("a", "1"), UP_TO("90"));
	given(BUCKET("a", "2.5"), UP_TO("97"));
	given("lat_count" A, UP_TO("100"));
	bands("over: 1s, up_to: 2.5s", 7, 7);
	bands("over: 1s", 10, 10);
	bands("up_to: 1s", 90, 90);
	/* 2 s lies between 90 and 97 */
	bands("over: 1s, up_to: 2s", 0, 7);
	bands("over: 2s", 3, 10);
	expect_note(&check("f")->notes, BUCKET_MISSING);
}

static void band_of_an_invariant_is_judged(void **state)
{
	(void)state;
	given_target("a");
	given(BUCKET("a", "1"), "-295~350/15:90 365~395/15:90");
	given("lat_count" A, "-295~350/15:90 365~395/15:91");
	judge_invariant("id: i, histogram: lat, over: 1s, at_most: 0");
	expect_verdict("i", VIOLATED, 1, 1);
	judge_invariant("id: i, histogram: none, over: 1s, at_most: 0");
	expect_verdict("i", UNPROVEN, NAN, NAN);
}

static void band_is_open_where_a_target_left(void **state)
{
	(void)state;
	asked_at(1000);
	given_target("a");
	given_process("b", "-295~200/15", "@-5000");
	given(BUCKET("a", "1"), EVERY ":0");
	given("lat_count" A, EVERY ":0");
	given(BUCKET("b", "1"), "-295~200/15:0");
	given("lat_count" B, "-295~200/15:0");
	judge_invariant("id: i, histogram: lat, over: 1s, at_most: 0");
	expect_verdict("i", UNPROVEN, 0, INFINITY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(rule_13_le_is_compared_as_a_number),
		RULE(rule_13_le_that_is_no_number_is_refused),
		RULE(rule_13_without_the_bound_good_lies_between_its_neighbours),
		RULE(rule_13_both_ends_may_pass),
		RULE(rule_13_both_ends_may_fail),
		RULE(rule_13_a_missing_bucket_is_not_good),
		RULE(rule_13_below_the_lowest_bucket_nothing_is_known_to_be_good),
		RULE(rule_13_a_pod_without_events_needs_no_bucket),
		RULE(rule_13_the_unit_of_the_name_counts),
		RULE(rule_13_success_and_exclude_are_matchers),
		RULE(rule_13_an_exclude_of_another_family_may_be_good_or_bad),
		RULE(rule_13_an_unknown_histogram_is_inconclusive),
		RULE(rule_13_dozens_of_histograms_are_added_up),
		RULE(rule_13_an_unknown_exclude_takes_nothing_out),
		RULE(rule_14_a_bucket_over_count_is_refused),
		RULE(rule_14_a_bucket_may_equal_count),
		RULE(rule_14_buckets_that_fall_are_refused),
		RULE(rule_14_on_one_pod_is_enough_to_refuse),
		RULE(rule_14_buckets_without_count_are_refused),
		RULE(rule_14_a_count_without_buckets_is_refused),
		RULE(rule_14_a_bucket_with_a_bad_value_is_refused),
		RULE(rule_14_the_infinite_bucket_serves_as_count),
		RULE(rule_14_an_edge_gap_is_in_good_and_total_alike),
		RULE(rule_15_native_histograms_are_refused),
		RULE(rule_15_native_histograms_are_refused_as_counters_and_values),
		RULE(rule_16_quantiles_are_bounds_of_buckets),
		RULE(rule_16_in_the_top_bucket_high_is_unknown),
		RULE(rule_16_pods_with_other_buckets_widen_the_bounds),
		RULE(rule_16_a_percentile_met_exactly_passes),
		RULE(rule_16_a_percentile_missed_fails_the_stage),
		RULE(rule_16_a_percentile_without_its_bucket_is_undecided),
		RULE(rule_16_a_percentile_without_events_is_refused),
		RULE(rule_16_a_percentile_without_traffic_is_refused),
		RULE(rule_16_percentiles_count_failures_too),
		RULE(rule_16_unseen_events_may_miss_a_percentile),
		RULE(rule_16_unless_they_are_taken_to_be_like_the_seen),
		RULE(rule_17_micrometer_has_no_bound_at_one_second),
		RULE(rule_17_other_buckets_are_not_micrometer_s),
		RULE(band_counts_what_was_slower_and_what_was_not_too_slow),
		RULE(band_of_an_invariant_is_judged),
		RULE(band_is_open_where_a_target_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
