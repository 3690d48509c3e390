/* Reasons: names and severities of the table in reason.h. Knows no texts. */
#include "judge/reason.h"

#include <string.h>

static const struct {
	const char *code;
	enum severity severity;
} reasons[REASON_COUNT] = {
#define REASON_ROW(suffix, code, severity) [REASON_##suffix] = {code, SEVERITY_##severity},
	REASONS(REASON_ROW)
#undef REASON_ROW
};

const char *reason_code(enum reason r)
{
	return reasons[r].code;
}

enum severity reason_severity(enum reason r)
{
	return reasons[r].severity;
}

int reason_find(const char *code)
{
	for (int i = 0; i < REASON_COUNT; i++)
		if (!strcmp(reasons[i].code, code))
			return i;
	return -1;
}
