/* Model: stages, steps, invariants, preconditions and figures of loadverdict.run/1. Must not know
 * how anything is drawn; results stand in the order of the spec's items. */
#include "report/model.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/judge.h"

#define UNITS 1e12 /* ratios have 12 decimals */

static struct tree *interval(struct arena *a, struct tree *low, struct tree *high)
{
	struct tree *t = tree_object(a);

	tree_set(a, t, "low", low);
	tree_set(a, t, "high", high);
	return t;
}

static struct tree *no_interval(struct arena *a)
{
	return interval(a, tree_null(a), tree_null(a));
}

/* one end of good / (good + bad) */
static struct tree *ratio_end(struct arena *a, double good, double bad, bool up)
{
	struct strbuf text = STRBUF_INIT;
	struct tree *t;

	if (isinf(good) || isinf(bad) || !(good + bad > 0))
		/* without a bound, or of nothing at all at this end: nothing can be claimed */
		return tree_number(a, up ? "1.000000000000" : "0.000000000000");
	decimal_format_ratio(&text, good, good + bad, 12, up);
	t = tree_number(a, text.at);
	strbuf_release(&text);
	return t;
}

static bool refused(struct count c)
{
	return isnan(c.low) || isnan(c.high);
}

/* counting.md rule 19 */
static struct tree *model_ratio(struct arena *a, const struct sli_result *s)
{
	if (refused(s->good) || refused(s->bad) || refused(s->total) || !(s->total.high > 0))
		return no_interval(a);
	return interval(a, ratio_end(a, s->good.low, s->bad.high, false),
		ratio_end(a, s->good.high, s->bad.low, true));
}

/* a share that is only known as a double, to 12 decimals, low rounded down, high up */
static struct tree *share_end(struct arena *a, double share, bool up)
{
	double units = share * UNITS, whole = round(units);
	char text[48];

	if (!isfinite(share))
		return tree_null(a);
	/* 19/20 as a double lies below 0.95: what is a whole number of units but for the noise of
	 * the multiplication is that number */
	if (fabs(units - whole) > 1e-3)
		whole = up ? ceil(units) : floor(units);
	snprintf(text, sizeof text, "%.12f", whole / UNITS);
	return tree_number(a, text);
}

static double objective_units(struct decimal d)
{
	return decimal_to_double(d) * UNITS;
}

/* ratio - objective; both have 12 decimals, so the difference is exact where the objective is */
static struct tree *margin_end(struct arena *a, const struct tree *ratio, double objective)
{
	double units = round(tree_as_double(ratio, NAN) * UNITS) - round(objective);
	char text[48];

	if (isnan(units))
		return tree_null(a);
	snprintf(text, sizeof text, "%.12f", units / UNITS);
	return tree_number(a, text);
}

static struct tree *model_margin(
	struct arena *a, const struct tree *ratio, struct decimal objective)
{
	double units = objective_units(objective);

	return interval(a, margin_end(a, tree_get(ratio, "low"), units),
		margin_end(a, tree_get(ratio, "high"), units));
}

static struct tree *model_percentiles(
	struct arena *a, const struct percentile_result *results, size_t n)
{
	struct tree *list = tree_array(a);

	for (size_t i = 0; i < n; i++) {
		const struct percentile_result *p = &results[i];
		struct tree *t = tree_add(list, tree_object(a));
		tree_set(a, t, "p", model_decimal(a, true, p->p));
		tree_set(a, t, "within_s", model_decimal(a, true, p->within_s));
		tree_set(a, t, "share",
			interval(a, share_end(a, p->share_low, false),
				share_end(a, p->share_high, true)));
		tree_set(a, t, "verdict", tree_string(a, stage_verdict_name(p->verdict)));
	}
	return list;
}

static void set_quantile(
	struct arena *a, struct tree *t, const char *key, bool given, struct count bounds)
{
	tree_set(a, t, key, given ? model_count(a, bounds) : no_interval(a));
}

static void set_quantiles(struct arena *a, struct tree *t, const struct sli_result *s)
{
	bool h = s->has_quantiles;

	set_quantile(a, t, "p50_s", h, s->p50_s);
	set_quantile(a, t, "p95_s", h, s->p95_s);
	set_quantile(a, t, "p99_s", h, s->p99_s);
	tree_set(a, t, "p50_at_s", tree_double(a, h ? s->p50_at_s : NAN));
	tree_set(a, t, "p95_at_s", tree_double(a, h ? s->p95_at_s : NAN));
	tree_set(a, t, "p99_at_s", tree_double(a, h ? s->p99_at_s : NAN));
}

