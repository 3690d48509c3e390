/* Array: a growing list as three fields in the caller's struct: `type *name; size_t n, cap`.
 *
 *   struct { struct note *at; size_t n, cap; } notes = {0};
 *   *ARRAY_ADD(&notes) = (struct note){...};
 *   ARRAY_RELEASE(&notes);
 */
#ifndef LV_BASE_ARRAY_H
#define LV_BASE_ARRAY_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define ARRAY_OF(type)                                                                             \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t n, cap;                                                                     \
	}

/* Address of one new zeroed element at the end. */
#define ARRAY_ADD(a)                                                                               \
	((a)->at = array_room((a)->at, (a)->n, &(a)->cap, sizeof *(a)->at), &(a)->at[(a)->n++])

#define ARRAY_RELEASE(a) (free((a)->at), (a)->at = NULL, (a)->n = (a)->cap = 0)

/* Makes room for element n (zeroed) and returns the possibly moved memory. */
static inline void *array_room(void *at, size_t n, size_t *cap, size_t size)
{
	if (n == *cap) {
		*cap = *cap ? *cap * 2 : 8;
		at = xrealloc(at, *cap * size);
	}
	assert(at);
	memset((char *)at + n * size, 0, size);
	return at;
}

#endif
