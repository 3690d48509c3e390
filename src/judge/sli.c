/* SLI: three ways to count a ratio: two selectors as sets, a histogram, or a histogram against a
 * denominator counted elsewhere. */
#include "judge/sli.h"

#include "judge/histogram.h"
#include "judge/ratio.h"
#include "judge/tally.h"

/* --- selectors (rule 19) ------------------------------------------------------------------------
 */

/* Are all series of `inner` among those of `outer`? */
static bool nests(const struct tally *t, unsigned inner, unsigned outer)
{
	return !tally_any(t, inner, outer);
}

/* What is excluded on another family: how much of it was good, how much bad, is not known. */
static void take_out_elsewhere(const struct tally *t, struct sli_counts *c)
{
	struct count out =
		tally_sum(t, TALLY_EXCLUDE, TALLY_TOTAL | TALLY_GOOD | TALLY_BAD | TALLY_ASIDE, 0);

	c->good.low = fmax(0, c->good.low - out.high);
	c->bad.low = fmax(0, c->bad.low - out.high);
	c->total = count_sub(c->total, out);
}

/* Total less what is excluded, where `part` (good or bad) is not among the total's series. */
static struct count valid_total(const struct tally *t, unsigned part)
{
	return count_sub(tally_sum(t, TALLY_TOTAL, TALLY_EXCLUDE, 0),
		tally_sum(t, TALLY_EXCLUDE | part, TALLY_TOTAL, 0));
}

static void from_good_and_total(const struct tally *t, struct sli_counts *c)
{
	c->good = tally_sum(t, TALLY_GOOD, TALLY_EXCLUDE, 0);
	if (nests(t, TALLY_GOOD, TALLY_TOTAL)) {
		c->bad = tally_sum(t, TALLY_TOTAL, TALLY_GOOD | TALLY_EXCLUDE, 0);
		c->total = count_add(c->good, c->bad);
	} else {
		c->total = valid_total(t, TALLY_GOOD);
		c->bad = count_sub(c->total, c->good);
	}
}

static void from_bad_and_total(const struct tally *t, struct sli_counts *c)
{
	c->bad = tally_sum(t, TALLY_BAD, TALLY_EXCLUDE, 0);
	if (nests(t, TALLY_BAD, TALLY_TOTAL)) {
		c->good = tally_sum(t, TALLY_TOTAL, TALLY_BAD | TALLY_EXCLUDE, 0);
		c->total = count_add(c->good, c->bad);
	} else {
		c->total = valid_total(t, TALLY_BAD);
		c->good = count_sub(c->total, c->bad);
	}
}

static void from_good_and_bad(const struct tally *t, struct sli_counts *c)
{
	c->good = tally_sum(t, TALLY_GOOD, TALLY_EXCLUDE, 0);
	c->bad = tally_sum(t, TALLY_BAD, TALLY_EXCLUDE, 0);
	c->total = count_add(c->good, c->bad);
}

static bool names_metric(const struct selectors *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].name && !strcmp(list->at[i].name, name))
			return true;
	return false;
}

static void add_exclude(struct tally *t, const struct sli *s)
{
	for (size_t i = 0; i < s->exclude.n; i++) {
		struct selector *one = &s->exclude.at[i];
		bool counted = one->name && (names_metric(&s->total, one->name) ||
						    names_metric(&s->good, one->name) ||
						    names_metric(&s->bad, one->name));
		tally_add(t, &(struct selectors){one, 1},
			TALLY_EXCLUDE | (counted ? TALLY_ASIDE : 0));
	}
}

static void check_nesting(struct judge *j, struct sli_counts *c, struct count part,
	struct count total, struct notes *notes)
{
	if (c->refused || !(part.low > total.low && part.high > total.high))
		return;
	note_add(j, notes, REASON_GOOD_OVER_TOTAL, NULL, "good", text_number(j, part.low), "total",
		text_number(j, total.low), NULL);
	c->refused = true;
}

static void take_tally(struct tally *t, struct sli_counts *c)
{
	tally_check_copies(t);
	c->refused |= t->refused;
	c->pending |= t->pending;
	c->unseen = tally_unseen(t);
	c->has_unseen = watch_unseen(&t->watch, false);
	c->doubt |= t->watch.lagging.n > 0;
	/* where nothing matched, the doubt has been said already */
	if (t->entries.n || t->matched)
		c->doubt |= !tally_at_home(t);
	watch_note(t->judge, &t->watch, false, t->notes);
}

