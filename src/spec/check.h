/* Check: a document against the table of keys: shapes, keys, types of values. */
#ifndef LV_SPEC_CHECK_H
#define LV_SPEC_CHECK_H

#include "spec/loading.h"
#include "spec/schema.h"

void check_node(struct loading *l, struct node *n, const struct type *t);

/* The shape of the type that fits the node (map, list or scalar); NULL if none does. */
const struct type *type_fitting(const struct type *t, const struct node *n);
/* The type of a member of a container; NULL if the key is not known. */
const struct type *type_of_member(const struct type *container, const struct node *member);
/* Calls fn for every scalar whose type is known; `secret`: below a key that takes secrets. */
void each_scalar(struct node *n, const struct type *t, bool secret,
	void (*fn)(void *arg, struct node *n, const struct type *t, bool secret), void *arg);

#endif
