/* Save: a judged run into the database: which run it is, a new revision of it, and its samples.
 * Decides identity by contract.md section 4; knows nothing of how a run was judged. */
#include "base/json.h"
#include "store/rows.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/strbuf.h"

const char *new_uid(struct arena *a)
{
	unsigned char random[16];
	for (size_t n = 0; n < sizeof random;) {
		ssize_t got = getrandom(random + n, sizeof random - n, 0);
		if (got > 0)
			n += (size_t)got;
	}
	char *uid = arena_alloc(a, 33);
	for (size_t i = 0; i < sizeof random; i++) {
		uid[2 * i] = "0123456789abcdef"[random[i] >> 4];
		uid[2 * i + 1] = "0123456789abcdef"[random[i] & 15];
	}
	return uid;
}

static const int64_t *time_or_null(const int64_t *ms)
{
	return *ms == TIME_NONE ? NULL : ms;
}

/* The run itself */

int insert_run(struct store *s, const struct run_info *info, int64_t *id, struct error *err)
{
	const struct decimal *load = info->has_load ? &info->load : NULL;
	if (db_run(s, err,
		    "INSERT INTO run (uid, name, spec_name, environment, campaign, repeat, "
		    "load_num,"
		    " load_den, load_unit, open_ms, start_ms, end_ms)"
		    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		    "tttttiIItIii", info->uid, info->name, info->spec_name ? info->spec_name : "",
		    info->environment, info->campaign, (int64_t)info->repeat,
		    load ? &load->num : NULL, load ? &load->den : NULL, info->load_unit,
		    time_or_null(&info->window.open_ms), info->window.start_ms,
		    info->window.end_ms))
		return -1;
	*id = sqlite3_last_insert_rowid(s->db);
	return 0;
}

/* *id is 0 if there is no such run yet. */
static int find_same_run(
	struct store *s, const struct run_info *info, int64_t *id, struct error *err)
{
	*id = 0;
	if (info->uid &&
		db_get_int(s, id, 0, err, "SELECT id FROM run WHERE uid = ?", "t", info->uid))
		return -1;
	if (*id)
		return 0;
	const struct decimal *load = info->has_load ? &info->load : NULL;
	return db_get_int(s, id, 0, err,
		"SELECT id FROM run WHERE spec_name = ?1 AND environment IS ?2 AND load_num IS ?3"
		" AND load_den IS ?4 AND repeat = ?5 AND open_ms IS ?6"
		" AND (?6 IS NOT NULL OR (start_ms = ?7 AND end_ms = ?8)) ORDER BY id DESC LIMIT 1",
		"ttIIiIii", info->spec_name ? info->spec_name : "", info->environment,
		load ? &load->num : NULL, load ? &load->den : NULL, (int64_t)info->repeat,
		time_or_null(&info->window.open_ms), info->window.start_ms, info->window.end_ms);
}

static int check_name(struct store *s, const char *name, int64_t id, struct error *err)
{
	int64_t other;
	if (!name)
		return 0;
	if (run_name_check(name, err) ||
		db_get_int(s, &other, 0, err, "SELECT id FROM run WHERE name = ?", "t", name))
		return -1;
	if (!other || other == id)
		return 0;
	return error_set(err, ERROR_USAGE, "name-taken",
		"run %lld is already named '%s'; choose another --name", (long long)other, name);
}

/* What the run is called and how often it was judged, after this judgment. */
static int renew_run(struct store *s, struct run_info *info, struct error *err)
{
	sqlite3_stmt *st;
	if (db_run(s, err,
		    "UPDATE run SET name = coalesce(?, name), campaign = coalesce(?, campaign)"
		    " WHERE id = ?",
		    "tti", info->name, info->campaign, info->id) ||
		db_query(s, &st, err,
			"SELECT uid, name, campaign, (SELECT coalesce(max(number), 0) + 1 FROM "
			"revision"
			" WHERE run_id = run.id) FROM run WHERE id = ?",
			"i", info->id))
		return -1;
	int row = db_step(s, st, err);
	if (row > 0) {
		info->uid = db_text(&s->texts, st, 0);
		info->name = db_text(&s->texts, st, 1);
		info->campaign = db_text(&s->texts, st, 2);
		info->revision = sqlite3_column_int(st, 3);
	}
	sqlite3_finalize(st);
	return row > 0 ? 0 : row < 0 ? -1 : db_corrupt(s, "a run vanished", err);
}

