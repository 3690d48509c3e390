/* Parts: what stages, steps, invariants, preconditions and figures have in common. */
#include <stdlib.h>
#include <string.h>

#include "spec/build.h"
#include "spec/scalar.h"

const char *get_text(const struct node *map, const char *key)
{
	const char *text;

	return read_text(node_get(map, key), &text) ? text : NULL;
}

bool get_bool(const struct node *map, const char *key, bool otherwise)
{
	bool value;

	return read_bool(node_get(map, key), &value) ? value : otherwise;
}

struct text build_text(const struct node *n)
{
	struct text t = {0};
	const char *s;

	if (read_text(n, &s))
		return (struct text){s, s};
	if (!n || n->kind != NODE_MAP)
		return t;
	t.en = get_text(n, "en");
	t.ko = get_text(n, "ko");
	if (!t.en)
		t.en = t.ko;
	if (!t.ko)
		t.ko = t.en;
	return t;
}

struct names build_names(struct loading *l, struct node *n)
{
	struct names out = {0};

	if (!n || n->kind != NODE_LIST)
		return out;
	out.at = arena_array(l->a, const char *, n->n + 1);
	for (struct node *m = n->first; m; m = m->next) {
		const char *s;

		if (!read_text(m, &s))
			continue;
		for (size_t i = 0; i < out.n; i++)
			if (!strcmp(out.at[i], s))
				problem_at(l, m, "%s is given twice", shown(l, m));
		out.at[out.n++] = s;
	}
	return out;
}

bool build_selector(struct node *n, struct selector *out)
{
	if (!n || n->bad || !n->selector)
		return false;
	*out = *n->selector;
	return true;
}

static void refuse_twins(struct loading *l, struct node *n, const struct selectors *s)
{
	struct strbuf last = STRBUF_INIT, other = STRBUF_INIT;

	selector_print(&last, &s->at[s->n - 1]);
	for (size_t i = 0; i + 1 < s->n && !n->bad; i++) {
		strbuf_clear(&other);
		selector_print(&other, &s->at[i]);
		if (!strcmp(last.at, other.at))
			problem_at(l, n, "this selector is given twice: it would be counted twice");
	}
	strbuf_release(&last);
	strbuf_release(&other);
}

struct selectors build_selectors(struct loading *l, struct node *n)
{
	struct selectors out = {0};

	if (!n)
		return out;
	out.at = arena_array(l->a, struct selector, n->n + 1);
	if (n->kind == NODE_SCALAR) {
		out.n = build_selector(n, &out.at[0]);
		return out;
	}
	if (n->n > l->limits->selectors) {
		problem_at(l, n, "more than %zu selectors in one list", l->limits->selectors);
		return out;
	}
	for (struct node *m = n->first; m; m = m->next)
		if (build_selector(m, &out.at[out.n])) {
			out.n++;
			refuse_twins(l, m, &out);
		}
	return out;
}

struct proof build_proof(struct loading *l, struct node *map)
{
	bool recorded = get_bool(map, "recorded", false);

	return (struct proof){
		.optional = get_bool(map, "optional", false),
		.absent = get_bool(map, "absent", false),
		.outcome = get_text(map, "outcome"),
		.family = build_selectors(l, node_get(map, "family")),
		.witness = build_selectors(l, node_get(map, "witness")),
		.recorded = recorded,
	};
}

void refuse_key(struct loading *l, struct node *map, const char *key, const char *why)
{
	struct node *m = node_get(map, key);

	if (m)
		problem_at(l, m->key, "%s", why);
}

static int by_id(const void *a, const void *b)
{
	const struct node *const *x = a, *const *y = b;
	int c = strcmp((*x)->text, (*y)->text);

	if (c)
		return c;
	return (*x)->line != (*y)->line ? (*x)->line - (*y)->line : (*x)->column - (*y)->column;
}

void unique_ids(struct loading *l, struct node *list)
{
	struct node **ids;
	size_t n = 0;

	if (!list || list->kind != NODE_LIST || !list->n)
		return;
	ids = xmalloc(list->n * sizeof *ids);
	for (struct node *m = list->first; m; m = m->next) {
		struct node *id = node_get(m, "id");

		if (id && !id->bad && id->kind == NODE_SCALAR)
			ids[n++] = id;
	}
	qsort(ids, n, sizeof *ids, by_id);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(ids[i]->text, ids[i - 1]->text))
			problem_at(l, ids[i], "the id '%s' is taken (line %d): give another",
				ids[i]->text, ids[i - 1]->line);
	free(ids);
}
