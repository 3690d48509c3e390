/* Archive parts: an archive as answers with their chunks, for the store, which moves chunks as they
 * are and reads them from a database. Not for use outside of src/store. */
#ifndef LV_STORE_ARCHIVE_PARTS_H
#define LV_STORE_ARCHIVE_PARTS_H

#include "base/array.h"
#include "store/archive.h"

struct chunk {		    /* up to about 256 KiB of coded series, compressed */
	int64_t at;	    /* offset in the spool, or row id */
	size_t packed, raw; /* bytes */
};

struct chunks {
	struct chunk *at;
	size_t n, cap;
};

/* Where an archive that was stored finds its chunks. */
struct chunk_source {
	/* fills `bytes` with the chunk->packed bytes of the chunk */
	int (*fetch)(void *ctx, const struct chunk *chunk, void *bytes, struct error *err);
	void (*release)(void *ctx);
	void *ctx;  /* owned by the archive */
	int64_t id; /* which archive of which store: it need not be stored there again */
	const void *owner;
};

/* A read-only archive without answers; takes the source over. */
struct archive *archive_new_over(struct chunk_source source);
const struct chunk_source *archive_source(const struct archive *ar); /* NULL for a spooled one */
/* Copies the texts and takes the chunks over (`chunks` is emptied). */
void archive_add_answer(struct archive *ar, const struct answer *a, struct chunks *chunks);
const struct chunks *archive_chunks(const struct archive *ar, size_t answer);
/* The compressed bytes of a chunk, valid until the next call. */
int archive_fetch(struct archive *ar, const struct chunk *chunk, const void **bytes,
	struct error *err) LV_CHECKED;
/* False for sizes that no chunk of ours has. */
bool chunk_plausible(int64_t packed, int64_t raw);

#endif
