/* Value: gauges as step functions over the window, combined as `across` says. */
#include "judge/value.h"

#include <math.h>

#include "judge/growth.h"
#include "judge/proof.h"
#include "judge/watch.h"

/* distinct sample times of one group; more is refused */
#define MAX_POINTS 1000000

struct point { /* from at_ms on, until the next point */
	int64_t at_ms;
	double value; /* combined over the series that are there; undefined when n = 0 */
	unsigned n;   /* series that are there */
};

struct curve { /* a step function over [start, end] */
	ARRAY_OF(struct point) points;
};

struct group { /* while reading */
	struct labels key;
	size_t n_series;
	bool stale; /* `last`: a series that did not end has no fresh sample at the end */
	struct curve curve;
};

struct reading {
	struct judge *judge;
	const struct measure *measure;
	const char *subject;
	struct notes *notes;
	struct values *out;
	struct watch watch;
	ARRAY_OF(struct group) groups;
	struct curve series, merged; /* scratch */
	ARRAY_OF(const struct target *) exporting;
	bool first_inside, too_old;
	bool stale;   /* of the series just read */
	bool own_gap; /* a series without a target has a gap; only its own samples tell */
	int64_t first_inside_ms;
	size_t matched;
};

/* When the series ended after sample i, if it did before `next_ms`: the target's first good scrape
 * without it, or one interval after a target's last scrape. INT64_MAX: it went on. */
static int64_t ended_after(const struct target *t, int64_t at_ms, int64_t next_ms,
	int64_t interval_ms, int64_t margin_ms)
{
	if (!t)
		return next_ms == INT64_MAX ? at_ms + 2 * interval_ms : INT64_MAX;
	int64_t gone = target_good_after(t, at_ms + margin_ms + 1);
	if (gone != INT64_MAX && (next_ms == INT64_MAX || gone < next_ms - margin_ms))
		return gone;
	if (next_ms == INT64_MAX && gone == INT64_MAX)
		return at_ms + interval_ms; /* nothing was seen of the target any more */
	return INT64_MAX;
}

static int64_t interval_of(const struct series *s, const struct target *t)
{
	if (t && t->interval_ms)
		return t->interval_ms;
	return s->n > 1 ? series_interval(s) : 60000;
}

static void add_point(struct curve *c, int64_t at_ms, double v, unsigned n)
{
	if (c->points.n && c->points.at[c->points.n - 1].at_ms == at_ms) {
		c->points.at[c->points.n - 1] = (struct point){at_ms, v, n};
		return;
	}
	*ARRAY_ADD(&c->points) = (struct point){at_ms, v, n};
}

/* Was the target seen at the window's start, so that a series absent there did not exist? */
static bool seen_at_start(const struct reading *r, const struct target *t, int64_t interval)
{
	int64_t start = r->judge->in->window.start_ms;
	int64_t good = t ? target_good_before(t, start, false) : INT64_MIN;

	return good != INT64_MIN && start - good <= 2 * interval;
}

/* Rule 22, first: a series of an unseen target is taken as it is first seen inside; a series that
 * was born later only counts where there is no other. */
static void move_to_start(struct reading *r, const struct target *t, int64_t interval)
{
	struct point *p = r->series.points.at;
	int64_t start = r->judge->in->window.start_ms;

	if (!r->series.points.n || !p->n || p->at_ms == start || seen_at_start(r, t, interval))
		return;
	r->first_inside = true;
	r->first_inside_ms = p->at_ms;
	p->at_ms = start;
}

/* Without a target, the series' own spacing must show that it was sampled all along. */
static void find_own_gap(struct reading *r, const struct series *s, int64_t interval)
{
	const struct window *w = &r->judge->in->window;
	int64_t prev = INT64_MIN, slack = interval * 3 / 2;

	for (size_t i = 0; i < s->n; i++) {
		int64_t since = prev == INT64_MIN ? w->start_ms : prev;
		if (s->t_ms[i] > w->start_ms && since < w->end_ms && s->t_ms[i] - since > slack)
			r->own_gap = true;
		prev = s->t_ms[i];
	}
	if (prev != INT64_MIN && w->end_ms - prev > slack)
		r->own_gap = true;
}

