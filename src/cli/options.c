/* Options: the table, and its argp parser. */
#include "cli/options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"

enum key {
	KEY_DB = 0x100,
	KEY_URL,
	KEY_ENV,
	KEY_VAR,
	KEY_FORMAT,
	KEY_LANG,
	KEY_TZ,
	KEY_COLOR,
	KEY_OPEN,
	KEY_START,
	KEY_END,
	KEY_BEFORE,
	KEY_AFTER,
	KEY_LOAD,
	KEY_NAME,
	KEY_CAMPAIGN,
	KEY_REPEAT,
	KEY_LABEL,
	KEY_COMMIT,
	KEY_SETTLE,
	KEY_WAIT,
	KEY_BUNDLE,
	KEY_MARKER,
	KEY_LIVE,
	KEY_SYMPTOM,
	KEY_CAUSE,
	KEY_ACTION,
};

static const struct {
	unsigned group;
	struct argp_option option;
} table[] = {
	{OPTIONS_WINDOW, {"open", KEY_OPEN, "TIME", 0,
				 "opening: RFC 3339, Unix time, now-6m, @FILE, auto", 0}},
	{OPTIONS_WINDOW,
		{"start", KEY_START, "TIME", 0, "a window without an opening: its start", 0}},
	{OPTIONS_WINDOW, {"end", KEY_END, "TIME", 0, "a window without an opening: its end", 0}},
	{OPTIONS_WINDOW,
		{"before", KEY_BEFORE, "D", 0, "judged before the opening (spec, else 1m)", 0}},
	{OPTIONS_WINDOW,
		{"after", KEY_AFTER, "D", 0, "judged after the opening (spec, else 5m)", 0}},
	{OPTIONS_RUN, {"load", KEY_LOAD, "N", 0, "the load that was meant, in the spec's unit", 0}},
	{OPTIONS_RUN, {"name", KEY_NAME, "NAME", 0, "a name for the run", 0}},
	{OPTIONS_RUN, {"campaign", KEY_CAMPAIGN, "NAME", 0, "the campaign that it belongs to", 0}},
	{OPTIONS_RUN, {"repeat", KEY_REPEAT, "N", 0, "which repeat it is (1)", 0}},
	{OPTIONS_RUN, {"label", KEY_LABEL, "K=V", 0, "a label (repeatable)", 0}},
	{OPTIONS_RUN, {"commit", KEY_COMMIT, "SHA", 0, "what was tested (the CI's commit)", 0}},
	{OPTIONS_RUN,
		{"settle", KEY_SETTLE, "D", 0, "longest wait for late samples (60s; 0: none)", 0}},
	{OPTIONS_RUN, {"wait", KEY_WAIT, NULL, 0, "wait until the window is over", 0}},
	{OPTIONS_RUN,
		{"bundle", KEY_BUNDLE, "FILE", 0, "also write the run as one portable file", 0}},
	{OPTIONS_LIVE, {"live", KEY_LIVE, NULL, 0, "ask the server what the selectors match", 0}},
	{OPTIONS_NOTE, {"symptom", KEY_SYMPTOM, "TEXT", 0, "what was seen", 0}},
	{OPTIONS_NOTE, {"cause", KEY_CAUSE, "TEXT", 0, "why", 0}},
	{OPTIONS_NOTE, {"action", KEY_ACTION, "TEXT", 0, "what was done, and its result", 0}},
	{OPTIONS_SPEC, {"env", KEY_ENV, "NAME", 0, "an entry of the spec's environments", 0}},
	{OPTIONS_SPEC, {"var", KEY_VAR, "NAME=VALUE", 0, "a variable of the spec (repeatable)", 0}},
	{OPTIONS_SOURCE, {"url", KEY_URL, "URL", 0, "the server, instead of the spec's", 0}},
	{OPTIONS_STORE,
		{"db", KEY_DB, "FILE", 0, "the store (else $LOADVERDICT_DB, the data home)", 0}},
	{OPTIONS_OUTPUT,
		{"format", KEY_FORMAT, "F", 0, "text, line, markdown, json (several: -o DIR)", 0}},
	{OPTIONS_OUTPUT, {"output", 'o', "FILE|DIR", 0, "where to write", 0}},
	{OPTIONS_OUTPUT,
		{"marker", KEY_MARKER, "NAME", 0, "markdown: the hidden marker's name", 0}},
	{OPTIONS_OUTPUT, {"lang", KEY_LANG, "en|ko", 0, "language of texts for people", 0}},
	{OPTIONS_OUTPUT, {"tz", KEY_TZ, "ZONE", 0, "time zone, for example Asia/Seoul", 0}},
	{OPTIONS_OUTPUT, {"color", KEY_COLOR, "WHEN", 0, "auto, always or never", 0}},
	{0, {"quiet", 'q', NULL, 0, "no progress", 0}},
	{0, {"verbose", 'v', NULL, 0, "one line per request", 0}},
};

