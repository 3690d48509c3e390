/* Whole specs: the structs of a long example, digests, files. */
#include <stdio.h>
#include <unistd.h>

#include "loaded.h"

static struct spec_options with_environment(const char *name)
{
	return (struct spec_options){.environment = name};
}

static void load_data(struct loaded *l, const char *name, const struct spec_options *options)
{
	struct spec_options o = options ? *options : (struct spec_options){0};
	struct error err = {0};
	char path[500];

	memset(l, 0, sizeof *l);
	snprintf(path, sizeof path, "%s/%s", SPEC_DATA, name);
	o.rx = l->rx = regex_compiler_new();
	if (spec_load_file(&l->a, arena_strdup(&l->a, path), &o, &l->spec, &l->problems, &err) < 0)
		fail_msg("%s", err.text);
}

static void same_selector(const struct selector *s, const char *expected)
{
	struct strbuf b = STRBUF_INIT;

	selector_print(&b, s);
	assert_string_equal(b.at, expected);
	strbuf_release(&b);
}

static void test_example_head(void **state)
{
	struct spec_options o = with_environment("stg");
	const struct spec *s;
	struct loaded l;

	(void)state;
	load_data(&l, "ticket-opening.yaml", &o);
	has_problems(&l, "ticket-opening.yaml", "");
	s = &l.spec;
	assert_string_equal(s->name, "ticket-opening");
	assert_string_equal(s->title.en, "Theatre live booking");
	assert_string_equal(s->timezone, "Asia/Seoul");
	assert_string_equal(s->environment, "stg");
	assert_string_equal(s->load_unit, "users");
	assert_int_equal(s->delivered.kind, MEASURE_MAX);
	assert_int_equal(s->delivered.across, ACROSS_SUM);
	assert_true(s->has_open);
	same_selector(&s->open_when, "booking_open{env=\"stg\"}");
	assert_string_equal(s->source.url, "http://localhost:9090");
	assert_string_equal(s->source.tenant, "");
	assert_string_equal(s->source.secret.env, "MIMIR_TOKEN");
	assert_string_equal(s->source.ca, "./ca.pem");
	assert_int_equal(s->n_variables, 3);
	assert_string_equal(s->variables[2].name, "env");
	assert_string_equal(s->variables[2].value, "stg");
	assert_int_equal(s->not_evaluated.n, 0);
	assert_null(s->lang);
	loaded_release(&l);
}

static void test_example_stages(void **state)
{
	const struct stage *s;
	struct loaded l;

	(void)state;
	load_data(&l, "ticket-opening.yaml", NULL);
	assert_int_equal(l.spec.n_stages, 6);
	s = l.spec.stages;
	assert_string_equal(s[0].title.ko, "첫 화면");
	assert_string_equal(s[0].component, "frontend");
	assert_string_equal(s[0].because.en, "if it fails, later stages only look passed");
	assert_int_equal(s[0].at_least.num, 9000);
	same_selector(&s[0].sli.good.at[0],
		"traefik_service_requests_total{code=~\"2..\",env=\"stg\",service=\"front\"}");
	assert_true(s[1].sli.has_histogram && s[1].sli.has_within);
	same_selector(&s[1].sli.exclude_matchers, "{status=\"409\"}");
	assert_int_equal(s[2].sli.total.n, 1);
	assert_int_equal(s[3].n_percentiles, 2);
	assert_int_equal(s[3].percentiles[1].p.num, 99);
	assert_true(s[4].each);
	assert_int_equal(s[4].n_steps, 1);
	assert_string_equal(s[5].id, "entry");
	same_selector(
		&s[5].sli.histogram, "http_server_requests_seconds{job=\"queue\",uri=~\"/enter\"}");
	loaded_release(&l);
}

