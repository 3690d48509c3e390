/* View: the headline, the few sentences under it, and the words that every section shares. Must
 * not know any output format. */
#include "report/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/timestamp.h"
#include "report/catalogue.h"
#include "report/show.h"

const char *view_keep(struct view *v, struct strbuf *b)
{
	const char *text = arena_strndup(&v->arena, b->at, b->n);

	strbuf_release(b);
	return text;
}

enum tone view_tone(const char *verdict)
{
	static const char *const good[] = {"PASS", "HELD", "MET"};
	static const char *const bad[] = {"FAIL", "INVALID", "VIOLATED", "UNMET"};

	if (!verdict)
		return TONE_NONE;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (!strcmp(verdict, good[i]))
			return TONE_GOOD;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (!strcmp(verdict, bad[i]))
			return TONE_BAD;
	return TONE_DOUBT;
}

const char *view_verdict(struct view *v, const char *name)
{
	const char *key = arena_printf(&v->arena, "verdict.%s", name);

	return catalogue_has(v->lang, key) ? catalogue_text(v->lang, key) : name;
}

const char *view_title(const struct view *v, const struct tree *item)
{
	const struct tree *titles = tree_get(item, "titles");
	const char *ko = v->lang == LANG_KO ? tree_text(tree_get(titles, "ko"), NULL) : NULL;

	return ko ? ko : tree_text(tree_get(item, "title"), tree_text(tree_get(item, "id"), ""));
}

static const struct tree *find_id(const struct tree *list, const char *id, size_t n)
{
	for (const struct tree *t = list ? list->first : NULL; t; t = t->next) {
		const char *own = tree_text(tree_get(t, "id"), "");
		if (strlen(own) == n && !memcmp(own, id, n))
			return t;
	}
	return NULL;
}

const struct tree *view_item_of(const struct tree *model, const char *subject)
{
	static const char *const blocks[][2] = {{"stage", "stages"}, {"invariant", "invariants"},
		{"precondition", "preconditions"}, {"figure", "figures"}};
	size_t kind = subject ? strcspn(subject, "/") : 0;

	for (size_t i = 0; kind && i < sizeof blocks / sizeof *blocks; i++) {
		if (strlen(blocks[i][0]) != kind || memcmp(blocks[i][0], subject, kind) != 0 ||
			!subject[kind])
			continue;
		const char *id = subject + kind + 1;
		const struct tree *list = tree_get(model, blocks[i][1]);
		const struct tree *whole = find_id(list, id, strlen(id));
		return whole ? whole : find_id(list, id, strcspn(id, "/"));
	}
	return NULL;
}

static const char *step_title(struct view *v, const struct tree *stage, const char *id)
{
	const struct tree *step = find_id(tree_get(stage, "steps"), id, strlen(id));

	return step ? view_title(v, step) : id;
}

const char *view_subject(struct view *v, const struct tree *model, const char *subject)
{
	const struct tree *item = view_item_of(model, subject);

	if (!subject)
		return NULL;
	if (!strcmp(subject, "load/delivered"))
		return catalogue_text(v->lang, "subject.delivered");
	if (!strncmp(subject, "target/", 7))
		return subject + 7;
	if (!item)
		return subject;
	const char *id = tree_text(tree_get(item, "id"), ""), *rest = strchr(subject, '/') + 1;
	if (!strcmp(rest, id))
		return view_title(v, item);
	return arena_printf(&v->arena, "%s \u203a %s", view_title(v, item),
		step_title(v, item, rest + strlen(id) + 1));
}

const char *view_time(struct view *v, const char *utc)
{
	struct strbuf b = STRBUF_INIT;

	show_time(&b, utc);
	if (*v->date && b.n >= 19 && !strncmp(b.at, v->date, 10) && strcmp(b.at, utc) != 0)
		return arena_strndup(&v->arena, view_keep(v, &b) + 11, 8);
	return view_keep(v, &b);
}

const char *view_phrase(struct view *v, const char *text)
{
	size_t n = strlen(text);

	return n && text[n - 1] == '.' ? arena_strndup(&v->arena, text, n - 1) : text;
}

