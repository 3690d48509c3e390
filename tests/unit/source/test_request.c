/* Requests: URLs taken apart without ever showing a password, and the form that is sent. */
#include "../base/unit.h"

#include <string.h>

#include "source/request.h"
#include "source/source.h"

static void urls_lose_their_userinfo(void **state)
{
	static const struct {
		const char *url, *shown;
	} rows[] = {
		{"http://host", "http://host"},
		{"https://host:9090/", "https://host:9090"},
		{"http://u:secret@host:9090/prometheus//", "http://host:9090/prometheus"},
		{"http://u:se@cret@host/", "http://host"},
		{"HTTP://u@[::1]:9090/x/y", "HTTP://[::1]:9090/x/y"},
		{"http://u:sec/ret@host/", "(not a URL)"},
		{"http://host/pa@th", "(not a URL)"},
		{"http://host?token=secret", "(not a URL)"},
		{"http://host#secret", "(not a URL)"},
		{"ftp://host", "(not a URL)"},
		{"host:9090", "(not a URL)"},
		{"http://", "(not a URL)"},
		{"http://host:", "(not a URL)"},
		{"http://host:12a", "(not a URL)"},
		{"http://host:1234567", "(not a URL)"},
		{"http://[::1", "(not a URL)"},
		{"http://[::1]x", "(not a URL)"},
		{"http://ho st", "(not a URL)"},
		{"http://host\r\nX: y", "(not a URL)"},
		{"http://h\\@evil", "(not a URL)"},
	};
	struct arena arena = ARENA_INIT;
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(source_public_url(&arena, rows[i].url), rows[i].shown);
	arena_release(&arena);
}

static void a_bad_url_is_not_repeated(void **state)
{
	struct url_parts u;
	struct error err = {0};
	(void)state;
	assert_int_equal(url_split("http://u:sec/ret@host/", &u, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_null(strstr(err.text, "sec"));
	assert_null(strstr(err.text, "ret@"));
}

static void loopback_is_known(void **state)
{
	static const struct {
		const char *url;
		bool loopback;
	} rows[] = {{"http://127.0.0.1:9090", true}, {"http://127.8.9.1", true},
		{"http://LOCALHOST/x", true}, {"http://[::1]:1", true}, {"http://128.0.0.1", false},
		{"http://127.evil.com", false}, {"http://localhost.evil.com", false},
		{"http://u@10.0.0.1", false}, {"http://127.", false}};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct url_parts u;
		assert_int_equal(url_split(rows[i].url, &u, NULL), 0);
		assert_int_equal(url_is_loopback(&u), rows[i].loopback);
	}
}

static void the_range_is_one_millisecond_wider(void **state)
{
	struct query q = {QUERY_RAW, "up{a=\"b\"}", 1780000000000, 1780000660000, "targets"};
	struct strbuf b = STRBUF_INIT;
	(void)state;
	request_query(&b, &q);
	assert_string_equal(b.at, "up{a=\"b\"}[660001ms]");
	strbuf_clear(&b);
	q.kind = QUERY_PROMQL;
	request_query(&b, &q);
	assert_string_equal(b.at, "up{a=\"b\"}");
	strbuf_release(&b);
}

static void times_are_unix_seconds(void **state)
{
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = {{1780000060000, "1780000060"}, {1780000060007, "1780000060.007"}, {0, "0"},
		{-1500, "-1.500"}, {999, "0.999"}};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct strbuf b = STRBUF_INIT;
		request_time(&b, rows[i].ms);
		assert_string_equal(b.at, rows[i].text);
		strbuf_release(&b);
	}
}

static void the_form_is_escaped(void **state)
{
	struct source_spec spec = {.url = "http://h", .timeout_ms = 90000};
	struct query q = {QUERY_RAW, "a{b=\"c & d+\xc3\xa9\"}", 0, 1000, "x"};
	struct strbuf b = STRBUF_INIT;
	(void)state;
	request_form(&b, &spec, &q);
	assert_string_equal(b.at,
		"query=a%7Bb%3D%22c%20%26%20d%2B%C3%A9%22%7D%5B1001ms%5D&time=1&timeout=1m30s"
		"&partial_response=false&deny_partial_response=1&nocache=1");
	strbuf_release(&b);
}

static void a_printed_request_holds_no_secret(void **state)
{
	struct source_spec spec = {
		.url = "http://u:secret@h:1/p/", .timeout_ms = 30000, .tenant = "team-a"};
	struct query q = {QUERY_RAW, "up", 0, 1000, "x"};
	struct strbuf b = STRBUF_INIT;
	(void)state;
	source_print_request(&b, &spec, &q);
	assert_non_null(strstr(b.at, "POST http://h:1/p/api/v1/query\n"));
	assert_non_null(strstr(b.at, "query=up[1001ms]\n"));
	assert_non_null(strstr(b.at, "X-Scope-OrgID: team-a\n"));
	assert_null(strstr(b.at, "secret"));
	strbuf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urls_lose_their_userinfo),
		cmocka_unit_test(a_bad_url_is_not_repeated),
		cmocka_unit_test(loopback_is_known),
		cmocka_unit_test(the_range_is_one_millisecond_wider),
		cmocka_unit_test(times_are_unix_seconds),
		cmocka_unit_test(the_form_is_escaped),
		cmocka_unit_test(a_printed_request_holds_no_secret),
	};
	return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
