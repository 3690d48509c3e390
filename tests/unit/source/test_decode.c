/* The decoder: what it reads, what it refuses, its limits, and that pieces make no difference. */
#include "../base/unit.h"

#include <math.h>
#include <stdio.h>

#include "source/decode.h"

static const struct source_limits small = {.body_bytes = 100000,
	.series = 3,
	.samples = 4,
	.label_bytes = 20,
	.labels = 3,
	.depth = 9,
	.deadline_ms = 1000,
	.retries = 1};

struct got { /* everything that came out, as text */
	struct strbuf text;
	struct answer answer;
	struct error err;
	bool cut, stopped;
	int fail_at; /* series that the receiver refuses; 0 none */
	int n;
};

static int take(void *ctx, const struct series *s, struct error *err)
{
	struct got *g = ctx;
	if (++g->n == g->fail_at)
		return error_set(err, ERROR_STORE, "store-failed", "the disk is full");
	labels_print(&g->text, &s->labels);
	for (size_t i = 0; i < s->n; i++)
		strbuf_addf(&g->text, " %lld=%s%g", (long long)s->t_ms[i],
			sample_is_stale(s->value[i]) ? "stale" : "", s->value[i]);
	strbuf_adds(&g->text, s->native ? " native;" : ";");
	return 0;
}

struct ask {
	enum query_kind kind;
	bool victoria;
	const struct source_limits *limits;
	size_t piece; /* bytes fed at once; 0: all */
	int fail_at;
};

static int decode_all(struct ask ask, const char *body, size_t n, struct got *g)
{
	struct query q = {ask.kind, "x", ask.kind == QUERY_RAW ? 1000 : 9000, 9000, "stage/x"};
	struct decode *d = decode_new(ask.limits ? ask.limits : &source_limits_default);
	*g = (struct got){.text = STRBUF_INIT, .fail_at = ask.fail_at};
	decode_begin(d, &q, ask.victoria, take, g);
	int bad = 0;
	size_t piece = ask.piece ? ask.piece : n;
	for (size_t i = 0; i < n && !bad; i += piece)
		bad = decode_feed(d, body + i, n - i < piece ? n - i : piece, &g->err);
	bad = bad || decode_end(d, &g->answer, &g->err);
	g->cut = decode_was_cut(d);
	g->stopped = decode_was_stopped(d);
	g->answer.infos = NULL; /* dies with the decoder: see infos_are_kept */
	decode_free(d);
	return bad ? -1 : 0;
}

static void expect(struct ask ask, const char *body, const char *text)
{
	for (ask.piece = 0; ask.piece < 4; ask.piece++) { /* whole, and in pieces of 1 to 3 bytes */
		struct got g;
		if (decode_all(ask, body, strlen(body), &g))
			fail_msg("%s: %s", g.err.code, g.err.text);
		assert_string_equal(g.text.at, text);
		strbuf_release(&g.text);
	}
}

static void expect_error(struct ask ask, const char *body, const char *code, const char *words)
{
	for (ask.piece = 0; ask.piece < 4; ask.piece++) {
		struct got g;
		assert_int_equal(decode_all(ask, body, strlen(body), &g), -1);
		assert_int_equal(g.err.kind, ERROR_SOURCE);
		assert_string_equal(g.err.code, code);
		if (!strstr(g.err.text, words))
			fail_msg("\"%s\" is not in: %s", words, g.err.text);
		strbuf_release(&g.text);
	}
}

static const struct ask raw = {.kind = QUERY_RAW};
static const struct ask promql = {.kind = QUERY_PROMQL};
static const struct ask tight = {.kind = QUERY_RAW, .limits = &small};

#define MATRIX(series)                                                                             \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[" series "]}}"
#define VECTOR(series)                                                                             \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[" series "]}}"
#define SCALAR(sample)                                                                             \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":" sample "}}"
#define ONE(samples) MATRIX("{\"metric\":{\"a\":\"b\"},\"values\":[" samples "]}")

