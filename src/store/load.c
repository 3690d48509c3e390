/* Load: runs, their revisions and samples out of the database. Every text and number read may come
 * from a file made elsewhere, so what cannot be ours is refused. */
#include "store/rows.h"

#include <string.h>

/* The run as its newest revision (or revision `number`) says. */
#define REVISION_COLUMNS                                                                           \
	"r.id, r.uid, r.name, r.spec_name, r.environment, r.campaign, r.repeat, r.load_num,"       \
	" r.load_den, r.load_unit, r.symptom, r.cause, r.action, v.id, v.number, v.uid, "          \
	"v.verdict,"                                                                               \
	" v.judged_at_ms, v.version, v.spec_path, v.spec_sha256, v.judged_sha256, v.open_ms,"      \
	" v.open_early_ms, v.start_ms, v.end_ms, v.window_override, v.commit_sha, v.source_url, "  \
	"v.tenant,"                                                                                \
	" v.insecure, v.registered_before_open, v.archive_id"

enum column { /* of REVISION_COLUMNS */
	RUN_ID,
	RUN_UID,
	RUN_NAME,
	RUN_SPEC_NAME,
	RUN_ENVIRONMENT,
	RUN_CAMPAIGN,
	RUN_REPEAT,
	RUN_LOAD_NUM,
	RUN_LOAD_DEN,
	RUN_LOAD_UNIT,
	RUN_SYMPTOM,
	RUN_CAUSE,
	RUN_ACTION,
	REV_ID,
	REV_NUMBER,
	REV_UID,
	REV_VERDICT,
	REV_JUDGED_AT,
	REV_VERSION,
	REV_SPEC_PATH,
	REV_SPEC_SHA256,
	REV_JUDGED_SHA256,
	REV_OPEN,
	REV_OPEN_EARLY,
	REV_START,
	REV_END,
	REV_OVERRIDE,
	REV_COMMIT,
	REV_SOURCE_URL,
	REV_TENANT,
	REV_INSECURE,
	REV_REGISTERED,
	REV_ARCHIVE_ID
};

static void read_run(sqlite3_stmt *st, struct arena *a, struct stored_run *out)
{
	struct run_info *i = &out->info;
	i->id = sqlite3_column_int64(st, RUN_ID);
	i->uid = db_text_or_empty(a, st, RUN_UID);
	i->name = db_text(a, st, RUN_NAME);
	i->spec_name = db_text_or_empty(a, st, RUN_SPEC_NAME);
	i->environment = db_text(a, st, RUN_ENVIRONMENT);
	i->campaign = db_text(a, st, RUN_CAMPAIGN);
	i->repeat = sqlite3_column_int(st, RUN_REPEAT);
	i->load.num = sqlite3_column_int64(st, RUN_LOAD_NUM);
	i->load.den = sqlite3_column_int64(st, RUN_LOAD_DEN);
	i->has_load = !db_is_null(st, RUN_LOAD_NUM);
	i->load_unit = db_text(a, st, RUN_LOAD_UNIT);
	out->symptom = db_text(a, st, RUN_SYMPTOM);
	out->cause = db_text(a, st, RUN_CAUSE);
	out->action = db_text(a, st, RUN_ACTION);
}

static int64_t read_time(sqlite3_stmt *st, int column)
{
	return db_is_null(st, column) ? TIME_NONE : sqlite3_column_int64(st, column);
}

static void read_revision(sqlite3_stmt *st, struct arena *a, struct stored_run *out)
{
	struct run_info *i = &out->info;
	i->revision = sqlite3_column_int(st, REV_NUMBER);
	i->judged_at_ms = sqlite3_column_int64(st, REV_JUDGED_AT);
	i->version = db_text_or_empty(a, st, REV_VERSION);
	i->spec_sha256 = db_text_or_empty(a, st, REV_SPEC_SHA256);
	i->judged_sha256 = db_text_or_empty(a, st, REV_JUDGED_SHA256);
	i->window.open_ms = read_time(st, REV_OPEN);
	i->window.open_early_ms = read_time(st, REV_OPEN_EARLY);
	i->window.start_ms = sqlite3_column_int64(st, REV_START);
	i->window.end_ms = sqlite3_column_int64(st, REV_END);
	i->commit = db_text(a, st, REV_COMMIT);
	i->source_url = db_text_or_empty(a, st, REV_SOURCE_URL);
	i->tenant = db_text(a, st, REV_TENANT);
	i->insecure = sqlite3_column_int(st, REV_INSECURE);
	i->known_registered = !db_is_null(st, REV_REGISTERED);
	i->registered_before_open = sqlite3_column_int(st, REV_REGISTERED);
	out->spec_path = db_text_or_empty(a, st, REV_SPEC_PATH);
	out->has_window_override = sqlite3_column_int(st, REV_OVERRIDE);
}

