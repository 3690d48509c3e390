/* Model: a result as the tree loadverdict.run/1 (docs/contract: what scripts may rely on): the run,
 * its reasons and the quality of its data. Must not know how anything is drawn; no I/O, no clock.
 *
 * Fields beyond the contract: notes and reasons have `severity` and `args`, reasons a `remedy`;
 * `titles` and `becauses` {en, ko} beside `title` and `because`; `bad`, `margin` {low, high},
 * `at_least`, `each`, `pNN_at_s`, `unseen`, `counted` of stages and steps; `limit`s of all kinds,
 * `sampled_every_s`, `max_at`, `computed_by_server` of checks; at the top `title`, `titles`,
 * `window`, `source`, `least_margin`, `not_evaluated`, `variables`; in `run` `load_measured`,
 * `judged_at`, `timezone`; in `quality` the totals of its lists and `lagging`. */
#include "report/model.h"

#include <string.h>

#include "base/timestamp.h"
#include "base/utf8.h"
#include "judge/judge.h"
#include "report/catalogue.h"

struct tree *model_string(struct arena *a, const char *s)
{
	struct strbuf clean = STRBUF_INIT;
	struct tree *t;

	if (!s || utf8_valid(s, strlen(s)))
		return tree_string(a, s);
	utf8_add_repaired(&clean, s, strlen(s));
	t = tree_string(a, clean.at);
	strbuf_release(&clean);
	return t;
}

struct tree *model_time(struct arena *a, int64_t ms)
{
	struct strbuf text = STRBUF_INIT;
	struct tree *t;

	if (ms == TIME_NONE)
		return tree_null(a);
	timestamp_format_utc(&text, ms);
	t = tree_string(a, text.at);
	strbuf_release(&text);
	return t;
}

struct tree *model_decimal(struct arena *a, bool given, struct decimal d)
{
	struct strbuf text = STRBUF_INIT;
	struct tree *t;

	if (!given)
		return tree_null(a);
	decimal_format(&text, d);
	t = tree_number(a, text.at);
	strbuf_release(&text);
	return t;
}

struct tree *model_count(struct arena *a, struct count c)
{
	struct tree *t = tree_object(a);

	tree_set(a, t, "low", tree_double(a, c.low));
	tree_set(a, t, "high", tree_double(a, c.high));
	return t;
}

struct tree *model_texts(struct arena *a, const struct text *text, const char *otherwise)
{
	struct tree *t = tree_object(a);

	tree_set(a, t, "en", model_string(a, text->en ? text->en : otherwise));
	tree_set(a, t, "ko", model_string(a, text->ko));
	return t;
}

static struct tree *note_args(struct arena *a, const struct note *n)
{
	struct tree *args = tree_object(a);

	for (size_t i = 0; i < n->n_args; i++)
		if (!tree_get(args, n->arg[i].key))
			tree_set(a, args, n->arg[i].key, model_string(a, n->arg[i].value));
	return args;
}

static struct tree *english(struct arena *a, const char *prefix, const struct note *n,
	const char *subject, const struct tree *args)
{
	const char *code = reason_code(n->code);
	struct strbuf text = STRBUF_INIT;
	struct tree *t;

	note_fill(&text, LANG_EN, arena_printf(a, "%s.%s", prefix, code), subject, args);
	t = tree_string(a, text.at);
	strbuf_release(&text);
	return t;
}

static struct tree *model_note(
	struct arena *a, const struct note *n, const char *subject, bool remedy)
{
	static const char *const severities[] = {"decides", "doubt", "note", "error"};
	struct tree *t = tree_object(a), *args = note_args(a, n);

	if (n->subject)
		subject = n->subject;
	tree_set(a, t, "code", tree_string(a, reason_code(n->code)));
	tree_set(a, t, "severity", tree_string(a, severities[reason_severity(n->code)]));
	tree_set(a, t, "subject", model_string(a, subject));
	tree_set(a, t, "text", english(a, "reason", n, subject, args));
	if (remedy)
		tree_set(a, t, "remedy", english(a, "remedy", n, subject, args));
	tree_set(a, t, "args", args);
	return t;
}

