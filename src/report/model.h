/* Model: how the parts of loadverdict.run/1 are built; private to model*.c. Pure. */
#ifndef LV_REPORT_MODEL_H
#define LV_REPORT_MODEL_H

#include "judge/result.h"
#include "judge/spec.h"
#include "report/report.h"

/* A string that is valid UTF-8 whatever `s` holds; NULL gives null. */
struct tree *model_string(struct arena *a, const char *s);
struct tree *model_time(struct arena *a, int64_t ms); /* TIME_NONE gives null */
struct tree *model_decimal(struct arena *a, bool given, struct decimal d);
struct tree *model_count(struct arena *a, struct count c); /* {low, high} */
struct tree *model_texts(struct arena *a, const struct text *t, const char *otherwise);
/* `subject` is that of notes which name none: the item that they belong to, or NULL. */
struct tree *model_notes(
	struct arena *a, const struct notes *notes, const char *subject, bool remedies);

/* model_items.c */
struct tree *model_stages(struct arena *a, const struct spec *spec, const struct result *result);
/* {stage, step, percentile, margin} of the objective with the least margin; null if none */
struct tree *model_least_margin(struct arena *a, const struct tree *stages);
struct tree *model_checks(struct arena *a, const struct checks *checks,
	const struct check_result *results, size_t n, bool precondition);
struct tree *model_figures(
	struct arena *a, const struct checks *checks, const struct check_result *results, size_t n);

#endif
