/* Fetch: rounds of judging and asking, and the wait for late samples. */
#include "cli/fetch.h"

#include <string.h>
#include <time.h>

#include "base/duration.h"

/* targets, selectors, families, censuses and created series, with room to spare */
#define MAX_ROUNDS 8
#define POLL_S 2
#define LATE_MS (5LL * 60 * 1000)

struct batch { /* one source_fetch: what was asked, and where its answers go */
	const struct query *queries;
	struct archive *archive;
};

static int sink_begin(void *ctx, size_t i, struct error *err)
{
	struct batch *b = ctx;

	return archive_begin(b->archive, i, err);
}

/* A server that answers with another metric than was asked must not be believed. Canonical text
 * begins with the name, unless that needs quotes. */
static bool is_of_query(const struct query *q, const struct series *s)
{
	const char *name = labels_get(&s->labels, "__name__");
	size_t n = strcspn(q->text, "{");

	return q->kind != QUERY_RAW || !n || (strlen(name) == n && !strncmp(name, q->text, n));
}

static int sink_series(void *ctx, size_t i, const struct series *s, struct error *err)
{
	struct batch *b = ctx;
	const struct query *q = &b->queries[i];

	if (!is_of_query(q, s))
		return error_set(err, ERROR_SOURCE, "not-prometheus",
			"%s: the answer to '%.300s' holds series of '%.100s': is something between "
			"loadverdict and the server?",
			q->subject, q->text, labels_get(&s->labels, "__name__"));
	return archive_series(b->archive, i, s, err);
}

static int sink_end(void *ctx, size_t i, const struct answer *a, struct error *err)
{
	struct batch *b = ctx;

	return archive_end(b->archive, i, a, err);
}

static void sink_abandon(void *ctx, size_t i)
{
	struct batch *b = ctx;

	archive_abandon(b->archive, i);
}

static int ask(const struct fetch *f, const struct query *q, size_t n, struct archive *ar,
	struct error *err)
{
	struct batch batch = {q, ar};
	struct source_sink sink = {sink_begin, sink_series, sink_end, sink_abandon, &batch};

	return source_fetch(f->source, q, n, &sink, err);
}

static int judge_once(const struct fetch *f, struct arena *a, struct archive *ar,
	struct result *out, struct error *err)
{
	struct judge_input in = {.spec = f->spec,
		.window = f->window,
		.evidence = archive_evidence(ar),
		.has_load = f->has_load,
		.load = f->load,
		.rx = f->rx};

	return judge_run(&in, a, out, err);
}

/* Judges and asks until nothing is wanted. */
static int rounds(const struct fetch *f, struct arena *a, struct archive *ar, struct result *out,
	struct error *err)
{
	archive_set_asked(ar, clock_ms(), -1);
	for (int i = 0; i < MAX_ROUNDS; i++) {
		if (judge_once(f, a, ar, out, err))
			return -1;
		if (!out->wants.n)
			return 0;
		int rc = ask(f, out->wants.at, out->wants.n, ar, err);
		result_release(out);
		if (rc)
			return -1;
	}
	return error_set(err, ERROR_BUG, "internal",
		"the judge still wants queries after %d rounds", MAX_ROUNDS);
}

/* Only the targets' answers again: cheap enough to poll. */
static int refresh_targets(const struct fetch *f, struct arena *a, struct archive *ar,
	struct result *out, struct error *err)
{
	const struct evidence *e = archive_evidence(ar);
	ARRAY_OF(struct query) q = {0};

	for (size_t i = 0; i < e->n_answers; i++) {
		if (strcmp(e->answers[i].query.subject, "targets"))
			continue;
		struct query *copy = ARRAY_ADD(&q);
		*copy = e->answers[i].query;
		copy->text = arena_strdup(a, copy->text);
		copy->subject = "targets";
	}
	archive_set_asked(ar, clock_ms(), -1);
	int rc = ask(f, q.at, q.n, ar, err);
	ARRAY_RELEASE(&q);
	if (!rc) {
		result_release(out);
		rc = judge_once(f, a, ar, out, err);
	}
	return rc;
}

/* counting.md rule 3. Returns 1 if anything was waited for: then all must be asked again, so that
 * counters are never older than the scrapes that speak of them. */
static int settle(const struct fetch *f, struct arena *a, struct archive *ar, struct result *out,
	struct error *err)
{
	int64_t until = clock_ms() + f->settle_ms;
	bool waited = false;

	while (out->lagging.n && clock_ms() < until && clock_ms() - f->window.end_ms < LATE_MS) {
		if (!waited)
			progress_say(f->progress,
				"waiting for late samples: %zu target%s, first %s (at most %lld s; "
				"--settle 0 does not wait)",
				out->lagging.n, out->lagging.n == 1 ? "" : "s", out->lagging.first,
				(long long)(f->settle_ms / 1000));
		waited = true;
		nanosleep(&(struct timespec){POLL_S, 0}, NULL);
		if (refresh_targets(f, a, ar, out, err))
			return -1;
	}
	return waited;
}

static int from_server(const struct fetch *f, struct arena *a, struct archive **archive,
	struct result *out, struct error *err)
{
	if (archive_new(archive, err) || rounds(f, a, *archive, out, err))
		return -1;
	int waited = settle(f, a, *archive, out, err);
	if (waited < 0)
		return -1;
	if (waited) {
		result_release(out);
		archive_free(*archive);
		*archive = NULL;
		if (archive_new(archive, err) || rounds(f, a, *archive, out, err))
			return -1;
	}
	if (!out->quality.targets) {
		int64_t asked = archive_evidence(*archive)->asked_ms;
		archive_set_asked(*archive, asked, source_retention_ms(f->source));
		result_release(out);
		return judge_once(f, a, *archive, out, err);
	}
	return 0;
}

int fetch_and_judge(const struct fetch *f, struct arena *a, struct archive **archive,
	struct result *out, struct error *err)
{
	int rc = f->source ? from_server(f, a, archive, out, err)
			   : judge_once(f, a, *archive, out, err);

	progress_end(f->progress);
	return rc;
}
