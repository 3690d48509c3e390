/* Archive: answers as compressed chunks on a spool file or in a database, and the evidence made of
 * them. Owns chunking, compression and the index in memory; knows no SQL and judges nothing. */
#include "store/archive_parts.h"

#include <assert.h>
#include <zstd.h>

#include "store/codec.h"
#include "store/spool.h"

enum { CHUNK_BYTES = 256 << 10, MAX_SLOTS = 1 << 20 };

struct slot { /* an answer that is being received; slots are reused with their buffers */
	struct slot *next;
	struct encoder encoder;
	struct chunks chunks;
	size_t n_series, n_samples;
};

struct reader { /* one `each` at work; readers are reused */
	struct decoder decoder;
	struct bytes packed, raw;
	struct reader *next;
};

struct readers {
	struct reader *idle;
};

struct archive {
	struct evidence evidence; /* first: `each` gets back from it to the archive */
	ARRAY_OF(struct answer) answers;
	ARRAY_OF(struct chunks) chunks; /* of each answer */
	ARRAY_OF(struct slot *) slots;	/* NULL where none is open */
	struct slot *idle_slots;
	struct arena texts;
	struct spool spool;
	struct chunk_source source; /* fetch is NULL for a spooled archive */
	struct readers *readers;    /* apart, because reading changes nothing else */
	struct bytes packed;	    /* the chunk last compressed or fetched */
	ZSTD_CCtx *compress;
	ZSTD_DCtx *decompress;
};

static int archive_each(const struct evidence *self, size_t i,
	int (*fn)(void *arg, const struct series *s), void *arg, struct error *err);

static struct archive *archive_empty(void)
{
	struct archive *ar = xmalloc(sizeof *ar);
	*ar = (struct archive){.spool.fd = -1};
	ar->evidence.each = archive_each;
	ar->evidence.retention_ms = -1;
	ar->readers = xmalloc(sizeof *ar->readers);
	*ar->readers = (struct readers){0};
	ar->decompress = ZSTD_createDCtx();
	if (!ar->decompress)
		error_out_of_memory();
	return ar;
}

int archive_new(struct archive **out, struct error *err)
{
	struct spool spool;
	if (spool_open(&spool, err))
		return -1;
	struct archive *ar = archive_empty();
	ar->spool = spool;
	ar->compress = ZSTD_createCCtx();
	if (!ar->compress)
		error_out_of_memory();
	ZSTD_CCtx_setParameter(ar->compress, ZSTD_c_compressionLevel, 1);
	ZSTD_CCtx_setParameter(ar->compress, ZSTD_c_checksumFlag, 1);
	*out = ar;
	return 0;
}

struct archive *archive_new_over(struct chunk_source source)
{
	struct archive *ar = archive_empty();
	ar->source = source;
	return ar;
}

const struct chunk_source *archive_source(const struct archive *ar)
{
	return ar->source.fetch ? &ar->source : NULL;
}

static void reader_free(struct reader *r)
{
	decoder_release(&r->decoder);
	free(r->packed.at);
	free(r->raw.at);
	free(r);
}

static void readers_free(struct readers *readers)
{
	while (readers->idle) {
		struct reader *r = readers->idle;
		readers->idle = r->next;
		reader_free(r);
	}
	free(readers);
}

static void slots_free(struct archive *ar)
{
	for (size_t i = 0; i < ar->slots.n; i++)
		archive_abandon(ar, i);
	while (ar->idle_slots) {
		struct slot *sl = ar->idle_slots;
		ar->idle_slots = sl->next;
		encoder_release(&sl->encoder);
		ARRAY_RELEASE(&sl->chunks);
		free(sl);
	}
	ARRAY_RELEASE(&ar->slots);
}

void archive_free(struct archive *ar)
{
	if (!ar)
		return;
	slots_free(ar);
	for (size_t i = 0; i < ar->chunks.n; i++)
		ARRAY_RELEASE(&ar->chunks.at[i]);
	readers_free(ar->readers);
	ARRAY_RELEASE(&ar->chunks);
	ARRAY_RELEASE(&ar->answers);
	arena_release(&ar->texts);
	spool_close(&ar->spool);
	if (ar->source.release)
		ar->source.release(ar->source.ctx);
	free(ar->packed.at);
	ZSTD_freeCCtx(ar->compress);
	ZSTD_freeDCtx(ar->decompress);
	free(ar);
}

