/* Catalogue: what the rest of the report and its tests need beside report.h. Pure. */
#ifndef LV_REPORT_CATALOGUE_H
#define LV_REPORT_CATALOGUE_H

#include <stddef.h>

#include "report/report.h"

struct catalogue_entry {
	const char *key, *text;
};

/* All entries of a language, sorted by key (byte order), no key twice. */
const struct catalogue_entry *catalogue_all(enum lang lang, size_t *n);

/* NULL if there is no such key. */
const char *catalogue_find(enum lang lang, const char *key);

/* catalogue_fill for a note about `subject` (may be NULL): what a stage could not decide between
 * are shares, and read as percent. */
void note_fill(struct strbuf *b, enum lang lang, const char *key, const char *subject,
	const struct tree *args);

/* The pattern behind a key with its parameters filled in from (name, value) pairs that end with
 * NULL; a value that is NULL reads as "". */
void catalogue_say(struct strbuf *b, enum lang lang, const char *key, ...)
	__attribute__((sentinel));

#endif