static void test_example_checks(void **state)
{
	const struct check *c;
	struct loaded l;

	(void)state;
	load_data(&l, "ticket-opening.yaml", NULL);
	assert_int_equal(l.spec.invariants.n, 5);
	c = l.spec.invariants.at;
	assert_true(c[0].integrity);
	assert_int_equal(c[0].measure.across, ACROSS_SUM);
	assert_int_equal(c[0].limit.at_most.num, 1000);
	assert_int_equal(c[2].measure.selectors.n, 2);
	assert_int_equal(c[3].measure.proof.witness.n, 1);
	assert_int_equal(c[4].measure.kind, MEASURE_BALANCE);
	assert_int_equal(l.spec.preconditions.n, 2);
	assert_int_equal(l.spec.preconditions.at[0].measure.kind, MEASURE_FIRST);
	assert_int_equal(l.spec.figures.n, 3);
	c = l.spec.figures.at;
	assert_string_equal(c[0].measure.unit, "users");
	assert_int_equal(c[2].measure.kind, MEASURE_BAND);
	assert_int_equal(c[2].measure.over_s.num, 1);
	assert_int_equal(c[2].measure.up_to_s.num, 5);
	assert_int_equal(c[2].measure.up_to_s.den, 2);
	loaded_release(&l);
}

static void test_blocks_of_later_capabilities(void **state)
{
	struct loaded l;

	(void)state;
	load_data(&l, "later-blocks.yaml", NULL);
	has_problems(&l, "later-blocks.yaml", "");
	assert_int_equal(l.spec.not_evaluated.n, 14);
	assert_string_equal(l.spec.not_evaluated.at[0], "system");
	assert_string_equal(l.spec.not_evaluated.at[13], "report.artifacts");
	assert_string_equal(l.spec.lang, "ko");
	loaded_release(&l);
}

/* --- digests --- */

static void digest(const char *fragment, char out[65])
{
	struct loaded l;

	load_fragment(&l, fragment, NULL);
	has_problems(&l, fragment, "");
	assert_int_equal(strlen(l.spec.judged_sha256), 64);
	strcpy(out, l.spec.judged_sha256);
	loaded_release(&l);
}

#define STAGE "stages: [{ id: s, objective: 99%, good: 'g{a=\"b\",c=\"d\"}', total: t }]\n"

static void test_what_does_not_change_the_digest(void **state)
{
	static const char *const same[] = {
		"title: T\n" STAGE,
		"report: { lang: ko }\n" STAGE,
		"figures: [{ id: f, count: c }]\n" STAGE,
		"timezone: UTC\nsource: { url: 'http://h' }\n" STAGE,
		"window: { before: 60s, after: 5m, warmup: 0s }\n" STAGE,
		"targets: { unseen: bad, identity: [job, instance] }\n" STAGE,
		"variables: { v: d }\nstages: [{ total: 't{}', good: 'g{c=\"${v}\",a=\"b\",}', "
		"title: X, "
		"because: y, component: z, objective: 0.99, id: s }]\n",
		"invariants: []\n" STAGE,
		"capacity: { repeats: 3 }\n" STAGE,
	};
	char base[65], other[65];

	(void)state;
	digest(STAGE, base);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		digest(same[i], other);
		assert_string_equal(base, other);
	}
}

static void test_what_changes_the_digest(void **state)
{
	static const char *const different[] = {
		"stages: [{ id: s, objective: 99.1%, good: 'g{a=\"b\",c=\"d\"}', total: t }]\n",
		"stages: [{ id: t, objective: 99%, good: 'g{a=\"b\",c=\"d\"}', total: t }]\n",
		"stages: [{ id: s, objective: 99%, good: 'g{a=\"b\",c=~\"d\"}', total: t }]\n",
		"stages: [{ id: s, objective: 99%, bad: 'g{a=\"b\",c=\"d\"}', total: t }]\n",
		"stages: [{ id: s, objective: 99%, good: 'g{a=\"b\",c=\"d\"}', total: t, absent: "
		"true }]\n",
		"stages: [{ id: s, objective: 99%, good: 'g{a=\"b\",c=\"d\"}', total: t, at_least: "
		"1 }]\n",
		"window: { before: 2m }\n" STAGE,
		"window: { warmup: 1s }\n" STAGE,
		"targets: { unseen: proportional }\n" STAGE,
		"targets: { alive: a }\n" STAGE,
		"load: { unit: users }\n" STAGE,
		"load: { delivered: { max: a } }\n" STAGE,
		"invariants: [{ id: i, count: c, at_most: 0 }]\n" STAGE,
		"invariants: [{ id: i, count: c, at_most: 0, integrity: true }]\n" STAGE,
		"invariants: [{ id: i, count: c, at_most: 0, per: [a] }]\n" STAGE,
		"preconditions: [{ id: i, first: c, equals: 1/3 }]\n" STAGE,
		"preconditions: [{ id: i, first: c, equals: 1/3, across: sum }]\n" STAGE,
	};
	enum { N = sizeof different / sizeof *different };
	char seen[N + 1][65];

	(void)state;
	digest(STAGE, seen[N]);
	for (size_t i = 0; i < N; i++) {
		digest(different[i], seen[i]);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(seen[i], seen[j]);
		assert_string_not_equal(seen[i], seen[N]);
	}
}

