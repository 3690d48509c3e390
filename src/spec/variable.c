/* Variables: where their values come from, which are secrets, and which were used.
 * A variable that goes into a url's userinfo, headers, auth or tls is a secret: its value is in no
 * message and is never handed on to be stored. */
#include <stdlib.h>
#include <string.h>

#include "spec/check.h"
#include "spec/fill.h"
#include "spec/scalar.h"
#include "spec/scalar_ref.h"
#include "spec/variable.h"

struct used {
	const char *name, *value;
	bool in_spec; /* the value stands in the spec */
	bool secret;
	const struct node *first;
};

struct public_use {
	size_t used;
	struct node *node;
};

struct filling {
	struct loading *l;
	const struct node *variables, *environment, *environments;
	ARRAY_OF(struct used) used;
	ARRAY_OF(struct public_use) in_public;
};

static const char *const reserved[] = {"window", "start", "end", NULL};

static bool is_reserved(const char *name)
{
	for (const char *const *r = reserved; *r; r++)
		if (!strcmp(*r, name))
			return true;
	return false;
}

static const char *from_vars(const struct spec_options *o, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = o->n_vars; i-- > 0;)
		if (!strncmp(o->vars[i], name, n) && o->vars[i][n] == '=')
			return o->vars[i] + n + 1;
	return NULL;
}

static const char *from_node(const struct node *map, const char *name)
{
	const char *value;

	return read_text(node_get(map, name), &value) ? value : NULL;
}

static const char *look_up(const struct filling *v, const char *name, bool *in_spec)
{
	const struct spec_options *o = v->l->o;
	const char *value = from_vars(o, name);

	*in_spec = false;
	if (value)
		return value;
	*in_spec = true;
	value = from_node(v->environment, name);
	if (!value)
		value = from_node(v->variables, name);
	if (value)
		return value;
	*in_spec = false;
	return o->getenv ? o->getenv(o->getenv_ctx, name) : NULL;
}

static const char *names_like(struct loading *l, const char *name, const struct node *map)
{
	const char **names = arena_array(l->a, const char *, (map ? map->n : 0) + 1);
	size_t n = 0;

	for (const struct node *m = map ? map->first : NULL; m; m = m->next)
		names[n++] = m->key->text;
	return did_you_mean(l, name, names);
}

static void undefined(struct filling *v, struct node *n, const char *name)
{
	const char *like = names_like(v->l, name, v->variables);

	if (!v->l->o->environment)
		for (const struct node *e = v->environments ? v->environments->first : NULL; e;
			e = e->next)
			if (node_get(e, name)) {
				problem_at(v->l, n,
					"${%s} has no value: choose an environment with --env (%s "
					"has it)",
					name, e->key->text);
				return;
			}
	problem_at(v->l, n, "${%s} has no value%s%s", name, like,
		*like ? "" : ": give it under `variables:`, with --var, or in the environment");
}

static size_t used_index(struct filling *v, const char *name)
{
	for (size_t i = 0; i < v->used.n; i++)
		if (!strcmp(v->used.at[i].name, name))
			return i;
	return v->used.n;
}

static enum found find(struct fill *f, struct node *n, const struct type *t, const char *name,
	const char *otherwise, const char **value, size_t *tag)
{
	struct filling *v = f->ctx;
	struct used *u;
	bool in_spec;

	if (is_reserved(name)) {
		if (t->kind == TYPE_QUERY)
			return FOUND_LEAVE;
		problem_at(f->l, n,
			"${%s} stands for the judged window: only `query` texts may use it", name);
		return FOUND_FAULT;
	}
	*value = look_up(v, name, &in_spec);
	if (otherwise && (!*value || !**value)) {
		*value = otherwise;
		in_spec = true;
	}
	if (!*value) {
		undefined(v, n, name);
		return FOUND_FAULT;
	}
	*tag = used_index(v, name);
	if (*tag == v->used.n)
		*ARRAY_ADD(&v->used) = (struct used){name, *value, in_spec, false, n};
	u = &v->used.at[*tag];
	if (strcmp(u->value, *value) != 0) {
		problem_at(f->l, n, "${%s} has another default in line %d: give it one value", name,
			u->first->line);
		return FOUND_FAULT;
	}
	return FOUND_VALUE;
}

/* Is the byte range of a filled text made of nothing but values from outside the spec? */
static bool from_outside(const struct fill *f, size_t from, size_t to)
{
	const struct filling *v = f->ctx;

	for (size_t i = 0; i < f->pieces.n; i++) {
		const struct piece *p = &f->pieces.at[i];

		if (p->from <= from && p->to > from && !v->used.at[p->tag].in_spec)
			from = p->to;
	}
	return from >= to;
}

/* Which variables of a url went into its userinfo; and a password must come from outside. */
static void mark_url(struct fill *f, struct node *n)
{
	struct filling *v = f->ctx;
	size_t from = 0, to = 0;
	bool userinfo = url_userinfo(n->text, &from, &to);
	const char *colon = userinfo ? memchr(n->text + from, ':', to - from) : NULL;

	for (size_t i = 0; i < f->pieces.n; i++) {
		const struct piece *p = &f->pieces.at[i];

		if (userinfo && p->from < to && p->to > from)
			v->used.at[p->tag].secret = true;
		else
			*ARRAY_ADD(&v->in_public) = (struct public_use){p->tag, n};
	}
	n->secret = userinfo;
	if (colon && !from_outside(f, (size_t)(colon + 1 - n->text), to))
		problem_at(f->l, n,
			"a password must not stand in a spec: use `auth`, or a variable from the "
			"environment");
}

