/* Limits: how much of a spec is read before it is refused. Each has a test. */
#ifndef LV_SPEC_LIMITS_H
#define LV_SPEC_LIMITS_H

#include <stddef.h>

struct spec_limits {
	size_t file_bytes;   /* of the spec or of one pack file */
	size_t nodes;	     /* of the spec and its packs together, aliases written out */
	size_t depth;	     /* of maps and lists in each other */
	size_t keys;	     /* of one map */
	size_t selectors;    /* of one list */
	size_t aliases;	     /* `*name`, in all */
	size_t scalar_bytes; /* of one text, also after variables are filled in */
	size_t problems;     /* that are reported; the rest is counted */
};
extern const struct spec_limits spec_limits_default;

#endif
