/* Escape: hostile text made inert, one function a format. Every text that a renderer writes goes
 * through one of these. `max` is in characters, 0 = no limit; what is cut ends in "…". */
#ifndef LV_REPORT_ESCAPE_H
#define LV_REPORT_ESCAPE_H

#include "base/strbuf.h"

/* One line for terminals and chats: controls, line breaks, bidi marks and other invisible
 * characters are written out ("\n", "\x1b", "\u202e"); invalid UTF-8 becomes U+FFFD. */
void escape_plain(struct strbuf *b, const char *s, size_t max);

/* Inline text of GitHub and GitLab Markdown, also in table cells: no markup, HTML, link, mention,
 * reference or emoji comes out of it. */
void escape_markdown(struct strbuf *b, const char *s, size_t max);

/* A code span, `like this`, with as many backticks as it takes; not for table cells. */
void escape_markdown_code(struct strbuf *b, const char *s, size_t max);

/* The name in a hidden marker comment: letters, digits, "._/" and single "-" remain. */
void escape_marker(struct strbuf *b, const char *s);

#endif
