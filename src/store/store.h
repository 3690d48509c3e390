/* Store: one SQLite file with runs: whole or not at all. */
#ifndef LV_STORE_STORE_H
#define LV_STORE_STORE_H

#include "base/tree.h"
#include "judge/result.h"
#include "judge/spec.h"
#include "store/archive.h"

struct store;

enum store_mode {
	STORE_READ,  /* must exist */
	STORE_WRITE, /* created (with its directory) when missing, migrated when older */
	STORE_BUNDLE /* a new one-run file: written beside and renamed by store_close; no WAL */
};

/* Errors: ERROR_STORE "store-failed" | "store-locked" | "store-corrupt" | "store-too-new". */
int store_open(
	const char *path, enum store_mode mode, struct store **out, struct error *err) LV_CHECKED;
/* For bundles -1 if the file could not be put in place; otherwise 0. Frees in any case. */
int store_close(struct store *s, struct error *err) LV_CHECKED;
void store_discard(struct store *s); /* closes without putting a bundle in place */

/* Everything that is kept of a run. */
struct stored_run {
	struct run_info info;
	enum run_verdict verdict;
	const struct tree *document; /* the report model (loadverdict.run/1) */
	const char *spec_path;
	const char *spec_text;
	size_t spec_len;
	const char *expanded; /* NULL */
	const struct variable *variables;
	size_t n_variables;
	bool has_window_override; /* the window as judged stands in info.window anyway */
	const char *symptom, *cause, *action; /* `runs note`; NULL */
};

/* Stores run and archive in one transaction. Fills run->info.id, .revision, .uid, and .name and
 * .campaign where the run had them already; these texts live as long as the store is open. A run
 * whose info.uid is there, or else the same run (spec name, environment, load, repeat, opening or
 * start and end), becomes a new revision. A name that another run has: ERROR_USAGE "name-taken";
 * one that no run can have: "usage". The document is kept as given, with id, revision, uid and name
 * set in its `run`. An archive that came from store_archive of the same run is not stored twice. */
int store_save(
	struct store *s, struct stored_run *run, struct archive *ar, struct error *err) LV_CHECKED;

/* RUN of the command line within this store: "7", "7.2", a name, "last", "last~1",
 * "last:spec=S,env=E,load=N,label.K=V,verdict=PASS". Bare `last` is narrowed to spec and
 * environment if given. ERROR_USAGE "unknown-run" that lists near names. */
int store_find(struct store *s, const char *run, const char *spec_name, const char *environment,
	int64_t *id, int *revision, struct error *err) LV_CHECKED;

/* revision 0 = the newest */
int store_load(struct store *s, struct arena *a, int64_t id, int revision, struct stored_run *out,
	struct error *err) LV_CHECKED;
/* The run's samples as evidence, read-only; the caller's to free, before the store is closed. */
int store_archive(struct store *s, int64_t id, int revision, struct archive **out,
	struct error *err) LV_CHECKED;

/* Newest first. */
int store_list(struct store *s, int (*fn)(void *arg, const struct stored_run *r), void *arg,
	struct error *err) LV_CHECKED; /* document is NULL in the rows given to fn */
int store_note(struct store *s, int64_t id, const char *symptom, const char *cause,
	const char *action, struct error *err) LV_CHECKED; /* NULL leaves one as it is */
int store_remove(struct store *s, int64_t id, struct error *err) LV_CHECKED;
/* Copies run `id` with all its revisions into `to`; idempotent by uid. *new_id: its id there.
 * *was_there: `to` had every revision of it already and nothing was added. Where another run has
 * its name, the copy is named NAME-UID (8 digits). Notes are copied with a run that is new there.
 */
int store_copy(struct store *from, int64_t id, struct store *to, int64_t *new_id, bool *was_there,
	struct error *err) LV_CHECKED;
bool store_is_bundle(const char *path); /* an existing SQLite file of ours (by application_id) */

#endif
