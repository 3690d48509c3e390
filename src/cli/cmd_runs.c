/* runs: what the store holds: list, show, note, remove, export, import. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/output.h"
#include "cli/window.h"
#include "judge/judge.h"
#include "report/report.h"

struct listing {
	struct strbuf *out;
	struct arena arena;
	struct tree *json; /* NULL for text */
	enum lang lang;
	size_t n;
};

static const char *load_text(struct arena *a, const struct run_info *info)
{
	struct strbuf b = STRBUF_INIT;

	if (!info->has_load)
		return "-";
	decimal_format(&b, info->load);
	const char *s = arena_printf(a, "%s%s%s", b.at, info->load_unit ? " " : "",
		info->load_unit ? info->load_unit : "");
	strbuf_release(&b);
	return s;
}

static const char *time_text(struct arena *a, const struct window *w, bool local)
{
	struct strbuf b = STRBUF_INIT;
	int64_t ms = w->open_ms != TIME_NONE ? w->open_ms : w->start_ms;

	if (local)
		timestamp_format_local(&b, ms);
	else
		timestamp_format_utc(&b, ms);
	const char *s = arena_strndup(a, b.at, b.n);
	strbuf_release(&b);
	return s;
}

/* Text from specs and options is hostile to a terminal: control characters become '?'. */
static void add_cell(struct strbuf *out, const char *text, size_t width)
{
	struct strbuf clean = STRBUF_INIT;

	for (const char *c = text; *c; c++) {
		bool control = (unsigned char)*c < 0x20 || *c == 0x7f;
		char shown = *c;
		if (control)
			shown = '?';
		strbuf_addc(&clean, shown);
	}
	strbuf_adds(out, clean.at);
	for (size_t w = utf8_width(clean.at); w < width; w++)
		strbuf_addc(out, ' ');
	strbuf_adds(out, "  ");
	strbuf_release(&clean);
}

static void add_row(struct listing *l, const struct stored_run *r)
{
	char id[32];

	if (!l->n++) {
		static const char *const keys[] = {"runs.id", "runs.verdict", "runs.spec",
			"runs.environment", "runs.load", "runs.opening", "runs.name"};
		static const size_t widths[] = {6, 14, 24, 8, 14, 26, 0};
		for (size_t i = 0; i < 7; i++)
			add_cell(l->out, catalogue_text(l->lang, keys[i]), widths[i]);
		strbuf_addc(l->out, '\n');
	}
	if (r->info.revision > 1)
		snprintf(id, sizeof id, "%lld.%d", (long long)r->info.id, r->info.revision);
	else
		snprintf(id, sizeof id, "%lld", (long long)r->info.id);
	add_cell(l->out, id, 6);
	add_cell(l->out, run_verdict_name(r->verdict), 14);
	add_cell(l->out, r->info.spec_name, 24);
	add_cell(l->out, r->info.environment ? r->info.environment : "-", 8);
	add_cell(l->out, load_text(&l->arena, &r->info), 14);
	add_cell(l->out, time_text(&l->arena, &r->info.window, true), 26);
	add_cell(l->out, r->info.name ? r->info.name : "", 0);
	while (l->out->n && l->out->at[l->out->n - 1] == ' ')
		l->out->at[--l->out->n] = 0;
	strbuf_addc(l->out, '\n');
}

static void add_object(struct listing *l, const struct stored_run *r)
{
	struct arena *a = &l->arena;
	struct tree *o = tree_add(l->json, tree_object(a));
	struct strbuf load = STRBUF_INIT;

	l->n++;
	tree_set(a, o, "id", tree_int(a, r->info.id));
	tree_set(a, o, "revision", tree_int(a, r->info.revision));
	tree_set(a, o, "uid", tree_string(a, r->info.uid));
	tree_set(a, o, "verdict", tree_string(a, run_verdict_name(r->verdict)));
	tree_set(a, o, "spec", tree_string(a, r->info.spec_name));
	tree_set(a, o, "environment", tree_string(a, r->info.environment));
	tree_set(a, o, "name", tree_string(a, r->info.name));
	tree_set(a, o, "campaign", tree_string(a, r->info.campaign));
	tree_set(a, o, "repeat", tree_int(a, r->info.repeat));
	if (r->info.has_load)
		decimal_format(&load, r->info.load);
	tree_set(a, o, "load", r->info.has_load ? tree_number(a, load.at) : tree_null(a));
	tree_set(a, o, "load_unit", tree_string(a, r->info.load_unit));
	tree_set(a, o, "open",
		r->info.window.open_ms != TIME_NONE
			? tree_string(a, time_text(a, &r->info.window, false))
			: tree_null(a));
	strbuf_release(&load);
}

static int list_one(void *arg, const struct stored_run *r)
{
	struct listing *l = arg;

	if (l->json)
		add_object(l, r);
	else
		add_row(l, r);
	return 0;
}

static int open_store(struct options *o, enum store_mode mode, struct arena *a, struct store **s,
	struct error *err)
{
	const char *path = db_path(o, a, err);

	return path ? store_open(path, mode, s, err) : -1;
}

static int runs_list(struct options *o, struct error *err)
{
	struct strbuf out = STRBUF_INIT;
	struct listing l = {.out = &out, .lang = o->lang};
	struct store *s = NULL;
	bool json = o->formats.n && o->formats.at[0] == FORMAT_JSON;
	int rc = open_store(o, STORE_READ, &l.arena, &s, err);

	if (json)
		l.json = tree_array(&l.arena);
	if (!rc)
		rc = store_list(s, list_one, &l, err);
	if (!rc && json) {
		json_add_tree(&out, l.json, JSON_AS_ADDED);
		if (out.n && out.at[out.n - 1] != '\n')
			strbuf_addc(&out, '\n');
	} else if (!rc && !l.n) {
		strbuf_addf(&out, "%s\n", catalogue_text(o->lang, "runs.none"));
	}
	if (!rc)
		rc = output_text(o, &out, err);
	if (s)
		store_discard(s);
	strbuf_release(&out);
	arena_release(&l.arena);
	return rc;
}

