/* Check: measures counts, values, bands, balances and queries, and decides limits. */
#include "judge/check.h"

#include "judge/histogram.h"
#include "judge/proof.h"
#include "judge/tally.h"
#include "judge/value.h"

struct measured { /* what a measure gave, before limits */
	struct count observed;
	bool refused, pending;
	bool absent; /* and `optional` */
	/* rule 25: the zero is in doubt only because a process left, restarted or lagged */
	bool only_unseen;
	struct member_result *members;
	size_t n_members;
	int64_t sampled_every_ms, at_ms;
};

struct measuring {
	struct judge *judge;
	const struct measure *measure;
	enum check_kind kind;
	const char *subject;
	struct notes *notes;
};

/* --- limits
 * ---------------------------------------------------------------------------------------- */

/* Samples are doubles: "0.3" as a sample and 0.3 as a limit are the same number. */
static void at_most(double limit, struct count c, bool *ok, bool *violated)
{
	*ok &= c.high <= limit;
	*violated |= c.low > limit;
}

static void at_least(double limit, struct count c, bool *ok, bool *violated)
{
	*ok &= c.low >= limit;
	*violated |= c.high < limit;
}

enum check_verdict limit_verdict(const struct limit *l, struct count observed)
{
	bool ok = true, violated = false;
	double slack = l->has_within ? decimal_to_double(l->within) : 0;

	if (count_is_refused(observed))
		return CHECK_UNPROVEN;
	if (l->has_at_most)
		at_most(decimal_to_double(l->at_most), observed, &ok, &violated);
	if (l->has_at_least)
		at_least(decimal_to_double(l->at_least), observed, &ok, &violated);
	if (l->has_equals) {
		at_most(decimal_to_double(l->equals) + slack, observed, &ok, &violated);
		at_least(decimal_to_double(l->equals) - slack, observed, &ok, &violated);
	}
	return violated ? CHECK_VIOLATED : ok ? CHECK_HELD : CHECK_UNPROVEN;
}

static const char *limit_text(struct judge *j, const struct limit *l)
{
	struct strbuf b = STRBUF_INIT;

	if (l->has_at_most)
		strbuf_addf(&b, "<= %s", text_decimal(j, l->at_most));
	if (l->has_at_least)
		strbuf_addf(&b, "%s>= %s", b.n ? ", " : "", text_decimal(j, l->at_least));
	if (l->has_equals)
		strbuf_addf(&b, "%s= %s", b.n ? ", " : "", text_decimal(j, l->equals));
	if (l->has_within)
		strbuf_addf(&b, " +- %s", text_decimal(j, l->within));
	const char *s = arena_strndup(j->arena, b.at, b.n);
	strbuf_release(&b);
	return s;
}

/* --- counts
 * ---------------------------------------------------------------------------------------- */

/* A count on which nothing may be missing: proven zeros, everyone watched (rules 8 and 11). */
static void settle_count(
	struct measuring *m, struct tally *t, const struct selectors *list, struct measured *out)
{
	bool proven = true, watched = true;

	if (!t->pending && !t->refused) {
		proven = tally_prove_empty(t, ~0u);
		if (m->kind != CHECK_FIGURE)
			proven &= tally_exporters_up(t, list);
	}
	tally_check_copies(t);
	if (proven)
		proven = tally_at_home(t);
	if (watch_unseen(&t->watch, false) || t->watch.lagging.n)
		watched = false;
	watch_note(m->judge, &t->watch, false, m->notes);
	out->refused |= t->refused;
	out->pending |= t->pending;
	out->only_unseen = proven && !watched && !watch_down(&t->watch) &&
			   !notes_have(m->notes, REASON_BIRTH_UNKNOWN) &&
			   !notes_have(m->notes, REASON_EDGE_GAP);
	if (!proven || !watched)
		out->observed.high = INFINITY;
}

static void count_members(struct measuring *m, const struct tally *t, struct measured *out)
{
	bool open = isinf(out->observed.high);

	out->n_members = t->groups.n;
	out->members = arena_array(m->judge->arena, struct member_result, t->groups.n + 1);
	for (size_t i = 0; i < t->groups.n; i++) {
		out->members[i].labels = t->groups.at[i];
		out->members[i].observed = tally_group(t, i, 0);
		if (open)
			out->members[i].observed.high = INFINITY;
	}
}