enum { MAX_REVISION = 1000000 };

/* Times far beyond any calendar would overflow where they are subtracted. */
static bool time_plausible(int64_t ms)
{
	return ms == TIME_NONE || (ms > -((int64_t)1 << 53) && ms < (int64_t)1 << 53);
}

static int check_row(struct store *s, const struct stored_run *r, struct error *err)
{
	const struct run_info *i = &r->info;
	bool fine = strlen(i->uid) == 32 && strspn(i->uid, "0123456789abcdef") == 32 &&
		    i->revision > 0 && i->revision <= MAX_REVISION &&
		    (!i->has_load || i->load.den > 0) && time_plausible(i->window.open_ms) &&
		    time_plausible(i->window.open_early_ms) && time_plausible(i->window.start_ms) &&
		    time_plausible(i->window.end_ms) && time_plausible(i->judged_at_ms) &&
		    i->window.start_ms != TIME_NONE && i->window.end_ms != TIME_NONE;
	return fine ? 0 : db_corrupt(s, "a run has impossible values", err);
}

static int load_labels(struct store *s, struct arena *a, int64_t revision_id,
	struct stored_run *out, struct error *err)
{
	sqlite3_stmt *st;
	int64_t n;
	if (db_get_int(s, &n, 0, err, "SELECT count(*) FROM label WHERE revision_id = ?", "i",
		    revision_id) ||
		db_query(s, &st, err,
			"SELECT key, value FROM label WHERE revision_id = ? ORDER BY id", "i",
			revision_id))
		return -1;
	out->info.labels = arena_array(a, struct run_label, (size_t)n);
	int row = 0;
	while ((int64_t)out->info.n_labels < n && (row = db_step(s, st, err)) > 0)
		out->info.labels[out->info.n_labels++] =
			(struct run_label){db_text_or_empty(a, st, 0), db_text_or_empty(a, st, 1)};
	sqlite3_finalize(st);
	return row < 0 ? -1 : 0;
}

static int load_variables(struct store *s, struct arena *a, int64_t revision_id,
	struct stored_run *out, struct error *err)
{
	sqlite3_stmt *st;
	int64_t n;
	if (db_get_int(s, &n, 0, err, "SELECT count(*) FROM variable WHERE revision_id = ?", "i",
		    revision_id) ||
		db_query(s, &st, err,
			"SELECT name, value FROM variable WHERE revision_id = ? ORDER BY id", "i",
			revision_id))
		return -1;
	struct variable *v = arena_array(a, struct variable, (size_t)n);
	out->variables = v;
	int row = 0;
	while ((int64_t)out->n_variables < n && (row = db_step(s, st, err)) > 0)
		v[out->n_variables++] =
			(struct variable){db_text_or_empty(a, st, 0), db_text(a, st, 1)};
	sqlite3_finalize(st);
	return row < 0 ? -1 : 0;
}

/* The long texts: spec, packs, document. */
static int load_texts(struct store *s, struct arena *a, int64_t revision_id, struct stored_run *out,
	struct error *err)
{
	sqlite3_stmt *st;
	if (db_query(s, &st, err,
		    "SELECT v.expanded, spec.text, v.document FROM revision v"
		    " JOIN spec ON spec.id = v.spec_id WHERE v.id = ?",
		    "i", revision_id))
		return -1;
	int row = db_step(s, st, err);
	if (row > 0) {
		out->expanded = db_text(a, st, 0);
		const char *text = (const char *)sqlite3_column_text(st, 1);
		out->spec_len = (size_t)sqlite3_column_bytes(st, 1);
		out->spec_text = arena_strndup(a, text ? text : "", text ? out->spec_len : 0);
		const char *document = (const char *)sqlite3_column_text(st, 2);
		struct tree *parsed;
		row = store_document_parse(a, document ? document : "",
			      (size_t)sqlite3_column_bytes(st, 2), &parsed, err)
			      ? -1
			      : 1;
		if (row > 0)
			out->document = parsed;
	} else if (!row) {
		row = db_corrupt(s, "the spec of a run is missing", err);
	}
	sqlite3_finalize(st);
	return row < 0 ? -1 : 0;
}

static int unknown_revision(int64_t id, int number, struct error *err)
{
	if (number)
		return error_set(err, ERROR_USAGE, "unknown-run", "run %lld has no revision %d",
			(long long)id, number);
	return error_set(err, ERROR_USAGE, "unknown-run", "there is no run %lld", (long long)id);
}

