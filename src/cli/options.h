/* Options: one table of options for all commands, parsed by argp. */
#ifndef LV_CLI_OPTIONS_H
#define LV_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/error.h"
#include "judge/result.h"
#include "report/report.h"

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct options {
	/* everywhere */
	const char *db, *tz, *output, *url, *environment;
	enum color color;
	bool quiet;
	int verbose;
	bool has_lang;
	enum lang lang;
	ARRAY_OF(enum format) formats;
	ARRAY_OF(const char *) vars;
	/* evaluate */
	const char *open, *start, *end, *name, *campaign, *commit, *bundle, *marker;
	bool has_before, has_after, has_load, has_settle, wait;
	int64_t before_ms, after_ms, settle_ms;
	struct decimal load;
	int repeat;
	ARRAY_OF(struct run_label) labels;
	/* validate */
	bool live;
	/* runs note */
	const char *symptom, *cause, *action;
	ARRAY_OF(const char *) args; /* what is not an option */
};

/* Which options a command takes, as a set. */
enum option_group {
	OPTIONS_OUTPUT = 1,  /* --format -o --lang --color --tz */
	OPTIONS_STORE = 2,   /* --db */
	OPTIONS_SPEC = 4,    /* --env --var */
	OPTIONS_SOURCE = 8,  /* --url */
	OPTIONS_WINDOW = 16, /* --open --start --end --before --after */
	OPTIONS_RUN = 32,    /* --load --name ... --bundle --settle --wait */
	OPTIONS_LIVE = 64,
	OPTIONS_NOTE = 128,
};

struct command {
	const char *name;
	const char *args;    /* "SPEC" */
	const char *summary; /* one line */
	const char *text;    /* for --help; NULL */
	unsigned groups;
	int min_args, max_args;				  /* -1: any number */
	int (*run)(struct options *o, struct error *err); /* exit code, or -1 with err */
};

extern const struct command commands[]; /* ends with a NULL name */

/* Parses argv (argv[0] is the command's name). --help prints and exits 0. -1 with ERROR_USAGE; what
 * was understood until then (formats, output) is in `o`. */
int options_parse(const struct command *c, int argc, char **argv, struct options *o,
	struct error *err) LV_CHECKED;
void options_release(struct options *o);

/* For tests and completion: calls fn for every option of the table. */
void options_each(void (*fn)(void *ctx, const char *name, unsigned group), void *ctx);

#endif
