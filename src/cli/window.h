/* Window: from --open, --start, --end and the spec to the times that are judged. */
#ifndef LV_CLI_WINDOW_H
#define LV_CLI_WINDOW_H

#include "cli/options.h"
#include "cli/progress.h"
#include "judge/spec.h"

struct source;

/* Sets the zone from --tz, else the spec's. `*known`: local times may be read. */
int zone_set(
	const struct options *o, const struct spec *s, bool *known, struct error *err) LV_CHECKED;

/* TIME of the command line, with @FILE. */
int time_read(const char *option, const char *text, bool zone_known, int64_t now_ms, int64_t *ms,
	struct error *err) LV_CHECKED;

/* The window for an opening (TIME_NONE: from --start and --end). Checks that it is not empty. */
int window_make(const struct options *o, const struct spec *s, bool zone_known, int64_t now_ms,
	int64_t open_ms, struct window *out, struct error *err) LV_CHECKED;

/* --open auto: the latest change to `becomes` within 24 h before now. ERROR_EVIDENCE
 * "open-not-found" if there is none, or if series disagree. *early_ms: the sample before it. */
int window_find_open(struct source *src, const struct spec *s, int64_t now_ms, int64_t *open_ms,
	int64_t *early_ms, struct error *err) LV_CHECKED;

/* ERROR_USAGE "window-not-over" unless it is over or `wait`; then sleeps, saying so. */
int window_wait(
	const struct window *w, bool wait, struct progress *p, struct error *err) LV_CHECKED;

#endif
