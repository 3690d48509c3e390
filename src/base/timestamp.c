/* Timestamps: calendar arithmetic of its own for UTC, glibc's zone data for local times. Sets TZ
 * only in timestamp_set_zone; reads no clock. */
#include "base/timestamp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/duration.h"

static const char ZONES[] = "/usr/share/zoneinfo/";
static const int64_t LAST_MS = INT64_C(253402300799999);  /* the end of the year 9999 */
static const int64_t FIRST_MS = INT64_C(-62135596800000); /* the start of the year 1 */
static const int64_t HOUR_S = 3600, DAY_S = 86400;

struct civil {
	int year, month, day, hour, minute, second, ms;
};

/* Days from 1970-01-01 in the Gregorian calendar; years are counted from March, so that the leap
 * day is a year's last, in eras of 400 years. */
static int64_t days_of(int year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t year_of_era = y - era * 400;
	int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
	       day_of_year - 719468;
}

static void civil_of_days(int64_t days, struct civil *c)
{
	days += 719468;
	int64_t era = (days >= 0 ? days : days - 146096) / 146097;
	int64_t day_of_era = days - era * 146097;
	int64_t year_of_era =
		(day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	int64_t day_of_year =
		day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int64_t month_from_march = (5 * day_of_year + 2) / 153;
	c->day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1);
	c->month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
	c->year = (int)(year_of_era + era * 400 + (c->month <= 2));
}

/* As if the civil time were UTC. */
static int64_t seconds_of(const struct civil *c)
{
	return days_of(c->year, c->month, c->day) * DAY_S + c->hour * HOUR_S +
	       c->minute * INT64_C(60) + c->second;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Exactly n digits. */
static bool read_number(const char **p, int n, int *out)
{
	int value = 0;
	for (int i = 0; i < n; i++) {
		if (!is_digit((*p)[i]))
			return false;
		value = value * 10 + ((*p)[i] - '0');
	}
	*p += n;
	*out = value;
	return true;
}

static bool read_char(const char **p, char c)
{
	if (**p != c)
		return false;
	++*p;
	return true;
}

/* ".123456": at most nine digits, cut to milliseconds. No point: 0. */
static bool read_fraction(const char **p, int *ms)
{
	*ms = 0;
	if (!read_char(p, '.'))
		return true;
	int n = 0;
	for (int weight = 100; is_digit(**p); ++*p, n++, weight /= 10)
		*ms += weight * (**p - '0');
	return n >= 1 && n <= 9;
}

static bool read_date(const char **p, struct civil *c)
{
	static const char lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	if (!read_number(p, 4, &c->year) || !read_char(p, '-') || !read_number(p, 2, &c->month) ||
		!read_char(p, '-') || !read_number(p, 2, &c->day))
		return false;
	if (c->year < 1 || c->month < 1 || c->month > 12 || c->day < 1 ||
		c->day > lengths[c->month - 1])
		return false;
	bool leap = c->year % 4 == 0 && (c->year % 100 != 0 || c->year % 400 == 0);
	return c->month != 2 || c->day < 29 || leap;
}

/* HH:MM[:SS[.fraction]]; a leap second does not exist in Unix time and is refused. */
static bool read_clock(const char **p, struct civil *c)
{
	c->second = c->ms = 0;
	if (!read_number(p, 2, &c->hour) || !read_char(p, ':') || !read_number(p, 2, &c->minute))
		return false;
	if (read_char(p, ':') && (!read_number(p, 2, &c->second) || !read_fraction(p, &c->ms)))
		return false;
	return c->hour < 24 && c->minute < 60 && c->second < 60;
}

/* "Z" or "+09:00", as seconds east of Greenwich. */
static bool read_offset(const char **p, int *offset)
{
	if (read_char(p, 'Z') || read_char(p, 'z')) {
		*offset = 0;
		return true;
	}
	int sign = **p == '-' ? -1 : 1, hours, minutes;
	if (!read_char(p, '+') && !read_char(p, '-'))
		return false;
	if (!read_number(p, 2, &hours) || !read_char(p, ':') || !read_number(p, 2, &minutes))
		return false;
	*offset = sign * (hours * 3600 + minutes * 60);
	return hours < 24 && minutes < 60;
}

static int bad_time(const char *text, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, "bad-time", "time \"%.100s\": %s", text, why);
}

