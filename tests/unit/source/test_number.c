/* The numbers of a sample: exact times, nearest doubles, and what is no number. */
#include "../base/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "source/number.h"

static void times_are_exact(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} rows[] = {{"1780000060.123", 1780000060123}, {"1780000060.1", 1780000060100},
		{"1780000060", 1780000060000}, {"0", 0}, {"0.001", 1}, {"-1.5", -1500},
		{"1780000060.123000", 1780000060123}, {"999999999999.999", 999999999999999},
		/* through a double, this one would be a millisecond off after a cast */
		{"1780000060.057", 1780000060057}};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t ms = -1;
		assert_true(number_time(rows[i].text, strlen(rows[i].text), &ms));
		assert_int_equal(ms, rows[i].ms);
	}
}

static void odd_times_are_refused(void **state)
{
	static const char *const rows[] = {"", "-", ".5", "1.", "1.1234", "1e9", "1780000060.1239",
		"1000000000000", "99999999999999999999", "1 ", "0x10", "NaN"};
	int64_t ms = 7;
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_false(number_time(rows[i], strlen(rows[i]), &ms));
	assert_int_equal(ms, 7);
}

static void values_are_the_nearest_double(void **state)
{
	static const char *const rows[] = {"0", "1", "-1", "123456789012345", "9007199254740993",
		"0.1", "0.3", "1.7976931348623157e+308", "5e-324", "-0", "1e3", "1E3", "2.5e-3",
		"123456.789012345", "0.000000000000001", "1234567890.12345678", "1780000060.123",
		"18446744073709551616", "4.35", "+5", ".5", "5."};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double v = NAN, right = strtod(rows[i], NULL);
		assert_true(number_value(rows[i], strlen(rows[i]), &v));
		assert_memory_equal(&v, &right, sizeof v);
	}
}

static void special_values_are_read(void **state)
{
	double v = 0;
	(void)state;
	assert_true(number_value("NaN", 3, &v) && isnan(v));
	assert_true(number_value("+Inf", 4, &v) && isinf(v) && v > 0);
	assert_true(number_value("Inf", 3, &v) && isinf(v) && v > 0);
	assert_true(number_value("-Inf", 4, &v) && isinf(v) && v < 0);
}

static void odd_values_are_refused(void **state)
{
	static const char *const rows[] = {"", "-", "+", ".", "e5", "1e", "1e+", "0x10", "nan",
		"inf", "infinity", "1 ", " 1", "1,5", "1.2.3", "--1", "1e400", "1_000", "NaN(1)"};
	double v = 7;
	char long_one[500];
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_false(number_value(rows[i], strlen(rows[i]), &v));
	memset(long_one, '1', sizeof long_one);
	assert_false(number_value(long_one, sizeof long_one, &v));
	assert_false(number_value("1\0002", 3, &v));
	assert_true(v == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_exact),
		cmocka_unit_test(odd_times_are_refused),
		cmocka_unit_test(values_are_the_nearest_double),
		cmocka_unit_test(special_values_are_read),
		cmocka_unit_test(odd_values_are_refused),
	};
	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
