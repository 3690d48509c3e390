/* Render: from a format to its renderer. */
#include "report/render.h"

void render_toned(struct strbuf *out, enum tone tone, bool color, const char *text)
{
	static const char *const sgr[] = {
		[TONE_GOOD] = "\033[1;32m", [TONE_BAD] = "\033[1;31m", [TONE_DOUBT] = "\033[1;33m"};

	if (color && tone != TONE_NONE)
		strbuf_addf(out, "%s%s\033[0m", sgr[tone], text);
	else
		strbuf_adds(out, text);
}

void report_render(
	struct strbuf *out, enum format f, const struct tree *model, const struct report_options *o)
{
	struct view v;

	if (f == FORMAT_JSON) {
		render_json(out, model);
		return;
	}
	view_init(&v, model, o);
	if (f == FORMAT_TEXT)
		render_text(out, &v, o);
	else if (f == FORMAT_MARKDOWN)
		render_markdown(out, &v, o);
	else
		render_line(out, &v, model, o);
	view_release(&v);
}
