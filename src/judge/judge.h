/* Judge: from a spec and the evidence to verdicts, by docs/counting.md. Pure.
 *
 * Where the evidence lacks a query, the result lists it under `wants` and whatever needs it stays
 * undecided; the driver fetches and calls again. At most a handful of rounds are needed: targets,
 * selectors, proofs of zeros. The same evidence always gives the same result. */
#ifndef LV_JUDGE_JUDGE_H
#define LV_JUDGE_JUDGE_H

#include "judge/evidence.h"
#include "judge/result.h"
#include "judge/spec.h"

struct judge_input {
	const struct spec *spec;
	struct window window; /* as judged: warm-up already taken off */
	const struct evidence *evidence;
	bool has_load;
	struct decimal load;
	struct regex_compiler *rx; /* for the three-digit test of counting.md rule 11 only */
};

/* -1 only if the archive cannot be read. `out` is released by result_release; strings live in `a`
 * (or in the spec, which must outlive the result). */
int judge_run(const struct judge_input *in, struct arena *a, struct result *out,
	struct error *err) LV_CHECKED;
/* Where nothing more can be asked: gives every query that is still wanted as a reason. */
void judge_give_up(struct result *r, struct arena *a);
void result_release(struct result *r);

/* exit code of a run verdict (contract.md section 2) */
int verdict_exit(enum run_verdict v);
const char *run_verdict_name(enum run_verdict v);
const char *stage_verdict_name(enum stage_verdict v);
/* `precondition` chooses MET/UNMET over HELD/VIOLATED; CHECK_SHOWN gives NULL */
const char *check_verdict_name(enum check_verdict v, bool precondition);
const char *confidence_name(enum confidence c); /* NULL for CONFIDENCE_NONE */

#endif
