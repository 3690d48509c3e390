/* Failure: the messages of requests that came to nothing: what, where, why, and what to do next.
 * Pure but for curl's own words. */
#include "source/failure.h"

#include <string.h>

#include "base/duration.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "source/words.h"

int failure_context(const struct attempt *a, struct error *err)
{
	struct strbuf b = STRBUF_INIT;
	if (a->query) {
		struct strbuf text = STRBUF_INIT;
		request_query(&text, a->query);
		if (a->query->subject)
			strbuf_addf(&b, "%s: ", a->query->subject);
		strbuf_adds(&b, "query ");
		words_add(&b, text.at, text.n, WORDS_MAX);
		strbuf_adds(&b, " at ");
		timestamp_format_utc(&b, a->query->to_ms);
		strbuf_addc(&b, ' ');
		strbuf_release(&text);
	}
	strbuf_addf(&b, "to %s", a->url);
	error_wrap(err, "%s", b.at);
	strbuf_release(&b);
	return -1;
}

static const char *auth_used(const struct attempt *a)
{
	if (a->spec->auth == AUTH_BEARER)
		return "the bearer token was sent: has it expired, may it read?";
	if (a->spec->auth == AUTH_BASIC || a->user_in_url)
		return "user and password were sent: are they right, may they read?";
	for (size_t i = 0; i < a->spec->n_headers; i++)
		if (!strcasecmp(a->spec->headers[i].name, "Authorization"))
			return "an Authorization header was sent: is it right, may it read?";
	return "no credentials were sent: set the source's auth";
}

static const char *advice(const struct attempt *a, const char *words)
{
	switch (a->status) {
	case 401:
	case 403:
		if (strcasestr(words, "no org id"))
			return "set the source's tenant (X-Scope-OrgID)";
		return auth_used(a);
	case 404:
		return "is the URL's path prefix right (Mimir: /prometheus)?";
	case 400:
		return "correct the query or selector";
	case 413:
	case 422:
		return "the query is wrong or over a limit of the server: narrow the selector or "
		       "shorten the window";
	case 429:
		return "the server limits how often it is asked: lower the source's parallel, or "
		       "try later";
	default:
		return a->status >= 500 ? "look into the server's log, and try again"
					: "is this the address of a Prometheus-compatible server?";
	}
}

static const char *code_of(int status)
{
	if (status == 401 || status == 403)
		return "unauthorized";
	if (status >= 500)
		return "server-failed";
	return status >= 400 ? "refused" : "not-prometheus";
}

/* The host only: path and query of a login page may hold tokens. */
static void add_host(struct strbuf *b, const char *location)
{
	CURLU *u = curl_url();
	char *host = NULL;
	if (!u || curl_url_set(u, CURLUPART_URL, location, 0) ||
		curl_url_get(u, CURLUPART_HOST, &host, 0))
		strbuf_adds(b, "another place");
	else
		words_add(b, host, strlen(host), 100);
	curl_free(host);
	curl_url_cleanup(u);
}

static int redirected(const struct attempt *a, struct error *err)
{
	struct strbuf b = STRBUF_INIT;
	if (a->location)
		add_host(&b, a->location);
	else
		strbuf_adds(&b, "nowhere");
	error_set(err, ERROR_SOURCE, "redirected",
		"HTTP %d, a redirect to %s, which is not followed; give the server's own URL (a "
		"login page here means that credentials are missing)",
		a->status, b.at);
	strbuf_release(&b);
	return failure_context(a, err);
}

static void add_tries(struct strbuf *b, int tries)
{
	if (tries > 1)
		strbuf_addf(b, " after %d tries", tries);
}

int failure_of_status(const struct attempt *a, struct error *err)
{
	if (a->status >= 300 && a->status < 400)
		return redirected(a, err);
	struct strbuf words = STRBUF_INIT, tries = STRBUF_INIT;
	words_of_body(&words, a->body, a->body_n);
	add_tries(&tries, a->tries);
	error_set(err, ERROR_SOURCE, code_of(a->status), "HTTP %d%s%s%s; %s", a->status, tries.at,
		words.n ? ", the server says: " : "", words.at, advice(a, words.at));
	strbuf_release(&words);
	strbuf_release(&tries);
	return failure_context(a, err);
}

static bool is_tls(CURLcode c)
{
	switch (c) {
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
	case CURLE_SSL_ENGINE_NOTFOUND:
	case CURLE_SSL_ENGINE_SETFAILED:
	case CURLE_USE_SSL_FAILED:
		return true;
	default:
		return false;
	}
}

static const char *tls_advice(const struct attempt *a)
{
	if (a->curl == CURLE_SSL_CERTPROBLEM)
		return "check the source's cert and key";
	if (a->curl == CURLE_SSL_CACERT_BADFILE)
		return "the source's ca is no readable file of PEM certificates";
	if (a->curl == CURLE_PEER_FAILED_VERIFICATION)
		return a->spec->ca ? "the source's ca did not sign this server's certificate, or "
				     "the name differs"
				   : "for a certificate of your own authority, set the source's ca";
	return "does the server speak TLS here (http or https), and does it ask for a client "
	       "certificate (cert, key)?";
}

static int timed_out(const struct attempt *a, struct error *err)
{
	struct strbuf b = STRBUF_INIT;
	duration_format(&b, a->timeout_ms);
	error_set(err, ERROR_SOURCE, "timed-out",
		"no whole answer within %s; raise the source's timeout or narrow the selector",
		b.at);
	strbuf_release(&b);
	return failure_context(a, err);
}

int failure_of_curl(const struct attempt *a, struct error *err)
{
	struct strbuf words = STRBUF_INIT;
	if (a->curl == CURLE_OPERATION_TIMEDOUT)
		return timed_out(a, err);
	const char *said = *a->curl_text ? a->curl_text : curl_easy_strerror(a->curl);
	words_add(&words, said, strlen(said), WORDS_MAX);
	add_tries(&words, a->tries);
	if (is_tls(a->curl))
		error_set(err, ERROR_SOURCE, "tls-failed", "TLS failed: %s; %s", words.at,
			tls_advice(a));
	else if (a->status == 200)
		error_set(err, ERROR_SOURCE, "incomplete-answer",
			"the answer was cut: %s; is a proxy or the server restarting?", words.at);
	else
		error_set(err, ERROR_SOURCE, "unreachable",
			"no answer: %s; is the address right and the server running?", words.at);
	strbuf_release(&words);
	return failure_context(a, err);
}
