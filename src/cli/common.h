/* Common: what several commands do in the same way. */
#ifndef LV_CLI_COMMON_H
#define LV_CLI_COMMON_H

#include "cli/options.h"
#include "judge/spec.h"
#include "store/store.h"

/* A loaded spec with what it needs to live. */
struct loaded {
	struct arena arena;
	struct spec spec;
	struct regex_compiler *rx;
};

/* Loads a spec from a file with the process's environment. Problems go to stderr, all of them, one
 * a line; then ERROR_USAGE "bad-spec" with the first. --url replaces the spec's. */
int spec_open(const char *path, const struct options *o, struct loaded *out,
	struct error *err) LV_CHECKED;
/* ERROR_USAGE if neither the spec nor --url names a server. */
int source_known(const struct spec *s, struct error *err) LV_CHECKED;
/* A stored run's spec, with its stored variables. */
int spec_reopen(const struct stored_run *run, const struct options *o, struct loaded *out,
	struct error *err) LV_CHECKED;
void spec_close(struct loaded *l);

/* --lang, else the spec's report.lang, else English */
enum lang lang_of(const struct options *o, const char *spec_lang);

/* --db, $LOADVERDICT_DB, $XDG_DATA_HOME/loadverdict/runs.db, ~/.local/share/... */
const char *db_path(const struct options *o, struct arena *a, struct error *err);

/* The commit under test, from the CI's environment; NULL outside of one. */
const char *ci_commit(void);

/* RUN: an id, a name, a selector, or a bundle file. Opens the store that holds it. */
int run_open(const struct options *o, const char *run, struct arena *a, struct store **store,
	int64_t *id, int *revision, struct error *err) LV_CHECKED;

#endif
