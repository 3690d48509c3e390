/* Document: the report model as JSON text, and back; numbers keep their text. */
#ifndef LV_STORE_DOCUMENT_H
#define LV_STORE_DOCUMENT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "base/tree.h"

enum {
	DOCUMENT_MAX_BYTES = 32 << 20,
	DOCUMENT_MAX_DEPTH = 64,
	DOCUMENT_MAX_VALUES = 4 << 20,
};

/* The text may come from anywhere. Errors: ERROR_STORE "store-corrupt". */
int store_document_parse(struct arena *a, const char *text, size_t n, struct tree **out,
	struct error *err) LV_CHECKED;

struct document_identity { /* what only the store knows of a run */
	int64_t id;
	int revision;
	const char *uid;
	const char *name;		      /* NULL */
	const char *symptom, *cause, *action; /* of `runs note`; NULL */
};

/* The same document with these in its `run`, and `history` where there are notes; shares everything
 * else with `t`. */
struct tree *store_document_identify(
	struct arena *a, const struct tree *t, const struct document_identity *who);

#endif
