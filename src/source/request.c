/* Request: from a query to what is sent. Pure; knows nothing of connections or secrets. */
#include "source/request.h"

#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "source/source.h"

static const char query_path[] = "/api/v1/query";

static bool has_odd_byte(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s <= ' ' || (unsigned char)*s >= 0x7f || *s == '\\')
			return true;
	return false;
}

static size_t scheme_length(const char *url)
{
	if (!strncasecmp(url, "http://", 7))
		return 7;
	return strncasecmp(url, "https://", 8) ? 0 : 8;
}

/* Finds userinfo, host and port within the authority [at, at + n). */
static bool split_authority(struct url_parts *u, size_t at, size_t n)
{
	const char *s = u->text + at;
	const char *sign = memrchr(s, '@', n);
	u->user = at;
	u->user_n = sign ? (size_t)(sign - s) : 0;
	size_t skip = sign ? u->user_n + 1 : 0;
	s += skip;
	n -= skip;
	u->rest = u->host = at + skip;
	const char *end = memchr(s, ':', n);
	if (n && *s == '[') {
		const char *close = memchr(s, ']', n);
		if (!close)
			return false;
		u->host++;
		u->host_n = (size_t)(close - s) - 1;
		end = close + 1 < s + n ? close + 1 : NULL;
		if (end && *end != ':')
			return false;
	} else {
		u->host_n = end ? (size_t)(end - s) : n;
	}
	size_t digits = end ? (size_t)(s + n - end) - 1 : 1;
	if (end && (digits > 5 || strspn(end + 1, "0123456789") < digits))
		return false;
	return u->host_n && digits;
}

int url_split(const char *url, struct url_parts *out, struct error *err)
{
	struct url_parts u = {.text = url, .scheme = scheme_length(url)};
	/* The text itself is not repeated: a URL that cannot be taken apart may hide a password. */
	if (!u.scheme)
		return error_set(err, ERROR_USAGE, "usage",
			"the source's URL must begin with http:// or https://");
	if (has_odd_byte(url))
		return error_set(err, ERROR_USAGE, "usage",
			"the source's URL holds a space, a backslash, a control or non-ASCII "
			"character: "
			"write it as %%XX");
	if (strpbrk(url, "?#"))
		return error_set(err, ERROR_USAGE, "usage",
			"the source's URL must end before any \"?\" or \"#\": give the address "
			"without /api/v1/query; secrets belong under auth or headers");
	size_t n = strcspn(url + u.scheme, "/");
	if (!split_authority(&u, u.scheme, n))
		return error_set(err, ERROR_USAGE, "usage",
			"the source's URL has no valid host[:port] after %.*s (a \"/\" in a "
			"password is "
			"written %%2F)",
			(int)u.scheme, url);
	if (strchr(url + u.scheme + n, '@'))
		return error_set(err, ERROR_USAGE, "usage",
			"the source's URL has an \"@\" in its path: write it as %%40 (and a \"/\" "
			"in a "
			"password as %%2F)");
	u.rest_n = strlen(url + u.rest);
	while (u.rest_n && url[u.rest + u.rest_n - 1] == '/')
		u.rest_n--;
	*out = u;
	return 0;
}

bool url_is_loopback(const struct url_parts *u)
{
	const char *host = u->text + u->host;
	if (u->host_n == 9 && !strncasecmp(host, "localhost", 9))
		return true;
	if (u->host_n == 3 && !strncmp(host, "::1", 3))
		return true;
	return u->host_n > 4 && !strncmp(host, "127.", 4) &&
	       strspn(host, "0123456789.") >= u->host_n;
}

void url_add(struct strbuf *b, const struct url_parts *u, const char *path)
{
	strbuf_add(b, u->text, u->scheme);
	strbuf_add(b, u->text + u->rest, u->rest_n);
	strbuf_adds(b, path);
}

char *source_public_url(struct arena *a, const char *url)
{
	struct url_parts u = {.text = url};
	struct strbuf b = STRBUF_INIT;
	if (url_split(url, &u, NULL))
		strbuf_adds(&b, "(not a URL)");
	else
		url_add(&b, &u, "");
	char *out = arena_strdup(a, b.at);
	strbuf_release(&b);
	return out;
}

void request_query(struct strbuf *b, const struct query *q)
{
	strbuf_adds(b, q->text);
	if (q->kind == QUERY_RAW)
		strbuf_addf(b, "[%" PRId64 "ms]", q->to_ms - q->from_ms + 1);
}

void request_time(struct strbuf *b, int64_t ms)
{
	if (ms < 0)
		strbuf_addc(b, '-');
	uint64_t size = ms < 0 ? -(uint64_t)ms : (uint64_t)ms;
	strbuf_addf(b, "%" PRIu64, size / 1000);
	if (size % 1000)
		strbuf_addf(b, ".%03d", (int)(size % 1000));
}

static void add_escaped(struct strbuf *b, const char *s)
{
	static const char hex[] = "0123456789ABCDEF";
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (strchr(plain, c)) {
			strbuf_addc(b, *s);
		} else {
			strbuf_addc(b, '%');
			strbuf_addc(b, hex[c >> 4]);
			strbuf_addc(b, hex[c & 15]);
		}
	}
}

void request_form(struct strbuf *b, const struct source_spec *spec, const struct query *q)
{
	struct strbuf text = STRBUF_INIT;
	request_query(&text, q);
	strbuf_adds(b, "query=");
	add_escaped(b, text.at);
	strbuf_release(&text);
	strbuf_adds(b, "&time=");
	request_time(b, q->to_ms);
	strbuf_adds(b, "&timeout=");
	duration_format(b, spec->timeout_ms);
	/* Thanos, VictoriaMetrics' cluster, VictoriaMetrics: a whole answer or an error, no cache.
	 */
	strbuf_adds(b, "&partial_response=false&deny_partial_response=1&nocache=1");
}

void source_print_request(struct strbuf *b, const struct source_spec *spec, const struct query *q)
{
	struct url_parts u = {.text = spec->url};
	strbuf_adds(b, "POST ");
	if (url_split(spec->url, &u, NULL))
		strbuf_adds(b, "(not a URL)");
	else
		url_add(b, &u, query_path);
	strbuf_adds(b, "\n  query=");
	request_query(b, q);
	strbuf_adds(b, "\n  time=");
	request_time(b, q->to_ms);
	strbuf_adds(b, "\n  timeout=");
	duration_format(b, spec->timeout_ms);
	strbuf_adds(b, "\n  partial_response=false deny_partial_response=1 nocache=1\n");
	if (spec->tenant && *spec->tenant)
		strbuf_addf(b, "  X-Scope-OrgID: %s\n", spec->tenant);
}
