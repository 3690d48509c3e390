/* A faulty server: every fault is retried, or told clearly, and never half an answer is ended. */
#include "../base/unit.h"

#include <string.h>

#include "fake_server.h"
#include "fetch.h"

#define GOOD                                                                                       \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{"    \
	"\"__name__\":\"up\"},\"values\":[[1,\"1\"],[2,\"NaN\"]]}]}}"
static const char good_series[] = "up 1000=1 2000=nan;";

static struct source_limits limits_of(int retries)
{
	struct source_limits l = source_limits_default;
	l.retries = retries;
	l.deadline_ms = 20000;
	return l;
}

/* Runs one query against the scripted replies; `*asked` requests came. */
static int run(struct fetched *f, const struct fake_reply *r, size_t n, int retries, size_t *asked)
{
	struct fake_server *server = fake_server_start(r, n, NULL, false);
	assert_non_null(server);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct source_limits limits = limits_of(retries);
	*f = (struct fetched){0};
	int failed = fetch_up(f, &spec, &limits);
	*asked = fake_server_requests(server);
	fake_server_stop(server);
	return failed;
}

static void expect_good(const struct fake_reply *r, size_t n, size_t requests)
{
	struct fetched f;
	size_t asked = 0;
	if (run(&f, r, n, 3, &asked))
		fail_msg("%s: %s", f.err.code, f.err.text);
	assert_string_equal(f.series[0].at, good_series);
	assert_int_equal(f.ended[0], 1);
	assert_int_equal(f.begun[0], f.abandoned[0] + 1);
	assert_int_equal(asked, requests);
	assert_int_equal(f.retries.n > 0, requests > 1);
	assert_memory_equal(f.updates.at, "1/1 2 ", 6);
	fetched_release(&f);
}

static void expect_bad(struct fake_reply r, size_t requests, const char *code, const char *words)
{
	struct fetched f;
	size_t asked = 0;
	assert_int_equal(run(&f, &r, 1, 1, &asked), -1);
	if (f.err.kind != ERROR_SOURCE || strcmp(f.err.code, code) || !strstr(f.err.text, words))
		fail_msg("status %d: %s: %s", r.status, f.err.code, f.err.text);
	assert_memory_equal(
		f.err.text, "targets: query up[8001ms] at 1970-01-01T00:00:09Z to http", 57);
	assert_int_equal(asked, requests);
	assert_int_equal(f.ended[0], 0);
	assert_int_equal(f.begun[0], f.abandoned[0]);
	fetched_release(&f);
}

static void a_good_answer_is_handed_on(void **state)
{
	const struct fake_reply whole = {.status = 200, .body = GOOD};
	const struct fake_reply chunks = {.status = 200, .body = GOOD, .unsized = true};
	(void)state;
	expect_good(&whole, 1, 1);
	expect_good(&chunks, 1, 1);
}

static void faults_then_fine_equals_fine(void **state)
{
	static const struct fake_reply faults[] = {
		{.status = 503, .body = "Service Unavailable\n"},
		{.status = 502},
		{.status = 504},
		{.status = 500, .body = "panic\n"},
		{.status = 429, .headers = "Retry-After: 0\n"},
		{.status = 0},
		{.status = 200, .body = GOOD, .cut_after = 5},
		{.status = 200, .body = GOOD, .cut_after = sizeof GOOD - 2},
		{.status = 200, .body = GOOD, .cut_after = sizeof GOOD - 2, .unsized = true},
		{.status = 200, .body = GOOD, .length = sizeof GOOD - 2},
		{.status = 200},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(faults); i++) {
		struct fake_reply r[] = {faults[i], {.status = 200, .body = GOOD}};
		r[0].times = 1;
		expect_good(r, COUNT(r), 2);
	}
}

static void retry_after_is_waited_for(void **state)
{
	const struct fake_reply r[] = {
		{.status = 503, .headers = "Retry-After: 1\n", .times = 1},
		{.status = 200, .body = GOOD},
	};
	const struct fake_reply late[] = {{.status = 503, .headers = "Retry-After: 3600\n"}};
	struct fetched f;
	size_t asked = 0;
	(void)state;
	assert_int_equal(run(&f, r, COUNT(r), 3, &asked), 0);
	assert_memory_equal(f.retries.at, "1000 ", 5);
	fetched_release(&f);
	assert_int_equal(run(&f, late, COUNT(late), 3, &asked), -1);
	assert_int_equal(asked, 1); /* the deadline is nearer */
	fetched_release(&f);
}

