/* View: the tables of stages, invariants, preconditions, figures and latencies. Must not know any
 * output format. */
#include "report/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/catalogue.h"
#include "report/show.h"

#define DASH "\u2013"
#define CHILD "\u21b3 "
#define MEMBERS_SHOWN 10

static struct view_section *start(
	struct view *v, enum view_section_id id, const char *title, enum view_kind kind)
{
	struct view_section *s = &v->section[id];

	s->title = catalogue_text(v->lang, title);
	s->kind = kind;
	return s;
}

static void column(
	struct view *v, struct view_section *s, const char *key, bool right, bool optional)
{
	s->column[s->n_columns++] =
		(struct view_column){catalogue_text(v->lang, key), right, optional};
}

static const char *low_of(const struct tree *interval)
{
	return tree_text(tree_get(interval, "low"), NULL);
}

static const char *high_of(const struct tree *interval)
{
	return tree_text(tree_get(interval, "high"), NULL);
}

static const char *count_text(struct view *v, const struct tree *interval)
{
	struct strbuf b = STRBUF_INIT;

	show_interval(&b, interval);
	return view_keep(v, &b);
}

/* --- stages ------------------------------------------------------------------------------------
 */

enum {
	STAGE_TITLE,
	STAGE_COMPONENT,
	STAGE_OBJECTIVE,
	STAGE_OBSERVED,
	STAGE_MARGIN,
	STAGE_VOLUME,
	STAGE_EXCLUDED,
	STAGE_VERDICT
};

static const char *objective_text(struct view *v, const char *share, const char *within)
{
	struct strbuf text = STRBUF_INIT, objective = STRBUF_INIT, seconds = STRBUF_INIT;

	show_objective(&objective, v->lang, share);
	if (within) {
		show_seconds(&seconds, v->lang, within);
		catalogue_say(&text, v->lang, "format.within", "objective", objective.at, "within",
			seconds.at, NULL);
	} else {
		strbuf_adds(&text, objective.at);
	}
	strbuf_release(&objective);
	strbuf_release(&seconds);
	return view_keep(v, &text);
}

static const char *share_text(struct view *v, const struct tree *ratio, const char *objective)
{
	struct strbuf b = STRBUF_INIT;

	show_percent(&b, v->lang, low_of(ratio), high_of(ratio), objective);
	return view_keep(v, &b);
}

static const char *margin_text(struct view *v, const struct tree *margin)
{
	struct strbuf b = STRBUF_INIT;

	show_margin(&b, v->lang, low_of(margin), high_of(margin));
	return view_keep(v, &b);
}

static const char *excluded_text(struct view *v, const struct tree *t)
{
	const struct tree *excluded = tree_get(t, "excluded"), *total = tree_get(t, "total");
	double part = tree_as_double(tree_get(excluded, "high"), NAN);
	double all = tree_as_double(tree_get(total, "low"), NAN);
	struct strbuf b = STRBUF_INIT;

	show_interval(&b, excluded);
	if (part > 0 && isfinite(all)) {
		strbuf_adds(&b, " (");
		show_part(&b, v->lang, part, all);
		strbuf_adds(&b, ")");
	}
	return view_keep(v, &b);
}

static const char *volume_text(struct view *v, const struct tree *t)
{
	const char *good = count_text(v, tree_get(t, "good"));
	const char *total = count_text(v, tree_get(t, "total"));

	if (!strcmp(good, DASH) && !strcmp(total, DASH))
		return DASH;
	return arena_printf(&v->arena, "%s / %s", good, total);
}

static struct view_row *sli_row(
	struct view *v, struct view_section *s, const struct tree *t, bool child)
{
	struct view_row *row = ARRAY_ADD(&s->rows);
	const char *objective = tree_text(tree_get(t, "objective"), NULL);
	const char *verdict = tree_text(tree_get(t, "verdict"), NULL);

	row->child = child;
	row->tone = view_tone(verdict);
	row->cell[STAGE_TITLE] =
		child ? arena_printf(&v->arena, CHILD "%s", view_title(v, t)) : view_title(v, t);
	row->cell[STAGE_COMPONENT] = child ? "" : tree_text(tree_get(t, "component"), "");
	row->cell[STAGE_OBJECTIVE] =
		objective_text(v, objective, tree_text(tree_get(t, "within_s"), NULL));
	row->cell[STAGE_OBSERVED] = share_text(v, tree_get(t, "ratio"), objective);
	row->cell[STAGE_MARGIN] = margin_text(v, tree_get(t, "margin"));
	row->cell[STAGE_VOLUME] = volume_text(v, t);
	row->cell[STAGE_EXCLUDED] = excluded_text(v, t);
	row->cell[STAGE_VERDICT] = verdict ? view_verdict(v, verdict) : "";
	return row;
}

