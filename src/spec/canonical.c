/* Canonical: the judged parts of a spec as JSON with sorted keys, and SHA-256.
 * Texts, components, units of figures, figures and the report are left out: two specs that judge
 * alike have the same digest, however they are written. */
#include <openssl/evp.h>

#include "base/json.h"
#include "spec/build.h"

static struct tree *decimal_tree(struct arena *a, struct decimal d)
{
	struct tree *t = tree_array(a);

	/* a fraction such as 1/3 has no decimal text */
	tree_add(t, tree_int(a, d.num));
	tree_add(t, tree_int(a, d.den));
	return t;
}

static void set_decimal(
	struct arena *a, struct tree *o, const char *key, bool has, struct decimal d)
{
	if (has)
		tree_set(a, o, key, decimal_tree(a, d));
}

static struct tree *selector_tree(struct arena *a, const struct selector *s)
{
	struct strbuf b = STRBUF_INIT;
	struct tree *t;

	selector_print(&b, s);
	t = tree_string(a, b.at);
	strbuf_release(&b);
	return t;
}

static void set_selector(
	struct arena *a, struct tree *o, const char *key, bool has, const struct selector *s)
{
	if (has)
		tree_set(a, o, key, selector_tree(a, s));
}

static void set_selectors(
	struct arena *a, struct tree *o, const char *key, const struct selectors *s)
{
	struct tree *list;

	if (!s->n)
		return;
	list = tree_set(a, o, key, tree_array(a));
	for (size_t i = 0; i < s->n; i++)
		tree_add(list, selector_tree(a, &s->at[i]));
}

static void set_names(struct arena *a, struct tree *o, const char *key, const struct names *n)
{
	struct tree *list;

	if (!n->n)
		return;
	list = tree_set(a, o, key, tree_array(a));
	for (size_t i = 0; i < n->n; i++)
		tree_add(list, tree_string(a, n->at[i]));
}

static void set_true(struct arena *a, struct tree *o, const char *key, bool v)
{
	if (v)
		tree_set(a, o, key, tree_bool(a, true));
}

static void set_proof(struct arena *a, struct tree *o, const struct proof *p)
{
	set_true(a, o, "optional", p->optional);
	set_true(a, o, "absent", p->absent);
	set_true(a, o, "recorded", p->recorded);
	if (p->outcome)
		tree_set(a, o, "outcome", tree_string(a, p->outcome));
	set_selectors(a, o, "family", &p->family);
	set_selectors(a, o, "witness", &p->witness);
}

static void set_sli(struct arena *a, struct tree *o, const struct sli *s)
{
	set_selectors(a, o, "good", &s->good);
	set_selectors(a, o, "bad", &s->bad);
	set_selectors(a, o, "total", &s->total);
	set_selectors(a, o, "exclude", &s->exclude);
	set_selector(a, o, "histogram", s->has_histogram, &s->histogram);
	set_decimal(a, o, "within_s", s->has_within, s->within_s);
	set_selector(a, o, "success", s->success.n > 0, &s->success);
	set_selector(a, o, "exclude_matchers", s->exclude_matchers.n > 0, &s->exclude_matchers);
	set_proof(a, o, &s->proof);
}

static struct tree *stage_tree(struct arena *a, const struct stage *s)
{
	struct tree *o = tree_object(a), *list;

	tree_set(a, o, "id", tree_string(a, s->id));
	tree_set(a, o, "objective", decimal_tree(a, s->objective));
	set_decimal(a, o, "at_least", s->has_at_least, s->at_least);
	if (s->n_percentiles) {
		list = tree_set(a, o, "percentiles", tree_array(a));
		for (size_t i = 0; i < s->n_percentiles; i++) {
			struct tree *p = tree_add(list, tree_object(a));

			tree_set(a, p, "p", decimal_tree(a, s->percentiles[i].p));
			tree_set(a, p, "within_s", decimal_tree(a, s->percentiles[i].within_s));
		}
	}
	if (!s->n_steps) {
		set_sli(a, o, &s->sli);
		return o;
	}
	tree_set(a, o, "each", tree_bool(a, s->each));
	list = tree_set(a, o, "steps", tree_array(a));
	for (size_t i = 0; i < s->n_steps; i++) {
		struct tree *step = tree_add(list, tree_object(a));

		tree_set(a, step, "id", tree_string(a, s->steps[i].id));
		set_sli(a, step, &s->steps[i].sli);
	}
	return o;
}

