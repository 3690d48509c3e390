/* Tally: the counts of the series of one or more selectors, each series once (counting.md rules 5
 * to 10, 18, 19).
 *
 * A tally remembers per series its identity and its count, so that good, total and excluded can be
 * compared as sets. */
#ifndef LV_JUDGE_TALLY_H
#define LV_JUDGE_TALLY_H

#include "judge/context.h"
#include "judge/growth.h"
#include "judge/watch.h"

/* ASIDE: excluded by a selector on a metric that is counted itself, so that what it matches beside
 * the counted series is certainly not among their events. */
enum { TALLY_TOTAL = 1, TALLY_GOOD = 2, TALLY_BAD = 4, TALLY_EXCLUDE = 8, TALLY_ASIDE = 16 };

#define TALLY_SPANS 2
#define TALLY_MARKS 16

struct tally_entry {
	uint64_t id[2]; /* of all labels */
	uint64_t copy;	/* of the labels without copy labels (rule 18) */
	uint64_t loose; /* of the labels without where it was scraped (rule 18) */
	struct count count[TALLY_SPANS];
	double largest_step;
	double mark[TALLY_MARKS]; /* growth up to as many moments of the window (rule 18) */
	const struct target *target;
	unsigned roles;
	size_t group; /* of `per`, see tally_group */
};

struct interval_sum { /* growth of one target in one of its scrape intervals */
	const struct target *target;
	ARRAY_OF(double) at; /* by index of the scrape that ends it */
};

struct empty_selector {
	const struct selector *selector;
	unsigned role;
};

struct tally {
	struct judge *judge;
	const char *subject; /* "stage/position" */
	struct notes *notes; /* of the item */
	const struct proof *proof;
	struct span span[TALLY_SPANS];
	size_t n_spans;
	struct watch watch;
	ARRAY_OF(struct tally_entry) entries;
	ARRAY_OF(size_t) index;		/* hash table over entries: entry + 1 */
	ARRAY_OF(struct labels) groups; /* of `per` */
	const struct names *per;
	size_t homeless; /* series without a target: their births and ends are unproven */
	const char *homeless_series;
	bool refused;	   /* a note says why */
	bool pending;	   /* an answer is not there yet */
	bool per_interval; /* also find the largest count per interval (rule 8) */
	double largest_interval;
	struct growth growth; /* scratch */
	unsigned role;	      /* being added */
	const struct selector *selector;
	size_t matched;			       /* series that the selector matched */
	ARRAY_OF(struct empty_selector) empty; /* selectors that matched nothing */
	ARRAY_OF(struct interval_sum) sums;
};

/* The span of a ratio or a figure: baseline to the last sample in the window. */
struct span span_window(const struct judge *j);
/* The span of an invariant: to the first good scrape at or after the end. */
struct span span_invariant(const struct judge *j);

void tally_init(struct tally *t, struct judge *j, const char *subject, struct notes *notes,
	const struct proof *proof);
void tally_release(struct tally *t);

/* Adds all selectors of the list in a role; returns the number of series matched. Series that were
 * there get the further role and are not counted again. */
size_t tally_add(struct tally *t, const struct selectors *list, unsigned role);

/* Adds one series in the role that is being added; NULL if it was refused (a note says why). */
const struct tally_entry *tally_add_series(struct tally *t, const struct series *s);

/* Proves the selectors of these roles that matched nothing (rule 11); a note says what is missing.
 */
bool tally_prove_empty(struct tally *t, unsigned roles);

/* Were the exporters behind these selectors up, by their own word (rule 11)? A note says which not.
 */
bool tally_exporters_up(struct tally *t, const struct selectors *list);

/* Sum over the entries that have all of `with` and none of `without`. */
struct count tally_sum(const struct tally *t, unsigned with, unsigned without, size_t span);
/* Sum of one group of `per`. */
struct count tally_group(const struct tally *t, size_t group, size_t span);
bool tally_any(const struct tally *t, unsigned with, unsigned without);

/* Is everything tied to targets that were scraped? If not, a note says what is not (rules 4, 11).
 */
bool tally_at_home(struct tally *t);

/* Refuses series that are suspected to be copies of one source (rule 18). Call when all is added.
 */
void tally_check_copies(struct tally *t);

/* How many events the unseen stretches may hold: each interval the largest count per interval. */
double tally_unseen(struct tally *t);

/* Shared with histograms: folds one series; false if it was refused (a note says why). */
bool tally_fold(struct tally *t, const struct series *s, struct count count[TALLY_SPANS],
	struct tally_entry *entry);

#endif
