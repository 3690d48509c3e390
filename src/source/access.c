/* Access: who asks: secrets read once, and the request headers made from them. Zeroed at the end.
 */
#include "source/access.h"

#include <errno.h>
#include <stdio.h>

enum { SECRET_MAX = 65536, SCRUB_FROM = 3 };

static void forget(char *s)
{
	if (!s)
		return;
	explicit_bzero(s, strlen(s));
	free(s);
}

static void forget_buffer(struct strbuf *b)
{
	if (b->cap)
		explicit_bzero(b->at, b->cap);
	strbuf_release(b);
}

static int read_file(const char *path, char *buffer, size_t *n, struct error *err)
{
	FILE *f = fopen(path, "re");
	if (!f)
		return error_set(err, ERROR_USAGE, "secret-missing",
			"the secret's file %s cannot be read: %s", path, strerror(errno));
	(void)setvbuf(f, NULL, _IONBF, 0); /* no copy of the secret in stdio's buffer */
	*n = fread(buffer, 1, SECRET_MAX, f);
	int failed = ferror(f) ? errno : 0;
	(void)fclose(f); /* only read */
	if (failed)
		return error_set(err, ERROR_USAGE, "secret-missing",
			"the secret's file %s cannot be read: %s", path, strerror(failed));
	if (*n == SECRET_MAX)
		return error_set(err, ERROR_USAGE, "secret-missing",
			"the secret's file %s is too long (%d bytes at most)", path,
			SECRET_MAX - 1);
	return 0;
}

static bool can_stand_in_a_header(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			return false;
	return true;
}

static int check_secret(
	const char *s, size_t n, const char *kind, const char *name, struct error *err)
{
	if (!n)
		return error_set(err, ERROR_USAGE, "secret-missing", "the secret's %s %s is empty",
			kind, name);
	if (!can_stand_in_a_header(s, n))
		return error_set(err, ERROR_USAGE, "secret-missing",
			"the secret's %s %s holds a line break or control character", kind, name);
	return 0;
}