/* one argument of a note as people read it */
static const char *shown_arg(
	struct view *v, const struct tree *model, const struct tree *note, const struct tree *arg)
{
	static const char *const times[] = {"at", "from", "to", "last", "start"};
	const char *text = tree_text(arg, ""), *subject = tree_text(tree_get(note, "subject"), "");
	const struct tree *item = view_item_of(model, subject);

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (!strcmp(arg->key, times[i]))
			return view_time(v, text);
	if (!strcmp(arg->key, "verdict"))
		return view_verdict(v, text);
	if (!strcmp(arg->key, "step"))
		return item ? step_title(v, item, text) : text;
	if (!strcmp(arg->key, "limit") && strncmp(subject, "stage/", 6) != 0 && item)
		return view_limit(v, item);
	return text;
}

const char *view_note(
	struct view *v, const struct tree *model, const struct tree *note, const char *prefix)
{
	const char *code = tree_text(tree_get(note, "code"), "");
	const char *key = arena_printf(&v->arena, "%s.%s", prefix, code);
	const struct tree *args = tree_get(note, "args");
	struct tree *shown = tree_object(&v->arena);
	struct strbuf text = STRBUF_INIT;

	if (!catalogue_has(v->lang, key)) /* a run stored by a newer version */
		return tree_text(tree_get(note, "text"), code);
	for (const struct tree *t = args ? args->first : NULL; t; t = t->next)
		tree_set(&v->arena, shown, t->key,
			tree_string(&v->arena, shown_arg(v, model, note, t)));
	note_fill(&text, v->lang, key, tree_text(tree_get(note, "subject"), NULL), shown);
	return view_keep(v, &text);
}

size_t view_count(const struct tree *list, const char *good)
{
	size_t n = 0;

	for (const struct tree *t = list ? list->first : NULL; t; t = t->next)
		n += !strcmp(tree_text(tree_get(t, "verdict"), ""), good);
	return n;
}

bool view_has_reason(const struct tree *model, const char *code)
{
	const struct tree *reasons = tree_get(model, "reasons");

	for (const struct tree *t = reasons ? reasons->first : NULL; t; t = t->next)
		if (!strcmp(tree_text(tree_get(t, "code"), ""), code))
			return true;
	return false;
}

const char *view_load(struct view *v, const struct tree *model)
{
	const struct tree *run = tree_get(model, "run");
	const char *load = tree_text(tree_get(run, "load"), NULL);
	struct strbuf count = STRBUF_INIT, text = STRBUF_INIT;

	if (!load)
		return NULL;
	show_count(&count, load);
	show_with_unit(&text, v->lang, count.at, tree_text(tree_get(run, "load_unit"), NULL));
	strbuf_release(&count);
	return view_keep(v, &text);
}

const char *view_least_margin(struct view *v, const struct tree *model, bool titles)
{
	const struct tree *least = tree_get(model, "least_margin");
	const char *stage = tree_text(tree_get(least, "stage"), NULL);
	const char *step = tree_text(tree_get(least, "step"), NULL);
	const char *p = tree_text(tree_get(least, "percentile"), NULL);
	const struct tree *margin = tree_get(least, "margin");
	struct strbuf points = STRBUF_INIT, text = STRBUF_INIT;

	if (!stage)
		return NULL;
	const char *where = step ? arena_printf(&v->arena, "%s/%s", stage, step) : stage;
	if (titles)
		where = view_subject(v, model, arena_printf(&v->arena, "stage/%s", where));
	if (p)
		where = arena_printf(&v->arena, "%s p%s", where, p);
	show_margin(&points, v->lang, tree_text(tree_get(margin, "low"), NULL),
		tree_text(tree_get(margin, "high"), NULL));
	catalogue_say(&text, v->lang, "head.points", "where", where, "points", points.at, NULL);
	strbuf_release(&points);
	return view_keep(v, &text);
}