static void bytes_room(struct bytes *b, size_t n)
{
	if (b->cap >= n)
		return;
	free(b->at);
	b->at = xmalloc(n);
	b->cap = n;
}

/* Writing */

static struct slot *slot_take(struct archive *ar)
{
	struct slot *sl = ar->idle_slots;
	if (sl) {
		ar->idle_slots = sl->next;
		return sl;
	}
	sl = xmalloc(sizeof *sl);
	*sl = (struct slot){0};
	return sl;
}

int archive_begin(struct archive *ar, size_t slot, struct error *err)
{
	if (ar->source.fetch)
		return error_set(err, ERROR_BUG, "internal", "a stored archive is read-only");
	assert(slot < MAX_SLOTS);
	while (ar->slots.n <= slot)
		(void)ARRAY_ADD(&ar->slots);
	archive_abandon(ar, slot);
	ar->slots.at[slot] = slot_take(ar);
	return 0;
}

static struct slot *open_slot(struct archive *ar, size_t slot)
{
	assert(slot < ar->slots.n && ar->slots.at[slot]);
	return ar->slots.at[slot];
}

static int slot_flush(struct archive *ar, struct slot *s, struct error *err)
{
	const struct bytes *raw = &s->encoder.out;
	if (!raw->n)
		return 0;
	bytes_room(&ar->packed, ZSTD_compressBound(raw->n));
	size_t packed =
		ZSTD_compress2(ar->compress, ar->packed.at, ar->packed.cap, raw->at, raw->n);
	if (ZSTD_isError(packed))
		return error_set(err, ERROR_BUG, "internal", "zstd: %s", ZSTD_getErrorName(packed));
	int64_t at;
	if (spool_append(&ar->spool, ar->packed.at, packed, &at, err))
		return -1;
	*ARRAY_ADD(&s->chunks) = (struct chunk){at, packed, raw->n};
	encoder_reset(&s->encoder);
	return 0;
}

int archive_series(struct archive *ar, size_t slot, const struct series *s, struct error *err)
{
	struct slot *sl = open_slot(ar, slot);
	if (encoder_add(&sl->encoder, s, err))
		return -1;
	sl->n_series++;
	sl->n_samples += s->n;
	return sl->encoder.out.n >= CHUNK_BYTES ? slot_flush(ar, sl, err) : 0;
}

int archive_end(struct archive *ar, size_t slot, const struct answer *a, struct error *err)
{
	struct slot *sl = open_slot(ar, slot);
	if (slot_flush(ar, sl, err))
		return -1;
	struct answer counted = *a;
	counted.n_series = sl->n_series;
	counted.n_samples = sl->n_samples;
	archive_add_answer(ar, &counted, &sl->chunks);
	archive_abandon(ar, slot);
	return 0;
}

void archive_abandon(struct archive *ar, size_t slot)
{
	if (slot >= ar->slots.n || !ar->slots.at[slot])
		return;
	struct slot *sl = ar->slots.at[slot];
	ar->slots.at[slot] = NULL;
	sl->n_series = sl->n_samples = 0;
	sl->chunks.n = 0; /* what they hold in the spool is lost room until the process ends */
	encoder_reset(&sl->encoder);
	sl->next = ar->idle_slots;
	ar->idle_slots = sl;
}