/* `optional` excuses a family that is absent where it was looked for. One that is there, or whose
 * process could not be seen, must be proven like any other. */
static bool optional_absent(struct measuring *m, const struct selectors *list, bool *pending)
{
	if (!m->measure->proof.optional)
		return false;
	enum proof_state absent = proof_absent(m->judge, list, &m->measure->proof, m->subject);
	*pending |= absent == PROOF_PENDING;
	if (absent != PROOF_HELD)
		return false;
	note_add(m->judge, m->notes, REASON_OPTIONAL_ABSENT, NULL, "selector",
		text_selector(m->judge, &list->at[0]), NULL);
	return true;
}

static void measure_count(struct measuring *m, const struct selectors *list, struct measured *out)
{
	struct tally t;

	tally_init(&t, m->judge, m->subject, m->notes, &m->measure->proof);
	if (m->kind == CHECK_INVARIANT)
		t.span[0] = span_invariant(m->judge);
	t.per = &m->measure->per;
	tally_add(&t, list, TALLY_TOTAL);
	out->observed = tally_sum(&t, TALLY_TOTAL, 0, 0);
	if (!t.entries.n && !t.refused && !t.pending && optional_absent(m, list, &t.pending)) {
		out->absent = true;
		tally_release(&t);
		return;
	}
	settle_count(m, &t, list, out);
	if (m->measure->per.n)
		count_members(m, &t, out);
	tally_release(&t);
}

/* --- the other measures
 * ----------------------------------------------------------------------------- */

static void measure_band(struct measuring *m, struct measured *out)
{
	const struct measure *me = m->measure;
	struct histogram h;

	histogram_init(&h, m->judge, &me->histogram, NULL, NULL, &me->proof, m->subject, m->notes);
	if (m->kind == CHECK_INVARIANT)
		h.tally.span[0] = span_invariant(m->judge);
	histogram_read(&h);
	out->observed = histogram_band(
		&h, me->has_over ? &me->over_s : NULL, me->has_up_to ? &me->up_to_s : NULL);
	out->refused = h.tally.refused || (!h.groups.n && !h.tally.pending);
	out->pending = h.tally.pending;
	bool at_home = !h.groups.n || tally_at_home(&h.tally);
	if (!at_home || watch_unseen(&h.tally.watch, false) || h.tally.watch.lagging.n)
		out->observed.high = INFINITY;
	watch_note(m->judge, &h.tally.watch, false, m->notes);
	histogram_release(&h);
}

/* One side of a balance: [inner samples, outer samples] at both edges (rule 25). */
static struct count balance_side(
	struct measuring *m, const struct selectors *list, struct measured *out)
{
	const struct window *w = &m->judge->in->window;
	struct tally t;

	tally_init(&t, m->judge, m->subject, m->notes, &m->measure->proof);
	t.span[0] = (struct span){w->start_ms, w->end_ms, EDGE_BEFORE, EDGE_AFTER};
	t.span[1] = (struct span){w->start_ms, w->end_ms, EDGE_AFTER, EDGE_BEFORE};
	t.n_spans = 2;
	tally_add(&t, list, TALLY_TOTAL);
	struct measured side = {.observed = tally_sum(&t, TALLY_TOTAL, 0, 0)};
	double inner = tally_sum(&t, TALLY_TOTAL, 0, 1).low;
	settle_count(m, &t, list, &side);
	out->refused |= side.refused;
	out->pending |= side.pending;
	tally_release(&t);
	return (struct count){inner, side.observed.high};
}

static void measure_balance(struct measuring *m, struct measured *out)
{
	struct count left = balance_side(m, &m->measure->selectors, out);
	struct count right = balance_side(m, &m->measure->right, out);

	out->observed.low = fmax(0, fmax(left.low - right.high, right.low - left.high));
	out->observed.high = fmax(left.high - right.low, right.high - left.low);
}

