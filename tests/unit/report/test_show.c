/* Numbers as people read them. */
#include "../base/unit.h"

#include "base/timestamp.h"
#include "report/show.h"

static void check(struct strbuf *b, const char *want)
{
	assert_string_equal(b->at, want);
	strbuf_clear(b);
}

static void counts_are_grouped(void **state)
{
	static const char *const cases[][2] = {{"0", "0"}, {"999", "999"}, {"1000", "1,000"},
		{"1234567", "1,234,567"}, {"-4200", "\u22124,200"}, {"1234.5", "1,234.5"},
		{"0.30000000000000004", "0.3"}, {"0.780000", "0.78"}, {"1e+300", "1e+300"},
		{"+Inf", "+Inf"}, {"<b>", "<b>"}, {"", ""},
		{"9007199254740993", "9,007,199,254,740,993"}};
	struct strbuf b = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		show_count(&b, cases[i][0]);
		check(&b, cases[i][1]);
	}
	strbuf_release(&b);
}

/* contract.md section 5: 99.8996 % is not 99.900 % */
static void a_missed_ratio_never_reads_as_its_objective(void **state)
{
	static const char *const cases[][3] = {{"0.998996", "0.999", "99.8996"},
		{"0.998999999999", "0.999", "99.8999999999"}, {"0.9899", "0.99", "98.990"},
		{"0.5", "0.99", "50.000"}, {"0.999999", "1", "99.9999"}};
	struct strbuf b = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		show_share(&b, cases[i][0], cases[i][0], cases[i][1]);
		check(&b, cases[i][2]);
	}
	strbuf_release(&b);
}

static void a_met_ratio_never_looks_missed(void **state)
{
	static const char *const cases[][3] = {{"0.999", "0.999", "99.900"},
		{"0.9990004", "0.999", "99.900"}, {"0.9999953", "0.999995", "99.9995"},
		{"1.000000000000", "1", "100.000"}};
	struct strbuf b = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		show_share(&b, cases[i][0], cases[i][0], cases[i][1]);
		check(&b, cases[i][2]);
	}
	strbuf_release(&b);
}

/* one failure in ten million is not 100 %, one success is not 0 % */
static void the_whole_and_nothing_are_said_only_where_true(void **state)
{
	struct strbuf b = STRBUF_INIT;

	(void)state;
	show_share(&b, "0.9999999", "0.9999999", "0.99");
	check(&b, "99.99999");
	show_share(&b, "0.0000001", "0.0000001", "0.99");
	check(&b, "0.00001");
	show_share(&b, "0", "0", NULL);
	check(&b, "0.000");
	strbuf_release(&b);
}

static void intervals_are_rounded_outwards(void **state)
{
	struct strbuf b = STRBUF_INIT;

	(void)state;
	show_share(&b, "0.780004", "0.9749991", "0.99");
	check(&b, "78.000\u201397.500");
	/* FAIL at both ends: the upper one must stay below the objective */
	show_share(&b, "0.78", "0.9899999", "0.99");
	check(&b, "78.00000\u201398.99999");
	/* PASS at both ends */
	show_share(&b, "0.9999951", "1", "0.999995");
	check(&b, "99.9995\u2013100.0000");
	/* the two ends of one exact ratio that does not end: 2/3 */
	show_share(&b, "0.666666666666", "0.666666666667", "0.99");
	check(&b, "66.667");
	show_percent(&b, LANG_EN, NULL, NULL, "0.99");
	check(&b, "\u2013");
	strbuf_release(&b);
}

static void objectives_are_exact(void **state)
{
	static const char *const cases[][2] = {{"0.999", "99.9 %"}, {"0.99", "99 %"},
		{"1", "100 %"}, {"0.99995", "99.995 %"}, {"x", "x"}};
	struct strbuf b = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		show_objective(&b, LANG_EN, cases[i][0]);
		check(&b, cases[i][1]);
	}
	strbuf_release(&b);
}

