/* Judge: judges every item, then the run (contract.md section 2); fills data quality. */
#include "judge/judge.h"

#include "judge/check.h"
#include "judge/context.h"
#include "judge/growth.h"
#include "judge/proof.h"
#include "judge/stage.h"

#define LOOKBACK_MS (5LL * 60 * 1000)

/* --- the range of raw queries (counting.md, Fetch 1)
 * ---------------------------------------------- */

static int64_t longest_within_ms(const struct spec *s)
{
	double longest = 0;

	for (size_t i = 0; i < s->n_stages; i++) {
		const struct stage *st = &s->stages[i];
		if (st->sli.has_within)
			longest = fmax(longest, decimal_to_double(st->sli.within_s));
		for (size_t k = 0; k < st->n_steps; k++)
			if (st->steps[k].sli.has_within)
				longest =
					fmax(longest, decimal_to_double(st->steps[k].sli.within_s));
	}
	return (int64_t)ceil(longest * 1000);
}

/* Reaches to two scrape intervals after all that is needed, and to every target's first good scrape
 * there, so that growth over a gap at the end is seen. */
static void set_range(struct judge *j)
{
	const struct window *w = &j->in->window;
	int64_t need = w->end_ms + longest_within_ms(j->in->spec);
	int64_t interval = j->targets.interval_ms ? j->targets.interval_ms : 60000;

	j->from_ms = w->start_ms - LOOKBACK_MS;
	j->to_ms = need + 2 * interval;
	for (size_t i = 0; i < j->targets.all.n; i++) {
		int64_t good = target_good_after(&j->targets.all.at[i], need);
		if (good != INT64_MAX && good > j->to_ms)
			j->to_ms = good;
	}
}

/* --- restarts that show only in counters (Targets; rule 7)
 * ------------------------------------------ */

struct falls {
	struct judge *judge;
	struct growth growth;
};

static int read_falls(void *arg, const struct series *s)
{
	struct falls *f = arg;
	struct target *t = target_of(f->judge, &s->labels);

	if (!t || t->has_start)
		return 0;
	growth_of(&f->growth, s, t, INT64_MIN, f->judge->in->window.start_ms);
	for (size_t i = 0; i < f->growth.steps.n; i++) {
		const struct step_of_growth *st = &f->growth.steps.at[i];
		if (st->kind == STEP_RESET && !f->growth.replica_dip)
			target_add_restart(t, st->since_ms, st->at_ms, st->at_ms);
	}
	if (f->growth.vanished_ms != INT64_MIN)
		target_add_restart(
			t, f->growth.last_ms, f->growth.vanished_ms, f->growth.vanished_ms);
	return 0;
}

/* Only in answers that are there already: what an item needs, it will want under its own name. */
static void find_falls(struct falls *f, const struct selectors *list)
{
	struct judge *j = f->judge;

	for (size_t i = 0; i < list->n; i++) {
		struct query q = {
			QUERY_RAW, text_selector(j, &list->at[i]), j->from_ms, j->to_ms, ""};
		if (evidence_find(j->in->evidence, &q) >= 0)
			judge_each(j, &list->at[i], "", read_falls, f);
	}
}

static void find_falls_histogram(struct falls *f, const struct selector *histogram)
{
	struct selector counts = selector_renamed(f->judge->arena, histogram,
		arena_printf(f->judge->arena, "%s_count", histogram->name));
	find_falls(f, &(struct selectors){&counts, 1});
}

static void find_falls_sli(struct falls *f, const struct sli *s)
{
	find_falls(f, &s->good);
	find_falls(f, &s->bad);
	find_falls(f, &s->total);
	find_falls(f, &s->exclude);
	if (s->has_histogram)
		find_falls_histogram(f, &s->histogram);
}

static void find_falls_checks(struct falls *f, const struct checks *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct measure *m = &list->at[i].measure;
		if (m->kind == MEASURE_BAND)
			find_falls_histogram(f, &m->histogram);
		if (m->kind == MEASURE_COUNT || m->kind == MEASURE_BALANCE) {
			find_falls(f, &m->selectors);
			find_falls(f, &m->right);
		}
		find_falls(f, &m->proof.witness);
	}
}

