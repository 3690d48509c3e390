/* UTF-8 from hostile places: checked, repaired, measured. */
#ifndef LV_BASE_UTF8_H
#define LV_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

bool utf8_valid(const char *s, size_t n);
/* Appends s with every invalid byte sequence replaced by U+FFFD; true if anything was replaced. */
bool utf8_add_repaired(struct strbuf *b, const char *s, size_t n);
/* Terminal columns (Hangul and Han are 2 wide, combining marks 0), after NFC; control characters
 * and bidi marks count 0. */
size_t utf8_width(const char *s);
/* Length in bytes of the longest prefix of s (n bytes) that is at most `max` bytes and does not
 * cut a character. */
size_t utf8_cut(const char *s, size_t n, size_t max);

#endif
