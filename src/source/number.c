/* Number: the two numbers of a sample, from their text. */
#include "source/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_DIGITS = 15, LONGEST = 400, TIME_DIGITS = 12 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits with at most one point, no more than 15: the integer and the power of ten are exact, so
 * one division gives the nearest double. */
static bool short_decimal(const char *s, size_t n, double *out)
{
	static const double ten[] = {
		1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	bool minus = n && *s == '-';
	int64_t whole = 0;
	size_t i = minus, digits = 0, point = 0;
	for (; i < n && is_digit(s[i]); i++, digits++)
		whole = whole * 10 + (s[i] - '0');
	if (i < n && s[i] == '.' && digits) {
		for (i++; i < n && is_digit(s[i]); i++, point++)
			whole = whole * 10 + (s[i] - '0');
		if (!point)
			return false;
	}
	if (i < n || !digits || digits + point > EXACT_DIGITS)
		return false;
	double v = point ? (double)whole / ten[point] : (double)whole;
	*out = minus ? -v : v;
	return true;
}

static bool is_decimal(const char *s)
{
	s += *s == '+' || *s == '-';
	const char *start = s;
	while (is_digit(*s))
		s++;
	bool digits = s > start;
	if (*s == '.') {
		start = ++s;
		while (is_digit(*s))
			s++;
		digits = digits || s > start;
	}
	if (digits && (*s == 'e' || *s == 'E')) {
		s += s[1] == '+' || s[1] == '-' ? 2 : 1;
		start = s;
		while (is_digit(*s))
			s++;
		digits = s > start;
	}
	return digits && !*s;
}

static bool special(const char *s, double *out)
{
	if (!strcmp(s, "NaN"))
		*out = NAN;
	else if (!strcmp(s, "+Inf") || !strcmp(s, "Inf"))
		*out = INFINITY;
	else if (!strcmp(s, "-Inf"))
		*out = -INFINITY;
	else
		return false;
	return true;
}

bool number_value(const char *s, size_t n, double *out)
{
	/* short texts only: the sum of digits must not overflow before it is counted */
	if (n <= EXACT_DIGITS + 2 && short_decimal(s, n, out))
		return true;
	char text[LONGEST + 1];
	if (!n || n > LONGEST || memchr(s, 0, n))
		return false;
	memcpy(text, s, n);
	text[n] = 0;
	if (special(text, out))
		return true;
	if (!is_decimal(text))
		return false;
	double v = strtod(text, NULL);
	if (isinf(v))
		return false;
	*out = v;
	return true;
}

bool number_time(const char *s, size_t n, int64_t *ms)
{
	bool minus = n && *s == '-';
	size_t i = minus, start = i;
	int64_t v = 0;
	for (; i < n && is_digit(s[i]) && i - start < TIME_DIGITS; i++)
		v = v * 10 + (s[i] - '0');
	if (i == start)
		return false;
	int decimals = 0;
	if (i < n && s[i] == '.') {
		for (i++; i < n && is_digit(s[i]) && decimals < 3; i++, decimals++)
			v = v * 10 + (s[i] - '0');
		if (!decimals)
			return false;
		while (decimals == 3 && i < n && s[i] == '0')
			i++;
	}
	if (i < n)
		return false;
	for (; decimals < 3; decimals++)
		v *= 10;
	*ms = minus ? -v : v;
	return true;
}
