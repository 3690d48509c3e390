/* Watch: was everyone who could have counted seen all the time? (counting.md rules 3, 8, 9, 11)
 *
 * The targets that a selector speaks of: every `up` series of the family's jobs that satisfies the
 * selector's matchers on target labels; and where in the window they were not seen. */
#ifndef LV_JUDGE_WATCH_H
#define LV_JUDGE_WATCH_H

#include "judge/context.h"

struct unseen_stretch {
	const struct target *target;
	int64_t from_ms, to_ms; /* cut to the window */
	bool for_values_only;	/* a scrape gap of a living process: counters lose nothing */
	bool down;		/* never seen well at all */
};

struct watch {
	ARRAY_OF(const struct target *) targets;
	ARRAY_OF(struct unseen_stretch) unseen;
	ARRAY_OF(const struct target *) lagging;
	ARRAY_OF(const char *) jobs; /* of the family */
};

/* Adds the job of a series of the family. */
void watch_add_job(struct judge *j, struct watch *w, const struct labels *series);
/* Fills targets, unseen and lagging from the jobs (all jobs if none is known). Jobs of several
 * selectors may be added and watched one after the other; a target is listed once. */
void watch_selector(struct judge *j, struct watch *w, const struct selector *s);
void watch_release(struct watch *w);

bool watch_has(const struct watch *w, const struct target *t);
/* Any stretch unseen for counters (or for values as well)? */
bool watch_unseen(const struct watch *w, bool values);
/* Was any target never seen well at all? */
bool watch_down(const struct watch *w);
/* Notes (UNSEEN, TARGET_DOWN, GAUGE_GAP, TARGET_LAGGING) for the item. */
void watch_note(struct judge *j, const struct watch *w, bool values, struct notes *notes);
/* How many scrape intervals long an unseen stretch is, at least 1. */
double unseen_intervals(const struct judge *j, const struct unseen_stretch *u);

/* Was a target of a job that the selector names never well scraped? */
bool watch_named_down(const struct judge *j, const struct selector *s);

#endif