static int identify(struct store *s, struct run_info *info, struct error *err)
{
	if (find_same_run(s, info, &info->id, err) || check_name(s, info->name, info->id, err))
		return -1;
	if (info->id)
		return renew_run(s, info, err);
	info->revision = 1;
	if (!info->uid)
		info->uid = new_uid(&s->texts);
	return insert_run(s, info, &info->id, err);
}

/* A revision */

static int find_or_insert_spec(
	struct store *s, const struct stored_run *run, int64_t *id, struct error *err)
{
	const char *sha256 = run->info.spec_sha256 ? run->info.spec_sha256 : "";
	const char *text = run->spec_text ? run->spec_text : "";
	/* the digest alone is not believed: a bundle may claim any */
	static const char *const sql[] = {"SELECT id FROM spec WHERE sha256 = ?1 AND text = ?2",
		"INSERT INTO spec (sha256, text) VALUES (?1, ?2) RETURNING id"};
	for (int i = 0, row = 0; i < 2 && !row; i++) {
		sqlite3_stmt *st;
		if (db_query(s, &st, err, sql[i], "t", sha256))
			return -1;
		sqlite3_bind_text(st, 2, text, (int)run->spec_len, SQLITE_STATIC);
		row = db_step(s, st, err);
		*id = row > 0 ? sqlite3_column_int64(st, 0) : 0;
		sqlite3_finalize(st);
		if (row < 0)
			return -1;
	}
	return 0;
}

static int insert_labels(
	struct store *s, int64_t revision_id, const struct stored_run *run, struct error *err)
{
	for (size_t i = 0; i < run->info.n_labels; i++)
		if (db_run(s, err,
			    "INSERT OR REPLACE INTO label (revision_id, key, value) VALUES (?, ?, "
			    "?)",
			    "itt", revision_id, run->info.labels[i].key, run->info.labels[i].value))
			return -1;
	for (size_t i = 0; i < run->n_variables; i++)
		if (db_run(s, err,
			    "INSERT OR REPLACE INTO variable (revision_id, name, value)"
			    " VALUES (?, ?, ?)",
			    "itt", revision_id, run->variables[i].name, run->variables[i].value))
			return -1;
	return 0;
}

static int print_document(
	struct store *s, const struct tree *document, struct strbuf *text, struct error *err)
{
	text->max = DOCUMENT_MAX_BYTES;
	json_add_tree(text, document, JSON_AS_ADDED);
	if (!text->full)
		return 0;
	return error_set(err, ERROR_STORE, "store-failed",
		"the report is larger than 32 MiB, which is the most that '%s' keeps; use fewer "
		"`per` "
		"labels or items",
		s->path);
}

int insert_revision(struct store *s, const struct revision_key *key, const struct stored_run *run,
	struct error *err)
{
	const struct run_info *info = &run->info;
	int64_t registered = info->registered_before_open, spec_id, id;
	struct strbuf document = STRBUF_INIT;
	int rc = -1;
	if (print_document(s, run->document, &document, err) ||
		find_or_insert_spec(s, run, &spec_id, err) ||
		db_run(s, err,
			"INSERT INTO revision (run_id, number, uid, verdict, judged_at_ms, version,"
			" spec_id, spec_path, spec_sha256, judged_sha256, expanded, open_ms,"
			" open_early_ms, start_ms, end_ms, window_override, commit_sha, source_url,"
			" tenant, insecure, registered_before_open, document, archive_id) VALUES"
			" (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"iittitittttIIiiitttiIti", key->run_id, (int64_t)key->number, key->uid,
			verdict_text(run->verdict), info->judged_at_ms, info->version, spec_id,
			run->spec_path, info->spec_sha256, info->judged_sha256, run->expanded,
			time_or_null(&info->window.open_ms),
			time_or_null(&info->window.open_early_ms), info->window.start_ms,
			info->window.end_ms, (int64_t)run->has_window_override, info->commit,
			info->source_url, info->tenant, (int64_t)info->insecure,
			info->known_registered ? &registered : NULL, document.at, key->archive_id))
		goto out;
	id = sqlite3_last_insert_rowid(s->db);
	if (!insert_labels(s, id, run, err) && !insert_items(s, id, run->document, err))
		rc = 0;
out:
	strbuf_release(&document);
	return rc;
}

/* Samples */