/* note and remove: the run must be in the store that is written */
static int with_run(struct options *o, struct error *err,
	int (*fn)(struct options *o, struct store *s, int64_t id, struct error *err))
{
	struct arena a = ARENA_INIT;
	struct store *s = NULL;
	int64_t id;
	int revision;
	int rc = open_store(o, STORE_WRITE, &a, &s, err);

	if (!rc)
		rc = store_find(s, o->args.at[1], NULL, o->environment, &id, &revision, err);
	if (!rc)
		rc = fn(o, s, id, err);
	if (s)
		store_discard(s);
	arena_release(&a);
	return rc;
}

static int note_run(struct options *o, struct store *s, int64_t id, struct error *err)
{
	if (!o->symptom && !o->cause && !o->action)
		return error_set(err, ERROR_USAGE, "usage",
			"runs note: give --symptom, --cause or --action");
	return store_note(s, id, o->symptom, o->cause, o->action, err);
}

static int remove_run(struct options *o, struct store *s, int64_t id, struct error *err)
{
	if (store_remove(s, id, err))
		return -1;
	if (!o->quiet)
		fprintf(stderr, "removed run %lld\n", (long long)id);
	return 0;
}

static int runs_export(struct options *o, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct store *from = NULL, *to = NULL;
	int64_t id, there;
	int revision;
	bool was;

	if (!o->output)
		return error_set(
			err, ERROR_USAGE, "usage", "runs export: give the file with -o FILE");
	int rc = run_open(o, o->args.at[1], &a, &from, &id, &revision, err);
	if (!rc)
		rc = store_open(o->output, STORE_BUNDLE, &to, err);
	if (!rc) {
		rc = store_copy(from, id, to, &there, &was, err);
		if (rc)
			store_discard(to);
		else
			rc = store_close(to, err);
	}
	if (from)
		store_discard(from);
	arena_release(&a);
	return rc;
}

struct importing {
	struct store *from, *to;
	struct error *err;
	bool quiet, failed;
};

static int import_one(void *arg, const struct stored_run *r)
{
	struct importing *i = arg;
	int64_t id;
	bool was;

	if (store_copy(i->from, r->info.id, i->to, &id, &was, i->err)) {
		i->failed = true;
		return 1;
	}
	if (!i->quiet)
		fprintf(stderr, "%s run %lld\n", was ? "already here:" : "imported as",
			(long long)id);
	return 0;
}

static int runs_import(struct options *o, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct importing i = {.err = err, .quiet = o->quiet};
	int rc = 0;

	for (size_t k = 1; k < o->args.n && !rc; k++) {
		if (access(o->args.at[k], R_OK))
			rc = error_set(err, ERROR_STORE, "store-failed", "cannot read '%s': %s",
				o->args.at[k], strerror(errno));
		else if (!store_is_bundle(o->args.at[k]))
			rc = error_set(err, ERROR_STORE, "store-corrupt",
				"'%s' is not a file written by --bundle or runs export",
				o->args.at[k]);
	}
	if (!rc)
		rc = open_store(o, STORE_WRITE, &a, &i.to, err);
	for (size_t k = 1; k < o->args.n && !rc; k++) {
		rc = store_open(o->args.at[k], STORE_READ, &i.from, err);
		if (!rc)
			rc = store_list(i.from, import_one, &i, err);
		if (i.failed)
			rc = -1;
		if (i.from)
			store_discard(i.from);
		i.from = NULL;
	}
	if (i.to)
		store_discard(i.to);
	arena_release(&a);
	return rc;
}

static int runs_show(struct options *o, struct error *err)
{
	/* the same as report, under the name that people look for */
	o->args.at[0] = o->args.at[1];
	o->args.n = 1;
	return cmd_report(o, err);
}

static int need_args(const struct options *o, size_t n, struct error *err)
{
	if (o->args.n == n)
		return 0;
	return error_set(err, ERROR_USAGE, "usage", "runs %s: name %s", o->args.at[0],
		n == 2 ? "one run" : "nothing else");
}

int cmd_runs(struct options *o, struct error *err)
{
	const char *what = o->args.n ? o->args.at[0] : "list";
	bool zone;

	if (zone_set(o, NULL, &zone, err))
		return -1;
	if (!strcmp(what, "list"))
		return o->args.n > 1 ? need_args(o, 1, err) : runs_list(o, err);
	if (!strcmp(what, "import")) {
		if (o->args.n < 2)
			return error_set(err, ERROR_USAGE, "usage", "runs import: name a file");
		return runs_import(o, err);
	}
	static const char *const with_one[] = {"show", "note", "remove", "export"};
	for (size_t i = 0; i < 4; i++) {
		if (strcmp(what, with_one[i]))
			continue;
		if (need_args(o, 2, err))
			return -1;
		return i == 0	? runs_show(o, err)
		       : i == 1 ? with_run(o, err, note_run)
		       : i == 2 ? with_run(o, err, remove_run)
				: runs_export(o, err);
	}
	return error_set(err, ERROR_USAGE, "usage",
		"runs %s: unknown; it takes list, show, note, remove, export or import", what);
}