enum { TABLE_SIZE = sizeof table / sizeof *table };

struct parsing {
	const struct command *command;
	struct options *o;
	struct error *err;
	bool failed;
};

static int bad(struct parsing *p, const char *option, const char *value, const char *expected)
{
	if (!p->failed)
		error_set(p->err, ERROR_USAGE, "usage", "--%s %s: expected %s", option, value,
			expected);
	p->failed = true;
	return 0;
}

static int parse_format(struct parsing *p, const char *arg)
{
	static const char *const names[] = {"text", "line", "markdown", "json"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(arg, names[i]))
			continue;
		for (size_t k = 0; k < p->o->formats.n; k++)
			if (p->o->formats.at[k] == (enum format)i)
				return 0;
		*ARRAY_ADD(&p->o->formats) = (enum format)i;
		return 0;
	}
	return bad(p, "format", arg, "text, line, markdown or json");
}

static int parse_lang(struct parsing *p, const char *arg)
{
	p->o->has_lang = true;
	if (!strcmp(arg, "en"))
		p->o->lang = LANG_EN;
	else if (!strcmp(arg, "ko"))
		p->o->lang = LANG_KO;
	else
		return bad(p, "lang", arg, "en or ko");
	return 0;
}

static int parse_color(struct parsing *p, const char *arg)
{
	static const char *const names[] = {"auto", "always", "never"};

	for (size_t i = 0; i < 3; i++) {
		if (!strcmp(arg, names[i])) {
			p->o->color = (enum color)i;
			return 0;
		}
	}
	return bad(p, "color", arg, "auto, always or never");
}

static int parse_span(struct parsing *p, const char *name, const char *arg, bool *has, int64_t *ms)
{
	*has = true;
	return duration_parse(arg, ms) ? 0 : bad(p, name, arg, "a duration such as 1m30s");
}

static int parse_load(struct parsing *p, const char *arg)
{
	bool percent;

	p->o->has_load = true;
	if (!decimal_parse(arg, &p->o->load, &percent) || percent || p->o->load.num <= 0)
		return bad(p, "load", arg, "a number above 0");
	return 0;
}

static int parse_repeat(struct parsing *p, const char *arg)
{
	char *end;
	long n = strtol(arg, &end, 10);

	if (!*arg || *end || n < 1 || n > 1000000)
		return bad(p, "repeat", arg, "a whole number from 1");
	p->o->repeat = (int)n;
	return 0;
}

static int parse_label(struct parsing *p, char *arg)
{
	char *eq = strchr(arg, '=');

	if (!eq || eq == arg)
		return bad(p, "label", arg, "KEY=VALUE");
	*eq = 0;
	*ARRAY_ADD(&p->o->labels) = (struct run_label){arg, eq + 1};
	return 0;
}

