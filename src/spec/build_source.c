/* Source: where the samples come from. Holds names of secrets, never secrets. */
#include <string.h>

#include "spec/build.h"
#include "spec/scalar.h"
#include "spec/scalar_ref.h"

enum { TIMEOUT_MS = 30000, PARALLEL = 4 };

static const char *non_empty(const char *s)
{
	return s && *s ? s : NULL;
}

static struct secret build_secret(const struct node *map)
{
	return (struct secret){get_text(map, "env"), non_empty(get_text(map, "file"))};
}

static void build_auth(struct loading *l, struct node *auth, struct source_spec *out)
{
	struct node *bearer = node_get(auth, "bearer"), *basic = node_get(auth, "basic");
	size_t from, to;

	if (bearer) {
		out->auth = AUTH_BEARER;
		out->secret = build_secret(bearer);
	} else if (basic) {
		out->auth = AUTH_BASIC;
		out->user = get_text(basic, "user");
		out->secret = build_secret(node_get(basic, "password"));
	}
	if (auth && out->url && url_userinfo(out->url, &from, &to))
		problem_at(l, auth->key, "`auth` and a user in the url: give one of them");
}

static void build_tls(struct loading *l, struct node *tls, struct source_spec *out)
{
	out->ca = non_empty(get_text(tls, "ca"));
	out->cert = non_empty(get_text(tls, "cert"));
	out->key = non_empty(get_text(tls, "key"));
	out->insecure_skip_verify = get_bool(tls, "insecure_skip_verify", false);
	if (tls && !tls->bad && !node_get(tls, "cert") != !node_get(tls, "key"))
		problem_at(l, tls, "`cert` and `key` go together");
}

static const char *header_fault(const struct node *h, bool has_auth)
{
	static const char *const own[] = {"host", "content-length", "content-type",
		"content-encoding", "transfer-encoding", "connection", "accept-encoding", NULL};
	const char *name = h->key->text;

	for (const char *const *o = own; *o; o++)
		if (!strcasecmp(*o, name))
			return "this header is set by the program itself";
	if (!strcasecmp(name, "X-Scope-OrgID"))
		return "this header is `tenant`";
	if (strcasecmp(name, "Authorization") != 0 && strcasecmp(name, "Cookie") != 0 &&
		strcasecmp(name, "Proxy-Authorization") != 0)
		return NULL;
	if (!strcasecmp(name, "Authorization") && has_auth)
		return "`auth` sets this header already";
	/* without a variable the value stands in the spec, which is stored */
	if (h->kind == NODE_SCALAR && !h->secret)
		return "a secret must not stand in a spec: write { env: NAME } or { file: FILE }";
	return NULL;
}

static void build_headers(
	struct loading *l, struct node *map, bool has_auth, struct source_spec *out)
{
	if (!map || map->kind != NODE_MAP)
		return;
	out->headers = arena_array(l->a, struct header, map->n + 1);
	for (struct node *m = map->first; m; m = m->next) {
		struct header *h = &out->headers[out->n_headers];
		const char *fault = header_fault(m, has_auth);

		if (m->bad)
			continue;
		for (size_t i = 0; i < out->n_headers && !fault; i++)
			if (!strcasecmp(out->headers[i].name, m->key->text))
				fault = "this header is given twice";
		if (fault)
			problem_at(l, m->key, "%s", fault);
		h->name = m->key->text;
		if (m->kind == NODE_MAP)
			h->secret = build_secret(m);
		else
			h->value = m->text;
		out->n_headers++;
	}
}

static void build_tenant(struct loading *l, struct node *n, struct source_spec *out)
{
	out->tenant = NULL;
	if (!read_text(n, &out->tenant) || !strchr(out->tenant, '|'))
		return;
	problem_at(l, n,
		"several tenants (a|b) are not in this build: they come with a later release");
}

void build_source(struct loading *l, struct node *source, struct source_spec *out)
{
	struct node *timeout = node_get(source, "timeout");
	const char *text;

	out->timeout_ms = TIMEOUT_MS;
	out->parallel = PARALLEL;
	out->url = get_text(source, "url");
	build_tenant(l, node_get(source, "tenant"), out);
	build_auth(l, node_get(source, "auth"), out);
	build_tls(l, node_get(source, "tls"), out);
	build_headers(l, node_get(source, "headers"), node_get(source, "auth") != NULL, out);
	if (read_duration(timeout, &out->timeout_ms) && out->timeout_ms <= 0)
		problem_at(l, timeout, "must be more than 0");
	text = get_text(source, "parallel");
	if (text) {
		out->parallel = 0;
		for (; *text; text++)
			out->parallel = out->parallel * 10 + (*text - '0');
	}
	text = get_text(source, "compression");
	out->gzip = text && !strcmp(text, "gzip");
}
