/* Variables: `${NAME}` in scalars, filled in once, after parsing. */
#ifndef LV_SPEC_VARIABLE_H
#define LV_SPEC_VARIABLE_H

#include "spec/loading.h"
#include "spec/schema.h"

/* Fills the variables of the whole document (counted from --var, the chosen environment,
 * `variables`, the process environment) and gives those used, by name. Problems are reported. */
void variables_fill(struct loading *l, struct node *root, struct variable **out, size_t *n_out);

struct param {
	const char *name;
	const char *value;
};
/* Fills a pack's parameters into a template of the given type; other `${...}` stay. */
void params_fill(struct loading *l, struct node *n, const struct type *t,
	const struct param *params, size_t n_params);

#endif
