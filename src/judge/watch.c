/* Watch: collects the targets of a selector and the stretches in which they were not seen. */
#include "judge/watch.h"

#include <math.h>

void watch_add_job(struct judge *j, struct watch *w, const struct labels *series)
{
	const struct target *t = target_of(j, series);
	const char *job = t ? t->job : labels_get(series, "job");

	for (size_t i = 0; i < w->jobs.n; i++)
		if (!strcmp(w->jobs.at[i], job))
			return;
	*ARRAY_ADD(&w->jobs) = arena_strdup(j->arena, job);
}

bool watch_has(const struct watch *w, const struct target *t)
{
	for (size_t i = 0; i < w->targets.n; i++)
		if (w->targets.at[i] == t)
			return true;
	return false;
}

static void add_unseen(struct judge *j, struct watch *w, const struct target *t, int64_t from_ms,
	int64_t to_ms, bool for_values_only, bool down)
{
	const struct window *win = &j->in->window;

	if (from_ms < win->start_ms)
		from_ms = win->start_ms;
	if (to_ms > win->end_ms)
		to_ms = win->end_ms;
	if (from_ms >= to_ms)
		return;
	*ARRAY_ADD(&w->unseen) = (struct unseen_stretch){t, from_ms, to_ms, for_values_only, down};
}

static int64_t interval_of(const struct judge *j, const struct target *t)
{
	if (t->interval_ms)
		return t->interval_ms;
	return j->targets.interval_ms ? j->targets.interval_ms : 60000;
}

/* What was before the first good scrape. Failed scrapes: somebody else may have counted there,
 * unless the process that answered later is known to have been there already. No scrapes at all,
 * though it was there: only values are lost. */
static void before_first_good(
	struct judge *j, struct watch *w, const struct target *t, int64_t good_ms)
{
	int64_t start = target_start_at(t, good_ms), first = t->scrape[0].t_ms;
	int64_t there = start > j->in->window.start_ms ? start : j->in->window.start_ms;
	int64_t slack = interval_of(j, t) * 3 / 2;

	if (first < good_ms && (start == INT64_MIN || start > first))
		add_unseen(j, w, t, first - interval_of(j, t), start == INT64_MIN ? good_ms : start,
			false, false);
	if (first < good_ms)
		add_unseen(j, w, t, first, good_ms, true, false);
	else if (start != INT64_MIN && good_ms - there > slack)
		add_unseen(j, w, t, there, good_ms, true, false);
}

/* Gaps of a living process: only values are lost there (rule 9). */
static void value_gaps(struct judge *j, struct watch *w, const struct target *t)
{
	int64_t prev = INT64_MIN, slack = interval_of(j, t) + interval_of(j, t) / 2;

	for (size_t i = 0; i < t->n_scrapes; i++) {
		if (!t->scrape[i].good)
			continue;
		if (prev != INT64_MIN && t->scrape[i].t_ms - prev > slack)
			add_unseen(j, w, t, prev, t->scrape[i].t_ms, true, false);
		prev = t->scrape[i].t_ms;
	}
}

static int64_t last_scrape(const struct target *t)
{
	return t->n_scrapes ? t->scrape[t->n_scrapes - 1].t_ms : INT64_MIN;
}

/* Have other targets of its job later samples? (rule 3) One more interval, because two targets are
 * never scraped at the same moment. */
static bool others_went_on(const struct judge *j, const struct watch *w, const struct target *t)
{
	for (size_t i = 0; i < w->targets.n; i++) {
		const struct target *o = w->targets.at[i];
		if (o != t && !strcmp(o->job, t->job) &&
			last_scrape(o) > last_scrape(t) + interval_of(j, t) * 3 / 2)
			return true;
	}
	return false;
}

/* Nothing more can come of what was scraped more than five minutes ago. */
static bool may_still_come(const struct judge *j, const struct target *t)
{
	int64_t silent_since = last_scrape(t);
	if (silent_since < j->in->window.end_ms)
		silent_since = j->in->window.end_ms;
	return j->in->evidence->asked_ms - silent_since < 5LL * 60 * 1000;
}

static void silent_target(
	struct judge *j, struct watch *w, const struct target *t, int64_t last_good)
{
	bool failed_after = last_scrape(t) > last_good;

	if (!failed_after && (may_still_come(j, t) || !others_went_on(j, w, t))) {
		*ARRAY_ADD(&w->lagging) = t;
		return;
	}
	int64_t until = (failed_after ? last_scrape(t) : last_good) + interval_of(j, t);
	note_add(j, &j->out->quality.warnings, REASON_ENDED,
		arena_printf(j->arena, "target/%s", t->name), "target", t->name, "at",
		text_time(j, last_good), NULL);
	/* the process may have gone on for all we know while its scrapes failed */
	add_unseen(j, w, t, last_good, until, false, false);
}

