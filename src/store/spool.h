/* Spool: a temporary file without a name, gone when the process ends; append and read back. */
#ifndef LV_STORE_SPOOL_H
#define LV_STORE_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct spool {
	int fd; /* -1: not open */
	int64_t end;
};

/* In $TMPDIR, else /tmp. */
int spool_open(struct spool *sp, struct error *err) LV_CHECKED;
void spool_close(struct spool *sp);
/* *at: where it went */
int spool_append(
	struct spool *sp, const void *bytes, size_t n, int64_t *at, struct error *err) LV_CHECKED;
int spool_read(
	const struct spool *sp, int64_t at, void *bytes, size_t n, struct error *err) LV_CHECKED;

#endif
