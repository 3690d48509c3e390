/* Text: the report for a terminal: aligned tables, wrapped sentences. Must not know what the view
 * says. Every text of the view goes through escape_plain. */
#include "report/render.h"

#include <string.h>

#include "base/utf8.h"
#include "report/catalogue.h"
#include "report/escape.h"

#define CELL_MAX 120
#define ITEM_MAX 1000
#define GAP 2
#define TITLE_MIN 14

struct page {
	struct strbuf *out;
	size_t width;
	bool color;
	struct arena *scratch;
};

static const char *plain(struct page *p, const char *s, size_t max)
{
	struct strbuf b = STRBUF_INIT;

	escape_plain(&b, s ? s : "", max);
	const char *text = arena_strdup(p->scratch, b.at);
	strbuf_release(&b);
	return text;
}

static void spaces(struct page *p, size_t n)
{
	while (n-- > 0)
		strbuf_addc(p->out, ' ');
}

/* width of the first n bytes */
static size_t width_of(struct page *p, const char *s, size_t n)
{
	return utf8_width(arena_strndup(p->scratch, s, n));
}

/* Words of `text` with `indent` columns before every line but the first, whose column is `at`. */
static void wrapped(struct page *p, const char *text, size_t indent, size_t at)
{
	bool fresh = true;

	while (*text) {
		size_t n = strcspn(text, " "), w = width_of(p, text, n);
		if (!fresh && at + 1 + w > p->width) {
			strbuf_addc(p->out, '\n');
			spaces(p, indent);
			at = indent;
			fresh = true;
		}
		if (!fresh) {
			strbuf_addc(p->out, ' ');
			at++;
		}
		strbuf_add(p->out, text, n);
		at += w;
		fresh = false;
		text += n + strspn(text + n, " ");
	}
	strbuf_addc(p->out, '\n');
}

/* --- tables ------------------------------------------------------------------------------------
 */

struct grid { /* the columns that are shown, and how wide */
	size_t column[VIEW_COLUMNS], width[VIEW_COLUMNS], n;
};

static size_t total_width(const struct grid *g)
{
	size_t w = GAP;

	for (size_t i = 0; i < g->n; i++)
		w += g->width[i] + GAP;
	return w - GAP;
}

static void measure(struct page *p, const struct view_section *s, struct grid *g, bool optional)
{
	g->n = 0;
	for (size_t c = 0; c < s->n_columns; c++) {
		size_t widest = 0;
		if (s->column[c].optional && !optional)
			continue;
		for (size_t r = 0; r < s->rows.n; r++) {
			size_t w = utf8_width(plain(p, s->rows.at[r].cell[c], CELL_MAX));
			widest = w > widest ? w : widest;
		}
		if (!widest)
			continue; /* nothing in it */
		size_t title = utf8_width(s->column[c].title);
		g->column[g->n] = c;
		g->width[g->n++] = title > widest ? title : widest;
	}
}

static void fit(struct page *p, const struct view_section *s, struct grid *g)
{
	measure(p, s, g, true);
	if (total_width(g) > p->width)
		measure(p, s, g, false);
	size_t w = total_width(g);
	if (w > p->width && g->n) { /* the names give way, never the numbers */
		size_t over = w - p->width;
		size_t room = g->width[0] > TITLE_MIN ? g->width[0] - TITLE_MIN : 0;
		g->width[0] -= over < room ? over : room;
	}
}

/* cut to a number of columns, with "…" */
static const char *cut(struct page *p, const char *s, size_t width)
{
	size_t n = strlen(s);

	if (utf8_width(s) <= width)
		return s;
	while (n && width_of(p, s, n) + 1 > width)
		n = utf8_cut(s, strlen(s), n - 1);
	return arena_printf(p->scratch, "%.*s\u2026", (int)n, s);
}

static void cell(
	struct page *p, const char *text, size_t width, bool right, bool last, enum tone tone)
{
	size_t pad = width > utf8_width(text) ? width - utf8_width(text) : 0;

