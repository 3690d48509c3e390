/* Packs: items of a spec that `use` a template from a query pack.
 * Reads packs that are compiled in, the user's own files, or what a stored run expanded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "spec/check.h"
#include "base/json.h"
#include "spec/json.h"
#include "spec/pack.h"
#include "spec/scalar.h"
#include "spec/variable.h"

extern const struct embedded_file spec_packs[];

struct pack {
	const char *name;
	struct node *root; /* NULL: it cannot be used, which was said */
};

struct expansion {
	struct loading *l;
	ARRAY_OF(struct pack) packs;
	struct node *stored; /* NULL unless a stored run is loaded */
	struct strbuf out;
};

struct block {
	const char *list, *item;
	const struct type *type;
};

static const struct block blocks[] = {
	{"stages", "stage", &type_stage},
	{"invariants", "invariant", &type_invariant},
	{"preconditions", "precondition", &type_precondition},
	{"figures", "figure", &type_figure},
};

static const char *list_packs(struct loading *l, const char *wanted)
{
	struct strbuf b = STRBUF_INIT;
	const char *names[64] = {NULL}, *s;
	size_t n = 0;

	for (const struct embedded_file *f = spec_packs; f->name && n < 63; f++)
		names[n++] = arena_strndup(l->a, f->name, strcspn(f->name, "."));
	strbuf_adds(&b, did_you_mean(l, wanted, names));
	if (!b.n) {
		strbuf_adds(&b, "; there are ");
		for (size_t i = 0; i < n; i++)
			strbuf_addf(&b, "%s%s", i ? ", " : "", names[i]);
	}
	s = arena_strdup(l->a, b.at);
	strbuf_release(&b);
	return s;
}

static const char *file_beside(struct loading *l, const char *file)
{
	const char *slash = l->path ? strrchr(l->path, '/') : NULL;

	if (file[0] == '/' || !slash)
		return file;
	return arena_printf(l->a, "%.*s/%s", (int)(slash - l->path), l->path, file);
}

static bool pack_bytes(struct loading *l, struct node *use, const char *name, bool own,
	const char **text, size_t *n)
{
	struct error err;
	char *bytes;

	if (!own) {
		for (const struct embedded_file *f = spec_packs; f->name; f++)
			if (!strcmp(f->name, arena_printf(l->a, "%s.yaml", name))) {
				*text = f->bytes;
				*n = f->n;
				return true;
			}
		problem_at(
			l, use, "there is no pack %s%s", shown_text(l, name), list_packs(l, name));
		return false;
	}
	if (read_file(l, file_beside(l, name), &bytes, n, &err) < 0) {
		problem_at(l, use, "%s", err.text);
		return false;
	}
	*text = bytes;
	return true;
}

static struct node *pack_root(struct expansion *x, struct node *use, const char *name, bool own)
{
	struct loading *l = x->l;
	struct origin *origin;
	struct pack *p;
	const char *text;
	size_t n, before = l->problems->n + l->problems_left_out;

	for (size_t i = 0; i < x->packs.n; i++)
		if (!strcmp(x->packs.at[i].name, name))
			return x->packs.at[i].root;
	p = ARRAY_ADD(&x->packs);
	p->name = name;
	if (!pack_bytes(l, use, name, own, &text, &n))
		return NULL;
	origin = arena_new(l->a, struct origin);
	*origin = (struct origin){name, use};
	p->root = node_read(l, text, n, origin);
	if (p->root)
		check_node(l, p->root, &type_pack_file);
	if (l->problems->n + l->problems_left_out != before)
		p->root = NULL;
	return p->root;
}

/* Splits NAME/ITEM or FILE#ITEM. */
static bool split_use(
	struct loading *l, const char *use, const char **name, const char **item, bool *own)
{
	const char *hash = strrchr(use, '#'), *cut = hash ? hash : strrchr(use, '/');

	*own = hash != NULL;
	if (!cut || cut == use || !cut[1])
		return false;
	*name = arena_strndup(l->a, use, (size_t)(cut - use));
	*item = cut + 1;
	return *own || !strchr(*name, '/');
}

static const char *names_of(struct loading *l, const struct node *map, const char *wanted)
{
	const char **names = arena_array(l->a, const char *, (map ? map->n : 0) + 1), *like;
	struct strbuf b = STRBUF_INIT;
	size_t n = 0;

	for (const struct node *m = map ? map->first : NULL; m; m = m->next)
		names[n++] = m->key->text;
	like = did_you_mean(l, wanted, names);
	if (*like || !n)
		return like;
	strbuf_adds(&b, "; it has ");
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&b, "%s%s", i ? ", " : "", names[i]);
	like = arena_strdup(l->a, b.at);
	strbuf_release(&b);
	return like;
}

static const char *param_value(
	struct loading *l, struct node *use, struct node *param, struct node *with)
{
	struct node *given = node_get(with, param->key->text),
		    *otherwise = node_get(param, "default");

	if (given && given->kind == NODE_SCALAR && !given->null)
		return given->text;
	if (given) {
		problem_at(l, given, "the parameter '%s' takes a text or a number, not %s",
			param->key->text, shown(l, given));
		return "";
	}
	if (otherwise)
		return otherwise->text;
	problem_at(l, use, "%s needs the parameter '%s': give it under `with:`", shown(l, use),
		param->key->text);
	return "";
}

/* The values of an item's parameters; problems if some are missing or unknown. */
static struct param *gather_params(
	struct loading *l, struct node *use, struct node *item, struct node *with, size_t *n)
{
	struct node *params = node_get(item, "params");
	struct param *out = arena_array(l->a, struct param, (params ? params->n : 0) + 1);