/* The series as a step function from the window's start on: carried in, sampled, ended. */
static bool curve_of(struct reading *r, const struct series *s, const struct target *t)
{
	const struct window *w = &r->judge->in->window;
	int64_t interval = interval_of(s, t), margin = t && !target_scraped(t, s) ? interval : 0;

	r->series.points.n = 0;
	r->stale = false;
	if (interval > r->out->interval_ms)
		r->out->interval_ms = interval;
	for (size_t i = 0; i < s->n; i++) {
		double v = s->value[i];
		int64_t at = s->t_ms[i], next = i + 1 < s->n ? s->t_ms[i + 1] : INT64_MAX;
		if (sample_is_stale(v) || at > w->end_ms)
			continue;
		if (!isfinite(v)) {
			note_add(r->judge, r->notes, REASON_BAD_VALUE, NULL, "series",
				text_labels(r->judge, &s->labels), "value",
				text_number(r->judge, v), "at", text_time(r->judge, at), NULL);
			return false;
		}
		int64_t end = ended_after(t, at, next, interval, margin);
		if (at <= w->start_ms) {
			/* not older than two intervals, and still there at the start */
			r->series.points.n = 0;
			if (w->start_ms - at <= 2 * interval && end > w->start_ms)
				add_point(&r->series, w->start_ms, v, 1);
		} else {
			add_point(&r->series, at, v, 1);
		}
		if (end != INT64_MAX && end > w->start_ms && end <= w->end_ms)
			add_point(&r->series, end, 0, 0);
		else if (next > w->end_ms)
			r->stale = w->end_ms - at > 2 * interval;
	}
	if (!t)
		find_own_gap(r, s, interval);
	if (r->measure->kind == MEASURE_FIRST)
		move_to_start(r, t, interval);
	return true;
}

static double combine(enum across a, double x, unsigned nx, double y, unsigned ny)
{
	if (!nx || !ny)
		return nx ? x : y;
	switch (a) {
	case ACROSS_MAX:
		return fmax(x, y);
	case ACROSS_MIN:
		return fmin(x, y);
	default:
		return x + y; /* sum; an average is divided at the end */
	}
}

/* merged = group's curve combined with the series' curve, at every time of either */
static void merge(struct reading *r, struct group *g)
{
	const struct curve *a = &g->curve, *b = &r->series;
	struct point pa = {0}, pb = {0};
	size_t i = 0, k = 0;

	r->merged.points.n = 0;
	while (i < a->points.n || k < b->points.n) {
		int64_t at = i < a->points.n ? a->points.at[i].at_ms : INT64_MAX;
		if (k < b->points.n && b->points.at[k].at_ms < at)
			at = b->points.at[k].at_ms;
		if (i < a->points.n && a->points.at[i].at_ms == at)
			pa = a->points.at[i++];
		if (k < b->points.n && b->points.at[k].at_ms == at)
			pb = b->points.at[k++];
		add_point(&r->merged, at,
			combine(r->measure->across, pa.value, pa.n, pb.value, pb.n), pa.n + pb.n);
	}
	struct curve swap = g->curve;
	g->curve = r->merged;
	r->merged = swap;
}

static struct group *group_for(struct reading *r, const struct labels *l)
{
	const struct names *per = &r->measure->per;
	struct label at[16];
	struct labels key = {at, per->n > 16 ? 16 : per->n};

	for (size_t i = 0; i < key.n; i++)
		at[i] = (struct label){per->at[i], labels_get(l, per->at[i])};
	for (size_t i = 0; i < r->groups.n; i++)
		if (!labels_cmp(&r->groups.at[i].key, &key))
			return &r->groups.at[i];
	struct group *g = ARRAY_ADD(&r->groups);
	g->key = labels_copy(r->judge->arena, &key);
	return g;
}

static int read_gauge(void *arg, const struct series *s)
{
	struct reading *r = arg;
	const struct target *t = target_of(r->judge, &s->labels);

	r->matched++;
	watch_add_job(r->judge, &r->watch, &s->labels);
	if (t)
		*ARRAY_ADD(&r->exporting) = t;
	if (s->native) {
		note_add(r->judge, r->notes, REASON_NOT_IN_THIS_BUILD, NULL, "what",
			"native histograms", "series", text_labels(r->judge, &s->labels), NULL);
		r->out->refused = true;
		return 0;
	}
	struct group *g = group_for(r, &s->labels);
	if (!curve_of(r, s, t)) {
		r->out->refused = true;
		return 0;
	}
	if (!r->series.points.n)
		return 0; /* it had ended before the window */
	g->n_series++;
	g->stale |= r->stale;
	if (g->n_series > 1 && r->measure->across == ACROSS_NONE)
		return 0;
	merge(r, g);
	if (g->curve.points.n > MAX_POINTS) {
		note_add(r->judge, r->notes, REASON_LIMIT_REACHED, NULL, "what",
			"distinct sample times of one value", "limit", "1000000", NULL);
		r->out->refused = true;
	}
	return 0;
}

