/* Check: one invariant, precondition or figure: measured, and held against its limit. */
#ifndef LV_JUDGE_CHECK_H
#define LV_JUDGE_CHECK_H

#include "judge/context.h"

enum check_kind { CHECK_INVARIANT, CHECK_PRECONDITION, CHECK_FIGURE };

void check_judge(
	struct judge *j, const struct check *c, enum check_kind kind, struct check_result *out);
/* load.delivered */
struct count check_delivered(struct judge *j, const struct measure *m, struct notes *notes);
/* HELD, VIOLATED or UNPROVEN for an observation */
enum check_verdict limit_verdict(const struct limit *l, struct count observed);

#endif
