/* Archive: the raw samples of a run, compressed, as the judge's evidence.
 *
 * Written while the answers arrive (a temporary file that is gone when the process ends), read as
 * often as the judge needs, then copied into the store chunk by chunk; read from the store in the
 * same way. Memory: a few chunks, whatever the number of samples. */
#ifndef LV_STORE_ARCHIVE_H
#define LV_STORE_ARCHIVE_H

#include "base/error.h"
#include "judge/evidence.h"

struct archive;

int archive_new(struct archive **out, struct error *err) LV_CHECKED; /* empty, on a spool file */
void archive_free(struct archive *ar);

/* Adding answers; several may be open at once (each has its own buffer until `end`). `slot` is any
 * small number of the caller's choosing while the answer is open. `end` makes it visible in the
 * evidence; an answer to the same query replaces the older one. */
int archive_begin(struct archive *ar, size_t slot, struct error *err) LV_CHECKED;
int archive_series(
	struct archive *ar, size_t slot, const struct series *s, struct error *err) LV_CHECKED;
int archive_end(
	struct archive *ar, size_t slot, const struct answer *a, struct error *err) LV_CHECKED;
void archive_abandon(struct archive *ar, size_t slot);

void archive_set_asked(struct archive *ar, int64_t asked_ms, int64_t retention_ms);

/* Valid until the archive is changed or freed. */
const struct evidence *archive_evidence(struct archive *ar);

#endif
