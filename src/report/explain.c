/* Explain: a reason code in words: what happened, and what to do. */
#include "report/report.h"

#include <stdio.h>

#include "judge/reason.h"

bool report_explain(struct strbuf *b, enum lang lang, const char *code)
{
	static const char *const severities[] = {
		"severity.decides", "severity.doubt", "severity.note", "severity.error"};
	int r = reason_find(code);
	char key[64];

	if (r < 0)
		return false;
	strbuf_addf(b, "%s (%s)\n", code,
		catalogue_text(lang, severities[reason_severity((enum reason)r)]));
	strbuf_adds(b, "  ");
	snprintf(key, sizeof key, "reason.%s", code);
	catalogue_fill(b, lang, key, NULL);
	strbuf_adds(b, "\n  \u2192 ");
	snprintf(key, sizeof key, "remedy.%s", code);
	catalogue_fill(b, lang, key, NULL);
	strbuf_addc(b, '\n');
	return true;
}