static void test_canonical_json(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"invariants: [{ id: i, max: 'm{b=\"c\\\\n\",a=~\"x\"}', across: sum, at_most: 0.5, "
		"integrity: true }]\n",
		NULL);
	has_problems(&l, "", "");
	assert_string_equal(l.spec.judged_json,
		"{\"invariants\":[{\"across\":\"sum\",\"at_most\":[1,2],\"id\":\"i\",\"integrity\":"
		"true,"
		"\"kind\":\"max\",\"of\":[\"m{a=~\\\"x\\\",b=\\\"c\\\\\\\\n\\\"}\"]}],\"load\":{},"
		"\"preconditions\":[],\"stages\":[],\"targets\":{\"identity\":[\"job\","
		"\"instance\"],"
		"\"unseen\":\"bad\"},\"window\":{\"after_ms\":300000,\"before_ms\":60000,"
		"\"warmup_ms\":0}}");
	loaded_release(&l);
}

static void test_digest_of_the_bytes(void **state)
{
	const char *yaml =
		"loadverdict: 1\nname: t\ninvariants: [{ id: i, count: c, at_most: 0 }]\n";
	struct loaded l;

	(void)state;
	load_whole(&l, yaml, strlen(yaml), NULL, NULL);
	assert_int_equal(l.spec.source_len, strlen(yaml));
	assert_string_equal(l.spec.source_text, yaml);
	assert_string_equal(
		l.spec.sha256, "b40ffeb7a53dca89a00f1eaddab9df6bb26f35dd5573ac62cb98697216909deb");
	loaded_release(&l);
}

/* --- files --- */

static void test_files_that_cannot_be_read(void **state)
{
	struct regex_compiler *rx = regex_compiler_new();
	struct spec_options o = {.rx = rx};
	struct arena a = ARENA_INIT;
	struct problems problems = {0};
	struct error err = {0};
	struct spec spec;

	(void)state;
	assert_int_equal(spec_load_file(&a, "/nonexistent/x.yaml", &o, &spec, &problems, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.code, "bad-spec");
	assert_non_null(strstr(err.text, "cannot read '/nonexistent/x.yaml': No such file"));
	assert_int_equal(spec_load_file(&a, "/", &o, &spec, &problems, &err), -1);
	assert_non_null(strstr(err.text, "cannot read '/': Is a directory"));
	assert_int_equal(problems.n, 0);
	arena_release(&a);
	regex_compiler_free(rx);
}

static void test_endless_file(void **state)
{
	struct regex_compiler *rx = regex_compiler_new();
	struct spec_options o = {.rx = rx};
	struct arena a = ARENA_INIT;
	struct problems problems = {0};
	struct spec spec;

	(void)state;
	assert_int_equal(spec_load_file(&a, "/dev/zero", &o, &spec, &problems, NULL), 0);
	assert_int_equal(problems.n, 1);
	assert_string_equal(problems.at[0].text, "larger than 1048576 bytes");
	free(problems.at);
	arena_release(&a);
	regex_compiler_free(rx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_example_head),
		cmocka_unit_test(test_example_stages),
		cmocka_unit_test(test_example_checks),
		cmocka_unit_test(test_blocks_of_later_capabilities),
		cmocka_unit_test(test_what_does_not_change_the_digest),
		cmocka_unit_test(test_what_changes_the_digest),
		cmocka_unit_test(test_canonical_json),
		cmocka_unit_test(test_digest_of_the_bytes),
		cmocka_unit_test(test_files_that_cannot_be_read),
		cmocka_unit_test(test_endless_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
