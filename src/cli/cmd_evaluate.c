/* evaluate: the main job: window, fetch, judge, store, report. */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/fetch.h"
#include "cli/output.h"
#include "cli/window.h"

struct evaluation {
	struct options *o;
	struct loaded spec;
	struct progress progress;
	struct source *source;
	struct store *store;
	struct archive *archive;
	struct result result;
	bool has_result;
	struct window window;
	struct stored_run run;
	struct arena arena;
};

static int check_usage(const struct options *o, struct error *err)
{
	bool span = o->start || o->end;

	if (!o->open && !span)
		return error_set(err, ERROR_USAGE, "usage",
			"when was the opening? Give --open TIME (RFC 3339, Unix seconds, now-6m, "
			"@FILE, "
			"auto), or --start and --end");
	if (o->open && span)
		return error_set(
			err, ERROR_USAGE, "usage", "--open does not go with --start and --end");
	if (span && !(o->start && o->end))
		return error_set(err, ERROR_USAGE, "usage", "--start and --end go together");
	if (span && (o->has_before || o->has_after))
		return error_set(err, ERROR_USAGE, "usage", "--before and --after go with --open");
	return output_check(o, err);
}

static int find_window(struct evaluation *e, struct error *err)
{
	bool zone;
	int64_t now = clock_ms(), open = TIME_NONE, early = TIME_NONE;

	if (zone_set(e->o, &e->spec.spec, &zone, err))
		return -1;
	if (e->o->open && !strcmp(e->o->open, "auto")) {
		if (!e->spec.spec.has_open)
			return error_set(err, ERROR_USAGE, "usage",
				"--open auto needs `open: { when: SELECTOR, becomes: VALUE }` in "
				"the "
				"spec");
		if (window_find_open(e->source, &e->spec.spec, now, &open, &early, err))
			return -1;
	} else if (e->o->open && time_read("open", e->o->open, zone, now, &open, err)) {
		return -1;
	}
	if (window_make(e->o, &e->spec.spec, zone, now, open, &e->window, err))
		return -1;
	e->window.open_early_ms = early;
	return window_wait(&e->window, e->o->wait, &e->progress, err);
}

static const char *new_uid(struct arena *a)
{
	unsigned char bytes[16];
	char *text = arena_alloc(a, 33);

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		error_out_of_memory();
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return text;
}

static void fill_run(struct evaluation *e)
{
	const struct spec *s = &e->spec.spec;
	const struct options *o = e->o;

	e->run = (struct stored_run){
		.info =
			{
				.uid = new_uid(&e->arena),
				.name = o->name,
				.spec_name = s->name,
				.spec_sha256 = s->sha256,
				.judged_sha256 = s->judged_sha256,
				.environment = s->environment,
				.campaign = o->campaign,
				.commit = o->commit ? o->commit : ci_commit(),
				.repeat = o->repeat ? o->repeat : 1,
				.has_load = o->has_load,
				.load = o->load,
				.load_unit = s->load_unit,
				.window = e->window,
				.labels = o->labels.at,
				.n_labels = o->labels.n,
				.source_url = source_public_url(&e->arena, s->source.url),
				.tenant = s->source.tenant && *s->source.tenant ? s->source.tenant
										: NULL,
				.insecure = s->source.insecure_skip_verify,
				.version = LV_VERSION,
				.judged_at_ms = clock_ms(),
			},
		.verdict = e->result.verdict,
		.spec_path = s->path,
		.spec_text = s->source_text,
		.spec_len = s->source_len,
		.expanded = s->expanded,
		.variables = s->variables,
		.n_variables = s->n_variables,
		.has_window_override = o->has_before || o->has_after || o->start,
	};
}

static int fetch(struct evaluation *e, struct error *err)
{
	struct fetch f = {.spec = &e->spec.spec,
		.window = e->window,
		.has_load = e->o->has_load,
		.load = e->o->load,
		.settle_ms = e->o->has_settle ? e->o->settle_ms : 60000,
		.source = e->source,
		.rx = e->spec.rx,
		.progress = &e->progress};

	if (fetch_and_judge(&f, &e->arena, &e->archive, &e->result, err))
		return -1;
	e->has_result = true;
	return 0;
}

static int save_bundle(struct evaluation *e, struct error *err)
{
	struct store *to;
	int64_t id;
	bool there;

	if (store_open(e->o->bundle, STORE_BUNDLE, &to, err))
		return -1;
	if (store_copy(e->store, e->run.info.id, to, &id, &there, err)) {
		store_discard(to);
		return -1;
	}
	return store_close(to, err);
}

static int keep_and_show(struct evaluation *e, struct error *err)
{
	const struct spec *s = &e->spec.spec;

	fill_run(e);
	e->run.document = report_model(&e->arena, s, &e->result, &e->run.info);
	if (store_save(e->store, &e->run, e->archive, err))
		return -1;
	if (e->o->bundle && save_bundle(e, err))
		return error_wrap(err, "writing the bundle '%s'", e->o->bundle);
	/* once more: the store gave the run its number */
	const struct tree *model = report_model(&e->arena, s, &e->result, &e->run.info);
	const char *command =
		arena_printf(&e->arena, "loadverdict reevaluate %lld", (long long)e->run.info.id);
	return output_document(e->o, model, lang_of(e->o, s->lang), command, err);
}

static int evaluate(struct evaluation *e, struct error *err)
{
	struct source_progress progress = progress_for_source(&e->progress);
	const char *db = db_path(e->o, &e->arena, err);

	if (!db ||
		source_open(
			&e->spec.spec.source, &source_limits_default, &progress, &e->source, err) ||
		find_window(e, err))
		return -1;
	/* opened before anything is asked: a store that cannot be written should not cost a fetch
	 */
	if (store_open(db, STORE_WRITE, &e->store, err) || fetch(e, err) || keep_and_show(e, err))
		return -1;
	return verdict_exit(e->result.verdict);
}

static void release(struct evaluation *e)
{
	if (e->has_result)
		result_release(&e->result);
	archive_free(e->archive);
	if (e->source)
		source_close(e->source);
	if (e->store)
		store_discard(e->store);
	spec_close(&e->spec);
	arena_release(&e->arena);
}

int cmd_evaluate(struct options *o, struct error *err)
{
	struct evaluation e = {.o = o};
	int rc;

	if (check_usage(o, err))
		return -1;
	progress_init(&e.progress, o);
	if (spec_open(o->args.at[0], o, &e.spec, err))
		return -1;
	if (!o->has_lang && e.spec.spec.lang) {
		o->lang = lang_of(o, e.spec.spec.lang);
		o->has_lang = true;
	}
	rc = evaluate(&e, err);
	release(&e);
	return rc;
}