	if (right)
		spaces(p, pad);
	render_toned(p->out, tone, p->color, text);
	if (!right && !last)
		spaces(p, pad);
}

static void table(struct page *p, const struct view_section *s)
{
	struct grid g;

	fit(p, s, &g);
	for (size_t r = 0; r <= s->rows.n; r++) {
		const struct view_row *row = r ? &s->rows.at[r - 1] : NULL;
		spaces(p, GAP);
		for (size_t i = 0; i < g.n; i++) {
			size_t c = g.column[i];
			bool last = i + 1 == g.n;
			const char *text =
				row ? plain(p, row->cell[c], CELL_MAX) : s->column[c].title;
			bool verdict = row && c + 1 == s->n_columns;
			cell(p, cut(p, text, g.width[i]), g.width[i], s->column[c].right, last,
				verdict ? row->tone : TONE_NONE);
			if (!last)
				spaces(p, GAP);
		}
		while (p->out->n && p->out->at[p->out->n - 1] == ' ')
			p->out->at[--p->out->n] = 0;
		strbuf_addc(p->out, '\n');
	}
}

/* --- lists -------------------------------------------------------------------------------------
 */

static void list(struct page *p, const struct view_section *s)
{
	for (size_t i = 0; i < s->items.n; i++) {
		const struct view_item *item = &s->items.at[i];
		const char *text = item->text;
		if (item->subject)
			text = arena_printf(p->scratch, "%s: %s", item->subject, text);
		if (item->code)
			text = arena_printf(p->scratch, "%s [%s]", text, item->code);
		strbuf_adds(p->out, "  \u2022 ");
		wrapped(p, plain(p, text, ITEM_MAX), 4, 4);
		if (item->more) {
			strbuf_adds(p->out, "    \u2192 ");
			wrapped(p, plain(p, item->more, ITEM_MAX), 6, 6);
		}
	}
}

static void pairs(struct page *p, const struct view_section *s)
{
	size_t widest = 0;

	for (size_t i = 0; i < s->items.n; i++) {
		size_t w = utf8_width(s->items.at[i].subject);
		widest = w > widest ? w : widest;
	}
	for (size_t i = 0; i < s->items.n; i++) {
		const struct view_item *item = &s->items.at[i];
		spaces(p, GAP);
		strbuf_adds(p->out, item->subject);
		spaces(p, widest - utf8_width(item->subject) + GAP);
		wrapped(p, plain(p, item->text, ITEM_MAX), widest + GAP + GAP, widest + GAP + GAP);
	}
}

static void section(struct page *p, const struct view_section *s)
{
	if (!s->rows.n && !s->items.n)
		return;
	strbuf_addf(p->out, "\n%s", s->title);
	if (s->summary)
		strbuf_addf(p->out, " \u00b7 %s", s->summary);
	strbuf_addc(p->out, '\n');
	if (s->kind == VIEW_TABLE)
		table(p, s);
	else if (s->kind == VIEW_LIST)
		list(p, s);
	else
		pairs(p, s);
}

void render_text(struct strbuf *out, const struct view *v, const struct report_options *o)
{
	struct arena scratch = ARENA_INIT;
	struct page p = {out, o->width > 0 ? (size_t)o->width : 100, o->color, &scratch};

	render_toned(out, v->tone, o->color, v->verdict);
	strbuf_adds(out, "  ");
	size_t at = utf8_width(v->verdict) + 2;
	wrapped(&p, plain(&p, v->headline, ITEM_MAX), at, at);
	for (size_t i = 0; i < v->lines.n; i++) {
		spaces(&p, GAP);
		wrapped(&p, plain(&p, v->lines.at[i], ITEM_MAX), GAP, GAP);
	}
	for (size_t i = 0; i < SECTION_COUNT; i++)
		if (i != SECTION_COUNTED) /* long; the other formats have it */
			section(&p, &v->section[i]);
	arena_release(&scratch);
}