static void measure_value(struct measuring *m, struct measured *out)
{
	struct values v;

	values_read(m->judge, m->measure, m->subject, m->notes, &v);
	out->refused = v.refused;
	out->pending = v.pending;
	out->sampled_every_ms = v.interval_ms;
	out->observed = count_refused();
	if (v.groups.n == 1 && !m->measure->per.n) {
		out->observed = v.groups.at[0].value;
		out->refused |= v.groups.at[0].refused;
		out->at_ms = v.groups.at[0].at_ms;
	}
	if (m->measure->per.n) {
		out->n_members = v.groups.n;
		out->members = arena_array(m->judge->arena, struct member_result, v.groups.n + 1);
		for (size_t i = 0; i < v.groups.n; i++) {
			out->members[i].labels = v.groups.at[i].key;
			out->members[i].observed =
				v.groups.at[i].refused ? count_refused() : v.groups.at[i].value;
		}
	} else if (!v.groups.n && !v.pending && !v.refused &&
		   optional_absent(m, &m->measure->selectors, &out->pending)) {
		out->observed = count_of(0);
		out->absent = true;
	} else if (!v.groups.n) {
		out->refused = true;
	}
	if (v.interval_ms)
		note_add(m->judge, m->notes, REASON_SAMPLED_EVERY, NULL, "interval",
			text_duration(m->judge, v.interval_ms), NULL);
	values_release(&v);
}

/* --- PromQL
 * -------------------------------------------------------------------------------------------- */

struct answer_value {
	size_t n; /* series */
	double value;
};

static int read_answer(void *arg, const struct series *s)
{
	struct answer_value *v = arg;

	if (s->n && !v->n++)
		v->value = s->value[s->n - 1];
	return 0;
}

/* ${window}, ${start}, ${end} */
static const char *fill_query(struct judge *j, const char *text)
{
	const struct window *w = &j->in->window;
	struct strbuf b = STRBUF_INIT;

	while (*text) {
		if (!strncmp(text, "${window}", 9)) {
			strbuf_addf(&b, "%lldms", (long long)(w->end_ms - w->start_ms));
			text += 9;
		} else if (!strncmp(text, "${start}", 8)) {
			strbuf_addf(&b, "%.3f", (double)w->start_ms / 1000);
			text += 8;
		} else if (!strncmp(text, "${end}", 6)) {
			strbuf_addf(&b, "%.3f", (double)w->end_ms / 1000);
			text += 6;
		} else {
			strbuf_addc(&b, *text++);
		}
	}
	const char *s = arena_strndup(j->arena, b.at, b.n);
	strbuf_release(&b);
	return s;
}

static void measure_query(struct measuring *m, struct measured *out)
{
	struct judge *j = m->judge;
	const char *text = fill_query(j, m->measure->query);
	struct answer_value v = {0, NAN};

	if (!judge_each_promql(j, text, m->subject, read_answer, &v)) {
		out->pending = true;
		return;
	}
	note_add(j, m->notes, REASON_BY_SERVER, NULL, "query", text, NULL);
	if (v.n > 1)
		note_add(j, m->notes, REASON_SEVERAL_SERIES, NULL, "n",
			arena_printf(j->arena, "%zu", v.n), NULL);
	else if (!isfinite(v.value))
		note_add(j, m->notes, REASON_QUERY_EMPTY, NULL, "query", text, "answer",
			v.n ? text_number(j, v.value) : "empty", NULL);
	out->refused = v.n > 1 || !isfinite(v.value);
	out->observed = count_of(v.value);
}

static struct measured take_measure(struct measuring *m)
{
	struct measured out = {.observed = {0, 0}, .at_ms = TIME_NONE};

	double seconds =
		(double)(m->judge->in->window.end_ms - m->judge->in->window.start_ms) / 1000;

	switch (m->measure->kind) {
	case MEASURE_COUNT:
	case MEASURE_RATE:
		measure_count(m, &m->measure->selectors, &out);
		if (m->measure->kind == MEASURE_RATE)
			out.observed = (struct count){
				out.observed.low / seconds, out.observed.high / seconds};
		break;
	case MEASURE_BAND:
		measure_band(m, &out);
		break;
	case MEASURE_BALANCE:
		measure_balance(m, &out);
		break;
	case MEASURE_QUERY:
		measure_query(m, &out);
		break;
	default:
		measure_value(m, &out);
	}
	if (out.refused || out.pending)
		out.observed = count_refused();
	return out;
}

/* --- decisions
 * ------------------------------------------------------------------------------------------- */

