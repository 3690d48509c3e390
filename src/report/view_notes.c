/* View: the sentences: why the verdict, what the data can and cannot show, its quality, where the
 * numbers come from, how to judge again. Must not know any output format. */
#include "report/view.h"

#include <stdio.h>
#include <string.h>

#include "report/catalogue.h"
#include "report/show.h"

#define SAME_CODE_SHOWN 5
#define EVENTS_SHOWN 5

static struct view_section *start(
	struct view *v, enum view_section_id id, const char *title, enum view_kind kind)
{
	struct view_section *s = &v->section[id];

	s->title = catalogue_text(v->lang, title);
	s->kind = kind;
	return s;
}

static void add_item(struct view_section *s, const char *subject, const char *text)
{
	*ARRAY_ADD(&s->items) = (struct view_item){.subject = subject, .text = text};
}

static void add_pair(struct view *v, struct view_section *s, const char *key, const char *text)
{
	if (text && *text)
		add_item(s, catalogue_text(v->lang, key), text);
}

static bool is_note(const struct tree *note)
{
	return !strcmp(tree_text(tree_get(note, "severity"), ""), "note");
}

static const char *code_of(const struct tree *note)
{
	return tree_text(tree_get(note, "code"), "");
}

static bool same(const struct tree *a, const struct tree *b, const char *key)
{
	return !strcmp(tree_text(tree_get(a, key), ""), tree_text(tree_get(b, key), ""));
}

static bool told_before(const struct tree *list, const struct tree *note)
{
	for (const struct tree *t = list ? list->first : NULL; t && t != note; t = t->next)
		if (same(t, note, "code") && same(t, note, "subject") && same(t, note, "text"))
			return true;
	return false;
}

/* how many of the list before the note have its code */
static size_t rank(const struct tree *list, const struct tree *note)
{
	size_t n = 0;

	for (const struct tree *t = list->first; t && t != note; t = t->next)
		n += same(t, note, "code");
	return n;
}

static const char *and_more(struct view *v, size_t n)
{
	struct strbuf b = STRBUF_INIT;
	char number[24];

	snprintf(number, sizeof number, "%zu", n);
	catalogue_say(&b, v->lang, "format.more", "n", number, NULL);
	return view_keep(v, &b);
}

static size_t of_code(const struct tree *list, const char *code)
{
	size_t n = 0;

	for (const struct tree *t = list->first; t; t = t->next)
		n += !strcmp(code_of(t), code);
	return n;
}

static void add_note(struct view *v, const struct tree *model, struct view_section *s,
	const struct tree *note, bool remedy)
{
	struct view_item *item = ARRAY_ADD(&s->items);

	item->subject = view_subject(v, model, tree_text(tree_get(note, "subject"), NULL));
	item->text = view_note(v, model, note, "reason");
	item->code = code_of(note);
	if (remedy)
		item->more = view_note(v, model, note, "remedy");
}

/* The remedy stands once, under the last reason of a code that is shown. */
static void add_reasons(struct view *v, const struct tree *model)
{
	const struct tree *reasons = tree_get(model, "reasons");
	struct view_section *s = start(v, SECTION_REASONS, "section.reasons", VIEW_LIST);

	for (const struct tree *t = reasons ? reasons->first : NULL; t; t = t->next) {
		size_t before = rank(reasons, t), all = of_code(reasons, code_of(t));
		if (is_note(t) || before >= SAME_CODE_SHOWN)
			continue;
		bool last = before + 1 == (all < SAME_CODE_SHOWN ? all : SAME_CODE_SHOWN);
		add_note(v, model, s, t, last);
		if (last && all > SAME_CODE_SHOWN)
			s->items.at[s->items.n - 1].text =
				arena_printf(&v->arena, "%s (%s)", s->items.at[s->items.n - 1].text,
					and_more(v, all - SAME_CODE_SHOWN));
	}
}

/* --- what the data can and cannot show ---------------------------------------------------------
 */