static void margins_keep_their_sign(void **state)
{
	static const char *const cases[][3] = {{"0.00501", "0.00501", "+0.501"},
		{"-0.000004", "-0.000004", "\u22120.0004"}, {"0", "0", "+0.000"},
		{"0.0000000001", "0.0000000001", "+0.00000001"},
		{"-0.21", "0.005", "\u221221.000 to +0.500"}};
	struct strbuf b = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		show_margin(&b, LANG_EN, cases[i][0], cases[i][1]);
		check(&b, cases[i][2]);
	}
	show_margin(&b, LANG_EN, NULL, NULL);
	check(&b, "\u2013");
	strbuf_release(&b);
}

static struct tree *interval(struct arena *a, double low, double high)
{
	struct tree *t = tree_object(a);

	tree_set(a, t, "low", tree_double(a, low));
	tree_set(a, t, "high", tree_double(a, high));
	return t;
}

static void intervals_say_what_is_unknown(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct arena a = ARENA_INIT;
	const double nan = 0.0 / 0.0, inf = 1e308 * 10;

	(void)state;
	show_interval(&b, interval(&a, 4000, 4000));
	check(&b, "4,000");
	show_interval(&b, interval(&a, 3, 5));
	check(&b, "3\u20135");
	show_interval(&b, interval(&a, 3, inf));
	check(&b, "\u2265 3");
	show_interval(&b, interval(&a, -inf, 3));
	check(&b, "\u2264 3");
	show_interval(&b, interval(&a, nan, nan));
	check(&b, "\u2013");
	show_interval(&b, NULL);
	check(&b, "\u2013");
	show_seconds_interval(&b, LANG_KO, interval(&a, 2.5, inf));
	check(&b, "> 2.5초");
	arena_release(&a);
	strbuf_release(&b);
}

static void parts_units_and_durations(void **state)
{
	struct strbuf b = STRBUF_INIT;

	(void)state;
	show_part(&b, LANG_EN, 3120, 45468);
	check(&b, "6.4 %");
	show_part(&b, LANG_EN, 1, 1e6);
	check(&b, "<0.1 %");
	show_with_unit(&b, LANG_KO, "50,000", "users");
	check(&b, "50,000명");
	show_with_unit(&b, LANG_KO, "50,000", "pods");
	check(&b, "50,000 pods");
	show_with_unit(&b, LANG_EN, "3", NULL);
	check(&b, "3");
	show_duration(&b, LANG_EN, 390000);
	check(&b, "6m30s");
	show_duration(&b, LANG_KO, 390000);
	check(&b, "6분 30초");
	show_duration(&b, LANG_KO, 90061500);
	check(&b, "1일 1시간 1분 1.5초");
	show_duration(&b, LANG_KO, 0);
	check(&b, "0초");
	strbuf_release(&b);
}

static void times_are_local_and_the_rest_is_text(void **state)
{
	struct strbuf b = STRBUF_INIT;

	(void)state;
	show_time(&b, "2026-05-28T20:26:40Z");
	check(&b, "2026-05-29 05:26:40 +09:00");
	show_time(&b, "2026-05-28T20:26:40Zx");
	check(&b, "2026-05-28T20:26:40Zx");
	show_time(&b, "now");
	check(&b, "now");
	strbuf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_grouped),
		cmocka_unit_test(a_missed_ratio_never_reads_as_its_objective),
		cmocka_unit_test(a_met_ratio_never_looks_missed),
		cmocka_unit_test(the_whole_and_nothing_are_said_only_where_true),
		cmocka_unit_test(intervals_are_rounded_outwards),
		cmocka_unit_test(objectives_are_exact),
		cmocka_unit_test(margins_keep_their_sign),
		cmocka_unit_test(intervals_say_what_is_unknown),
		cmocka_unit_test(parts_units_and_durations),
		cmocka_unit_test(times_are_local_and_the_rest_is_text),
	};

	if (timestamp_set_zone("Asia/Seoul", NULL))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
