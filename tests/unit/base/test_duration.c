/* Durations and byte sizes, both ways. */
#include "unit.h"

#include "base/duration.h"

static void durations_are_parsed(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t ms;
	} rows[] = {{"0", 0}, {"0s", 0}, {"0ms", 0}, {"250ms", 250}, {"1s", 1000}, {"1m", 60000},
		{"1m30s", 90000}, {"1h", 3600000}, {"1h30m", 5400000}, {"1d", 86400000},
		{"1w", 604800000}, {"7d", 604800000}, {"1y", INT64_C(31536000000)},
		{"1y1w1d1h1m1s1ms", INT64_C(31536000000) + 604800000 + 86400000 + 3661001},
		{"1h5ms", 3600005}, {"90m", 5400000}, {"1.5s", 1500}, {"0.25s", 250}, {"0.001s", 1},
		{"1.5h", 5400000}, {"0.5d", 43200000}, {"2.50m", 150000},
		{"106751991167d", INT64_C(106751991167) * 86400000}};
	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t ms = -1;
		if (!duration_parse(rows[i].text, &ms) || ms != rows[i].ms)
			fail_msg("\"%s\" gave %ld", rows[i].text, (long)ms);
	}
}

static void other_texts_are_no_durations(void **state)
{
	(void)state;
	static const char *const rows[] = {"", " ", "1", "00", "s", "1 s", " 1s", "1s ", "-1s",
		"+1s", "1S", "1sec", "1s1m", "1m1m", "1ms1s", "1.s", ".5s", "1.5ms", "0.0005s",
		"1.2.3s", "1m1.5s", "1.5m1s", "1e3s", "1µs", "99999999999y",
		"9223372036854775808ms", "106751991168d", "292471208y365d",
		"0.0000000000000000001s", "\xff"};
	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t ms = 42;
		if (duration_parse(rows[i], &ms))
			fail_msg("\"%s\" was taken", rows[i]);
		assert_int_equal(ms, 42);
	}
}

static void durations_are_written(void **state)
{
	(void)state;
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = {{0, "0s"}, {1, "1ms"}, {1500, "1s500ms"}, {90000, "1m30s"}, {3600000, "1h"},
		{86399999, "23h59m59s999ms"}, {604800000, "7d"}, {-90000, "-1m30s"},
		{INT64_MAX, "106751991167d7h12m55s807ms"},
		{INT64_MIN, "-106751991167d7h12m55s808ms"}};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < COUNT(rows); i++) {
		strbuf_clear(&b);
		duration_format(&b, rows[i].ms);
		assert_string_equal(b.at, rows[i].text);
	}
	strbuf_release(&b);
}

static void written_durations_read_back(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	for (int64_t ms = 0; ms < INT64_MAX / 4; ms = ms * 3 + 1) {
		int64_t back;
		strbuf_clear(&b);
		duration_format(&b, ms);
		assert_true(duration_parse(b.at, &back));
		assert_int_equal(back, ms);
	}
	strbuf_release(&b);
}

static void byte_sizes_are_parsed(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t bytes;
	} rows[] = {{"0", 0}, {"100", 100}, {"100B", 100}, {"1kB", 1000}, {"1KB", 1000},
		{"1KiB", 1024}, {"512MiB", 536870912}, {"1GB", 1000000000}, {"1.5GiB", 1610612736},
		{"1TiB", INT64_C(1099511627776)}, {"0.5KiB", 512}};
	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t bytes = -1;
		if (!byte_size_parse(rows[i].text, &bytes) || bytes != rows[i].bytes)
			fail_msg("\"%s\" gave %ld", rows[i].text, (long)bytes);
	}
	static const char *const refused[] = {"", "-1", "1 MB", "1m", "1Mb", "MiB", "0.5", "1.5B",
		"9999999TiB", "99999999999999999999", "1GBx", "1GB1MB"};
	for (size_t i = 0; i < COUNT(refused); i++) {
		int64_t bytes = 42;
		if (byte_size_parse(refused[i], &bytes))
			fail_msg("\"%s\" was taken", refused[i]);
		assert_int_equal(bytes, 42);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_parsed),
		cmocka_unit_test(other_texts_are_no_durations),
		cmocka_unit_test(durations_are_written),
		cmocka_unit_test(written_durations_read_back),
		cmocka_unit_test(byte_sizes_are_parsed),
	};
	return cmocka_run_group_tests_name("duration", tests, NULL, NULL);
}
