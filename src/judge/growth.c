/* Growth: steps of a counter, and their sums between two edges. */
#include "judge/growth.h"

#include <math.h>

#include "judge/count.h"

static bool is_bad(double v)
{
	return isnan(v) || isinf(v) || v < 0;
}

/* The last good scrape strictly inside (after, before) at which the series was absent, or
 * INT64_MIN. `*k` walks along the scrapes with the samples. */
static int64_t absent_between(
	const struct target *t, size_t *k, int64_t after_ms, int64_t before_ms, int64_t margin_ms)
{
	int64_t last = INT64_MIN;

	while (*k < t->n_scrapes && t->scrape[*k].t_ms < before_ms) {
		const struct scrape *s = &t->scrape[(*k)++];
		if (s->good && (after_ms == INT64_MIN || s->t_ms > after_ms + margin_ms) &&
			s->t_ms < before_ms - margin_ms)
			last = s->t_ms;
	}
	return last;
}

static bool restarted_between(const struct target *t, int64_t after_ms, int64_t before_ms)
{
	for (size_t i = 0; t && i < t->restarts.n; i++)
		if (t->restarts.at[i].before_ms >= after_ms &&
			t->restarts.at[i].after_ms <= before_ms)
			return true;
	/* samples need not lie on scrapes: a restart that the two samples straddle counts as well
	 */
	for (size_t i = 0; t && i < t->restarts.n; i++)
		if (t->restarts.at[i].start_ms > after_ms &&
			t->restarts.at[i].start_ms <= before_ms)
			return true;
	return false;
}

static struct step_of_growth first_step(const struct target *t, int64_t absent_ms,
	int64_t created_ms, int64_t start_ms, int64_t t_ms, double v)
{
	struct step_of_growth st = {.at_ms = t_ms, .growth = v, .certain = v, .kind = STEP_BIRTH};

	if (absent_ms != INT64_MIN) {
		st.since_ms = absent_ms;
		return st;
	}
	int64_t process = t ? target_start_at(t, t_ms) : INT64_MIN;
	if (process != INT64_MIN && process >= start_ms)
		st.since_ms = process;
	else if (created_ms != INT64_MIN && created_ms >= start_ms)
		st.since_ms = created_ms;
	else
		st = (struct step_of_growth){INT64_MIN, t_ms, v, 0, STEP_UNKNOWN};
	return st;
}

static struct step_of_growth next_step(struct growth *g, const struct target *t, int64_t absent_ms,
	int64_t prev_ms, double prev, int64_t t_ms, double v)
{
	struct step_of_growth st = {prev_ms, t_ms, v, v, STEP_RESET};

	if (absent_ms != INT64_MIN) {
		st.kind = STEP_BIRTH;
		st.since_ms = absent_ms;
		if (g->reborn_ms == INT64_MIN) {
			g->reborn_ms = t_ms;
			g->reborn_value = v;
		}
	} else if (restarted_between(t, prev_ms, t_ms)) {
		/* a counter may outlive the process that exports it */
		if (v >= prev)
			st.certain = v - prev;
	} else if (v >= prev) {
		st.growth = st.certain = v - prev;
		st.kind = STEP_GROWTH;
	} else {
		if (prev - v < prev * 0.01 && 2 * (t_ms - prev_ms) < g->interval_ms) {
			g->replica_dip = true;
			g->replica_dip_at_ms = t_ms;
		}
	}
	return st;
}