static void reads_series(void **state)
{
	(void)state;
	expect(raw, MATRIX(""), "");
	expect(raw, ONE("[1,\"5\"],[1.5,\"6.25\"],[9.000,\"7e3\"]"),
		"{a=\"b\"} 1000=5 1500=6.25 9000=7000;");
	expect(raw,
		MATRIX("{\"values\":[[2,\"1\"]],\"metric\":{\"z\":\"1\",\"__name__\":\"n\","
		       "\"b\":\"2\"}},{\"metric\":{},\"values\":[[3,\"2\"]]}"),
		"n{b=\"2\",z=\"1\"} 2000=1;{} 3000=2;");
	expect(raw,
		" {\"data\":{\"result\":[],\"resultType\":\"matrix\"},\"status\":\"success\"}\n",
		"");
}

static void cuts_to_the_range(void **state)
{
	(void)state;
	expect(raw, ONE("[0.999,\"1\"],[1,\"2\"],[9,\"3\"],[9.001,\"4\"]"),
		"{a=\"b\"} 1000=2 9000=3;");
	expect(raw, ONE("[0.5,\"1\"],[9.5,\"2\"]"), "");
}

static void unknown_fields_are_ignored(void **state)
{
	(void)state;
	expect(raw,
		"{\"trace\":{\"status\":\"error\",\"children\":[[{\"data\":[]}]]},\"n\":null,"
		"\"status\":\"success\",\"isPartial\":false,\"warnings\":[],\"stats\":{\"x\":1},"
		"\"data\":{\"resultType\":\"matrix\",\"more\":[{\"metric\":{}}],\"result\":[{"
		"\"metric\":{\"a\":\"b\"},\"values\":[[2,\"1\"]],\"group\":1,\"odd\":{\"values\":"
		"[1]}}],\"stats\":{}}}",
		"{a=\"b\"} 2000=1;");
	expect(raw,
		"{\"status\":\"success\",\"warnings\":null,\"infos\":null,\"data\":{"
		"\"resultType\":\"matrix\",\"result\":[]}}",
		"");
}

static void special_values_and_staleness(void **state)
{
	(void)state;
	expect(raw, ONE("[1,\"NaN\"],[2,\"+Inf\"],[3,\"-Inf\"]"),
		"{a=\"b\"} 1000=nan 2000=inf 3000=-inf;");
	expect((struct ask){.kind = QUERY_RAW, .victoria = true}, ONE("[1,\"4\"],[2,\"NaN\"]"),
		"{a=\"b\"} 1000=4 2000=stalenan;");
	expect((struct ask){.kind = QUERY_PROMQL, .victoria = true},
		VECTOR("{\"metric\":{},\"value\":[9,\"NaN\"]}"), "{} 9000=nan;");
}

static void promql_gives_a_vector_or_scalar(void **state)
{
	(void)state;
	expect(promql, VECTOR("{\"metric\":{\"a\":\"b\"},\"value\":[9,\"0.5\"]}"),
		"{a=\"b\"} 9000=0.5;");
	expect(promql,
		VECTOR("{\"metric\":{\"a\":\"b\"},\"value\":[9,\"1\"]},{\"metric\":{\"a\":"
		       "\"c\"},\"value\":[9,\"2\"]}"),
		"{a=\"b\"} 9000=1;{a=\"c\"} 9000=2;");
	expect(promql, VECTOR(""), "");
	expect(promql, SCALAR("[9,\"3\"]"), "{} 9000=3;");
	expect_error(promql, VECTOR("{\"metric\":{},\"value\":[8,\"1\"]}"), "incomplete-answer",
		"another time");
	expect_error(promql, SCALAR("[8,\"3\"]"), "incomplete-answer", "another time");
	expect_error(promql, ONE("[9,\"1\"]"), "refused", "range of samples");
	expect_error(promql,
		"{\"status\":\"success\",\"data\":{\"resultType\":\"string\",\"result\":[9,\"x\"]}"
		"}",
		"refused", "text");
	expect_error(promql, SCALAR("[9]"), "not-prometheus", "[time, value]");
	expect_error(promql, SCALAR("[]"), "not-prometheus", "");
	expect_error(promql, SCALAR("[9,\"3\",\"4\"]"), "not-prometheus", "");
	expect_error(promql, VECTOR("9,\"3\""), "not-prometheus", "");
	expect_error(promql, VECTOR("{\"metric\":{},\"value\":[9,\"1\"]},9,\"3\""),
		"not-prometheus", "no series");
	expect_error(promql, SCALAR("[9,\"3\",{\"metric\":{},\"value\":[9,\"1\"]}]"),
		"not-prometheus", "no series");
}

