/* Targets: the scraped processes, from `up` and process_start_time_seconds (counting.md, Targets).
 *
 * Knows when each was scraped, well or badly, when it was restarted, and where it was unseen. */
#ifndef LV_JUDGE_TARGET_H
#define LV_JUDGE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "judge/evidence.h"
#include "judge/result.h"
#include "judge/spec.h"

struct judge;

struct scrape {
	int64_t t_ms;
	bool good;
};

struct restart { /* the process that answered at `before` is not the one that answered at `after` */
	int64_t before_ms, after_ms; /* good scrapes */
	int64_t start_ms;	     /* of the new process; after_ms where it is not known */
};

struct stretch {
	int64_t from_ms, to_ms;
};

struct target {
	struct labels labels; /* of `up` */
	const char *name;     /* "job/instance" */
	const char *job;
	struct scrape *scrape; /* in time order */
	size_t n_scrapes;
	int64_t interval_ms; /* median spacing; 0 with fewer than two scrapes */
	bool has_start;
	int64_t first_start_ms, last_start_ms; /* of the first and the last process seen */
	ARRAY_OF(struct restart) restarts;
	int64_t identity_next; /* index of the next target with the same identity, -1 */
};

struct targets {
	ARRAY_OF(struct target) all;
	ARRAY_OF(size_t) buckets; /* hash of identity -> index + 1 of the first target */
	int64_t interval_ms;	  /* the longest of the targets' intervals */
	bool alive;		  /* made from `targets.alive` instead of `up` */
	size_t cached;		  /* of the last join: index + 1 */
};

/* Reads `up` (or targets.alive) and start times; what is missing goes on the wants list and the
 * result is false. */
bool targets_read(struct judge *j);
void targets_release(struct targets *t);

/* The target of a series, or NULL (none, or more than one fits). */
struct target *target_of(struct judge *j, const struct labels *l);

/* Does the target satisfy every matcher on a label that it carries? */
bool target_fits(const struct target *t, const struct selector *s);

/* last good scrape with t <= at (strict: < at); INT64_MIN if none */
int64_t target_good_before(const struct target *t, int64_t at_ms, bool strict);
/* first good scrape with t >= at; INT64_MAX if none */
int64_t target_good_after(const struct target *t, int64_t at_ms);
/* start time of the process that was seen at `at`; INT64_MIN if unknown */
int64_t target_start_at(const struct target *t, int64_t at_ms);

/* Does every sample lie on a scrape of the target? Samples that carry their own timestamps
 * (cAdvisor) do not; of them "absent at a good scrape" can be said only a whole interval away from
 * a sample. */
bool target_scraped(const struct target *t, const struct series *s);

/* Records that a counter fell or vanished between two scrapes of a target without start times. */
void target_add_restart(struct target *t, int64_t before_ms, int64_t after_ms, int64_t start_ms);

#endif