static void set_unseen(struct arena *a, struct tree *t, const struct sli_result *s)
{
	struct tree *u;

	if (!s->has_unseen) {
		tree_set(a, t, "unseen", tree_null(a));
		return;
	}
	u = tree_set(a, t, "unseen", tree_object(a));
	tree_set(a, u, "counted_as", tree_string(a, s->proportional ? "proportional" : "bad"));
	tree_set(a, u, "verdict_if_bad", tree_string(a, stage_verdict_name(s->if_unseen_bad)));
	tree_set(a, u, "verdict_if_proportional",
		tree_string(a, stage_verdict_name(s->if_proportional)));
}

static void add_selectors(
	struct arena *a, struct tree *counted, const char *key, const struct selectors *list)
{
	struct strbuf text = STRBUF_INIT;
	struct tree *t;

	if (!list->n)
		return;
	t = tree_set(a, counted, key, tree_array(a));
	for (size_t i = 0; i < list->n; i++) {
		strbuf_clear(&text);
		selector_print(&text, &list->at[i]);
		tree_add(t, model_string(a, text.at));
	}
	strbuf_release(&text);
}

static void add_selector(
	struct arena *a, struct tree *counted, const char *key, const struct selector *s)
{
	struct selector copy = *s;

	add_selectors(a, counted, key, &(struct selectors){.at = &copy, .n = 1});
}

/* where the numbers come from, as canonical PromQL */
static struct tree *counted_sli(struct arena *a, const struct sli *sli)
{
	struct tree *t = tree_object(a);

	add_selectors(a, t, "good", &sli->good);
	add_selectors(a, t, "bad", &sli->bad);
	add_selectors(a, t, "total", &sli->total);
	add_selectors(a, t, "exclude", &sli->exclude);
	if (sli->has_histogram)
		add_selector(a, t, "histogram", &sli->histogram);
	if (sli->success.n)
		add_selector(a, t, "success", &sli->success);
	if (sli->exclude_matchers.n)
		add_selector(a, t, "exclude_matchers", &sli->exclude_matchers);
	return t;
}

static struct tree *counted_measure(struct arena *a, const struct measure *m)
{
	static const char *const keys[] = {[MEASURE_COUNT] = "count",
		[MEASURE_MAX] = "max",
		[MEASURE_MIN] = "min",
		[MEASURE_FIRST] = "first",
		[MEASURE_LAST] = "last",
		[MEASURE_AVG] = "avg",
		[MEASURE_BALANCE] = "left"};
	static const char *const across[] = {NULL, "sum", "max", "min", "avg"};
	struct tree *t = tree_object(a);

	if (m->kind == MEASURE_BAND)
		add_selector(a, t, "histogram", &m->histogram);
	else if (m->kind == MEASURE_QUERY)
		tree_set(a, t, "query", model_string(a, m->query));
	else
		add_selectors(a, t, keys[m->kind], &m->selectors);
	if (m->kind == MEASURE_BALANCE)
		add_selectors(a, t, "right", &m->right);
	if (m->across != ACROSS_NONE)
		tree_set(a, t, "across", tree_string(a, across[m->across]));
	if (m->has_over)
		tree_set(a, t, "over_s", model_decimal(a, true, m->over_s));
	if (m->has_up_to)
		tree_set(a, t, "up_to_s", model_decimal(a, true, m->up_to_s));
	return t;
}

struct sli_shape { /* what the spec says about a stage or one of its steps */
	const char *id;
	const struct text *title;
	const struct stage *stage;
	const struct sli *sli;
	bool is_step;
};

static struct tree *model_sli(
	struct arena *a, const struct sli_shape *shape, const struct sli_result *s)
{
	static const struct text none = {0};
	const struct stage *stage = shape->stage;
	const struct text *because = shape->is_step ? &none : &stage->because;
	struct tree *t = tree_object(a), *ratio = model_ratio(a, s);

	tree_set(a, t, "id", model_string(a, shape->id));
	tree_set(a, t, "title", model_string(a, shape->title->en ? shape->title->en : shape->id));
	tree_set(a, t, "titles", model_texts(a, shape->title, shape->id));
	tree_set(a, t, "component", model_string(a, stage->component));
	tree_set(a, t, "because", model_string(a, because->en));
	tree_set(a, t, "becauses", model_texts(a, because, NULL));
	tree_set(a, t, "objective", model_decimal(a, true, stage->objective));
	tree_set(a, t, "verdict", tree_string(a, stage_verdict_name(s->verdict)));
	tree_set(a, t, "good", model_count(a, s->good));
	tree_set(a, t, "bad", model_count(a, s->bad));
	tree_set(a, t, "total", model_count(a, s->total));
	tree_set(a, t, "excluded", model_count(a, s->excluded));
	tree_set(a, t, "ratio", ratio);
	tree_set(a, t, "margin", model_margin(a, ratio, stage->objective));
	tree_set(a, t, "confidence", tree_string(a, confidence_name(s->confidence)));
	tree_set(a, t, "within_s", model_decimal(a, shape->sli->has_within, shape->sli->within_s));
	tree_set(a, t, "at_least",
		model_decimal(a, stage->has_at_least && !shape->is_step, stage->at_least));
	return t;
}

