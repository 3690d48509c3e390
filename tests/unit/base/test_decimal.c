/* Decimal: parsing, exact arithmetic against integers and doubles, texts. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/decimal.h"

static struct decimal parsed(const char *text)
{
	struct decimal d = {0, 0};
	if (!decimal_parse(text, &d, NULL))
		fail_msg("\"%s\" was not parsed", text);
	return d;
}

static void numbers_and_fractions_are_parsed(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t num, den;
		bool percent;
	} rows[] = {
		{"0", 0, 1, false}, {"-0", 0, 1, false}, {"0e999", 0, 1, false},
		{"0.000", 0, 1, false}, {"1", 1, 1, false}, {"+1", 1, 1, false},
		{"-3", -3, 1, false}, {"007", 7, 1, false}, {"0.999", 999, 1000, false},
		{"0.50", 1, 2, false}, {"0.5000000000000000000000000000000000000", 1, 2, false},
		{"1000000000000000000", INT64_C(1000000000000000000), 1, false},
		{"1e2", 100, 1, false}, {"1E+2", 100, 1, false}, {"1e-2", 1, 100, false},
		{"2.5e1", 25, 1, false}, {"1000e-3", 1, 1, false}, {"99.9%", 999, 1000, true},
		{"100%", 1, 1, true}, {"-5%", -1, 20, true}, {"99.9/100", 999, 1000, false},
		{"4000/365/7", 800, 511, false}, {"0.1/0.3", 1, 3, false}, {"-1/2", -1, 2, false},
		{"1/-2", -1, 2, false}, {"-1/-2", 1, 2, false}, {"0/5", 0, 1, false},
		{"0/-5", 0, 1, false}, {"9007199254740993", INT64_C(9007199254740993), 1, false},
		{"9223372036854775807", INT64_MAX, 1, false},
		{"-9223372036854775807", -INT64_MAX, 1, false},
		{"1e-18", 1, INT64_C(1000000000000000000), false},
		{"0.0000000000000000005", 1, INT64_C(2000000000000000000), false}, /* cancels */
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct decimal d = {0, 0};
		bool percent = !rows[i].percent;
		if (!decimal_parse(rows[i].text, &d, &percent))
			fail_msg("\"%s\" was not parsed", rows[i].text);
		if (d.num != rows[i].num || d.den != rows[i].den || percent != rows[i].percent)
			fail_msg("\"%s\" gave %ld/%ld", rows[i].text, (long)d.num, (long)d.den);
	}
}

static void what_is_no_number_or_does_not_fit_is_refused(void **state)
{
	(void)state;
	static const char *const rows[] = {"", " ", "abc", "1 ", " 1", "1.", ".5", "1..2", "1.2.3",
		"--1", "+-1", "-", "1e", "1e+", "e5", "1e5.5", "0x10", "NaN", "Inf", "1,5", "1_000",
		"1/", "/2", "1//2", "1/0", "1/0.0", "1/2%", "1%%", "%", "1%/2", "1e1001",
		"1e99999999999999999999", "9223372036854775808", "-9223372036854775808", "1e19",
		"1e-19", "0.1234567890123456789012345678", "99999999999999999999999999999999999999",
		"9223372036854775807/0.1", "1/9223372036854775807/2", "\xef\xbc\x91"};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct decimal d = {42, 43};
		bool percent = true;
		if (decimal_parse(rows[i], &d, &percent))
			fail_msg("\"%s\" was taken", rows[i]);
		assert_true(d.num == 42 && d.den == 43 && percent); /* untouched */
	}
}

static void endless_digits_are_refused_quickly(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	struct decimal d;
	for (int i = 0; i < 1000000; i++)
		strbuf_addc(&b, '1');
	assert_false(decimal_parse(b.at, &d, NULL));
	strbuf_clear(&b);
	strbuf_adds(&b, "0.");
	for (int i = 0; i < 1000000; i++)
		strbuf_addc(&b, '0');
	strbuf_addc(&b, '1');
	assert_false(decimal_parse(b.at, &d, NULL));
	strbuf_clear(&b);
	strbuf_addc(&b, '1');
	for (int i = 0; i < 1000000; i++)
		strbuf_addc(&b, '0');
	assert_false(decimal_parse(b.at, &d, NULL));
	strbuf_release(&b);
}

