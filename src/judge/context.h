/* Context: what every part of the judge shares while one run is judged. Internal to src/judge. */
#ifndef LV_JUDGE_CONTEXT_H
#define LV_JUDGE_CONTEXT_H

#include "judge/count.h"
#include "judge/judge.h"
#include "judge/target.h"

struct created_table;

struct judge {
	const struct judge_input *in;
	struct arena *arena;
	struct result *out;
	struct targets targets;
	/* raw queries of selectors: one range for all, so that equal selectors are one query */
	int64_t from_ms, to_ms;
	ARRAY_OF(const char *) lagging; /* names of lagging targets, each once */
	ARRAY_OF(uint64_t) events;	/* resets and births that were listed: an open hash set */
	size_t n_events;
	struct error *err;
	struct created_table *created; /* see proof.h */
	bool failed; /* the archive could not be read: err is set, everything ends */
};

/* Calls fn for every series of the selector's raw answer. False if the answer is not there yet (it
 * was put on the wants list) or the archive failed. */
bool judge_each(struct judge *j, const struct selector *s, const char *subject,
	int (*fn)(void *arg, const struct series *s), void *arg);
/* The same for a PromQL expression evaluated at the window's end. */
bool judge_each_promql(struct judge *j, const char *text, const char *subject,
	int (*fn)(void *arg, const struct series *s), void *arg);
/* Any query: index of its answer, or -1 after putting it on the wants list. */
ptrdiff_t judge_answer(struct judge *j, const struct query *q);

/* Appends a note; the rest are key, value pairs of strings, ended by NULL. Values are copied. A
 * note equal to one that is there is not added again; of one code, the first 100 are kept. */
void note_add(struct judge *j, struct notes *notes, enum reason code, const char *subject, ...)
	__attribute__((sentinel));
bool notes_have(const struct notes *notes, enum reason code);
/* true if any note is of severity DOUBT */
bool notes_doubt(const struct notes *notes);

/* True the first time that it is called with this series and time: several items may read one
 * series. */
bool judge_event_is_new(struct judge *j, const struct labels *l, int64_t at_ms);

/* arena texts for notes */
const char *text_time(struct judge *j, int64_t ms);
const char *text_duration(struct judge *j, int64_t ms);
const char *text_number(struct judge *j, double v);
const char *text_decimal(struct judge *j, struct decimal d);
const char *text_selector(struct judge *j, const struct selector *s);
const char *text_labels(struct judge *j, const struct labels *l);

#endif