static void find_restarts(struct judge *j)
{
	const struct spec *s = j->in->spec;
	struct falls f = {.judge = j};
	bool unknown = false;

	for (size_t i = 0; i < j->targets.all.n && !unknown; i++)
		unknown = !j->targets.all.at[i].has_start;
	if (!unknown)
		return;
	for (size_t i = 0; i < s->n_stages; i++) {
		find_falls_sli(&f, &s->stages[i].sli);
		for (size_t k = 0; k < s->stages[i].n_steps; k++)
			find_falls_sli(&f, &s->stages[i].steps[k].sli);
	}
	find_falls_checks(&f, &s->invariants);
	find_falls_checks(&f, &s->preconditions);
	find_falls_checks(&f, &s->figures);
	growth_release(&f.growth);
}

/* --- data quality
 * -------------------------------------------------------------------------------------- */

static void add_gap(struct judge *j, const struct target *t, int64_t from_ms, int64_t to_ms)
{
	struct quality *q = &j->out->quality;
	const struct window *w = &j->in->window;

	if (to_ms <= w->start_ms || from_ms >= w->end_ms)
		return;
	if (q->n_gaps++ < 1000)
		*ARRAY_ADD(&q->gaps) = (struct event){t->name, NULL, from_ms, to_ms};
}

static void target_quality(struct judge *j, const struct target *t)
{
	int64_t prev = INT64_MIN;

	for (size_t i = 0; i < t->n_scrapes; i++) {
		if (!t->scrape[i].good)
			continue;
		if (prev != INT64_MIN && t->scrape[i].t_ms - prev > t->interval_ms * 3 / 2)
			add_gap(j, t, prev, t->scrape[i].t_ms);
		prev = t->scrape[i].t_ms;
	}
	for (size_t i = 0; i < t->restarts.n; i++) {
		const struct restart *r = &t->restarts.at[i];
		if (r->after_ms > j->in->window.start_ms && r->before_ms < j->in->window.end_ms)
			note_add(j, &j->out->quality.warnings, REASON_RESTARTED,
				arena_printf(j->arena, "target/%s", t->name), "target", t->name,
				"at", text_time(j, r->start_ms), NULL);
	}
}

static void take_quality(struct judge *j)
{
	struct quality *q = &j->out->quality;
	const struct evidence *e = j->in->evidence;

	q->targets = j->targets.all.n;
	q->scrape_interval_ms = j->targets.interval_ms;
	for (size_t i = 0; i < j->targets.all.n; i++)
		target_quality(j, &j->targets.all.at[i]);
	for (size_t i = 0; i < e->n_answers; i++) {
		const struct answer *a = &e->answers[i];
		q->series += a->n_series;
		q->samples += a->n_samples;
		for (const char *const *info = a->infos; info && *info; info++)
			note_add(j, &q->warnings, REASON_SERVER_INFO, NULL, "text", *info, NULL);
		if (a->repaired)
			note_add(j, &q->warnings, REASON_TEXT_REPAIRED, NULL, "query",
				a->query.text, NULL);
	}
	if (j->in->spec->source.insecure_skip_verify)
		note_add(j, &q->warnings, REASON_INSECURE_TLS, NULL, NULL);
}

/* --- the run
 * ---------------------------------------------------------------------------------------------- */

static void add_reasons(
	struct judge *j, const struct notes *notes, const char *subject, enum severity severity)
{
	for (size_t i = 0; i < notes->n; i++) {
		const struct note *n = &notes->at[i];
		if (reason_severity(n->code) != severity)
			continue;
		struct note *r = ARRAY_ADD(&j->out->reasons);
		*r = *n;
		r->subject = subject;
	}
}

static bool any_check(const struct check_result *c, size_t n, enum check_verdict v)
{
	for (size_t i = 0; i < n; i++)
		if (c[i].verdict == v)
			return true;
	return false;
}

