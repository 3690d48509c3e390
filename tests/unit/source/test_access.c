/* Secrets: where they come from, how a missing one is told, what cannot be sent. */
#include "../base/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/access.h"

static const char *header_at(const struct access *a, const char *name)
{
	for (struct curl_slist *h = a->headers; h; h = h->next)
		if (!strncmp(h->data, name, strlen(name)))
			return h->data;
	return NULL;
}

static int open_with(struct access *a, struct source_spec spec, struct error *err)
{
	struct url_parts url;
	spec.url = spec.url ? spec.url : "http://127.0.0.1";
	assert_int_equal(url_split(spec.url, &url, NULL), 0);
	return access_open(a, &spec, &url, err);
}

static void expect_refused(struct source_spec spec, const char *code, const char *words)
{
	struct access a;
	struct error err = {0};
	assert_int_equal(open_with(&a, spec, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.code, code);
	if (!strstr(err.text, words))
		fail_msg("%s", err.text);
	assert_null(strstr(err.text, "secret-1"));
}

static struct source_spec bearer(const char *env, const char *file)
{
	return (struct source_spec){.auth = AUTH_BEARER, .secret = {env, file}};
}

static void write_file(char *path, const char *bytes, size_t n)
{
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
}

static void a_missing_secret_is_named(void **state)
{
	(void)state;
	unsetenv("LV_TEST_NONE");
	setenv("LV_TEST_EMPTY", "", 1);
	setenv("LV_TEST_LINES", "secret-1\nX-Evil: 1", 1);
	expect_refused(bearer("LV_TEST_NONE", NULL), "secret-missing", "LV_TEST_NONE is not set");
	expect_refused(bearer("LV_TEST_EMPTY", NULL), "secret-missing", "LV_TEST_EMPTY is empty");
	expect_refused(bearer("LV_TEST_LINES", NULL), "secret-missing", "LV_TEST_LINES holds");
	expect_refused(bearer(NULL, "/nonexistent/token"), "secret-missing",
		"/nonexistent/token cannot be read: No such file");
	expect_refused(bearer(NULL, "/tmp"), "secret-missing", "/tmp cannot be read");
	expect_refused(bearer(NULL, NULL), "secret-missing", "names neither");
}

static void a_file_loses_its_last_line_break(void **state)
{
	static const char *const ends[] = {"", "\n", "\r\n", "\n\n"};
	(void)state;
	for (size_t i = 0; i < COUNT(ends); i++) {
		char path[] = "/tmp/lv-token-XXXXXX", text[64];
		struct access a;
		snprintf(text, sizeof text, " s3cret %s", ends[i]);
		write_file(path, text, strlen(text));
		assert_int_equal(open_with(&a, bearer(NULL, path), NULL), 0);
		assert_string_equal(
			header_at(&a, "Authorization"), "Authorization: Bearer  s3cret ");
		access_close(&a);
		unlink(path);
	}
}

static void unfit_files_are_refused(void **state)
{
	char empty[] = "/tmp/lv-token-XXXXXX", binary[] = "/tmp/lv-token-XXXXXX";
	char big[] = "/tmp/lv-token-XXXXXX";
	char *long_one = calloc(1, 70000);
	(void)state;
	memset(long_one, 'x', 70000);
	write_file(empty, "\n", 1);
	write_file(binary, "secret-1\0x", 10);
	write_file(big, long_one, 70000);
	expect_refused(bearer(NULL, empty), "secret-missing", "is empty");
	expect_refused(bearer(NULL, binary), "secret-missing", "control character");
	expect_refused(bearer(NULL, big), "secret-missing", "too long");
	unlink(empty);
	unlink(binary);
	unlink(big);
	free(long_one);
}

static void unfit_headers_are_refused(void **state)
{
	static const struct {
		struct header header;
		const char *words;
	} rows[] = {{{.name = "X Y", .value = "1"}, "no HTTP token"},
		{{.name = "", .value = "1"}, "no HTTP token"},
		{{.name = "X", .value = "1\r\nY: 2"}, "X holds a line break"},
		{{.name = "content-length", .value = "1"}, "content-length is set by"},
		{{.name = "Cache-Control", .value = "1"}, "Cache-Control is set by"},
		{{.name = "authorization", .value = "1"}, "both auth and an Authorization"},
		{{.name = "X-Scope-OrgID", .value = "1"}, "both tenant and"}};
	(void)state;
	setenv("LV_TEST_TOKEN", "secret-1", 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct header h = rows[i].header;
		struct source_spec spec = bearer("LV_TEST_TOKEN", NULL);
		spec.tenant = "t";
		spec.headers = &h;
		spec.n_headers = 1;
		expect_refused(spec, "usage", rows[i].words);
	}
	expect_refused((struct source_spec){.tenant = "a\nb"}, "usage", "tenant");
	struct source_spec both = bearer("LV_TEST_TOKEN", NULL);
	both.url = "http://u:secret-1@127.0.0.1";
	expect_refused(both, "usage", "both auth and a user");
	expect_refused((struct source_spec){.url = "http://u:a%0Ab@127.0.0.1"}, "usage",
		"control character");
	expect_refused((struct source_spec){.url = "http://u:a%00b@127.0.0.1"}, "usage",
		"control character");
}

static void secrets_are_scrubbed(void **state)
{
	struct access a;
	char text[] = "token secret-1, again secret-1secret-1.";
	(void)state;
	setenv("LV_TEST_TOKEN", "secret-1", 1);
	assert_int_equal(open_with(&a, bearer("LV_TEST_TOKEN", NULL), NULL), 0);
	access_scrub(&a, text);
	assert_string_equal(text, "token ********, again ****************.");
	access_close(&a);
	assert_null(a.headers);
	access_close(&a); /* twice does no harm */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_secret_is_named),
		cmocka_unit_test(a_file_loses_its_last_line_break),
		cmocka_unit_test(unfit_files_are_refused),
		cmocka_unit_test(unfit_headers_are_refused),
		cmocka_unit_test(secrets_are_scrubbed),
	};
	return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