/* One row of REVISION_COLUMNS with labels. */
static int read_row(struct store *s, struct arena *a, sqlite3_stmt *st, struct revision_row *row,
	struct stored_run *out, struct error *err)
{
	*out = (struct stored_run){0};
	read_run(st, a, out);
	read_revision(st, a, out);
	*row = (struct revision_row){sqlite3_column_int64(st, REV_ID),
		sqlite3_column_int64(st, REV_ARCHIVE_ID), db_text_or_empty(a, st, REV_UID)};
	const char *verdict = db_text(a, st, REV_VERDICT);
	if (!verdict_of_text(verdict, &out->verdict))
		return db_corrupt(s, "a verdict is none", err);
	return check_row(s, out, err) || load_labels(s, a, row->id, out, err) ? -1 : 0;
}

int load_revision(struct store *s, struct arena *a, int64_t id, int number,
	struct revision_row *row, struct stored_run *out, struct error *err)
{
	sqlite3_stmt *st;
	struct stored_run r = {0};
	*row = (struct revision_row){0};
	if (db_query(s, &st, err,
		    "SELECT " REVISION_COLUMNS " FROM run r JOIN revision v ON v.run_id = r.id"
		    " WHERE r.id = ?1 AND (?2 = 0 OR v.number = ?2) ORDER BY v.number DESC LIMIT 1",
		    "ii", id, (int64_t)number))
		return -1;
	int rc = db_step(s, st, err);
	if (!rc)
		rc = unknown_revision(id, number, err);
	else if (rc > 0)
		rc = read_row(s, a, st, row, &r, err);
	sqlite3_finalize(st);
	if (rc < 0 || load_variables(s, a, row->id, &r, err) || load_texts(s, a, row->id, &r, err))
		return -1;
	struct document_identity who = {
		r.info.id, r.info.revision, r.info.uid, r.info.name, r.symptom, r.cause, r.action};
	r.document = store_document_identify(a, r.document, &who);
	*out = r;
	return 0;
}

int store_load(struct store *s, struct arena *a, int64_t id, int revision, struct stored_run *out,
	struct error *err)
{
	struct revision_row row;
	return load_revision(s, a, id, revision, &row, out, err);
}

int store_list(struct store *s, int (*fn)(void *arg, const struct stored_run *r), void *arg,
	struct error *err)
{
	sqlite3_stmt *st;
	if (db_query(s, &st, err,
		    "SELECT " REVISION_COLUMNS " FROM run r JOIN revision v ON v.run_id = r.id"
		    " WHERE v.number = (SELECT max(number) FROM revision WHERE run_id = r.id)"
		    " ORDER BY r.id DESC",
		    ""))
		return -1;
	struct arena a = ARENA_INIT;
	int rc;
	while ((rc = db_step(s, st, err)) > 0) {
		struct revision_row row;
		struct stored_run r;
		rc = read_row(s, &a, st, &row, &r, err);
		if (rc || fn(arg, &r))
			break;
		arena_release(&a);
	}
	arena_release(&a);
	sqlite3_finalize(st);
	return rc < 0 ? -1 : 0;
}

/* Samples */

struct blob_source {
	struct store *store;
	sqlite3_blob *blob; /* opened once, moved from row to row */
};

static int fetch_blob(void *ctx, const struct chunk *chunk, void *bytes, struct error *err)
{
	struct blob_source *b = ctx;
	struct store *s = b->store;
	int rc =
		b->blob ? sqlite3_blob_reopen(b->blob, chunk->at)
			: sqlite3_blob_open(s->db, "main", "chunk", "data", chunk->at, 0, &b->blob);
	if (rc == SQLITE_OK && (size_t)sqlite3_blob_bytes(b->blob) != chunk->packed)
		return db_corrupt(s, "samples have another size than listed", err);
	if (rc == SQLITE_OK)
		rc = sqlite3_blob_read(b->blob, bytes, (int)chunk->packed, 0);
	if (rc == SQLITE_OK)
		return 0;
	db_failed(s, "reading", err);
	sqlite3_blob_close(b->blob); /* after an error it cannot be moved */
	b->blob = NULL;
	return -1;
}

static void release_blob(void *ctx)
{
	struct blob_source *b = ctx;
	sqlite3_blob_close(b->blob);
	free(b);
}