static bool any_stage(const struct result *r, enum stage_verdict v)
{
	for (size_t i = 0; i < r->n_stages; i++)
		if (r->stages[i].sli.verdict == v)
			return true;
	return false;
}

/* delivered < 95 % of the load voids a PASS; so does a delivered load that is not known */
static bool delivered_enough(struct judge *j)
{
	struct result *r = j->out;
	struct decimal floor;
	struct strbuf percent = STRBUF_INIT;

	if (!r->has_delivered || !j->in->has_load)
		return true;
	if (count_is_refused(r->delivered) ||
		!decimal_mul(j->in->load, (struct decimal){95, 100}, &floor)) {
		note_add(j, &r->reasons, REASON_UNDECIDED, "load/delivered", "low", "-", "high",
			"-", "limit", text_decimal(j, j->in->load), NULL);
		return false;
	}
	double need = decimal_to_double(floor), load = decimal_to_double(j->in->load);
	if (r->delivered.low >= need)
		return true;
	double seen = isinf(r->delivered.high) ? r->delivered.low : r->delivered.high;
	decimal_format_double(&percent, round(seen / load * 1000) / 10);
	note_add(j, &r->reasons,
		r->delivered.high < need ? REASON_DELIVERED_SHORT : REASON_UNDECIDED,
		"load/delivered", "delivered", text_number(j, seen), "load",
		text_decimal(j, j->in->load), "percent", percent.at, "low",
		text_number(j, r->delivered.low), "high", text_number(j, r->delivered.high),
		"limit", text_number(j, need), NULL);
	strbuf_release(&percent);
	return false;
}

static void check_reasons(struct judge *j, const struct check_result *c, size_t n, const char *kind,
	enum check_verdict v, enum severity s)
{
	for (size_t i = 0; i < n; i++) {
		if (c[i].verdict != v)
			continue;
		const char *subject = arena_printf(j->arena, "%s/%s", kind, c[i].id);
		add_reasons(j, &c[i].notes, subject, s);
	}
}

static void stage_reasons(struct judge *j, enum stage_verdict v, enum severity s)
{
	for (size_t i = 0; i < j->out->n_stages; i++) {
		const struct stage_result *st = &j->out->stages[i];
		if (st->sli.verdict != v)
			continue;
		add_reasons(j, &st->sli.notes, arena_printf(j->arena, "stage/%s", st->id), s);
	}
}

static void give_reasons(struct judge *j)
{
	struct result *r = j->out;

	check_reasons(
		j, r->invariants, r->n_invariants, "invariant", CHECK_VIOLATED, SEVERITY_DECIDES);
	check_reasons(j, r->preconditions, r->n_preconditions, "precondition", CHECK_VIOLATED,
		SEVERITY_DECIDES);
	stage_reasons(j, STAGE_FAIL, SEVERITY_DECIDES);
	check_reasons(
		j, r->invariants, r->n_invariants, "invariant", CHECK_UNPROVEN, SEVERITY_DOUBT);
	check_reasons(j, r->preconditions, r->n_preconditions, "precondition", CHECK_UNPROVEN,
		SEVERITY_DOUBT);
	stage_reasons(j, STAGE_INCONCLUSIVE, SEVERITY_DOUBT);
}

static void decide_run(struct judge *j)
{
	struct result *r = j->out;

	give_reasons(j);
	bool enough = delivered_enough(j);
	bool undecided = !enough || any_stage(r, STAGE_INCONCLUSIVE) ||
			 any_check(r->invariants, r->n_invariants, CHECK_UNPROVEN) ||
			 any_check(r->preconditions, r->n_preconditions, CHECK_UNPROVEN);
	bool other_test = any_check(r->preconditions, r->n_preconditions, CHECK_VIOLATED);

	if (any_check(r->invariants, r->n_invariants, CHECK_VIOLATED))
		r->verdict = RUN_INVALID;
	else if (any_stage(r, STAGE_FAIL) && !other_test)
		r->verdict = RUN_FAIL;
	else
		r->verdict = other_test || undecided ? RUN_INCONCLUSIVE : RUN_PASS;
}

