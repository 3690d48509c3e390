/* Durations as Prometheus writes them: "1m30s", "250ms", "1h", "0s", "7d"; int64 milliseconds. */
#ifndef LV_BASE_DURATION_H
#define LV_BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Units y w d h m s ms, each at most once, largest first; "0" is allowed. No sign, no fraction.
 * Also accepts a fraction on a single unit of seconds or larger ("1.5s", "0.25s"). */
bool duration_parse(const char *text, int64_t *ms);
void duration_format(struct strbuf *b, int64_t ms); /* "1m30s"; 0 is "0s" */
/* "512MiB", "1GB", "100" (bytes) */
bool byte_size_parse(const char *text, int64_t *bytes);

#endif