static void count_selectors(struct judge *j, const struct sli *s, const char *subject,
	struct notes *notes, struct sli_counts *c)
{
	struct tally t;

	tally_init(&t, j, subject, notes, &s->proof);
	t.per_interval = true; /* of the whole family: the total, or good and bad together */
	tally_add(&t, &s->total, TALLY_TOTAL);
	t.per_interval = !s->total.n;
	tally_add(&t, &s->good, TALLY_GOOD);
	tally_add(&t, &s->bad, TALLY_BAD);
	t.per_interval = false;
	add_exclude(&t, s);
	if (!t.pending && !t.refused && !tally_prove_empty(&t, ~0u))
		c->doubt = true;
	if (!t.pending && !t.refused && !tally_exporters_up(&t, &s->bad))
		c->doubt = true;
	take_tally(&t, c);
	if (s->good.n && s->total.n)
		from_good_and_total(&t, c);
	else if (s->bad.n && s->total.n)
		from_bad_and_total(&t, c);
	else
		from_good_and_bad(&t, c);
	c->excluded = tally_sum(&t, TALLY_EXCLUDE, 0, 0);
	take_out_elsewhere(&t, c);
	if (s->total.n) {
		struct count total = tally_sum(&t, TALLY_TOTAL, 0, 0);
		check_nesting(j, c,
			s->good.n ? tally_sum(&t, TALLY_GOOD, 0, 0) : (struct count){0, 0}, total,
			notes);
		check_nesting(j, c,
			s->bad.n ? tally_sum(&t, TALLY_BAD, 0, 0) : (struct count){0, 0}, total,
			notes);
	}
	tally_release(&t);
}

/* --- quantiles and percentiles (rule 16)
 * ---------------------------------------------------------- */

static void take_quantiles(struct histogram *h, struct quantiles *q)
{
	static const double levels[QUANTILES] = {0.5, 0.95, 0.99};

	q->there = !h->tally.refused && !h->tally.pending && h->groups.n;
	if (!q->there)
		return;
	for (size_t i = 0; i < QUANTILES; i++)
		q->bounds_s[i] = histogram_quantile(h, levels[i], &q->at_s[i]);
	for (size_t i = 0; i < q->n_percentiles; i++) {
		struct within w = histogram_within(h, q->percentiles[i].within_s, 0, true);
		q->within[i] = w.good;
		q->beyond[i] = w.bad;
	}
	q->unseen = tally_unseen(&h->tally);
	q->doubt = h->tally.watch.lagging.n > 0 || !tally_at_home(&h->tally);
}

/* The quantiles alone, where the ratio is not of the histogram. */
static void sli_quantiles(struct judge *j, const struct sli *s, const char *subject,
	struct notes *notes, struct quantiles *q)
{
	struct histogram h;

	histogram_init(
		&h, j, &s->histogram, &s->success, &s->exclude_matchers, &s->proof, subject, notes);
	histogram_read(&h);
	take_quantiles(&h, q);
	watch_note(j, &h.tally.watch, false, notes);
	histogram_release(&h);
}

/* --- a histogram (rules 13, 14) ------------------------------------------------------------------
 */

/* An exclude selector on another family: how many of its events were good is not known. */
static void exclude_elsewhere(struct judge *j, const struct sli *s, const char *subject,
	struct notes *notes, struct sli_counts *c)
{
	struct tally t;

	tally_init(&t, j, subject, notes, &s->proof);
	tally_add(&t, &s->exclude, TALLY_EXCLUDE);
	if (!t.pending && !t.refused && !tally_prove_empty(&t, TALLY_EXCLUDE))
		c->doubt = true;
	c->refused |= t.refused;
	c->pending |= t.pending;
	c->excluded = tally_sum(&t, TALLY_EXCLUDE, 0, 0);
	struct count total = count_sub(c->total, c->excluded);
	double good_high = c->good.high < total.high ? c->good.high : total.high;
	struct count fewer = count_sub(c->good, c->excluded);
	c->good = (struct count){fewer.low, good_high};
	c->bad = (struct count){fmax(0, total.low - good_high), fmax(0, total.high - fewer.low)};
	c->total = total;
	tally_release(&t);
}

