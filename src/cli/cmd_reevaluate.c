/* reevaluate: judges a stored run again from its archive; no server is asked. */
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/fetch.h"
#include "cli/output.h"
#include "cli/window.h"

struct again {
	struct options *o;
	struct arena arena;
	struct store *from, *to; /* holds the run */
	struct stored_run run;
	struct loaded spec;
	bool has_spec;
	struct archive *archive;
	struct result result;
	bool has_result;
};

static int judge_again(struct again *g, struct error *err)
{
	struct progress p;
	struct run_info *info = &g->run.info;

	progress_init(&p, g->o);
	struct fetch f = {.spec = &g->spec.spec,
		.window = info->window,
		.has_load = info->has_load,
		.load = info->load,
		.rx = g->spec.rx,
		.progress = &p};
	if (fetch_and_judge(&f, &g->arena, &g->archive, &g->result, err))
		return -1;
	g->has_result = true;
	info->spec_name = g->spec.spec.name;
	info->spec_sha256 = g->spec.spec.sha256;
	info->judged_sha256 = g->spec.spec.judged_sha256;
	info->load_unit = g->spec.spec.load_unit;
	info->version = LV_VERSION;
	info->judged_at_ms = clock_ms();
	g->run.verdict = g->result.verdict;
	return 0;
}

static void take_spec(struct again *g)
{
	const struct spec *s = &g->spec.spec;

	g->run.spec_path = s->path;
	g->run.spec_text = s->source_text;
	g->run.spec_len = s->source_len;
	g->run.expanded = s->expanded;
	g->run.variables = s->variables;
	g->run.n_variables = s->n_variables;
}

/* A new revision, where the run lives: a bundle is judged without being changed. */
static int save(struct again *g, bool in_bundle, struct error *err)
{
	g->run.document = report_model(&g->arena, &g->spec.spec, &g->result, &g->run.info);
	if (in_bundle)
		return 0;
	const char *path = db_path(g->o, &g->arena, err);
	if (!path || store_open(path, STORE_WRITE, &g->to, err))
		return -1;
	int rc = store_save(g->to, &g->run, g->archive, err);
	if (!rc)
		g->run.document = report_model(&g->arena, &g->spec.spec, &g->result, &g->run.info);
	return rc;
}

static int reevaluate(struct again *g, struct error *err)
{
	const char *name = g->o->args.at[0];
	bool in_bundle = !access(name, F_OK) && store_is_bundle(name), zone;
	int64_t id;
	int revision;

	if (run_open(g->o, name, &g->arena, &g->from, &id, &revision, err) ||
		store_load(g->from, &g->arena, id, revision, &g->run, err) ||
		store_archive(g->from, id, revision, &g->archive, err))
		return -1;
	int rc = g->o->args.n > 1 ? spec_open(g->o->args.at[1], g->o, &g->spec, err)
				  : spec_reopen(&g->run, g->o, &g->spec, err);
	if (rc)
		return -1;
	g->has_spec = true;
	if (zone_set(g->o, &g->spec.spec, &zone, err) || judge_again(g, err))
		return -1;
	take_spec(g);
	if (save(g, in_bundle, err) ||
		output_document(g->o, g->run.document, lang_of(g->o, g->spec.spec.lang),
			arena_printf(&g->arena, "loadverdict reevaluate %s", name), err))
		return -1;
	return verdict_exit(g->result.verdict);
}

int cmd_reevaluate(struct options *o, struct error *err)
{
	struct again g = {.o = o};
	int rc = output_check(o, err);

	if (!rc)
		rc = reevaluate(&g, err);
	if (g.has_result)
		result_release(&g.result);
	archive_free(g.archive);
	/* what was saved and loaded points into the stores until the end */
	store_discard(g.to);
	store_discard(g.from);
	if (g.has_spec)
		spec_close(&g.spec);
	arena_release(&g.arena);
	return rc;
}
