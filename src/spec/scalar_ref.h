/* Scalars that refer to something outside: selectors, queries, urls. */
#ifndef LV_SPEC_SCALAR_REF_H
#define LV_SPEC_SCALAR_REF_H

#include "spec/loading.h"
#include "spec/schema.h"

/* True if the type is one of these; then the value was checked. */
bool scalar_ref_check(struct loading *l, struct node *n, const struct type *t);
/* [*from, *to) is the userinfo within a url's text; false if there is none. */
bool url_userinfo(const char *url, size_t *from, size_t *to);

#endif
