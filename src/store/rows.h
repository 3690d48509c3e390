/* Rows: the parts of saving, loading and copying that need one another. For src/store only. */
#ifndef LV_STORE_ROWS_H
#define LV_STORE_ROWS_H

#include "store/archive_parts.h"
#include "store/db.h"
#include "store/document.h"

/* rows.c */
const char *verdict_text(enum run_verdict v);
bool verdict_of_text(const char *text, enum run_verdict *out);

/* names.c: ERROR_USAGE "usage" unless `name` may name a run: UTF-8 without control characters, not
 * all digits (an id) nor digits.digits (a revision), and not starting with "last". */
int run_name_check(const char *name, struct error *err) LV_CHECKED;
size_t edit_distance(const char *a, const char *b); /* in bytes; over 200 bytes: SIZE_MAX */

/* save.c: all inside of the caller's transaction. */
int insert_run(
	struct store *s, const struct run_info *info, int64_t *id, struct error *err) LV_CHECKED;
struct revision_key {
	int64_t run_id;
	int number;
	const char *uid; /* of the revision: two stores can tell that they hold the same one */
	int64_t archive_id;
};
/* `run->document` must say what `key` and `run->info` say already. */
int insert_revision(struct store *s, const struct revision_key *key, const struct stored_run *run,
	struct error *err) LV_CHECKED;
int insert_archive(struct store *s, int64_t run_id, struct archive *ar, int64_t *id,
	struct error *err) LV_CHECKED;
const char *new_uid(struct arena *a); /* 32 random hex digits */

/* items.c: rows of `item` from the document, for people who ask with SQL. */
int insert_items(struct store *s, int64_t revision_id, const struct tree *document,
	struct error *err) LV_CHECKED;

/* load.c */
struct revision_row { /* a revision beside what stored_run holds */
	int64_t id, archive_id;
	const char *uid;
};
int load_revision(struct store *s, struct arena *a, int64_t id, int number,
	struct revision_row *row, struct stored_run *out, struct error *err) LV_CHECKED;
int load_archive(
	struct store *s, int64_t archive_id, struct archive **out, struct error *err) LV_CHECKED;

#endif