static void products_are_exact(void **state)
{
	(void)state;
	struct decimal d;
	assert_true(decimal_mul(parsed("0.7"), decimal_of(90), &d)); /* 62.99... in doubles */
	assert_true(d.num == 63 && d.den == 1);
	assert_true(decimal_mul(parsed("-0.1"), parsed("0.1"), &d));
	assert_true(d.num == -1 && d.den == 100);
	assert_true(decimal_mul(parsed("-1/3"), parsed("-3"), &d));
	assert_true(d.num == 1 && d.den == 1);
	assert_true(decimal_mul(decimal_of(0), decimal_of(-5), &d));
	assert_true(d.num == 0 && d.den == 1);
	assert_true(decimal_mul(decimal_of(INT64_MAX), parsed("1/9223372036854775807"), &d));
	assert_true(d.num == 1 && d.den == 1);
	struct decimal kept = {5, 6};
	assert_false(decimal_mul(decimal_of(INT64_MAX), decimal_of(2), &kept));
	assert_false(decimal_mul(parsed("1e-18"), parsed("0.1"), &kept));
	assert_true(kept.num == 5 && kept.den == 6);
}

static void decimals_are_ordered(void **state)
{
	(void)state;
	assert_int_equal(decimal_cmp(parsed("1/3"), parsed("0.333333333333333333")), 1);
	assert_int_equal(decimal_cmp(parsed("99.9%"), parsed("0.999")), 0);
	assert_int_equal(decimal_cmp(parsed("-1"), parsed("1e-18")), -1);
	assert_int_equal(decimal_cmp(decimal_of(INT64_MAX), parsed("9223372036854775806")), 1);
	assert_int_equal(decimal_cmp(parsed("9223372036854775806/9223372036854775807"),
				 parsed("9223372036854775805/9223372036854775806")),
		1);
}

static void doubles_are_taken_for_what_they_are(void **state)
{
	(void)state;
	assert_int_equal(decimal_cmp_double(parsed("0.1"), 0.1), -1); /* the double is larger */
	assert_int_equal(decimal_cmp_double(parsed("0.3"), 0.3), 1);
	assert_int_equal(decimal_cmp_double(parsed("0.5"), 0.5), 0);
	assert_int_equal(decimal_cmp_double(decimal_of(63), 0.7 * 90), 1);
	assert_int_equal(decimal_cmp_double(parsed("-0.1"), -0.1), 1);
	assert_int_equal(decimal_cmp_double(decimal_of(0), 0.0), 0);
	assert_int_equal(decimal_cmp_double(decimal_of(0), -0.0), 0);
	assert_int_equal(decimal_cmp_double(decimal_of(0), 5e-324), -1);
	assert_int_equal(decimal_cmp_double(decimal_of(0), -5e-324), 1);
	assert_int_equal(decimal_cmp_double(parsed("1e-18"), 5e-324), 1);
	assert_int_equal(decimal_cmp_double(decimal_of(INT64_MAX), 0x1p63), -1);
	assert_int_equal(decimal_cmp_double(decimal_of(INT64_MIN), -0x1p63), 0);
	assert_int_equal(decimal_cmp_double(decimal_of(INT64_MAX), 1e308), -1);
	assert_int_equal(decimal_cmp_double(decimal_of(-INT64_MAX), -1e308), 1);
	assert_int_equal(decimal_cmp_double(parsed("1/9223372036854775807"), 1e-300), 1);
	assert_int_equal(decimal_cmp_double(decimal_of(1), (double)INFINITY), -1);
	assert_int_equal(decimal_cmp_double(decimal_of(1), (double)-INFINITY), 1);
	const int64_t two53 = INT64_C(1) << 53;
	assert_int_equal(decimal_cmp_double(decimal_of(two53 + 1), 0x1p53), 1);
	assert_int_equal(decimal_cmp_double(decimal_of(two53), 0x1p53), 0);
	assert_int_equal(decimal_cmp_double(decimal_of(two53 - 1), 0x1p53), -1);
}

/* Around every dyadic fraction k/2^e the three neighbours are told apart. */
static void neighbours_of_doubles_are_told_apart(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (int i = 0; i < 20000; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
		int64_t k = (int64_t)(seed >> 12);
		int e = (int)(seed % 50);
		struct decimal d;
		double x = ldexp((double)k, -e);
		assert_true(decimal_mul(decimal_of(k), (struct decimal){1, INT64_C(1) << e}, &d));
		assert_int_equal(decimal_cmp_double(d, x), 0);
		assert_int_equal(decimal_cmp_double(d, nextafter(x, INFINITY)), -1);
		assert_int_equal(decimal_cmp_double(d, nextafter(x, -INFINITY)), 1);
		assert_true(decimal_to_double(d) == x);
	}
}

