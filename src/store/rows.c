/* Rows: the words that the database uses for enumerations. */
#include "store/rows.h"

#include <string.h>

static const char *const verdicts[] = {
	[RUN_PASS] = "PASS",
	[RUN_FAIL] = "FAIL",
	[RUN_INVALID] = "INVALID",
	[RUN_INCONCLUSIVE] = "INCONCLUSIVE",
};

const char *verdict_text(enum run_verdict v)
{
	return verdicts[v];
}

bool verdict_of_text(const char *text, enum run_verdict *out)
{
	for (size_t i = 0; text && i < sizeof verdicts / sizeof verdicts[0]; i++)
		if (!strcmp(verdicts[i], text)) {
			*out = (enum run_verdict)i;
			return true;
		}
	return false;
}