static void add_limit(struct view *v, struct view_section *s, const char *key, const char *list)
{
	struct strbuf b = STRBUF_INIT;

	catalogue_say(&b, v->lang, key, "list", list, NULL);
	add_item(s, NULL, view_keep(v, &b));
}

static void join(struct strbuf *b, const char *text)
{
	if (b->n)
		strbuf_adds(b, ", ");
	strbuf_adds(b, text);
}

static void add_confidence(
	struct view *v, const struct tree *stages, struct view_section *s, const char *confidence)
{
	struct strbuf list = STRBUF_INIT;

	for (const struct tree *t = stages ? stages->first : NULL; t; t = t->next)
		if (!strcmp(tree_text(tree_get(t, "confidence"), ""), confidence))
			join(&list, view_title(v, t));
	if (list.n)
		add_limit(v, s, arena_printf(&v->arena, "limit.%s", confidence), list.at);
	strbuf_release(&list);
}

static const char *const check_lists[] = {"invariants", "preconditions", "figures"};

static void add_sampled(struct view *v, const struct tree *model, struct view_section *s)
{
	struct strbuf sampled = STRBUF_INIT, server = STRBUF_INIT;

	for (size_t i = 0; i < 3; i++) {
		const struct tree *list = tree_get(model, check_lists[i]);
		for (const struct tree *t = list ? list->first : NULL; t; t = t->next) {
			const char *every = tree_text(tree_get(t, "sampled_every_s"), NULL);
			struct strbuf seconds = STRBUF_INIT;
			if (every) {
				show_seconds(&seconds, v->lang, every);
				join(&sampled, arena_printf(&v->arena, "%s (%s)", view_title(v, t),
						       seconds.at));
			}
			strbuf_release(&seconds);
			if (tree_is_true(tree_get(t, "computed_by_server")))
				join(&server, view_title(v, t));
		}
	}
	if (sampled.n)
		add_limit(v, s, "limit.sampled", sampled.at);
	if (server.n)
		add_limit(v, s, "limit.by_server", server.at);
	strbuf_release(&sampled);
	strbuf_release(&server);
}

static void add_registered(struct view *v, const struct tree *model, struct view_section *s)
{
	const struct tree *registered = tree_get(tree_get(model, "run"), "registered_before_open");

	if (!registered || registered->type != TREE_BOOL)
		return;
	add_limit(v, s, registered->boolean ? "limit.registered" : "limit.not_registered", "");
}

static void add_not_evaluated(struct view *v, const struct tree *model, struct view_section *s)
{
	const struct tree *blocks = tree_get(model, "not_evaluated");
	struct strbuf list = STRBUF_INIT;

	for (const struct tree *t = blocks ? blocks->first : NULL; t; t = t->next)
		join(&list, tree_text(t, ""));
	if (list.n)
		add_limit(v, s, "limit.not_evaluated", list.at);
	strbuf_release(&list);
}

/* notes that the sentences of this section say already */
static bool said_otherwise(const char *code)
{
	static const char *const codes[] = {"load-not-measured", "not-evaluated", "insecure-tls",
		"sampled-every", "computed-by-server"};

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (!strcmp(code, codes[i]))
			return true;
	return false;
}

/* Notes of one list: those that changed no verdict, and doubts that the reasons do not tell. */
static void add_notes(
	struct view *v, const struct tree *model, struct view_section *s, const struct tree *notes)
{
	const struct tree *reasons = tree_get(model, "reasons");

	for (const struct tree *t = notes ? notes->first : NULL; t; t = t->next) {
		size_t before = rank(notes, t), all = of_code(notes, code_of(t));
		if (said_otherwise(code_of(t)) || told_before(notes, t) ||
			(notes != reasons && told_before(reasons, t)))
			continue;
		if (notes == reasons && !is_note(t))
			continue;
		if (before == SAME_CODE_SHOWN)
			add_item(s, view_subject(v, model, tree_text(tree_get(t, "subject"), NULL)),
				and_more(v, all - before));
		else if (before < SAME_CODE_SHOWN)
			add_note(v, model, s, t, false);
	}
}

