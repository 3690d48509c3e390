/* Decode: the JSON answer of /api/v1/query, streamed: bytes in, one series at a time out. Feeds
 * yajl and the lane, and judges the answer as a whole. Knows nothing of HTTP. */
#include "source/decode.h"

#include <inttypes.h>

#include "source/grammar.h"
#include "source/lane.h"
#include "source/words.h"

static void *yajl_malloc(void *ctx, size_t n)
{
	(void)ctx;
	return xmalloc(n);
}

static void *yajl_remalloc(void *ctx, void *p, size_t n)
{
	(void)ctx;
	return xrealloc(p, n);
}

static void yajl_release(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

struct decode *decode_new(const struct source_limits *limits)
{
	struct decode *d = xmalloc(sizeof *d);
	*d = (struct decode){.limits = limits,
		.error = STRBUF_INIT,
		.error_type = STRBUF_INIT,
		.warning = STRBUF_INIT};
	d->stack = xmalloc((size_t)limits->depth + 1);
	for (size_t i = 0; i < MAX_INFOS; i++)
		d->info[i] = (struct strbuf)STRBUF_INIT;
	collect_init(&d->collect, limits);
	return d;
}

static void close_yajl(struct decode *d)
{
	if (d->yajl)
		yajl_free(d->yajl);
	d->yajl = NULL;
}

void decode_free(struct decode *d)
{
	if (!d)
		return;
	close_yajl(d);
	collect_release(&d->collect);
	strbuf_release(&d->error);
	strbuf_release(&d->error_type);
	strbuf_release(&d->warning);
	for (size_t i = 0; i < MAX_INFOS; i++)
		strbuf_release(&d->info[i]);
	free(d->stack);
	free(d);
}

void decode_begin(
	struct decode *d, const struct query *q, bool nan_is_stale, series_fn *fn, void *ctx)
{
	static yajl_alloc_funcs memory = {yajl_malloc, yajl_remalloc, yajl_release, NULL};
	close_yajl(d);
	d->yajl = yajl_alloc(&grammar_callbacks, &memory, d);
	/* yajl would refuse the whole body for one bad byte in a label: collect repairs it instead
	 */
	yajl_config(d->yajl, yajl_dont_validate_strings, 1);
	collect_answer(&d->collect, q, nan_is_stale, fn, ctx);
	d->depth = 0;
	d->stack[0] = ROOT;
	d->key = KEY_OTHER;
	d->had = 0;
	d->item = 0;
	d->before = d->bytes = d->quiet = 0;
	d->success = d->scalar = d->cut = false;
	d->type[0] = 0;
	strbuf_clear(&d->error);
	strbuf_clear(&d->error_type);
	strbuf_clear(&d->warning);
	for (size_t i = 0; i < MAX_INFOS; i++)
		strbuf_clear(&d->info[i]);
	d->n_infos = 0;
}

static int not_json(struct decode *d)
{
	struct strbuf head = STRBUF_INIT;
	words_of_body(&head, d->head, (size_t)(d->bytes < HEAD ? d->bytes : HEAD));
	error_set(d->err, ERROR_SOURCE, "not-prometheus", "the answer is not valid JSON%s%s; %s",
		head.n ? "; it begins with: " : "", head.at, grammar_hint);
	strbuf_release(&head);
	return -1;
}

static int feed_yajl(struct decode *d, const char *bytes, size_t n)
{
	if (!n)
		return 0;
	d->quiet += (int64_t)n;
	yajl_status status = yajl_parse(d->yajl, (const unsigned char *)bytes, n);
	d->before += (int64_t)n;
	if (status == yajl_status_error)
		return not_json(d);
	return status == yajl_status_client_canceled ? -1 : 0;
}

/* yajl reads on until a place where a sample is due; there the lane takes what it can. yajl sees a
 * list that is shorter, and it sees every end, every oddity and every error. */
static int feed_piece(struct decode *d, const char *bytes, size_t n)
{
	for (size_t at = 0; at < n;) {
		size_t stop = at + lane_find(bytes + at, n - at), taken = 0;
		if (feed_yajl(d, bytes + at, stop - at))
			return -1;
		at = stop;
		if (at == n || grammar_place(d) != VALUES)
			continue;
		if (lane_take(&d->collect, bytes + at, n - at, &taken, d->err))
			return -1;
		d->before += (int64_t)taken;
		at += taken;
	}
	return 0;
}

int decode_feed(struct decode *d, const char *bytes, size_t n, struct error *err)
{
	d->err = err;
	if (d->bytes < HEAD)
		memcpy(d->head + d->bytes, bytes,
			n < (size_t)(HEAD - d->bytes) ? n : (size_t)(HEAD - d->bytes));
	d->bytes += (int64_t)n;
	if (d->bytes > d->limits->body_bytes)
		return error_set(err, ERROR_SOURCE, "too-large",
			"the answer has more than %" PRId64 " bytes: narrow the selector",
			d->limits->body_bytes);
	if (feed_piece(d, bytes, n))
		return -1;
	/* yajl keeps an unfinished token: six bytes may be one escaped character */
	if (d->quiet > d->limits->label_bytes * 6 + 65536)
		return error_set(err, ERROR_SOURCE, "too-large",
			"the answer holds one text of more than %" PRId64 " bytes",
			d->limits->label_bytes);
	return 0;
}

static int check_whole(struct decode *d)
{
	if (!grammar_had(d, KEY_STATUS))
		return grammar_odd(d, "no \"status\"");
	if (!d->success)
		return error_set(d->err, ERROR_SOURCE, "refused", "the server says: %s%s%s",
			d->error_type.at, d->error_type.n ? ": " : "",
			d->error.n ? d->error.at : "(nothing)");
	if (d->warning.n)
		return error_set(d->err, ERROR_SOURCE, "incomplete-answer",
			"the answer is not whole, the server warns: %s; try again when all its "
			"stores are up",
			d->warning.at);
	if (!*d->type || !grammar_had(d, KEY_RESULT))
		return grammar_odd(d, "no \"resultType\" or no \"result\"");
	if (d->scalar != !strcmp(d->type, "scalar"))
		return grammar_odd(d, "a \"result\" of another type than \"resultType\"");
	return 0;
}

int decode_end(struct decode *d, struct answer *out, struct error *err)
{
	d->err = err;
	yajl_status status = yajl_complete_parse(d->yajl);
	if (status == yajl_status_client_canceled)
		return -1;
	if (status == yajl_status_error || !d->bytes) {
		d->cut = true;
		return error_set(err, ERROR_SOURCE, "incomplete-answer",
			d->bytes ? "the answer ends in the middle, after %" PRId64 " bytes"
				 : "the answer is empty (%" PRId64 " bytes)",
			d->bytes);
	}
	if (check_whole(d))
		return -1;
	for (size_t i = 0; i < d->n_infos; i++)
		d->infos[i] = d->info[i].at;
	d->infos[d->n_infos] = NULL;
	*out = (struct answer){
		.query = *d->collect.query,
		.n_series = d->collect.n_series,
		.n_samples = d->collect.n_samples,
		.infos = d->infos,
		.repaired = d->collect.repaired,
	};
	return 0;
}

bool decode_was_cut(const struct decode *d)
{
	return d->cut;
}

bool decode_was_stopped(const struct decode *d)
{
	return d->collect.stopped;
}

size_t decode_samples(const struct decode *d)
{
	return d->collect.n_samples;
}