struct tree *model_notes(
	struct arena *a, const struct notes *notes, const char *subject, bool remedies)
{
	struct tree *list = tree_array(a);

	for (size_t i = 0; i < notes->n; i++)
		tree_add(list, model_note(a, &notes->at[i], subject, remedies));
	return list;
}

static struct tree *run_labels(struct arena *a, const struct run_info *info)
{
	struct tree *t = tree_object(a);

	for (size_t i = 0; i < info->n_labels; i++)
		if (!tree_get(t, info->labels[i].key))
			tree_set(a, t, info->labels[i].key, model_string(a, info->labels[i].value));
	return t;
}

static struct tree *model_run(struct arena *a, const struct spec *spec, const struct result *result,
	const struct run_info *info)
{
	struct tree *t = tree_object(a);

	tree_set(a, t, "id", info->id ? tree_int(a, info->id) : tree_null(a));
	tree_set(a, t, "revision", tree_int(a, info->revision));
	tree_set(a, t, "name", model_string(a, info->name));
	tree_set(a, t, "spec", model_string(a, info->spec_name));
	tree_set(a, t, "spec_sha256", model_string(a, info->spec_sha256));
	tree_set(a, t, "judged_sha256", model_string(a, info->judged_sha256));
	tree_set(a, t, "uid", model_string(a, info->uid));
	tree_set(a, t, "registered_before_open",
		info->known_registered ? tree_bool(a, info->registered_before_open) : tree_null(a));
	tree_set(a, t, "environment", model_string(a, info->environment));
	tree_set(a, t, "campaign", model_string(a, info->campaign));
	tree_set(a, t, "repeat", tree_int(a, info->repeat));
	tree_set(a, t, "load", model_decimal(a, info->has_load, info->load));
	tree_set(a, t, "load_unit", model_string(a, info->load_unit));
	tree_set(a, t, "delivered",
		result->has_delivered ? model_count(a, result->delivered) : tree_null(a));
	tree_set(a, t, "load_measured",
		info->has_load ? tree_bool(a, result->has_delivered) : tree_null(a));
	tree_set(a, t, "open", model_time(a, info->window.open_ms));
	tree_set(a, t, "start", model_time(a, info->window.start_ms));
	tree_set(a, t, "end", model_time(a, info->window.end_ms));
	tree_set(a, t, "timezone", model_string(a, spec->timezone));
	tree_set(a, t, "labels", run_labels(a, info));
	tree_set(a, t, "commit", model_string(a, info->commit));
	tree_set(a, t, "judged_at", model_time(a, info->judged_at_ms));
	tree_set(a, t, "version", model_string(a, info->version));
	return t;
}

static struct tree *model_window(struct arena *a, const struct spec *spec, const struct window *w)
{
	struct tree *t = tree_object(a);

	tree_set(a, t, "open", model_time(a, w->open_ms));
	tree_set(a, t, "start", model_time(a, w->start_ms));
	tree_set(a, t, "end", model_time(a, w->end_ms));
	tree_set(a, t, "warmup_s", tree_double(a, (double)spec->warmup_ms / 1000));
	return t;
}

static struct tree *model_source(struct arena *a, const struct run_info *info)
{
	struct tree *t = tree_object(a);

	tree_set(a, t, "url", model_string(a, info->source_url));
	tree_set(a, t, "tenant", model_string(a, info->tenant));
	tree_set(a, t, "insecure_skip_verify", tree_bool(a, info->insecure));
	return t;
}

static struct tree *model_events(struct arena *a, const struct event *events, size_t n)
{
	struct tree *list = tree_array(a);

	for (size_t i = 0; i < n; i++) {
		struct tree *t = tree_add(list, tree_object(a));
		tree_set(a, t, "target", model_string(a, events[i].target));
		tree_set(a, t, "what", model_string(a, events[i].what));
		tree_set(a, t, "from", model_time(a, events[i].from_ms));
		tree_set(a, t, "to", model_time(a, events[i].to_ms));
	}
	return list;
}

static struct tree *model_quality(struct arena *a, const struct result *result)
{
	const struct quality *q = &result->quality;
	struct tree *t = tree_object(a), *lagging = tree_object(a);