/* The secret, owned by the caller; NULL on error. */
static char *read_secret(const struct secret *where, struct error *err)
{
	if (where->env) {
		const char *v = getenv(where->env);
		if (!v)
			error_set(err, ERROR_USAGE, "secret-missing",
				"the environment variable %s is not set: it holds the secret of "
				"the source",
				where->env);
		if (!v || check_secret(v, strlen(v), "environment variable", where->env, err))
			return NULL;
		return xstrdup(v);
	}
	if (!where->file) {
		error_set(err, ERROR_USAGE, "secret-missing",
			"the source's auth names neither an environment variable nor a file");
		return NULL;
	}
	char *text = xmalloc(SECRET_MAX + 1);
	size_t n = 0;
	int bad = read_file(where->file, text, &n, err);
	while (!bad && n && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		n--;
	bad = bad || check_secret(text, n, "file", where->file, err);
	text[n] = 0;
	char *out = bad ? NULL : xstrdup(text);
	explicit_bzero(text, SECRET_MAX + 1);
	free(text);
	return out;
}

static void remember(struct access *a, const char *secret)
{
	*ARRAY_ADD(&a->secrets) = xstrdup(secret);
}

static void add_header(struct access *a, const char *name, const char *value)
{
	struct strbuf b = STRBUF_INIT;
	strbuf_adds(&b, name);
	strbuf_adds(&b, *value ? ": " : ";"); /* curl's way to send an empty one */
	strbuf_adds(&b, value);
	struct curl_slist *more = curl_slist_append(a->headers, b.at);
	forget_buffer(&b);
	if (!more)
		error_out_of_memory();
	a->headers = more;
}

static bool is_header_name(const char *s)
{
	static const char token[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "!#$%&'*+-.^_`|~";
	return *s && !s[strspn(s, token)];
}

static int user_header(
	struct access *a, const struct source_spec *spec, const struct header *h, struct error *err)
{
	static const char *const ours[] = {"Content-Length", "Content-Type", "Transfer-Encoding",
		"Connection", "Accept-Encoding", "Expect", "Cache-Control", "Sharding-Control"};
	if (!is_header_name(h->name))
		return error_set(
			err, ERROR_USAGE, "usage", "a source header's name is no HTTP token");
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (!strcasecmp(h->name, ours[i]))
			return error_set(err, ERROR_USAGE, "usage",
				"the source header %s is set by loadverdict itself: remove it",
				h->name);
	if (!strcasecmp(h->name, "Authorization") && spec->auth != AUTH_NONE)
		return error_set(err, ERROR_USAGE, "usage",
			"the source has both auth and an Authorization header: keep one");
	if (!strcasecmp(h->name, "X-Scope-OrgID") && spec->tenant && *spec->tenant)
		return error_set(err, ERROR_USAGE, "usage",
			"the source has both tenant and an X-Scope-OrgID header: keep one");
	if (h->value) {
		if (!can_stand_in_a_header(h->value, strlen(h->value)))
			return error_set(err, ERROR_USAGE, "usage",
				"the source header %s holds a line break or control character",
				h->name);
		add_header(a, h->name, h->value);
		return 0;
	}
	char *secret = read_secret(&h->secret, err);
	if (!secret)
		return -1;
	add_header(a, h->name, secret);
	remember(a, secret);
	forget(secret);
	return 0;
}

/* What an echoing server would repeat of basic auth: the header's own form as well. */
static void remember_basic(struct access *a)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct strbuf in = STRBUF_INIT, out = STRBUF_INIT;
	strbuf_addf(&in, "%s:%s", a->user, a->password);
	for (size_t i = 0; i < in.n; i += 3) {
		unsigned v = 0;
		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (i + k < in.n ? (unsigned char)in.at[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			strbuf_addc(
				&out, (char)(i + k > in.n ? '=' : digits[v >> (18 - 6 * k) & 63]));
	}
	remember(a, out.at);
	if (*a->password)
		remember(a, a->password);
	forget_buffer(&in);
	forget_buffer(&out);
}

static char *unescape(const char *s, size_t n, struct error *err)
{
	int length = 0;
	char *raw = curl_easy_unescape(NULL, s, (int)n, &length);
	char *out = NULL;
	if (raw) {
		if (strlen(raw) == (size_t)length && can_stand_in_a_header(raw, (size_t)length))
			out = xstrdup(raw);
		explicit_bzero(raw, (size_t)length);
		curl_free(raw);
	}
	if (!out)
		error_set(err, ERROR_USAGE, "usage",
			"the user or password in the source's URL holds a control character");
	return out;
}

static int user_of_url(struct access *a, const struct url_parts *url, struct error *err)
{
	const char *s = url->text + url->user;
	const char *colon = memchr(s, ':', url->user_n);
	size_t n = colon ? (size_t)(colon - s) : url->user_n;
	a->user = unescape(s, n, err);
	a->password = a->user ? unescape(s + n + !!colon, url->user_n - n - !!colon, err) : NULL;
	if (!a->password)
		return -1;
	remember_basic(a);
	return 0;
}

static int authenticate(struct access *a, const struct source_spec *spec,
	const struct url_parts *url, struct error *err)
{
	if (spec->auth != AUTH_NONE && url->user_n)
		return error_set(err, ERROR_USAGE, "usage",
			"the source has both auth and a user in its URL: keep one");
	if (spec->auth == AUTH_NONE)
		return url->user_n ? user_of_url(a, url, err) : 0;
	char *secret = read_secret(&spec->secret, err);
	if (!secret)
		return -1;
	if (spec->auth == AUTH_BASIC) {
		a->user = xstrdup(spec->user ? spec->user : "");
		a->password = secret;
		remember_basic(a);
		return 0;
	}
	struct strbuf b = STRBUF_INIT;
	strbuf_addf(&b, "Bearer %s", secret);
	add_header(a, "Authorization", b.at);
	remember(a, secret);
	forget_buffer(&b);
	forget(secret);
	return 0;
}

int access_open(struct access *a, const struct source_spec *spec, const struct url_parts *url,
	struct error *err)
{
	*a = (struct access){0};
	add_header(a, "Accept", "application/json");
	add_header(a, "Cache-Control", "no-store"); /* Mimir: no result cache */
	add_header(a, "Sharding-Control", "0");	    /* Mimir: no split into shards */
	a->headers =
		curl_slist_append(a->headers, "Expect:"); /* none: it would cost a round trip */
	if (!a->headers)
		error_out_of_memory();
	if (spec->tenant && *spec->tenant) {
		if (!can_stand_in_a_header(spec->tenant, strlen(spec->tenant))) {
			error_set(err, ERROR_USAGE, "usage",
				"the source's tenant holds a line break or control character");
			goto failed;
		}
		add_header(a, "X-Scope-OrgID", spec->tenant);
	}
	if (authenticate(a, spec, url, err))
		goto failed;
	for (size_t i = 0; i < spec->n_headers; i++)
		if (user_header(a, spec, &spec->headers[i], err))
			goto failed;
	return 0;
failed:
	access_close(a);
	return -1;
}

void access_close(struct access *a)
{
	for (struct curl_slist *h = a->headers; h; h = h->next)
		explicit_bzero(h->data, strlen(h->data));
	curl_slist_free_all(a->headers);
	forget(a->user);
	forget(a->password);
	for (size_t i = 0; i < a->secrets.n; i++)
		forget(a->secrets.at[i]);
	ARRAY_RELEASE(&a->secrets);
	*a = (struct access){0};
}

void access_scrub(const struct access *a, char *text)
{
	for (size_t i = 0; i < a->secrets.n; i++) {
		size_t n = strlen(a->secrets.at[i]);
		if (n < SCRUB_FROM) /* would blot out common letters and so tell more */
			continue;
		for (char *at = text; (at = strstr(at, a->secrets.at[i])); at += n)
			memset(at, '*', n);
	}
}
