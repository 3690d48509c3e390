/* Source: urls, logging in, certificates, headers; where secrets are found. */
#include <stdio.h>

#include "loaded.h"

static void test_urls(void **state)
{
	static const char *const right[] = {"http://h", "https://h/prefix/x", "http://h:9090/",
		"HTTP://h", "http://u@h:1", "http://[::1]:9090/x", "http://127.0.0.1:9090"};
	static const struct {
		const char *url, *expected;
	} wrong[] = {
		{"h:9090", "the url must begin with http:// or https://"},
		{"ftp://h", "the url must begin with"},
		{"file:///etc/passwd", "the url must begin with"},
		{"http://", "the url has no host"},
		{"http://:9090", "the url has no host"},
		{"http:///x", "the url has no host"},
		{"http://u@", "the url has no host"},
		{"http://h?a=b", "the url must have no '?' or '#'"},
		{"http://h#a", "the url must have no '?' or '#'"},
		{"http://h:port", "the url's port is not a number"},
		{"http://h:", "the url's port is not a number"},
		{"http://h:123456", "the url's port is not a number"},
		{"http://h x", "the url must not hold spaces"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		struct loaded l;
		char yaml[200];

		snprintf(yaml, sizeof yaml, "source: { url: '%s' }\n", right[i]);
		load_fragment(&l, yaml, NULL);
		has_problems(&l, yaml, "");
		assert_string_equal(l.spec.source.url, right[i]);
		loaded_release(&l);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char yaml[200], expected[200];

		snprintf(yaml, sizeof yaml, "source: { url: '%s' }\n", wrong[i].url);
		snprintf(expected, sizeof expected, "3:16: %s", wrong[i].expected);
		refuses(yaml, expected);
	}
}

static void test_defaults(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l, "title: x\n", NULL);
	assert_null(l.spec.source.url);
	assert_null(l.spec.source.tenant);
	assert_int_equal(l.spec.source.auth, AUTH_NONE);
	assert_int_equal(l.spec.source.timeout_ms, 30000);
	assert_int_equal(l.spec.source.parallel, 4);
	assert_false(l.spec.source.gzip);
	assert_int_equal(l.spec.source.n_headers, 0);
	loaded_release(&l);
}

static void test_everything(void **state)
{
	const struct source_spec *s;
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"source:\n  url: http://h\n  tenant: t\n  auth: { basic: { user: u, password: { "
		"file: f } } }\n"
		"  tls: { ca: a, cert: c, key: k, insecure_skip_verify: true }\n"
		"  headers: { X-A: v, X-B: { env: E }, X-C: { file: F }, X-D: '' }\n"
		"  timeout: 5s\n  parallel: 64\n  compression: gzip\n",
		NULL);
	has_problems(&l, "", "");
	s = &l.spec.source;
	assert_string_equal(s->tenant, "t");
	assert_int_equal(s->auth, AUTH_BASIC);
	assert_string_equal(s->user, "u");
	assert_string_equal(s->secret.file, "f");
	assert_null(s->secret.env);
	assert_string_equal(s->ca, "a");
	assert_string_equal(s->cert, "c");
	assert_string_equal(s->key, "k");
	assert_true(s->insecure_skip_verify);
	assert_int_equal(s->n_headers, 4);
	assert_string_equal(s->headers[0].name, "X-A");
	assert_string_equal(s->headers[0].value, "v");
	assert_null(s->headers[1].value);
	assert_string_equal(s->headers[1].secret.env, "E");
	assert_string_equal(s->headers[2].secret.file, "F");
	assert_string_equal(s->headers[3].value, "");
	assert_int_equal(s->timeout_ms, 5000);
	assert_int_equal(s->parallel, 64);
	assert_true(s->gzip);
	loaded_release(&l);
	load_fragment(&l, "source: { auth: { bearer: { env: T } } }\n", NULL);
	assert_int_equal(l.spec.source.auth, AUTH_BEARER);
	assert_string_equal(l.spec.source.secret.env, "T");
	loaded_release(&l);
}

static void test_secrets_stand_elsewhere(void **state)
{
	static const char text[] = "a secret must not stand in a spec: write { env: NAME }";
	char expected[200];

	(void)state;
	snprintf(expected, sizeof expected, "3:27: %s", text);
	refuses("source: { auth: { bearer: abc } }\n", expected);
	snprintf(expected, sizeof expected, "3:45: %s", text);
	refuses("source: { auth: { basic: { user: u, password: p } } }\n",
		"3:47: a secret must not");
	refuses("source: { headers: { Authorization: Bearer x } }\n",
		"3:22: a secret must not stand");
	refuses("source: { headers: { cookie: a=b } }\n", "3:22: a secret must not stand");
	accepts("source: { headers: { Authorization: { env: A } } }\n");
	refuses("source: { auth: { bearer: { env: A, file: B } } }\n",
		"3:37: a secret ({ env: NAME } or { file: FILE }) takes only one of env, file");
	refuses("source: { auth: { bearer: {} } }\n",
		"3:27: a secret ({ env: NAME } or { file: FILE }) needs one of env, file");
}

static void test_what_does_not_go_together(void **state)
{
	(void)state;
	refuses("source: { auth: {} }\n", "3:17: `auth` needs one of bearer, basic");
	refuses("source: { auth: { bearer: { env: A }, basic: { user: u, password: { env: B } } } "
		"}\n",
		"3:39: `auth` takes only one of bearer, basic");
	refuses("source: { url: 'http://u@h', auth: { bearer: { env: A } } }\n",
		"3:30: `auth` and a user in the url");
	refuses("source: { auth: { bearer: { env: A } }, headers: { Authorization: { env: B } } "
		"}\n",
		"3:52: `auth` sets this header already");
	refuses("source: { tls: { key: k } }\n", "3:16: `cert` and `key` go together");
	refuses("source: { timeout: 0s }\n", "3:20: must be more than 0");
}

static void test_headers(void **state)
{
	static const char *const own[] = {"Host", "content-length", "Content-Type", "Connection"};

	(void)state;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		char yaml[200];

		snprintf(yaml, sizeof yaml, "source: { headers: { %s: x } }\n", own[i]);
		refuses(yaml, "3:22: this header is set by the program itself");
	}
	refuses("source: { headers: { X-Scope-OrgID: a } }\n", "3:22: this header is `tenant`");
	refuses("source: { headers: { X-A: a, x-a: b } }\n", "3:30: this header is given twice");
	refuses("source: { headers: { 'X A': a } }\n", "3:22: expected a header's name, not 'X A'");
	refuses("source: { headers: { X-A: \"a\\r\\nX-B: b\" } }\n",
		"3:27: expected a text (the value is not shown");
	refuses("source: { tenant: \"a\\nb\" }\n", "3:19: must be one line without control");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_urls),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_secrets_stand_elsewhere),
		cmocka_unit_test(test_what_does_not_go_together),
		cmocka_unit_test(test_headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
