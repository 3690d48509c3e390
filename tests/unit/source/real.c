/* What every real server must do for us; run on each of them. */
#include "../base/unit.h"

#include <string.h>
#include <time.h>

#include "fetch.h"
#include "real.h"

int64_t real_now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int take(void *ctx, size_t i, const struct series *s, struct error *err)
{
	struct samples *out = ctx;
	(void)i, (void)err;
	out->n_series++;
	for (size_t k = 0; k < s->n; k++)
		*ARRAY_ADD(&out->of) = (struct sample){s->t_ms[k], s->value[k]};
	return 0;
}

static struct samples ask(const char *url, const struct query *q)
{
	struct source_spec spec = spec_for(url);
	struct samples out = {0};
	struct source *s = NULL;
	struct error err = {0};
	const struct source_sink sink = {.series = take, .ctx = &out};
	assert_int_equal(source_open(&spec, NULL, NULL, &s, &err), 0);
	if (source_fetch(s, q, 1, &sink, &err))
		fail_msg("%s: %s", err.code, err.text);
	source_close(s);
	return out;
}

struct samples real_ask(const char *url, const char *selector, int64_t from_ms, int64_t to_ms)
{
	const struct query q = {QUERY_RAW, selector, from_ms, to_ms, "test"};
	return ask(url, &q);
}

struct samples real_wait(const char *url, const char *selector, size_t n)
{
	for (int i = 0; i < 150; i++) {
		int64_t now = real_now_ms();
		struct samples s = real_ask(url, selector, now - 120000, now);
		if (s.of.n >= n) {
			assert_int_equal(s.n_series, 1);
			return s;
		}
		ARRAY_RELEASE(&s.of);
		nanosleep(&(struct timespec){0, 200000000}, NULL);
	}
	fail_msg("%s never had %zu samples", selector, n);
	return (struct samples){0};
}

void real_edges_are_closed(const char *url, const char *selector)
{
	struct samples all = real_wait(url, selector, 4);
	const struct sample *at = all.of.at;
	static const struct {
		int left, right; /* milliseconds beside samples 1 and 3 */
		size_t first, n;
	} rows[] = {{0, 0, 1, 3}, {-1, 1, 1, 3}, {1, 0, 2, 2}, {0, -1, 1, 2}, {1, -1, 2, 1}};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct samples s = real_ask(
			url, selector, at[1].t_ms + rows[i].left, at[3].t_ms + rows[i].right);
		assert_int_equal(s.of.n, rows[i].n);
		for (size_t k = 0; k < s.of.n; k++)
			assert_int_equal(s.of.at[k].t_ms, at[rows[i].first + k].t_ms);
		ARRAY_RELEASE(&s.of);
	}
	ARRAY_RELEASE(&all.of);
}

void real_promql(const char *url)
{
	static const char *const texts[] = {"sum(up)", "vector(3)", "scalar(vector(3))", "3 + 0.5"};
	static const double values[] = {1, 3, 3, 3.5};
	int64_t now = real_now_ms();
	for (size_t i = 0; i < COUNT(texts); i++) {
		const struct query q = {QUERY_PROMQL, texts[i], now, now, "test"};
		struct samples s = ask(url, &q);
		assert_int_equal(s.of.n, 1);
		assert_int_equal(s.of.at[0].t_ms, now);
		assert_true(s.of.at[0].value == values[i]);
		ARRAY_RELEASE(&s.of);
	}
}

void real_wrong_query(const char *url)
{
	struct source_spec spec = spec_for(url);
	const struct query q = {QUERY_RAW, "up{", 1000, 9000, "stage/x"};
	struct fetched f = {0};
	assert_int_equal(fetch(&f, &spec, NULL, &q, 1), -1);
	assert_string_equal(f.err.code, "refused");
	assert_non_null(strstr(f.err.text, "the server says: "));
	assert_string_equal(f.retries.at, "");
	fetched_release(&f);
}
