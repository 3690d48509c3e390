/* Transfer: runs a batch of queries over a few kept-alive connections; retries, gives up, tells.
 * Knows nothing of what an answer means: that is decode's and the sink's. */
#include "source/transfer.h"

#include <inttypes.h>

#include "source/retry.h"
#include "source/words.h"

enum { ERROR_BODY_MAX = 16384, POLL_MS = 200, TELL_MS = 100 };

static uint32_t chance(struct source *s)
{
	s->chance = s->chance * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(s->chance >> 32);
}

static int status_of(const struct slot *slot)
{
	long status = 0;
	curl_easy_getinfo(slot->easy, CURLINFO_RESPONSE_CODE, &status);
	return (int)status;
}

static const char *header_of(const struct slot *slot, const char *name)
{
	struct curl_header *h = NULL;
	if (curl_easy_header(slot->easy, name, 0, CURLH_HEADER, -1, &h))
		return NULL;
	return h->value;
}

static int on_series(void *ctx, const struct series *s, struct error *err)
{
	struct slot *slot = ctx;
	const struct source_sink *sink = slot->batch->sink;
	return sink->series ? sink->series(sink->ctx, slot->i, s, err) : 0;
}

static int begin_answer(struct slot *slot)
{
	const struct source_sink *sink = slot->batch->sink;
	if (sink->begin && sink->begin(sink->ctx, slot->i, &slot->err)) {
		slot->stopped = slot->stopped_by_sink = true;
		return -1;
	}
	slot->begun = true;
	/* Every VictoriaMetrics names itself so, and Prometheus, Thanos and Mimir never do. */
	bool victoria = header_of(slot, "X-Server-Hostname") != NULL;
	decode_begin(slot->decode, &slot->batch->queries[slot->i], victoria, on_series, slot);
	return 0;
}

static int feed(struct slot *slot, const char *data, size_t n)
{
	if (slot->stopped || (!slot->begun && begin_answer(slot)))
		return -1;
	if (decode_feed(slot->decode, data, n, &slot->err)) {
		slot->stopped = true;
		slot->stopped_by_sink = decode_was_stopped(slot->decode);
		return -1;
	}
	return 0;
}

static size_t on_body(char *data, size_t size, size_t n, void *ctx)
{
	struct slot *slot = ctx;
	(void)size;
	slot->bytes += (int64_t)n;
	slot->batch->bytes += (int64_t)n;
	if (status_of(slot) == 200)
		return feed(slot, data, n) ? 0 : n;
	size_t room = ERROR_BODY_MAX - slot->body.n;
	strbuf_add(&slot->body, data, n < room ? n : room);
	return n;
}

static int64_t min_ms(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void abandon(struct slot *slot)
{
	const struct source_sink *sink = slot->batch->sink;
	if (slot->begun && sink->abandon)
		sink->abandon(sink->ctx, slot->i);
	slot->begun = false;
}

static int out_of_time(const struct slot *slot, struct error *err);

static int send_request(struct slot *slot, struct error *err)
{
	struct source *s = slot->source;
	int64_t now = clock_monotonic_ms();
	slot->timeout_ms = min_ms(s->spec->timeout_ms, slot->batch->deadline_ms - now);
	if (slot->timeout_ms <= 0)
		return out_of_time(slot, err);
	slot->started_ms = now;
	slot->begun = slot->stopped = slot->stopped_by_sink = false;
	slot->bytes = 0;
	slot->curl_text[0] = 0;
	strbuf_clear(&slot->body);
	strbuf_clear(&slot->url);
	strbuf_adds(&slot->url, s->query_url.at);
	slot->sent_get = s->use_get;
	if (slot->sent_get) {
		strbuf_addf(&slot->url, "?%s", slot->form.at);
		curl_easy_setopt(slot->easy, CURLOPT_HTTPGET, 1L);
	} else {
		curl_easy_setopt(slot->easy, CURLOPT_POST, 1L);
		curl_easy_setopt(slot->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)slot->form.n);
		curl_easy_setopt(slot->easy, CURLOPT_POSTFIELDS, slot->form.at);
	}
	curl_easy_setopt(slot->easy, CURLOPT_URL, slot->url.at);
	curl_easy_setopt(slot->easy, CURLOPT_TIMEOUT_MS, (long)slot->timeout_ms);
	slot->state = SLOT_RUNNING;
	if (curl_multi_add_handle(s->multi, slot->easy))
		error_out_of_memory();
	return 0;
}

static int take_query(struct slot *slot, struct batch *b, struct error *err)
{
	slot->batch = b;
	slot->i = b->next++;
	slot->failed = slot->failed_500 = 0;
	strbuf_clear(&slot->form);
	request_form(&slot->form, slot->source->spec, &b->queries[slot->i]);
	return send_request(slot, err);
}

