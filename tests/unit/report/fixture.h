/* Fixture: runs built by hand, one for each kind of verdict. */
#ifndef LV_TESTS_REPORT_FIXTURE_H
#define LV_TESTS_REPORT_FIXTURE_H

#include "report/report.h"

struct fixture {
	struct arena arena;
	struct spec spec;
	struct result result;
	struct run_info info;
	struct run_label labels[2];
	struct variable variables[2];
	const char *not_evaluated[2];
};

/* "pass", "fail", "invalid", "inconclusive", "hostile" */
void fixture_make(struct fixture *f, const char *name);
void fixture_release(struct fixture *f);
/* the model of a fixture, or the "not-judged" document */
struct tree *fixture_model(struct fixture *f, const char *name);

#endif
