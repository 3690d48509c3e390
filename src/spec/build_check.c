/* Invariants, preconditions, figures and the delivered load: how one number is got, and its limit.
 */
#include <string.h>

#include "spec/build.h"
#include "spec/scalar.h"

static const struct {
	const char *key;
	enum measure_kind kind;
} kinds[] = {
	{"count", MEASURE_COUNT},
	{"max", MEASURE_MAX},
	{"min", MEASURE_MIN},
	{"first", MEASURE_FIRST},
	{"last", MEASURE_LAST},
	{"avg", MEASURE_AVG},
	{"histogram", MEASURE_BAND},
	{"balance", MEASURE_BALANCE},
	{"query", MEASURE_QUERY},
	{"rate", MEASURE_RATE},
};

/* The member that says how the number is got; NULL if there is none (which was said). */
static struct node *find_kind(struct node *map, enum measure_kind *kind)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct node *m = node_get(map, kinds[i].key);

		if (m) {
			*kind = kinds[i].kind;
			return m;
		}
	}
	return NULL;
}

static bool is_value(enum measure_kind k)
{
	return k == MEASURE_MAX || k == MEASURE_MIN || k == MEASURE_FIRST || k == MEASURE_LAST ||
	       k == MEASURE_AVG;
}

static bool is_count(enum measure_kind k)
{
	return k == MEASURE_COUNT || k == MEASURE_BAND;
}

static enum across across_of(const struct node *n)
{
	static const char *const word[] = {
		[ACROSS_SUM] = "sum",
		[ACROSS_MAX] = "max",
		[ACROSS_MIN] = "min",
		[ACROSS_AVG] = "avg",
	};
	const char *s;

	if (read_text(n, &s))
		for (enum across x = ACROSS_SUM; x <= ACROSS_AVG; x++)
			if (!strcmp(word[x], s))
				return x;
	return ACROSS_NONE;
}

static void refuse_keys(
	struct loading *l, struct node *map, const char *const *keys, const char *why)
{
	for (; *keys; keys++)
		refuse_key(l, map, *keys, why);
}

/* A key that would be read and then change nothing is refused. */
static void check_measure(struct loading *l, struct node *map, enum measure_kind k)
{
	static const char *const band[] = {"over", "up_to", NULL};
	static const char *const zero[] = {"family", "outcome", "absent", "witness", NULL};
	static const char *const series[] = {"optional", "recorded", NULL};

	if (k != MEASURE_BAND)
		refuse_keys(l, map, band,
			"this key is a bound of a latency band: it needs `histogram`");
	else if (!node_get(map, "over") && !node_get(map, "up_to"))
		problem_at(l, map, "a latency band needs `over`, `up_to`, or both");
	if (!is_value(k))
		refuse_key(l, map, "across",
			k == MEASURE_QUERY
				? "`across` does not go with `query`: say it in PromQL"
				: "`across` goes with max, min, first, last and avg: counts over "
				  "several series are summed");
	if (!is_value(k) && !is_count(k))
		refuse_key(l, map, "per", "`per` goes with counts and values of selectors");
	if (!is_count(k))
		refuse_keys(l, map, zero,
			"this key helps to prove that a count is zero: it goes with `count` or "
			"`histogram`");
	if (k == MEASURE_QUERY)
		refuse_keys(l, map, series, "this key does not go with `query`");
}

static void build_band(struct loading *l, struct node *map, struct measure *out)
{
	struct node *up_to = node_get(map, "up_to");

	out->has_over = read_seconds(node_get(map, "over"), &out->over_s);
	out->has_up_to = read_seconds(up_to, &out->up_to_s);
	if (out->has_over && out->has_up_to && decimal_cmp(out->over_s, out->up_to_s) >= 0)
		problem_at(l, up_to, "`up_to` must be more than `over`");
}

static void build_measure(struct loading *l, struct node *map, struct measure *out)
{
	struct node *m = find_kind(map, &out->kind);

	out->proof = build_proof(l, map);
	out->across = across_of(node_get(map, "across"));
	out->per = build_names(l, node_get(map, "per"));
	out->unit = get_text(map, "unit");
	if (!m)
		return;
	switch (out->kind) {
	case MEASURE_QUERY:
		read_text(m, &out->query);
		break;
	case MEASURE_BAND:
		build_selector(m, &out->histogram);
		build_band(l, map, out);
		break;
	case MEASURE_BALANCE:
		out->selectors = build_selectors(l, node_get(m, "left"));
		out->right = build_selectors(l, node_get(m, "right"));
		break;
	default:
		out->selectors = build_selectors(l, m);
	}
	if (!map->bad)
		check_measure(l, map, out->kind);
}

static void build_limit(struct loading *l, struct node *map, struct limit *out)
{
	struct node *equals = node_get(map, "equals"), *least = node_get(map, "at_least"),
		    *within = node_get(map, "within");

	out->has_at_most = read_number(node_get(map, "at_most"), &out->at_most);
	out->has_at_least = read_number(least, &out->at_least);
	out->has_equals = read_number(equals, &out->equals);
	out->has_within = read_number(within, &out->within);
	if (within && !equals)
		problem_at(l, within->key,
			"`within` is a tolerance around `equals`: it needs `equals`");
	if (out->has_within && decimal_cmp(out->within, decimal_of(0)) < 0)
		problem_at(l, within, "a tolerance must not be below 0");
	if (equals && (least || node_get(map, "at_most")))
		problem_at(l, equals->key, "`equals` does not go with `at_most` or `at_least`");
	if (out->has_at_most && out->has_at_least && decimal_cmp(out->at_least, out->at_most) > 0)
		problem_at(l, least, "`at_least` is more than `at_most`: nothing can meet both");
}

void build_checks(struct loading *l, struct node *list, enum check_place place, struct checks *out)
{
	if (!list || list->kind != NODE_LIST)
		return;
	out->at = arena_array(l->a, struct check, list->n + 1);
	for (struct node *m = list->first; m; m = m->next) {
		struct check *c;

		if (m->kind != NODE_MAP)
			continue;
		c = &out->at[out->n++];
		c->id = get_text(m, "id");
		c->title = build_text(node_get(m, "title"));
		c->because = build_text(node_get(m, "because"));
		c->integrity = get_bool(m, "integrity", false);
		build_measure(l, m, &c->measure);
		if (place != PLACE_FIGURE)
			build_limit(l, m, &c->limit);
	}
	unique_ids(l, list);
}

void build_delivered(struct loading *l, struct node *map, struct spec *out)
{
	if (!map || map->kind != NODE_MAP)
		return;
	build_measure(l, map, &out->delivered);
	out->has_delivered = true;
}