static void add_line(struct view *v, struct strbuf *b)
{
	*ARRAY_ADD(&v->lines) = view_keep(v, b);
}

static void add_met(struct view *v, const struct tree *model, struct strbuf *b, const char *list,
	const char *good, const char *key)
{
	const struct tree *items = tree_get(model, list);
	char met[24], all[24];

	if (!items || !items->n)
		return;
	if (b->n)
		strbuf_adds(b, " \u00b7 ");
	snprintf(met, sizeof met, "%zu", view_count(items, good));
	snprintf(all, sizeof all, "%zu", items->n);
	catalogue_say(b, v->lang, key, "met", met, "all", all, NULL);
}

/* The first time is whole, with date and zone; the others leave out what is the same. */
static void add_window_line(struct view *v, const struct tree *model)
{
	const struct tree *w = tree_get(model, "window");
	const char *open = tree_text(tree_get(w, "open"), NULL);
	const char *start = tree_text(tree_get(w, "start"), "");
	const char *end = tree_text(tree_get(w, "end"), "");
	struct strbuf whole = STRBUF_INIT, length = STRBUF_INIT, text = STRBUF_INIT;
	int64_t start_ms, end_ms;

	show_time(&whole, open ? open : start);
	if (!timestamp_parse(start, 0, false, &start_ms, NULL) &&
		!timestamp_parse(end, 0, false, &end_ms, NULL) && end_ms >= start_ms)
		show_duration(&length, v->lang, end_ms - start_ms);
	catalogue_say(&text, v->lang, open ? "head.window" : "head.window_only", "open", whole.at,
		"start", open ? view_time(v, start) : whole.at, "end", view_time(v, end), "length",
		length.at, NULL);
	strbuf_release(&whole);
	strbuf_release(&length);
	add_line(v, &text);
}

static void add_delivered_line(struct view *v, const struct tree *model)
{
	const struct tree *run = tree_get(model, "run"), *delivered = tree_get(run, "delivered");
	const char *load = view_load(v, model), *low = tree_text(tree_get(delivered, "low"), NULL);
	double share = tree_as_double(tree_get(delivered, "low"), NAN) /
		       tree_as_double(tree_get(run, "load"), NAN);
	struct strbuf count = STRBUF_INIT, percent = STRBUF_INIT, text = STRBUF_INIT;
	char number[48];

	if (!load || !low || !isfinite(share))
		return;
	snprintf(number, sizeof number, "%.12f", share);
	show_interval(&count, delivered);
	show_percent(&percent, v->lang, number, number, "0.95");
	catalogue_say(&text, v->lang, "head.delivered", "delivered", count.at, "load", load,
		"percent", percent.at, NULL);
	strbuf_release(&count);
	strbuf_release(&percent);
	add_line(v, &text);
}

static void add_reason_line(struct view *v, const struct tree *model)
{
	const struct tree *reasons = tree_get(model, "reasons"),
			  *first = reasons ? reasons->first : NULL;
	struct strbuf text = STRBUF_INIT;

	if (!first || v->tone == TONE_GOOD ||
		!strcmp(tree_text(tree_get(first, "severity"), ""), "note"))
		return;
	const char *subject = view_subject(v, model, tree_text(tree_get(first, "subject"), NULL));
	catalogue_say(&text, v->lang, subject ? "head.because" : "head.because_run", "subject",
		subject, "text", view_note(v, model, first, "reason"), NULL);
	add_line(v, &text);
}

