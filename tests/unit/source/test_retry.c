/* Every row of the retry table, the bounds of the wait, and Retry-After. */
#include "../base/unit.h"

#include "source/retry.h"

static struct retry_case a_case(enum failure failure, int status)
{
	return (struct retry_case){.failure = failure,
		.status = status,
		.failed = 1,
		.failed_500 = status == 500,
		.retries = 4,
		.retry_after_ms = -1,
		.left_ms = 60000};
}

static void statuses_are_retried_or_not(void **state)
{
	static const int again[] = {429, 500, 502, 503, 504};
	static const int never[] = {204, 301, 302, 307, 400, 401, 403, 404, 405, 406, 408, 410, 413,
		422, 501, 505, 507};
	(void)state;
	for (size_t i = 0; i < COUNT(again); i++) {
		struct retry_case c = a_case(FAILURE_STATUS, again[i]);
		assert_true(retry_wait_ms(&c) >= 0);
	}
	for (size_t i = 0; i < COUNT(never); i++) {
		struct retry_case c = a_case(FAILURE_STATUS, never[i]);
		assert_int_equal(retry_wait_ms(&c), -1);
	}
}

static void a_500_is_asked_twice_at_most(void **state)
{
	struct retry_case c = a_case(FAILURE_STATUS, 500);
	(void)state;
	c.failed = c.failed_500 = 2;
	assert_int_equal(retry_wait_ms(&c), -1);
	c.failed_500 = 1; /* the other failure was a 503 */
	assert_true(retry_wait_ms(&c) >= 0);
}

static void broken_connections_are_retried(void **state)
{
	struct retry_case c = a_case(FAILURE_BROKEN, 200);
	(void)state;
	assert_true(retry_wait_ms(&c) >= 0);
	c.failure = FAILURE_FINAL;
	assert_int_equal(retry_wait_ms(&c), -1);
	c.failure = FAILURE_NO_CONTACT;
	assert_int_equal(retry_wait_ms(&c), -1);
	c.known = true;
	assert_true(retry_wait_ms(&c) >= 0);
}

static void waits_grow_within_bounds(void **state)
{
	static const int64_t top[] = {250, 500, 1000, 2000, 4000, 8000, 10000, 10000, 10000};
	(void)state;
	for (int i = 0; i < (int)COUNT(top); i++) {
		struct retry_case c = a_case(FAILURE_STATUS, 503);
		c.failed = i + 1;
		c.retries = 100;
		c.chance = 0;
		assert_int_equal(retry_wait_ms(&c), top[i] / 2);
		c.chance = UINT32_MAX;
		assert_int_equal(retry_wait_ms(&c), top[i]);
	}
}

static void retries_and_deadline_end_it(void **state)
{
	struct retry_case c = a_case(FAILURE_STATUS, 503);
	(void)state;
	c.failed = 4;
	assert_true(retry_wait_ms(&c) >= 0);
	c.failed = 5;
	assert_int_equal(retry_wait_ms(&c), -1);
	c = a_case(FAILURE_STATUS, 503);
	c.left_ms = 100;
	assert_int_equal(retry_wait_ms(&c), -1);
}

static void the_servers_wish_is_honoured(void **state)
{
	struct retry_case c = a_case(FAILURE_STATUS, 429);
	(void)state;
	c.retry_after_ms = 7000;
	assert_int_equal(retry_wait_ms(&c), 7000);
	c.retry_after_ms = 0;
	assert_true(retry_wait_ms(&c) >= 125);
	c.retry_after_ms = 60000; /* not before the deadline: give up at once */
	assert_int_equal(retry_wait_ms(&c), -1);
}

static void retry_after_is_seconds_or_a_date(void **state)
{
	int64_t now = 1780000000000; /* Thu, 28 May 2026 20:26:40 GMT */
	(void)state;
	assert_int_equal(retry_after_ms("7", now), 7000);
	assert_int_equal(retry_after_ms("0", now), 0);
	assert_int_equal(retry_after_ms("7 ", now), 7000);
	assert_int_equal(retry_after_ms("99999999999999999999999", now), 86400000);
	assert_int_equal(retry_after_ms("Thu, 28 May 2026 20:26:45 GMT", now), 5000);
	assert_int_equal(retry_after_ms("Thu, 28 May 2026 20:26:30 GMT", now), 0);
	assert_int_equal(retry_after_ms("soon", now), -1);
	assert_int_equal(retry_after_ms("", now), -1);
	assert_int_equal(retry_after_ms("-5", now), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statuses_are_retried_or_not),
		cmocka_unit_test(a_500_is_asked_twice_at_most),
		cmocka_unit_test(broken_connections_are_retried),
		cmocka_unit_test(waits_grow_within_bounds),
		cmocka_unit_test(retries_and_deadline_end_it),
		cmocka_unit_test(the_servers_wish_is_honoured),
		cmocka_unit_test(retry_after_is_seconds_or_a_date),
	};
	return cmocka_run_group_tests_name("retry", tests, NULL, NULL);
}