	tree_set(a, t, "series", tree_int(a, (int64_t)q->series));
	tree_set(a, t, "samples", tree_int(a, (int64_t)q->samples));
	tree_set(a, t, "targets", tree_int(a, (int64_t)q->targets));
	tree_set(a, t, "scrape_interval_s",
		q->scrape_interval_ms ? tree_double(a, (double)q->scrape_interval_ms / 1000)
				      : tree_null(a));
	tree_set(a, t, "gaps", model_events(a, q->gaps.at, q->gaps.n));
	tree_set(a, t, "gaps_total", tree_int(a, (int64_t)q->n_gaps));
	tree_set(a, t, "resets", model_events(a, q->resets.at, q->resets.n));
	tree_set(a, t, "resets_total", tree_int(a, (int64_t)q->n_resets));
	tree_set(a, t, "births", model_events(a, q->births.at, q->births.n));
	tree_set(a, t, "births_total", tree_int(a, (int64_t)q->n_births));
	tree_set(a, t, "warnings", model_notes(a, &q->warnings, NULL, false));
	tree_set(a, t, "lagging", lagging);
	tree_set(a, lagging, "targets", tree_int(a, (int64_t)result->lagging.n));
	tree_set(a, lagging, "first", model_string(a, result->lagging.first));
	return t;
}

static struct tree *model_names(struct arena *a, const struct names *names)
{
	struct tree *list = tree_array(a);

	for (size_t i = 0; i < names->n; i++)
		tree_add(list, model_string(a, names->at[i]));
	return list;
}

static struct tree *model_variables(struct arena *a, const struct spec *spec)
{
	struct tree *t = tree_object(a);

	for (size_t i = 0; i < spec->n_variables; i++)
		if (!tree_get(t, spec->variables[i].name))
			tree_set(a, t, spec->variables[i].name,
				model_string(a, spec->variables[i].value));
	return t;
}

struct tree *report_model(struct arena *a, const struct spec *spec, const struct result *result,
	const struct run_info *info)
{
	struct tree *t = tree_object(a);
	struct tree *stages = model_stages(a, spec, result);

	tree_set(a, t, "format", tree_string(a, "loadverdict.run/1"));
	tree_set(a, t, "verdict", tree_string(a, run_verdict_name(result->verdict)));
	tree_set(a, t, "reasons", model_notes(a, &result->reasons, NULL, true));
	tree_set(a, t, "run", model_run(a, spec, result, info));
	tree_set(a, t, "title", model_string(a, spec->title.en ? spec->title.en : info->spec_name));
	tree_set(a, t, "titles", model_texts(a, &spec->title, info->spec_name));
	tree_set(a, t, "window", model_window(a, spec, &info->window));
	tree_set(a, t, "source", model_source(a, info));
	tree_set(a, t, "least_margin", model_least_margin(a, stages));
	tree_set(a, t, "stages", stages);
	tree_set(a, t, "invariants",
		model_checks(
			a, &spec->invariants, result->invariants, result->n_invariants, false));
	tree_set(a, t, "preconditions",
		model_checks(a, &spec->preconditions, result->preconditions,
			result->n_preconditions, true));
	tree_set(a, t, "figures",
		model_figures(a, &spec->figures, result->figures, result->n_figures));
	tree_set(a, t, "quality", model_quality(a, result));
	tree_set(a, t, "not_evaluated", model_names(a, &spec->not_evaluated));
	tree_set(a, t, "variables", model_variables(a, spec));
	return t;
}

struct tree *report_not_judged(
	struct arena *a, const struct error *err, const char *commit, int64_t at_ms)
{
	struct tree *t = tree_object(a), *why = tree_object(a);

	tree_set(a, t, "format", tree_string(a, "loadverdict.run/1"));
	tree_set(a, t, "verdict", tree_null(a));
	tree_set(a, t, "not_judged", why);
	tree_set(a, why, "exit", tree_int(a, err->kind));
	tree_set(a, why, "code", model_string(a, err->code));
	tree_set(a, why, "text", model_string(a, err->text));
	tree_set(a, t, "commit", model_string(a, commit));
	tree_set(a, t, "at", model_time(a, at_ms));
	return t;
}