static const char *const *copy_infos(struct arena *a, const char *const *infos)
{
	size_t n = 0;
	while (infos && infos[n])
		n++;
	const char **copy = arena_array(a, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		copy[i] = arena_strdup(a, infos[i]);
	return copy;
}

void archive_add_answer(struct archive *ar, const struct answer *a, struct chunks *chunks)
{
	ar->evidence.answers = ar->answers.at;
	ar->evidence.n_answers = ar->answers.n;
	ptrdiff_t old = evidence_find(&ar->evidence, &a->query);
	if (old < 0) {
		old = (ptrdiff_t)ar->answers.n;
		ARRAY_ADD(&ar->answers);
		ARRAY_ADD(&ar->chunks);
	}
	struct answer *copy = &ar->answers.at[old];
	*copy = *a;
	copy->query.text = arena_strdup(&ar->texts, a->query.text);
	copy->query.subject = a->query.subject ? arena_strdup(&ar->texts, a->query.subject) : NULL;
	copy->infos = copy_infos(&ar->texts, a->infos);
	ARRAY_RELEASE(&ar->chunks.at[old]);
	ar->chunks.at[old] = *chunks;
	*chunks = (struct chunks){0};
}

void archive_set_asked(struct archive *ar, int64_t asked_ms, int64_t retention_ms)
{
	ar->evidence.asked_ms = asked_ms;
	ar->evidence.retention_ms = retention_ms;
}

/* Reading */

const struct evidence *archive_evidence(struct archive *ar)
{
	ar->evidence.answers = ar->answers.at;
	ar->evidence.n_answers = ar->answers.n;
	return &ar->evidence;
}

const struct chunks *archive_chunks(const struct archive *ar, size_t answer)
{
	assert(answer < ar->chunks.n);
	return &ar->chunks.at[answer];
}

bool chunk_plausible(int64_t packed, int64_t raw)
{
	return raw > 0 && raw <= CODEC_MAX_CHUNK && packed > 0 &&
	       (uint64_t)packed <= ZSTD_compressBound((size_t)raw);
}

static int fetch(
	const struct archive *ar, const struct chunk *c, struct bytes *to, struct error *err)
{
	bytes_room(to, c->packed);
	if (ar->source.fetch)
		return ar->source.fetch(ar->source.ctx, c, to->at, err);
	return spool_read(&ar->spool, c->at, to->at, c->packed, err);
}

int archive_fetch(
	struct archive *ar, const struct chunk *chunk, const void **bytes, struct error *err)
{
	if (fetch(ar, chunk, &ar->packed, err))
		return -1;
	*bytes = ar->packed.at;
	return 0;
}

static int corrupt(struct error *err, const char *what)
{
	return error_set(err, ERROR_STORE, "store-corrupt",
		"the archived samples are damaged (%s); judge the run again from the server, or "
		"take "
		"another copy of the file",
		what);
}

static int unpack(
	const struct archive *ar, struct reader *r, const struct chunk *c, struct error *err)
{
	if (fetch(ar, c, &r->packed, err))
		return -1;
	/* the frame's own size is looked at first: the index alone must not cost memory */
	if (ZSTD_getFrameContentSize(r->packed.at, c->packed) != c->raw)
		return corrupt(err, "wrong size");
	bytes_room(&r->raw, c->raw);
	size_t n = ZSTD_decompressDCtx(ar->decompress, r->raw.at, c->raw, r->packed.at, c->packed);
	if (ZSTD_isError(n) || n != c->raw)
		return corrupt(err, "wrong checksum");
	decoder_begin(&r->decoder, r->raw.at, n);
	return 0;
}

static int read_answer(const struct archive *ar, size_t i, struct reader *r,
	int (*fn)(void *arg, const struct series *s), void *arg, struct error *err)
{
	size_t n_series = 0, n_samples = 0;
	for (size_t k = 0; k < ar->chunks.at[i].n; k++) {
		if (unpack(ar, r, &ar->chunks.at[i].at[k], err))
			return -1;
		struct series s;
		int more;
		while ((more = decoder_next(&r->decoder, &s, err)) > 0) {
			n_series++;
			n_samples += s.n;
			if (fn(arg, &s))
				return 0;
		}
		if (more < 0)
			return -1;
	}
	if (n_series != ar->answers.at[i].n_series || n_samples != ar->answers.at[i].n_samples)
		return corrupt(err, "series are missing");
	return 0;
}

/* Callbacks may read another answer meanwhile: each `each` has a reader of its own. */
static struct reader *reader_take(struct readers *readers)
{
	struct reader *r = readers->idle;
	if (r) {
		readers->idle = r->next;
		return r;
	}
	r = xmalloc(sizeof *r);
	*r = (struct reader){0};
	return r;
}

static int archive_each(const struct evidence *self, size_t i,
	int (*fn)(void *arg, const struct series *s), void *arg, struct error *err)
{
	const struct archive *ar = (const struct archive *)self; /* its first member */
	assert(i < ar->answers.n);
	struct reader *r = reader_take(ar->readers);
	int rc = read_answer(ar, i, r, fn, arg, err);
	r->next = ar->readers->idle;
	ar->readers->idle = r;
	if (rc)
		return error_wrap(
			err, "reading the answer to '%.200s'", ar->answers.at[i].query.text);
	return 0;
}
