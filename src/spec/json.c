/* JSON of YAML nodes as they were read, for the text of expanded packs. */
#include "spec/json.h"

#include "base/json.h"

void json_add_node(struct strbuf *b, const struct node *n)
{
	if (n->kind == NODE_SCALAR) {
		json_add_string(b, n->text);
		return;
	}
	strbuf_addc(b, n->kind == NODE_MAP ? '{' : '[');
	for (const struct node *m = n->first; m; m = m->next) {
		if (m != n->first)
			strbuf_adds(b, ", ");
		if (n->kind == NODE_MAP) {
			json_add_string(b, m->key->text);
			strbuf_adds(b, ": ");
		}
		json_add_node(b, m);
	}
	strbuf_addc(b, n->kind == NODE_MAP ? '}' : ']');
}
