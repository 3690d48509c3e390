/* Report: a run drawn for people and machines.
 *
 * The model (pure) is one tree, the JSON document loadverdict.run/1; every renderer draws from that
 * tree, so that a stored run needs nothing else. Texts for people come from the catalogues. */
#ifndef LV_REPORT_REPORT_H
#define LV_REPORT_REPORT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "judge/result.h"
#include "judge/spec.h"

enum lang { LANG_EN, LANG_KO };
enum format { FORMAT_TEXT, FORMAT_LINE, FORMAT_MARKDOWN, FORMAT_JSON };

/* model.c: contract.md section 3; additions: `title` objects {en, ko}, notes with `args`, `source`,
 * `window`, and what a report needs beside. In the arena. */
struct tree *report_model(struct arena *a, const struct spec *spec, const struct result *result,
	const struct run_info *info);
/* "NOT JUDGED": {"format":"loadverdict.run/1","verdict":null,"not_judged":{...}} plus commit, at.
 */
struct tree *report_not_judged(
	struct arena *a, const struct error *err, const char *commit, int64_t at_ms);

struct report_options {
	enum lang lang;
	bool color;	     /* text and line only */
	int width;	     /* terminal columns for text; 0 = 100 */
	const char *marker;  /* markdown: name in the hidden marker; NULL = "report" */
	const char *command; /* how to reproduce: the command line, already free of secrets; NULL */
};

/* Appends the document in a format. Cannot fail except for want of room (out->full). */
void report_render(struct strbuf *out, enum format f, const struct tree *model,
	const struct report_options *o);

/* Catalogue text; asserts that the key exists. `key` like "verdict.PASS", "reason.no-traffic". */
const char *catalogue_text(enum lang lang, const char *key);
bool catalogue_has(enum lang lang, const char *key);
/* Fills {name} from the members of `args` (a tree object or NULL); unknown names stay as they are.
 */
void catalogue_fill(struct strbuf *b, enum lang lang, const char *key, const struct tree *args);

/* `explain CODE`: what it means and what to do; false if there is no such code. */
bool report_explain(struct strbuf *b, enum lang lang, const char *code);

#endif