static int parse_run_option(struct parsing *p, int key, char *arg)
{
	struct options *o = p->o;

	switch (key) {
	case KEY_LOAD:
		return parse_load(p, arg);
	case KEY_NAME:
		o->name = arg;
		return 0;
	case KEY_CAMPAIGN:
		o->campaign = arg;
		return 0;
	case KEY_REPEAT:
		return parse_repeat(p, arg);
	case KEY_LABEL:
		return parse_label(p, arg);
	case KEY_COMMIT:
		o->commit = arg;
		return 0;
	case KEY_SETTLE:
		return parse_span(p, "settle", arg, &o->has_settle, &o->settle_ms);
	case KEY_WAIT:
		o->wait = true;
		return 0;
	case KEY_BUNDLE:
		o->bundle = arg;
		return 0;
	case KEY_LIVE:
		o->live = true;
		return 0;
	case KEY_SYMPTOM:
		o->symptom = arg;
		return 0;
	case KEY_CAUSE:
		o->cause = arg;
		return 0;
	case KEY_ACTION:
		o->action = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int parse_window_option(struct parsing *p, int key, char *arg)
{
	struct options *o = p->o;

	switch (key) {
	case KEY_OPEN:
		o->open = arg;
		return 0;
	case KEY_START:
		o->start = arg;
		return 0;
	case KEY_END:
		o->end = arg;
		return 0;
	case KEY_BEFORE:
		return parse_span(p, "before", arg, &o->has_before, &o->before_ms);
	case KEY_AFTER:
		return parse_span(p, "after", arg, &o->has_after, &o->after_ms);
	default:
		return parse_run_option(p, key, arg);
	}
}

static int parse_common(struct parsing *p, int key, char *arg)
{
	struct options *o = p->o;

	switch (key) {
	case KEY_DB:
		o->db = arg;
		return 0;
	case KEY_URL:
		o->url = arg;
		return 0;
	case KEY_ENV:
		o->environment = arg;
		return 0;
	case KEY_VAR:
		*ARRAY_ADD(&o->vars) = arg;
		return strchr(arg, '=') && *arg != '=' ? 0 : bad(p, "var", arg, "NAME=VALUE");
	case KEY_FORMAT:
		return parse_format(p, arg);
	case 'o':
		o->output = arg;
		return 0;
	case KEY_MARKER:
		o->marker = arg;
		return 0;
	case KEY_LANG:
		return parse_lang(p, arg);
	case KEY_TZ:
		o->tz = arg;
		return 0;
	case KEY_COLOR:
		return parse_color(p, arg);
	case 'q':
		o->quiet = true;
		return 0;
	case 'v':
		o->verbose++;
		return 0;
	default:
		return parse_window_option(p, key, arg);
	}
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
	struct parsing *p = state->input;

	if (key == ARGP_KEY_ARG) {
		*ARRAY_ADD(&p->o->args) = arg;
		return 0;
	}
	return parse_common(p, key, arg);
}

/* Is it --help or --usage, or the beginning of one? argp prints these and ends the process. */
static bool asks_for_help(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		size_t n = strlen(argv[i]);
		if (!strcmp(argv[i], "-?") || (n > 2 && (!strncmp("--help", argv[i], n) ||
								!strncmp("--usage", argv[i], n))))
			return true;
	}
	return false;
}

int options_parse(
	const struct command *c, int argc, char **argv, struct options *o, struct error *err)
{
	struct argp_option options[TABLE_SIZE + 1] = {{0}};
	struct parsing p = {c, o, err, false};
	size_t n = 0;

	for (size_t i = 0; i < TABLE_SIZE; i++)
		if (!table[i].group || (table[i].group & c->groups))
			options[n++] = table[i].option;
	char *doc = NULL;
	if (asprintf(&doc, "%s%s%s", c->summary, c->text ? "\n\v" : "", c->text ? c->text : "") < 0)
		error_out_of_memory();
	/* what usage messages call the program */
	static char name[64];
	snprintf(name, sizeof name, "loadverdict %s", c->name);
	argv[0] = name;
	struct argp argp = {options, parse_one, c->args, doc, NULL, NULL, NULL};
	/* a wrong option must not end the process: a report that was asked for is still written */
	unsigned flags = asks_for_help(argc, argv) ? 0 : ARGP_NO_EXIT;
	error_t e = argp_parse(&argp, argc, argv, flags, NULL, &p);
	free(doc);
	if (e && !p.failed)
		return error_set(err, ERROR_USAGE, "usage", "%s: see 'loadverdict %s --help'",
			c->name, c->name);
	if (p.failed)
		return -1;
	int args = (int)o->args.n;
	if (args < c->min_args || (c->max_args >= 0 && args > c->max_args))
		return error_set(err, ERROR_USAGE, "usage",
			"'%s' takes %s, not %d argument%s: see 'loadverdict %s --help'", c->name,
			*c->args ? c->args : "no argument", args, args == 1 ? "" : "s", c->name);
	return 0;
}

void options_release(struct options *o)
{
	ARRAY_RELEASE(&o->formats);
	ARRAY_RELEASE(&o->vars);
	ARRAY_RELEASE(&o->labels);
	ARRAY_RELEASE(&o->args);
}

void options_each(void (*fn)(void *ctx, const char *name, unsigned group), void *ctx)
{
	for (size_t i = 0; i < TABLE_SIZE; i++)
		fn(ctx, table[i].option.name, table[i].group);
}