static int badness(enum check_verdict v)
{
	return v == CHECK_VIOLATED ? 2 : v == CHECK_UNPROVEN ? 1 : 0;
}

/* `per`: the item's own values are the worst member's. */
static void judge_members(
	struct judge *j, const struct limit *l, struct measured *m, struct check_result *out)
{
	const struct member_result *worst = NULL;

	for (size_t i = 0; i < m->n_members; i++) {
		struct member_result *r = &m->members[i];
		r->verdict = limit_verdict(l, r->observed);
		if (!worst || badness(r->verdict) > badness(worst->verdict) ||
			(badness(r->verdict) == badness(worst->verdict) &&
				r->observed.high > worst->observed.high))
			worst = r;
	}
	out->members = m->members;
	out->n_members = m->n_members;
	if (!worst) {
		out->verdict = CHECK_UNPROVEN;
		out->observed = count_refused();
		return;
	}
	out->verdict = worst->verdict;
	out->observed = worst->observed;
	if (worst->verdict == CHECK_UNPROVEN)
		note_add(j, &out->notes, REASON_MEMBER_UNDECIDED, NULL, "member",
			text_labels(j, &worst->labels), NULL);
}

/* rule 25: the same events, counted by processes that stayed */
static void try_witness(struct judge *j, const struct check *c, enum check_kind kind,
	const char *subject, struct check_result *out)
{
	const struct selectors *w = &c->measure.proof.witness;
	struct notes ignored = {0};
	struct measure witness = {.kind = MEASURE_COUNT, .selectors = *w};
	struct measuring m = {j, &witness, kind, subject, &ignored};
	struct measured got = {.observed = {0, 0}, .at_ms = TIME_NONE};

	measure_count(&m, w, &got);
	if (!got.refused && !got.pending && got.observed.low == 0 && got.observed.high == 0) {
		note_add(j, &out->notes, REASON_WITNESSED, NULL, "witness",
			text_selector(j, &w->at[0]), NULL);
		out->verdict = CHECK_HELD;
		out->observed.high = 0;
	}
	ARRAY_RELEASE(&ignored);
}

static void note_limit(
	struct judge *j, const struct check *c, enum check_kind kind, struct check_result *out)
{
	const char *low = text_number(j, out->observed.low);

	if (out->verdict == CHECK_VIOLATED)
		note_add(j, &out->notes,
			kind == CHECK_INVARIANT ? REASON_INVARIANT_VIOLATED
						: REASON_PRECONDITION_UNMET,
			NULL, "observed", low, "limit", limit_text(j, &c->limit), NULL);
	else if (out->verdict == CHECK_UNPROVEN && !count_is_refused(out->observed) &&
		 !notes_doubt(&out->notes))
		note_add(j, &out->notes, REASON_UNDECIDED, NULL, "low", low, "high",
			text_number(j, out->observed.high), "limit", limit_text(j, &c->limit),
			NULL);
}

void check_judge(
	struct judge *j, const struct check *c, enum check_kind kind, struct check_result *out)
{
	static const char *const kinds[] = {"invariant", "precondition", "figure"};
	const char *subject = arena_printf(j->arena, "%s/%s", kinds[kind], c->id);
	struct measuring m = {j, &c->measure, kind, subject, &out->notes};
	struct measured got = take_measure(&m);

	out->id = c->id;
	out->observed = got.observed;
	out->sampled_every_ms = got.sampled_every_ms;
	out->max_at_ms = got.at_ms;
	if (c->measure.per.n && !got.refused && !got.pending)
		judge_members(j, &c->limit, &got, out);
	else
		out->verdict = limit_verdict(&c->limit, out->observed);
	if (kind == CHECK_FIGURE) {
		out->verdict = CHECK_SHOWN;
		return;
	}
	if (got.absent)
		out->verdict = CHECK_HELD;
	if (out->verdict == CHECK_UNPROVEN && got.only_unseen && got.observed.low == 0 &&
		c->measure.proof.witness.n)
		try_witness(j, c, kind, subject, out);
	note_limit(j, c, kind, out);
}

struct count check_delivered(struct judge *j, const struct measure *m, struct notes *notes)
{
	struct measuring me = {j, m, CHECK_FIGURE, "load/delivered", notes};
	struct measured got = take_measure(&me);

	return got.observed;
}
