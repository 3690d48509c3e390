/* Decimal: exact numbers for objectives, loads and limits; and numbers as text.
 *
 * value = num / den with den > 0, reduced. Covers decimals (0.999, 1e2) and fractions (4000/365/7).
 * Never a double: 0.7 * 90 is 63, 99.9/100 is 0.999. */
#ifndef LV_BASE_DECIMAL_H
#define LV_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct decimal {
	int64_t num;
	int64_t den;
};

/* "99.9%" (= 999/1000), "0.999", "1e2", "-3", "a/b/c" with integers or decimals.
 * False if the text is no number or does not fit. `percent` (may be NULL) tells if "%" was used. */
bool decimal_parse(const char *text, struct decimal *out, bool *percent);
struct decimal decimal_of(int64_t integer);
int decimal_cmp(struct decimal a, struct decimal b);
bool decimal_mul(struct decimal a, struct decimal b, struct decimal *out); /* false: overflow */
double decimal_to_double(struct decimal d);
/* Sign of (d - x), exact for every finite double x (a double is a binary fraction). */
int decimal_cmp_double(struct decimal d, double x);
/* Sign of (good * den - num * total), i.e. good/total against d, for integers up to 2^53. */
int decimal_cmp_ratio(double good, double total, struct decimal d);

/* Shortest decimal that is exact if d terminates, else 17 significant digits: "0.999", "50". */
void decimal_format(struct strbuf *b, struct decimal d);
/* The shortest text that reads back as the same double: "1", "0.1", "1e+300"; NaN "NaN",
 * infinities "+Inf", "-Inf". Valid JSON for finite numbers. */
void decimal_format_double(struct strbuf *b, double v);
/* a/b with `digits` decimals, rounded down or up; b > 0. Exact for integers up to 2^53. */
void decimal_format_ratio(struct strbuf *b, double good, double total, int digits, bool up);

#endif
