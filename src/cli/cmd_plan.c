/* plan: every request that evaluate would send, without sending one.
 *
 * The judge itself says what it wants; answers that match nothing make it ask for its proofs too.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/output.h"
#include "cli/window.h"
#include "base/timestamp.h"
#include "judge/judge.h"
#include "source/source.h"

struct dry { /* evidence in which every answer is empty */
	ARRAY_OF(struct answer) answers;
	struct evidence evidence;
};

static int each_nothing(const struct evidence *self, size_t i,
	int (*fn)(void *arg, const struct series *s), void *arg, struct error *err)
{
	(void)self;
	(void)i;
	(void)fn;
	(void)arg;
	(void)err;
	return 0;
}

static const char *round_title(size_t round)
{
	if (!round)
		return "# targets: when each was scraped, and when its process started";
	if (round == 1)
		return "# selectors (to two scrape intervals after the window; 60 s assumed here)";
	return "# only where a selector matches nothing: what else the metric has";
}

static void print_window(struct strbuf *out, const struct window *w)
{
	strbuf_adds(out, "# window ");
	timestamp_format_utc(out, w->start_ms);
	strbuf_adds(out, " to ");
	timestamp_format_utc(out, w->end_ms);
	if (w->open_ms != TIME_NONE) {
		strbuf_adds(out, ", opening ");
		timestamp_format_utc(out, w->open_ms);
	}
	strbuf_addc(out, '\n');
}

static int print_rounds(const struct loaded *l, const struct window *w, struct strbuf *out,
	struct arena *a, struct error *err)
{
	struct dry dry = {
		.evidence = {.each = each_nothing, .asked_ms = w->end_ms, .retention_ms = -1}};
	static const char *const no_infos[] = {NULL};
	int rc = 0;

	for (size_t round = 0; round < 4 && !rc; round++) {
		struct result r;
		struct judge_input in = {
			.spec = &l->spec, .window = *w, .evidence = &dry.evidence, .rx = l->rx};
		rc = judge_run(&in, a, &r, err);
		if (rc || !r.wants.n) {
			if (!rc)
				result_release(&r);
			break;
		}
		strbuf_addf(out, "\n%s\n", round_title(round));
		for (size_t i = 0; i < r.wants.n; i++) {
			source_print_request(out, &l->spec.source, &r.wants.at[i]);
			if (out->n && out->at[out->n - 1] != '\n')
				strbuf_addc(out, '\n');
			*ARRAY_ADD(&dry.answers) =
				(struct answer){.query = r.wants.at[i], .infos = no_infos};
		}
		dry.evidence.answers = dry.answers.at;
		dry.evidence.n_answers = dry.answers.n;
		result_release(&r);
	}
	ARRAY_RELEASE(&dry.answers);
	return rc;
}

static int plan_window(
	const struct options *o, const struct spec *s, struct window *w, struct error *err)
{
	bool zone;
	int64_t open = TIME_NONE, now = clock_ms();

	if (source_known(s, err) || zone_set(o, s, &zone, err))
		return -1;
	if (!o->open && !(o->start && o->end))
		return error_set(
			err, ERROR_USAGE, "usage", "give --open TIME, or --start and --end");
	if (o->open && !strcmp(o->open, "auto"))
		return error_set(err, ERROR_USAGE, "usage",
			"plan asks nothing, so it cannot find the opening: give a time");
	if (o->open && time_read("open", o->open, zone, now, &open, err))
		return -1;
	return window_make(o, s, zone, now, open, w, err);
}

int cmd_plan(struct options *o, struct error *err)
{
	struct loaded l;
	struct window w = {0};
	struct arena a = ARENA_INIT;
	struct strbuf out = STRBUF_INIT;

	if (spec_open(o->args.at[0], o, &l, err))
		return -1;
	int rc = plan_window(o, &l.spec, &w, err);
	if (!rc) {
		print_window(&out, &w);
		rc = print_rounds(&l, &w, &out, &a, err);
	}
	if (!rc)
		rc = output_text(o, &out, err);
	strbuf_release(&out);
	arena_release(&a);
	spec_close(&l);
	return rc;
}