static void native_histograms_are_seen(void **state)
{
	(void)state;
	expect(raw,
		MATRIX("{\"metric\":{\"a\":\"b\"},\"histograms\":[[2,{\"count\":\"1\",\"buckets\":"
		       "[[0,\"1\",\"2\",\"3\"]]}]]}"),
		"{a=\"b\"} native;");
	expect(raw,
		MATRIX("{\"metric\":{\"a\":\"b\"},\"values\":[[2,\"1\"]],\"histograms\":[[3,{}]]}"),
		"{a=\"b\"} 2000=1 native;");
	expect(raw, MATRIX("{\"metric\":{\"a\":\"b\"},\"values\":[[2,\"1\"]],\"histograms\":[]}"),
		"{a=\"b\"} 2000=1;");
	expect(promql, VECTOR("{\"metric\":{\"a\":\"b\"},\"histogram\":[9,{\"count\":\"1\"}]}"),
		"{a=\"b\"} native;");
}

static void labels_are_unescaped_and_repaired(void **state)
{
	struct got g;
	(void)state;
	expect(raw,
		MATRIX("{\"metric\":{\"a\":\"\\u00e9\\n\\\"|</script>\",\"e\":\"\"},"
		       "\"values\":[[2,\"1\"]]}"),
		"{a=\"\xc3\xa9\\n\\\"|</script>\"} 2000=1;");
	static const char bad[] =
		MATRIX("{\"metric\":{\"a\":\"x\xff\xc3(\"},\"values\":[[2,\"1\"]]}");
	assert_int_equal(decode_all(raw, bad, strlen(bad), &g), 0);
	assert_string_equal(g.text.at, "{a=\"x\xef\xbf\xbd\xef\xbf\xbd(\"} 2000=1;");
	assert_true(g.answer.repaired);
	strbuf_release(&g.text);
	static const char nul[] =
		MATRIX("{\"metric\":{\"a\":\"x\\u0000y\"},\"values\":[[2,\"1\"]]}");
	assert_int_equal(decode_all(raw, nul, strlen(nul), &g), 0);
	assert_string_equal(g.text.at, "{a=\"x\xef\xbf\xbdy\"} 2000=1;");
	assert_true(g.answer.repaired);
	strbuf_release(&g.text);
	static const char good[] =
		MATRIX("{\"metric\":{\"a\":\"\xed\x95\x9c\"},\"values\":[[2,\"1\"]]}");
	assert_int_equal(decode_all(raw, good, strlen(good), &g), 0);
	assert_false(g.answer.repaired);
	assert_int_equal(g.answer.n_series, 1);
	assert_int_equal(g.answer.n_samples, 1);
	strbuf_release(&g.text);
}

static void incomplete_answers_are_refused(void **state)
{
	(void)state;
	expect_error(raw,
		"{\"status\":\"success\",\"warnings\":[\"store \\u001b[31ma\\ngone\"],\"data\":{"
		"\"resultType\":\"matrix\",\"result\":[]}}",
		"incomplete-answer", "warns: store [31ma gone;");
	expect_error(raw,
		"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]},"
		"\"warnings\":[\"\"]}",
		"incomplete-answer", "(no text)");
	expect_error(raw,
		"{\"status\":\"success\",\"isPartial\":true,\"data\":{\"resultType\":\"matrix\","
		"\"result\":[]}}",
		"incomplete-answer", "isPartial");
	expect_error(raw,
		"{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"out of "
		"memory\"}",
		"refused", "execution: out of memory");
	expect_error(raw, "{\"status\":\"error\",\"data\":null}", "refused", "(nothing)");
}

