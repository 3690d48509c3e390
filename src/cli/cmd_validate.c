/* validate: checks a spec; --live also asks the server what its selectors match. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "judge/histogram.h"
#include "judge/proof.h"
#include "source/source.h"

/* One question to the server, and what its answer should be. */
struct question {
	const char *subject;
	const char *selector; /* as shown */
	bool needs_across;    /* several series are a problem */
	bool has_bound;	      /* a bucket at this bound is needed on every series */
	double bound;
	const char *outcome; /* a zero here can be proven by other values of this label ... */
	bool is_sibling;     /* ... which the next question counts */
	bool has_family;     /* or by the spec's `family` */
	/* the answer */
	size_t n_series;
	size_t n_with_bound, n_histograms;
	bool optional;
};

struct live {
	struct loaded *spec;
	ARRAY_OF(struct question) questions;
	ARRAY_OF(struct query) queries;
	int64_t now_ms;
	struct strbuf *out;
	size_t said, problems;
};

static void ask(struct live *l, const char *subject, const struct selector *s, const char *form,
	struct question q)
{
	struct arena *a = &l->spec->arena;
	struct strbuf text = STRBUF_INIT;

	selector_print(&text, s);
	q.subject = subject;
	q.selector = arena_strndup(a, text.at, text.n);
	*ARRAY_ADD(&l->questions) = q;
	*ARRAY_ADD(&l->queries) = (struct query){
		QUERY_PROMQL, arena_printf(a, form, q.selector), l->now_ms, l->now_ms, subject};
	strbuf_release(&text);
}

#define COUNT_SERIES "count(last_over_time(%s[1h]))"
#define COUNT_BOUNDS "count by (le) (last_over_time(%s[1h]))"

static void ask_list(struct live *l, const char *subject, const struct selectors *list, bool across,
	bool optional)
{
	for (size_t i = 0; i < list->n; i++)
		ask(l, subject, &list->at[i], COUNT_SERIES,
			(struct question){.needs_across = across, .optional = optional});
}

/* Counts that may well be zero: what could prove it is asked too. */
static void ask_counts(
	struct live *l, const char *subject, const struct selectors *list, const struct proof *p)
{
	struct arena *a = &l->spec->arena;

	for (size_t i = 0; i < list->n; i++) {
		const struct selector *s = &list->at[i];
		ptrdiff_t at = p->family.n ? -1 : proof_outcome(s, p);
		struct question q = {.optional = p->optional,
			.has_family = p->family.n > 0,
			.outcome = at < 0 ? NULL : s->matcher[at].label};
		ask(l, subject, s, COUNT_SERIES, q);
		if (at < 0)
			continue;
		struct matcher present = {.label = q.outcome, .op = MATCH_NE, .value = ""};
		struct selector others = selector_without(a, s, (size_t)at);
		others = selector_with(a, &others, &present, 1);
		ask(l, subject, &others, COUNT_SERIES, (struct question){.is_sibling = true});
	}
}

static void ask_bound(struct live *l, const char *subject, const struct selector *histogram,
	const struct decimal *seconds)
{
	struct arena *a = &l->spec->arena;
	struct selector b =
		selector_renamed(a, histogram, arena_printf(a, "%s_bucket", histogram->name));
	struct question q = {.has_bound = seconds != NULL};

	if (seconds)
		q.bound = histogram_bound(*seconds, histogram_unit_s(histogram->name));
	ask(l, subject, &b, COUNT_BOUNDS, q);
}

static void ask_sli(struct live *l, const char *subject, const struct sli *s)
{
	ask_counts(l, subject, &s->good, &s->proof);
	ask_counts(l, subject, &s->bad, &s->proof);
	ask_list(l, subject, &s->total, false, false);
	ask_list(l, subject, &s->exclude, false, true);
	if (s->has_histogram)
		ask_bound(l, subject, &s->histogram, s->has_within ? &s->within_s : NULL);
}

static bool is_value(enum measure_kind k)
{
	return k == MEASURE_MAX || k == MEASURE_MIN || k == MEASURE_FIRST || k == MEASURE_LAST ||
	       k == MEASURE_AVG;
}

static void ask_measure(struct live *l, const char *subject, const struct measure *m)
{
	bool alone = is_value(m->kind) && m->across == ACROSS_NONE && !m->per.n;

	if (is_value(m->kind))
		ask_list(l, subject, &m->selectors, alone, m->proof.optional);
	else
		ask_counts(l, subject, &m->selectors, &m->proof);
	ask_counts(l, subject, &m->right, &m->proof);
	ask_list(l, subject, &m->proof.family, false, false);
	ask_list(l, subject, &m->proof.witness, false, true);
	if (m->kind == MEASURE_BAND && m->has_over)
		ask_bound(l, subject, &m->histogram, &m->over_s);
	if (m->kind == MEASURE_BAND && m->has_up_to)
		ask_bound(l, subject, &m->histogram, &m->up_to_s);
}

static void ask_checks(struct live *l, const char *kind, const struct checks *list)
{
	for (size_t i = 0; i < list->n; i++)
		ask_measure(l, arena_printf(&l->spec->arena, "%s/%s", kind, list->at[i].id),
			&list->at[i].measure);
}

static void ask_everything(struct live *l)
{
	const struct spec *s = &l->spec->spec;
	struct arena *a = &l->spec->arena;

	for (size_t i = 0; i < s->n_stages; i++) {
		const struct stage *st = &s->stages[i];
		ask_sli(l, arena_printf(a, "stage/%s", st->id), &st->sli);
		for (size_t k = 0; k < st->n_steps; k++)
			ask_sli(l, arena_printf(a, "stage/%s/%s", st->id, st->steps[k].id),
				&st->steps[k].sli);
	}
	ask_checks(l, "invariant", &s->invariants);
	ask_checks(l, "precondition", &s->preconditions);
	ask_checks(l, "figure", &s->figures);
	if (s->has_delivered)
		ask_measure(l, "load/delivered", &s->delivered);
}