static void add_notes_of_items(
	struct view *v, const struct tree *model, struct view_section *s, const char *key)
{
	const struct tree *list = tree_get(model, key);

	for (const struct tree *t = list ? list->first : NULL; t; t = t->next) {
		const struct tree *steps = tree_get(t, "steps");
		add_notes(v, model, s, tree_get(t, "notes"));
		for (const struct tree *p = steps ? steps->first : NULL; p; p = p->next)
			add_notes(v, model, s, tree_get(p, "notes"));
	}
}

static void add_limits(struct view *v, const struct tree *model)
{
	struct view_section *s = start(v, SECTION_LIMITS, "section.limits", VIEW_LIST);
	const struct tree *stages = tree_get(model, "stages");
	const struct tree *measured = tree_get(tree_get(model, "run"), "load_measured");

	add_limit(v, s, "limit.server_side", "");
	if (measured && measured->type == TREE_BOOL && !measured->boolean)
		add_limit(v, s, "limit.load", "");
	add_confidence(v, stages, s, "demonstrated");
	add_confidence(v, stages, s, "met-not-demonstrated");
	add_confidence(v, stages, s, "missed-not-clearly");
	add_confidence(v, stages, s, "clearly-missed");
	add_sampled(v, model, s);
	add_registered(v, model, s);
	if (tree_is_true(tree_get(tree_get(model, "source"), "insecure_skip_verify")))
		add_limit(v, s, "limit.insecure", "");
	add_not_evaluated(v, model, s);
	add_notes(v, model, s, tree_get(model, "reasons"));
	add_notes_of_items(v, model, s, "stages");
	for (size_t i = 0; i < 3; i++)
		add_notes_of_items(v, model, s, check_lists[i]);
}

/* --- quality -----------------------------------------------------------------------------------
 */

static void add_volume(struct view *v, const struct tree *q, struct view_section *s)
{
	static const char *const keys[] = {"targets", "series", "samples"};
	struct strbuf number[3] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
	struct strbuf text = STRBUF_INIT, interval = STRBUF_INIT;
	const char *every = tree_text(tree_get(q, "scrape_interval_s"), NULL);

	for (size_t i = 0; i < 3; i++)
		show_count(&number[i], tree_text(tree_get(q, keys[i]), "0"));
	if (every)
		show_seconds(&interval, v->lang, every);
	else
		strbuf_adds(&interval, "\u2013");
	catalogue_say(&text, v->lang, "quality.volume_text", "targets", number[0].at, "series",
		number[1].at, "samples", number[2].at, "interval", interval.at, NULL);
	add_pair(v, s, "quality.volume", view_keep(v, &text));
	for (size_t i = 0; i < 3; i++)
		strbuf_release(&number[i]);
	strbuf_release(&interval);
}

static void add_event(struct view *v, struct strbuf *b, const struct tree *e)
{
	const char *from = tree_text(tree_get(e, "from"), NULL),
		   *to = tree_text(tree_get(e, "to"), NULL);
	const char *what = tree_text(tree_get(e, "what"), NULL);

	strbuf_adds(b, tree_text(tree_get(e, "target"), ""));
	if (what)
		strbuf_addf(b, " %s", what);
	if (!from && !to)
		return;
	strbuf_adds(b, ", ");
	if (from)
		strbuf_adds(b, view_time(v, from));
	if (from && to && strcmp(from, to) != 0)
		strbuf_adds(b, " \u2013 ");
	if (to && (!from || strcmp(from, to) != 0))
		strbuf_adds(b, view_time(v, to));
}

static void add_events(struct view *v, const struct tree *q, struct view_section *s,
	const char *key, const char *title)
{
	const struct tree *events = tree_get(q, key);
	const char *all = tree_text(tree_get(q, arena_printf(&v->arena, "%s_total", key)), "0");
	struct strbuf b = STRBUF_INIT;
	size_t shown = 0;

	show_count(&b, all);
	for (const struct tree *e = events ? events->first : NULL; e && shown < EVENTS_SHOWN;
		e = e->next, shown++) {
		strbuf_adds(&b, shown ? "; " : " (");
		add_event(v, &b, e);
	}
	size_t n = (size_t)strtoull(all, NULL, 10);
	if (shown && n > shown)
		strbuf_addf(&b, "; %s", and_more(v, n - shown));
	if (shown)
		strbuf_adds(&b, ")");
	add_pair(v, s, title, view_keep(v, &b));
}

