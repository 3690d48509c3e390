/* Commands: one function a subcommand: exit code, or -1 with an error. */
#ifndef LV_CLI_COMMANDS_H
#define LV_CLI_COMMANDS_H

#include "cli/options.h"

int cmd_evaluate(struct options *o, struct error *err);
int cmd_validate(struct options *o, struct error *err);
int cmd_plan(struct options *o, struct error *err);
int cmd_reevaluate(struct options *o, struct error *err);
int cmd_report(struct options *o, struct error *err);
int cmd_explain(struct options *o, struct error *err);
int cmd_runs(struct options *o, struct error *err);

#endif