static const char *points_between(struct view *v, const struct tree *share, double objective)
{
	double low = tree_as_double(tree_get(share, "low"), NAN) - objective;
	double high = tree_as_double(tree_get(share, "high"), NAN) - objective;
	struct strbuf b = STRBUF_INIT;
	char l[48], h[48];

	snprintf(l, sizeof l, "%.12f", low);
	snprintf(h, sizeof h, "%.12f", high);
	show_margin(&b, v->lang, isnan(low) ? NULL : l, isnan(high) ? NULL : h);
	return view_keep(v, &b);
}

static void percentile_row(struct view *v, struct view_section *s, const struct tree *p)
{
	struct view_row *row = ARRAY_ADD(&s->rows);
	double objective = tree_as_double(tree_get(p, "p"), NAN) / 100;
	const char *share = arena_printf(&v->arena, "%.12f", objective);
	const char *verdict = tree_text(tree_get(p, "verdict"), "");

	row->child = true;
	row->tone = view_tone(verdict);
	row->cell[STAGE_TITLE] =
		arena_printf(&v->arena, CHILD "p%s", tree_text(tree_get(p, "p"), ""));
	row->cell[STAGE_COMPONENT] = "";
	row->cell[STAGE_OBJECTIVE] =
		objective_text(v, share, tree_text(tree_get(p, "within_s"), NULL));
	row->cell[STAGE_OBSERVED] = share_text(v, tree_get(p, "share"), share);
	row->cell[STAGE_MARGIN] = points_between(v, tree_get(p, "share"), objective);
	row->cell[STAGE_VOLUME] = "";
	row->cell[STAGE_EXCLUDED] = "";
	row->cell[STAGE_VERDICT] = view_verdict(v, verdict);
}

static void add_stage(struct view *v, struct view_section *s, const struct tree *stage)
{
	const struct tree *steps = tree_get(stage, "steps"), *ps = tree_get(stage, "percentiles");
	bool sum = !tree_is_true(tree_get(stage, "each"));

	struct view_row *whole = sli_row(v, s, stage, false);
	if (!sum) {
		/* every step must meet the objective; what stands here is their sum */
		struct strbuf each = STRBUF_INIT;
		catalogue_say(&each, v->lang, "format.each", "objective",
			whole->cell[STAGE_OBJECTIVE], NULL);
		whole->cell[STAGE_OBJECTIVE] = view_keep(v, &each);
		whole->cell[STAGE_MARGIN] = DASH;
	}
	for (const struct tree *t = steps ? steps->first : NULL; t; t = t->next) {
		struct view_row *row = sli_row(v, s, t, true);
		if (!sum)
			continue;
		/* the objective is one of the sum */
		row->cell[STAGE_OBJECTIVE] = row->cell[STAGE_MARGIN] = DASH;
		row->cell[STAGE_VERDICT] = "";
	}
	for (const struct tree *t = ps ? ps->first : NULL; t; t = t->next)
		percentile_row(v, s, t);
}

static const char *met_of(
	struct view *v, const struct tree *list, const char *good, const char *key)
{
	struct strbuf b = STRBUF_INIT;
	char met[24], all[24];

	snprintf(met, sizeof met, "%zu", view_count(list, good));
	snprintf(all, sizeof all, "%zu", list->n);
	catalogue_say(&b, v->lang, key, "met", met, "all", all, NULL);
	return view_keep(v, &b);
}

static void add_stages(struct view *v, const struct tree *stages)
{
	struct view_section *s;

	if (!stages || !stages->n)
		return;
	s = start(v, SECTION_STAGES, "section.stages", VIEW_TABLE);
	s->summary = met_of(v, stages, "PASS", "summary.met");
	column(v, s, "column.stage", false, false);
	column(v, s, "column.component", false, true);
	column(v, s, "column.objective", true, false);
	column(v, s, "column.observed", true, false);
	column(v, s, "column.margin", true, false);
	column(v, s, "column.volume", true, false);
	column(v, s, "column.excluded", true, false);
	column(v, s, "column.verdict", false, false);
	for (const struct tree *t = stages->first; t; t = t->next)
		add_stage(v, s, t);
}

/* --- invariants, preconditions, figures --------------------------------------------------------
 */

