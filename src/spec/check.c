/* Check: a document against the table of keys: shapes, keys, types of values.
 * Rules between several keys of one item are the builders'. */
#include <string.h>

#include "spec/check.h"
#include "spec/scalar.h"

enum { KEYS_MAX = 64 };

static bool is_scalar_kind(enum type_kind k)
{
	return k != TYPE_MAP && k != TYPE_DICT && k != TYPE_LIST;
}

const struct type *type_fitting(const struct type *t, const struct node *n)
{
	for (; t; t = t->other)
		if (t->kind == TYPE_ANY || (n->kind == NODE_LIST && t->kind == TYPE_LIST) ||
			(n->kind == NODE_MAP && (t->kind == TYPE_MAP || t->kind == TYPE_DICT)) ||
			(n->kind == NODE_SCALAR && is_scalar_kind(t->kind)))
			return t;
	return NULL;
}

const struct type *type_of_member(const struct type *container, const struct node *member)
{
	const struct key *k;

	if (container->kind != TYPE_MAP)
		return container->of;
	k = key_find(container, member->key->text);
	return k ? k->type : NULL;
}

/* A document is at most limits->depth deep, which node_read sees to. */
/* NOLINTBEGIN(misc-no-recursion) */
void each_scalar(struct node *n, const struct type *t, bool secret,
	void (*fn)(void *arg, struct node *n, const struct type *t, bool secret), void *arg)
{
	t = t ? type_fitting(t, n) : NULL;
	if (!t || t->kind == TYPE_ANY)
		return;
	secret = secret || t->secret;
	if (n->kind == NODE_SCALAR)
		fn(arg, n, t, secret);
	for (struct node *m = n->first; m; m = m->next)
		each_scalar(m, type_of_member(t, m), secret, fn, arg);
}
/* NOLINTEND(misc-no-recursion) */

static bool takes_selector(const struct type *t)
{
	return t->kind == TYPE_SELECTOR || t->kind == TYPE_HISTOGRAM || t->kind == TYPE_MATCHERS ||
	       t->kind == TYPE_EXCLUDE;
}

static void wrong_shape(struct loading *l, struct node *n, const struct type *t)
{
	if (n->kind == NODE_MAP && (takes_selector(t) || t->kind == TYPE_QUERY))
		problem_at(l, n,
			"quote this selector: without quotes, YAML reads {...} as a map: write "
			"'{label=\"value\"}'");
	else if (t->kind == TYPE_MAP && !strcmp(t->name, "secret"))
		problem_at(l, n,
			"a secret must not stand in a spec: write { env: NAME } or { file: FILE }");
	else if (t->kind == TYPE_MAP)
		problem_at(l, n, "expected a map: %s, not %s", t->what, shown(l, n));
	else
		problem_at(l, n, "expected %s, not %s", scalar_expected(t->kind), shown(l, n));
}

static void problem_at_key(struct loading *l, struct node *member, const char *text)
{
	problem_at(l, member->key, "%s", text);
	member->bad = true;
}

/* The names of a map's keys that a user may write here, for suggestions. */
static void usable_names(const struct type *t, const char *names[KEYS_MAX + 1])
{
	size_t n = 0;

	for (const struct key *k = t->keys; k->name && n < KEYS_MAX; k++)
		if (!(k->flags & (KEY_LATER | KEY_MISPLACED)))
			names[n++] = k->name;
	names[n] = NULL;
}

static void unknown_key(struct loading *l, struct node *map, struct node *m, const struct type *t)
{
	const char *names[KEYS_MAX + 1];

	usable_names(t, names);
	map->bad = true;
	problem_at_key(l, m,
		arena_printf(l->a, "unknown key %s in %s%s", shown(l, m->key), t->what,
			did_you_mean(l, m->key->text, names)));
}

static void refused_key(struct loading *l, struct node *map, struct node *m, const struct key *k,
	const struct type *t)
{
	map->bad = true;
	if (k->flags & KEY_LATER)
		problem_at_key(l, m,
			arena_printf(l->a,
				"'%s' is not in this build: it comes with a later release%s%s",
				k->name, k->hint ? "; until then " : "", k->hint ? k->hint : ""));
	else
		problem_at_key(l, m,
			arena_printf(l->a, "'%s' does not belong into %s: %s", k->name, t->what,
				k->hint));
}

static const char *list_keys(struct loading *l, const struct type *t, unsigned flag)
{
	struct strbuf b = STRBUF_INIT;
	const char *s;

	for (const struct key *k = t->keys; k->name; k++)
		if (k->flags & flag)
			strbuf_addf(&b, "%s%s", b.n ? ", " : "", k->name);
	s = arena_strdup(l->a, b.at);
	strbuf_release(&b);
	return s;
}

