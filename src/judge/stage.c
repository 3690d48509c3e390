/* Stage: counts its SLI or its steps, decides, and judges its percentiles. */
#include "judge/stage.h"

#include "judge/ratio.h"
#include "judge/sli.h"

static void keep_quantiles(const struct quantiles *q, struct sli_result *out)
{
	out->has_quantiles = q->there;
	out->p50_s = q->there ? q->bounds_s[0] : count_refused();
	out->p95_s = q->there ? q->bounds_s[1] : count_refused();
	out->p99_s = q->there ? q->bounds_s[2] : count_refused();
	out->p50_at_s = q->there ? q->at_s[0] : NAN;
	out->p95_at_s = q->there ? q->at_s[1] : NAN;
	out->p99_at_s = q->there ? q->at_s[2] : NAN;
}

static void refuse_percentile(struct percentile_result *r)
{
	r->share_low = r->share_high = NAN;
	r->verdict = STAGE_INCONCLUSIVE;
}

static void judge_percentile(struct judge *j, const struct quantiles *q, size_t i,
	struct percentile_result *r, struct stage_result *out)
{
	r->p = q->percentiles[i].p;
	r->within_s = q->percentiles[i].within_s;
	struct decimal share;
	if (!q->there || !decimal_mul(r->p, (struct decimal){1, 100}, &share)) {
		refuse_percentile(r);
		return;
	}
	bool proportional = j->in->spec->targets.unseen == UNSEEN_PROPORTIONAL;
	double more = proportional ? 0 : q->unseen;
	struct count good = {q->within[i].low, q->within[i].high + more};
	struct count bad = {q->beyond[i].low, q->beyond[i].high + more};
	double worst = good.low + bad.high, best = good.high + bad.low;
	if (!(worst > 0)) {
		refuse_percentile(r);
		return;
	}
	r->share_low = isinf(worst) ? 0 : good.low / worst;
	r->share_high = isinf(best) ? 1 : good.high / best;
	r->verdict = q->doubt ? STAGE_INCONCLUSIVE : ratio_verdict(good, bad, share);
	if (r->verdict == STAGE_FAIL)
		note_add(j, &out->sli.notes, REASON_PERCENTILE_MISSED, NULL, "p",
			text_decimal(j, r->p), "within", text_decimal(j, r->within_s), "share",
			text_number(j, r->share_high), NULL);
	else if (r->verdict == STAGE_INCONCLUSIVE)
		note_add(j, &out->sli.notes, REASON_UNDECIDED, NULL, "low",
			text_number(j, r->share_low), "high", text_number(j, r->share_high),
			"limit", text_decimal(j, share), NULL);
}

/* A missed percentile fails the stage; an undecided one leaves no PASS. */
static void judge_percentiles(
	struct judge *j, const struct stage *s, const struct quantiles *q, struct stage_result *out)
{
	out->n_percentiles = s->n_percentiles;
	out->percentiles = arena_array(j->arena, struct percentile_result, s->n_percentiles + 1);
	for (size_t i = 0; i < s->n_percentiles; i++) {
		struct percentile_result *r = &out->percentiles[i];
		judge_percentile(j, q, i, r, out);
		if (r->verdict == STAGE_FAIL)
			out->sli.verdict = STAGE_FAIL;
		else if (r->verdict == STAGE_INCONCLUSIVE && out->sli.verdict == STAGE_PASS)
			out->sli.verdict = STAGE_INCONCLUSIVE;
	}
}

static struct quantiles quantiles_new(struct judge *j, const struct percentile *p, size_t n)
{
	return (struct quantiles){
		.percentiles = p,
		.n_percentiles = n,
		.within = arena_array(j->arena, struct count, n + 1),
		.beyond = arena_array(j->arena, struct count, n + 1),
	};
}

