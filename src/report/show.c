/* Show: numbers as people read them: grouped, in percent, with the digits that the verdict needs.
 * Must not know the model's shape nor any output format. */
#include "report/show.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/timestamp.h"

#define UNITS 1000000000000LL /* shares are handled in units of 1e-12 */
#define MINUS "\u2212"
#define DASH "\u2013"

bool show_is_number(const char *s)
{
	const char *p = s;

	if (*p == '-' || *p == '+')
		p++;
	if (!isdigit((unsigned char)*p))
		return false;
	p += strspn(p, "0123456789");
	if (*p == '.') {
		p++;
		if (!isdigit((unsigned char)*p))
			return false;
		p += strspn(p, "0123456789");
	}
	if (*p == 'e' || *p == 'E') {
		p++;
		if (*p == '-' || *p == '+')
			p++;
		if (!isdigit((unsigned char)*p))
			return false;
		p += strspn(p, "0123456789");
	}
	return !*p;
}

static void add_grouped(struct strbuf *b, const char *digits, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			strbuf_addc(b, ',');
		strbuf_addc(b, digits[i]);
	}
}

void show_count(struct strbuf *b, const char *number)
{
	char shorter[64];
	size_t whole;

	if (!show_is_number(number) || strpbrk(number, "eE")) {
		strbuf_adds(b, number);
		return;
	}
	if (strchr(number, '.') && strlen(number) < 40) {
		/* sums of fractions carry noise in their last digits; JSON keeps them */
		size_t n = (size_t)snprintf(shorter, sizeof shorter, "%.6f", strtod(number, NULL));
		while (n && shorter[n - 1] == '0')
			shorter[--n] = 0;
		if (n && shorter[n - 1] == '.')
			shorter[--n] = 0;
		number = shorter;
	}
	if (*number == '-') {
		strbuf_adds(b, MINUS);
		number++;
	}
	whole = strcspn(number, ".");
	add_grouped(b, number, whole);
	strbuf_adds(b, number + whole);
}

static const char *member(const struct tree *interval, const char *key)
{
	return tree_text(tree_get(interval, key), NULL);
}

void show_interval(struct strbuf *b, const struct tree *interval)
{
	const char *low = member(interval, "low"), *high = member(interval, "high");

	if (!low && !high) {
		strbuf_adds(b, DASH);
	} else if (!high) {
		strbuf_adds(b, "\u2265 ");
		show_count(b, low);
	} else if (!low) {
		strbuf_adds(b, "\u2264 ");
		show_count(b, high);
	} else if (!strcmp(low, high)) {
		show_count(b, low);
	} else {
		show_count(b, low);
		strbuf_adds(b, DASH);
		show_count(b, high);
	}
}

/* A decimal text in units of 1e-12, cut after 12 decimals; false if it is none or too large. */
static bool units_of(const char *s, int64_t *out)
{
	bool negative = *s == '-';
	int64_t v = 0;
	int decimals = 0;

	if (!show_is_number(s))
		return false;
	if (strpbrk(s, "eE")) {
		double d = strtod(s, NULL) * (double)UNITS;
		if (!(fabs(d) < 9e18))
			return false;
		*out = (int64_t)d;
		return true;
	}
	s += strspn(s, "+-");
	for (; isdigit((unsigned char)*s); s++) {
		if (v > 100000)
			return false;
		v = v * 10 + (*s - '0');
	}
	if (*s == '.')
		for (s++; *s && decimals < 12; s++, decimals++)
			v = v * 10 + (*s - '0');
	for (; decimals < 12; decimals++)
		v *= 10;
	*out = negative ? -v : v;
	return true;
}

enum rounding { DOWN, NEAREST, UP };