static int in_range(const char *text, int64_t value, int64_t *ms, struct error *err)
{
	if (value < FIRST_MS || value > LAST_MS)
		return bad_time(text, "it is outside of the years 1 to 9999", err);
	*ms = value;
	return 0;
}

/* Whether the process's zone shows c at Unix second t. */
static bool shows(int64_t t, const struct civil *c)
{
	time_t at = (time_t)t;
	struct tm tm;
	return localtime_r(&at, &tm) && tm.tm_year + 1900 == c->year && tm.tm_mon + 1 == c->month &&
	       tm.tm_mday == c->day && tm.tm_hour == c->hour && tm.tm_min == c->minute &&
	       tm.tm_sec == c->second;
}

static int64_t offset_at(int64_t t)
{
	time_t at = (time_t)t;
	struct tm tm;
	return localtime_r(&at, &tm) ? tm.tm_gmtoff : 0;
}

/* The zone's offsets a day before and a day after are tried: mktime would choose one silently, and
 * its tm_isdst does not tell apart a zone's changes of its standard time. */
static int parse_local(const char *text, const struct civil *c, int64_t *ms, struct error *err)
{
	int64_t as_utc = seconds_of(c);
	int64_t early = as_utc - offset_at(as_utc - DAY_S);
	int64_t late = as_utc - offset_at(as_utc + DAY_S);
	bool early_fits = shows(early, c), late_fits = shows(late, c);
	if (early_fits && late_fits && early != late)
		return bad_time(text,
			"the clocks were set back, so this local time exists twice; give the "
			"offset, "
			"as in 2026-05-28T20:00:00+09:00",
			err);
	if (!early_fits && !late_fits)
		return bad_time(text,
			"the clocks were set forward, so this local time does not exist; give the "
			"offset, as in 2026-05-28T20:00:00+09:00",
			err);
	return in_range(text, (early_fits ? early : late) * 1000 + c->ms, ms, err);
}

static int parse_civil(
	const char *text, const char *p, bool zone_known, int64_t *ms, struct error *err)
{
	struct civil c;
	int offset;
	if (!read_date(&p, &c))
		return bad_time(text, "there is no such date; write YYYY-MM-DD", err);
	if (!read_char(&p, 'T') && !read_char(&p, 't') && !read_char(&p, ' '))
		return bad_time(text, "a date needs a time, as in 2026-05-28T20:00:00+09:00", err);
	if (!read_clock(&p, &c))
		return bad_time(text, "there is no such time of day; write HH:MM:SS", err);
	if (!*p && !zone_known)
		return bad_time(text,
			"it has no offset and no time zone is known; append Z or +09:00, or give "
			"--tz ZONE",
			err);
	if (!*p)
		return parse_local(text, &c, ms, err);
	if (!read_offset(&p, &offset) || *p)
		return bad_time(text,
			"after the time of day only Z or an offset like +09:00 may stand", err);
	return in_range(text, (seconds_of(&c) - offset) * 1000 + c.ms, ms, err);
}

static int parse_unix(const char *text, int64_t *ms, struct error *err)
{
	int64_t seconds = 0;
	int fraction;
	const char *p = text;
	for (; is_digit(*p) && seconds <= LAST_MS; p++)
		seconds = seconds * 10 + (*p - '0');
	if (!read_fraction(&p, &fraction) || *p)
		return bad_time(text,
			"it is neither Unix seconds (1780000060, 1780000060.5) nor a date "
			"(2026-05-28T20:00:00Z)",
			err);
	if (seconds > LAST_MS / 1000)
		return bad_time(text,
			"too large for Unix seconds; milliseconds are written as 1780000060.123",
			err);
	*ms = seconds * 1000 + fraction;
	return 0;
}