static void finish_sli(struct arena *a, struct tree *t, const struct sli *sli,
	const struct sli_result *s, const char *subject, struct tree *steps)
{
	set_quantiles(a, t, s);
	set_unseen(a, t, s);
	tree_set(a, t, "steps", steps);
	tree_set(a, t, "notes", model_notes(a, &s->notes, subject, false));
	tree_set(a, t, "counted", counted_sli(a, sli));
}

static struct tree *model_step(struct arena *a, const struct stage *stage, const struct step *step,
	const struct step_result *r)
{
	const struct sli_shape shape = {step->id, &step->title, stage, &step->sli, true};
	struct tree *t = model_sli(a, &shape, &r->sli);

	tree_set(a, t, "percentiles", tree_array(a));
	finish_sli(a, t, &step->sli, &r->sli, arena_printf(a, "stage/%s/%s", stage->id, step->id),
		tree_array(a));
	return t;
}

static struct tree *model_stage(
	struct arena *a, const struct stage *stage, const struct stage_result *r)
{
	const struct sli_shape shape = {stage->id, &stage->title, stage, &stage->sli, false};
	struct tree *t = model_sli(a, &shape, &r->sli), *steps = tree_array(a);

	assert(r->n_steps == stage->n_steps);
	tree_set(a, t, "each", stage->n_steps ? tree_bool(a, stage->each) : tree_null(a));
	tree_set(a, t, "percentiles", model_percentiles(a, r->percentiles, r->n_percentiles));
	for (size_t i = 0; i < r->n_steps; i++)
		tree_add(steps, model_step(a, stage, &stage->steps[i], &r->steps[i]));
	finish_sli(a, t, &stage->sli, &r->sli, arena_printf(a, "stage/%s", stage->id), steps);
	return t;
}

struct tree *model_stages(struct arena *a, const struct spec *spec, const struct result *result)
{
	struct tree *list = tree_array(a);

	assert(result->n_stages == spec->n_stages);
	for (size_t i = 0; i < result->n_stages; i++)
		tree_add(list, model_stage(a, &spec->stages[i], &result->stages[i]));
	return list;
}

/* Margins of different objectives are compared by how much of what may fail is left: 0.5 points of
 * 1 are nearer to a miss than 0.1 points of 0.1. */
struct least {
	double left, points;
	const struct tree *stage, *step, *percentile;
	struct tree *margin;
};

static void consider(struct least *least, const struct least *other, double objective)
{
	struct least o = *other;

	if (isnan(o.points))
		return;
	o.left = objective < 1 ? o.points / (1 - objective) : o.points < 0 ? -INFINITY : 1;
	if (!least->stage || o.left < least->left ||
		(o.left <= least->left && o.points < least->points))
		*least = o;
}

static void consider_sli(struct least *least, const struct tree *stage, const struct tree *step)
{
	const struct tree *t = step ? step : stage;
	struct tree *margin = (struct tree *)tree_get(t, "margin");
	struct least o = {.points = tree_as_double(tree_get(margin, "low"), NAN),
		.stage = stage,
		.step = step,
		.margin = margin};

	consider(least, &o, tree_as_double(tree_get(t, "objective"), NAN));
}

static void consider_percentile(
	struct arena *a, struct least *least, const struct tree *stage, const struct tree *p)
{
	double objective = tree_as_double(tree_get(p, "p"), NAN) / 100;
	const struct tree *share = tree_get(p, "share");
	struct least o = {.stage = stage, .percentile = p};

	o.margin = interval(a, margin_end(a, tree_get(share, "low"), objective * UNITS),
		margin_end(a, tree_get(share, "high"), objective * UNITS));
	o.points = tree_as_double(tree_get(o.margin, "low"), NAN);
	consider(least, &o, objective);
}

static struct tree *copy_interval(struct arena *a, const struct tree *t)
{
	const char *low = tree_text(tree_get(t, "low"), NULL);
	const char *high = tree_text(tree_get(t, "high"), NULL);

	return interval(a, low ? tree_number(a, low) : tree_null(a),
		high ? tree_number(a, high) : tree_null(a));
}

static void consider_stage(struct arena *a, struct least *least, const struct tree *stage)
{
	const struct tree *steps = tree_get(stage, "steps");

	if (tree_is_true(tree_get(stage, "each")))
		for (const struct tree *s = steps->first; s; s = s->next)
			consider_sli(least, stage, s);
	else
		consider_sli(least, stage, NULL);
	for (const struct tree *p = tree_get(stage, "percentiles")->first; p; p = p->next)
		consider_percentile(a, least, stage, p);
}