static void persistent_faults_end_the_batch(void **state)
{
	(void)state;
	expect_bad((struct fake_reply){.status = 503, .body = "starting\n"}, 2, "server-failed",
		"HTTP 503 after 2 tries, the server says: starting;");
	expect_bad((struct fake_reply){.status = 500,
			   .body = "{\"status\":\"error\",\"errorType\":\"internal\",\"error\":"
				   "\"expanding series: "
				   "broken\\u001b[2J\\n\"}"},
		2, "server-failed", "internal: expanding series: broken [2J;");
	expect_bad((struct fake_reply){.status = 429}, 2, "refused", "parallel");
	expect_bad((struct fake_reply){.status = 0}, 2, "unreachable", "after 2 tries");
	expect_bad((struct fake_reply){.status = 200, .body = GOOD, .cut_after = 20}, 2,
		"incomplete-answer", "cut");
	expect_bad((struct fake_reply){.status = 200, .body = "{\"status\":"}, 2,
		"incomplete-answer", "ends in the middle, after 10 bytes");
	expect_bad((struct fake_reply){.status = 200}, 2, "incomplete-answer", "empty");
}

static void refusals_are_not_asked_again(void **state)
{
	(void)state;
	expect_bad((struct fake_reply){.status = 400,
			   .body = "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":"
				   "\"parse error\"}"},
		1, "refused", "bad_data: parse error; correct the query");
	expect_bad((struct fake_reply){.status = 401, .body = "no org id\n"}, 1, "unauthorized",
		"tenant");
	expect_bad((struct fake_reply){.status = 401}, 1, "unauthorized", "no credentials");
	expect_bad((struct fake_reply){.status = 403}, 1, "unauthorized", "no credentials");
	expect_bad((struct fake_reply){.status = 404,
			   .headers = "Content-Type: text/html\n",
			   .body = "<html>\n<title>Not\x01 here</title></html>"},
		1, "refused",
		"says: Not here; is the URL's path prefix right (Mimir: /prometheus)?");
	expect_bad((struct fake_reply){.status = 413}, 1, "refused", "shorten the window");
	expect_bad((struct fake_reply){.status = 422}, 1, "refused", "limit of the server");
	expect_bad((struct fake_reply){.status = 204}, 1, "not-prometheus", "HTTP 204");
	expect_bad((struct fake_reply){.status = 200, .body = "hello"}, 1, "not-prometheus",
		"begins with: hello");
	expect_bad((struct fake_reply){.status = 200,
			   .body = "{\"status\":\"success\",\"warnings\":[\"store gone\"],\"data\":"
				   "{\"resultType\":\"matrix\",\"result\":[]}}"},
		1, "incomplete-answer", "store gone");
	expect_bad((struct fake_reply){.status = 200,
			   .body = "{\"status\":\"success\",\"isPartial\":true,\"data\":"
				   "{\"resultType\":\"matrix\",\"result\":[]}}"},
		1, "incomplete-answer", "isPartial");
}

static void long_words_are_cut(void **state)
{
	struct strbuf b = STRBUF_INIT;
	(void)state;
	for (int i = 0; i < 30000; i++)
		strbuf_adds(&b, "\xed\x95\x9c");
	struct fake_reply r = {.status = 400, .body = b.at};
	struct fetched f;
	size_t asked = 0;
	assert_int_equal(run(&f, &r, 1, 1, &asked), -1);
	assert_true(strlen(f.err.text) < 700);
	assert_non_null(strstr(f.err.text, "\x9c...; correct"));
	fetched_release(&f);
	strbuf_release(&b);
}

static void post_refused_falls_back_to_get(void **state)
{
	const struct fake_reply r[] = {
		{.status = 405, .times = 1},
		{.status = 200, .body = GOOD, .match = "?query=up[8001ms]&time=9&timeout=1m"},
	};
	struct fetched f;
	size_t asked = 0;
	(void)state;
	assert_int_equal(run(&f, r, COUNT(r), 0, &asked), 0);
	assert_int_equal(asked, 2);
	assert_string_equal(f.series[0].at, good_series);
	assert_non_null(strstr(f.lines.at, "GET http"));
	fetched_release(&f);
	expect_bad((struct fake_reply){.status = 405}, 2, "refused", "HTTP 405");
}

