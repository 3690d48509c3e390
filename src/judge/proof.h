/* Proof: what else is needed before a zero is believed (counting.md rules 6c and 11). */
#ifndef LV_JUDGE_PROOF_H
#define LV_JUDGE_PROOF_H

#include "judge/context.h"
#include "judge/watch.h"

enum proof_state { PROOF_HELD, PROOF_NONE, PROOF_PENDING };

/* Does it follow from its family that a selector which matched nothing would have matched
 * something, had there been something? Adds the family's jobs to the watch and watches the
 * selector; whether all were seen is the watch's business. Notes say what is missing. */
enum proof_state proof_empty(struct judge *j, const struct selector *s, const struct proof *p,
	struct watch *w, const char *subject, struct notes *notes);

/* Says which part of a selector that matched nothing is unknown: the metric, a label, or a value.
 * PROOF_NONE with a note, or PROOF_PENDING. */
enum proof_state proof_explain(
	struct judge *j, const struct selector *s, const char *subject, struct notes *notes);

/* Index of the matcher whose other values can prove a zero of this selector, or -1: it is on an
 * outcome label, and need not have been seen itself. Asks nothing. */
ptrdiff_t proof_outcome(const struct selector *s, const struct proof *p);

/* An exporter's own `PREFIX_up` must be 1 where it exists. PROOF_NONE with a note otherwise. */
enum proof_state proof_exporter(struct judge *j, const struct selector *s, const struct watch *w,
	const char *subject, struct notes *notes);

/* The series' own creation time from NAME_created, in Unix ms; INT64_MIN if there is none. */
int64_t proof_created(struct judge *j, const struct selector *s, const struct series *series,
	const char *subject);
void proof_release(struct judge *j);

/* Adds the jobs whose series satisfy all matchers but those on outcome labels: they could have
 * counted too. False while the answer is pending. */
bool proof_family_jobs(struct judge *j, const struct selector *s, const struct proof *p,
	struct watch *w, const char *subject);
/* Is the family of selectors that matched nothing really absent (`optional`)? PROOF_NONE where
 * there are siblings, or where a target of a job that is named could not be seen. */
enum proof_state proof_absent(
	struct judge *j, const struct selectors *list, const struct proof *p, const char *subject);

#endif
