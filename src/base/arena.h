/* Arena: memory that lives until its owner ends it; nothing in it is freed alone.
 *
 * Out of memory prints and exits 70, so no function here fails. */
#ifndef LV_BASE_ARENA_H
#define LV_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
	struct arena_block *head;
	size_t used, cap; /* of the head block */
	size_t total;	  /* bytes taken from the system so far */
};
#define ARENA_INIT                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}

void *arena_alloc(struct arena *a, size_t size); /* zeroed, aligned for any type */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n); /* NUL-terminated copy of n bytes */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_release(struct arena *a); /* frees all; the arena is empty and usable */

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

/* checked malloc/realloc for owners that do not use an arena */
void *xmalloc(size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);

#endif
