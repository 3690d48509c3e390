/* Node: a YAML document as read, every value still text and with its position.
 *
 * Knows nothing of what a spec means. Aliases are written out as copies, so that a node has one
 * place and may be changed. */
#ifndef LV_SPEC_NODE_H
#define LV_SPEC_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/selector.h"

struct loading;

/* Where nodes of a pack came in: NULL for the spec's own nodes. */
struct origin {
	const char *file;	/* the pack, for messages */
	const struct node *use; /* the `use:` value in the spec */
};

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
	enum node_kind kind;
	int line, column; /* from 1 */
	const struct origin *origin;
	const char *text;	   /* SCALAR */
	bool null;		   /* an unquoted nothing, `~` or `null` */
	bool cut;		   /* unquoted, and a comment follows on its line */
	bool bad;		   /* a problem was reported: users of the value keep silent */
	bool secret;		   /* a secret went into it: never shown */
	struct selector *selector; /* set when checked as a selector */
	struct node *key;	   /* member of a map: its key, a SCALAR */
	struct node *first, *last, *next;
	size_t n;
};

/* Reads one document. NULL if it cannot be used at all; what is wrong is in l->problems. An empty
 * document gives an empty map. */
struct node *node_read(struct loading *l, const char *text, size_t n, const struct origin *origin);

struct node *node_get(const struct node *map, const char *key); /* NULL: absent, or no map */
void node_append(struct node *parent, struct node *child);
void node_replace(struct node *parent, struct node *old, struct node *new_node);
/* A deep copy; counts against the node limit and is NULL when that is passed. */
struct node *node_copy(struct loading *l, const struct node *n, const struct origin *origin);

#endif
