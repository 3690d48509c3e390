/* A real VictoriaMetrics that scrapes a target: raw samples to the millisecond although its left
 * edge is open, PromQL at the very time asked, and staleness when the target goes away. */
#include "../base/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "fake_server.h"
#include "real.h"
#include "server_process.h"
#include "source/source.h"

static struct server_process server;
static struct fake_server *target;

static int start(void **state)
{
	static const struct fake_reply metrics = {.status = 200, .body = "lv_total 7\n"};
	char config[256], address[64];
	(void)state;
	target = fake_server_start(&metrics, 1, NULL, false);
	if (!target || server_process_prepare(&server))
		return -1;
	snprintf(config, sizeof config,
		"global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: app\n"
		"  static_configs:\n  - targets: ['127.0.0.1:%d']\n",
		fake_server_port(target));
	snprintf(address, sizeof address, "-httpListenAddr=127.0.0.1:%d", server.port);
	const char *const argv[] = {"victoria-metrics", "-storageDataPath=data",
		"-retentionPeriod=100y", "-promscrape.config=scrape.yml", address, NULL};
	if (server_process_file(&server, "scrape.yml", config))
		return -1;
	return server_process_start(&server, argv, "/health");
}

static int stop(void **state)
{
	(void)state;
	server_process_stop(&server);
	fake_server_stop(target);
	return 0;
}

static void edges(void **state)
{
	(void)state;
	real_edges_are_closed(server.url, "up{job=\"app\"}");
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

static void retention_is_not_served(void **state)
{
	struct source_spec spec = {.url = server.url, .timeout_ms = 5000, .parallel = 1};
	struct source *s = NULL;
	(void)state;
	assert_int_equal(source_open(&spec, NULL, NULL, &s, NULL), 0);
	assert_int_equal(source_retention_ms(s), -1);
	source_close(s);
}

static void a_target_that_goes_leaves_a_stale_mark(void **state)
{
	(void)state;
	struct samples s = real_wait(server.url, "lv_total", 2);
	size_t n = s.of.n;
	ARRAY_RELEASE(&s.of);
	fake_server_stop(target);
	target = NULL;
	for (bool stale = false; !stale; n++) {
		s = real_wait(server.url, "lv_total", n); /* fails after 30 s */
		stale = sample_is_stale(s.of.at[s.of.n - 1].value);
		assert_true(stale || s.of.at[s.of.n - 1].value == 7);
		ARRAY_RELEASE(&s.of);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges),
		cmocka_unit_test(promql),
		cmocka_unit_test(wrong_query),
		cmocka_unit_test(retention_is_not_served),
		cmocka_unit_test(a_target_that_goes_leaves_a_stale_mark),
	};
	return cmocka_run_group_tests_name("victoria", tests, start, stop);
}