static void add_limit(struct strbuf *b, const struct tree *t, const char *key, const char *sign)
{
	const char *limit = tree_text(tree_get(t, key), NULL);

	if (!limit)
		return;
	if (b->n)
		strbuf_adds(b, strcmp(key, "within") ? ", " : " ");
	strbuf_addf(b, "%s ", sign);
	show_count(b, limit);
}

const char *view_limit(struct view *v, const struct tree *t)
{
	struct strbuf b = STRBUF_INIT;

	add_limit(&b, t, "at_least", "\u2265");
	add_limit(&b, t, "at_most", "\u2264");
	add_limit(&b, t, "equals", "=");
	add_limit(&b, t, "within", "\u00b1");
	return view_keep(v, &b);
}

/* "maximum, sampled every 5 s", "count", "computed by the server" */
static const char *measured_text(struct view *v, const struct tree *t)
{
	const struct tree *counted = tree_get(t, "counted");
	const char *how = counted && counted->first ? counted->first->key : "count";
	const char *every = tree_text(tree_get(t, "sampled_every_s"), NULL);
	const char *key = arena_printf(&v->arena, "measure.%s", how);
	struct strbuf b = STRBUF_INIT, seconds = STRBUF_INIT;

	strbuf_adds(&b, catalogue_has(v->lang, key) ? catalogue_text(v->lang, key) : how);
	if (every) {
		show_seconds(&seconds, v->lang, every);
		strbuf_adds(&b, ", ");
		catalogue_say(&b, v->lang, "format.sampled", "interval", seconds.at, NULL);
	}
	const char *at = tree_text(tree_get(t, "max_at"), NULL);
	if (at) {
		strbuf_adds(&b, ", ");
		catalogue_say(&b, v->lang, "format.seen_at", "at", view_time(v, at), NULL);
	}
	strbuf_release(&seconds);
	return view_keep(v, &b);
}

static const char *labels_text(struct view *v, const struct tree *labels)
{
	struct strbuf b = STRBUF_INIT;

	for (const struct tree *t = labels ? labels->first : NULL; t; t = t->next)
		strbuf_addf(&b, "%s%s=\"%s\"", b.n ? ", " : "", t->key, tree_text(t, ""));
	return view_keep(v, &b);
}

static const char *with_unit(struct view *v, const char *shown, const char *unit)
{
	struct strbuf b = STRBUF_INIT;

	if (!strcmp(shown, DASH))
		return shown;
	show_with_unit(&b, v->lang, shown, unit);
	return view_keep(v, &b);
}

static void member_row(struct view *v, struct view_section *s, const struct tree *m,
	size_t observed, size_t verdict)
{
	struct view_row *row = ARRAY_ADD(&s->rows);
	const char *name = tree_text(tree_get(m, "verdict"), NULL);

	for (size_t i = 0; i < s->n_columns; i++)
		row->cell[i] = "";
	row->child = true;
	row->cell[0] = arena_printf(&v->arena, CHILD "%s", labels_text(v, tree_get(m, "labels")));
	row->cell[observed] = count_text(v, tree_get(m, "observed"));
	row->tone = view_tone(name);
	if (name)
		row->cell[verdict] = view_verdict(v, name);
}

static void more_row(struct view *v, struct view_section *s, size_t n)
{
	struct view_row *row = ARRAY_ADD(&s->rows);
	struct strbuf b = STRBUF_INIT;
	char text[24];

	for (size_t i = 0; i < s->n_columns; i++)
		row->cell[i] = "";
	snprintf(text, sizeof text, "%zu", n);
	strbuf_adds(&b, CHILD);
	catalogue_say(&b, v->lang, "format.more", "n", text, NULL);
	row->child = true;
	row->cell[0] = view_keep(v, &b);
}

/* the members that decide first, then the others, ten in all */
static void add_members(struct view *v, struct view_section *s, const struct tree *item,
	size_t observed, size_t verdict)
{
	const struct tree *members = tree_get(item, "members");
	size_t shown = 0;

	if (!members)
		return;
	for (int good = 0; good < 2; good++)
		for (const struct tree *m = members->first; m; m = m->next) {
			const char *name = tree_text(tree_get(m, "verdict"), NULL);
			if ((view_tone(name) == TONE_GOOD) != good || shown == MEMBERS_SHOWN)
				continue;
			member_row(v, s, m, observed, verdict);
			shown++;
		}
	if (members->n > shown)
		more_row(v, s, members->n - shown);
}

enum { CHECK_TITLE, CHECK_LIMIT, CHECK_OBSERVED, CHECK_MEASURED, CHECK_VERDICT };

