/* Fetch: asks what the judge wants, until it wants nothing more (judge.h). */
#ifndef LV_CLI_FETCH_H
#define LV_CLI_FETCH_H

#include "cli/progress.h"
#include "judge/judge.h"
#include "source/source.h"
#include "store/archive.h"

struct fetch {
	const struct spec *spec;
	struct window window;
	bool has_load;
	struct decimal load;
	int64_t settle_ms;     /* longest wait for late samples */
	struct source *source; /* NULL: judge from the archive alone */
	struct regex_compiler *rx;
	struct progress *progress;
};

/* Fetches into *archive (made here when NULL and returned to the caller, also on failure) and
 * judges. With a source, late samples are waited for. Without one, what the archive lacks leaves
 * its items undecided. `out` is released by the caller with result_release after success. */
int fetch_and_judge(const struct fetch *f, struct arena *a, struct archive **archive,
	struct result *out, struct error *err) LV_CHECKED;

#endif
