/* Help: texts around commands. */
#include "cli/help.h"

#include <string.h>

#include "cli/common.h"
#include "cli/output.h"
#include "cli/progress.h"

void help_usage(FILE *to)
{
	fputs("usage: loadverdict COMMAND [OPTION...] [ARG...]\n\n"
	      "Judges a load-test run from what Prometheus counted; never says PASS without "
	      "evidence.\n\n",
		to);
	for (const struct command *c = commands; c->name; c++)
		fprintf(to, "  %-11s %s\n", c->name, c->summary);
	fputs("\n'loadverdict COMMAND --help' lists the options of a command.\n"
	      "Exit: 0 PASS or done, 1 FAIL, 2 usage or spec, 3 INCONCLUSIVE, 4 INVALID, 5 "
	      "server,\n"
	      "6 store or output, 70 a bug in loadverdict.\n",
		to);
}

static size_t distance(const char *a, const char *b)
{
	size_t row[64], n = strlen(b);

	if (n >= 64)
		return n;
	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t corner = row[0];
		row[0] = i;
		for (size_t k = 1; k <= n; k++) {
			size_t best = corner + (a[i - 1] != b[k - 1]);
			corner = row[k];
			best = row[k] + 1 < best ? row[k] + 1 : best;
			row[k] = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
		}
	}
	return row[n];
}

int help_unknown(const char *name)
{
	const char *near = NULL;
	size_t best = 3;

	for (const struct command *c = commands; c->name; c++) {
		size_t d = distance(name, c->name);
		if (d < best) {
			best = d;
			near = c->name;
		}
	}
	fprintf(stderr, "loadverdict: unknown command '%.40s'", name);
	if (near)
		fprintf(stderr, "; did you mean '%s'?", near);
	fputs(" (loadverdict --help lists them)\n", stderr);
	return ERROR_USAGE;
}

/* A pull request's comment must never keep an older PASS. */
static void write_not_judged(const struct options *o, const struct error *err)
{
	struct arena a = ARENA_INIT;
	struct error second;
	struct options to = *o;

	/* several formats without a folder was the mistake itself: the first one then */
	if (to.formats.n > 1 && !to.output)
		to.formats.n = 1;
	const struct tree *model =
		report_not_judged(&a, err, o->commit ? o->commit : ci_commit(), clock_ms());
	if (output_document(&to, model, o->lang, NULL, &second) && strcmp(second.text, err->text))
		fprintf(stderr, "loadverdict: %s\n", second.text);
	arena_release(&a);
}

int help_failed(const struct command *c, const struct options *o, const struct error *err)
{
	fprintf(stderr, "loadverdict: %s\n", err->text);
	bool reports = !strcmp(c->name, "evaluate") || !strcmp(c->name, "reevaluate") ||
		       !strcmp(c->name, "report");
	if (reports)
		write_not_judged(o, err);
	return err->kind ? (int)err->kind : ERROR_BUG;
}
