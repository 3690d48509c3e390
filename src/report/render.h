/* Render: one function a format; private to src/report. */
#ifndef LV_REPORT_RENDER_H
#define LV_REPORT_RENDER_H

#include "report/view.h"

void render_json(struct strbuf *out, const struct tree *model);
void render_text(struct strbuf *out, const struct view *v, const struct report_options *o);
void render_markdown(struct strbuf *out, const struct view *v, const struct report_options *o);
void render_line(struct strbuf *out, struct view *v, const struct tree *model,
	const struct report_options *o);

/* Appends `text` in the colour of a tone if `color`. */
void render_toned(struct strbuf *out, enum tone tone, bool color, const char *text);

#endif
