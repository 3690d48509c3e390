/* Line: a run in one line, for a chat or a commit status. Must not know any other format. */
#include "report/render.h"

#include <stdio.h>
#include <string.h>

#include "report/catalogue.h"
#include "report/escape.h"
#include "report/show.h"

#define WHO_MAX 300
#define TEXT_MAX 900

static void add_who(struct strbuf *b, struct view *v, const struct tree *run)
{
	const char *env = tree_text(tree_get(run, "environment"), NULL);
	const char *load = tree_text(tree_get(run, "load"), NULL);

	strbuf_addf(b, " %s", tree_text(tree_get(run, "spec"), ""));
	if (env)
		strbuf_addf(b, " %s", env);
	if (load) {
		strbuf_adds(b, " ");
		/* ungrouped: people search chats for it */
		show_with_unit(b, v->lang, load, tree_text(tree_get(run, "load_unit"), NULL));
	}
}

static void add_met(struct strbuf *b, struct view *v, const struct tree *list, const char *good,
	const char *key)
{
	char met[24], all[24];

	if (!list || !list->n)
		return;
	snprintf(met, sizeof met, "%zu", view_count(list, good));
	snprintf(all, sizeof all, "%zu", list->n);
	strbuf_adds(b, b->n ? "; " : "");
	catalogue_say(b, v->lang, key, "met", met, "all", all, NULL);
}

static void add_part(struct strbuf *b, struct view *v, const char *key, const char *text)
{
	if (!text)
		return;
	strbuf_adds(b, b->n ? "; " : "");
	if (key)
		catalogue_say(b, v->lang, key, "text", text, NULL);
	else
		strbuf_adds(b, text);
}

static const char *first_reason(struct view *v, const struct tree *model)
{
	const struct tree *reasons = tree_get(model, "reasons"),
			  *t = reasons ? reasons->first : NULL;

	if (!t || v->tone == TONE_GOOD)
		return NULL;
	const char *subject = tree_text(tree_get(t, "subject"), NULL);
	const char *text = view_phrase(v, view_note(v, model, t, "reason"));
	return subject ? arena_printf(&v->arena, "%s: %s", subject, text) : text;
}

static void judged(struct strbuf *b, struct view *v, const struct tree *model)
{
	const struct tree *run = tree_get(model, "run");
	const char *load = tree_text(tree_get(run, "load"), NULL);

	add_met(b, v, tree_get(model, "stages"), "PASS", "head.stages");
	add_part(b, v, "line.least", view_least_margin(v, model, false));
	add_met(b, v, tree_get(model, "invariants"), "HELD", "head.invariants");
	add_met(b, v, tree_get(model, "preconditions"), "MET", "head.preconditions");
	add_part(b, v, "line.because", first_reason(v, model));
	if (load && !tree_is_true(tree_get(run, "load_measured")))
		add_part(b, v, NULL, catalogue_text(v->lang, "head.not_measured"));
	if (view_has_reason(model, "objective-changed"))
		add_part(b, v, NULL, catalogue_text(v->lang, "head.changed"));
}

void render_line(struct strbuf *out, struct view *v, const struct tree *model,
	const struct report_options *o)
{
	struct strbuf who = STRBUF_INIT, rest = STRBUF_INIT;

	render_toned(out, v->tone, o->color, v->verdict);
	if (v->judged) {
		add_who(&who, v, tree_get(model, "run"));
		judged(&rest, v, model);
	} else {
		strbuf_adds(&rest, tree_text(tree_get(tree_get(model, "not_judged"), "text"), ""));
	}
	escape_plain(out, who.at, WHO_MAX);
	strbuf_adds(out, ": ");
	escape_plain(out, rest.at, TEXT_MAX);
	strbuf_addc(out, '\n');
	strbuf_release(&who);
	strbuf_release(&rest);
}