struct tree *model_least_margin(struct arena *a, const struct tree *stages)
{
	struct least least = {0};
	struct tree *t;

	for (const struct tree *s = stages->first; s; s = s->next)
		consider_stage(a, &least, s);
	if (!least.stage)
		return tree_null(a);
	t = tree_object(a);
	tree_set(a, t, "stage", tree_string(a, tree_text(tree_get(least.stage, "id"), NULL)));
	tree_set(a, t, "step", tree_string(a, tree_text(tree_get(least.step, "id"), NULL)));
	const char *p = tree_text(tree_get(least.percentile, "p"), NULL);
	tree_set(a, t, "percentile", p ? tree_number(a, p) : tree_null(a));
	tree_set(a, t, "margin", copy_interval(a, least.margin));
	return t;
}

static struct tree *model_labels(struct arena *a, const struct labels *labels)
{
	struct tree *t = tree_object(a);

	for (size_t i = 0; i < labels->n; i++)
		tree_set(a, t, labels->at[i].name, model_string(a, labels->at[i].value));
	return t;
}

static struct tree *model_members(struct arena *a, const struct check_result *r, bool precondition)
{
	struct tree *list = tree_array(a);

	for (size_t i = 0; i < r->n_members; i++) {
		struct tree *t = tree_add(list, tree_object(a));
		tree_set(a, t, "labels", model_labels(a, &r->members[i].labels));
		tree_set(a, t, "observed", model_count(a, r->members[i].observed));
		tree_set(a, t, "verdict",
			tree_string(a, check_verdict_name(r->members[i].verdict, precondition)));
	}
	return list;
}

static struct tree *check_head(struct arena *a, const struct check *c)
{
	struct tree *t = tree_object(a);

	tree_set(a, t, "id", model_string(a, c->id));
	tree_set(a, t, "title", model_string(a, c->title.en ? c->title.en : c->id));
	tree_set(a, t, "titles", model_texts(a, &c->title, c->id));
	tree_set(a, t, "because", model_string(a, c->because.en));
	tree_set(a, t, "becauses", model_texts(a, &c->because, NULL));
	return t;
}

static void check_tail(struct arena *a, struct tree *t, const struct check *c,
	const struct check_result *r, bool precondition, const char *block)
{
	tree_set(a, t, "unit", model_string(a, c->measure.unit));
	tree_set(a, t, "sampled_every_s",
		r->sampled_every_ms ? tree_double(a, (double)r->sampled_every_ms / 1000)
				    : tree_null(a));
	tree_set(a, t, "max_at", model_time(a, r->max_at_ms));
	tree_set(a, t, "computed_by_server", tree_bool(a, c->measure.kind == MEASURE_QUERY));
	tree_set(a, t, "members", model_members(a, r, precondition));
	tree_set(a, t, "notes",
		model_notes(a, &r->notes, arena_printf(a, "%s/%s", block, c->id), false));
	tree_set(a, t, "counted", counted_measure(a, &c->measure));
}

struct tree *model_checks(struct arena *a, const struct checks *checks,
	const struct check_result *results, size_t n, bool precondition)
{
	struct tree *list = tree_array(a);

	assert(n == checks->n);
	for (size_t i = 0; i < n; i++) {
		const struct check *c = &checks->at[i];
		const struct check_result *r = &results[i];
		struct tree *t = tree_add(list, check_head(a, c));
		tree_set(a, t, "verdict",
			tree_string(a, check_verdict_name(r->verdict, precondition)));
		tree_set(a, t, "observed", model_count(a, r->observed));
		tree_set(a, t, "at_most", model_decimal(a, c->limit.has_at_most, c->limit.at_most));
		tree_set(a, t, "at_least",
			model_decimal(a, c->limit.has_at_least, c->limit.at_least));
		tree_set(a, t, "equals", model_decimal(a, c->limit.has_equals, c->limit.equals));
		tree_set(a, t, "within", model_decimal(a, c->limit.has_within, c->limit.within));
		if (!precondition)
			tree_set(a, t, "integrity", tree_bool(a, c->integrity));
		check_tail(a, t, c, r, precondition, precondition ? "precondition" : "invariant");
	}
	return list;
}

struct tree *model_figures(
	struct arena *a, const struct checks *checks, const struct check_result *results, size_t n)
{
	struct tree *list = tree_array(a);

	assert(n == checks->n);
	for (size_t i = 0; i < n; i++) {
		struct tree *t = tree_add(list, check_head(a, &checks->at[i]));
		tree_set(a, t, "value", model_count(a, results[i].observed));
		check_tail(a, t, &checks->at[i], &results[i], false, "figure");
	}
	return list;
}
