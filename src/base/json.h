/* JSON: a tree as text, compact. Reading JSON is the business of who receives it (yajl), and so is
 * the layout for people. */
#ifndef LV_BASE_JSON_H
#define LV_BASE_JSON_H

#include "base/strbuf.h"
#include "base/tree.h"

enum json_order {
	JSON_AS_ADDED,
	JSON_BY_KEY /* canonical: the same content always gives the same bytes */
};

void json_add_string(struct strbuf *b, const char *s);
/* NULL prints null. */
void json_add_tree(struct strbuf *b, const struct tree *t, enum json_order order);

#endif
