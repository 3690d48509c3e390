/* Progress: one updating line on a terminal, plain lines elsewhere, nothing with -q; on stderr. */
#ifndef LV_CLI_PROGRESS_H
#define LV_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "source/source.h"

struct progress {
	bool quiet, terminal, verbose;
	bool line_open;	 /* an updating line is on the screen */
	int64_t last_ms; /* when it was last drawn */
	enum lang lang;
};

void progress_init(struct progress *p, const struct options *o);
/* A line of its own ("waiting for ..."); on a terminal it replaces the updating line. */
void progress_say(struct progress *p, const char *fmt, ...) LV_PRINTF(2, 3);
/* An updating line: on a terminal redrawn, elsewhere at most one line in ten seconds. */
void progress_update(struct progress *p, const char *fmt, ...) LV_PRINTF(2, 3);
/* Ends the updating line, so that other output can follow. */
void progress_end(struct progress *p);
/* Callbacks for a source; `p` must outlive them. */
struct source_progress progress_for_source(struct progress *p);

int64_t clock_ms(void); /* wall clock, Unix ms */

#endif