static void set_measure(struct arena *a, struct tree *o, const struct measure *m)
{
	static const char *const kind[] = {
		[MEASURE_COUNT] = "count",
		[MEASURE_MAX] = "max",
		[MEASURE_MIN] = "min",
		[MEASURE_FIRST] = "first",
		[MEASURE_LAST] = "last",
		[MEASURE_AVG] = "avg",
		[MEASURE_BAND] = "band",
		[MEASURE_BALANCE] = "balance",
		[MEASURE_QUERY] = "query",
		[MEASURE_RATE] = "rate",
	};
	static const char *const across[] = {
		[ACROSS_SUM] = "sum",
		[ACROSS_MAX] = "max",
		[ACROSS_MIN] = "min",
		[ACROSS_AVG] = "avg",
	};

	tree_set(a, o, "kind", tree_string(a, kind[m->kind]));
	set_selectors(a, o, "of", &m->selectors);
	set_selectors(a, o, "right", &m->right);
	set_selector(a, o, "histogram", m->kind == MEASURE_BAND, &m->histogram);
	set_decimal(a, o, "over_s", m->has_over, m->over_s);
	set_decimal(a, o, "up_to_s", m->has_up_to, m->up_to_s);
	if (m->query)
		tree_set(a, o, "query", tree_string(a, m->query));
	if (m->across)
		tree_set(a, o, "across", tree_string(a, across[m->across]));
	set_names(a, o, "per", &m->per);
	set_proof(a, o, &m->proof);
}

static struct tree *check_tree(struct arena *a, const struct check *c)
{
	struct tree *o = tree_object(a);

	tree_set(a, o, "id", tree_string(a, c->id));
	set_measure(a, o, &c->measure);
	set_decimal(a, o, "at_most", c->limit.has_at_most, c->limit.at_most);
	set_decimal(a, o, "at_least", c->limit.has_at_least, c->limit.at_least);
	set_decimal(a, o, "equals", c->limit.has_equals, c->limit.equals);
	set_decimal(a, o, "within", c->limit.has_within, c->limit.within);
	set_true(a, o, "integrity", c->integrity);
	return o;
}

static void set_checks(
	struct arena *a, struct tree *o, const char *key, const struct checks *checks)
{
	struct tree *list = tree_set(a, o, key, tree_array(a));

	for (size_t i = 0; i < checks->n; i++)
		tree_add(list, check_tree(a, &checks->at[i]));
}

static void set_load(struct arena *a, struct tree *root, const struct spec *spec)
{
	struct tree *o = tree_set(a, root, "load", tree_object(a));

	if (spec->load_unit)
		tree_set(a, o, "unit", tree_string(a, spec->load_unit));
	if (spec->has_delivered)
		set_measure(a, tree_set(a, o, "delivered", tree_object(a)), &spec->delivered);
}

static void set_window(struct arena *a, struct tree *root, const struct spec *spec)
{
	struct tree *o = tree_set(a, root, "window", tree_object(a));

	tree_set(a, o, "before_ms", tree_int(a, spec->before_ms));
	tree_set(a, o, "after_ms", tree_int(a, spec->after_ms));
	tree_set(a, o, "warmup_ms", tree_int(a, spec->warmup_ms));
}

static void set_targets(struct arena *a, struct tree *root, const struct targets_spec *t)
{
	struct tree *o = tree_set(a, root, "targets", tree_object(a));

	set_names(a, o, "identity", &t->identity);
	tree_set(a, o, "unseen",
		tree_string(a, t->unseen == UNSEEN_PROPORTIONAL ? "proportional" : "bad"));
	set_selector(a, o, "alive", t->has_alive, &t->alive);
}

const char *judged_json(struct arena *a, const struct spec *spec)
{
	struct tree *root = tree_object(a);
	struct tree *stages = tree_set(a, root, "stages", tree_array(a));
	struct strbuf b = STRBUF_INIT;
	const char *out;

	for (size_t i = 0; i < spec->n_stages; i++)
		tree_add(stages, stage_tree(a, &spec->stages[i]));
	set_checks(a, root, "invariants", &spec->invariants);
	set_checks(a, root, "preconditions", &spec->preconditions);
	set_window(a, root, spec);
	set_targets(a, root, &spec->targets);
	set_load(a, root, spec);
	json_add_tree(&b, root, JSON_BY_KEY);
	out = arena_strndup(a, b.at, b.n);
	strbuf_release(&b);
	return out;
}

const char *sha256_hex(struct arena *a, const char *bytes, size_t n)
{
	unsigned char md[EVP_MAX_MD_SIZE];
	unsigned int len = 0;
	struct strbuf b = STRBUF_INIT;
	const char *out;

	if (!EVP_Digest(bytes, n, md, &len, EVP_sha256(), NULL))
		error_out_of_memory();
	for (unsigned int i = 0; i < len; i++)
		strbuf_addf(&b, "%02x", md[i]);
	out = arena_strdup(a, b.at);
	strbuf_release(&b);
	return out;
}
