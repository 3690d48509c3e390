/* Help: usage, unknown commands, and what is said when a command failed. */
#ifndef LV_CLI_HELP_H
#define LV_CLI_HELP_H

#include <stdio.h>

#include "cli/options.h"

void help_usage(FILE *to);
int help_unknown(const char *name); /* says so, with the nearest name; returns ERROR_USAGE */
/* Says the error on stderr; commands that report write "NOT JUDGED" where the report would be.
 * Returns the exit code. */
int help_failed(const struct command *c, const struct options *o, const struct error *err);

#endif