static int compare_ms(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

int64_t series_interval(const struct series *s)
{
	int64_t d[64];
	size_t n = 0;

	for (size_t i = 1; i < s->n && n < sizeof d / sizeof *d; i++)
		d[n++] = s->t_ms[i] - s->t_ms[i - 1];
	if (!n)
		return 0;
	qsort(d, n, sizeof *d, compare_ms);
	return d[(n - 1) / 2];
}

static void growth_reset(struct growth *g, const struct series *s, const struct target *t)
{
	g->steps.n = 0;
	g->interval_ms = t && t->interval_ms ? t->interval_ms : series_interval(s);
	g->first_ms = g->last_ms = g->vanished_ms = g->reborn_ms = INT64_MIN;
	g->first_value = 0;

	g->bad_value = g->replica_dip = g->baseline_before = false;
}

void growth_of(struct growth *g, const struct series *s, const struct target *t, int64_t created_ms,
	int64_t start_ms)
{
	growth_reset(g, s, t);
	int64_t margin = t && !target_scraped(t, s) ? g->interval_ms : 0;
	int64_t prev_ms = INT64_MIN, absent;
	double prev = 0;
	size_t k = 0;

	for (size_t i = 0; i < s->n; i++) {
		double v = s->value[i];
		int64_t at = s->t_ms[i];
		/* Only VictoriaMetrics shows where it noted an end, and it does so after a failed
		 * scrape of a living process too. Scrapes without the series say the same on every
		 * backend. */
		if (sample_is_stale(v))
			continue;
		if (is_bad(v)) {
			if (!g->bad_value) {
				g->bad_value_seen = v;
				g->bad_value_at_ms = at;
			}
			g->bad_value = true;
			continue;
		}
		absent = t ? absent_between(t, &k, prev_ms, at, margin) : INT64_MIN;
		if (prev_ms == INT64_MIN) {
			g->first_ms = at;
			g->first_value = v;
			*ARRAY_ADD(&g->steps) = first_step(t, absent, created_ms, start_ms, at, v);
		} else {
			*ARRAY_ADD(&g->steps) = next_step(g, t, absent, prev_ms, prev, at, v);
		}
		g->baseline_before |= at <= start_ms;
		prev_ms = at;
		prev = v;
	}
	g->last_ms = prev_ms;
	if (t && prev_ms != INT64_MIN) {
		int64_t gone = target_good_after(t, prev_ms + margin + 1);
		g->vanished_ms = gone == INT64_MAX ? INT64_MIN : gone;
	}
}

void growth_release(struct growth *g)
{
	ARRAY_RELEASE(&g->steps);
}

static void add_gap(struct span_count *c, const struct step_of_growth *st, bool at_start)
{
	c->count.high += st->growth;
	if (st->growth <= 0)
		return;
	c->gap_growth += st->growth;
	c->gap_from_ms = st->since_ms;
	c->gap_to_ms = st->at_ms;
	c->gap_at_start |= at_start;
	c->gap_at_end |= !at_start;
}

/* Time up to which samples count: the edge itself, or the scrape that stands for it. */
static int64_t end_of(const struct growth *g, const struct target *t, const struct span *sp)
{
	if (sp->to_side == EDGE_BEFORE)
		return sp->to_ms;
	int64_t scrape = t ? target_good_after(t, sp->to_ms) : INT64_MAX;
	if (scrape != INT64_MAX)
		return scrape;
	for (size_t i = 0; !t && i < g->steps.n; i++)
		if (g->steps.at[i].at_ms >= sp->to_ms)
			return g->steps.at[i].at_ms;
	return sp->to_ms;
}

/* Time after which growth counts. */
static int64_t start_of(const struct growth *g, const struct target *t, const struct span *sp)
{
	if (sp->from_side == EDGE_BEFORE)
		return sp->from_ms;
	int64_t scrape = t ? target_good_after(t, sp->from_ms) : INT64_MAX;
	if (scrape != INT64_MAX)
		return scrape;
	for (size_t i = 0; i < g->steps.n; i++)
		if (g->steps.at[i].at_ms >= sp->from_ms)
			return g->steps.at[i].at_ms;
	return INT64_MAX;
}

/* A first sample whose earlier life is unknown: [0, v]. If the sample lies at or before the start
 * it is the baseline and counts nothing. */
static void add_unknown(struct span_count *c, const struct step_of_growth *st)
{
	c->count.high += st->growth;
	if (st->growth > 0) {
		c->unknown_birth = true;
		c->unknown_value = st->growth;
		c->unknown_at_ms = st->at_ms;
	}
}

/* A step that ends at or after the far edge of the span. */
static void add_over_end(struct span_count *c, const struct step_of_growth *st,
	const struct span *sp, int64_t end_ms, int64_t slack_ms)
{
	if (st->since_ms != INT64_MIN && st->since_ms >= sp->to_ms)
		return; /* all of it happened after the edge */
	bool far = st->since_ms == INT64_MIN || sp->to_ms - st->since_ms > slack_ms;
	if (sp->to_side == EDGE_BEFORE) {
		if (far)
			add_gap(c, st, false);
		return;
	}
	if (st->at_ms > end_ms)
		return;
	if (far || st->at_ms - sp->to_ms > slack_ms)
		add_gap(c, st, false);
	else
		c->count = count_add(c->count, (struct count){st->certain, st->growth});
}

static void add_inside(struct span_count *c, const struct step_of_growth *st, const struct span *sp,
	int64_t slack_ms)
{
	bool straddles = st->since_ms != INT64_MIN && st->since_ms < sp->from_ms;

	if (straddles && sp->from_side == EDGE_BEFORE) {
		if (sp->from_ms - st->since_ms > slack_ms) {
			add_gap(c, st, true);
			return;
		}
		c->before_start = st->growth;
		c->before_since_ms = st->since_ms;
	}
	c->count = count_add(c->count, (struct count){st->certain, st->growth});
	if (st->growth > c->largest_step)
		c->largest_step = st->growth;
}

struct span_count growth_count(
	const struct growth *g, const struct target *t, const struct span *span)
{
	struct span_count c = {.count = {0, 0}};
	int64_t start = start_of(g, t, span), end = end_of(g, t, span);
	int64_t slack = g->interval_ms + g->interval_ms / 2;

	for (size_t i = 0; i < g->steps.n; i++) {
		const struct step_of_growth *st = &g->steps.at[i];
		if (st->at_ms <= start)
			continue; /* up to the baseline */
		if (st->kind == STEP_UNKNOWN) {
			add_unknown(&c, st); /* also past the end: it may have counted before */
			continue;
		}
		/* with an inner start the step that straddles it is left out */
		if (span->from_side == EDGE_AFTER && st->since_ms < start)
			continue;
		if (st->at_ms > span->to_ms) {
			add_over_end(&c, st, span, end, slack);
			if (st->at_ms > end)
				break;
			continue;
		}
		add_inside(&c, st, span, slack);
	}
	return c;
}