static int parse_now(const char *text, int64_t now_ms, int64_t *ms, struct error *err)
{
	const char *p = text + strlen("now");
	int64_t by = 0, value;
	bool back = *p == '-';
	if (*p && ((*p != '-' && *p != '+') || !duration_parse(p + 1, &by)))
		return bad_time(
			text, "after \"now\" only a duration may stand: now-6m, now+30s", err);
	if (back ? __builtin_sub_overflow(now_ms, by, &value)
		 : __builtin_add_overflow(now_ms, by, &value))
		return bad_time(text, "it is outside of the years 1 to 9999", err);
	return in_range(text, value, ms, err);
}

int timestamp_parse(
	const char *text, int64_t now_ms, bool zone_known, int64_t *ms, struct error *err)
{
	if (!strncmp(text, "now", 3))
		return parse_now(text, now_ms, ms, err);
	size_t digits = strspn(text, "0123456789");
	if (digits == 4 && text[4] == '-')
		return parse_civil(text, text, zone_known, ms, err);
	if (digits)
		return parse_unix(text, ms, err);
	return bad_time(
		text, "write RFC 3339 (2026-05-28T20:00:00+09:00), Unix seconds, or now-6m", err);
}

void timestamp_format_utc(struct strbuf *b, int64_t ms)
{
	int64_t days = floor_div(ms, 1000 * DAY_S);
	int64_t rest = ms % (1000 * DAY_S); /* of the day, >= 0 once corrected */
	if (rest < 0)
		rest += 1000 * DAY_S;
	struct civil c;
	civil_of_days(days, &c);
	int second = (int)(rest / 1000), fraction = (int)(rest % 1000);
	strbuf_addf(b, "%04d-%02d-%02dT%02d:%02d:%02d", c.year, c.month, c.day, second / 3600,
		second / 60 % 60, second % 60);
	if (fraction)
		strbuf_addf(b, ".%03d", fraction);
	strbuf_addc(b, 'Z');
}

void timestamp_format_local(struct strbuf *b, int64_t ms)
{
	time_t at = (time_t)floor_div(ms, 1000);
	struct tm tm;
	if (!localtime_r(&at, &tm)) { /* the year does not fit */
		timestamp_format_utc(b, ms);
		return;
	}
	long minutes = tm.tm_gmtoff / 60;
	char sign = minutes < 0 ? '-' : '+';
	minutes = labs(minutes);
	strbuf_addf(b, "%04d-%02d-%02d %02d:%02d:%02d %c%02ld:%02ld", tm.tm_year + 1900,
		tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, sign, minutes / 60,
		minutes % 60);
}

/* glibc takes a zone that it cannot read silently as UTC. Zones begin with a capital; what does not
 * in that folder is a table, or a copy such as right/ that counts leap seconds. */
static bool zone_exists(const char *zone)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
	char path[256];
	size_t n = strlen(zone);
	if (!strcmp(zone, "UTC")) /* needs no file */
		return true;
	if (zone[0] < 'A' || zone[0] > 'Z' || strspn(zone, allowed) != n ||
		sizeof ZONES + n > sizeof path)
		return false;
	memcpy(path, ZONES, sizeof ZONES);
	memcpy(path + sizeof ZONES - 1, zone, n + 1);
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int timestamp_set_zone(const char *zone, struct error *err)
{
	if (!zone_exists(zone))
		return error_set(err, ERROR_USAGE, "unknown-zone",
			"time zone \"%.100s\" is not known here; write a name such as Asia/Seoul "
			"or UTC, "
			"and check that the package tzdata is installed",
			zone);
	if (setenv("TZ", zone, 1))
		error_out_of_memory();
	tzset();
	return 0;
}
