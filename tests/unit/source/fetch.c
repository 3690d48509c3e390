/* Fetching in tests: runs a batch against a server and keeps all that the sink was told. */
#include "fetch.h"

#include <stdlib.h>
#include <string.h>

static int on_begin(void *ctx, size_t i, struct error *err)
{
	struct fetched *f = ctx;
	if (f->refuse_begin)
		return error_set(err, ERROR_STORE, "store-failed", "no begin");
	if (f->open[i])
		abort();
	f->open[i] = true;
	f->begun[i]++;
	return 0;
}

static int on_series(void *ctx, size_t i, const struct series *s, struct error *err)
{
	struct fetched *f = ctx;
	if (f->refuse_series)
		return error_set(err, ERROR_STORE, "store-failed", "no series");
	if (!f->open[i])
		abort();
	labels_print(&f->series[i], &s->labels);
	for (size_t k = 0; k < s->n; k++)
		strbuf_addf(&f->series[i], " %lld=%s", (long long)s->t_ms[k],
			sample_is_stale(s->value[k]) ? "stale" : ""),
			strbuf_addf(&f->series[i], "%g", s->value[k]);
	strbuf_addc(&f->series[i], ';');
	return 0;
}

static int on_end(void *ctx, size_t i, const struct answer *a, struct error *err)
{
	struct fetched *f = ctx;
	if (!f->open[i])
		abort();
	f->open[i] = false;
	if (f->refuse_end)
		return error_set(err, ERROR_STORE, "store-failed", "no end");
	f->ended[i]++;
	f->answer[i] = *a;
	f->answer[i].infos = NULL;
	return 0;
}

static void on_abandon(void *ctx, size_t i)
{
	struct fetched *f = ctx;
	if (!f->open[i])
		abort();
	f->open[i] = false;
	f->abandoned[i]++;
	strbuf_clear(&f->series[i]);
}

static void on_retry(void *ctx, const char *why, int64_t wait_ms)
{
	struct fetched *f = ctx;
	strbuf_addf(&f->retries, "%lld %s\n", (long long)wait_ms, why);
}

static void on_verbose(void *ctx, const char *line)
{
	struct fetched *f = ctx;
	strbuf_addf(&f->lines, "%s\n", line);
}

static void on_update(void *ctx, size_t done, size_t total, int64_t samples, int64_t bytes)
{
	struct fetched *f = ctx;
	strbuf_clear(&f->updates);
	strbuf_addf(&f->updates, "%zu/%zu %lld %lld", done, total, (long long)samples,
		(long long)bytes);
}

int fetch(struct fetched *f, const struct source_spec *spec, const struct source_limits *limits,
	const struct query *q, size_t n)
{
	struct source *s = NULL;
	const struct source_progress progress = {on_update, on_retry, on_verbose, f};
	const struct source_sink sink = {on_begin, on_series, on_end, on_abandon, f};
	for (int i = 0; i < 8; i++)
		f->series[i] = (struct strbuf)STRBUF_INIT;
	f->retries = f->lines = f->updates = (struct strbuf)STRBUF_INIT;
	if (source_open(spec, limits, &progress, &s, &f->err))
		return -1;
	int failed = source_fetch(s, q, n, &sink, &f->err);
	source_close(s);
	for (int i = 0; i < 8; i++)
		if (f->open[i])
			abort(); /* every answer is ended or abandoned */
	return failed;
}

int fetch_up(struct fetched *f, const struct source_spec *spec, const struct source_limits *limits)
{
	static const struct query up = {QUERY_RAW, "up", 1000, 9000, "targets"};
	return fetch(f, spec, limits, &up, 1);
}

void fetched_release(struct fetched *f)
{
	for (int i = 0; i < 8; i++)
		strbuf_release(&f->series[i]);
	strbuf_release(&f->retries);
	strbuf_release(&f->lines);
	strbuf_release(&f->updates);
}

struct source_spec spec_for(const char *url)
{
	return (struct source_spec){.url = url, .timeout_ms = 60000, .parallel = 4};
}
