/* The verdicts' names, as long as the judge that owns them is not part of this tree. */
#include "judge/judge.h"

const char *run_verdict_name(enum run_verdict v)
{
	static const char *const names[] = {"PASS", "FAIL", "INVALID", "INCONCLUSIVE"};
	return names[v];
}

const char *stage_verdict_name(enum stage_verdict v)
{
	static const char *const names[] = {"PASS", "FAIL", "INCONCLUSIVE"};
	return names[v];
}

const char *check_verdict_name(enum check_verdict v, bool precondition)
{
	static const char *const names[][3] = {
		{"HELD", "VIOLATED", "UNPROVEN"}, {"MET", "UNMET", "UNPROVEN"}};
	return v == CHECK_SHOWN ? NULL : names[precondition][v];
}

const char *confidence_name(enum confidence c)
{
	static const char *const names[] = {NULL, "demonstrated", "met-not-demonstrated",
		"missed-not-clearly", "clearly-missed"};
	return names[c];
}
