/* Build: the spec's own blocks, and which blocks nothing evaluates yet. */
#include <string.h>

#include "spec/build.h"
#include "spec/scalar.h"
#include "spec/schema.h"

enum { BEFORE_MS = 60000, AFTER_MS = 300000 };

static void build_window(struct loading *l, struct node *map, struct spec *out)
{
	out->before_ms = BEFORE_MS;
	out->after_ms = AFTER_MS;
	out->has_window_before = read_duration(node_get(map, "before"), &out->before_ms);
	read_duration(node_get(map, "after"), &out->after_ms);
	read_duration(node_get(map, "warmup"), &out->warmup_ms);
	if (map && !map->bad && out->warmup_ms >= out->before_ms + out->after_ms)
		problem_at(l, map,
			"nothing is left to judge: `warmup` must be shorter than `before` and "
			"`after` together");
}

static void build_open(struct node *map, struct spec *out)
{
	out->has_open = build_selector(node_get(map, "when"), &out->open_when) &&
			read_number(node_get(map, "becomes"), &out->open_becomes);
}

static void build_targets(struct loading *l, struct node *map, struct targets_spec *out)
{
	static const char *identity[] = {"job", "instance"};
	struct node *labels = node_get(map, "identity");
	const char *unseen = get_text(map, "unseen");

	out->identity = labels ? build_names(l, labels) : (struct names){identity, 2};
	out->unseen = unseen && !strcmp(unseen, "proportional") ? UNSEEN_PROPORTIONAL : UNSEEN_BAD;
	out->has_alive = build_selector(node_get(map, "alive"), &out->alive);
}

static void list_blocks(struct loading *l, const struct node *map, const struct type *t,
	const char *prefix, struct names *out)
{
	for (const struct node *m = map ? map->first : NULL; m; m = m->next) {
		const struct key *k = key_find(t, m->key->text);

		if (k && (k->flags & KEY_BLOCK))
			out->at[out->n++] = arena_printf(l->a, "%s%s", prefix, k->name);
	}
}

static void build_not_evaluated(struct loading *l, const struct node *root, struct names *out)
{
	const struct node *report = node_get(root, "report");

	out->at = arena_array(l->a, const char *, root->n + (report ? report->n : 0) + 1);
	list_blocks(l, root, &type_spec, "", out);
	list_blocks(l, report, &type_report, "report.", out);
}

static void check_non_empty(struct loading *l, struct node *root)
{
	struct node *stages = node_get(root, "stages"), *invariants = node_get(root, "invariants");

	if ((stages || invariants) && (!stages || (stages->kind == NODE_LIST && !stages->n)) &&
		(!invariants || (invariants->kind == NODE_LIST && !invariants->n)))
		problem_at(l, stages ? stages : invariants,
			"nothing would be judged: give at least one stage or invariant");
}

/* Items of later blocks have ids too. */
static void check_ids(struct loading *l, struct node *root)
{
	static const char *const lists[] = {
		"system", "evidence", "milestones", "skew", "intervals", "decisions", NULL};

	for (const char *const *b = lists; *b; b++)
		unique_ids(l, node_get(root, *b));
}

void build_spec(struct loading *l, struct node *root, struct spec *out)
{
	struct node *load = node_get(root, "load");

	out->name = get_text(root, "name");
	out->title = build_text(node_get(root, "title"));
	out->timezone = get_text(root, "timezone");
	out->environment = l->o->environment;
	out->load_unit = get_text(load, "unit");
	out->lang = get_text(node_get(root, "report"), "lang");
	build_delivered(l, node_get(load, "delivered"), out);
	build_window(l, node_get(root, "window"), out);
	build_open(node_get(root, "open"), out);
	build_source(l, node_get(root, "source"), &out->source);
	build_targets(l, node_get(root, "targets"), &out->targets);
	build_stages(l, node_get(root, "stages"), out);
	build_checks(l, node_get(root, "invariants"), PLACE_INVARIANT, &out->invariants);
	build_checks(l, node_get(root, "preconditions"), PLACE_PRECONDITION, &out->preconditions);
	build_checks(l, node_get(root, "figures"), PLACE_FIGURE, &out->figures);
	build_not_evaluated(l, root, &out->not_evaluated);
	check_non_empty(l, root);
	check_ids(l, root);
}