/* A misspelt key was reported already: that the right one is missing then goes without saying. */
static bool was_meant(const struct node *map, const struct type *t, const char *name)
{
	const char *names[KEYS_MAX + 1];

	usable_names(t, names);
	for (const struct node *m = map->first; m; m = m->next) {
		const char *near = key_find(t, m->key->text) ? NULL : nearest(m->key->text, names);

		if (near && !strcmp(near, name))
			return true;
	}
	return false;
}

static bool any_was_meant(const struct node *map, const struct type *t, unsigned flag)
{
	for (const struct key *k = t->keys; k->name; k++)
		if ((k->flags & flag) && was_meant(map, t, k->name))
			return true;
	return false;
}

static void check_choice(struct loading *l, struct node *map, const struct type *t)
{
	size_t n_one = 0, n_any = 0;
	bool has_one = false, has_any = false;

	for (const struct key *k = t->keys; k->name; k++) {
		struct node *m = node_get(map, k->name);

		has_one = has_one || (k->flags & KEY_ONE);
		has_any = has_any || (k->flags & KEY_ANY);
		n_any += m && (k->flags & KEY_ANY);
		/* one that is not in this build was a choice too: `auth: { sigv4: ... }` */
		n_one += m && (k->flags & (KEY_ONE | KEY_LATER));
		if (m && (k->flags & KEY_ONE) && n_one > 1)
			problem_at_key(l, m,
				arena_printf(l->a, "%s takes only one of %s", t->what,
					list_keys(l, t, KEY_ONE)));
	}
	if (has_one && n_one == 0 && !any_was_meant(map, t, KEY_ONE))
		problem_at(l, map, "%s needs one of %s", t->what, list_keys(l, t, KEY_ONE));
	if (has_any && n_any == 0 && !any_was_meant(map, t, KEY_ANY))
		problem_at(
			l, map, "%s needs at least one of %s", t->what, list_keys(l, t, KEY_ANY));
}

/* A document is at most limits->depth deep, which node_read sees to. */
/* NOLINTBEGIN(misc-no-recursion) */
static void check_map(struct loading *l, struct node *map, const struct type *t)
{
	bool incomplete = map->bad; /* what is missing may be what was refused */

	for (struct node *m = map->first; m; m = m->next) {
		const struct key *k = key_find(t, m->key->text);

		if (!k)
			unknown_key(l, map, m, t);
		else if (k->flags & (KEY_LATER | KEY_MISPLACED))
			refused_key(l, map, m, k, t);
		else
			check_node(l, m, k->type);
	}
	if (incomplete)
		return;
	for (const struct key *k = t->keys; k->name; k++)
		if ((k->flags & KEY_NEEDED) && !node_get(map, k->name) &&
			!was_meant(map, t, k->name))
			problem_at(l, map, "%s needs the key '%s'", t->what, k->name);
	check_choice(l, map, t);
}

static void check_dict(struct loading *l, struct node *map, const struct type *t)
{
	if (map->n == 0 && t->key_type == TYPE_PERCENTILE)
		problem_at(l, map, "expected at least one percentile, such as p95: 500ms");
	for (struct node *m = map->first; m; m = m->next) {
		const char *fault = scalar_key_fault(l, t->key_type, m->key->text);

		if (fault)
			problem_at_key(l, m, fault);
		else
			check_node(l, m, t->of);
	}
}

static void check_list(struct loading *l, struct node *list, const struct type *t)
{
	if (list->n == 0 && !t->may_be_empty)
		problem_at(l, list, "this list must not be empty");
	for (struct node *m = list->first; m; m = m->next)
		check_node(l, m, t->of);
}

void check_node(struct loading *l, struct node *n, const struct type *t)
{
	const struct type *fits = type_fitting(t, n);

	if (n->bad && n->kind == NODE_SCALAR)
		return;
	if (n->null && t->kind != TYPE_ANY) {
		problem_at(l, n, "there is no value here: give one, or leave the key out");
		return;
	}
	if (!fits) {
		wrong_shape(l, n, t);
		return;
	}
	switch (fits->kind) {
	case TYPE_MAP:
		check_map(l, n, fits);
		break;
	case TYPE_DICT:
		check_dict(l, n, fits);
		break;
	case TYPE_LIST:
		check_list(l, n, fits);
		break;
	default:
		scalar_check(l, n, fits);
	}
}
/* NOLINTEND(misc-no-recursion) */
