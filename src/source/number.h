/* Number: the two numbers of a sample, from their text. */
#ifndef LV_SOURCE_NUMBER_H
#define LV_SOURCE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sample's value as Go prints it: decimal, with or without exponent, "NaN", "+Inf", "-Inf". The
 * nearest double. False for anything else, also for finite texts that no double can hold. */
bool number_value(const char *s, size_t n, double *out);

/* Unix seconds with up to 3 decimals (more only if they are 0), to milliseconds without rounding.
 */
bool number_time(const char *s, size_t n, int64_t *ms);

#endif
