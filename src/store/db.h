/* Db: the open database file: statements, bindings and SQLite's errors in our words. For the files
 * of src/store only. */
#ifndef LV_STORE_DB_H
#define LV_STORE_DB_H

#include <sqlite3.h>

#include "base/arena.h"
#include "base/error.h"
#include "store/store.h"

struct store {
	sqlite3 *db;
	enum store_mode mode;
	char *path;	    /* as the user gave it */
	char *written_path; /* bundles: the file beside `path`; NULL otherwise */
	struct arena texts; /* what is handed out for as long as the store is open */
};

enum { STORE_BUSY_MS = 10000 };

/* ERROR_STORE with SQLite's reason, the path and what to do; returns -1. `doing`: "reading". */
int db_failed(struct store *s, const char *doing, struct error *err);
/* ERROR_STORE "store-corrupt" for contents that we would never have written. */
int db_corrupt(struct store *s, const char *what, struct error *err);

int db_exec(struct store *s, const char *sql, struct error *err) LV_CHECKED;
/* Prepares and binds: `types` has one letter a parameter: i int64_t, I const int64_t * (NULL:
 * null), t const char * (NULL: null), d double (NaN and infinities: null). Texts must outlive *out.
 */
int db_query(struct store *s, sqlite3_stmt **out, struct error *err, const char *sql,
	const char *types, ...) LV_CHECKED;
/* 1: a row; 0: no more; -1 */
int db_step(struct store *s, sqlite3_stmt *st, struct error *err) LV_CHECKED;
/* A statement without rows, from preparing to the end. */
int db_run(struct store *s, struct error *err, const char *sql, const char *types, ...) LV_CHECKED;
/* The first column of the first row, or `otherwise`. */
int db_get_int(struct store *s, int64_t *out, int64_t otherwise, struct error *err, const char *sql,
	const char *types, ...) LV_CHECKED;

/* Columns; texts are copied, with invalid UTF-8 repaired: a file may come from anywhere. */
const char *db_text(struct arena *a, sqlite3_stmt *st, int column); /* NULL for null */
const char *db_text_or_empty(struct arena *a, sqlite3_stmt *st, int column);
bool db_is_null(sqlite3_stmt *st, int column);

int db_begin(struct store *s, struct error *err) LV_CHECKED; /* the write transaction */
/* Ends what db_begin began: commits if rc is 0, else rolls back; returns the outcome. */
int db_end(struct store *s, int rc, struct error *err) LV_CHECKED;

#endif