static int64_t power10(int n)
{
	int64_t p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

/* u rounded to percent with `digits` decimals, still in units */
static int64_t rounded(int64_t u, int digits, enum rounding r)
{
	int64_t step = power10(10 - digits);
	int64_t down = u / step * step;

	if (down > u)
		down -= step; /* C rounds negatives toward zero */
	if (down == u || r == DOWN)
		return down;
	if (r == UP)
		return down + step;
	return u - down >= step - (u - down) ? down + step : down;
}

static void add_percent(struct strbuf *b, int64_t u, int digits)
{
	int64_t one = power10(10);

	strbuf_addf(b, "%lld", (long long)(u / one));
	if (digits)
		strbuf_addf(b, ".%0*lld", digits, (long long)(u % one / power10(10 - digits)));
}

/* Does the rounded text stand on the same side of every mark as the number? */
static bool honest(int64_t shown, int64_t u, const int64_t *objective)
{
	if (objective && (shown < *objective) != (u < *objective))
		return false;
	return (shown >= UNITS) == (u >= UNITS) && (shown <= 0) == (u <= 0);
}

static int honest_digits(int64_t u, enum rounding r, const int64_t *objective)
{
	int digits = 3;

	while (digits < 10 && !honest(rounded(u, digits, r), u, objective))
		digits++;
	return digits;
}

void show_share(struct strbuf *b, const char *low, const char *high, const char *objective)
{
	int64_t l, h, o;
	const int64_t *mark = objective && units_of(objective, &o) ? &o : NULL;

	if (!low || !high || !units_of(low, &l) || !units_of(high, &h)) {
		strbuf_adds(b, DASH);
		return;
	}
	if (h - l <= 1) { /* exact: the model rounds the two ends apart by one unit */
		int digits = honest_digits(l, NEAREST, mark);
		add_percent(b, rounded(l, digits, NEAREST), digits);
		return;
	}
	int digits = honest_digits(l, DOWN, mark), up = honest_digits(h, UP, mark);
	if (up > digits)
		digits = up;
	add_percent(b, rounded(l, digits, DOWN), digits);
	strbuf_adds(b, DASH);
	add_percent(b, rounded(h, digits, UP), digits);
}

/* The text in `b` from `from` on becomes the only parameter of a catalogue pattern. */
static void wrap(struct strbuf *b, size_t from, enum lang lang, const char *key)
{
	struct strbuf text = STRBUF_INIT;
	const char *pattern = catalogue_text(lang, key), *hole = strstr(pattern, "{n}");

	strbuf_adds(&text, b->at + from);
	b->n = from;
	assert(hole);
	strbuf_add(b, pattern, (size_t)(hole - pattern));
	strbuf_adds(b, text.at);
	strbuf_adds(b, hole + 3);
	strbuf_release(&text);
}

void show_percent(
	struct strbuf *b, enum lang lang, const char *low, const char *high, const char *objective)
{
	size_t from = b->n;

	show_share(b, low, high, objective);
	if (strcmp(b->at + from, DASH) != 0)
		wrap(b, from, lang, "format.percent");
}

void show_objective(struct strbuf *b, enum lang lang, const char *share)
{
	int64_t u;
	int digits = 0;
	size_t from = b->n;

	if (!share || !units_of(share, &u)) {
		strbuf_adds(b, share ? share : DASH);
		return;
	}
	while (digits < 10 && rounded(u, digits, DOWN) != u)
		digits++;
	add_percent(b, u, digits);
	wrap(b, from, lang, "format.percent");
}

static void add_signed(struct strbuf *b, int64_t u, enum rounding r)
{
	int digits = 3;

	while (digits < 10 && u != 0 && rounded(u, digits, r) == 0)
		digits++;
	int64_t shown = rounded(u, digits, r);
	if (shown < 0)
		strbuf_adds(b, MINUS);
	else
		strbuf_adds(b, "+");
	add_percent(b, shown < 0 ? -shown : shown, digits);
}

void show_margin(struct strbuf *b, enum lang lang, const char *low, const char *high)
{
	int64_t l, h;

	if (!low || !high || !units_of(low, &l) || !units_of(high, &h)) {
		strbuf_adds(b, DASH);
		return;
	}
	if (h - l <= 1) {
		add_signed(b, l, NEAREST);
		return;
	}
	add_signed(b, l, DOWN);
	strbuf_addf(b, " %s ", catalogue_text(lang, "format.to"));
	add_signed(b, h, UP);
}

void show_part(struct strbuf *b, enum lang lang, double part, double all)
{
	double percent = 100 * part / (part + all);
	size_t from = b->n;

	if (!(percent > 0) || !isfinite(percent))
		strbuf_adds(b, "0");
	else if (percent < 0.1)
		strbuf_adds(b, "<0.1");
	else
		strbuf_addf(b, "%.1f", percent);
	wrap(b, from, lang, "format.percent");
}

void show_seconds(struct strbuf *b, enum lang lang, const char *seconds)
{
	size_t from = b->n;

	show_count(b, seconds);
	if (show_is_number(seconds))
		wrap(b, from, lang, "format.seconds");
}

void show_seconds_interval(struct strbuf *b, enum lang lang, const struct tree *interval)
{
	const char *low = member(interval, "low"), *high = member(interval, "high");
	size_t from = b->n;

	if (!low && !high) {
		strbuf_adds(b, DASH);
		return;
	}
	if (!high) {
		strbuf_adds(b, "> ");
		show_count(b, low);
	} else {
		show_interval(b, interval);
	}
	wrap(b, from, lang, "format.seconds");
}

void show_duration(struct strbuf *b, enum lang lang, int64_t ms)
{
	static const struct {
		const char *key;
		int64_t ms;
	} part[] = {
		{"format.days", 86400000}, {"format.hours", 3600000}, {"format.minutes", 60000}};
	bool any = false;

	if (lang == LANG_EN) {
		duration_format(b, ms);
		return;
	}
	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		if (ms < part[i].ms)
			continue;
		size_t from = b->n;
		strbuf_addf(b, "%s%lld", any ? " " : "", (long long)(ms / part[i].ms));
		wrap(b, from, lang, part[i].key);
		ms %= part[i].ms;
		any = true;
	}
	if (ms || !any) {
		char seconds[32];
		size_t n = (size_t)snprintf(seconds, sizeof seconds, "%lld.%03lld",
			(long long)(ms / 1000), (long long)(ms % 1000));
		while (seconds[n - 1] == '0')
			seconds[--n] = 0;
		if (seconds[n - 1] == '.')
			seconds[--n] = 0;
		if (any)
			strbuf_addc(b, ' ');
		show_seconds(b, lang, seconds);
	}
}

/* "2026-05-28T20:26:40Z", also with ".123" */
static bool looks_like_time(const char *s)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd";
	size_t i;

	for (i = 0; shape[i]; i++)
		if (shape[i] == 'd' ? !isdigit((unsigned char)s[i]) : s[i] != shape[i])
			return false;
	if (s[i] == '.')
		i += 1 + strspn(s + i + 1, "0123456789");
	return s[i] == 'Z' && !s[i + 1];
}

void show_time(struct strbuf *b, const char *utc)
{
	int64_t ms;

	if (looks_like_time(utc) && !timestamp_parse(utc, 0, false, &ms, NULL))
		timestamp_format_local(b, ms);
	else
		strbuf_adds(b, utc);
}

void show_with_unit(struct strbuf *b, enum lang lang, const char *shown, const char *unit)
{
	char key[64];

	if (!unit || !*unit) {
		strbuf_adds(b, shown);
		return;
	}
	snprintf(key, sizeof key, "unit.%.40s", unit);
	size_t from = b->n;
	strbuf_adds(b, shown);
	if (catalogue_has(lang, key)) {
		wrap(b, from, lang, key);
	} else {
		strbuf_addc(b, ' ');
		strbuf_adds(b, unit);
	}
}