static void add_checks(struct view *v, const struct tree *list, enum view_section_id id,
	const char *title, const char *head, const char *good, const char *summary)
{
	struct view_section *s;

	if (!list || !list->n)
		return;
	s = start(v, id, title, VIEW_TABLE);
	s->summary = met_of(v, list, good, summary);
	column(v, s, head, false, false);
	column(v, s, "column.limit", true, false);
	column(v, s, "column.observed", true, false);
	column(v, s, "column.measured", false, true);
	column(v, s, "column.verdict", false, false);
	for (const struct tree *t = list->first; t; t = t->next) {
		struct view_row *row = ARRAY_ADD(&s->rows);
		const char *verdict = tree_text(tree_get(t, "verdict"), "");
		row->cell[CHECK_TITLE] = view_title(v, t);
		row->cell[CHECK_LIMIT] = view_limit(v, t);
		row->cell[CHECK_OBSERVED] = with_unit(v, count_text(v, tree_get(t, "observed")),
			tree_text(tree_get(t, "unit"), NULL));
		row->cell[CHECK_MEASURED] = measured_text(v, t);
		row->cell[CHECK_VERDICT] = view_verdict(v, verdict);
		row->tone = view_tone(verdict);
		add_members(v, s, t, CHECK_OBSERVED, CHECK_VERDICT);
	}
}

static void add_figures(struct view *v, const struct tree *list)
{
	struct view_section *s;

	if (!list || !list->n)
		return;
	s = start(v, SECTION_FIGURES, "section.figures", VIEW_TABLE);
	column(v, s, "column.figure", false, false);
	column(v, s, "column.value", true, false);
	column(v, s, "column.measured", false, true);
	for (const struct tree *t = list->first; t; t = t->next) {
		struct view_row *row = ARRAY_ADD(&s->rows);
		row->cell[0] = view_title(v, t);
		row->cell[1] = with_unit(v, count_text(v, tree_get(t, "value")),
			tree_text(tree_get(t, "unit"), NULL));
		row->cell[2] = measured_text(v, t);
		add_members(v, s, t, 1, 2);
	}
}

/* --- latencies ---------------------------------------------------------------------------------
 */

static const char *quantile_text(struct view *v, const struct tree *t, const char *p)
{
	const struct tree *bounds = tree_get(t, arena_printf(&v->arena, "%s_s", p));
	double at = tree_as_double(tree_get(t, arena_printf(&v->arena, "%s_at_s", p)), NAN);
	struct strbuf b = STRBUF_INIT;

	show_seconds_interval(&b, v->lang, bounds);
	if (isfinite(at) && high_of(bounds))
		strbuf_addf(&b, " (\u2248 %.3g)", at);
	return view_keep(v, &b);
}

static void latency_row(struct view *v, struct view_section *s, const struct tree *t, bool child)
{
	static const char *const ps[] = {"p50", "p95", "p99"};
	struct view_row *row;

	if (!low_of(tree_get(t, "p50_s")))
		return;
	row = ARRAY_ADD(&s->rows);
	row->child = child;
	row->cell[0] =
		child ? arena_printf(&v->arena, CHILD "%s", view_title(v, t)) : view_title(v, t);
	for (size_t i = 0; i < 3; i++)
		row->cell[1 + i] = quantile_text(v, t, ps[i]);
}

static void add_latencies(struct view *v, const struct tree *stages)
{
	struct view_section *s = start(v, SECTION_LATENCY, "section.latency", VIEW_TABLE);

	column(v, s, "column.stage", false, false);
	column(v, s, "column.p50", true, false);
	column(v, s, "column.p95", true, false);
	column(v, s, "column.p99", true, false);
	for (const struct tree *t = stages ? stages->first : NULL; t; t = t->next) {
		const struct tree *steps = tree_get(t, "steps");
		bool own = low_of(tree_get(t, "p50_s")) != NULL;
		latency_row(v, s, t, false);
		for (const struct tree *p = steps ? steps->first : NULL; p; p = p->next)
			latency_row(v, s, p, own);
	}
}

void view_tables(struct view *v, const struct tree *model)
{
	const struct tree *stages = tree_get(model, "stages");

	add_stages(v, stages);
	add_checks(v, tree_get(model, "invariants"), SECTION_INVARIANTS, "section.invariants",
		"column.invariant", "HELD", "summary.held");
	add_checks(v, tree_get(model, "preconditions"), SECTION_PRECONDITIONS,
		"section.preconditions", "column.precondition", "MET", "summary.met");
	add_figures(v, tree_get(model, "figures"));
	add_latencies(v, stages);
}