static int begin(void *ctx, size_t i, struct error *err)
{
	struct live *l = ctx;
	struct question *q = &l->questions.at[i];

	(void)err;
	q->n_series = q->n_with_bound = q->n_histograms = 0;
	return 0;
}

static int see(void *ctx, size_t i, const struct series *s, struct error *err)
{
	struct live *l = ctx;
	struct question *q = &l->questions.at[i];
	double n = s->n ? s->value[s->n - 1] : 0;
	const char *le = labels_get(&s->labels, "le");

	(void)err;
	if (!(n > 0))
		return 0;
	if (!*le) {
		q->n_series = (size_t)n;
		return 0;
	}
	double bound = strtod(le, NULL);
	if (isinf(bound))
		q->n_series = q->n_histograms = (size_t)n;
	if (q->has_bound && bound == q->bound)
		q->n_with_bound += (size_t)n; /* "1" and "1.0" are one bound */
	return 0;
}

static int end(void *ctx, size_t i, const struct answer *a, struct error *err)
{
	(void)ctx;
	(void)i;
	(void)a;
	(void)err;
	return 0;
}

static void abandon(void *ctx, size_t i)
{
	begin(ctx, i, NULL);
}

/* Nothing matched yet, but a zero can be proven: neither good news nor a problem. */
static bool say_zero(struct live *l, const struct question *q)
{
	size_t others = q->outcome ? q[1].n_series : 0;

	if (q->n_series || (!others && !q->has_family))
		return false;
	strbuf_addf(l->out, "--   %s  %s  (0 series): none yet; ", q->subject, q->selector);
	if (q->has_family)
		strbuf_adds(l->out, "its `family` has to prove a zero\n");
	else
		strbuf_addf(l->out, "%zu series with other values of %s may prove a zero\n", others,
			q->outcome);
	return true;
}

static void say(struct live *l, const struct question *q)
{
	const char *problem = NULL;
	char text[200];

	if (q->is_sibling)
		return;
	l->said++;
	if (say_zero(l, q))
		return;
	if (!q->n_series && !q->optional) {
		problem = "no series in the last hour";
	} else if (q->needs_across && q->n_series > 1) {
		problem = "several series: say `across: sum|max|min|avg` or `per: [LABEL]`";
	} else if (q->has_bound && q->n_with_bound < q->n_histograms) {
		snprintf(text, sizeof text,
			"%zu of %zu histograms have no bucket le=\"%g\": add it, or choose a bound "
			"that "
			"exists",
			q->n_histograms - q->n_with_bound, q->n_histograms, q->bound);
		problem = text;
	}
	l->problems += problem != NULL;
	strbuf_addf(l->out, "%-4s %s  %s  (%zu series)%s%s\n", problem ? "!!" : "ok", q->subject,
		q->selector, q->n_series, problem ? ": " : "", problem ? problem : "");
}

static int ask_server(struct live *l, struct options *o, struct error *err)
{
	struct progress p;
	struct source *source;

	progress_init(&p, o);
	struct source_progress sp = progress_for_source(&p);
	struct source_sink sink = {begin, see, end, abandon, l};
	if (source_known(&l->spec->spec, err))
		return -1;
	if (source_open(&l->spec->spec.source, &source_limits_default, &sp, &source, err))
		return -1;
	int rc = source_fetch(source, l->queries.at, l->queries.n, &sink, err);
	source_close(source);
	progress_end(&p);
	return rc;
}

static int validate_live(
	struct options *o, struct loaded *spec, struct strbuf *out, struct error *err)
{
	struct live l = {.spec = spec, .now_ms = clock_ms(), .out = out};

	ask_everything(&l);
	int rc = ask_server(&l, o, err);
	for (size_t i = 0; i < l.questions.n && !rc; i++)
		say(&l, &l.questions.at[i]);
	if (!rc && l.problems) {
		strbuf_addf(out, "%zu of %zu would not be provable now\n", l.problems, l.said);
		rc = 3;
	}
	ARRAY_RELEASE(&l.questions);
	ARRAY_RELEASE(&l.queries);
	return rc;
}

static void say_valid(const struct spec *s, struct strbuf *out)
{
	strbuf_addf(out,
		"%s: valid: %zu stage%s, %zu invariant%s, %zu precondition%s, %zu figure%s\n",
		s->path, s->n_stages, s->n_stages == 1 ? "" : "s", s->invariants.n,
		s->invariants.n == 1 ? "" : "s", s->preconditions.n,
		s->preconditions.n == 1 ? "" : "s", s->figures.n, s->figures.n == 1 ? "" : "s");
	if (!s->not_evaluated.n)
		return;
	strbuf_adds(out, "not evaluated by this version:");
	for (size_t i = 0; i < s->not_evaluated.n; i++)
		strbuf_addf(out, "%s %s", i ? "," : "", s->not_evaluated.at[i]);
	strbuf_addc(out, '\n');
}

int cmd_validate(struct options *o, struct error *err)
{
	struct loaded spec;
	struct strbuf out = STRBUF_INIT;

	if (spec_open(o->args.at[0], o, &spec, err))
		return -1;
	say_valid(&spec.spec, &out);
	int rc = o->live ? validate_live(o, &spec, &out, err) : 0;
	if (rc >= 0 && output_text(o, &out, err))
		rc = -1;
	strbuf_release(&out);
	spec_close(&spec);
	return rc;
}
