/* Stage: from selectors to good, bad, total and a verdict. */
#ifndef LV_JUDGE_STAGE_H
#define LV_JUDGE_STAGE_H

#include "judge/context.h"

void stage_judge(struct judge *j, const struct stage *s, struct stage_result *out);

#endif