	*n = 0;
	if (with && with->kind != NODE_MAP) {
		problem_at(l, with, "`with` takes a map of the pack's parameters, not %s",
			shown(l, with));
		with = NULL;
	}
	for (struct node *m = with ? with->first : NULL; m; m = m->next)
		if (!node_get(params, m->key->text))
			problem_at(l, m->key, "%s has no parameter %s%s", shown(l, use),
				shown(l, m->key), names_of(l, params, m->key->text));
	for (struct node *m = params ? params->first : NULL; m; m = m->next)
		out[(*n)++] = (struct param){m->key->text, param_value(l, use, m, with)};
	return out;
}

static struct node *find_template(
	struct expansion *x, struct node *use, struct node *with, const struct block *block)
{
	struct loading *l = x->l;
	const char *name, *item_name;
	struct node *root, *items, *item, *template;
	struct param *params;
	struct origin *origin;
	size_t n_params;
	bool own;

	if (use->kind != NODE_SCALAR || use->null ||
		!split_use(l, use->text, &name, &item_name, &own)) {
		problem_at(
			l, use, "expected %s, not %s", scalar_expected(TYPE_PACK), shown(l, use));
		return NULL;
	}
	root = pack_root(x, use, name, own);
	if (!root)
		return NULL;
	items = node_get(root, "items");
	item = node_get(items, item_name);
	if (!item) {
		problem_at(l, use, "the pack '%s' has no item %s%s", name, shown_text(l, item_name),
			names_of(l, items, item_name));
		return NULL;
	}
	template = node_get(item, block->item);
	if (!template || template->kind != NODE_MAP) {
		problem_at(l, use, "%s has no template for %s: it cannot be used under `%s`%s",
			shown(l, use), block->type->what, block->list, names_of(l, item, ""));
		return NULL;
	}
	params = gather_params(l, use, item, with, &n_params);
	origin = arena_new(l->a, struct origin);
	*origin = (struct origin){name, use};
	template = node_copy(l, template, origin);
	if (template)
		params_fill(l, template, block->type, params, n_params);
	return template;
}

static struct node *find_stored(struct expansion *x, struct node *use, const char *place)
{
	struct node *item = node_get(x->stored, place);

	if (!item || item->kind != NODE_MAP) {
		problem_at(x->l, use, "the stored run has no expanded %s", place);
		return NULL;
	}
	return node_copy(x->l, item, item->origin);
}

static bool own_key(const struct node *m)
{
	return strcmp(m->key->text, "use") != 0 && strcmp(m->key->text, "with") != 0;
}

/* The template with the item's own keys over it, at the item's place. */
static struct node *merge(struct loading *l, const struct node *item, const struct node *template)
{
	struct node *out = arena_new(l->a, struct node), *next;

	*out = (struct node){.kind = NODE_MAP,
		.line = item->line,
		.column = item->column,
		.origin = item->origin,
		.bad = item->bad || !template};
	for (struct node *m = item->first; m; m = next) {
		next = m->next;
		if (own_key(m))
			node_append(out, m);
	}
	for (struct node *m = template ? template->first : NULL; m; m = next) {
		next = m->next;
		if (own_key(m) && !node_get(out, m->key->text))
			node_append(out, m);
		else if (!strcmp(m->key->text, "use"))
			problem_at(l, m, "a pack's template must not `use` another");
	}
	return out;
}

static void expand_item(struct expansion *x, struct node *list, struct node *item, size_t i,
	const struct block *block)
{
	struct loading *l = x->l;
	struct node *use = node_get(item, "use"), *with = node_get(item, "with"), *template,
		    *merged;
	const char *place;

	if (!use) {
		if (with)
			problem_at(l, with->key, "`with` needs `use`");
		return;
	}
	place = arena_printf(
		l->a, "%s[%zu] %s", block->list, i, use->kind == NODE_SCALAR ? use->text : "");
	template = x->stored ? find_stored(x, use, place) : find_template(x, use, with, block);
	merged = merge(l, item, template);
	if (!template) /* what is missing would come from the pack */
		merged->bad = true;
	else if (!x->stored)
		merged->bad = merged->bad || use->bad;
	node_replace(list, item, merged);
	strbuf_adds(&x->out, x->out.n ? ",\n" : "{\n");
	json_add_string(&x->out, place);
	strbuf_adds(&x->out, ": ");
	json_add_node(&x->out, merged);
}

const char *packs_expand(struct loading *l, struct node *root)
{
	struct expansion x = {.l = l, .out = STRBUF_INIT};
	const char *out = NULL;

	if (l->o->expanded)
		x.stored = node_read(l, l->o->expanded, strlen(l->o->expanded), NULL);
	for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
		struct node *list = node_get(root, blocks[b].list), *next;
		size_t i = 0;

		if (!list || list->kind != NODE_LIST)
			continue;
		for (struct node *item = list->first; item; item = next, i++) {
			next = item->next;
			expand_item(&x, list, item, i, &blocks[b]);
		}
	}
	if (x.out.n > l->limits->file_bytes)
		problem_mark(l, NULL, 0, 0, "the packs, written out, are larger than %zu bytes",
			l->limits->file_bytes);
	if (x.out.n) {
		strbuf_adds(&x.out, "\n}\n");
		out = arena_strndup(l->a, x.out.at, x.out.n);
	}
	strbuf_release(&x.out);
	ARRAY_RELEASE(&x.packs);
	return out;
}