/* Nothing at all came back: say why, as far as it can be known (Fetch 4). */
static void explain_nothing(struct judge *j)
{
	const struct evidence *e = j->in->evidence;
	struct result *r = j->out;

	if (j->targets.all.n || r->wants.n)
		return;
	int64_t oldest = e->asked_ms - e->retention_ms;
	if (e->retention_ms >= 0 && j->in->window.start_ms < oldest)
		note_add(j, &r->reasons, REASON_OLDER_THAN_RETENTION, NULL, "start",
			text_time(j, j->in->window.start_ms), "retention",
			text_duration(j, e->retention_ms), NULL);
	else if (r->quality.samples)
		note_add(j, &r->reasons, REASON_NO_UP, NULL, "query", "up", NULL);
	else
		note_add(j, &r->reasons, REASON_NO_DATA, NULL, NULL);
}

static void note_run(struct judge *j)
{
	const struct spec *s = j->in->spec;
	struct strbuf b = STRBUF_INIT;

	const struct window *w = &j->in->window;

	if (w->open_ms != TIME_NONE && w->open_early_ms != TIME_NONE)
		note_add(j, &j->out->reasons, REASON_OPEN_UNCERTAIN, NULL, "from",
			text_time(j, w->open_early_ms), "to", text_time(j, w->open_ms), NULL);
	if (j->in->has_load && !j->out->has_delivered)
		note_add(j, &j->out->reasons, REASON_LOAD_NOT_MEASURED, NULL, NULL);
	for (size_t i = 0; i < s->not_evaluated.n; i++)
		strbuf_addf(&b, "%s%s", i ? ", " : "", s->not_evaluated.at[i]);
	if (b.n)
		note_add(j, &j->out->reasons, REASON_NOT_EVALUATED, NULL, "blocks", b.at, NULL);
	strbuf_release(&b);
}

static void judge_checks(struct judge *j, const struct checks *list, enum check_kind kind,
	struct check_result **out, size_t *n)
{
	*n = list->n;
	*out = arena_array(j->arena, struct check_result, list->n + 1);
	for (size_t i = 0; i < list->n; i++)
		check_judge(j, &list->at[i], kind, &(*out)[i]);
}

/* Lagging targets of any item, for the driver that may wait for them (rule 3). */
static void take_lagging(struct judge *j, const struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++) {
		if (notes->at[i].code != REASON_TARGET_LAGGING)
			continue;
		const char *target = notes->at[i].arg[0].value;
		bool known = false;
		for (size_t k = 0; k < j->lagging.n && !known; k++)
			known = !strcmp(j->lagging.at[k], target);
		if (known)
			continue;
		*ARRAY_ADD(&j->lagging) = target;
		j->out->lagging = (struct lagging){j->lagging.n, j->lagging.at[0]};
	}
}

static void find_lagging(struct judge *j)
{
	struct result *r = j->out;

	for (size_t i = 0; i < r->n_stages; i++) {
		take_lagging(j, &r->stages[i].sli.notes);
		for (size_t k = 0; k < r->stages[i].n_steps; k++)
			take_lagging(j, &r->stages[i].steps[k].sli.notes);
	}
	for (size_t i = 0; i < r->n_invariants; i++)
		take_lagging(j, &r->invariants[i].notes);
	for (size_t i = 0; i < r->n_preconditions; i++)
		take_lagging(j, &r->preconditions[i].notes);
	for (size_t i = 0; i < r->n_figures; i++)
		take_lagging(j, &r->figures[i].notes);
}

