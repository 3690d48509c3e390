/* report: draws a stored run again. */
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/output.h"
#include "cli/window.h"

int cmd_report(struct options *o, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct store *store = NULL;
	struct stored_run run;
	int64_t id;
	int revision;
	bool zone;
	int rc = output_check(o, err);

	if (!rc)
		rc = zone_set(o, NULL, &zone, err);
	if (!rc)
		rc = run_open(o, o->args.at[0], &a, &store, &id, &revision, err);
	if (!rc)
		rc = store_load(store, &a, id, revision, &run, err);
	if (!rc)
		rc = output_document(o, run.document, lang_of(o, NULL),
			arena_printf(&a, "loadverdict reevaluate %lld", (long long)id), err);
	if (store)
		store_discard(store);
	arena_release(&a);
	return rc;
}
