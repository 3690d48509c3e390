/* Words: a server's own text made fit for a message. */
#ifndef LV_SOURCE_WORDS_H
#define LV_SOURCE_WORDS_H

#include "base/strbuf.h"

enum { WORDS_MAX = 300 };

/* Appends at most `max` bytes of s on one line: control characters become spaces, invalid UTF-8
 * becomes U+FFFD, spaces are not repeated, and "..." says that it was cut. */
void words_add(struct strbuf *b, const char *s, size_t n, size_t max);

/* Appends what an error body says: `errorType: error` of a JSON error, else its first line that is
 * not empty; without HTML tags. Nothing if there is nothing to say. */
void words_of_body(struct strbuf *b, const char *body, size_t n);

#endif
