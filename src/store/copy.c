/* Copy: a run with all revisions, samples and notes from one store into another (bundles, import),
 * once however often it is asked; and the small changes of a stored run. */
#include "store/rows.h"

#include <string.h>

/* How a run's archives and revisions are called on both sides. */
struct copying {
	struct store *from, *to;
	int64_t from_id, to_id;
	int last_number; /* newest revision in `to` */
	struct archive_pair {
		int64_t from, to;
	} * at;
	size_t n, cap;
	bool added;
};

static int copy_archive(struct copying *c, int64_t from, int64_t *to, struct error *err)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->at[i].from == from) {
			*to = c->at[i].to;
			return 0;
		}
	struct archive *ar;
	if (load_archive(c->from, from, &ar, err))
		return -1;
	int rc = insert_archive(c->to, c->to_id, ar, to, err);
	archive_free(ar);
	if (!rc)
		*ARRAY_ADD(c) = (struct archive_pair){from, *to};
	return rc;
}

/* A name that another run has there gets a piece of the uid behind it: importing must not fail for
 * want of a free name. */
static int choose_name(struct copying *c, struct arena *a, struct run_info *info, struct error *err)
{
	int64_t taken = 0;
	if (!info->name)
		return 0;
	if (run_name_check(info->name, NULL))
		info->name = NULL; /* never one of ours */
	else if (db_get_int(c->to, &taken, 0, err, "SELECT id FROM run WHERE name = ?", "t",
			 info->name))
		return -1;
	if (taken)
		info->name = arena_printf(a, "%.150s-%.8s", info->name, info->uid);
	return 0;
}

/* Finds the run in `to`, or adds it there without revisions. */
static int open_run(
	struct copying *c, struct arena *a, const struct stored_run *run, struct error *err)
{
	if (db_get_int(c->to, &c->to_id, 0, err, "SELECT id FROM run WHERE uid = ?", "t",
		    run->info.uid))
		return -1;
	if (c->to_id) {
		int64_t last;
		if (db_get_int(c->to, &last, 0, err,
			    "SELECT max(number) FROM revision WHERE run_id = ?", "i", c->to_id))
			return -1;
		c->last_number = (int)last;
		return 0;
	}
	struct run_info info = run->info;
	if (choose_name(c, a, &info, err) || insert_run(c->to, &info, &c->to_id, err))
		return -1;
	return db_run(c->to, err, "UPDATE run SET symptom = ?, cause = ?, action = ? WHERE id = ?",
		"ttti", run->symptom, run->cause, run->action, c->to_id);
}

static int insert_copy(struct copying *c, struct arena *a, const struct revision_row *row,
	struct stored_run *run, struct error *err)
{
	struct revision_key key = {c->to_id, run->info.revision, row->uid, 0};
	if (key.number <= c->last_number)
		key.number = c->last_number + 1; /* judged again on both sides */
	sqlite3_stmt *st;
	if (copy_archive(c, row->archive_id, &key.archive_id, err) ||
		db_query(c->to, &st, err, "SELECT name FROM run WHERE id = ?", "i", c->to_id))
		return -1;
	int found = db_step(c->to, st, err);
	struct document_identity who = {c->to_id, key.number, run->info.uid,
		found > 0 ? db_text(a, st, 0) : NULL, NULL, NULL, NULL};
	sqlite3_finalize(st);
	if (found < 0)
		return -1;
	run->document = store_document_identify(a, run->document, &who);
	if (insert_revision(c->to, &key, run, err))
		return -1;
	c->last_number = key.number;
	c->added = true;
	return 0;
}

static int copy_revision(struct copying *c, int number, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct stored_run run;
	struct revision_row row;
	int64_t there;
	int rc = -1;
	if (load_revision(c->from, &a, c->from_id, number, &row, &run, err))
		goto out;
	if (!c->to_id && open_run(c, &a, &run, err))
		goto out;
	if (db_get_int(c->to, &there, 0, err,
		    "SELECT archive_id FROM revision WHERE run_id = ? AND uid = ?", "it", c->to_id,
		    row.uid))
		goto out;
	if (there) {
		*ARRAY_ADD(c) = (struct archive_pair){row.archive_id, there};
		rc = 0;
	} else {
		rc = insert_copy(c, &a, &row, &run, err);
	}
out:
	arena_release(&a);
	return rc;
}

static int copy_revisions(struct copying *c, struct error *err)
{
	sqlite3_stmt *st;
	if (db_query(c->from, &st, err,
		    "SELECT number FROM revision WHERE run_id = ? ORDER BY number", "i",
		    c->from_id))
		return -1;
	int row;
	size_t n = 0;
	for (; (row = db_step(c->from, st, err)) > 0; n++)
		if (copy_revision(c, sqlite3_column_int(st, 0), err)) {
			row = -1;
			break;
		}
	sqlite3_finalize(st);
	if (!row && !n)
		return error_set(err, ERROR_USAGE, "unknown-run", "there is no run %lld in '%s'",
			(long long)c->from_id, c->from->path);
	return row;
}

int store_copy(struct store *from, int64_t id, struct store *to, int64_t *new_id, bool *was_there,
	struct error *err)
{
	struct copying c = {.from = from, .to = to, .from_id = id};
	/* all reading sees one state of `from`, whoever writes meanwhile */
	if (db_exec(from, "BEGIN", err))
		return -1;
	int rc = db_begin(to, err);
	if (!rc)
		rc = db_end(to, copy_revisions(&c, err), err);
	if (sqlite3_exec(from->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		sqlite3_exec(from->db, "ROLLBACK", NULL, NULL, NULL);
	ARRAY_RELEASE(&c);
	if (rc)
		return -1;
	*new_id = c.to_id;
	*was_there = !c.added;
	return 0;
}

/* Changes */

static int check_changed(struct store *s, int64_t id, struct error *err)
{
	if (sqlite3_changes(s->db))
		return 0;
	return error_set(err, ERROR_USAGE, "unknown-run", "there is no run %lld in '%s'",
		(long long)id, s->path);
}

int store_note(struct store *s, int64_t id, const char *symptom, const char *cause,
	const char *action, struct error *err)
{
	if (db_run(s, err,
		    "UPDATE run SET symptom = coalesce(?, symptom), cause = coalesce(?, cause),"
		    " action = coalesce(?, action) WHERE id = ?",
		    "ttti", symptom, cause, action, id))
		return -1;
	return check_changed(s, id, err);
}

static int remove_run(struct store *s, int64_t id, struct error *err)
{
	if (db_run(s, err, "DELETE FROM run WHERE id = ?", "i", id) || check_changed(s, id, err))
		return -1;
	return db_run(s, err,
		"DELETE FROM spec WHERE NOT EXISTS"
		" (SELECT 1 FROM revision WHERE spec_id = spec.id)",
		"");
}

int store_remove(struct store *s, int64_t id, struct error *err)
{
	if (db_begin(s, err) || db_end(s, remove_run(s, id, err), err))
		return -1;
	/* gives pages back; the run is gone whether or not this works */
	sqlite3_exec(s->db, "PRAGMA incremental_vacuum", NULL, NULL, NULL);
	return 0;
}