static void print_infos(struct strbuf *b, const char *const *infos)
{
	struct arena a = ARENA_INIT;
	struct tree *list = tree_array(&a);
	for (size_t i = 0; infos && infos[i]; i++)
		tree_add(list, tree_string(&a, infos[i]));
	json_add_tree(b, list, JSON_AS_ADDED);
	arena_release(&a);
}

static int insert_chunks(
	struct store *s, int64_t answer_id, struct archive *ar, size_t answer, struct error *err)
{
	const struct chunks *chunks = archive_chunks(ar, answer);
	sqlite3_stmt *st;
	if (db_query(s, &st, err, "INSERT INTO chunk (answer_id, raw_bytes, data) VALUES (?, ?, ?)",
		    "i", answer_id))
		return -1;
	int rc = 0;
	for (size_t i = 0; !rc && i < chunks->n; i++) {
		const struct chunk *c = &chunks->at[i];
		const void *data;
		rc = archive_fetch(ar, c, &data, err);
		if (rc)
			break;
		sqlite3_bind_int64(st, 2, (int64_t)c->raw);
		sqlite3_bind_blob64(st, 3, data, c->packed, SQLITE_STATIC);
		rc = db_step(s, st, err);
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
	return rc;
}

static int insert_answer(
	struct store *s, int64_t archive_id, struct archive *ar, size_t i, struct error *err)
{
	const struct answer *a = &archive_evidence(ar)->answers[i];
	struct strbuf infos = STRBUF_INIT;
	print_infos(&infos, a->infos);
	int rc = db_run(s, err,
		"INSERT INTO answer (archive_id, kind, query, from_ms, to_ms, subject, series,"
		" samples, infos, repaired) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"ittiitiiti", archive_id, a->query.kind == QUERY_RAW ? "raw" : "promql",
		a->query.text, a->query.from_ms, a->query.to_ms, a->query.subject,
		(int64_t)a->n_series, (int64_t)a->n_samples, infos.at, (int64_t)a->repaired);
	strbuf_release(&infos);
	return rc ? -1 : insert_chunks(s, sqlite3_last_insert_rowid(s->db), ar, i, err);
}

int insert_archive(
	struct store *s, int64_t run_id, struct archive *ar, int64_t *id, struct error *err)
{
	const struct evidence *e = archive_evidence(ar);
	if (db_run(s, err, "INSERT INTO archive (run_id, asked_ms, retention_ms) VALUES (?, ?, ?)",
		    "iiI", run_id, e->asked_ms, e->retention_ms < 0 ? NULL : &e->retention_ms))
		return -1;
	*id = sqlite3_last_insert_rowid(s->db);
	for (size_t i = 0; i < e->n_answers; i++)
		if (insert_answer(s, *id, ar, i, err))
			return -1;
	return 0;
}

/* A run that is judged again from its own samples keeps them once. */
static int find_or_insert_archive(
	struct store *s, int64_t run_id, struct archive *ar, int64_t *id, struct error *err)
{
	const struct chunk_source *from = archive_source(ar);
	*id = 0;
	if (from && from->owner == s &&
		db_get_int(s, id, 0, err, "SELECT id FROM archive WHERE id = ? AND run_id = ?",
			"ii", from->id, run_id))
		return -1;
	return *id ? 0 : insert_archive(s, run_id, ar, id, err);
}

/* Public */

static int save(struct store *s, struct stored_run *run, struct archive *ar, struct arena *a,
	struct error *err)
{
	struct run_info *info = &run->info;
	if (identify(s, info, err))
		return -1;
	struct revision_key key = {info->id, info->revision, new_uid(a), 0};
	struct document_identity who = {
		info->id, info->revision, info->uid, info->name, NULL, NULL, NULL};
	run->document = store_document_identify(a, run->document, &who);
	if (find_or_insert_archive(s, info->id, ar, &key.archive_id, err))
		return -1;
	return insert_revision(s, &key, run, err);
}

int store_save(struct store *s, struct stored_run *run, struct archive *ar, struct error *err)
{
	if (db_begin(s, err))
		return -1;
	struct arena a = ARENA_INIT;
	struct stored_run saved = *run; /* the caller's is untouched on failure */
	int rc = db_end(s, save(s, &saved, ar, &a, err), err);
	arena_release(&a);
	if (rc)
		return -1;
	run->info.id = saved.info.id;
	run->info.revision = saved.info.revision;
	run->info.uid = saved.info.uid;
	run->info.name = saved.info.name;
	run->info.campaign = saved.info.campaign;
	return 0;
}
