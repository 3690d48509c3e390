/* Packs: items of a spec that `use` a template from a query pack. */
#ifndef LV_SPEC_PACK_H
#define LV_SPEC_PACK_H

#include "spec/loading.h"

/* Puts the filled template in the place of every item with `use`. The expanded items as JSON, by
 * place; NULL if there are none. */
const char *packs_expand(struct loading *l, struct node *root);

#endif