static void judge_step(struct judge *j, const struct stage *s, const struct step *st,
	struct step_result *out, struct sli_counts *sum, struct stage_result *whole)
{
	const char *subject = arena_printf(j->arena, "stage/%s/%s", s->id, st->id);
	struct quantiles q = quantiles_new(j, NULL, 0);

	out->id = st->id;
	struct sli_counts c = sli_count(j, &st->sli, subject, &out->sli.notes, &q);
	sli_decide(j, &c, s->objective, NULL, &out->sli);
	keep_quantiles(&q, &out->sli);
	*sum = sli_sum(*sum, c);
	if (!s->each)
		return;
	if (out->sli.verdict == STAGE_FAIL)
		note_add(j, &whole->sli.notes, REASON_STEP_MISSED, NULL, "step", st->id, NULL);
	else if (out->sli.verdict == STAGE_INCONCLUSIVE)
		note_add(j, &whole->sli.notes, REASON_STEP_UNDECIDED, NULL, "step", st->id, NULL);
}

/* `each`: a missed step fails the stage, an undecided one leaves no PASS. */
static enum stage_verdict worst_step(const struct stage_result *out)
{
	enum stage_verdict v = STAGE_PASS;

	for (size_t i = 0; i < out->n_steps; i++) {
		if (out->steps[i].sli.verdict == STAGE_FAIL)
			return STAGE_FAIL;
		if (out->steps[i].sli.verdict == STAGE_INCONCLUSIVE)
			v = STAGE_INCONCLUSIVE;
	}
	return v;
}

static void judge_steps(struct judge *j, const struct stage *s, struct stage_result *out)
{
	struct sli_counts sum = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, false, false, false, false};

	out->n_steps = s->n_steps;
	out->steps = arena_array(j->arena, struct step_result, s->n_steps);
	for (size_t i = 0; i < s->n_steps; i++)
		judge_step(j, s, &s->steps[i], &out->steps[i], &sum, out);
	sli_decide(j, &sum, s->objective, s->has_at_least ? &s->at_least : NULL, &out->sli);
	if (!s->each)
		return;
	bool too_few = notes_have(&out->sli.notes, REASON_TOO_FEW_EVENTS);
	enum stage_verdict each = worst_step(out);
	out->sli.verdict = each == STAGE_PASS && too_few ? STAGE_INCONCLUSIVE : each;
	if (out->sli.verdict != STAGE_PASS)
		out->sli.confidence = CONFIDENCE_NONE;
}

static void note_missed(struct judge *j, const struct stage *s, struct stage_result *out)
{
	struct sli_result *r = &out->sli;
	struct strbuf ratio = STRBUF_INIT;
	double best = r->good.high + r->bad.low;

	if (r->verdict != STAGE_FAIL || count_is_refused(r->good) || isinf(best) || best <= 0 ||
		ratio_cmp(r->good.high, best, s->objective) >= 0)
		return;
	decimal_format_ratio(&ratio, r->good.high, best, 12, true);
	note_add(j, &r->notes, REASON_OBJECTIVE_MISSED, NULL, "ratio", ratio.at, "objective",
		text_decimal(j, s->objective), "good", text_number(j, r->good.high), "total",
		text_number(j, best), NULL);
	strbuf_release(&ratio);
}

void stage_judge(struct judge *j, const struct stage *s, struct stage_result *out)
{
	const char *subject = arena_printf(j->arena, "stage/%s", s->id);
	struct quantiles q = quantiles_new(j, s->percentiles, s->n_percentiles);

	out->id = s->id;
	if (s->n_steps) {
		judge_steps(j, s, out);
	} else {
		struct sli_counts c = sli_count(j, &s->sli, subject, &out->sli.notes, &q);
		sli_decide(j, &c, s->objective, s->has_at_least ? &s->at_least : NULL, &out->sli);
	}
	keep_quantiles(&q, &out->sli);
	judge_percentiles(j, s, &q, out);
	note_missed(j, s, out);
}
