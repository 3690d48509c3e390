/* Document: JSON text -> struct tree. Owns the bounds of what is read; knows nothing
 * of what a report says, except where the run's identity stands. */
#include "store/document.h"

#include <string.h>
#include <yajl/yajl_parse.h>

#include "base/array.h"

struct parsing {
	struct arena *arena;
	struct tree *root;
	struct tree *open[DOCUMENT_MAX_DEPTH];
	size_t depth, n_values;
	const char *key; /* of the next value */
	const char *wrong;
};

static int stop(struct parsing *p, const char *why)
{
	p->wrong = why;
	return 0;
}

static void append(struct tree *parent, struct tree *child)
{
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	parent->n++;
}

static struct tree *add(struct parsing *p, enum tree_type type)
{
	if (p->n_values++ >= DOCUMENT_MAX_VALUES)
		return NULL;
	struct tree *t = arena_new(p->arena, struct tree);
	t->type = type;
	t->key = p->key;
	p->key = NULL;
	if (p->depth)
		append(p->open[p->depth - 1], t);
	else
		p->root = t;
	return t;
}

static int add_text(struct parsing *p, enum tree_type type, const char *s, size_t n)
{
	if (n && memchr(s, 0, n))
		return stop(p, "a text holds a NUL");
	struct tree *t = add(p, type);
	if (!t)
		return stop(p, "too many values");
	t->text = arena_strndup(p->arena, s, n);
	return 1;
}

static int on_null(void *ctx)
{
	return add(ctx, TREE_NULL) ? 1 : stop(ctx, "too many values");
}

static int on_bool(void *ctx, int v)
{
	struct tree *t = add(ctx, TREE_BOOL);
	if (!t)
		return stop(ctx, "too many values");
	t->boolean = v;
	return 1;
}

static int on_number(void *ctx, const char *s, size_t n)
{
	return add_text(ctx, TREE_NUMBER, s, n);
}

static int on_string(void *ctx, const unsigned char *s, size_t n)
{
	return add_text(ctx, TREE_STRING, (const char *)s, n);
}

static int on_key(void *ctx, const unsigned char *s, size_t n)
{
	struct parsing *p = ctx;
	if (n && memchr(s, 0, n))
		return stop(p, "a key holds a NUL");
	p->key = arena_strndup(p->arena, (const char *)s, n);
	return 1;
}

static int open_container(struct parsing *p, enum tree_type type)
{
	if (p->depth == DOCUMENT_MAX_DEPTH)
		return stop(p, "nested too deep");
	struct tree *t = add(p, type);
	if (!t)
		return stop(p, "too many values");
	p->open[p->depth++] = t;
	return 1;
}

static int on_object(void *ctx)
{
	return open_container(ctx, TREE_OBJECT);
}

static int on_array(void *ctx)
{
	return open_container(ctx, TREE_ARRAY);
}

static int on_end(void *ctx)
{
	((struct parsing *)ctx)->depth--;
	return 1;
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_bool,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_end,
};

static int corrupt(struct error *err, const char *why)
{
	return error_set(err, ERROR_STORE, "store-corrupt",
		"the stored report is damaged (%s); judge the run again with `loadverdict "
		"reevaluate`",
		why);
}

int store_document_parse(
	struct arena *a, const char *text, size_t n, struct tree **out, struct error *err)
{
	if (n > DOCUMENT_MAX_BYTES)
		return corrupt(err, "larger than 32 MiB");
	struct parsing p = {.arena = a};
	yajl_handle h = yajl_alloc(&callbacks, NULL, &p);
	if (!h)
		error_out_of_memory();
	bool fine = yajl_parse(h, (const unsigned char *)text, n) == yajl_status_ok &&
		    yajl_complete_parse(h) == yajl_status_ok;
	yajl_free(h);
	if (!fine || !p.root)
		return corrupt(err, p.wrong ? p.wrong : "not JSON");
	*out = p.root;
	return 0;
}

/* Identity */

static struct tree *copy_node(struct arena *a, const struct tree *t)
{
	struct tree *copy = arena_new(a, struct tree);
	*copy = *t;
	copy->next = NULL;
	return copy;
}

/* A copy of an object whose members are new nodes over the old children. */
static struct tree *copy_object(struct arena *a, const struct tree *t)
{
	struct tree *copy = copy_node(a, t);
	copy->first = copy->last = NULL;
	copy->n = 0;
	for (const struct tree *c = t->first; c; c = c->next)
		append(copy, copy_node(a, c));
	return copy;
}

static struct tree *member(const struct tree *object, const char *key)
{
	for (struct tree *c = object->first; c; c = c->next)
		if (!strcmp(c->key, key))
			return c;
	return NULL;
}

static void put(struct arena *a, struct tree *object, const char *key, struct tree *value)
{
	struct tree *old = member(object, key);
	if (!old) {
		tree_set(a, object, key, value);
		return;
	}
	value->key = old->key;
	value->next = old->next;
	*old = *value;
}

struct tree *store_document_identify(
	struct arena *a, const struct tree *t, const struct document_identity *who)
{
	if (!t || t->type != TREE_OBJECT)
		return t ? copy_node(a, t) : tree_null(a);
	struct tree *copy = copy_object(a, t);
	struct tree *run = member(copy, "run");
	if (!run)
		return copy; /* nothing was judged */
	if (run->type != TREE_OBJECT)
		return copy;
	struct tree *next = run->next;
	*run = *copy_object(a, run);
	run->next = next;
	put(a, run, "id", tree_int(a, who->id));
	put(a, run, "revision", tree_int(a, who->revision));
	put(a, run, "uid", tree_string(a, who->uid));
	put(a, run, "name", tree_string(a, who->name));
	if (!who->symptom && !who->cause && !who->action)
		return copy;
	struct tree *history = tree_object(a);
	tree_set(a, history, "symptom", tree_string(a, who->symptom));
	tree_set(a, history, "cause", tree_string(a, who->cause));
	tree_set(a, history, "action", tree_string(a, who->action));
	put(a, copy, "history", history);
	return copy;
}