static void cut_bodies_are_refused(void **state)
{
	static const char body[] = ONE("[2,\"1\"],[3,\"2\"]");
	(void)state;
	for (size_t n = 0; n + 1 < sizeof body - 1; n++) {
		struct got g;
		assert_int_equal(decode_all(raw, body, n, &g), -1);
		assert_string_equal(g.err.code, "incomplete-answer");
		assert_true(g.cut);
		strbuf_release(&g.text);
	}
}

static void other_things_are_refused(void **state)
{
	static const char *const rows[] = {"  ", "[]", "null", "5", "\"success\"", "{}",
		"{\"status\":\"success\"}", "{\"status\":\"success\",\"data\":{}}",
		"{\"status\":\"success\",\"data\":null}", "{\"status\":\"success\",\"data\":[]}",
		"{\"status\":true}", "{\"status\":null}", "{\"status\":[]}",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\"}}",
		"{\"status\":\"success\",\"data\":{\"result\":[]}}",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":null}}",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":{}}}",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"streams\",\"result\":[]}}",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"a very long type name\"}}",
		"{\"status\":\"success\",\"isPartial\":1}",
		"{\"status\":\"success\",\"warnings\":\"x\"}",
		"{\"status\":\"success\",\"warnings\":{}}", VECTOR(""), SCALAR("[2,\"1\"]"),
		VECTOR("{\"metric\":{},\"value\":[2,\"1\"]}"), MATRIX("[2,\"1\"]"), MATRIX("1"),
		MATRIX("null"), MATRIX("{}"), MATRIX("{\"metric\":{\"a\":\"b\"}}"),
		MATRIX("{\"values\":[[2,\"1\"]]}"),
		MATRIX("{\"metric\":[],\"values\":[[2,\"1\"]]}"),
		MATRIX("{\"metric\":{\"a\":1},\"values\":[[2,\"1\"]]}"),
		MATRIX("{\"metric\":{\"a\":null},\"values\":[[2,\"1\"]]}"),
		MATRIX("{\"metric\":{\"a\":{}},\"values\":[[2,\"1\"]]}"),
		MATRIX("{\"metric\":{\"\":\"b\"},\"values\":[[2,\"1\"]]}"),
		MATRIX("{\"metric\":{\"a\":\"b\",\"a\":\"c\"},\"values\":[[2,\"1\"]]}"),
		MATRIX("{\"metric\":{},\"metric\":{},\"values\":[[2,\"1\"]]}"),
		MATRIX("{\"metric\":{},\"values\":[[2,\"1\"]],\"values\":[[3,\"1\"]]}"),
		MATRIX("{\"metric\":{},\"value\":[2,\"1\"]}"),
		MATRIX("{\"metric\":{},\"values\":{}}"), ONE("1"), ONE("{}"), ONE("[]"), ONE("[2]"),
		ONE("[2,\"1\",3]"), ONE("[2,1]"), ONE("[\"2\",\"1\"]"), ONE("[\"1\",2]"),
		ONE("[2,\"x\"]"), ONE("[2,null]"), ONE("[2,[]]"), ONE("[2.0001,\"1\"]"),
		ONE("[1e9,\"1\"]"), ONE("[2,\"1\"],[2,\"1\"]"), ONE("[3,\"1\"],[2,\"1\"]"),
		MATRIX("{\"metric\":{},\"values\":[[2,\"1\"]]},{\"metric\":{},\"values\":[[3,"
		       "\"1\"]]}"),
		MATRIX("{\"metric\":{\"a\":\"1\",\"b\":\"2\"},\"values\":[[2,\"1\"]]},{\"metric\":"
		       "{\"b\":\"2\",\"a\":\"1\"},\"values\":[[0.5,\"1\"]]}"),
		"<html><body>Sign in</body></html>", "upstream connect error", MATRIX("") "x",
		MATRIX("") "{}", "{\"status\":\"success\",\"status\":\"success\"}", "{'a':1}",
		"{\"status\":\"suc\ncess\"}", "\x1f\x8b\x08garbage"};
	struct got g;
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(decode_all(raw, rows[i], strlen(rows[i]), &g), -1);
		bool blank = !strcmp(rows[i], "  ");
		if (strcmp(g.err.code, blank ? "incomplete-answer" : "not-prometheus"))
			fail_msg("%s: %s: %s", rows[i], g.err.code, g.err.text);
		assert_int_equal(g.cut, blank);
		strbuf_release(&g.text);
	}
	/* in pieces, the first ones say too little */
	static const char page[] = "<html><body>Sign in</body></html>";
	assert_int_equal(decode_all(raw, page, strlen(page), &g), -1);
	assert_non_null(strstr(g.err.text, "begins with: Sign in;"));
	strbuf_release(&g.text);
	expect_error(raw, ONE("[3,\"1\"],[2,\"1\"]"), "not-prometheus", "order of time");
	expect_error(raw, ONE("[2,\"1\"],[2,\"2\"]"), "not-prometheus", "two samples");
	expect_error(raw, rows[COUNT(rows) - 9], "not-prometheus", "twice");
}