static void count_histogram(struct judge *j, const struct sli *s, const char *subject,
	struct notes *notes, struct quantiles *q, struct sli_counts *c)
{
	struct histogram h;

	histogram_init(
		&h, j, &s->histogram, &s->success, &s->exclude_matchers, &s->proof, subject, notes);
	histogram_read(&h);
	c->doubt |= !h.groups.n;
	take_tally(&h.tally, c);
	struct within w = histogram_within(&h, s->within_s, 0, false);
	take_quantiles(&h, q);
	c->good = w.good;
	c->bad = w.bad;
	c->total = w.total;
	c->excluded = w.excluded;
	if (s->exclude.n)
		exclude_elsewhere(j, s, subject, notes, c);
	histogram_release(&h);
}

/* --- another denominator (rule 23)
 * ---------------------------------------------------------------- */

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static void count_arrivals(struct judge *j, const struct sli *s, const char *subject,
	struct notes *notes, struct sli_counts *c)
{
	struct tally t;
	struct histogram h;
	int64_t within_ms = (int64_t)llround(decimal_to_double(s->within_s) * 1000);
	const struct window *w = &j->in->window;

	tally_init(&t, j, subject, notes, &s->proof);
	t.per_interval = true;
	tally_add(&t, &s->total, TALLY_TOTAL);
	t.per_interval = false;
	add_exclude(&t, s);
	if (!t.pending && !t.refused && !tally_prove_empty(&t, ~0u))
		c->doubt = true;
	take_tally(&t, c);
	c->excluded = tally_sum(&t, TALLY_EXCLUDE, 0, 0);
	struct count total = count_sub(tally_sum(&t, TALLY_TOTAL, TALLY_EXCLUDE, 0),
		tally_sum(&t, TALLY_EXCLUDE, TALLY_TOTAL | TALLY_ASIDE, 0));
	tally_release(&t);

	histogram_init(
		&h, j, &s->histogram, &s->success, &s->exclude_matchers, &s->proof, subject, notes);
	/* early arrivals may have been sent before the window; late ones were sent inside */
	h.tally.span[0] =
		(struct span){w->start_ms + within_ms, w->end_ms, EDGE_AFTER, EDGE_BEFORE};
	h.tally.span[1] =
		(struct span){w->start_ms, w->end_ms + within_ms, EDGE_BEFORE, EDGE_AFTER};
	h.tally.n_spans = 2;
	histogram_read(&h);
	c->doubt |= !h.groups.n || h.tally.watch.lagging.n;
	if (h.groups.n)
		c->doubt |= !tally_at_home(&h.tally);
	c->refused |= h.tally.refused;
	c->pending |= h.tally.pending;
	double arrivals_unseen = tally_unseen(&h.tally);
	c->has_unseen |= watch_unseen(&h.tally.watch, false);
	watch_note(j, &h.tally.watch, false, notes);
	c->unseen = fmax(c->unseen, arrivals_unseen);
	double low = histogram_within(&h, s->within_s, 0, false).good.low;
	double high = histogram_within(&h, s->within_s, 1, false).good.high;
	/* what is excluded of the total may be among the arrivals */
	low = fmax(0, low - c->excluded.high);
	c->total = total;
	c->good = (struct count){smaller(low, total.low), smaller(high, total.high)};
	c->bad = (struct count){
		fmax(0, total.low - c->good.high), fmax(0, total.high - c->good.low)};
	histogram_release(&h);
}

struct sli_counts sli_count(struct judge *j, const struct sli *s, const char *subject,
	struct notes *notes, struct quantiles *q)
{
	struct sli_counts c = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, false, false, false, false};

	if (s->has_within && s->has_histogram && s->total.n)
		count_arrivals(j, s, subject, notes, &c);
	else if (s->has_within && s->has_histogram)
		count_histogram(j, s, subject, notes, q, &c);
	else
		count_selectors(j, s, subject, notes, &c);
	if (s->has_histogram && !q->there && !c.pending && !c.refused)
		sli_quantiles(j, s, subject, notes, q);
	return c;
}

