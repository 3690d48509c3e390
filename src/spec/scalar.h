/* Scalar: the values of one text: what is allowed, and how it is read.
 *
 * `scalar_check` says what is wrong; the readers below are for texts that passed it. */
#ifndef LV_SPEC_SCALAR_H
#define LV_SPEC_SCALAR_H

#include "spec/loading.h"
#include "spec/schema.h"

/* Reports what is wrong with a scalar of this type; sets node->selector for selectors. */
void scalar_check(struct loading *l, struct node *n, const struct type *t);
/* What is wrong with a key of the user's choice; NULL if nothing. In the arena. */
const char *scalar_key_fault(struct loading *l, enum type_kind kind, const char *key);
/* "a duration such as 1m30s" */
const char *scalar_expected(enum type_kind kind);

/* Each is false if the node is absent (NULL), bad, or no such value. */
bool read_text(const struct node *n, const char **out);
bool read_bool(const struct node *n, bool *out);
bool read_number(const struct node *n, struct decimal *out);
bool read_share(const struct node *n, struct decimal *out);
bool read_seconds(const struct node *n, struct decimal *out);
bool read_duration(const struct node *n, int64_t *ms);
bool read_percentile(const char *key, struct decimal *p);

/* The same on texts, for the checks. */
bool number_parse(const char *text, struct decimal *out);
bool seconds_parse(const char *text, struct decimal *out);

#endif