static void limits_hold(void **state)
{
	(void)state;
	expect(tight, ONE("[1,\"1\"],[2,\"1\"],[3,\"1\"],[4,\"1\"]"),
		"{a=\"b\"} 1000=1 2000=1 3000=1 4000=1;");
	expect_error(tight, ONE("[1,\"1\"],[2,\"1\"],[3,\"1\"],[4,\"1\"],[5,\"1\"]"), "too-large",
		"4 samples");
	expect_error(tight, ONE("[0.1,\"1\"],[0.2,\"1\"],[0.3,\"1\"],[4,\"1\"],[5,\"1\"]"),
		"too-large", "4 samples");
#define S(n) "{\"metric\":{\"a\":\"" #n "\"},\"values\":[[2,\"1\"]]}"
	expect(tight, MATRIX(S(1) "," S(2) "," S(3)),
		"{a=\"1\"} 2000=1;{a=\"2\"} 2000=1;{a=\"3\"} 2000=1;");
	expect_error(tight, MATRIX(S(1) "," S(2) "," S(3) "," S(4)), "too-large", "3 series");
	expect(tight, MATRIX(S(12345678901234567890)), "{a=\"12345678901234567890\"} 2000=1;");
	expect_error(tight, MATRIX(S(123456789012345678901)), "too-large", "20 bytes");
	expect_error(tight,
		MATRIX("{\"metric\":{\"a23456789012345678901\":\"1\"},\"values\":[[2,\"1\"]]}"),
		"too-large", "label name");
	expect(tight,
		MATRIX("{\"metric\":{\"a\":\"1\",\"b\":\"1\",\"c\":\"1\"},\"values\":[[2,"
		       "\"1\"]]}"),
		"{a=\"1\",b=\"1\",c=\"1\"} 2000=1;");
	expect_error(tight,
		MATRIX("{\"metric\":{\"a\":\"1\",\"b\":\"1\",\"c\":\"1\",\"d\":\"1\"},\"values\":[["
		       "2,\"1\"]]}"),
		"too-large", "3 labels");
}

static void depth_is_bounded(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct got g;
	(void)state;
	expect(tight,
		"{\"x\":[[[[[[[[]]]]]]]],\"status\":\"success\",\"data\":{\"resultType\":"
		"\"matrix\",\"result\":[]}}",
		"");
	expect_error(tight, "{\"x\":[[[[[[[[[]]]]]]]]]}", "too-large", "nested");
	strbuf_adds(&b, "{\"x\":");
	for (int i = 0; i < 1000000; i++)
		strbuf_addc(&b, '[');
	assert_int_equal(decode_all(raw, b.at, b.n, &g), -1);
	assert_string_equal(g.err.code, "too-large");
	strbuf_release(&g.text);
	strbuf_release(&b);
}

