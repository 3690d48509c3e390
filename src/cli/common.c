/* Common: specs, stores and runs as commands take them. */
#include "cli/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spec/load.h"

static const char *from_process(void *ctx, const char *name)
{
	(void)ctx;
	return getenv(name);
}

static int say_problems(const char *path, const struct problems *p, struct error *err)
{
	for (size_t i = 0; i < p->n; i++) {
		if (p->at[i].line)
			fprintf(stderr, "%s:%d:%d: %s\n", path, p->at[i].line, p->at[i].column,
				p->at[i].text);
		else
			fprintf(stderr, "%s: %s\n", path, p->at[i].text);
	}
	const struct problem *first = &p->at[0];
	return error_set(err, ERROR_USAGE, "bad-spec",
		"the spec has %zu problem%s; first: %s:%d:%d: %s", p->n, p->n == 1 ? "" : "s", path,
		first->line, first->column, first->text);
}

static int finish(struct loaded *l, const char *path, const struct options *o, struct problems *p,
	int rc, struct error *err)
{
	if (!rc && p->n)
		rc = say_problems(path, p, err);
	free(p->at);
	if (rc) {
		spec_close(l);
		return -1;
	}
	if (o->url)
		l->spec.source.url = o->url;
	return 0;
}

int source_known(const struct spec *s, struct error *err)
{
	if (s->source.url)
		return 0;
	return error_set(err, ERROR_USAGE, "usage",
		"which server? Give --url URL, or `source: { url: URL }` in the spec");
}

int spec_open(const char *path, const struct options *o, struct loaded *out, struct error *err)
{
	struct problems problems = {0};

	*out = (struct loaded){.rx = regex_compiler_new()};
	struct spec_options so = {.environment = o->environment,
		.vars = o->vars.at,
		.n_vars = o->vars.n,
		.getenv = from_process,
		.url = o->url,
		.rx = out->rx};
	int rc = spec_load_file(&out->arena, path, &so, &out->spec, &problems, err);
	return finish(out, path, o, &problems, rc, err);
}

static const char *from_run(void *ctx, const char *name)
{
	const struct stored_run *run = *(const struct stored_run **)ctx;

	for (size_t i = 0; i < run->n_variables; i++)
		if (!strcmp(run->variables[i].name, name))
			/* a secret's value is not stored; nothing is asked of a server any more */
			return run->variables[i].value ? run->variables[i].value : "secret";
	return NULL;
}

int spec_reopen(const struct stored_run *run, const struct options *o, struct loaded *out,
	struct error *err)
{
	struct problems problems = {0};

	*out = (struct loaded){.rx = regex_compiler_new()};
	const char **vars = arena_array(&out->arena, const char *, run->n_variables + 1);
	for (size_t i = 0; i < run->n_variables; i++)
		vars[i] = arena_printf(&out->arena, "%s=%s", run->variables[i].name,
			run->variables[i].value ? run->variables[i].value : "secret");
	struct spec_options so = {.environment = run->info.environment,
		.vars = vars,
		.n_vars = run->n_variables,
		.getenv = from_run,
		.getenv_ctx = &run,
		.rx = out->rx,
		.expanded = run->expanded};
	const char *path = run->spec_path ? run->spec_path : "stored spec";
	spec_load_text(
		&out->arena, path, run->spec_text, run->spec_len, &so, &out->spec, &problems);
	return finish(out, path, o, &problems, 0, err);
}

void spec_close(struct loaded *l)
{
	regex_compiler_free(l->rx);
	arena_release(&l->arena);
	l->rx = NULL;
}

enum lang lang_of(const struct options *o, const char *spec_lang)
{
	if (o->has_lang)
		return o->lang;
	return spec_lang && !strcmp(spec_lang, "ko") ? LANG_KO : LANG_EN;
}

const char *db_path(const struct options *o, struct arena *a, struct error *err)
{
	const char *env = getenv("LOADVERDICT_DB"), *data = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");

	if (o->db)
		return o->db;
	if (env && *env)
		return env;
	if (data && *data == '/')
		return arena_printf(a, "%s/loadverdict/runs.db", data);
	if (home && *home)
		return arena_printf(a, "%s/.local/share/loadverdict/runs.db", home);
	error_set(err, ERROR_STORE, "store-failed",
		"no place for the store: neither --db, LOADVERDICT_DB, XDG_DATA_HOME nor HOME is "
		"set");
	return NULL;
}

const char *ci_commit(void)
{
	static const char *const names[] = {"GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT",
		"BUILDKITE_COMMIT", "CIRCLE_SHA1", "BITBUCKET_COMMIT", "BUILD_SOURCEVERSION",
		"TRAVIS_COMMIT"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *v = getenv(names[i]);
		if (v && *v)
			return v;
	}
	return NULL;
}

int run_open(const struct options *o, const char *run, struct arena *a, struct store **store,
	int64_t *id, int *revision, struct error *err)
{
	bool bundle = !access(run, F_OK) && store_is_bundle(run);
	const char *path = bundle ? run : db_path(o, a, err);

	if (!path)
		return -1;
	if (!bundle && access(path, F_OK))
		return error_set(err, ERROR_USAGE, "unknown-run",
			"there is no store at '%s' yet: evaluate a run first, or name another with "
			"--db",
			path);
	if (store_open(path, STORE_READ, store, err))
		return -1;
	if (store_find(*store, bundle ? "last" : run, NULL, o->environment, id, revision, err)) {
		store_discard(*store);
		*store = NULL;
		return -1;
	}
	return 0;
}
