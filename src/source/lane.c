/* Lane: the short way for the samples of a series, which are nearly all bytes of an answer. Knows
 * the one form that servers send; everything else, also every error, is left to yajl. */
#include "source/lane.h"

#include "source/number.h"

enum { SECONDS_DIGITS = 12, INTEGER_DIGITS = 15, VALUE_MAX = 32 };

size_t lane_find(const char *s, size_t n)
{
	const char *at = memmem(s, n, "],[", 3);
	return at ? (size_t)(at - s) + 2 : n;
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* Reads seconds with up to 3 decimals and the comma; NULL if it is anything else. */
static const char *read_time(const char *s, int64_t *ms)
{
	const char *start = s;
	int64_t v = 0;
	while (is_digit(*s) && s - start < SECONDS_DIGITS)
		v = v * 10 + (*s++ - '0');
	if (s == start || (*start == '0' && s - start > 1))
		return NULL;
	int left = 3;
	if (*s == '.') {
		for (s++; left && is_digit(*s); left--)
			v = v * 10 + (*s++ - '0');
		if (left == 3)
			return NULL;
	}
	static const int scale[] = {1, 10, 100, 1000};
	*ms = v * scale[left];
	return *s == ',' ? s + 1 : NULL;
}

/* Reads a value in quotes; NULL if it is anything else. */
static const char *read_value(const char *s, double *value)
{
	if (*s++ != '"')
		return NULL;
	const char *start = s;
	int64_t v = 0;
	while (is_digit(*s) && s - start < INTEGER_DIGITS)
		v = v * 10 + (*s++ - '0');
	if (*s == '"' && s > start) {
		*value = (double)v;
		return s + 1;
	}
	const char *end = memchr(start, '"', VALUE_MAX);
	if (!end || !number_value(start, (size_t)(end - start), value))
		return NULL;
	return end + 1;
}

int lane_take(struct collect *c, const char *s, size_t n, size_t *taken, struct error *err)
{
	enum { LONGEST = 64 }; /* "[", 12 + 4 digits of time, ",\"", 32 of value, and "\"],[" */
	const char *at = s;
	while (s + n - at >= LONGEST && *at == '[') {
		int64_t t_ms = 0;
		double value = 0;
		const char *p = read_time(at + 1, &t_ms);
		p = p ? read_value(p, &value) : NULL;
		if (!p || memcmp(p, "],[", 3))
			break;
		if (collect_sample(c, t_ms, value, err))
			return -1;
		at = p + 2;
	}
	*taken = (size_t)(at - s);
	return 0;
}
