/* Timestamps: every form of TIME, local times at the edges of summer time, zones. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/timestamp.h"

static const int64_t NOW = INT64_C(1780000000000);

static void use_zone(const char *zone)
{
	struct error err = {0};
	if (timestamp_set_zone(zone, &err))
		fail_msg("%s", err.text);
}

static int64_t parsed(const char *text, bool zone_known)
{
	struct error err = {0};
	int64_t ms = -1;
	if (timestamp_parse(text, NOW, zone_known, &ms, &err))
		fail_msg("%s", err.text);
	return ms;
}

/* Refused with a text that holds `hint`. */
static void refused(const char *text, bool zone_known, const char *hint)
{
	struct error err = {0};
	int64_t ms = 42;
	if (!timestamp_parse(text, NOW, zone_known, &ms, &err))
		fail_msg("\"%s\" was taken as %ld", text, (long)ms);
	assert_int_equal(ms, 42);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.code, "bad-time");
	if (!strstr(err.text, hint))
		fail_msg("\"%s\" lacks \"%s\"", err.text, hint);
}

static void absolute_times_are_parsed(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t ms;
	} rows[] = {
		{"1970-01-01T00:00:00Z", 0},
		{"1969-12-31T23:59:59.999Z", -1},
		{"2026-05-28T20:26:40Z", INT64_C(1780000000000)},
		{"2026-05-28t20:26:40z", INT64_C(1780000000000)},
		{"2026-05-28 20:26:40Z", INT64_C(1780000000000)},
		{"2026-05-29T05:26:40+09:00", INT64_C(1780000000000)},
		{"2026-05-28T10:56:40-09:30", INT64_C(1780000000000)},
		{"2026-05-28T20:26:40-00:00", INT64_C(1780000000000)},
		{"2026-05-28T20:26Z", INT64_C(1779999960000)},
		{"2026-05-28T20:26:40.5Z", INT64_C(1780000000500)},
		{"2026-05-28T20:26:40.1239Z", INT64_C(1780000000123)},
		{"2026-05-28T20:26:40.123456789Z", INT64_C(1780000000123)},
		{"2024-02-29T00:00:00Z", INT64_C(1709164800000)},
		{"2000-02-29T00:00:00Z", INT64_C(951782400000)},
		{"0001-01-01T00:00:00Z", INT64_C(-62135596800000)},
		{"9999-12-31T23:59:59.999Z", INT64_C(253402300799999)},
		{"1780000060", INT64_C(1780000060000)},
		{"1780000060.5", INT64_C(1780000060500)},
		{"1780000060.123456789", INT64_C(1780000060123)},
		{"0", 0},
		{"253402300799", INT64_C(253402300799000)},
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(parsed(rows[i].text, false), rows[i].ms);
		assert_int_equal(parsed(rows[i].text, true), rows[i].ms);
	}
}

static void wrong_times_are_refused_with_a_hint(void **state)
{
	(void)state;
	refused("", true, "RFC 3339");
	refused("yesterday", true, "RFC 3339");
	refused("-5", true, "RFC 3339");
	refused(" now", true, "RFC 3339");
	refused("2023-02-29T00:00:00Z", true, "no such date");
	refused("1900-02-29T00:00:00Z", true, "no such date");
	refused("2026-04-31T00:00:00Z", true, "no such date");
	refused("2026-13-01T00:00:00Z", true, "no such date");
	refused("2026-00-01T00:00:00Z", true, "no such date");
	refused("2026-01-00T00:00:00Z", true, "no such date");
	refused("0000-01-01T00:00:00Z", true, "no such date");
	refused("2026-5-28T20:00:00Z", true, "no such date");
	refused("2026-05-28", true, "needs a time");
	refused("2026-05-28_20:00", true, "needs a time");
	refused("2026-05-28T24:00:00Z", true, "time of day");
	refused("2026-05-28T20:60:00Z", true, "time of day");
	refused("2026-05-28T23:59:60Z", true, "time of day");
	refused("2026-05-28T20", true, "time of day");
	refused("2026-05-28T20:00:00.Z", true, "time of day");
	refused("2026-05-28T20:00:00.1234567890Z", true, "time of day");
	refused("2026-05-28T20:00:00+9:00", true, "offset");
	refused("2026-05-28T20:00:00+24:00", true, "offset");
	refused("2026-05-28T20:00:00+09:60", true, "offset");
	refused("2026-05-28T20:00:00+0900", true, "offset");
	refused("2026-05-28T20:00:00Zx", true, "offset");
	refused("2026-05-28T20:00:00 KST", true, "offset");
	refused("1780000060000", true, "milliseconds");
	refused("253402300800", true, "milliseconds");
	refused("99999999999999999999999999999999", true, "Unix seconds");
	refused("1780000060.", true, "Unix seconds");
	refused("17800s", true, "Unix seconds");
	refused("now-", true, "duration");
	refused("now-6", true, "duration");
	refused("now 6m", true, "duration");
	refused("now--6m", true, "duration");
	refused("nowadays", true, "duration");
	refused("now-100000000d", true, "years 1 to 9999");
	refused("now+106751991167d", true, "years 1 to 9999");
	refused("0001-01-01T00:00:00+00:01", true, "years 1 to 9999");
	refused("9999-12-31T23:59:59-00:01", true, "years 1 to 9999");
	refused("2026-05-28 20:00", false, "--tz");
	refused("2026-05-28T20:00:00", false, "--tz");
}

