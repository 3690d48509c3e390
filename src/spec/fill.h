/* Fill: one text with `${NAME}` -> the text with values. Knows nothing of where values come from.
 */
#ifndef LV_SPEC_FILL_H
#define LV_SPEC_FILL_H

#include "spec/loading.h"
#include "spec/schema.h"

enum found { FOUND_VALUE, FOUND_LEAVE, FOUND_FAULT };

struct piece { /* a value within the filled text */
	size_t from, to;
	size_t tag; /* of the finder's choice */
};

struct fill {
	struct loading *l;
	/* `otherwise` is the text after `:-`, or NULL. LEAVE keeps `${...}` as it stands; FAULT: a
	 * problem was reported. */
	enum found (*find)(struct fill *f, struct node *n, const struct type *t, const char *name,
		const char *otherwise, const char **value, size_t *tag);
	void *ctx;
	bool keep_escapes; /* `$${` stays for the pass after this one */
	ARRAY_OF(struct piece) pieces;
};

/* Replaces n->text. Within quotes of a selector or query the value is escaped. */
void fill_text(struct fill *f, struct node *n, const struct type *t);

#endif