static void add_quality(struct view *v, const struct tree *model)
{
	const struct tree *q = tree_get(model, "quality"), *lagging = tree_get(q, "lagging");
	const struct tree *warnings = tree_get(q, "warnings");
	struct view_section *s = start(v, SECTION_QUALITY, "section.quality", VIEW_PAIRS);

	if (!q)
		return;
	add_volume(v, q, s);
	add_events(v, q, s, "gaps", "quality.gaps");
	add_events(v, q, s, "resets", "quality.resets");
	add_events(v, q, s, "births", "quality.births");
	const char *first = tree_text(tree_get(lagging, "first"), NULL);
	if (first)
		add_pair(v, s, "quality.lagging",
			arena_printf(&v->arena, "%s (%s)",
				tree_text(tree_get(lagging, "targets"), ""), first));
	size_t shown = 0;
	for (const struct tree *t = warnings ? warnings->first : NULL; t && shown < EVENTS_SHOWN;
		t = t->next, shown++)
		add_pair(v, s, "quality.warning", view_note(v, model, t, "reason"));
	if (warnings && warnings->n > shown)
		add_pair(v, s, "quality.warning", and_more(v, warnings->n - shown));
}

/* --- where the numbers come from ----------------------------------------------------------------
 */

static const char *because(struct view *v, const struct tree *item)
{
	const struct tree *texts = tree_get(item, "becauses");
	const char *ko = v->lang == LANG_KO ? tree_text(tree_get(texts, "ko"), NULL) : NULL;

	return ko ? ko : tree_text(tree_get(item, "because"), NULL);
}

static void add_counted(struct view *v, const struct tree *item, const char *prefix)
{
	struct view_section *s = &v->section[SECTION_COUNTED];
	const struct tree *counted = tree_get(item, "counted");
	struct strbuf b = STRBUF_INIT;

	for (const struct tree *t = counted ? counted->first : NULL; t; t = t->next) {
		const struct tree *one = t->type == TREE_ARRAY ? t->first : t;
		for (; one; one = t->type == TREE_ARRAY ? one->next : NULL)
			strbuf_addf(&b, "%s%s: %s", b.n ? "\n" : "", t->key, tree_text(one, ""));
	}
	const char *title = view_title(v, item);
	if (b.n)
		*ARRAY_ADD(&s->items) = (struct view_item){
			.subject = *prefix ? arena_printf(&v->arena, "%s \u203a %s", prefix, title)
					   : title,
			.text = arena_strdup(&v->arena, b.at),
			.more = because(v, item)};
	strbuf_release(&b);
}

static void add_all_counted(struct view *v, const struct tree *model)
{
	const struct tree *stages = tree_get(model, "stages");

	start(v, SECTION_COUNTED, "section.counted", VIEW_CODE);
	for (const struct tree *t = stages ? stages->first : NULL; t; t = t->next) {
		const struct tree *steps = tree_get(t, "steps");
		add_counted(v, t, "");
		for (const struct tree *p = steps ? steps->first : NULL; p; p = p->next)
			add_counted(v, p, view_title(v, t));
	}
	for (size_t i = 0; i < 3; i++) {
		const struct tree *list = tree_get(model, check_lists[i]);
		for (const struct tree *t = list ? list->first : NULL; t; t = t->next)
			add_counted(v, t, "");
	}
}

/* --- how to judge again -------------------------------------------------------------------------
 */

