/* Markdown: the report as a comment of a pull request, for GitHub and GitLab. Must not know what
 * the view says. Every text of the view goes through an escape function.
 *
 * A comment holds 65,536 characters. What does not fit is left out, first whole sections in a fixed
 * order, then rows, and the comment says what. */
#include "report/render.h"

#include <stdio.h>
#include <string.h>

#include "report/catalogue.h"
#include "report/escape.h"

#define CHARACTERS_MAX 65000
#define CELL_MAX 200
#define CODE_MAX 2000

/* what goes first when there is no room; stages and reasons are never dropped whole */
static const enum view_section_id expendable[] = {SECTION_COUNTED, SECTION_LATENCY, SECTION_QUALITY,
	SECTION_LIMITS, SECTION_FIGURES, SECTION_PRECONDITIONS, SECTION_INVARIANTS,
	SECTION_REPRODUCE};
#define N_EXPENDABLE (sizeof expendable / sizeof *expendable)

struct budget {		/* what one attempt may write */
	size_t dropped; /* of `expendable`, from the front */
	size_t rows;	/* of a table or list */
	size_t cell;	/* characters of a cell; texts may have five times as many */
};

static bool is_dropped(const struct budget *g, enum view_section_id id)
{
	for (size_t i = 0; i < g->dropped; i++)
		if (expendable[i] == id)
			return true;
	return false;
}

static const char *sign_of(enum tone tone)
{
	static const char *const signs[] = {[TONE_NONE] = "",
		[TONE_GOOD] = "\u2705 ",
		[TONE_BAD] = "\u274c ",
		[TONE_DOUBT] = "\u26a0\ufe0f "};

	return signs[tone];
}

static void more(
	struct strbuf *out, enum lang lang, size_t n, const char *before, const char *after)
{
	char number[24];

	snprintf(number, sizeof number, "%zu", n);
	strbuf_adds(out, before);
	catalogue_say(out, lang, "format.more", "n", number, NULL);
	strbuf_adds(out, after);
}

static bool column_used(const struct view_section *s, size_t c)
{
	for (size_t r = 0; r < s->rows.n; r++)
		if (s->rows.at[r].cell[c] && *s->rows.at[r].cell[c])
			return true;
	return false;
}

static void row(struct strbuf *out, const struct view_section *s, const struct view_row *r,
	const struct budget *g)
{
	for (size_t c = 0; c < s->n_columns; c++) {
		const char *text = r->cell[c] ? r->cell[c] : "";
		if (!column_used(s, c))
			continue;
		strbuf_adds(out, "| ");
		if (c == 0 && r->child)
			strbuf_adds(out, "&nbsp;&nbsp;");
		if (c + 1 == s->n_columns && *text)
			strbuf_adds(out, sign_of(r->tone));
		escape_markdown(out, text, g->cell);
		strbuf_addc(out, ' ');
	}
	strbuf_adds(out, "|\n");
}

static void table(
	struct strbuf *out, enum lang lang, const struct view_section *s, const struct budget *g)
{
	for (size_t c = 0; c < s->n_columns; c++)
		if (column_used(s, c))
			strbuf_addf(out, "| %s ", s->column[c].title);
	strbuf_adds(out, "|\n");
	for (size_t c = 0; c < s->n_columns; c++)
		if (column_used(s, c))
			strbuf_adds(out, s->column[c].right ? "| ---: " : "| :--- ");
	strbuf_adds(out, "|\n");
	for (size_t r = 0; r < s->rows.n && r < g->rows; r++)
		row(out, s, &s->rows.at[r], g);
	if (s->rows.n > g->rows)
		more(out, lang, s->rows.n - g->rows, "\n", "\n");
}

static void list(
	struct strbuf *out, enum lang lang, const struct view_section *s, const struct budget *g)
{
	for (size_t i = 0; i < s->items.n && i < g->rows; i++) {
		const struct view_item *item = &s->items.at[i];
		strbuf_adds(out, "- ");
		if (item->subject) {
			strbuf_adds(out, "**");
			escape_markdown(out, item->subject, g->cell);
			strbuf_adds(out, "**: ");
		}
		escape_markdown(out, item->text, 5 * g->cell);
		if (item->code) {
			strbuf_addc(out, ' ');
			escape_markdown_code(out, item->code, g->cell);
		}
		strbuf_addc(out, '\n');
		if (item->more) {
			strbuf_adds(out, "  - \u2192 ");
			escape_markdown(out, item->more, 5 * g->cell);
			strbuf_addc(out, '\n');
		}
	}
	if (s->items.n > g->rows)
		more(out, lang, s->items.n - g->rows, "- ", "\n");
}

/* GitHub and GitLab turn a full commit into a link, but not inside a code span */
static bool is_commit(const char *s)
{
	return strlen(s) == 40 && strspn(s, "0123456789abcdef") == 40;
}

static void pairs(
	struct strbuf *out, const struct view_section *s, const struct budget *g, bool as_code)
{
	for (size_t i = 0; i < s->items.n; i++) {
		strbuf_addf(out, "- %s: ", s->items.at[i].subject);
		if (as_code && !is_commit(s->items.at[i].text))
			escape_markdown_code(out, s->items.at[i].text, 5 * g->cell);
		else
			escape_markdown(out, s->items.at[i].text, 5 * g->cell);
		strbuf_addc(out, '\n');
	}
}

