/* JSON, written canonically: members sorted by name, no spaces, only the needed escapes. */
#ifndef LV_SPEC_JSON_H
#define LV_SPEC_JSON_H

#include "base/strbuf.h"
#include "base/tree.h"
#include "spec/node.h"

void json_add_string(struct strbuf *b, const char *s);
void json_add_tree(struct strbuf *b, const struct tree *t); /* members sorted */
void json_add_node(struct strbuf *b, const struct node *n); /* as written; scalars as strings */

#endif
