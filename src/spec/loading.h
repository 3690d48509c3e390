/* Loading: what the steps of one load share, and how they report problems.
 *
 * The steps: read (node), expand packs (pack), fill in variables (variable), check shape and types
 * against the table (check), build the structs (build_*), digest (canonical). */
#ifndef LV_SPEC_LOADING_H
#define LV_SPEC_LOADING_H

#include "base/error.h"
#include "spec/limits.h"
#include "spec/load.h"
#include "spec/node.h"

struct loading {
	struct arena *a;
	const struct spec_options *o;
	const struct spec_limits *limits;
	struct problems *problems;
	size_t problems_left_out;
	const char *path;
	size_t n_nodes, n_aliases;
	bool exhausted; /* a limit was passed: said once */
};

/* spec_load_text under other limits, for the tests of the limits. */
void spec_load_limited(struct arena *a, const char *path, const char *text, size_t n,
	const struct spec_options *o, const struct spec_limits *limits, struct spec *out,
	struct problems *problems);

/* Reports a problem at a node's place and marks the node bad. A node that came from a pack is
 * reported at its `use`, the place in the pack being named in the text. */
void problem_at(struct loading *l, struct node *n, const char *fmt, ...) LV_PRINTF(3, 4);
void problem_mark(struct loading *l, const struct origin *origin, int line, int column,
	const char *fmt, ...) LV_PRINTF(5, 6);
void problems_finish(struct loading *l); /* sorts by place, drops doubles, counts the rest */

/* The candidate that was probably meant, or NULL. Candidates end with NULL. */
const char *nearest(const char *word, const char *const *candidates);
/* ": did you mean 'x'?", or "" */
const char *did_you_mean(struct loading *l, const char *word, const char *const *candidates);
/* The text as it may stand in a message: quoted, short, one line; "a secret" if it is one. */
const char *shown(struct loading *l, const struct node *n);
const char *shown_text(struct loading *l, const char *text);

/* A file's bytes in the arena, NUL-terminated; at most limits->file_bytes + 1 are read, so that
 * the caller can tell that there are too many. "-" is stdin. */
int read_file(
	struct loading *l, const char *path, char **text, size_t *n, struct error *err) LV_CHECKED;

#endif