static struct attempt attempt_of(const struct slot *slot, CURLcode code)
{
	char *location = NULL;
	curl_easy_getinfo(slot->easy, CURLINFO_REDIRECT_URL, &location);
	return (struct attempt){
		.spec = slot->source->spec,
		.url = slot->source->query_url.at,
		.user_in_url = slot->source->url.user_n > 0,
		.query = &slot->batch->queries[slot->i],
		.tries = slot->failed,
		.timeout_ms = slot->timeout_ms,
		.curl = code,
		.curl_text = slot->curl_text,
		.status = status_of(slot),
		.location = location,
		.body = slot->body.at,
		.body_n = slot->body.n,
	};
}

static int out_of_time(const struct slot *slot, struct error *err)
{
	struct attempt a = attempt_of(slot, CURLE_OK);
	error_set(err, ERROR_SOURCE, "timed-out",
		"all queries together took longer than %" PRId64 " s; narrow the selectors or "
		"shorten the window",
		slot->source->limits.deadline_ms / 1000);
	return failure_context(&a, err);
}

static enum failure failure_of(CURLcode code)
{
	switch (code) {
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	case CURLE_BAD_CONTENT_ENCODING:
		return FAILURE_BROKEN;
	case CURLE_COULDNT_CONNECT:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		return FAILURE_NO_CONTACT;
	default:
		return FAILURE_FINAL;
	}
}

static void tell_line(const struct slot *slot, const struct answer *a)
{
	const struct source *s = slot->source;
	if (!s->progress.verbose)
		return;
	struct strbuf b = STRBUF_INIT, text = STRBUF_INIT;
	request_query(&text, &slot->batch->queries[slot->i]);
	strbuf_addf(&b, "%s %s ", slot->sent_get ? "GET" : "POST", s->query_url.at);
	words_add(&b, text.at, text.n, WORDS_MAX);
	strbuf_addf(&b, ": HTTP %d, %" PRId64 " bytes, %" PRId64 " ms", status_of(slot),
		slot->bytes, clock_monotonic_ms() - slot->started_ms);
	if (a)
		strbuf_addf(&b, ", %zu series, %zu samples", a->n_series, a->n_samples);
	access_scrub(&s->access, b.at);
	s->progress.verbose(s->progress.ctx, b.at);
	strbuf_release(&text);
	strbuf_release(&b);
}

static void tell_progress(const struct source *s, struct batch *b, bool always)
{
	int64_t now = clock_monotonic_ms();
	if (!s->progress.update || (!always && now - b->told_ms < TELL_MS))
		return;
	b->told_ms = now;
	int64_t samples = b->samples;
	for (size_t i = 0; i < s->n_slots; i++)
		if (s->slots[i].state == SLOT_RUNNING && s->slots[i].begun)
			samples += (int64_t)decode_samples(s->slots[i].decode);
	s->progress.update(s->progress.ctx, b->done, b->n, samples, b->bytes);
}

/* Goes to sleep before another try (0), or gives up with `why` in err (-1). */
static int retry_or_fail(
	struct slot *slot, enum failure failure, struct error *why, struct error *err)
{
	struct source *s = slot->source;
	const char *wish = header_of(slot, "Retry-After");
	int64_t now = clock_monotonic_ms();
	struct retry_case c = {
		.failure = failure,
		.status = status_of(slot),
		.failed = slot->failed,
		.failed_500 = slot->failed_500,
		.retries = s->limits.retries,
		.known = s->known,
		.retry_after_ms = failure == FAILURE_STATUS && wish
					  ? retry_after_ms(wish, clock_wall_ms())
					  : -1,
		.left_ms = slot->batch->deadline_ms - now,
		.chance = chance(s),
	};
	int64_t wait = retry_wait_ms(&c);
	access_scrub(&s->access, why->text);
	tell_line(slot, NULL);
	abandon(slot);
	if (wait < 0) {
		*err = *why;
		return -1;
	}
	if (s->progress.retry)
		s->progress.retry(s->progress.ctx, why->text, wait);
	slot->state = SLOT_SLEEPING;
	slot->wake_ms = now + wait;
	return 0;
}

static int failed_with(struct slot *slot, CURLcode code, struct error *err)
{
	struct error why;
	int status = status_of(slot);
	slot->failed++;
	slot->failed_500 += !code && status == 500;
	struct attempt a = attempt_of(slot, code);
	if (code)
		failure_of_curl(&a, &why);
	else
		failure_of_status(&a, &why);
	return retry_or_fail(slot, code ? failure_of(code) : FAILURE_STATUS, &why, err);
}

/* The body was no good: slot->err says why. */
static int refused_body(struct slot *slot, bool cut, struct error *err)
{
	if (slot->stopped_by_sink) {
		abandon(slot);
		*err = slot->err;
		return -1;
	}
	slot->failed++;
	struct attempt a = attempt_of(slot, CURLE_OK);
	failure_context(&a, &slot->err);
	return retry_or_fail(slot, cut ? FAILURE_BROKEN : FAILURE_FINAL, &slot->err, err);
}