static double at_point(const struct reading *r, const struct point *p)
{
	return r->measure->across == ACROSS_AVG ? p->value / p->n : p->value;
}

/* Time-weighted mean over the stretches in which there was a value. */
static double mean(const struct reading *r, const struct group *g)
{
	const struct window *w = &r->judge->in->window;
	double sum = 0, time = 0;

	for (size_t i = 0; i < g->curve.points.n; i++) {
		const struct point *p = &g->curve.points.at[i];
		int64_t until = i + 1 < g->curve.points.n ? p[1].at_ms : w->end_ms;
		if (!p->n || until <= p->at_ms)
			continue;
		sum += at_point(r, p) * (double)(until - p->at_ms);
		time += (double)(until - p->at_ms);
	}
	return time > 0 ? sum / time : NAN;
}

static void extreme(
	const struct reading *r, const struct group *g, bool max, struct value_group *out)
{
	double best = NAN;

	for (size_t i = 0; i < g->curve.points.n; i++) {
		const struct point *p = &g->curve.points.at[i];
		if (!p->n)
			continue;
		double v = at_point(r, p);
		if (isnan(best) || (max ? v > best : v < best)) {
			best = v;
			out->at_ms = p->at_ms;
		}
	}
	out->value = count_of(best);
}

static void at_start(struct reading *r, const struct group *g, struct value_group *out)
{
	for (size_t i = 0; i < g->curve.points.n; i++) {
		const struct point *p = &g->curve.points.at[i];
		if (!p->n)
			continue;
		out->value = count_of(at_point(r, p));
		if (p->at_ms > r->judge->in->window.start_ms) {
			r->first_inside = true;
			r->first_inside_ms = p->at_ms;
		}
		return;
	}
	out->value = count_refused();
}

static void at_end(struct reading *r, const struct group *g, struct value_group *out)
{
	const struct point *p =
		g->curve.points.n ? &g->curve.points.at[g->curve.points.n - 1] : NULL;

	if (p && p->n && !g->stale) {
		out->value = count_of(at_point(r, p));
		return;
	}
	r->too_old = true;
	out->value = count_refused();
}

static void reduce(struct reading *r, const struct group *g)
{
	struct value_group *out = ARRAY_ADD(&r->out->groups);

	*out = (struct value_group){.key = g->key,
		.n_series = g->n_series,
		.at_ms = TIME_NONE,
		.value = count_refused()};
	if (!g->n_series)
		return;
	if (g->n_series > 1 && r->measure->across == ACROSS_NONE) {
		note_add(r->judge, r->notes, REASON_SEVERAL_SERIES, NULL, "n",
			arena_printf(r->judge->arena, "%zu", g->n_series), NULL);
		out->refused = true;
		return;
	}
	switch (r->measure->kind) {
	case MEASURE_MAX:
	case MEASURE_MIN:
		extreme(r, g, r->measure->kind == MEASURE_MAX, out);
		break;
	case MEASURE_FIRST:
		at_start(r, g, out);
		break;
	case MEASURE_LAST:
		at_end(r, g, out);
		break;
	default:
		out->value = count_of(mean(r, g));
	}
	out->refused = count_is_refused(out->value);
}

static bool exports(const struct reading *r, const struct target *t)
{
	for (size_t i = 0; i < r->exporting.n; i++)
		if (r->exporting.at[i] == t)
			return true;
	return target_good_before(t, r->judge->in->window.end_ms, false) == INT64_MIN;
}

/* Rule 9: over an unseen stretch a value may have been anything. Targets of the job that never
 * exported it while they were seen have no part in it. */
