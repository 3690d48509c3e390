/* Fake server: an HTTP server on 127.0.0.1 that answers as it was told. Knows nothing of
 * loadverdict. */
#include "fake_server.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "fake_server_tls.h"

struct fake_server {
	struct MHD_Daemon *daemon;
	const struct fake_reply *replies;
	size_t n_replies;
	int *used;
	char *upstream;
	char url[64];
	int port;
	pthread_mutex_t lock; /* of used and requests */
	ARRAY_OF(struct fake_request *) requests;
	void (*listener)(void *arg, const struct fake_request *r);
	void *listener_arg;
};

struct call { /* one request under way */
	struct strbuf body;
};

struct sent { /* the body of one answer */
	char *bytes;
	size_t n, cut_after;
};

static char *decoded(const char *s, size_t n, bool plus)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < n; i++) {
		unsigned v = 0;
		if (s[i] == '%' && i + 2 < n && sscanf(s + i + 1, "%2x", &v) == 1) {
			strbuf_addc(&b, (char)v);
			i += 2;
		} else {
			strbuf_addc(&b, s[i] == '+' && plus ? ' ' : s[i]);
		}
	}
	char *out = xstrdup(b.at);
	strbuf_release(&b);
	return out;
}

static enum MHD_Result add_header(
	void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
	(void)kind;
	strbuf_addf(ctx, "%s: %s\n", name, value ? value : "");
	return MHD_YES;
}

static enum MHD_Result add_argument(
	void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct strbuf *b = ctx;
	(void)kind;
	strbuf_addf(b, "%c%s=%s", strchr(b->at, '?') ? '&' : '?', name, value ? value : "");
	return MHD_YES;
}

static struct fake_request *request_of(
	struct MHD_Connection *c, const char *method, const char *url, const struct strbuf *body)
{
	struct fake_request *r = xmalloc(sizeof *r);
	struct strbuf headers = STRBUF_INIT, path = STRBUF_INIT;
	MHD_get_connection_values(c, MHD_HEADER_KIND, add_header, &headers);
	strbuf_adds(&path, url);
	MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, add_argument, &path);
	*r = (struct fake_request){
		.method = xstrdup(method),
		.path = xstrdup(path.at),
		.form = decoded(body->at, body->n, true),
		.headers = xstrdup(headers.at),
	};
	strbuf_release(&headers);
	strbuf_release(&path);
	return r;
}

static const struct fake_reply *reply_for(struct fake_server *s, struct fake_request *r)
{
	static const struct fake_reply none = {.status = 404, .body = "no reply is scripted\n"};
	const struct fake_reply *found = &none;
	pthread_mutex_lock(&s->lock);
	*ARRAY_ADD(&s->requests) = r;
	for (size_t i = 0; i < s->n_replies; i++) {
		const struct fake_reply *at = &s->replies[i];
		if (at->times && s->used[i] >= at->times)
			continue;
		if (at->match && !strstr(r->path, at->match) && !strstr(r->form, at->match))
			continue;
		s->used[i]++;
		found = at;
		break;
	}
	if (s->listener)
		s->listener(s->listener_arg, r);
	pthread_mutex_unlock(&s->lock);
	return found;
}

static size_t on_upstream(char *data, size_t size, size_t n, void *ctx)
{
	strbuf_add(ctx, data, size * n);
	return size * n;
}

/* Asks upstream the same; the status, 502 if it cannot be had. */
static int ask_upstream(const struct fake_server *s, const struct fake_request *r, const char *path,
	const struct strbuf *form, struct strbuf *body, bool *victoria)
{
	struct strbuf url = STRBUF_INIT;
	struct curl_header *h = NULL;
	long status = 502;
	CURL *easy = curl_easy_init();
	strbuf_addf(&url, "%s%s", s->upstream ? s->upstream : "", path);
	const char *query = strchr(r->path, '?');
	for (; query && *query; query++) /* decoded: what must not stand in a URL goes back */
		if (strchr(" {}\"[]+%#", *query))
			strbuf_addf(&url, "%%%02X", (unsigned char)*query);
		else
			strbuf_addc(&url, *query);
	curl_easy_setopt(easy, CURLOPT_URL, url.at);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_upstream);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
	if (!strcmp(r->method, "POST")) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)form->n);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, form->at);
	}
	if (!curl_easy_perform(easy))
		curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	*victoria = !curl_easy_header(easy, "X-Server-Hostname", 0, CURLH_HEADER, -1, &h);
	curl_easy_cleanup(easy);
	strbuf_release(&url);
	return (int)status;
}

static ssize_t give(void *ctx, uint64_t at, char *buffer, size_t max)
{
	struct sent *sent = ctx;
	size_t end = sent->cut_after && sent->cut_after < sent->n ? sent->cut_after : sent->n;
	if (at >= end)
		return end < sent->n ? MHD_CONTENT_READER_END_WITH_ERROR
				     : MHD_CONTENT_READER_END_OF_STREAM;
	size_t n = end - at < max ? end - at : max;
	memcpy(buffer, sent->bytes + at, n);
	return (ssize_t)n;
}

static void forget_sent(void *ctx)
{
	struct sent *sent = ctx;
	free(sent->bytes);
	free(sent);
}

static void add_headers(struct MHD_Response *r, const char *lines)
{
	while (lines && *lines) {
		char line[1024];
		size_t n = strcspn(lines, "\n");
		snprintf(line, sizeof line, "%.*s", (int)n, lines);
		lines += n + (lines[n] == '\n');
		char *colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon++ = 0;
		MHD_add_response_header(r, line, colon + strspn(colon, " "));
	}
}