static void now_is_the_callers(void **state)
{
	(void)state;
	assert_int_equal(parsed("now", false), NOW);
	assert_int_equal(parsed("now-6m", false), NOW - 360000);
	assert_int_equal(parsed("now+30s", false), NOW + 30000);
	assert_int_equal(parsed("now-1h30m", false), NOW - 5400000);
	assert_int_equal(parsed("now-0", false), NOW);
}

static void local_times_are_read_in_the_zone(void **state)
{
	(void)state;
	use_zone("Asia/Seoul");
	assert_int_equal(parsed("2026-05-29 05:26:40", true), NOW);
	assert_int_equal(parsed("2026-05-29T05:26:40", true), NOW);
	assert_int_equal(parsed("2026-05-29 05:26", true), NOW - 40000);
	assert_int_equal(parsed("2026-05-29 05:26:40.25", true), NOW + 250);
	use_zone("UTC");
	assert_int_equal(parsed("2026-05-28 20:26:40", true), NOW);
	use_zone("Asia/Kathmandu");
	assert_int_equal(parsed("2026-05-29 02:11:40", true), NOW);
}

static void summer_time_in_berlin(void **state)
{
	(void)state;
	use_zone("Europe/Berlin");
	assert_int_equal(parsed("2026-01-15 12:00", true), parsed("2026-01-15T11:00:00Z", true));
	assert_int_equal(parsed("2026-07-15 12:00", true), parsed("2026-07-15T10:00:00Z", true));
	/* set forward: 02:00-02:59:59 is missing */
	assert_int_equal(parsed("2026-03-29 01:59:59", true), parsed("2026-03-29T00:59:59Z", true));
	refused("2026-03-29 02:00", true, "does not exist");
	refused("2026-03-29 02:59:59", true, "does not exist");
	assert_int_equal(parsed("2026-03-29 03:00", true), parsed("2026-03-29T01:00:00Z", true));
	/* set back: 02:00-02:59:59 is twice there */
	assert_int_equal(parsed("2026-10-25 01:59:59", true), parsed("2026-10-24T23:59:59Z", true));
	refused("2026-10-25 02:00", true, "exists twice");
	refused("2026-10-25 02:59:59", true, "exists twice");
	assert_int_equal(parsed("2026-10-25 03:00", true), parsed("2026-10-25T02:00:00Z", true));
	/* an offset says which */
	assert_int_equal(
		parsed("2026-10-25T02:30:00+02:00", true), parsed("2026-10-25T00:30:00Z", true));
}

/* Changes of half an hour, of the standard time itself, and of a whole day. */
static void unusual_changes_of_the_clock(void **state)
{
	(void)state;
	use_zone("Australia/Lord_Howe");
	refused("2026-04-05 01:45", true, "exists twice");
	refused("2026-10-04 02:15", true, "does not exist");
	assert_int_equal(parsed("2026-10-04 02:30", true), parsed("2026-10-03T15:30:00Z", true));
	use_zone("Asia/Pyongyang");
	refused("2015-08-14 23:45", true, "exists twice");
	refused("2018-05-04 23:45", true, "does not exist");
	use_zone("Pacific/Apia");
	refused("2011-12-30 12:00", true, "does not exist");
	assert_int_equal(parsed("2011-12-31 00:00", true), parsed("2011-12-30T10:00:00Z", true));
}

