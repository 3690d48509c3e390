/* Tree: JSON-shaped values. Must not know JSON's syntax nor what the values mean. */
#include "base/tree.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

static struct tree *node(struct arena *a, enum tree_type type)
{
	struct tree *t = arena_new(a, struct tree);
	t->type = type;
	return t;
}

struct tree *tree_object(struct arena *a)
{
	return node(a, TREE_OBJECT);
}

struct tree *tree_array(struct arena *a)
{
	return node(a, TREE_ARRAY);
}

struct tree *tree_null(struct arena *a)
{
	return node(a, TREE_NULL);
}

struct tree *tree_bool(struct arena *a, bool v)
{
	struct tree *t = node(a, TREE_BOOL);
	t->boolean = v;
	return t;
}

struct tree *tree_string(struct arena *a, const char *s)
{
	if (!s)
		return tree_null(a);
	struct tree *t = node(a, TREE_STRING);
	t->text = arena_strdup(a, s);
	return t;
}

struct tree *tree_number(struct arena *a, const char *text)
{
	struct tree *t = node(a, TREE_NUMBER);
	t->text = arena_strdup(a, text);
	return t;
}

struct tree *tree_int(struct arena *a, int64_t v)
{
	struct tree *t = node(a, TREE_NUMBER);
	t->text = arena_printf(a, "%" PRId64, v);
	return t;
}

struct tree *tree_double(struct arena *a, double v)
{
	if (!isfinite(v))
		return tree_null(a);
	struct strbuf text = STRBUF_INIT;
	decimal_format_double(&text, v);
	struct tree *t = tree_number(a, text.at);
	strbuf_release(&text);
	return t;
}

static struct tree *append(struct tree *parent, struct tree *child)
{
	assert(!child->next && child != parent->last);
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	parent->n++;
	return child;
}

struct tree *tree_set(struct arena *a, struct tree *object, const char *key, struct tree *child)
{
	assert(object->type == TREE_OBJECT && !tree_get(object, key));
	child->key = arena_strdup(a, key);
	return append(object, child);
}

struct tree *tree_add(struct tree *array, struct tree *child)
{
	assert(array->type == TREE_ARRAY);
	return append(array, child);
}

const struct tree *tree_get(const struct tree *object, const char *key)
{
	if (!object || object->type != TREE_OBJECT)
		return NULL;
	for (const struct tree *t = object->first; t; t = t->next)
		if (!strcmp(t->key, key))
			return t;
	return NULL;
}

const char *tree_text(const struct tree *t, const char *otherwise)
{
	return t && (t->type == TREE_STRING || t->type == TREE_NUMBER) ? t->text : otherwise;
}

bool tree_is_true(const struct tree *t)
{
	return t && t->type == TREE_BOOL && t->boolean;
}

double tree_as_double(const struct tree *t, double otherwise)
{
	return t && t->type == TREE_NUMBER ? strtod(t->text, NULL) : otherwise;
}
