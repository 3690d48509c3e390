/* The model: what scripts rely on, by contract.md section 3. */
#include "fixture.h"
#include "../base/unit.h"

#include <math.h>
#include <string.h>

static const struct tree *at(const struct tree *list, size_t i)
{
	const struct tree *t = list->first;

	while (t && i--)
		t = t->next;
	return t;
}

static const char *low(const struct tree *t, const char *key)
{
	return tree_text(tree_get(tree_get(t, key), "low"), "null");
}

static const char *high(const struct tree *t, const char *key)
{
	return tree_text(tree_get(tree_get(t, key), "high"), "null");
}

/* every field of the contract is there, null or not, in every kind of run */
static void has_all_fields(void **state)
{
	static const char *const names[] = {"pass", "fail", "invalid", "inconclusive", "hostile"};
	static const char *const run[] = {"id", "revision", "name", "spec", "spec_sha256",
		"judged_sha256", "uid", "registered_before_open", "environment", "campaign",
		"repeat", "load", "load_unit", "delivered", "open", "start", "end", "labels",
		"commit", "version"};
	static const char *const sli[] = {"id", "title", "component", "objective", "verdict",
		"good", "total", "excluded", "ratio", "confidence", "within_s", "percentiles",
		"p50_s", "p95_s", "p99_s", "steps", "notes"};
	static const char *const top[] = {"format", "verdict", "reasons", "run", "stages",
		"invariants", "preconditions", "figures", "quality"};
	static const char *const quality[] = {"series", "samples", "targets", "scrape_interval_s",
		"gaps", "resets", "births", "warnings"};

	(void)state;
	for (size_t n = 0; n < COUNT(names); n++) {
		struct fixture f;
		const struct tree *t = fixture_model(&f, names[n]);
		for (size_t i = 0; i < COUNT(top); i++)
			assert_non_null(tree_get(t, top[i]));
		for (size_t i = 0; i < COUNT(run); i++)
			assert_non_null(tree_get(tree_get(t, "run"), run[i]));
		for (size_t i = 0; i < COUNT(quality); i++)
			assert_non_null(tree_get(tree_get(t, "quality"), quality[i]));
		for (const struct tree *s = tree_get(t, "stages")->first; s; s = s->next)
			for (size_t i = 0; i < COUNT(sli); i++) {
				assert_non_null(tree_get(s, sli[i]));
				const struct tree *steps = tree_get(s, "steps");
				if (steps->first)
					assert_non_null(tree_get(steps->first, sli[i]));
			}
		fixture_release(&f);
	}
}

/* counting.md rule 19, contract.md: 12 decimals, low rounded down, high up */
static void ratios_are_rounded_outwards(void **state)
{
	struct fixture f;
	const struct tree *s;

	(void)state;
	fixture_make(&f, "inconclusive");
	f.result.stages[0].sli.good = (struct count){2, 2};
	f.result.stages[0].sli.bad = (struct count){1, 1};
	f.result.stages[0].sli.total = (struct count){3, 3};
	s = tree_get(report_model(&f.arena, &f.spec, &f.result, &f.info), "stages");
	assert_string_equal(low(s->first, "ratio"), "0.666666666666");
	assert_string_equal(high(s->first, "ratio"), "0.666666666667");
	/* 780 / (780 + 220), 995 / (995 + 5) */
	assert_string_equal(low(at(s, 1), "ratio"), "0.780000000000");
	assert_string_equal(high(at(s, 1), "ratio"), "0.995000000000");
	assert_string_equal(low(at(s, 1), "margin"), "-0.210000000000");
	/* refused */
	assert_string_equal(low(at(s, 2), "good"), "null");
	assert_string_equal(low(at(s, 2), "ratio"), "null");
	assert_string_equal(high(at(s, 2), "margin"), "null");
	fixture_release(&f);
}

/* counting.md rule 12: no traffic is never NaN, and never 0 */
static void no_traffic_has_no_ratio(void **state)
{
	struct fixture f;
	const struct tree *s;

	(void)state;
	fixture_make(&f, "fail");
	f.result.stages[0].sli.good = f.result.stages[0].sli.bad = f.result.stages[0].sli.total =
		(struct count){0, 0};
	s = tree_get(report_model(&f.arena, &f.spec, &f.result, &f.info), "stages")->first;
	assert_string_equal(low(s, "total"), "0");
	assert_string_equal(low(s, "ratio"), "null");
	assert_string_equal(high(s, "ratio"), "null");
	fixture_release(&f);
}

static void unknown_bounds_claim_nothing(void **state)
{
	struct fixture f;
	const struct tree *t, *s;

	(void)state;
	fixture_make(&f, "invalid");
	f.result.stages[0].sli.bad = (struct count){0, INFINITY};
	f.result.stages[0].sli.total = (struct count){120044, INFINITY};
	t = report_model(&f.arena, &f.spec, &f.result, &f.info);
	s = tree_get(t, "stages")->first;
	assert_string_equal(low(s, "ratio"), "0.000000000000");
	assert_string_equal(high(s, "ratio"), "1.000000000000");
	assert_string_equal(high(s, "total"), "null");
	s = at(tree_get(t, "invariants"), 1);
	assert_string_equal(low(s, "observed"), "4");
	assert_string_equal(high(s, "observed"), "null");
	fixture_release(&f);
}

