/* explain: what a reason code means and what to do. */
#include "cli/commands.h"
#include "cli/output.h"
#include "judge/reason.h"

static void list_codes(struct strbuf *out)
{
	for (int i = 0; i < REASON_COUNT; i++)
		strbuf_addf(out, "%s\n", reason_code((enum reason)i));
}

int cmd_explain(struct options *o, struct error *err)
{
	struct strbuf out = STRBUF_INIT;
	int rc = 0;

	if (!o->args.n)
		list_codes(&out);
	for (size_t i = 0; i < o->args.n && !rc; i++)
		if (!report_explain(&out, o->lang, o->args.at[i]))
			rc = error_set(err, ERROR_USAGE, "usage",
				"there is no reason code '%s'; 'loadverdict explain' lists them",
				o->args.at[i]);
	if (!rc)
		rc = output_text(o, &out, err);
	strbuf_release(&out);
	return rc;
}