static void take_gaps(struct reading *r)
{
	struct watch *w = &r->watch;
	enum measure_kind k = r->measure->kind;
	size_t n = 0;

	for (size_t i = 0; i < w->unseen.n; i++) {
		const struct unseen_stretch *u = &w->unseen.at[i];
		const struct window *win = &r->judge->in->window;
		bool at_edge = k == MEASURE_FIRST  ? u->from_ms <= win->start_ms
			       : k == MEASURE_LAST ? u->to_ms >= win->end_ms
						   : true;
		/* a value carried over the edge by less than two intervals is fresh enough */
		if (k == MEASURE_FIRST || k == MEASURE_LAST)
			at_edge = at_edge && u->down;
		/* a restart between two scrapes hides no more than sampling does */
		bool gap = u->down || u->for_values_only ||
			   u->to_ms - u->from_ms > r->out->interval_ms * 3 / 2;
		if (gap && at_edge && exports(r, u->target))
			w->unseen.at[n++] = *u;
	}
	w->unseen.n = n;
	n = 0;
	for (size_t i = 0; i < w->lagging.n; i++)
		if (exports(r, w->lagging.at[i]) && k != MEASURE_FIRST)
			w->lagging.at[n++] = w->lagging.at[i];
	w->lagging.n = n;
	watch_note(r->judge, w, true, r->notes);
	bool own_gap = r->own_gap && k != MEASURE_FIRST && k != MEASURE_LAST;
	if (own_gap)
		note_add(r->judge, r->notes, REASON_NO_TARGET, NULL, "selector",
			text_selector(r->judge, &r->measure->selectors.at[0]), NULL);
	if (!w->unseen.n && !w->lagging.n && !own_gap)
		return;
	for (size_t i = 0; i < r->out->groups.n; i++) {
		struct value_group *g = &r->out->groups.at[i];
		if (g->refused)
			continue;
		if (k != MEASURE_MAX)
			g->value.low = -INFINITY;
		if (k != MEASURE_MIN)
			g->value.high = INFINITY;
		/* what was seen of a sum bounds it from below only for single maxima */
		if (k == MEASURE_MAX && r->measure->across == ACROSS_AVG)
			g->value.low = -INFINITY;
		if (k == MEASURE_FIRST || k == MEASURE_LAST)
			g->value = (struct count){-INFINITY, INFINITY};
	}
}

static void read_all(struct reading *r)
{
	const struct selectors *list = &r->measure->selectors;

	for (size_t i = 0; i < list->n; i++) {
		const struct selector *s = &list->at[i];
		if (s->name && strchr(s->name, ':') && !r->measure->proof.recorded) {
			note_add(r->judge, r->notes, REASON_RECORDED_NAME, NULL, "metric", s->name,
				NULL);
			r->out->refused = true;
			continue;
		}
		size_t before = r->matched;
		bool there = judge_each(r->judge, s, r->subject, read_gauge, r);
		if (there && r->matched == before && !r->measure->proof.optional)
			there = proof_explain(r->judge, s, r->subject, r->notes) != PROOF_PENDING;
		r->out->pending |= !there;
		if (r->watch.jobs.n)
			watch_selector(r->judge, &r->watch, s);
	}
}

void values_read(struct judge *j, const struct measure *m, const char *subject, struct notes *notes,
	struct values *out)
{
	struct reading r = {
		.judge = j, .measure = m, .subject = subject, .notes = notes, .out = out};

	*out = (struct values){0};
	read_all(&r);
	for (size_t i = 0; i < r.groups.n; i++)
		reduce(&r, &r.groups.at[i]);
	if (r.first_inside)
		note_add(j, notes, REASON_FIRST_INSIDE, NULL, "at", text_time(j, r.first_inside_ms),
			NULL);
	if (r.too_old)
		note_add(j, notes, REASON_VALUE_TOO_OLD, NULL, "edge", "end", NULL);
	if (!out->pending)
		take_gaps(&r);
	for (size_t i = 0; i < r.groups.n; i++)
		ARRAY_RELEASE(&r.groups.at[i].curve.points);
	ARRAY_RELEASE(&r.groups);
	ARRAY_RELEASE(&r.series.points);
	ARRAY_RELEASE(&r.merged.points);
	ARRAY_RELEASE(&r.exporting);
	watch_release(&r.watch);
}

void values_release(struct values *v)
{
	ARRAY_RELEASE(&v->groups);
}
