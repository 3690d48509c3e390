/* A real Prometheus that scrapes itself: raw samples to the millisecond, PromQL, its words,
 * retention. */
#include "../base/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "real.h"
#include "server_process.h"
#include "source/source.h"

static struct server_process server;

static int start(void **state)
{
	char config[256], address[64];
	(void)state;
	if (server_process_prepare(&server))
		return -1;
	snprintf(config, sizeof config,
		"global: {scrape_interval: 500ms, scrape_timeout: 500ms}\n"
		"scrape_configs:\n- job_name: prometheus\n  static_configs:\n"
		"  - targets: ['127.0.0.1:%d']\n",
		server.port);
	snprintf(address, sizeof address, "--web.listen-address=127.0.0.1:%d", server.port);
	const char *const argv[] = {"prometheus", "--config.file=prometheus.yml",
		"--storage.tsdb.path=data", address, NULL};
	if (server_process_file(&server, "prometheus.yml", config))
		return -1;
	return server_process_start(&server, argv, "/-/ready");
}

static int stop(void **state)
{
	(void)state;
	server_process_stop(&server);
	return 0;
}

static void edges(void **state)
{
	(void)state;
	real_edges_are_closed(server.url, "up{job=\"prometheus\"}");
}

static void counters_are_raw(void **state)
{
	static const char text[] =
		"prometheus_http_requests_total{handler=\"/api/v1/query\",code=\"200\"}";
	(void)state;
	/* our own queries count it up: more than one value, never falling, all whole numbers */
	struct samples s = real_wait(server.url, text, 4);
	const struct sample *at = s.of.at;
	assert_true(at[s.of.n - 1].value > at[0].value);
	for (size_t i = 1; i < s.of.n; i++) {
		assert_true(at[i].value >= at[i - 1].value);
		assert_true(at[i].value == (double)(int64_t)at[i].value);
		int64_t step = at[i].t_ms - at[i - 1].t_ms; /* a grid would give it too, but not */
		assert_true(step > 400);		    /* with the phase of the scrapes */
	}
	ARRAY_RELEASE(&s.of);
}

static void promql(void **state)
{
	(void)state;
	real_promql(server.url);
}

static void wrong_query(void **state)
{
	(void)state;
	real_wrong_query(server.url);
}

static void nothing_matches(void **state)
{
	int64_t now = real_now_ms();
	(void)state;
	struct samples s = real_ask(server.url, "no_such_metric{a=\"b\"}", now - 60000, now);
	assert_int_equal(s.n_series, 0);
}

static void retention(void **state)
{
	struct source_spec spec = {.url = server.url, .timeout_ms = 5000, .parallel = 1};
	struct source *s = NULL;
	(void)state;
	assert_int_equal(source_open(&spec, NULL, NULL, &s, NULL), 0);
	assert_int_equal(source_retention_ms(s), 15 * 86400000LL);
	source_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges),
		cmocka_unit_test(counters_are_raw),
		cmocka_unit_test(promql),
		cmocka_unit_test(wrong_query),
		cmocka_unit_test(nothing_matches),
		cmocka_unit_test(retention),
	};
	return cmocka_run_group_tests_name("prometheus", tests, start, stop);
}
