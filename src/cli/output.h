/* Output: one document in the formats that were asked for, to stdout, a file or a folder.
 *
 * Files are written beside and renamed, so that a reader never sees half of one. */
#ifndef LV_CLI_OUTPUT_H
#define LV_CLI_OUTPUT_H

#include "base/tree.h"
#include "cli/options.h"

/* ERROR_USAGE if several formats were asked for without -o. Called before any work. */
int output_check(const struct options *o, struct error *err) LV_CHECKED;
/* `lang` as chosen by option, else by the spec. ERROR_STORE "output-failed". */
int output_document(const struct options *o, const struct tree *model, enum lang lang,
	const char *command, struct error *err) LV_CHECKED;
/* A text to stdout or -o FILE. */
int output_text(const struct options *o, const struct strbuf *text, struct error *err) LV_CHECKED;

#endif