static void utc_texts(void **state)
{
	(void)state;
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = {{0, "1970-01-01T00:00:00Z"}, {NOW, "2026-05-28T20:26:40Z"},
		{INT64_C(1780000000007), "2026-05-28T20:26:40.007Z"},
		{-1, "1969-12-31T23:59:59.999Z"}, {INT64_C(951782400000), "2000-02-29T00:00:00Z"},
		{INT64_C(253402300799999), "9999-12-31T23:59:59.999Z"},
		{INT64_C(-62135596800000), "0001-01-01T00:00:00Z"}};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < COUNT(rows); i++) {
		strbuf_clear(&b);
		timestamp_format_utc(&b, rows[i].ms);
		assert_string_equal(b.at, rows[i].text);
	}
	strbuf_clear(&b);
	timestamp_format_utc(&b, INT64_MAX); /* any value is safe to print */
	timestamp_format_utc(&b, INT64_MIN);
	timestamp_format_local(&b, INT64_MAX);
	timestamp_format_local(&b, INT64_MIN);
	strbuf_release(&b);
}

static void local_texts(void **state)
{
	(void)state;
	static const struct {
		const char *zone;
		int64_t ms;
		const char *text;
	} rows[] = {{"Asia/Seoul", NOW, "2026-05-29 05:26:40 +09:00"},
		{"UTC", NOW, "2026-05-28 20:26:40 +00:00"},
		{"Asia/Kathmandu", NOW, "2026-05-29 02:11:40 +05:45"},
		{"America/St_Johns", NOW, "2026-05-28 17:56:40 -02:30"},
		{"Pacific/Marquesas", -1, "1969-12-31 14:29:59 -09:30"},
		{"Europe/Berlin", INT64_C(1792888200000), "2026-10-25 02:30:00 +02:00"},
		{"Europe/Berlin", INT64_C(1792891800000), "2026-10-25 02:30:00 +01:00"}};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < COUNT(rows); i++) {
		use_zone(rows[i].zone);
		strbuf_clear(&b);
		timestamp_format_local(&b, rows[i].ms);
		assert_string_equal(b.at, rows[i].text);
	}
	strbuf_release(&b);
}

/* Every 11 h 13 min 7 s over two centuries: our calendar against the library's, and back. */
static void the_calendar_is_right(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	for (int64_t s = INT64_C(-2208988800); s < INT64_C(4102444800); s += 40387) {
		char expected[96];
		time_t at = (time_t)s;
		struct tm tm;
		gmtime_r(&at, &tm);
		snprintf(expected, sizeof expected, "%04d-%02d-%02dT%02d:%02d:%02dZ",
			tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
			tm.tm_sec);
		strbuf_clear(&b);
		timestamp_format_utc(&b, s * 1000);
		assert_string_equal(b.at, expected);
		assert_int_equal(parsed(expected, false), s * 1000);
	}
	strbuf_release(&b);
}

static void unknown_zones_are_refused(void **state)
{
	(void)state;
	static const char *const rows[] = {"", "Asia/Soul", "America", "asia/seoul", "KST-9",
		"/etc/localtime", "../zoneinfo/UTC", "Asia/../UTC", ":UTC", "Asia/Seoul ", "UTC0",
		"tzdata.zi", "zone.tab", "leapseconds", "right/UTC", "posixrules", "UTC\n",
		"Asia/Seoul\xff"};
	use_zone("Asia/Seoul");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct error err = {0};
		if (!timestamp_set_zone(rows[i], &err))
			fail_msg("\"%s\" was taken", rows[i]);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_string_equal(err.code, "unknown-zone");
		assert_non_null(strstr(err.text, "Asia/Seoul"));
	}
	char *longest = test_malloc(5001);
	memset(longest, 'A', 5000);
	longest[5000] = '\0';
	assert_int_equal(timestamp_set_zone(longest, NULL), -1);
	test_free(longest);
	assert_int_equal(parsed("2026-05-29 05:26:40", true), NOW); /* still the zone from before */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absolute_times_are_parsed),
		cmocka_unit_test(wrong_times_are_refused_with_a_hint),
		cmocka_unit_test(now_is_the_callers),
		cmocka_unit_test(local_times_are_read_in_the_zone),
		cmocka_unit_test(summer_time_in_berlin),
		cmocka_unit_test(unusual_changes_of_the_clock),
		cmocka_unit_test(utc_texts),
		cmocka_unit_test(local_texts),
		cmocka_unit_test(the_calendar_is_right),
		cmocka_unit_test(unknown_zones_are_refused),
	};
	return cmocka_run_group_tests_name("timestamp", tests, NULL, NULL);
}