static void fill_scalar(void *arg, struct node *n, const struct type *t, bool secret)
{
	struct fill *f = arg;
	struct filling *v = f->ctx;

	if (t->kind == TYPE_VALUE) {
		if (strstr(n->text, "${"))
			problem_at(f->l, n,
				"a variable's value is taken as it stands: it cannot hold "
				"another variable");
		return;
	}
	fill_text(f, n, t);
	if (n->bad)
		return;
	if (t->kind == TYPE_URL) {
		mark_url(f, n);
		return;
	}
	for (size_t i = 0; i < f->pieces.n; i++) {
		size_t tag = f->pieces.at[i].tag;

		if (secret)
			n->secret = v->used.at[tag].secret = true;
		else
			*ARRAY_ADD(&v->in_public) = (struct public_use){tag, n};
	}
}

/* A value that is never stored cannot be in a place that is: a run could not be judged again. */
static void refuse_double_use(struct filling *v)
{
	for (size_t i = 0; i < v->in_public.n; i++) {
		struct node *n = v->in_public.at[i].node;
		const struct used *u = &v->used.at[v->in_public.at[i].used];

		if (!u->secret)
			continue;
		n->secret = true;
		problem_at(v->l, n,
			"${%s} is a secret, because source's url, headers, auth or tls use it: it "
			"cannot be used here as well; take two variables",
			u->name);
	}
}

static void check_vars(struct filling *v)
{
	const struct spec_options *o = v->l->o;

	for (size_t i = 0; i < o->n_vars; i++) {
		const char *eq = strchr(o->vars[i], '=');
		const char *name =
			eq ? arena_strndup(v->l->a, o->vars[i], (size_t)(eq - o->vars[i])) : NULL;
		const char *fault = name ? scalar_key_fault(v->l, TYPE_VARIABLE, name) : NULL;

		if (!name)
			problem_mark(v->l, NULL, 0, 0, "--var takes NAME=VALUE");
		else if (fault)
			problem_mark(v->l, NULL, 0, 0, "--var: %s", fault);
		else if (used_index(v, name) == v->used.n && !node_get(v->variables, name) &&
			 !node_get(v->environment, name))
			problem_mark(v->l, NULL, 0, 0, "--var %s: the spec has no ${%s}%s", name,
				name, names_like(v->l, name, v->variables));
	}
}

static void choose_environment(struct filling *v)
{
	const char *name = v->l->o->environment;

	if (!name)
		return;
	v->environment = node_get(v->environments, name);
	if (v->environment)
		return;
	if (v->environments)
		problem_mark(v->l, NULL, v->environments->key->line, v->environments->key->column,
			"there is no environment %s%s", shown_text(v->l, name),
			names_like(v->l, name, v->environments));
	else
		problem_mark(v->l, NULL, 0, 0,
			"there is no environment %s: the spec has no `environments`",
			shown_text(v->l, name));
}

static int by_name(const void *a, const void *b)
{
	const struct variable *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void variables_fill(struct loading *l, struct node *root, struct variable **out, size_t *n_out)
{
	struct filling v = {
		.l = l,
		.variables = node_get(root, "variables"),
		.environments = node_get(root, "environments"),
	};
	struct fill f = {.l = l, .find = find, .ctx = &v};

	choose_environment(&v);
	each_scalar(root, &type_spec, false, fill_scalar, &f);
	refuse_double_use(&v);
	check_vars(&v);
	*out = arena_array(l->a, struct variable, v.used.n + 1);
	*n_out = v.used.n;
	for (size_t i = 0; i < v.used.n; i++)
		(*out)[i] = (struct variable){v.used.at[i].name,
			v.used.at[i].secret ? NULL : arena_strdup(l->a, v.used.at[i].value)};
	qsort(*out, *n_out, sizeof **out, by_name);
	ARRAY_RELEASE(&v.used);
	ARRAY_RELEASE(&v.in_public);
	ARRAY_RELEASE(&f.pieces);
}

struct params {
	const struct param *at;
	size_t n;
};

static enum found find_param(struct fill *f, struct node *n, const struct type *t, const char *name,
	const char *otherwise, const char **value, size_t *tag)
{
	const struct params *p = f->ctx;

	(void)n;
	(void)t;
	*tag = 0;
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->at[i].name, name)) {
			*value = otherwise && !*p->at[i].value ? otherwise : p->at[i].value;
			return FOUND_VALUE;
		}
	return FOUND_LEAVE;
}

static void fill_params(void *arg, struct node *n, const struct type *t, bool secret)
{
	(void)secret;
	fill_text(arg, n, t);
}

void params_fill(struct loading *l, struct node *n, const struct type *t,
	const struct param *params, size_t n_params)
{
	struct params p = {params, n_params};
	struct fill f = {.l = l, .find = find_param, .ctx = &p, .keep_escapes = true};

	each_scalar(n, t, false, fill_params, &f);
	ARRAY_RELEASE(&f.pieces);
}
