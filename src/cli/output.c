/* Output: renders and writes; knows nothing of what is rendered. */
#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const file_names[] = {"report.txt", "report.line", "report.md", "report.json"};

int output_check(const struct options *o, struct error *err)
{
	if (o->formats.n > 1 && !o->output)
		return error_set(err, ERROR_USAGE, "usage",
			"several --format need -o DIR: the folder for report.md, report.json ...");
	return 0;
}

static int failed(struct error *err, const char *what, const char *path)
{
	return error_set(err, ERROR_STORE, "output-failed", "cannot %s '%s': %s", what, path,
		strerror(errno));
}

static int write_all(FILE *f, const struct strbuf *text)
{
	size_t n = fwrite(text->at, 1, text->n, f);

	return n == text->n && !fflush(f) ? 0 : -1;
}

/* Devices and pipes (/dev/stdout, >(cmd)) are written in place: they cannot be renamed over. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int write_file(const char *path, const struct strbuf *text, struct error *err)
{
	char beside[4096];
	const char *target = path;

	if (!is_special(path)) {
		int n = snprintf(beside, sizeof beside, "%s.%ld.tmp", path, (long)getpid());
		if (n < 0 || (size_t)n >= sizeof beside) {
			errno = ENAMETOOLONG;
			return failed(err, "write", path);
		}
		target = beside;
	}
	FILE *f = fopen(target, "we");
	if (!f)
		return failed(err, "write", path);
	bool ok = !write_all(f, text) && (target == path || !fsync(fileno(f)));
	int e = errno;
	ok = !fclose(f) && ok;
	if (ok && (target == path || !rename(target, path)))
		return 0;
	errno = ok ? errno : e;
	failed(err, "write", path);
	if (target != path)
		unlink(target);
	return -1;
}

int output_text(const struct options *o, const struct strbuf *text, struct error *err)
{
	if (o->output)
		return write_file(o->output, text, err);
	return write_all(stdout, text) ? failed(err, "write to", "standard output") : 0;
}

static bool want_color(const struct options *o)
{
	const char *no = getenv("NO_COLOR");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	return !o->output && isatty(1) && !(no && *no);
}

static int terminal_width(const struct options *o)
{
	const char *columns = getenv("COLUMNS");
	long n = columns ? strtol(columns, NULL, 10) : 0;

	return !o->output && n >= 40 && n <= 1000 ? (int)n : 0;
}

static int output_format(const struct options *o, enum format f, const struct tree *model,
	const struct report_options *ro, const char *path, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	struct options to = *o;

	report_render(&text, f, model, ro);
	to.output = path;
	int rc = text.full ? error_set(err, ERROR_STORE, "output-failed",
				     "the report is larger than %zu bytes", text.n)
			   : output_text(&to, &text, err);
	strbuf_release(&text);
	return rc;
}

int output_document(const struct options *o, const struct tree *model, enum lang lang,
	const char *command, struct error *err)
{
	struct report_options ro = {.lang = lang,
		.color = want_color(o),
		.width = terminal_width(o),
		.marker = o->marker,
		.command = command};
	char path[4096];
	struct stat st;

	if (o->formats.n <= 1) {
		enum format f = o->formats.n ? o->formats.at[0] : FORMAT_TEXT;
		const char *to = o->output;
		if (to && !stat(to, &st) && S_ISDIR(st.st_mode)) {
			snprintf(path, sizeof path, "%s/%s", to, file_names[f]);
			to = path;
		}
		return output_format(o, f, model, &ro, to, err);
	}
	if (mkdir(o->output, 0777) && errno != EEXIST)
		return failed(err, "make the folder", o->output);
	for (size_t i = 0; i < o->formats.n; i++) {
		enum format f = o->formats.at[i];
		snprintf(path, sizeof path, "%s/%s", o->output, file_names[f]);
		if (output_format(o, f, model, &ro, path, err))
			return -1;
	}
	return 0;
}