static int answered(struct slot *slot, struct error *err)
{
	struct batch *b = slot->batch;
	struct answer a;
	if (!slot->begun && begin_answer(slot))
		return refused_body(slot, false, err);
	if (decode_end(slot->decode, &a, &slot->err)) {
		slot->stopped_by_sink = decode_was_stopped(slot->decode);
		return refused_body(slot, decode_was_cut(slot->decode), err);
	}
	slot->source->known = true;
	tell_line(slot, &a);
	slot->begun = false;
	slot->state = SLOT_IDLE;
	b->done++;
	b->samples += (int64_t)a.n_samples;
	tell_progress(slot->source, b, true);
	return b->sink->end ? b->sink->end(b->sink->ctx, slot->i, &a, err) : 0;
}

static int finished(struct slot *slot, CURLcode code, struct error *err)
{
	struct source *s = slot->source;
	curl_multi_remove_handle(s->multi, slot->easy);
	slot->state = SLOT_IDLE;
	if (slot->stopped)
		return refused_body(slot, false, err);
	if (code)
		return failed_with(slot, code, err);
	int status = status_of(slot);
	if (status == 405 && !slot->sent_get) {
		s->use_get = true;
		return send_request(slot, err);
	}
	return status == 200 ? answered(slot, err) : failed_with(slot, CURLE_OK, err);
}

static int start_and_wake(struct source *s, struct batch *b, struct error *err)
{
	int64_t now = clock_monotonic_ms();
	for (size_t i = 0; i < s->n_slots; i++) {
		struct slot *slot = &s->slots[i];
		int failed = 0;
		if (slot->state == SLOT_IDLE && b->next < b->n)
			failed = take_query(slot, b, err);
		else if (slot->state == SLOT_SLEEPING && slot->wake_ms <= now)
			failed = send_request(slot, err);
		if (failed)
			return -1;
	}
	return 0;
}

static int collect_finished(struct source *s, struct error *err)
{
	int left = 0;
	for (CURLMsg *m; (m = curl_multi_info_read(s->multi, &left));) {
		if (m->msg != CURLMSG_DONE)
			continue;
		char *slot = NULL;
		CURLcode code = m->data.result; /* the message dies with the handle's removal */
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &slot);
		if (finished((struct slot *)(void *)slot, code, err))
			return -1;
	}
	return 0;
}

static int nearest_wake_ms(const struct source *s)
{
	int64_t wait = POLL_MS, now = clock_monotonic_ms();
	for (size_t i = 0; i < s->n_slots; i++)
		if (s->slots[i].state == SLOT_SLEEPING)
			wait = min_ms(wait, s->slots[i].wake_ms - now);
	return wait > 0 ? (int)wait : 0;
}

static void stop_all(struct source *s)
{
	for (size_t i = 0; i < s->n_slots; i++) {
		struct slot *slot = &s->slots[i];
		if (slot->state == SLOT_RUNNING) {
			curl_multi_remove_handle(s->multi, slot->easy);
			abandon(slot);
		}
		slot->state = SLOT_IDLE;
	}
}

int transfer_run(struct source *s, struct batch *b, struct error *err)
{
	struct error own = {0};
	err = err ? err : &own;
	while (b->done < b->n) {
		int running = 0;
		if (start_and_wake(s, b, err) || (curl_multi_perform(s->multi, &running), 0) ||
			collect_finished(s, err)) {
			stop_all(s);
			access_scrub(&s->access, err->text);
			return -1;
		}
		tell_progress(s, b, false);
		if (b->done < b->n && curl_multi_poll(s->multi, NULL, 0, nearest_wake_ms(s), NULL))
			error_out_of_memory();
	}
	return 0;
}

static int open_slot(struct source *s, struct slot *slot)
{
	*slot = (struct slot){.source = s,
		.form = STRBUF_INIT,
		.url = STRBUF_INIT,
		.body = STRBUF_INIT,
		.easy = connect_handle(s),
		.decode = decode_new(&s->limits)};
	if (!slot->easy)
		return -1;
	curl_easy_setopt(slot->easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(slot->easy, CURLOPT_WRITEDATA, slot);
	curl_easy_setopt(slot->easy, CURLOPT_PRIVATE, slot);
	curl_easy_setopt(slot->easy, CURLOPT_ERRORBUFFER, slot->curl_text);
	return 0;
}

int transfer_open(struct source *s, struct error *err)
{
	s->multi = curl_multi_init();
	if (!s->multi)
		return error_set(err, ERROR_BUG, "internal", "libcurl cannot be started");
	curl_multi_setopt(s->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)s->n_slots);
	s->slots = xmalloc(s->n_slots * sizeof *s->slots);
	memset(s->slots, 0, s->n_slots * sizeof *s->slots);
	for (size_t i = 0; i < s->n_slots; i++)
		if (open_slot(s, &s->slots[i]))
			return error_set(err, ERROR_BUG, "internal", "libcurl cannot be started");
	return 0;
}

void transfer_close(struct source *s)
{
	for (size_t i = 0; s->slots && i < s->n_slots; i++) {
		struct slot *slot = &s->slots[i];
		if (!slot->source)
			break;
		curl_easy_cleanup(slot->easy);
		decode_free(slot->decode);
		strbuf_release(&slot->form);
		strbuf_release(&slot->url);
		strbuf_release(&slot->body);
	}
	free(s->slots);
	curl_multi_cleanup(s->multi);
}
