/* Commands: the table of subcommands, with what --help says of each. */
#include "cli/commands.h"

const struct command commands[] = {
	{"evaluate", "SPEC", "Judge a load run from what the servers counted, store it, report it.",
		"The window is 1 minute before to 5 minutes after the opening unless the spec or "
		"--before/--after say otherwise.\n"
		"Exit: 0 PASS, 1 FAIL, 2 usage or spec, 3 INCONCLUSIVE, 4 INVALID, 5 server, 6 "
		"store or "
		"output.",
		OPTIONS_OUTPUT | OPTIONS_STORE | OPTIONS_SPEC | OPTIONS_SOURCE | OPTIONS_WINDOW |
			OPTIONS_RUN,
		1, 1, cmd_evaluate},
	{"validate", "SPEC", "Check a spec; with --live also what its selectors match.",
		"Exit: 0 valid, 2 problems (file:line:col), 3 something would not be provable "
		"(--live).",
		OPTIONS_OUTPUT | OPTIONS_SPEC | OPTIONS_SOURCE | OPTIONS_LIVE, 1, 1, cmd_validate},
	{"plan", "SPEC", "Print every request that evaluate would send, without sending one.", NULL,
		OPTIONS_OUTPUT | OPTIONS_SPEC | OPTIONS_SOURCE | OPTIONS_WINDOW, 1, 1, cmd_plan},
	{"report", "RUN", "Draw a stored run.",
		"RUN: an id, a name, last, last~1, "
		"last:spec=S,env=E,load=N,label.K=V,verdict=PASS, or a "
		"bundle file.",
		OPTIONS_OUTPUT | OPTIONS_STORE, 1, 1, cmd_report},
	{"reevaluate", "RUN [SPEC]", "Judge a stored run again from its samples; asks no server.",
		"With SPEC, by another spec. A run in the store gets a new revision; a bundle file "
		"is "
		"not changed.",
		OPTIONS_OUTPUT | OPTIONS_STORE | OPTIONS_SPEC, 1, 2, cmd_reevaluate},
	{"explain", "[CODE...]", "Say what a reason code means and what to do.", NULL,
		OPTIONS_OUTPUT, 0, -1, cmd_explain},
	{"runs", "[list|show RUN|note RUN|remove RUN|export RUN|import FILE...]",
		"List, show, annotate, remove, export and import stored runs.", NULL,
		OPTIONS_OUTPUT | OPTIONS_STORE | OPTIONS_NOTE, 0, -1, cmd_runs},
	{NULL, NULL, NULL, NULL, 0, 0, 0, NULL},
};
