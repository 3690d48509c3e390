/* JSON of YAML nodes: maps in the order written, scalars as strings. */
#ifndef LV_SPEC_JSON_H
#define LV_SPEC_JSON_H

#include "base/strbuf.h"
#include "spec/node.h"

void json_add_node(struct strbuf *b, const struct node *n);

#endif