static void bytes_are_bounded(void **state)
{
	struct ask ask = tight;
	struct strbuf b = STRBUF_INIT;
	struct got g;
	(void)state;
	ask.piece = 1000;
	strbuf_adds(&b, "{\"status\":\"success\",");
	while (b.n < 100000)
		strbuf_addc(&b, ' ');
	strbuf_adds(&b, "\"x\":1}");
	assert_int_equal(decode_all(ask, b.at, b.n, &g), -1);
	assert_string_equal(g.err.code, "too-large");
	assert_non_null(strstr(g.err.text, g.err.text[0] == 't' ? "bytes" : ""));
	strbuf_release(&g.text);
	/* one endless text in a field that nobody reads: yajl would keep it all */
	strbuf_clear(&b);
	strbuf_adds(&b, "{\"x\":\"");
	while (b.n < 90000)
		strbuf_addc(&b, 'x');
	assert_int_equal(decode_all(ask, b.at, b.n, &g), -1);
	assert_string_equal(g.err.code, "too-large");
	assert_non_null(strstr(g.err.text, "one text"));
	strbuf_release(&g.text);
	strbuf_release(&b);
}

static void the_receivers_error_is_kept(void **state)
{
	struct ask ask = raw;
	struct got g;
	static const char body[] = MATRIX(S(1) "," S(2));
	(void)state;
	ask.fail_at = 2;
	assert_int_equal(decode_all(ask, body, strlen(body), &g), -1);
	assert_int_equal(g.err.kind, ERROR_STORE);
	assert_string_equal(g.err.text, "the disk is full");
	assert_true(g.stopped);
	assert_string_equal(g.text.at, "{a=\"1\"} 2000=1;");
	strbuf_release(&g.text);
}

static void infos_are_kept(void **state)
{
	struct query q = {QUERY_RAW, "x", 1000, 9000, "stage/x"};
	struct decode *d = decode_new(&source_limits_default);
	struct strbuf b = STRBUF_INIT;
	struct answer a;
	struct error err;
	(void)state;
	strbuf_adds(&b, "{\"status\":\"success\",\"infos\":[\"first\\nline\\u001b\",5");
	for (int i = 0; i < 20; i++)
		strbuf_addf(&b, ",\"more %d\"", i);
	strbuf_adds(&b, "],\"data\":{\"resultType\":\"matrix\",\"result\":[]}}");
	for (int round = 0; round < 2; round++) { /* a decoder is used again */
		struct got g = {.text = STRBUF_INIT};
		decode_begin(d, &q, false, take, &g);
		assert_int_equal(decode_feed(d, b.at, b.n, &err), 0);
		assert_int_equal(decode_end(d, &a, &err), 0);
		assert_string_equal(a.infos[0], "first line");
		assert_string_equal(a.infos[9], "more 8");
		assert_null(a.infos[10]);
		assert_string_equal(a.query.subject, "stage/x");
	}
	strbuf_release(&b);
	decode_free(d);
}

/* More than the lane leaves to yajl at the end of what it was given. */
#define TAIL ",[8.1,\"1\"],[8.2,\"1\"],[8.3,\"1\"],[8.4,\"1\"],[8.5,\"1\"],[8.6,\"1\"]"
#define TAIL_TEXT " 8100=1 8200=1 8300=1 8400=1 8500=1 8600=1;"