struct sli_counts sli_sum(struct sli_counts a, struct sli_counts b)
{
	return (struct sli_counts){
		.good = count_add(a.good, b.good),
		.bad = count_add(a.bad, b.bad),
		.total = count_add(a.total, b.total),
		.excluded = count_add(a.excluded, b.excluded),
		.unseen = a.unseen + b.unseen,
		.has_unseen = a.has_unseen || b.has_unseen,
		.refused = a.refused || b.refused,
		.pending = a.pending || b.pending,
		.doubt = a.doubt || b.doubt,
	};
}

/* --- the decision
 * ---------------------------------------------------------------------------------- */

static struct count widened(struct count c, double unseen)
{
	return (struct count){c.low, c.high + unseen};
}

static void refuse(struct sli_result *out)
{
	out->good = out->bad = out->total = out->excluded = count_refused();
	out->verdict = STAGE_INCONCLUSIVE;
	out->confidence = CONFIDENCE_NONE;
}

static void decide_unseen(struct judge *j, const struct sli_counts *c, struct decimal objective,
	struct sli_result *out)
{
	bool proportional = j->in->spec->targets.unseen == UNSEEN_PROPORTIONAL;
	enum stage_verdict bad =
		ratio_verdict(widened(c->good, c->unseen), widened(c->bad, c->unseen), objective);
	enum stage_verdict alike = ratio_verdict(c->good, c->bad, objective);

	out->has_unseen = c->has_unseen;
	out->if_unseen_bad = bad;
	out->if_proportional = alike;
	out->proportional = c->has_unseen && proportional;
	out->verdict = out->proportional ? alike : bad;
	if (!c->has_unseen)
		return;
	if (proportional)
		note_add(j, &out->notes, REASON_UNSEEN_PROPORTIONAL, NULL, "verdict",
			stage_verdict_name(bad), NULL);
	else
		note_add(j, &out->notes, REASON_UNSEEN_BAD, NULL, "events",
			text_number(j, c->unseen), "verdict", stage_verdict_name(alike), NULL);
}

static void note_verdict(struct judge *j, const struct sli_counts *c, struct decimal objective,
	struct sli_result *out)
{
	struct strbuf low = STRBUF_INIT, high = STRBUF_INIT;
	double worst = out->good.low + out->bad.high, best = out->good.high + out->bad.low;

	if (out->total.high == 0 || (c->has_unseen && c->total.high == 0)) {
		if (!notes_doubt(&out->notes))
			note_add(j, &out->notes, REASON_NO_TRAFFIC, NULL, NULL);
	} else if (out->verdict == STAGE_INCONCLUSIVE && !c->doubt && !isinf(worst) && worst > 0) {
		decimal_format_ratio(&low, out->good.low, worst, 6, false);
		decimal_format_ratio(&high, out->good.high, best > 0 ? best : worst, 6, true);
		note_add(j, &out->notes, REASON_UNDECIDED, NULL, "low", low.at, "high", high.at,
			"limit", text_decimal(j, objective), NULL);
	}
	strbuf_release(&low);
	strbuf_release(&high);
}

void sli_decide(struct judge *j, const struct sli_counts *c, struct decimal objective,
	const struct decimal *at_least, struct sli_result *out)
{
	if (c->refused || c->pending) {
		refuse(out);
		return;
	}
	decide_unseen(j, c, objective, out);
	double more = out->proportional ? 0 : c->unseen;
	out->good = widened(c->good, more);
	out->bad = widened(c->bad, more);
	out->total = widened(c->total, more);
	out->excluded = c->excluded;
	if (c->doubt)
		out->verdict = STAGE_INCONCLUSIVE;
	/* nothing was seen at all: unseen stretches alone prove no traffic (rule 12) */
	if (c->total.high == 0)
		out->verdict = STAGE_INCONCLUSIVE;
	note_verdict(j, c, objective, out);
	if (at_least && out->verdict == STAGE_PASS &&
		decimal_cmp_double(*at_least, out->total.high) > 0) {
		note_add(j, &out->notes, REASON_TOO_FEW_EVENTS, NULL, "total",
			text_number(j, out->total.high), "at_least", text_decimal(j, *at_least),
			NULL);
		out->verdict = STAGE_INCONCLUSIVE;
	}
	out->confidence = ratio_confidence(out->good, out->bad, objective, out->verdict);
}
