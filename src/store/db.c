/* Db: statements over SQLite. Values are always bound, never pasted into SQL. Knows no table. */
#include "store/db.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"

int db_corrupt(struct store *s, const char *what, struct error *err)
{
	return error_set(err, ERROR_STORE, "store-corrupt",
		"the database '%s' is damaged or not of loadverdict (%s); restore a copy, or use "
		"another file with --db",
		s->path, what);
}

int db_failed(struct store *s, const char *doing, struct error *err)
{
	int code = sqlite3_errcode(s->db) & 0xff;
	const char *why = sqlite3_errmsg(s->db);
	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err, ERROR_STORE, "store-locked",
			"%s the database '%s': another process holds it, also after waiting 10 s; "
			"wait until that process ends and try again, or use another file with --db",
			doing, s->path);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_MISMATCH:
	case SQLITE_TOOBIG:
	case SQLITE_CONSTRAINT:
	case SQLITE_ERROR: /* a table or column that we would have made is missing */
		return db_corrupt(s, why, err);
	case SQLITE_FULL:
		return error_set(err, ERROR_STORE, "store-failed",
			"%s the database '%s': the disk is full; make room there, or use another "
			"file "
			"with --db",
			doing, s->path);
	default:
		return error_set(err, ERROR_STORE, "store-failed",
			"%s the database '%s': %s; check the permissions of the file and of its "
			"directory, or use another file with --db",
			doing, s->path, why);
	}
}

int db_exec(struct store *s, const char *sql, struct error *err)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return db_failed(s, s->mode == STORE_READ ? "reading" : "writing", err);
	return 0;
}

static int bind_optional_int(sqlite3_stmt *st, int i, const int64_t *v)
{
	return v ? sqlite3_bind_int64(st, i, *v) : sqlite3_bind_null(st, i);
}

static int bind_double(sqlite3_stmt *st, int i, double v)
{
	return isfinite(v) ? sqlite3_bind_double(st, i, v) : sqlite3_bind_null(st, i);
}

static int bind_all(sqlite3_stmt *st, const char *types, va_list ap)
{
	int rc = SQLITE_OK;
	for (int i = 1; types[i - 1] && rc == SQLITE_OK; i++) {
		if (types[i - 1] == 'i')
			rc = sqlite3_bind_int64(st, i, va_arg(ap, int64_t));
		else if (types[i - 1] == 'I')
			rc = bind_optional_int(st, i, va_arg(ap, const int64_t *));
		else if (types[i - 1] == 'd')
			rc = bind_double(st, i, va_arg(ap, double));
		else
			rc = sqlite3_bind_text(st, i, va_arg(ap, const char *), -1, SQLITE_STATIC);
	}
	return rc;
}

static int vquery(struct store *s, sqlite3_stmt **out, struct error *err, const char *sql,
	const char *types, va_list ap)
{
	sqlite3_stmt *st;
	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return db_failed(s, "reading", err);
	if (bind_all(st, types, ap) != SQLITE_OK) {
		db_failed(s, "reading", err);
		sqlite3_finalize(st);
		return -1;
	}
	*out = st;
	return 0;
}

int db_query(struct store *s, sqlite3_stmt **out, struct error *err, const char *sql,
	const char *types, ...)
{
	va_list ap;
	va_start(ap, types);
	int rc = vquery(s, out, err, sql, types, ap);
	va_end(ap);
	return rc;
}

int db_step(struct store *s, sqlite3_stmt *st, struct error *err)
{
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE)
		return 0;
	return db_failed(s, sqlite3_stmt_readonly(st) ? "reading" : "writing", err);
}

int db_run(struct store *s, struct error *err, const char *sql, const char *types, ...)
{
	va_list ap;
	va_start(ap, types);
	sqlite3_stmt *st = NULL;
	int rc = vquery(s, &st, err, sql, types, ap);
	va_end(ap);
	if (rc)
		return -1;
	rc = db_step(s, st, err);
	sqlite3_finalize(st);
	return rc < 0 ? -1 : 0;
}

int db_get_int(struct store *s, int64_t *out, int64_t otherwise, struct error *err, const char *sql,
	const char *types, ...)
{
	va_list ap;
	va_start(ap, types);
	sqlite3_stmt *st = NULL;
	int rc = vquery(s, &st, err, sql, types, ap);
	va_end(ap);
	if (rc)
		return -1;
	rc = db_step(s, st, err);
	if (rc >= 0)
		*out = rc && !db_is_null(st, 0) ? sqlite3_column_int64(st, 0) : otherwise;
	sqlite3_finalize(st);
	return rc < 0 ? -1 : 0;
}

const char *db_text(struct arena *a, sqlite3_stmt *st, int column)
{
	const char *s = (const char *)sqlite3_column_text(st, column);
	if (!s)
		return NULL;
	size_t n = strlen(s); /* a NUL inside ends a text of ours */
	if (utf8_valid(s, n))
		return arena_strndup(a, s, n);
	struct strbuf b = STRBUF_INIT;
	utf8_add_repaired(&b, s, n);
	const char *copy = arena_strndup(a, b.at, b.n);
	strbuf_release(&b);
	return copy;
}

const char *db_text_or_empty(struct arena *a, sqlite3_stmt *st, int column)
{
	const char *s = db_text(a, st, column);
	return s ? s : "";
}

bool db_is_null(sqlite3_stmt *st, int column)
{
	return sqlite3_column_type(st, column) == SQLITE_NULL;
}

int db_begin(struct store *s, struct error *err)
{
	return db_exec(s, "BEGIN IMMEDIATE", err);
}

int db_end(struct store *s, int rc, struct error *err)
{
	if (!rc && !db_exec(s, "COMMIT", err))
		return 0;
	if (!sqlite3_get_autocommit(s->db)) /* some errors have rolled back already */
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}
