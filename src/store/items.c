/* Items: verdicts and numbers of a run's document as rows, so that SQL can ask for them. Reads the
 * shape of loadverdict.run/1; what is not there becomes null. */
#include "store/rows.h"

#include <math.h>

struct item {
	const char *kind, *name;
	const struct tree *at;
	const char *value;     /* member that holds low and high */
	const char *objective; /* member; NULL */
};

static double edge(const struct tree *at, const char *member, const char *end)
{
	return tree_as_double(tree_get(tree_get(at, member), end), NAN);
}

static int insert_item(
	struct store *s, int64_t revision_id, const struct item *item, struct error *err)
{
	const struct tree *t = item->at;
	return db_run(s, err,
		"INSERT INTO item (revision_id, kind, name, verdict, objective, low, high, "
		"good_low,"
		" good_high, total_low, total_high) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"itttddddddd", revision_id, item->kind, item->name,
		tree_text(tree_get(t, "verdict"), NULL),
		item->objective ? tree_as_double(tree_get(t, item->objective), NAN) : NAN,
		edge(t, item->value, "low"), edge(t, item->value, "high"), edge(t, "good", "low"),
		edge(t, "good", "high"), edge(t, "total", "low"), edge(t, "total", "high"));
}

/* Every member of `list`, named by its `id` and the name of what it belongs to. */
static int insert_list(struct store *s, int64_t revision_id, const struct tree *list,
	const struct item *like, const char *parent, struct error *err)
{
	int rc = 0;
	struct arena a = ARENA_INIT;
	for (const struct tree *t = list ? list->first : NULL; t && !rc; t = t->next) {
		struct item item = *like;
		item.at = t;
		const char *id = tree_text(tree_get(t, "id"), "");
		item.name = parent ? arena_printf(&a, "%s/%s", parent, id) : id;
		rc = insert_item(s, revision_id, &item, err);
	}
	arena_release(&a);
	return rc;
}

static int insert_percentiles(struct store *s, int64_t revision_id, const struct tree *stage,
	const char *parent, struct error *err)
{
	int rc = 0;
	struct arena a = ARENA_INIT;
	const struct tree *list = tree_get(stage, "percentiles");
	for (const struct tree *t = list ? list->first : NULL; t && !rc; t = t->next) {
		struct item item = {"percentile", NULL, t, "share", NULL};
		item.name = arena_printf(&a, "%s/p%s", parent, tree_text(tree_get(t, "p"), ""));
		rc = insert_item(s, revision_id, &item, err);
	}
	arena_release(&a);
	return rc;
}

static int insert_stages(
	struct store *s, int64_t revision_id, const struct tree *stages, struct error *err)
{
	static const struct item stage = {"stage", NULL, NULL, "ratio", "objective"};
	static const struct item step = {"step", NULL, NULL, "ratio", "objective"};
	if (insert_list(s, revision_id, stages, &stage, NULL, err))
		return -1;
	for (const struct tree *t = stages ? stages->first : NULL; t; t = t->next) {
		const char *id = tree_text(tree_get(t, "id"), "");
		if (insert_list(s, revision_id, tree_get(t, "steps"), &step, id, err) ||
			insert_percentiles(s, revision_id, t, id, err))
			return -1;
	}
	return 0;
}

int insert_items(
	struct store *s, int64_t revision_id, const struct tree *document, struct error *err)
{
	static const struct {
		const char *list;
		struct item item;
	} lists[] = {
		{"invariants", {"invariant", NULL, NULL, "observed", NULL}},
		{"preconditions", {"precondition", NULL, NULL, "observed", NULL}},
		{"figures", {"figure", NULL, NULL, "value", NULL}},
	};
	if (insert_stages(s, revision_id, tree_get(document, "stages"), err))
		return -1;
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		if (insert_list(s, revision_id, tree_get(document, lists[i].list), &lists[i].item,
			    NULL, err))
			return -1;
	return 0;
}
