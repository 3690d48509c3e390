/* Window: times from options, files and the server. */
#include "cli/window.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/duration.h"
#include "base/timestamp.h"
#include "source/source.h"

#define DAY_MS (24LL * 3600 * 1000)

int zone_set(const struct options *o, const struct spec *s, bool *known, struct error *err)
{
	const char *zone = o->tz ? o->tz : s ? s->timezone : NULL;

	*known = zone != NULL;
	return zone ? timestamp_set_zone(zone, err) : 0;
}

static int read_time_file(const char *path, char *text, size_t size, struct error *err)
{
	FILE *f = fopen(path, "re");

	if (!f)
		return error_set(err, ERROR_USAGE, "bad-time", "cannot read '%s': %s", path,
			strerror(errno));
	size_t n = fread(text, 1, size - 1, f);
	(void)fclose(f); /* only read */
	text[n] = 0;
	n = strcspn(text, "\r\n");
	text[n] = 0;
	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		text[--n] = 0;
	if (!n)
		return error_set(err, ERROR_USAGE, "bad-time",
			"'%s' holds no time: write one into its first line, for example with date "
			"-u "
			"+%%FT%%TZ",
			path);
	return 0;
}

int time_read(const char *option, const char *text, bool zone_known, int64_t now_ms, int64_t *ms,
	struct error *err)
{
	char line[128];

	if (*text == '@') {
		if (read_time_file(text + 1, line, sizeof line, err))
			return error_wrap(err, "--%s", option);
		text = line;
	}
	return timestamp_parse(text, now_ms, zone_known, ms, err) ? error_wrap(err, "--%s", option)
								  : 0;
}

int window_make(const struct options *o, const struct spec *s, bool zone_known, int64_t now_ms,
	int64_t open_ms, struct window *out, struct error *err)
{
	struct window w = {open_ms, 0, 0, TIME_NONE};

	if (open_ms == TIME_NONE) {
		if (time_read("start", o->start, zone_known, now_ms, &w.start_ms, err) ||
			time_read("end", o->end, zone_known, now_ms, &w.end_ms, err))
			return -1;
	} else {
		w.start_ms = open_ms - (o->has_before ? o->before_ms : s->before_ms);
		w.end_ms = open_ms + (o->has_after ? o->after_ms : s->after_ms);
	}
	w.start_ms += s->warmup_ms;
	if (w.start_ms >= w.end_ms)
		return error_set(err, ERROR_USAGE, "bad-time",
			"the window is empty: its start is not before its end (see --start, --end, "
			"--before, --after and the spec's window)");
	if (w.end_ms - w.start_ms > 31 * DAY_MS)
		return error_set(err, ERROR_USAGE, "bad-time",
			"the window is longer than 31 days: is one of its times wrong?");
	*out = w;
	return 0;
}

/* --- auto
 * ------------------------------------------------------------------------------------------ */

struct opening {
	double becomes;
	int64_t at_ms, before_ms; /* latest change over all series; TIME_NONE */
	size_t n_series, n_changes;
	bool disagree;
	double last;
};

static int see_series(void *ctx, size_t i, const struct series *s, struct error *err)
{
	struct opening *o = ctx;
	int64_t at = TIME_NONE, before = TIME_NONE, seen = TIME_NONE;
	bool was = true; /* already open when first seen: no change was seen */

	(void)i;
	(void)err;
	o->n_series++;
	for (size_t k = 0; k < s->n; k++) {
		if (sample_is_stale(s->value[k]))
			continue;
		bool is = s->value[k] == o->becomes;
		if (is && !was) {
			at = s->t_ms[k];
			before = seen;
		}
		was = is;
		seen = s->t_ms[k];
		o->last = s->value[k];
	}
	if (at == TIME_NONE)
		return 0;
	/* every replica tells of the same opening, each at its own scrape */
	if (o->n_changes && llabs(at - o->at_ms) > 60000)
		o->disagree = true;
	if (!o->n_changes || at < o->at_ms) {
		o->at_ms = at;
		o->before_ms = before;
	}
	o->n_changes++;
	return 0;
}

static int begin_answer(void *ctx, size_t i, struct error *err)
{
	(void)i;
	(void)err;
	struct opening *o = ctx;
	*o = (struct opening){.becomes = o->becomes};
	return 0;
}

static int end_answer(void *ctx, size_t i, const struct answer *a, struct error *err)
{
	(void)ctx;
	(void)i;
	(void)a;
	(void)err;
	return 0;
}

static void abandon_answer(void *ctx, size_t i)
{
	begin_answer(ctx, i, NULL);
}

int window_find_open(struct source *src, const struct spec *s, int64_t now_ms, int64_t *open_ms,
	int64_t *early_ms, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	struct opening o = {.becomes = decimal_to_double(s->open_becomes)};
	struct source_sink sink = {begin_answer, see_series, end_answer, abandon_answer, &o};

	selector_print(&text, &s->open_when);
	struct query q = {QUERY_RAW, text.at, now_ms - DAY_MS, now_ms, "open"};
	int rc = source_fetch(src, &q, 1, &sink, err);
	if (!rc && o.disagree)
		rc = error_set(err, ERROR_EVIDENCE, "open-not-found",
			"--open auto: the %zu series of %s changed at times more than a minute "
			"apart; "
			"give the time with --open",
			o.n_series, text.at);
	else if (!rc && !o.n_changes)
		rc = error_set(err, ERROR_EVIDENCE, "open-not-found",
			"--open auto: in the last 24 hours %s never changed to %g (%zu series%s); "
			"give "
			"the time with --open",
			text.at, o.becomes, o.n_series, o.n_series ? " seen" : "");
	strbuf_release(&text);
	if (rc)
		return -1;
	*open_ms = o.at_ms;
	*early_ms = o.before_ms;
	return 0;
}

/* --- waiting
 * ---------------------------------------------------------------------------------------- */

int window_wait(const struct window *w, bool wait, struct progress *p, struct error *err)
{
	int64_t left = w->end_ms - clock_ms();
	struct strbuf text = STRBUF_INIT;

	if (left > 0 && !wait) {
		duration_format(&text, (left + 999) / 1000 * 1000);
		error_set(err, ERROR_USAGE, "window-not-over",
			"the window ends in %s: wait for it with --wait, or check the time of "
			"the "
			"opening",
			text.at);
		strbuf_release(&text);
		return -1;
	}
	if (left > 7 * DAY_MS)
		return error_set(err, ERROR_USAGE, "window-not-over",
			"the window ends more than a week from now: check the time of the opening");
	for (; left > 0; left = w->end_ms - clock_ms()) {
		strbuf_clear(&text);
		duration_format(&text, (left + 999) / 1000 * 1000);
		progress_update(p, "the window ends in %s", text.at);
		int64_t nap = left < 1000 ? left : 1000;
		nanosleep(&(struct timespec){nap / 1000, nap % 1000 * 1000000}, NULL);
	}
	strbuf_release(&text);
	progress_end(p);
	return 0;
}
