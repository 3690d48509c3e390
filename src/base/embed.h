/* Embed: files that were compiled in by tools/embed.py. */
#ifndef LV_BASE_EMBED_H
#define LV_BASE_EMBED_H

#include <stddef.h>

struct embedded_file {
	const char *name;  /* without its folder */
	const char *bytes; /* NUL-terminated */
	size_t n;	   /* without the NUL */
};

/* tools/embed.py NAME defines this; the list ends with a NULL name:
 *   extern const struct embedded_file NAME[]; */

#endif