static int load_chunks(struct store *s, int64_t answer_id, struct chunks *chunks, struct error *err)
{
	sqlite3_stmt *st;
	if (db_query(s, &st, err,
		    "SELECT id, length(data), raw_bytes FROM chunk WHERE answer_id = ? ORDER BY id",
		    "i", answer_id))
		return -1;
	int row;
	while ((row = db_step(s, st, err)) > 0) {
		int64_t packed = sqlite3_column_int64(st, 1), raw = sqlite3_column_int64(st, 2);
		if (!chunk_plausible(packed, raw)) {
			row = db_corrupt(s, "samples have an impossible size", err);
			break;
		}
		*ARRAY_ADD(chunks) =
			(struct chunk){sqlite3_column_int64(st, 0), (size_t)packed, (size_t)raw};
	}
	sqlite3_finalize(st);
	return row;
}

static const char *const *read_infos(struct arena *a, const char *text)
{
	struct tree *list;
	if (store_document_parse(a, text, strlen(text), &list, NULL))
		list = NULL; /* they only explain: odd ones are left out */
	const char **infos = arena_array(a, const char *, (list ? list->n : 0) + 1);
	size_t n = 0;
	for (const struct tree *t = list ? list->first : NULL; t; t = t->next)
		if (t->type == TREE_STRING)
			infos[n++] = t->text;
	return infos;
}

static int read_answer(
	struct store *s, struct arena *a, sqlite3_stmt *st, struct archive *ar, struct error *err)
{
	struct answer answer = {
		.query = {.kind = strcmp(db_text_or_empty(a, st, 1), "raw") ? QUERY_PROMQL
									    : QUERY_RAW,
			.text = db_text_or_empty(a, st, 2),
			.from_ms = sqlite3_column_int64(st, 3),
			.to_ms = sqlite3_column_int64(st, 4),
			.subject = db_text(a, st, 5)},
		.n_series = (size_t)sqlite3_column_int64(st, 6),
		.n_samples = (size_t)sqlite3_column_int64(st, 7),
		.infos = read_infos(a, db_text_or_empty(a, st, 8)),
		.repaired = sqlite3_column_int(st, 9),
	};
	struct chunks chunks = {0};
	if (load_chunks(s, sqlite3_column_int64(st, 0), &chunks, err)) {
		ARRAY_RELEASE(&chunks);
		return -1;
	}
	archive_add_answer(ar, &answer, &chunks);
	return 0;
}

static int load_answers(struct store *s, int64_t archive_id, struct archive *ar, struct error *err)
{
	sqlite3_stmt *st;
	if (db_query(s, &st, err,
		    "SELECT id, kind, query, from_ms, to_ms, subject, series, samples, infos, "
		    "repaired"
		    " FROM answer WHERE archive_id = ? ORDER BY id",
		    "i", archive_id))
		return -1;
	struct arena a = ARENA_INIT;
	int row;
	while ((row = db_step(s, st, err)) > 0) {
		row = read_answer(s, &a, st, ar, err);
		arena_release(&a);
		if (row)
			break;
	}
	arena_release(&a);
	sqlite3_finalize(st);
	return row;
}

int load_archive(struct store *s, int64_t archive_id, struct archive **out, struct error *err)
{
	struct blob_source *from = xmalloc(sizeof *from);
	*from = (struct blob_source){s, NULL};
	struct archive *ar = archive_new_over(
		(struct chunk_source){fetch_blob, release_blob, from, archive_id, s});
	sqlite3_stmt *st;
	int row = db_query(s, &st, err, "SELECT asked_ms, retention_ms FROM archive WHERE id = ?",
		"i", archive_id);
	if (!row) {
		row = db_step(s, st, err);
		if (row > 0)
			archive_set_asked(ar, sqlite3_column_int64(st, 0),
				db_is_null(st, 1) ? -1 : sqlite3_column_int64(st, 1));
		else if (!row)
			row = db_corrupt(s, "the samples of a run are missing", err);
		sqlite3_finalize(st);
	}
	if (row < 0 || load_answers(s, archive_id, ar, err)) {
		archive_free(ar);
		return -1;
	}
	*out = ar;
	return 0;
}

int store_archive(
	struct store *s, int64_t id, int revision, struct archive **out, struct error *err)
{
	int64_t archive_id;
	if (db_get_int(s, &archive_id, 0, err,
		    "SELECT archive_id FROM revision WHERE run_id = ?1 AND (?2 = 0 OR number = ?2)"
		    " ORDER BY number DESC LIMIT 1",
		    "ii", id, (int64_t)revision))
		return -1;
	if (!archive_id)
		return unknown_revision(id, revision, err);
	return load_archive(s, archive_id, out, err);
}
