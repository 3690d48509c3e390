/* JSON, written canonically. Knows nothing of what it writes. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "spec/json.h"

void json_add_string(struct strbuf *b, const char *s)
{
	strbuf_addc(b, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			strbuf_addf(b, "\\%c", *s);
		else if ((unsigned char)*s < ' ' || *s == 0x7f)
			strbuf_addf(b, "\\u%04x", (unsigned)*s);
		else
			strbuf_addc(b, *s);
	}
	strbuf_addc(b, '"');
}

static int by_key(const void *a, const void *b)
{
	const struct tree *const *x = a, *const *y = b;

	return strcmp((*x)->key, (*y)->key);
}

/* Trees are a few levels deep; nodes at most limits->depth. */
/* NOLINTBEGIN(misc-no-recursion) */
static void add_object(struct strbuf *b, const struct tree *t)
{
	const struct tree **member = xmalloc((t->n + 1) * sizeof *member);
	size_t n = 0;

	for (const struct tree *m = t->first; m; m = m->next)
		member[n++] = m;
	qsort(member, n, sizeof *member, by_key);
	strbuf_addc(b, '{');
	for (size_t i = 0; i < n; i++) {
		if (i)
			strbuf_addc(b, ',');
		json_add_string(b, member[i]->key);
		strbuf_addc(b, ':');
		json_add_tree(b, member[i]);
	}
	strbuf_addc(b, '}');
	free(member);
}

void json_add_tree(struct strbuf *b, const struct tree *t)
{
	switch (t->type) {
	case TREE_NULL:
		strbuf_adds(b, "null");
		break;
	case TREE_BOOL:
		strbuf_adds(b, t->boolean ? "true" : "false");
		break;
	case TREE_NUMBER:
		strbuf_adds(b, t->text);
		break;
	case TREE_STRING:
		json_add_string(b, t->text);
		break;
	case TREE_ARRAY:
		strbuf_addc(b, '[');
		for (const struct tree *m = t->first; m; m = m->next) {
			if (m != t->first)
				strbuf_addc(b, ',');
			json_add_tree(b, m);
		}
		strbuf_addc(b, ']');
		break;
	case TREE_OBJECT:
		add_object(b, t);
		break;
	}
}

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
/* NOLINTEND(misc-no-recursion) */
