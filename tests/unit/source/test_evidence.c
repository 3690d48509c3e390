/* Evidence: the staleness marker's bits, and how a query is found. */
#include "../base/unit.h"

#include <math.h>
#include <string.h>

#include "judge/evidence.h"

static void the_marker_is_prometheus_own(void **state)
{
	double stale = sample_stale();
	uint64_t bits = 0;
	(void)state;
	memcpy(&bits, &stale, sizeof bits);
	assert_true(bits == 0x7ff0000000000002);
	assert_true(isnan(stale));
	assert_true(sample_is_stale(stale));
	assert_false(sample_is_stale(NAN));
	assert_false(sample_is_stale(0));
	assert_false(sample_is_stale(INFINITY));
}

static void a_query_is_found_by_kind_text_and_range(void **state)
{
	const struct answer answers[] = {
		{.query = {QUERY_RAW, "up", 1, 5, "a"}},
		{.query = {QUERY_RAW, "up", 1, 6, "b"}},
		{.query = {QUERY_PROMQL, "up", 6, 6, "c"}},
	};
	struct evidence e = {.answers = answers, .n_answers = COUNT(answers)};
	char text[] = "up";
	(void)state;
	assert_int_equal(evidence_find(&e, &(struct query){QUERY_RAW, text, 1, 6, "z"}), 1);
	assert_int_equal(evidence_find(&e, &(struct query){QUERY_PROMQL, text, 6, 6, "z"}), 2);
	assert_int_equal(evidence_find(&e, &(struct query){QUERY_RAW, text, 2, 6, "z"}), -1);
	assert_int_equal(evidence_find(&e, &(struct query){QUERY_RAW, "down", 1, 5, "z"}), -1);
	assert_int_equal(evidence_find(&e, &(struct query){QUERY_PROMQL, text, 1, 5, "z"}), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_marker_is_prometheus_own),
		cmocka_unit_test(a_query_is_found_by_kind_text_and_range),
	};
	return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}
