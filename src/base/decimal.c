/* Decimal: exact arithmetic in 128 bits, and numbers as text. A double is taken for what it is, a
 * binary fraction, so comparing with one is exact too. */
#include "base/decimal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

static u128 gcd(u128 a, u128 b)
{
	while (b) {
		u128 rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* num/den reduced; false if that does not fit. INT64_MIN is left out, so that -d always exists. */
static bool reduced(bool negative, u128 num, u128 den, struct decimal *out)
{
	u128 common = gcd(num, den);
	num /= common;
	den /= common;
	if (num > INT64_MAX || den > INT64_MAX)
		return false;
	out->num = negative ? -(int64_t)num : (int64_t)num;
	out->den = (int64_t)den;
	return true;
}

static u128 magnitude(int64_t v)
{
	return v < 0 ? (u128)0 - (u128)(i128)v : (u128)v;
}

/* ---- parsing ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

struct digits { /* value = digits * 10^exponent */
	u128 digits;
	int exponent;
	int zeros; /* seen, not yet known to matter */
};

/* Zeros wait until another digit follows, so "1000000" and "0.5000000" keep small numbers. */
static bool add_digit(struct digits *d, char c, bool fraction)
{
	d->exponent += fraction ? -1 : 0;
	if (c == '0') {
		d->zeros += d->digits ? 1 : 0;
		return d->zeros < 1000;
	}
	for (; d->zeros > 0; d->zeros--) {
		if (d->digits > INT64_MAX)
			return false;
		d->digits *= 10;
	}
	if (d->digits > INT64_MAX)
		return false;
	d->digits = d->digits * 10 + (u128)(c - '0');
	return true;
}

static bool read_digits(const char **p, struct digits *d)
{
	const char *s = *p;
	if (!is_digit(*s))
		return false;
	for (; is_digit(*s); s++)
		if (!add_digit(d, *s, false))
			return false;
	if (*s == '.') {
		if (!is_digit(*++s))
			return false;
		for (; is_digit(*s); s++)
			if (d->exponent < -1000 || !add_digit(d, *s, true))
				return false;
	}
	d->exponent += d->zeros;
	*p = s;
	return true;
}

static bool read_exponent(const char **p, int *exponent)
{
	const char *s = *p + 1;
	bool negative = *s == '-';
	int value = 0;
	if (*s == '-' || *s == '+')
		s++;
	if (!is_digit(*s))
		return false;
	for (; is_digit(*s); s++) {
		value = value * 10 + (*s - '0');
		if (value > 1000)
			return false;
	}
	*exponent += negative ? -value : value;
	*p = s;
	return true;
}

/* 2^a 5^b with a, b >= 19 in the denominator may still cancel, so ten is applied to both sides
 * within 128 bits and the fit is judged after reducing. */
static bool read_number(const char **p, struct decimal *out)
{
	struct digits d = {0};
	bool negative = **p == '-';
	if (**p == '-' || **p == '+')
		++*p;
	if (!read_digits(p, &d))
		return false;
	if ((**p == 'e' || **p == 'E') && !read_exponent(p, &d.exponent))
		return false;
	if (!d.digits) {
		*out = decimal_of(0);
		return true;
	}
	u128 den = 1;
	for (; d.exponent > 0; d.exponent--) {
		if (d.digits > INT64_MAX)
			return false;
		d.digits *= 10;
	}
	for (; d.exponent < 0; d.exponent++) {
		if (den > (u128)1 << 120)
			return false;
		den *= 10;
	}
	return reduced(negative, d.digits, den, out);
}

static bool divide(struct decimal a, struct decimal b, struct decimal *out)
{
	if (!b.num)
		return false;
	return reduced((a.num < 0) != (b.num < 0), magnitude(a.num) * (u128)b.den,
		(u128)a.den * magnitude(b.num), out);
}

bool decimal_parse(const char *text, struct decimal *out, bool *percent)
{
	struct decimal value, by;
	const char *p = text;
	bool fraction = false;
	if (!read_number(&p, &value))
		return false;
	while (*p == '/') {
		p++;
		if (!read_number(&p, &by) || !divide(value, by, &value))
			return false;
		fraction = true;
	}
	bool is_percent = *p == '%' && !fraction;
	if (is_percent) {
		p++;
		if (!divide(value, decimal_of(100), &value))
			return false;
	}
	if (*p)
		return false;
	*out = value;
	if (percent)
		*percent = is_percent;
	return true;
}

/* ---- arithmetic ---- */

struct decimal decimal_of(int64_t integer)
{
	return (struct decimal){integer, 1};
}

int decimal_cmp(struct decimal a, struct decimal b)
{
	i128 left = (i128)a.num * b.den, right = (i128)b.num * a.den;
	return (left > right) - (left < right);
}

bool decimal_mul(struct decimal a, struct decimal b, struct decimal *out)
{
	return reduced((a.num < 0) != (b.num < 0), magnitude(a.num) * magnitude(b.num),
		(u128)a.den * (u128)b.den, out);
}

double decimal_to_double(struct decimal d)
{
	const int64_t exact = INT64_C(1) << 53;
	if (d.num >= -exact && d.num <= exact && d.den <= exact)
		return (double)d.num / (double)d.den;
	return (double)((long double)d.num / (long double)d.den);
}

struct scaled { /* sign * mantissa * 2^exponent */
	int sign;
	u128 mantissa;
	int exponent;
};

/* 53 bits or less of mantissa, exactly 53 unless x is 0 */
static struct scaled scaled_of(double x)
{
	int exponent;
	double fraction = frexp(fabs(x), &exponent);
	return (struct scaled){(x > 0) - (x < 0), (u128)ldexp(fraction, 53), exponent - 53};
}

static int bits(u128 v)
{
	uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
	return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* Neither mantissa is longer than 116 bits, so lining up two numbers of equal magnitude fits. */
static int cmp_scaled(struct scaled a, struct scaled b)
{
	if (a.sign != b.sign)
		return a.sign > b.sign ? 1 : -1;
	if (!a.sign)
		return 0;
	int top_a = bits(a.mantissa) + a.exponent, top_b = bits(b.mantissa) + b.exponent;
	if (top_a != top_b)
		return top_a > top_b ? a.sign : -a.sign;
	if (a.exponent > b.exponent)
		a.mantissa <<= a.exponent - b.exponent;
	else
		b.mantissa <<= b.exponent - a.exponent;
	if (a.mantissa == b.mantissa)
		return 0;
	return a.mantissa > b.mantissa ? a.sign : -a.sign;
}

int decimal_cmp_double(struct decimal d, double x)
{
	assert(!isnan(x)); /* has no order: a caller that forgot it must not get a verdict */
	if (isinf(x))
		return x > 0 ? -1 : 1;
	struct scaled left = {(d.num > 0) - (d.num < 0), magnitude(d.num), 0};
	struct scaled right = scaled_of(x);
	right.mantissa *= (u128)d.den;
	return cmp_scaled(left, right);
}

int decimal_cmp_ratio(double good, double total, struct decimal d)
{
	assert(isfinite(good) && isfinite(total));
	struct scaled left = scaled_of(good), right = scaled_of(total);
	left.mantissa *= (u128)d.den;
	right.mantissa *= magnitude(d.num);
	right.sign *= (d.num > 0) - (d.num < 0);
	return cmp_scaled(left, right);
}

/* ---- text ---- */

enum rounding { ROUND_DOWN, ROUND_UP, ROUND_NEAREST };

/* Adds one unit in the last place to a text of digits with at most one point in it. */
static void increment(char *text, size_t n)
{
	while (n--) {
		if (text[n] == '.')
			continue;
		if (text[n]++ != '9')
			return;
		text[n] = '0';
	}
}

/* num/den by long division, with `digits` decimals; den < 2^124, digits <= 100. */
static void add_quotient(
	struct strbuf *b, bool negative, u128 num, u128 den, int digits, enum rounding rounding)
{
	char text[160], reversed[48];
	size_t n = 0, n_whole = 0;
	u128 whole = num / den, rest = num % den;
	do
		reversed[n_whole++] = (char)('0' + (int)(whole % 10));
	while (whole /= 10);
	text[n++] = '0'; /* room for a carry */
	while (n_whole)
		text[n++] = reversed[--n_whole];
	if (digits > 0)
		text[n++] = '.';
	for (int i = 0; i < digits; i++) {
		rest *= 10;
		text[n++] = (char)('0' + (int)(rest / den));
		rest %= den;
	}
	if ((rounding == ROUND_UP && rest) || (rounding == ROUND_NEAREST && rest >= den - rest))
		increment(text, n);
	text[n] = '\0';
	size_t skip = text[0] == '0' ? 1 : 0;
	if (negative && strspn(text, "0.") < n)
		strbuf_addc(b, '-');
	strbuf_add(b, text + skip, n - skip);
}

/* Decimals after which den divides: max of its powers of two and five; -1 if it never does. */
static int terminating_digits(int64_t den)
{
	int twos = 0, fives = 0;
	for (; den % 2 == 0; den /= 2)
		twos++;
	for (; den % 5 == 0; den /= 5)
		fives++;
	return den != 1 ? -1 : twos > fives ? twos : fives;
}

/* Decimals that show 17 significant digits of num/den, num > 0. */
static int significant_digits(u128 num, u128 den)
{
	int digits = 17;
	for (u128 whole = num / den; whole; whole /= 10)
		digits--;
	for (u128 small = num * 10; small < den; small *= 10)
		digits++;
	return digits > 0 ? digits : 0;
}

void decimal_format(struct strbuf *b, struct decimal d)
{
	u128 num = magnitude(d.num), den = (u128)d.den;
	int digits = terminating_digits(d.den);
	if (digits < 0)
		digits = significant_digits(num, den);
	add_quotient(b, d.num < 0, num, den, digits, ROUND_NEAREST);
}

void decimal_format_double(struct strbuf *b, double v)
{
	char text[40];
	if (isnan(v)) {
		strbuf_adds(b, "NaN");
	} else if (isinf(v)) {
		strbuf_adds(b, v > 0 ? "+Inf" : "-Inf");
	} else if (v == trunc(v) && fabs(v) <= 0x1p53) {
		strbuf_addf(b, "%lld", (long long)v);
	} else {
		int precision = 1;
		do
			snprintf(text, sizeof text, "%.*g", precision, v);
		while (precision++ < 17 && strtod(text, NULL) != v);
		strbuf_adds(b, text);
	}
}

void decimal_format_ratio(struct strbuf *b, double good, double total, int digits, bool up)
{
	assert(digits >= 0 && digits <= 18);
	double ratio = good / total;
	struct scaled num = scaled_of(good), den = scaled_of(total);
	int shift = num.exponent - den.exponent;
	if (!isfinite(good) || !isfinite(total) || total <= 0 || (good != 0 && shift > 70)) {
		/* no number, or too large for decimals to matter: the neighbour is on the safe side
		 */
		double edge = isfinite(ratio) ? nextafter(ratio, up ? INFINITY : -INFINITY) : ratio;
		decimal_format_double(b, edge);
		return;
	}
	bool negative = good < 0;
	enum rounding rounding = up != negative ? ROUND_UP : ROUND_DOWN;
	if (good != 0 && shift < -64) { /* below the last decimal: anything as small will do */
		num.mantissa = 1;
		den.mantissa = (u128)1 << 64;
	} else if (shift >= 0) {
		num.mantissa <<= good != 0 ? shift : 0;
	} else {
		den.mantissa <<= good != 0 ? -shift : 0;
	}
	add_quotient(b, negative, num.mantissa, den.mantissa, digits, rounding);
}
