/* Explain: a reason code in words: what happened, and what to do. */
#include "report/report.h"

#include <stdio.h>

#include "judge/reason.h"

/* Without a case at hand, {metric} and {share:%} read better as <metric> and <share>. */
static void add_open(struct strbuf *b, enum lang lang, const char *prefix, const char *code)
{
	char key[64];
	bool inside = false, format = false;

	snprintf(key, sizeof key, "%s.%s", prefix, code);
	for (const char *c = catalogue_text(lang, key); *c; c++) {
		inside = *c == '{' || (inside && *c != '}');
		format = inside && (format || *c == ':');
		if (*c == '{' || *c == '}')
			strbuf_addc(b, *c == '{' ? '<' : '>');
		else if (!format)
			strbuf_addc(b, *c);
	}
}

bool report_explain(struct strbuf *b, enum lang lang, const char *code)
{
	static const char *const severities[] = {
		"severity.decides", "severity.doubt", "severity.note", "severity.error"};
	int r = reason_find(code);

	if (r < 0)
		return false;
	strbuf_addf(b, "%s (%s)\n", code,
		catalogue_text(lang, severities[reason_severity((enum reason)r)]));
	strbuf_adds(b, "  ");
	add_open(b, lang, "reason", code);
	strbuf_adds(b, "\n  \u2192 ");
	add_open(b, lang, "remedy", code);
	strbuf_addc(b, '\n');
	return true;
}