static void the_lane_gives_the_same(void **state)
{
	(void)state;
	expect(raw,
		ONE("[1,\"1\"],[1.1,\"-2\"],[1.12,\"0.5\"],[1.123,\"1e3\"],[1.2, \"4\"] ,[1.3,"
		    "\"\\u0035\"],[1.4,\"NaN\"],[1.5,\"123456789012345\"],[1.6,"
		    "\"1234567890123456\"],[1.700,\"+Inf\"],[1.8000,\"7\"],\n[1.9,\"8\"]" TAIL),
		"{a=\"b\"} 1000=1 1100=-2 1120=0.5 1123=1000 1200=4 1300=5 1400=nan "
		"1500=1.23457e+14 1600=1.23457e+15 1700=inf 1800=7 1900=8" TAIL_TEXT);
	expect(raw, ONE("[-1,\"1\"],[0,\"1\"],[0.5,\"1\"],[2,\"1\"]" TAIL),
		"{a=\"b\"} 2000=1" TAIL_TEXT);
	static const char *const bad[] = {ONE("[1,\"1\"],[01,\"1\"]" TAIL),
		ONE("[1,\"1\"],[.5,\"1\"]" TAIL), ONE("[1,\"1\"],[2.,\"1\"]" TAIL),
		ONE("[1,\"1\"],[2.0001,\"1\"]" TAIL), ONE("[1,\"1\"],[2,\"\"]" TAIL),
		ONE("[1,\"1\"],[2,\"x\"]" TAIL), ONE("[1,\"1\"],[2,1]" TAIL),
		ONE("[1,\"1\"],[1,\"1\"]" TAIL), ONE("[2,\"1\"],[1,\"1\"]" TAIL),
		ONE("[1,\"1\"],[2,\"1\",3]" TAIL), ONE("[1,\"1\"],,[2,\"1\"]" TAIL),
		ONE("[1,\"1\"],[2,\"1\"]," TAIL), ONE("[1,\"1\"][2,\"1\"]" TAIL),
		ONE("[1,\"1\"],[[2,\"1\"]]" TAIL), ONE("[1,\"1\"],[1e0,\"1\"]" TAIL),
		ONE("[1,\"1\"],[12345678901234567890123,\"1\"]" TAIL),
		ONE("[1,\"1\"],[2,\"1\\\"],[\"]" TAIL)};
	for (size_t i = 0; i < COUNT(bad); i++)
		expect_error(raw, bad[i], "not-prometheus", "");
}

static uint32_t next_chance(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* A damaged answer is read alike in one piece (mostly by the lane) and in single bytes (by yajl).
 */
static void damage_is_seen_alike(void **state)
{
	static const char body[] = MATRIX(
		"{\"metric\":{\"a\":\"],[\"},\"values\":[[1,\"1\"],[1.5,\"2.5\"],[2,\"3\"]" TAIL
		"]},{\"metric\":{\"a\":\"c\"},\"values\":[[1.001,\"1\"],[1.5,\"-2\"]" TAIL "]}");
	static const char bytes[] = "[],\"0123456789.eE+-\\ {}:nNa\n\x01\xff";
	uint32_t seed = 7;
	(void)state;
	for (int round = 0; round < 20000; round++) {
		char damaged[sizeof body];
		struct ask pieces = {.kind = QUERY_RAW, .piece = 1};
		struct got a, b;
		memcpy(damaged, body, sizeof body);
		for (uint32_t k = next_chance(&seed) % 3; k < 3; k++)
			damaged[next_chance(&seed) % (sizeof body - 1)] =
				bytes[next_chance(&seed) % (sizeof bytes - 1)];
		int bad = decode_all(raw, damaged, sizeof body - 1, &a);
		if (bad != decode_all(pieces, damaged, sizeof body - 1, &b) ||
			strcmp(a.text.at, b.text.at) || (bad && strcmp(a.err.code, b.err.code)))
			fail_msg("%s\n%s: %s\n%s: %s", damaged, a.text.at, a.err.text, b.text.at,
				b.err.text);
		strbuf_release(&a.text);
		strbuf_release(&b.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_series),
		cmocka_unit_test(cuts_to_the_range),
		cmocka_unit_test(unknown_fields_are_ignored),
		cmocka_unit_test(special_values_and_staleness),
		cmocka_unit_test(promql_gives_a_vector_or_scalar),
		cmocka_unit_test(native_histograms_are_seen),
		cmocka_unit_test(labels_are_unescaped_and_repaired),
		cmocka_unit_test(incomplete_answers_are_refused),
		cmocka_unit_test(cut_bodies_are_refused),
		cmocka_unit_test(other_things_are_refused),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(bytes_are_bounded),
		cmocka_unit_test(the_receivers_error_is_kept),
		cmocka_unit_test(infos_are_kept),
		cmocka_unit_test(the_lane_gives_the_same),
		cmocka_unit_test(damage_is_seen_alike),
	};
	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