static enum MHD_Result answer(struct fake_server *s, struct MHD_Connection *c,
	const struct fake_request *request, const char *url, const struct call *call,
	const struct fake_reply *reply)
{
	struct strbuf body = STRBUF_INIT;
	int status = reply->status;
	bool victoria = false;
	nanosleep(&(struct timespec){reply->delay_ms / 1000, reply->delay_ms % 1000 * 1000000L},
		NULL);
	if (reply->pass)
		status = ask_upstream(s, request, url, &call->body, &body, &victoria);
	else if (reply->body)
		strbuf_add(&body, reply->body, reply->length ? reply->length : strlen(reply->body));
	if (!status) {
		strbuf_release(&body);
		return MHD_NO;
	}
	struct sent *sent = xmalloc(sizeof *sent);
	*sent = (struct sent){xmalloc(body.n + 1), body.n, reply->cut_after};
	memcpy(sent->bytes, body.at, body.n);
	strbuf_release(&body);
	struct MHD_Response *r = MHD_create_response_from_callback(
		reply->unsized ? MHD_SIZE_UNKNOWN : sent->n, 65536, give, sent, forget_sent);
	add_headers(r, reply->headers);
	if (victoria)
		MHD_add_response_header(r, "X-Server-Hostname", "upstream");
	enum MHD_Result done = MHD_queue_response(c, (unsigned)status, r);
	MHD_destroy_response(r);
	return done;
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *c, const char *url,
	const char *method, const char *version, const char *data, size_t *n, void **state)
{
	struct fake_server *s = ctx;
	struct call *call = *state;
	(void)version;
	if (!call) {
		call = xmalloc(sizeof *call);
		*call = (struct call){STRBUF_INIT};
		*state = call;
		return MHD_YES;
	}
	if (*n) {
		strbuf_add(&call->body, data, *n);
		*n = 0;
		return MHD_YES;
	}
	struct fake_request *r = request_of(c, method, url, &call->body);
	return answer(s, c, r, url, call, reply_for(s, r));
}

static void on_done(
	void *ctx, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode why)
{
	struct call *call = *state;
	(void)ctx, (void)c, (void)why;
	if (call)
		strbuf_release(&call->body);
	free(call);
	*state = NULL;
}

static void no_log(void *ctx, const char *fmt, va_list ap)
{
	(void)ctx, (void)fmt, (void)ap;
}

struct fake_server *fake_server_start(
	const struct fake_reply *replies, size_t n, const char *upstream, bool tls)
{
	struct fake_server *s = xmalloc(sizeof *s);
	struct sockaddr_in where = {.sin_family = AF_INET};
	where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*s = (struct fake_server){.replies = replies,
		.n_replies = n,
		.used = xmalloc((n + 1) * sizeof *s->used),
		.upstream = upstream ? xstrdup(upstream) : NULL,
		.lock = PTHREAD_MUTEX_INITIALIZER};
	memset(s->used, 0, (n + 1) * sizeof *s->used);
	struct MHD_OptionItem options[] = {
		{MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(size_t)fake_server_ca},
		{MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(size_t)fake_server_key},
		{MHD_OPTION_END, 0, NULL}};
	unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
			 (tls ? MHD_USE_TLS : 0U) | MHD_USE_ERROR_LOG;
	s->daemon = MHD_start_daemon(flags, 0, NULL, NULL, on_request, s,
		MHD_OPTION_EXTERNAL_LOGGER, no_log, NULL, MHD_OPTION_SOCK_ADDR, &where,
		MHD_OPTION_NOTIFY_COMPLETED, on_done, NULL, MHD_OPTION_ARRAY,
		tls ? options : options + 2, MHD_OPTION_END);
	const union MHD_DaemonInfo *info =
		s->daemon ? MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (!info) {
		fake_server_stop(s);
		return NULL;
	}
	s->port = info->port;
	snprintf(s->url, sizeof s->url, "%s://127.0.0.1:%d", tls ? "https" : "http", s->port);
	return s;
}

void fake_server_stop(struct fake_server *s)
{
	if (!s)
		return;
	if (s->daemon)
		MHD_stop_daemon(s->daemon);
	for (size_t i = 0; i < s->requests.n; i++) {
		struct fake_request *r = s->requests.at[i];
		free(r->method);
		free(r->path);
		free(r->form);
		free(r->headers);
		free(r);
	}
	ARRAY_RELEASE(&s->requests);
	free(s->used);
	free(s->upstream);
	free(s);
}

int fake_server_port(const struct fake_server *s)
{
	return s->port;
}

const char *fake_server_url(const struct fake_server *s)
{
	return s->url;
}

size_t fake_server_requests(struct fake_server *s)
{
	pthread_mutex_lock(&s->lock);
	size_t n = s->requests.n;
	pthread_mutex_unlock(&s->lock);
	return n;
}

const struct fake_request *fake_server_request(struct fake_server *s, size_t i)
{
	pthread_mutex_lock(&s->lock);
	struct fake_request *r = i < s->requests.n ? s->requests.at[i] : NULL;
	pthread_mutex_unlock(&s->lock);
	return r;
}

void fake_server_listen(
	struct fake_server *s, void (*fn)(void *arg, const struct fake_request *r), void *arg)
{
	pthread_mutex_lock(&s->lock);
	s->listener = fn;
	s->listener_arg = arg;
	pthread_mutex_unlock(&s->lock);
}
