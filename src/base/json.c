/* JSON: prints trees; only the needed escapes, no spaces. */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

void json_add_string(struct strbuf *b, const char *s)
{
	strbuf_addc(b, '"');
	for (const char *from = s;; s++) {
		unsigned char c = (unsigned char)*s;
		if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
			continue;
		strbuf_add(b, from, (size_t)(s - from));
		from = s + 1;
		if (!c)
			break;
		if (c == '"' || c == '\\')
			strbuf_addf(b, "\\%c", c);
		else if (c == '\n')
			strbuf_adds(b, "\\n");
		else
			strbuf_addf(b, "\\u%04x", c);
	}
	strbuf_addc(b, '"');
}

static int by_key(const void *a, const void *b)
{
	const struct tree *const *x = a, *const *y = b;

	return strcmp((*x)->key, (*y)->key);
}

/* Recursive like the tree: what is read is bounded in depth by its reader, a model is a few levels
 * deep. */
/* NOLINTBEGIN(misc-no-recursion) */
static void add_member(
	struct strbuf *b, const struct tree *m, bool named, bool first, enum json_order order)
{
	if (!first)
		strbuf_addc(b, ',');
	if (named) {
		json_add_string(b, m->key);
		strbuf_addc(b, ':');
	}
	json_add_tree(b, m, order);
}

static void add_by_key(struct strbuf *b, const struct tree *t)
{
	const struct tree **member = xmalloc((t->n + 1) * sizeof *member);
	size_t n = 0;

	for (const struct tree *m = t->first; m; m = m->next)
		member[n++] = m;
	qsort(member, n, sizeof *member, by_key);
	for (size_t i = 0; i < n; i++)
		add_member(b, member[i], true, !i, JSON_BY_KEY);
	free(member);
}

static void add_children(struct strbuf *b, const struct tree *t, enum json_order order)
{
	bool object = t->type == TREE_OBJECT;

	strbuf_addc(b, object ? '{' : '[');
	if (object && order == JSON_BY_KEY)
		add_by_key(b, t);
	else
		for (const struct tree *m = t->first; m; m = m->next)
			add_member(b, m, object, m == t->first, order);
	strbuf_addc(b, object ? '}' : ']');
}

void json_add_tree(struct strbuf *b, const struct tree *t, enum json_order order)
{
	switch (t ? t->type : TREE_NULL) {
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
	case TREE_OBJECT:
		add_children(b, t, order);
		break;
	}
}
/* NOLINTEND(misc-no-recursion) */