static void judge_items(struct judge *j)
{
	const struct spec *s = j->in->spec;
	struct result *r = j->out;

	r->n_stages = s->n_stages;
	r->stages = arena_array(j->arena, struct stage_result, s->n_stages + 1);
	for (size_t i = 0; i < s->n_stages; i++)
		stage_judge(j, &s->stages[i], &r->stages[i]);
	judge_checks(j, &s->invariants, CHECK_INVARIANT, &r->invariants, &r->n_invariants);
	judge_checks(
		j, &s->preconditions, CHECK_PRECONDITION, &r->preconditions, &r->n_preconditions);
	judge_checks(j, &s->figures, CHECK_FIGURE, &r->figures, &r->n_figures);
	r->has_delivered = s->has_delivered;
	r->delivered = count_refused();
	if (s->has_delivered)
		r->delivered = check_delivered(j, &s->delivered, &r->quality.warnings);
}

int judge_run(const struct judge_input *in, struct arena *a, struct result *out, struct error *err)
{
	struct judge j = {.in = in, .arena = a, .out = out, .err = err};

	*out = (struct result){.verdict = RUN_INCONCLUSIVE};
	if (targets_read(&j)) {
		set_range(&j);
		find_restarts(&j);
		judge_items(&j);
		find_lagging(&j);
		take_quality(&j);
		explain_nothing(&j); /* the cause comes before what follows from it */
		decide_run(&j);
		note_run(&j);
	}
	proof_release(&j);
	targets_release(&j.targets);
	ARRAY_RELEASE(&j.lagging);
	ARRAY_RELEASE(&j.events);
	if (j.failed) {
		result_release(out);
		return -1;
	}
	if (out->wants.n)
		out->verdict = RUN_INCONCLUSIVE;
	return 0;
}

void judge_give_up(struct result *r, struct arena *a)
{
	struct judge j = {.arena = a, .out = r};

	for (size_t i = 0; i < r->wants.n; i++)
		note_add(&j, &r->reasons, REASON_NOT_ARCHIVED, r->wants.at[i].subject, "query",
			r->wants.at[i].text, NULL);
}

static void release_checks(struct check_result *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ARRAY_RELEASE(&c[i].notes);
}

void result_release(struct result *r)
{
	for (size_t i = 0; i < r->n_stages; i++) {
		ARRAY_RELEASE(&r->stages[i].sli.notes);
		for (size_t k = 0; k < r->stages[i].n_steps; k++)
			ARRAY_RELEASE(&r->stages[i].steps[k].sli.notes);
	}
	release_checks(r->invariants, r->n_invariants);
	release_checks(r->preconditions, r->n_preconditions);
	release_checks(r->figures, r->n_figures);
	ARRAY_RELEASE(&r->reasons);
	ARRAY_RELEASE(&r->quality.gaps);
	ARRAY_RELEASE(&r->quality.resets);
	ARRAY_RELEASE(&r->quality.births);
	ARRAY_RELEASE(&r->quality.warnings);
	ARRAY_RELEASE(&r->wants);
}

int verdict_exit(enum run_verdict v)
{
	switch (v) {
	case RUN_PASS:
		return 0;
	case RUN_FAIL:
		return 1;
	case RUN_INVALID:
		return 4;
	default:
		return 3;
	}
}

const char *run_verdict_name(enum run_verdict v)
{
	static const char *const names[] = {"PASS", "FAIL", "INVALID", "INCONCLUSIVE"};
	return names[v];
}

const char *stage_verdict_name(enum stage_verdict v)
{
	static const char *const names[] = {"PASS", "FAIL", "INCONCLUSIVE"};
	return names[v];
}

const char *check_verdict_name(enum check_verdict v, bool precondition)
{
	switch (v) {
	case CHECK_HELD:
		return precondition ? "MET" : "HELD";
	case CHECK_VIOLATED:
		return precondition ? "UNMET" : "VIOLATED";
	case CHECK_UNPROVEN:
		return "UNPROVEN";
	default:
		return NULL;
	}
}

const char *confidence_name(enum confidence c)
{
	static const char *const names[] = {NULL, "demonstrated", "met-not-demonstrated",
		"missed-not-clearly", "clearly-missed"};
	return names[c];
}