static void shares_are_compared_exactly(void **state)
{
	(void)state;
	struct decimal o = parsed("99.9%");
	assert_int_equal(decimal_cmp_ratio(999, 1000, o), 0);
	assert_int_equal(decimal_cmp_ratio(998, 1000, o), -1);
	assert_int_equal(decimal_cmp_ratio(1000, 1000, o), 1);
	assert_int_equal(decimal_cmp_ratio(0, 0, o), 0);
	assert_int_equal(decimal_cmp_ratio(0, 1, decimal_of(0)), 0);
	assert_int_equal(decimal_cmp_ratio(-1, 3, parsed("-1/3")), 0);
	assert_int_equal(decimal_cmp_ratio(-1, 3, parsed("1/3")), -1);
	const double max = 0x1p53;
	assert_int_equal(decimal_cmp_ratio(max - 1, max, decimal_of(1)), -1);
	assert_int_equal(decimal_cmp_ratio(max, max, decimal_of(1)), 0);
	/* the objective 1 - 1/2^53 is met exactly, in spite of the large denominator */
	assert_int_equal(
		decimal_cmp_ratio(max - 1, max, parsed("9007199254740991/9007199254740992")), 0);
	/* sums of fractions, as some exporters count */
	assert_int_equal(decimal_cmp_ratio(0.75, 1.5, parsed("0.5")), 0);
	assert_int_equal(decimal_cmp_ratio(0.1, 1, parsed("0.1")), 1);
	assert_int_equal(decimal_cmp_ratio(1e300, 1e-300, o), 1);
	assert_int_equal(decimal_cmp_ratio(1e-300, 1e300, o), -1);
}

static void to_double_is_the_nearest(void **state)
{
	(void)state;
	assert_true(decimal_to_double(parsed("0.1")) == 0.1);
	assert_true(decimal_to_double(parsed("-99.9%")) == -0.999);
	assert_true(decimal_to_double(decimal_of(INT64_MAX)) == 0x1p63);
	assert_true(decimal_to_double(decimal_of(0)) == 0);
	assert_true(decimal_to_double(parsed("1e-18")) == 1e-18);
}

static void decimals_are_written(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"99.9%", "0.999"},
		{"50", "50"},
		{"-3", "-3"},
		{"0", "0"},
		{"-0.05", "-0.05"},
		{"1e2", "100"},
		{"1e-18", "0.000000000000000001"},
		{"9223372036854775807", "9223372036854775807"},
		{"-9223372036854775807", "-9223372036854775807"},
		{"1/3", "0.33333333333333333"},
		{"-2/3", "-0.66666666666666667"},
		{"200/3", "66.666666666666667"},
		{"1/300", "0.0033333333333333333"},
		{"1/4611686018427387904",
			"0.00000000000000000021684043449710088680149056017398834228515625"},
		{"9223372036854775807/9223372036854775806", "1.0000000000000000"},
		{"9223372036854775805/9223372036854775806", "1.00000000000000000"},
		{"9223372036854775807/2", "4611686018427387903.5"},
		{"9223372036854775807/3", "3074457345618258602"},
	};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < COUNT(rows); i++) {
		strbuf_clear(&b);
		decimal_format(&b, parsed(rows[i][0]));
		assert_string_equal(b.at, rows[i][1]);
	}
	strbuf_clear(&b);
	decimal_format(&b, decimal_of(INT64_MIN));
	assert_string_equal(b.at, "-9223372036854775808");
	strbuf_release(&b);
}

