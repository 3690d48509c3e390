/* Stages: from nodes to structs, and what must stand together in a stage or step. */
#include <string.h>

#include "spec/build.h"
#include "spec/scalar.h"

static const char *const sli_keys[] = {"good", "bad", "total", "exclude", "histogram", "within",
	"success", "family", "outcome", "absent", "optional", "recorded", "percentiles", NULL};

static bool is_matchers(const struct node *n)
{
	return n && n->kind == NODE_SCALAR && n->text[strspn(n->text, " \t\n")] == '{';
}

static bool has(const struct node *map, const char *key)
{
	return node_get(map, key) != NULL;
}

static void check_within(struct loading *l, struct node *map, const char *what)
{
	const char *why = arena_printf(l->a,
		"`within` already says what is good: take this key out, or `within` (another "
		"denominator is `total`)");

	if (!has(map, "histogram")) {
		problem_at(l, map, "%s with `within` needs `histogram`", what);
		return;
	}
	refuse_key(l, map, "good", why);
	refuse_key(l, map, "bad", why);
}

static void check_counts(struct loading *l, struct node *map, const char *what, bool percentiles)
{
	int n = has(map, "good") + has(map, "bad") + has(map, "total");

	refuse_key(l, map, "success", "`success` needs `histogram` and `within`");
	if (is_matchers(node_get(map, "exclude")))
		problem_at(l, node_get(map, "exclude"),
			"matchers in `exclude` need `histogram` and `within`: here, write a "
			"selector");
	if (n == 3)
		problem_at(l, map, "%s takes only two of good, bad and total: the third follows",
			what);
	else if (n < 2 && has(map, "histogram") && !percentiles)
		problem_at(l, map, "%s with `histogram` needs `within`", what);
	else if (n < 2)
		problem_at(l, map,
			"%s needs two of good, bad and total, or `histogram` with `within`%s", what,
			strcmp(what, "a stage") ? "" : ", or `steps`");
	else if (has(map, "histogram") && !percentiles)
		refuse_key(l, map, "histogram",
			"`histogram` does nothing here: it needs `within` or `percentiles`");
}

static void check_sli(struct loading *l, struct node *map, const char *what)
{
	bool percentiles = has(map, "percentiles");

	if (map->bad)
		return;
	if (percentiles && !has(map, "histogram"))
		problem_at(l, node_get(map, "percentiles")->key, "`percentiles` need `histogram`");
	if (has(map, "within"))
		check_within(l, map, what);
	else
		check_counts(l, map, what, percentiles);
}

static void build_sli(struct loading *l, struct node *map, struct sli *out)
{
	struct node *exclude = node_get(map, "exclude");

	out->proof = build_proof(l, map);
	out->good = build_selectors(l, node_get(map, "good"));
	out->bad = build_selectors(l, node_get(map, "bad"));
	out->total = build_selectors(l, node_get(map, "total"));
	if (is_matchers(exclude))
		build_selector(exclude, &out->exclude_matchers);
	else
		out->exclude = build_selectors(l, exclude);
	out->has_histogram = build_selector(node_get(map, "histogram"), &out->histogram);
	out->has_within = read_seconds(node_get(map, "within"), &out->within_s);
	build_selector(node_get(map, "success"), &out->success);
}

static void build_steps(struct loading *l, struct node *map, struct stage *out)
{
	struct node *list = node_get(map, "steps");

	for (const char *const *k = sli_keys; *k; k++)
		refuse_key(l, map, *k, "beside `steps`, this key belongs into each step");
	if (list->kind != NODE_LIST)
		return;
	out->steps = arena_array(l->a, struct step, list->n + 1);
	for (struct node *m = list->first; m; m = m->next) {
		struct step *s;

		if (m->kind != NODE_MAP)
			continue;
		s = &out->steps[out->n_steps++];
		s->id = get_text(m, "id");
		s->title = build_text(node_get(m, "title"));
		build_sli(l, m, &s->sli);
		check_sli(l, m, "a step");
	}
	unique_ids(l, list);
}

static void build_percentiles(struct loading *l, struct node *map, struct stage *out)
{
	if (!map || map->kind != NODE_MAP)
		return;
	out->percentiles = arena_array(l->a, struct percentile, map->n + 1);
	for (struct node *m = map->first; m; m = m->next) {
		struct percentile *p = &out->percentiles[out->n_percentiles];

		if (!read_percentile(m->key->text, &p->p) || !read_seconds(m, &p->within_s))
			continue;
		for (size_t i = 0; i < out->n_percentiles; i++)
			if (decimal_cmp(out->percentiles[i].p, p->p) == 0)
				problem_at(l, m->key, "this percentile is given twice");
		out->n_percentiles++;
	}
}

static void build_at_least(struct loading *l, struct node *n, struct stage *out)
{
	out->has_at_least = read_number(n, &out->at_least);
	if (out->has_at_least && decimal_cmp(out->at_least, decimal_of(0)) < 0)
		problem_at(l, n, "a number of events must not be below 0");
}

static void build_stage(struct loading *l, struct node *map, struct stage *out)
{
	out->id = get_text(map, "id");
	out->title = build_text(node_get(map, "title"));
	out->component = get_text(map, "component");
	out->because = build_text(node_get(map, "because"));
	out->each = get_bool(map, "each", true);
	read_share(node_get(map, "objective"), &out->objective);
	build_at_least(l, node_get(map, "at_least"), out);
	if (has(map, "steps")) {
		build_steps(l, map, out);
		return;
	}
	refuse_key(l, map, "each", "`each` needs `steps`");
	build_sli(l, map, &out->sli);
	build_percentiles(l, node_get(map, "percentiles"), out);
	check_sli(l, map, "a stage");
}

void build_stages(struct loading *l, struct node *list, struct spec *out)
{
	if (!list || list->kind != NODE_LIST)
		return;
	out->stages = arena_array(l->a, struct stage, list->n + 1);
	for (struct node *m = list->first; m; m = m->next)
		if (m->kind == NODE_MAP)
			build_stage(l, m, &out->stages[out->n_stages++]);
	unique_ids(l, list);
}
