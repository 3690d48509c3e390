/* Source: opens and closes a server, starts batches, and asks for its retention. */
#include "source/source.h"

#include <stdio.h>
#include <yajl/yajl_tree.h>

#include "base/duration.h"
#include "source/transfer.h"

enum { MAX_PARALLEL = 64, SMALL_BODY = 16384 };

const struct source_limits source_limits_default = {
	.body_bytes = (int64_t)4 << 30,
	.series = 1000000,
	.samples = 1000000,
	.label_bytes = 65536,
	.labels = 256,
	.depth = 32,
	.deadline_ms = 600000,
	.retries = 4,
};

int source_open(const struct source_spec *spec, const struct source_limits *limits,
	const struct source_progress *progress, struct source **out, struct error *err)
{
	struct url_parts url;
	if (url_split(spec->url, &url, err))
		return -1;
	if (curl_global_init(CURL_GLOBAL_DEFAULT))
		return error_set(err, ERROR_BUG, "internal", "libcurl cannot be started");
	struct source *s = xmalloc(sizeof *s);
	int parallel = spec->parallel < 1 ? 1 : spec->parallel;
	*s = (struct source){
		.spec = spec,
		.limits = limits ? *limits : source_limits_default,
		.progress = progress ? *progress : (struct source_progress){0},
		.url = url,
		.query_url = STRBUF_INIT,
		.n_slots = (size_t)(parallel > MAX_PARALLEL ? MAX_PARALLEL : parallel),
		.chance = (uint64_t)clock_wall_ms(),
	};
	url_add(&s->query_url, &url, "/api/v1/query");
	if (access_open(&s->access, spec, &url, err) || transfer_open(s, err)) {
		source_close(s);
		return -1;
	}
	*out = s;
	return 0;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	transfer_close(s);
	access_close(&s->access);
	strbuf_release(&s->query_url);
	free(s);
	curl_global_cleanup();
}

int source_fetch(struct source *s, const struct query *q, size_t n, const struct source_sink *sink,
	struct error *err)
{
	int64_t start = clock_monotonic_ms();
	struct batch b = {
		.queries = q,
		.n = n,
		.sink = sink,
		.deadline_ms = start + s->limits.deadline_ms - s->spent_ms,
	};
	int failed = transfer_run(s, &b, err);
	s->spent_ms += clock_monotonic_ms() - start;
	return failed;
}

static size_t on_small_body(char *data, size_t size, size_t n, void *ctx)
{
	struct strbuf *b = ctx;
	(void)size;
	if (b->n + n > SMALL_BODY)
		return 0;
	strbuf_add(b, data, n);
	return n;
}

/* "15d", "15d or 10GiB"; "10GiB" alone bounds no time. */
static int64_t retention_of(const char *body)
{
	const char *path[] = {"data", "storageRetention", NULL};
	yajl_val tree = yajl_tree_parse(body, NULL, 0);
	yajl_val v = yajl_tree_get(tree, path, yajl_t_string);
	char text[64] = "";
	int64_t ms = -1;
	if (v)
		snprintf(text, sizeof text, "%s", v->u.string);
	text[strcspn(text, " ")] = 0;
	if (!duration_parse(text, &ms) || ms <= 0)
		ms = -1;
	yajl_tree_free(tree);
	return ms;
}

int64_t source_retention_ms(struct source *s)
{
	int64_t start = clock_monotonic_ms(), ms = -1;
	int64_t left = s->limits.deadline_ms - s->spent_ms;
	int64_t timeout = s->spec->timeout_ms < left ? s->spec->timeout_ms : left;
	CURL *easy = timeout > 0 ? connect_handle(s) : NULL;
	if (!easy)
		return -1;
	struct strbuf url = STRBUF_INIT, body = STRBUF_INIT;
	long status = 0;
	url_add(&url, &s->url, "/api/v1/status/runtimeinfo");
	curl_easy_setopt(easy, CURLOPT_URL, url.at);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)timeout);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_small_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
	if (!curl_easy_perform(easy) && !curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) &&
		status == 200)
		ms = retention_of(body.at);
	curl_easy_cleanup(easy);
	strbuf_release(&url);
	strbuf_release(&body);
	s->spent_ms += clock_monotonic_ms() - start;
	return ms;
}