static void doubles_are_written_shortest(void **state)
{
	(void)state;
	static const struct {
		double value;
		const char *text;
	} rows[] = {{0, "0"}, {-0.0, "0"}, {1, "1"}, {-1, "-1"}, {0.1, "0.1"}, {0.3, "0.3"},
		{0.1 + 0.2, "0.30000000000000004"}, {1e300, "1e+300"}, {5e-324, "5e-324"},
		{1.7976931348623157e308, "1.7976931348623157e+308"}, {100000, "100000"},
		{123456789, "123456789"}, {1780000060.5, "1780000060.5"},
		{0x1p53, "9007199254740992"}, {-0x1p53, "-9007199254740992"},
		{0x1p53 - 1, "9007199254740991"}, {1e17, "1e+17"}, {(double)NAN, "NaN"},
		{(double)INFINITY, "+Inf"}, {(double)-INFINITY, "-Inf"}};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < COUNT(rows); i++) {
		strbuf_clear(&b);
		decimal_format_double(&b, rows[i].value);
		assert_string_equal(b.at, rows[i].text);
	}
	strbuf_release(&b);
}

static void written_doubles_read_back(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	uint64_t seed = 7;
	for (int i = 0; i < 5000; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
		double v = ldexp((double)(int64_t)seed, (int)(seed >> 54) % 900 - 450);
		strbuf_clear(&b);
		decimal_format_double(&b, v);
		assert_true(strtod(b.at, NULL) == v);
	}
	strbuf_release(&b);
}

static void ratios_are_rounded_to_the_side_asked_for(void **state)
{
	(void)state;
	static const struct {
		double good, total;
		int digits;
		const char *down, *up;
	} rows[] = {
		{999, 1000, 3, "0.999", "0.999"},
		{999, 1000, 6, "0.999000", "0.999000"},
		{999, 1000, 2, "0.99", "1.00"},
		{2, 3, 4, "0.6666", "0.6667"},
		{1, 3, 18, "0.333333333333333333", "0.333333333333333334"},
		{2, 3, 0, "0", "1"},
		{0, 7, 2, "0.00", "0.00"},
		{7, 7, 2, "1.00", "1.00"},
		{99999, 100000, 4, "0.9999", "1.0000"}, /* never 100 % when rounded down */
		{199, 20, 0, "9", "10"},
		{1000, 1, 1, "1000.0", "1000.0"},
		{0x1p53 - 1, 0x1p53, 15, "0.999999999999999", "1.000000000000000"},
		{0x1p53 - 1, 0x1p53, 18, "0.999999999999999888", "0.999999999999999889"},
		{1, 0x1p53, 18, "0.000000000000000111", "0.000000000000000112"},
		{0.5, 1.5, 3, "0.333", "0.334"},
		{0.25, 0.5, 3, "0.500", "0.500"},
		{-1, 3, 3, "-0.334", "-0.333"},
		{-1, 3000, 2, "-0.01", "0.00"},
		{1e-300, 1, 3, "0.000", "0.001"},
		{-1e-300, 1, 3, "-0.001", "0.000"},
		{1, 1e300, 18, "0.000000000000000000", "0.000000000000000001"},
		{0, 1e300, 2, "0.00", "0.00"},
		{0, 1e-300, 2, "0.00", "0.00"},
		{1e300, 1, 2, "9.999999999999999e+299", "1.0000000000000002e+300"},
		{0x1p60, 1, 1, "1152921504606846976.0", "1152921504606846976.0"},
		{(double)INFINITY, 1, 2, "+Inf", "+Inf"},
		{(double)NAN, 1, 2, "NaN", "NaN"},
	};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < COUNT(rows); i++) {
		strbuf_clear(&b);
		decimal_format_ratio(&b, rows[i].good, rows[i].total, rows[i].digits, false);
		assert_string_equal(b.at, rows[i].down);
		strbuf_clear(&b);
		decimal_format_ratio(&b, rows[i].good, rows[i].total, rows[i].digits, true);
		assert_string_equal(b.at, rows[i].up);
	}
	strbuf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_fractions_are_parsed),
		cmocka_unit_test(what_is_no_number_or_does_not_fit_is_refused),
		cmocka_unit_test(endless_digits_are_refused_quickly),
		cmocka_unit_test(products_are_exact),
		cmocka_unit_test(decimals_are_ordered),
		cmocka_unit_test(doubles_are_taken_for_what_they_are),
		cmocka_unit_test(neighbours_of_doubles_are_told_apart),
		cmocka_unit_test(shares_are_compared_exactly),
		cmocka_unit_test(to_double_is_the_nearest),
		cmocka_unit_test(decimals_are_written),
		cmocka_unit_test(doubles_are_written_shortest),
		cmocka_unit_test(written_doubles_read_back),
		cmocka_unit_test(ratios_are_rounded_to_the_side_asked_for),
	};
	return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