/* "good: metric{...}" a line, each in a code span of its own: nothing in it can end the block */
static void code(
	struct strbuf *out, enum lang lang, const struct view_section *s, const struct budget *g)
{
	for (size_t i = 0; i < s->items.n && i < g->rows; i++) {
		const char *p = s->items.at[i].text;
		strbuf_adds(out, "- **");
		escape_markdown(out, s->items.at[i].subject, g->cell);
		strbuf_adds(out, "**");
		if (s->items.at[i].more) {
			strbuf_adds(out, " \u2013 ");
			escape_markdown(out, s->items.at[i].more, g->cell);
		}
		strbuf_addc(out, '\n');
		while (*p) {
			size_t n = strcspn(p, "\n");
			struct strbuf line = STRBUF_INIT;
			strbuf_add(&line, p, n);
			strbuf_adds(out, "  - ");
			escape_markdown_code(out, line.at, CODE_MAX);
			strbuf_addc(out, '\n');
			strbuf_release(&line);
			p += n + (p[n] == '\n');
		}
	}
	if (s->items.n > g->rows)
		more(out, lang, s->items.n - g->rows, "- ", "\n");
}

static void body(
	struct strbuf *out, const struct view *v, enum view_section_id id, const struct budget *g)
{
	const struct view_section *s = &v->section[id];

	if (s->kind == VIEW_TABLE)
		table(out, v->lang, s, g);
	else if (s->kind == VIEW_LIST)
		list(out, v->lang, s, g);
	else if (s->kind == VIEW_PAIRS)
		pairs(out, s, g, id == SECTION_REPRODUCE);
	else
		code(out, v->lang, s, g);
}

/* the title and summary are texts of the catalogue */
static void details(
	struct strbuf *out, const struct view *v, enum view_section_id id, const struct budget *g)
{
	const struct view_section *s = &v->section[id];
	bool open = id == SECTION_REASONS || !v->judged;

	strbuf_addf(out, "\n<details%s>\n<summary><b>%s</b>", open ? " open" : "", s->title);
	if (s->summary)
		strbuf_addf(out, " \u00b7 %s", s->summary);
	strbuf_adds(out, "</summary>\n\n");
	body(out, v, id, g);
	strbuf_adds(out, "\n</details>\n");
}

static void say_dropped(struct strbuf *out, const struct view *v, const struct budget *g)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < g->dropped; i++) {
		const struct view_section *s = &v->section[expendable[i]];
		if (!s->rows.n && !s->items.n)
			continue;
		strbuf_addf(&names, "%s%s", names.n ? ", " : "", s->title);
	}
	if (names.n) {
		strbuf_adds(out, "\n> ");
		catalogue_say(out, v->lang, "head.dropped", "list", names.at, NULL);
		strbuf_addc(out, '\n');
	}
	strbuf_release(&names);
}

static void attempt(struct strbuf *out, const struct view *v, const struct report_options *o,
	const struct budget *g)
{
	strbuf_adds(out, "<!-- loadverdict:");
	escape_marker(out, o->marker ? o->marker : "report");
	strbuf_addf(out, " -->\n## %s%s \u00b7 ", sign_of(v->tone), v->verdict);
	escape_markdown(out, v->headline, 5 * g->cell);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < v->lines.n; i++) {
		strbuf_adds(out, i ? "\\\n" : "\n");
		escape_markdown(out, v->lines.at[i], 5 * g->cell);
	}
	strbuf_addc(out, '\n');
	say_dropped(out, v, g);
	if (v->section[SECTION_STAGES].rows.n) {
		strbuf_addc(out, '\n');
		body(out, v, SECTION_STAGES, g);
	}
	/* why comes before the rest: it is what a reviewer asks next */
	if (v->section[SECTION_REASONS].items.n)
		details(out, v, SECTION_REASONS, g);
	for (size_t i = 0; i < SECTION_COUNT; i++) {
		const struct view_section *s = &v->section[i];
		if (i != SECTION_STAGES && i != SECTION_REASONS && (s->rows.n || s->items.n) &&
			!is_dropped(g, (enum view_section_id)i))
			details(out, v, (enum view_section_id)i, g);
	}
}

static size_t characters(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

void render_markdown(struct strbuf *out, const struct view *v, const struct report_options *o)
{
	static const size_t rows[] = {500, 100, 40, 15, 5};
	struct budget g = {.rows = rows[0], .cell = CELL_MAX};
	struct strbuf text = STRBUF_INIT;

	attempt(&text, v, o, &g);
	while (characters(text.at) > CHARACTERS_MAX && g.dropped < N_EXPENDABLE) {
		g.dropped++;
		strbuf_clear(&text);
		attempt(&text, v, o, &g);
	}
	for (size_t i = 1; characters(text.at) > CHARACTERS_MAX && i < sizeof rows / sizeof *rows;
		i++) {
		g.rows = rows[i];
		g.cell = i > 1 ? 60 : CELL_MAX;
		strbuf_clear(&text);
		attempt(&text, v, o, &g);
	}
	strbuf_adds(out, text.at);
	strbuf_release(&text);
}