static const char *members_text(struct view *v, const struct tree *object)
{
	struct strbuf b = STRBUF_INIT;

	for (const struct tree *t = object ? object->first : NULL; t; t = t->next)
		if (t->type != TREE_NULL) /* the value of a secret is not kept */
			join(&b, arena_printf(&v->arena, "%s=%s", t->key, tree_text(t, "")));
	return view_keep(v, &b);
}

static const char *run_text(struct view *v, const struct tree *run)
{
	const char *id = tree_text(tree_get(run, "id"), NULL);
	const char *name = tree_text(tree_get(run, "name"), NULL);
	struct strbuf b = STRBUF_INIT;

	if (id)
		strbuf_addf(&b, "%s.%s", id, tree_text(tree_get(run, "revision"), "1"));
	if (name)
		strbuf_addf(&b, "%s%s", b.n ? " " : "", name);
	const char *uid = tree_text(tree_get(run, "uid"), NULL);
	if (uid)
		strbuf_addf(&b, "%suid %s", b.n ? ", " : "", uid);
	return view_keep(v, &b);
}

static const char *spec_text(struct view *v, const struct tree *run)
{
	return arena_printf(&v->arena, "%s, sha256 %s", tree_text(tree_get(run, "spec"), ""),
		tree_text(tree_get(run, "spec_sha256"), "\u2013"));
}

static const char *source_text(struct view *v, const struct tree *source)
{
	const char *url = tree_text(tree_get(source, "url"), "");
	const char *tenant = tree_text(tree_get(source, "tenant"), "");

	return *tenant ? arena_printf(&v->arena, "%s (X-Scope-OrgID: %s)", url, tenant) : url;
}

static void add_reproduce(struct view *v, const struct tree *model, const struct report_options *o)
{
	const struct tree *run = tree_get(model, "run");
	struct view_section *s = start(v, SECTION_REPRODUCE, "section.reproduce", VIEW_PAIRS);
	const char *id = tree_text(tree_get(run, "id"), NULL);
	struct strbuf at = STRBUF_INIT;

	add_pair(v, s, "pair.run", run_text(v, run));
	add_pair(v, s, "pair.campaign", tree_text(tree_get(run, "campaign"), NULL));
	add_pair(v, s, "pair.repeat", tree_text(tree_get(run, "repeat"), NULL));
	add_pair(v, s, "pair.labels", members_text(v, tree_get(run, "labels")));
	add_pair(v, s, "pair.spec", spec_text(v, run));
	add_pair(v, s, "pair.judged", tree_text(tree_get(run, "judged_sha256"), NULL));
	add_pair(v, s, "pair.variables", members_text(v, tree_get(model, "variables")));
	add_pair(v, s, "pair.commit", tree_text(tree_get(run, "commit"), NULL));
	add_pair(v, s, "pair.source", source_text(v, tree_get(model, "source")));
	show_time(&at, tree_text(tree_get(run, "judged_at"), ""));
	add_pair(v, s, "pair.judged_at", view_keep(v, &at));
	add_pair(v, s, "pair.version",
		arena_printf(&v->arena, "loadverdict %s", tree_text(tree_get(run, "version"), "")));
	add_pair(v, s, "pair.command", o->command);
	const char *again = id ? arena_printf(&v->arena, "loadverdict reevaluate %s", id) : NULL;
	if (again && (!o->command || strcmp(again, o->command) != 0))
		add_pair(v, s, "pair.again", again);
}

static void add_history(struct view *v, const struct tree *model)
{
	const struct tree *history = tree_get(model, "history");
	struct view_section *s = start(v, SECTION_HISTORY, "section.history", VIEW_PAIRS);

	add_pair(v, s, "history.symptom", tree_text(tree_get(history, "symptom"), NULL));
	add_pair(v, s, "history.cause", tree_text(tree_get(history, "cause"), NULL));
	add_pair(v, s, "history.action", tree_text(tree_get(history, "action"), NULL));
}

void view_notes(struct view *v, const struct tree *model, const struct report_options *o)
{
	add_reasons(v, model);
	add_history(v, model);
	add_limits(v, model);
	add_quality(v, model);
	add_all_counted(v, model);
	add_reproduce(v, model, o);
}