/* Compared by what is left of what may fail: the 0.502 points of 1 are nearer to a miss than the
 * 0.1 of 0.1 of the first page, where nothing failed. */
static void the_least_margin_is_the_nearest_to_a_miss(void **state)
{
	struct fixture f;
	const struct tree *least;

	(void)state;
	least = tree_get(fixture_model(&f, "pass"), "least_margin");
	assert_string_equal(tree_text(tree_get(least, "stage"), ""), "position");
	assert_null(tree_text(tree_get(least, "step"), NULL));
	fixture_release(&f);

	least = tree_get(fixture_model(&f, "invalid"), "least_margin");
	assert_string_equal(tree_text(tree_get(least, "stage"), ""), "journey");
	assert_string_equal(tree_text(tree_get(least, "step"), ""), "confirm");
	fixture_release(&f);

	/* a percentile is an objective too */
	fixture_make(&f, "pass");
	f.result.stages[1].percentiles[0].share_low = f.result.stages[1].percentiles[0].share_high =
		0.951;
	least = tree_get(report_model(&f.arena, &f.spec, &f.result, &f.info), "least_margin");
	assert_string_equal(tree_text(tree_get(least, "percentile"), ""), "95");
	fixture_release(&f);
}

static void percentile_shares_have_no_noise(void **state)
{
	struct fixture f;
	const struct tree *p;

	(void)state;
	fixture_make(&f, "pass");
	f.result.stages[1].percentiles[0].share_low = f.result.stages[1].percentiles[0].share_high =
		19.0 / 20;
	p = tree_get(at(tree_get(report_model(&f.arena, &f.spec, &f.result, &f.info), "stages"), 1),
		"percentiles")
		    ->first;
	assert_string_equal(low(p, "share"), "0.950000000000");
	assert_string_equal(high(p, "share"), "0.950000000000");
	fixture_release(&f);
}

/* the judge leaves the subject of an item's own notes out */
static void notes_name_their_item(void **state)
{
	struct fixture f;
	const struct tree *stages = tree_get(fixture_model(&f, "inconclusive"), "stages");
	const struct tree *step = at(tree_get(at(stages, 2), "steps"), 1);
	const struct tree *note = tree_get(step, "notes")->first;

	(void)state;
	assert_string_equal(tree_text(tree_get(note, "subject"), ""), "stage/journey/confirm");
	assert_string_equal(tree_text(tree_get(note, "severity"), ""), "doubt");
	assert_string_equal(tree_text(tree_get(note, "text"), ""),
		"{job=\"booking\"} has no bucket at 1 s; the buckets around it are 0.5, 2.5.");
	fixture_release(&f);
}

/* "load as stated, not measured" must be known wherever a report is drawn */
static void tells_whether_the_load_was_measured(void **state)
{
	struct fixture f;
	const struct tree *run = tree_get(fixture_model(&f, "pass"), "run");

	(void)state;
	assert_true(tree_is_true(tree_get(run, "load_measured")));
	fixture_release(&f);
	run = tree_get(fixture_model(&f, "fail"), "run");
	assert_int_equal(tree_get(run, "load_measured")->type, TREE_BOOL);
	assert_false(tree_is_true(tree_get(run, "load_measured")));
	fixture_release(&f);
	fixture_make(&f, "fail");
	f.info.has_load = false;
	run = tree_get(report_model(&f.arena, &f.spec, &f.result, &f.info), "run");
	assert_int_equal(tree_get(run, "load_measured")->type, TREE_NULL);
	assert_int_equal(tree_get(run, "load")->type, TREE_NULL);
	fixture_release(&f);
}

static void the_value_of_a_secret_is_null(void **state)
{
	struct fixture f;
	const struct tree *variables = tree_get(fixture_model(&f, "pass"), "variables");

	(void)state;
	assert_string_equal(tree_text(tree_get(variables, "env"), ""), "stg");
	assert_int_equal(tree_get(variables, "TOKEN")->type, TREE_NULL);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_all_fields),
		cmocka_unit_test(ratios_are_rounded_outwards),
		cmocka_unit_test(no_traffic_has_no_ratio),
		cmocka_unit_test(unknown_bounds_claim_nothing),
		cmocka_unit_test(the_least_margin_is_the_nearest_to_a_miss),
		cmocka_unit_test(percentile_shares_have_no_noise),
		cmocka_unit_test(notes_name_their_item),
		cmocka_unit_test(tells_whether_the_load_was_measured),
		cmocka_unit_test(the_value_of_a_secret_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