static void judged_head(struct view *v, const struct tree *model)
{
	const struct tree *run = tree_get(model, "run");
	const char *spec = tree_text(tree_get(run, "spec"), ""), *title = view_title(v, model);
	const char *env = tree_text(tree_get(run, "environment"), NULL),
		   *load = view_load(v, model);
	struct strbuf head = STRBUF_INIT, met = STRBUF_INIT, least = STRBUF_INIT;

	strbuf_adds(&head, *title ? title : spec);
	if (*title && strcmp(title, spec) != 0)
		strbuf_addf(&head, " (%s)", spec);
	if (env)
		strbuf_addf(&head, " \u00b7 %s", env);
	if (load)
		strbuf_addf(&head, " \u00b7 %s", load);
	if (load && !tree_is_true(tree_get(run, "load_measured")))
		strbuf_addf(&head, " \u00b7 %s", catalogue_text(v->lang, "head.not_measured"));
	if (view_has_reason(model, "objective-changed"))
		strbuf_addf(&head, " \u00b7 %s", catalogue_text(v->lang, "head.changed"));
	v->headline = view_keep(v, &head);

	add_met(v, model, &met, "stages", "PASS", "head.stages");
	add_met(v, model, &met, "invariants", "HELD", "head.invariants");
	add_met(v, model, &met, "preconditions", "MET", "head.preconditions");
	add_line(v, &met);
	const char *points = view_least_margin(v, model, true);
	if (points) {
		catalogue_say(&least, v->lang, "head.least", "margin", points, NULL);
		add_line(v, &least);
	}
	add_reason_line(v, model);
	add_delivered_line(v, model);
	add_window_line(v, model);
}

static void add_pair(struct view *v, const char *key, const char *text)
{
	if (text && *text)
		*ARRAY_ADD(&v->section[SECTION_REPRODUCE].items) =
			(struct view_item){.subject = catalogue_text(v->lang, key), .text = text};
}

static void not_judged_head(struct view *v, const struct tree *model)
{
	const struct tree *why = tree_get(model, "not_judged");
	const char *code = tree_text(tree_get(why, "code"), "");
	const char *reason = arena_printf(&v->arena, "reason.%s", code);
	const char *remedy = arena_printf(&v->arena, "remedy.%s", code);
	struct view_section *s = &v->section[SECTION_REPRODUCE];
	struct strbuf at = STRBUF_INIT;

	v->headline = catalogue_has(v->lang, reason)
			      ? view_phrase(v, catalogue_text(v->lang, reason))
			      : code;
	*ARRAY_ADD(&v->lines) = tree_text(tree_get(why, "text"), "");
	*ARRAY_ADD(&v->lines) = catalogue_text(v->lang, "head.no_verdict");
	if (catalogue_has(v->lang, remedy))
		*ARRAY_ADD(&v->lines) = catalogue_text(v->lang, remedy);
	s->kind = VIEW_PAIRS;
	s->title = catalogue_text(v->lang, "section.attempt");
	add_pair(v, "pair.code", code);
	add_pair(v, "pair.exit", tree_text(tree_get(why, "exit"), ""));
	add_pair(v, "pair.commit", tree_text(tree_get(model, "commit"), NULL));
	show_time(&at, tree_text(tree_get(model, "at"), ""));
	add_pair(v, "pair.at", view_keep(v, &at));
}

static void set_date(struct view *v, const struct tree *model)
{
	const struct tree *w = tree_get(model, "window");
	struct strbuf b = STRBUF_INIT;

	show_time(&b, tree_text(tree_get(w, "open"), tree_text(tree_get(w, "start"), "")));
	snprintf(v->date, sizeof v->date, "%.10s", b.at);
	strbuf_release(&b);
}

void view_init(struct view *v, const struct tree *model, const struct report_options *o)
{
	const char *verdict = tree_text(tree_get(model, "verdict"), NULL);

	memset(v, 0, sizeof *v);
	v->lang = o->lang;
	v->judged = verdict != NULL;
	v->verdict = view_verdict(v, verdict ? verdict : "NOT_JUDGED");
	v->tone = verdict ? view_tone(verdict) : TONE_DOUBT;
	if (!v->judged) {
		not_judged_head(v, model);
		return;
	}
	set_date(v, model);
	judged_head(v, model);
	view_tables(v, model);
	view_notes(v, model, o);
}

void view_release(struct view *v)
{
	for (size_t i = 0; i < SECTION_COUNT; i++) {
		ARRAY_RELEASE(&v->section[i].rows);
		ARRAY_RELEASE(&v->section[i].items);
	}
	ARRAY_RELEASE(&v->lines);
	arena_release(&v->arena);
}
