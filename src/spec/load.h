/* Loading a spec: YAML file -> struct spec, or all problems at once as file:line:col: message. */
#ifndef LV_SPEC_LOAD_H
#define LV_SPEC_LOAD_H

#include "base/array.h"
#include "judge/spec.h"

struct spec_options {
	const char *environment; /* --env; NULL */
	const char *const *vars; /* --var NAME=VALUE */
	size_t n_vars;
	/* looks a name up in the process environment; NULL result = undefined. For reevaluate: the
	 * stored variables. */
	const char *(*getenv)(void *ctx, const char *name);
	void *getenv_ctx;
	const char *url; /* --url: stands for the spec's before variables are filled; NULL */
	struct regex_compiler *rx;
	/* spec->expanded of a stored run: `use` is taken from it and no pack is read; NULL */
	const char *expanded;
};

struct problem {
	int line, column; /* from 1; 0 = the whole file */
	const char *text; /* what is wrong and what to do */
};

struct problems {
	struct problem *at; /* malloc'd; texts in the arena */
	size_t n, cap;
};

/* Reads `path` ("-" = stdin). -1 with err only if the file cannot be read (ERROR_USAGE "bad-spec").
 * Otherwise 0; the spec is usable only if problems->n == 0. */
int spec_load_file(struct arena *a, const char *path, const struct spec_options *o,
	struct spec *out, struct problems *problems, struct error *err) LV_CHECKED;
/* The same from memory; `path` is for messages and for relative pack files. */
void spec_load_text(struct arena *a, const char *path, const char *text, size_t n,
	const struct spec_options *o, struct spec *out, struct problems *problems);

/* pcre2, anchored, with match limits; release when the specs that use it are gone */
struct regex_compiler *regex_compiler_new(void);
void regex_compiler_free(struct regex_compiler *rx);

#endif
