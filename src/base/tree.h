/* Tree: a JSON-shaped value in an arena: the report model, and what the store gives back.
 *
 * Numbers are kept as text, so that nothing is rounded on the way. Objects keep the order in which
 * their members were added. A NULL `struct tree *` reads as null everywhere, so lookups chain. */
#ifndef LV_BASE_TREE_H
#define LV_BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum tree_type { TREE_NULL, TREE_BOOL, TREE_NUMBER, TREE_STRING, TREE_ARRAY, TREE_OBJECT };

struct tree {
	enum tree_type type;
	bool boolean;
	const char *text;	   /* TREE_STRING: UTF-8; TREE_NUMBER: valid JSON number */
	const char *key;	   /* when a member of an object */
	struct tree *first, *last; /* children of arrays and objects */
	struct tree *next;
	size_t n; /* number of children */
};

struct tree *tree_object(struct arena *a);
struct tree *tree_array(struct arena *a);
struct tree *tree_string(struct arena *a, const char *s); /* NULL gives null; copies */
struct tree *tree_number(struct arena *a, const char *text);
struct tree *tree_int(struct arena *a, int64_t v);
struct tree *tree_double(struct arena *a, double v); /* NaN and infinities give null */
struct tree *tree_bool(struct arena *a, bool v);
struct tree *tree_null(struct arena *a);

/* Append; return `child`. The key is copied; it must not be there yet. */
struct tree *tree_set(struct arena *a, struct tree *object, const char *key, struct tree *child);
struct tree *tree_add(struct tree *array, struct tree *child);

/* Lookups: NULL if `t` is NULL, of another type, or has no such member. */
const struct tree *tree_get(const struct tree *object, const char *key);
const char *tree_text(const struct tree *t, const char *otherwise); /* string or number */
bool tree_is_true(const struct tree *t);
double tree_as_double(const struct tree *t, double otherwise);

#endif