static void a_slow_server_is_given_up(void **state)
{
	const struct fake_reply r = {.status = 200, .body = GOOD, .delay_ms = 600};
	struct fake_server *server = fake_server_start(&r, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct source_limits limits = limits_of(3);
	struct fetched f = {0};
	(void)state;
	spec.timeout_ms = 100;
	assert_int_equal(fetch_up(&f, &spec, &limits), -1);
	assert_string_equal(f.err.code, "timed-out");
	assert_non_null(strstr(f.err.text, "within 100ms"));
	fetched_release(&f);
	fake_server_stop(server);
}

static void the_deadline_is_for_all_together(void **state)
{
	const struct fake_reply r = {.status = 503};
	struct fake_server *server = fake_server_start(&r, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct source_limits limits = limits_of(1000);
	struct fetched f = {0};
	(void)state;
	limits.deadline_ms = 800;
	assert_int_equal(fetch_up(&f, &spec, &limits), -1);
	assert_true(fake_server_requests(server) < 8);
	fetched_release(&f);
	fake_server_stop(server);
}

static void a_refused_connection_is_told_at_once(void **state)
{
	struct fake_server *server = fake_server_start(NULL, 0, NULL, false);
	struct strbuf url = STRBUF_INIT;
	(void)state;
	strbuf_adds(&url, fake_server_url(server));
	fake_server_stop(server);
	struct source_spec spec = spec_for(url.at);
	struct fetched f = {0};
	assert_int_equal(fetch_up(&f, &spec, NULL), -1);
	assert_int_equal(f.err.kind, ERROR_SOURCE);
	assert_string_equal(f.err.code, "unreachable");
	assert_non_null(strstr(f.err.text, "is the address right"));
	assert_string_equal(f.retries.at, "");
	fetched_release(&f);
	strbuf_release(&url);
}

static void an_unfit_url_is_a_usage_error(void **state)
{
	struct source_spec spec = spec_for("ftp://127.0.0.1");
	struct fetched f = {0};
	(void)state;
	assert_int_equal(fetch_up(&f, &spec, NULL), -1);
	assert_int_equal(f.err.kind, ERROR_USAGE);
	fetched_release(&f);
}

static void tls_is_checked(void **state)
{
	const struct fake_reply r = {.status = 200, .body = GOOD};
	struct fake_server *server = fake_server_start(&r, 1, NULL, true);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct fetched f = {0};
	(void)state;
	assert_int_equal(fetch_up(&f, &spec, NULL), -1);
	assert_string_equal(f.err.code, "tls-failed");
	assert_non_null(strstr(f.err.text, "set the source's ca"));
	assert_int_equal(fake_server_requests(server), 0);
	fetched_release(&f);
	f = (struct fetched){0};
	spec.ca = "/nonexistent/ca.pem";
	assert_int_equal(fetch_up(&f, &spec, NULL), -1);
	assert_string_equal(f.err.code, "tls-failed");
	fetched_release(&f);
	f = (struct fetched){0};
	spec.ca = NULL;
	spec.insecure_skip_verify = true;
	assert_int_equal(fetch_up(&f, &spec, NULL), 0);
	fetched_release(&f);
	fake_server_stop(server);
}

static void http_where_tls_is_spoken_is_told(void **state)
{
	const struct fake_reply r = {.status = 200, .body = GOOD};
	struct fake_server *server = fake_server_start(&r, 1, NULL, false);
	struct strbuf url = STRBUF_INIT;
	struct fetched f = {0};
	(void)state;
	strbuf_addf(&url, "https://127.0.0.1:%d", fake_server_port(server));
	struct source_spec spec = spec_for(url.at);
	assert_int_equal(fetch_up(&f, &spec, NULL), -1);
	assert_string_equal(f.err.code, "tls-failed");
	assert_non_null(strstr(f.err.text, "http or https"));
	fetched_release(&f);
	strbuf_release(&url);
	fake_server_stop(server);
}

static void the_body_limit_holds(void **state)
{
	const struct fake_reply r = {.status = 200, .body = GOOD};
	struct fake_server *server = fake_server_start(&r, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct source_limits limits = limits_of(3);
	struct fetched f = {0};
	(void)state;
	limits.body_bytes = 50;
	assert_int_equal(fetch_up(&f, &spec, &limits), -1);
	assert_string_equal(f.err.code, "too-large");
	assert_int_equal(fake_server_requests(server), 1);
	fetched_release(&f);
	fake_server_stop(server);
}

static void the_sinks_error_stops_everything(void **state)
{
	const struct fake_reply r = {.status = 200, .body = GOOD};
	struct fake_server *server = fake_server_start(&r, 1, NULL, false);
	struct source_spec spec = spec_for(fake_server_url(server));
	struct fetched f[] = {{.refuse_begin = 1}, {.refuse_series = 1}, {.refuse_end = 1}};
	static const char *const texts[] = {"no begin", "no series", "no end"};
	(void)state;
	for (size_t i = 0; i < COUNT(f); i++) {
		assert_int_equal(fetch_up(&f[i], &spec, NULL), -1);
		assert_int_equal(f[i].err.kind, ERROR_STORE);
		assert_string_equal(f[i].err.text, texts[i]);
		assert_int_equal(fake_server_requests(server), i + 1);
		fetched_release(&f[i]);
	}
	fake_server_stop(server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_answer_is_handed_on),
		cmocka_unit_test(faults_then_fine_equals_fine),
		cmocka_unit_test(retry_after_is_waited_for),
		cmocka_unit_test(persistent_faults_end_the_batch),
		cmocka_unit_test(refusals_are_not_asked_again),
		cmocka_unit_test(long_words_are_cut),
		cmocka_unit_test(post_refused_falls_back_to_get),
		cmocka_unit_test(a_slow_server_is_given_up),
		cmocka_unit_test(the_deadline_is_for_all_together),
		cmocka_unit_test(a_refused_connection_is_told_at_once),
		cmocka_unit_test(an_unfit_url_is_a_usage_error),
		cmocka_unit_test(tls_is_checked),
		cmocka_unit_test(http_where_tls_is_spoken_is_told),
		cmocka_unit_test(the_body_limit_holds),
		cmocka_unit_test(the_sinks_error_stops_everything),
	};
	return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
