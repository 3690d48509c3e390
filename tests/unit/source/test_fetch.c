/* Fetching from a well-behaved server: what is sent, in parallel, with whose credentials. */
#include "../base/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_server.h"
#include "fetch.h"

#define EMPTY "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}"
#define WITH(name, value)                                                                          \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{"    \
	"\"__name__\":\"" name "\"},\"values\":[[2,\"" value "\"]]}]}}"

static const struct fake_reply empty = {.status = 200, .body = EMPTY};

static void the_request_is_as_agreed(void **state)
{
	struct fake_server *server = fake_server_start(&empty, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct fetched f = {0};
	(void)state;
	spec.tenant = "team-a|team-b";
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	const struct fake_request *r = fake_server_request(server, 0);
	assert_string_equal(r->method, "POST");
	assert_string_equal(r->path, "/api/v1/query");
	assert_string_equal(r->form,
		"query=up[8001ms]&time=9&timeout=1m&partial_response=false&deny_partial_response=1"
		"&nocache=1");
	static const char *const sent[] = {"X-Scope-OrgID: team-a|team-b\n",
		"Cache-Control: no-store\n", "Sharding-Control: 0\n", "Accept: application/json\n",
		"Content-Type: application/x-www-form-urlencoded\n"};
	static const char *const not_sent[] = {"Accept-Encoding", "Authorization", "Expect"};
	for (size_t i = 0; i < COUNT(sent); i++)
		assert_non_null(strstr(r->headers, sent[i]));
	for (size_t i = 0; i < COUNT(not_sent); i++)
		assert_null(strstr(r->headers, not_sent[i]));
	assert_int_equal(f.answer[0].n_series, 0);
	assert_string_equal(f.series[0].at, "");
	fetched_release(&f);
	fake_server_stop(server);
}

static void gzip_only_on_demand(void **state)
{
	struct fake_server *server = fake_server_start(&empty, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct fetched f = {0};
	(void)state;
	spec.gzip = true;
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	assert_non_null(strstr(fake_server_request(server, 0)->headers, "Accept-Encoding: gzip"));
	fetched_release(&f);
	fake_server_stop(server);
}

static void the_prefix_is_kept(void **state)
{
	struct fake_server *server = fake_server_start(&empty, 1, NULL, false);
	struct strbuf url = STRBUF_INIT;
	struct fetched f = {0};
	(void)state;
	strbuf_addf(&url, "%s/prometheus/", fake_server_url(server));
	struct source_spec spec = spec_for(url.at);
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	assert_string_equal(fake_server_request(server, 0)->path, "/prometheus/api/v1/query");
	fetched_release(&f);
	strbuf_release(&url);
	fake_server_stop(server);
}

static void many_queries_come_back_to_their_places(void **state)
{
	const struct fake_reply r[] = {
		{.match = "query=q0[", .status = 200, .body = WITH("q0", "0"), .delay_ms = 150},
		{.match = "query=q1[", .status = 503, .times = 1},
		{.match = "query=q1[", .status = 200, .body = WITH("q1", "1")},
		{.match = "query=q2[", .status = 200, .body = EMPTY},
		{.match = "query=q3[", .status = 200, .body = WITH("q3", "3"), .delay_ms = 50},
		{.match = "query=q4[", .status = 200, .body = WITH("q4", "4")},
		{.match = "query=q5[", .status = 200, .body = WITH("q5", "5")},
	};
	static const char *const names[] = {"q0", "q1", "q2", "q3", "q4", "q5"};
	struct fake_server *server = fake_server_start(r, COUNT(r), NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct fetched f = {0};
	struct query q[6];
	(void)state;
	spec.parallel = 2;
	for (size_t i = 0; i < COUNT(q); i++)
		q[i] = (struct query){QUERY_RAW, names[i], 1000, 9000, "stage/x"};
	if (fetch(&f, &spec, NULL, q, COUNT(q)))
		fail_msg("%s", f.err.text);
	for (size_t i = 0; i < COUNT(q); i++) {
		char text[32] = "";
		if (i != 2)
			snprintf(text, sizeof text, "q%zu 2000=%zu;", i, i);
		assert_string_equal(f.series[i].at, text);
		assert_int_equal(f.ended[i], 1);
		assert_string_equal(f.answer[i].query.text, names[i]);
	}
	assert_memory_equal(f.updates.at, "6/6 5 ", 6);
	fetched_release(&f);
	fake_server_stop(server);
}

static void no_queries_ask_nothing(void **state)
{
	struct source_spec spec = spec_for("http://127.0.0.1:1");
	struct fetched f = {0};
	(void)state;
	assert_int_equal(fetch(&f, &spec, NULL, NULL, 0), 0);
	fetched_release(&f);
}

static void one_bad_answer_ends_the_batch(void **state)
{
	const struct fake_reply r[] = {
		{.match = "query=q0[", .status = 200, .body = WITH("q0", "0"), .delay_ms = 300},
		{.match = "query=q1[", .status = 400, .body = "bad\n"},
	};
	struct fake_server *server = fake_server_start(r, COUNT(r), NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct fetched f = {0};
	const struct query q[] = {
		{QUERY_RAW, "q0", 1000, 9000, "stage/a"}, {QUERY_RAW, "q1", 1000, 9000, "stage/b"}};
	(void)state;
	assert_int_equal(fetch(&f, &spec, NULL, q, COUNT(q)), -1);
	assert_memory_equal(f.err.text, "stage/b: query q1[8001ms] at ", 29);
	fetched_release(&f);
	fake_server_stop(server);
}

static void victoria_metrics_nan_is_stale(void **state)
{
	const struct fake_reply r = {
		.status = 200, .body = WITH("up", "NaN"), .headers = "X-Server-Hostname: vm-1\n"};
	struct fake_server *server = fake_server_start(&r, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct fetched f = {0};
	(void)state;
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	assert_string_equal(f.series[0].at, "up 2000=stalenan;");
	fetched_release(&f);
	fake_server_stop(server);
}

static const char basic[] = "Authorization: Basic dXNlcjpwYXNzd29yZC0xMjM=\n"; /* password-123 */

static void credentials_are_sent(void **state)
{
	struct header headers[] = {{.name = "X-Key", .secret = {.env = "LV_TEST_KEY"}},
		{.name = "X-Plain", .value = "plain"}, {.name = "X-Empty", .value = ""}};
	struct fake_server *server = fake_server_start(&empty, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct fetched f = {0};
	(void)state;
	setenv("LV_TEST_TOKEN", "token-123", 1);
	setenv("LV_TEST_KEY", "key-123", 1);
	spec.auth = AUTH_BEARER;
	spec.secret.env = "LV_TEST_TOKEN";
	spec.headers = headers;
	spec.n_headers = COUNT(headers);
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	const char *sent = fake_server_request(server, 0)->headers;
	assert_non_null(strstr(sent, "Authorization: Bearer token-123\n"));
	assert_non_null(strstr(sent, "X-Key: key-123\n"));
	assert_non_null(strstr(sent, "X-Plain: plain\n"));
	assert_non_null(strstr(sent, "X-Empty: \n"));
	assert_null(strstr(f.lines.at, "-123"));
	fetched_release(&f);

	char path[] = "/tmp/lv-token-XXXXXX";
	int fd = mkstemp(path);
	assert_int_equal(write(fd, "password-123\r\n", 14), 14);
	close(fd);
	f = (struct fetched){0};
	spec = spec_for(fake_server_url(server));
	spec.auth = AUTH_BASIC;
	spec.user = "user";
	spec.secret.file = path;
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	assert_non_null(strstr(fake_server_request(server, 1)->headers, basic));
	fetched_release(&f);
	unlink(path);
	fake_server_stop(server);
}

static void userinfo_of_the_url_is_basic_auth(void **state)
{
	struct fake_server *server = fake_server_start(&empty, 1, NULL, false);
	struct strbuf url = STRBUF_INIT;
	struct fetched f = {0};
	(void)state;
	strbuf_addf(&url, "http://user:password%%2D123@127.0.0.1:%d", fake_server_port(server));
	struct source_spec spec = spec_for(url.at);
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	assert_non_null(strstr(fake_server_request(server, 0)->headers, basic));
	assert_null(strstr(f.lines.at, "123@"));
	fetched_release(&f);
	strbuf_release(&url);
	fake_server_stop(server);
}

/* A server that repeats all it was sent must not make us print it. */
static void credentials_are_never_repeated(void **state)
{
	static const char echo[] = "bad token token-123, key key-123, user user:password-123, "
				   "dXNlcjpwYXNzd29yZC0xMjM=\n";
	const struct fake_reply replies[] = {
		{.status = 503, .body = echo, .times = 1}, {.status = 401, .body = echo}};
	struct header headers[] = {{.name = "X-Key", .secret = {.env = "LV_TEST_KEY"}},
		{.name = "X-Token", .secret = {.env = "LV_TEST_TOKEN"}}};
	struct fake_server *server = fake_server_start(replies, COUNT(replies), NULL, false);
	struct strbuf url = STRBUF_INIT;
	struct fetched f = {0};
	(void)state;
	setenv("LV_TEST_TOKEN", "token-123", 1);
	setenv("LV_TEST_KEY", "key-123", 1);
	strbuf_addf(&url, "http://user:password-123@127.0.0.1:%d", fake_server_port(server));
	struct source_spec spec = spec_for(url.at);
	spec.headers = headers;
	spec.n_headers = COUNT(headers);
	assert_int_equal(fetch_up(&f, &spec, NULL), -1);
	assert_string_equal(f.err.code, "unauthorized");
	assert_non_null(strstr(f.err.text, "user and password were sent"));
	assert_non_null(strstr(f.err.text, "bad token *********,"));
	const char *const told[] = {f.err.text, f.retries.at, f.lines.at};
	for (size_t i = 0; i < COUNT(told); i++) {
		assert_true(*told[i]);
		assert_null(strstr(told[i], "-123"));
		assert_null(strstr(told[i], "dXNl"));
	}
	fetched_release(&f);
	strbuf_release(&url);
	fake_server_stop(server);
}

static void redirects_are_not_followed(void **state)
{
	struct fake_server *other = fake_server_start(&empty, 1, NULL, false);
	char headers[128];
	snprintf(headers, sizeof headers, "Location: http://localhost:%d/login?token=secret-1\n",
		fake_server_port(other));
	(void)state;
	static const int statuses[] = {301, 302, 303, 307, 308};
	for (size_t i = 0; i < COUNT(statuses); i++) {
		const struct fake_reply r = {.status = statuses[i], .headers = headers};
		struct fake_server *server = fake_server_start(&r, 1, NULL, false);
		struct source_spec spec = spec_for(fake_server_url(server));
		struct fetched f = {0};
		setenv("LV_TEST_TOKEN", "token-123", 1);
		spec.auth = AUTH_BEARER;
		spec.secret.env = "LV_TEST_TOKEN";
		assert_int_equal(fetch_up(&f, &spec, NULL), -1);
		assert_string_equal(f.err.code, "redirected");
		assert_non_null(strstr(f.err.text, "redirect to localhost,"));
		assert_null(strstr(f.err.text, "secret-1"));
		fetched_release(&f);
		fake_server_stop(server);
	}
	assert_int_equal(fake_server_requests(other), 0);
	fake_server_stop(other);
}

static void proxies_are_not_used_for_this_machine(void **state)
{
	struct fake_server *server = fake_server_start(&empty, 1, NULL, false);
	struct fake_server *proxy = fake_server_start(&empty, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct source_spec far = spec_for("http://prometheus.invalid:9090");
	struct fetched f = {0};
	(void)state;
	setenv("http_proxy", fake_server_url(proxy), 1);
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	assert_int_equal(fake_server_requests(proxy), 0);
	fetched_release(&f);
	f = (struct fetched){0};
	assert_int_equal(fetch_up(&f, &far, NULL), 0);
	assert_int_equal(fake_server_requests(proxy), 1);
	fetched_release(&f);
	unsetenv("http_proxy");
	fake_server_stop(proxy);
	fake_server_stop(server);
}

static int64_t retention_from(struct fake_reply r)
{
	struct fake_server *server = fake_server_start(&r, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct source *s = NULL;
	assert_int_equal(source_open(&spec, NULL, NULL, &s, NULL), 0);
	int64_t ms = source_retention_ms(s);
	assert_string_equal(fake_server_request(server, 0)->path, "/api/v1/status/runtimeinfo");
	source_close(s);
	fake_server_stop(server);
	return ms;
}

static void retention_is_read(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} rows[] = {{"15d", 1296000000}, {"15d or 10GiB", 1296000000}, {"100y", 3153600000000},
		{"10GiB", -1}, {"", -1}, {"0s", -1}, {"1w2d", 777600000}};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char body[128];
		snprintf(body, sizeof body, "{\"data\":{\"storageRetention\":\"%s\"}}",
			rows[i].text);
		assert_int_equal(retention_from((struct fake_reply){.status = 200, .body = body}),
			rows[i].ms);
	}
	assert_int_equal(retention_from((struct fake_reply){.status = 404}), -1);
	assert_int_equal(retention_from((struct fake_reply){.status = 0}), -1);
	assert_int_equal(retention_from((struct fake_reply){.status = 200, .body = "x"}), -1);
	assert_int_equal(retention_from((struct fake_reply){
				 .status = 200, .body = "{\"data\":{\"storageRetention\":15}}"}),
		-1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_request_is_as_agreed),
		cmocka_unit_test(gzip_only_on_demand),
		cmocka_unit_test(the_prefix_is_kept),
		cmocka_unit_test(many_queries_come_back_to_their_places),
		cmocka_unit_test(no_queries_ask_nothing),
		cmocka_unit_test(one_bad_answer_ends_the_batch),
		cmocka_unit_test(victoria_metrics_nan_is_stale),
		cmocka_unit_test(credentials_are_sent),
		cmocka_unit_test(userinfo_of_the_url_is_basic_auth),
		cmocka_unit_test(credentials_are_never_repeated),
		cmocka_unit_test(redirects_are_not_followed),
		cmocka_unit_test(proxies_are_not_used_for_this_machine),
		cmocka_unit_test(retention_is_read),
	};
	return cmocka_run_group_tests_name("fetch", tests, NULL, NULL);
}
