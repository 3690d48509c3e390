/* Build: checked nodes -> the structs of judge/spec.h, and the rules between keys.
 *
 * A node that is bad was reported: builders leave its field empty and go on, so that everything
 * that is wrong is said at once. What they build is used only if there was no problem. */
#ifndef LV_SPEC_BUILD_H
#define LV_SPEC_BUILD_H

#include "spec/loading.h"

enum check_place { PLACE_INVARIANT, PLACE_PRECONDITION, PLACE_FIGURE };

void build_spec(struct loading *l, struct node *root, struct spec *out);
void build_source(struct loading *l, struct node *source, struct source_spec *out);
void build_stages(struct loading *l, struct node *list, struct spec *out);
void build_checks(struct loading *l, struct node *list, enum check_place place, struct checks *out);
void build_delivered(struct loading *l, struct node *map, struct spec *out);

/* parts.c: what several items have */
const char *get_text(const struct node *map, const char *key); /* NULL: absent */
bool get_bool(const struct node *map, const char *key, bool otherwise);
struct text build_text(const struct node *n);
struct names build_names(struct loading *l, struct node *n);
struct selectors build_selectors(struct loading *l, struct node *n);
bool build_selector(struct node *n, struct selector *out);
struct proof build_proof(struct loading *l, struct node *map);
void refuse_key(struct loading *l, struct node *map, const char *key, const char *why);
void unique_ids(struct loading *l, struct node *list);

/* canonical.c: the judged parts as JSON, and digests */
const char *judged_json(struct arena *a, const struct spec *spec);
const char *sha256_hex(struct arena *a, const char *bytes, size_t n);

#endif