static void watch_target(struct judge *j, struct watch *w, const struct target *t)
{
	int64_t end = j->in->window.end_ms;
	int64_t first_good = target_good_after(t, INT64_MIN + 1);
	int64_t last_good = target_good_before(t, INT64_MAX - 1, false);

	if (first_good == INT64_MAX) {
		add_unseen(j, w, t,
			t->n_scrapes ? t->scrape[0].t_ms - interval_of(j, t) : INT64_MIN,
			t->n_scrapes ? last_scrape(t) + interval_of(j, t) : INT64_MAX, false, true);
		return;
	}
	if (first_good > end + interval_of(j, t) * 3 / 2 && target_start_at(t, first_good) > end)
		return; /* began after the window */
	before_first_good(j, w, t, first_good);
	for (size_t i = 0; i < t->restarts.n; i++)
		add_unseen(j, w, t, t->restarts.at[i].before_ms, t->restarts.at[i].start_ms, false,
			false);
	value_gaps(j, w, t);
	if (last_scrape(t) < end || last_good < end)
		silent_target(j, w, t, last_good);
}

/* Does the selector name the target's job? A pattern that takes any job names none. */
static bool names_job(const struct selector *s, const struct target *t)
{
	bool named = false;

	for (size_t i = 0; i < s->n; i++) {
		const struct matcher *m = &s->matcher[i];
		if (strcmp(m->label, "job") || m->op == MATCH_NE || m->op == MATCH_NRE)
			continue;
		if (!matcher_test(m, t->job))
			return false;
		named |= m->op == MATCH_EQ || !matcher_test(m, "no job is named like this");
	}
	return named;
}

/* A target that was never well scraped shows no series, so it counts where its job is named. */
static bool named_down(const struct judge *j, const struct selector *s, const struct target *t)
{
	return target_good_before(t, j->in->window.end_ms, false) == INT64_MIN && names_job(s, t);
}

bool watch_named_down(const struct judge *j, const struct selector *s)
{
	for (size_t i = 0; i < j->targets.all.n; i++)
		if (target_fits(&j->targets.all.at[i], s) &&
			named_down(j, s, &j->targets.all.at[i]))
			return true;
	return false;
}

static bool of_family(const struct judge *j, const struct watch *w, const struct selector *s,
	const struct target *t)
{
	if (named_down(j, s, t))
		return true;
	for (size_t i = 0; i < w->jobs.n; i++)
		if (!strcmp(w->jobs.at[i], t->job))
			return true;
	return !w->jobs.n;
}

void watch_selector(struct judge *j, struct watch *w, const struct selector *s)
{
	size_t first = w->targets.n;

	for (size_t i = 0; i < j->targets.all.n; i++) {
		const struct target *t = &j->targets.all.at[i];
		if (of_family(j, w, s, t) && target_fits(t, s) && !watch_has(w, t))
			*ARRAY_ADD(&w->targets) = t;
	}
	for (size_t i = first; i < w->targets.n; i++)
		watch_target(j, w, w->targets.at[i]);
}

void watch_release(struct watch *w)
{
	ARRAY_RELEASE(&w->targets);
	ARRAY_RELEASE(&w->unseen);
	ARRAY_RELEASE(&w->lagging);
	ARRAY_RELEASE(&w->jobs);
}

bool watch_unseen(const struct watch *w, bool values)
{
	for (size_t i = 0; i < w->unseen.n; i++)
		if (values || !w->unseen.at[i].for_values_only)
			return true;
	return false;
}

bool watch_down(const struct watch *w)
{
	for (size_t i = 0; i < w->unseen.n; i++)
		if (w->unseen.at[i].down)
			return true;
	return false;
}

void watch_note(struct judge *j, const struct watch *w, bool values, struct notes *notes)
{
	for (size_t i = 0; i < w->unseen.n && i < 5; i++) {
		const struct unseen_stretch *u = &w->unseen.at[i];
		if (u->for_values_only && !values)
			continue;
		enum reason r = u->down		     ? REASON_TARGET_DOWN
				: u->for_values_only ? REASON_GAUGE_GAP
						     : REASON_UNSEEN;
		note_add(j, notes, r, NULL, "target", u->target->name, "from",
			text_time(j, u->from_ms), "to", text_time(j, u->to_ms), NULL);
	}
	for (size_t i = 0; i < w->lagging.n && i < 5; i++)
		note_add(j, notes, REASON_TARGET_LAGGING, NULL, "target", w->lagging.at[i]->name,
			"last", text_time(j, last_scrape(w->lagging.at[i])), NULL);
}

double unseen_intervals(const struct judge *j, const struct unseen_stretch *u)
{
	int64_t interval = interval_of(j, u->target);
	return fmax(1, ceil((double)(u->to_ms - u->from_ms) / (double)interval));
}
