/* Variables: where values come from, escaping, secrets, what is refused. */
#include <stdio.h>

#include "loaded.h"

static const char *process(void *ctx, const char *name)
{
	const char *const *pairs = ctx;

	for (; *pairs; pairs += 2)
		if (!strcmp(pairs[0], name))
			return pairs[1];
	return NULL;
}

static const char *const environment[] = {"P", "from-process", "Q", "process-q", "EMPTY", "", "PW",
	"hunter2", "URL", "http://u:hunter2@h:1", "PLAIN", "http://h:1", NULL};

static struct spec_options options(const char *env, const char *const *vars, size_t n)
{
	return (struct spec_options){.environment = env,
		.vars = vars,
		.n_vars = n,
		.getenv = process,
		.getenv_ctx = (void *)environment};
}

static const char *unit_of(const char *fragment, const struct spec_options *o, char *out, size_t n)
{
	struct loaded l;

	load_fragment(&l, fragment, o);
	has_problems(&l, fragment, "");
	snprintf(out, n, "%s", l.spec.load_unit);
	loaded_release(&l);
	return out;
}

static void test_order_of_places(void **state)
{
	static const char *const vars[] = {"A=from-var"};
	struct spec_options o = options("stg", vars, 1), plain = options(NULL, NULL, 0);
	const char *spec =
		"variables: { A: spec-a, B: spec-b, Q: spec-q }\n"
		"environments: { stg: { A: env-a, B: env-b } }\n"
		"load: { unit: '${A} ${B} ${Q} ${P} ${NONE:-default} ${EMPTY:-filled}' }\n";
	char got[200];

	(void)state;
	assert_string_equal(unit_of(spec, &o, got, sizeof got),
		"from-var env-b spec-q from-process default filled");
	assert_string_equal(unit_of(spec, &plain, got, sizeof got),
		"spec-a spec-b spec-q from-process default filled");
}

static void test_escape_and_once(void **state)
{
	struct spec_options o = options(NULL, NULL, 0);
	static const char *const vars[] = {"A=${B}"};
	struct spec_options nested = options(NULL, vars, 1);
	char got[200];

	(void)state;
	assert_string_equal(unit_of("load: { unit: 'a $${P} $ $P ${P}$' }\n", &o, got, sizeof got),
		"a ${P} $ $P from-process$");
	/* a value is text: it is not read again */
	assert_string_equal(unit_of("load: { unit: '${A}' }\n", &nested, got, sizeof got), "${B}");
}

static void test_undefined(void **state)
{
	struct spec_options o = options(NULL, NULL, 0);

	(void)state;
	refuses("load: { unit: '${NOPE}' }\n",
		"3:15: ${NOPE} has no value: give it under `variables:`, with --var, or in");
	refuses("variables: { target: x }\nload: { unit: '${tarket}' }\n",
		"4:15: ${tarket} has no value: did you mean 'target'?");
	refuses_with("environments: { stg: { a: x } }\nload: { unit: '${a}' }\n", &o,
		"4:15: ${a} has no value: choose an environment with --env (stg has it)");
	/* every place, once each */
	refuses("load: { unit: '${X}' }\nwindow: { before: '${X}' }\n",
		"3:15: ${X} has no value\n4:19: ${X} has no value");
}

static void test_malformed(void **state)
{
	static const char *const wrong[] = {
		"${", "${}", "${1a}", "${a b}", "${a", "${a:-b", "${a-b}", "${a:-${b}}"};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char yaml[100];

		snprintf(yaml, sizeof yaml, "load: { unit: '%s' }\n", wrong[i]);
		refuses(yaml, "3:15: '${' begins a variable: write ${NAME} or ${NAME:-default}");
	}
}

static void test_not_in_keys_nor_in_values(void **state)
{
	(void)state;
	refuses("'${X}': 1\n", "3:1: unknown key '${X}' in a spec");
	refuses("variables: { a: '${b}' }\n", "3:17: a variable's value is taken as it stands");
	refuses("variables: { a: }\n", "3:17: there is no value here");
	refuses("variables: { a: [b] }\n", "3:17: expected a text or a number, not a list");
	refuses("variables: { 1a: b }\n", "3:14: expected a variable's name");
}

static void test_reserved_names(void **state)
{
	static const char *const vars[] = {"start=1"};
	struct spec_options o = options(NULL, vars, 1);
	struct loaded l;

	(void)state;
	refuses("variables: { window: 5m }\n", "3:14: 'window' is reserved");
	refuses("environments: { a: { end: 5m } }\n", "3:22: 'end' is reserved");
	refuses("load: { unit: '${start}' }\n",
		"3:15: ${start} stands for the judged window: only `query` texts may use it");
	refuses("figures: [{ id: f, count: 'a{b=\"${window}\"}' }]\n",
		"3:27: ${window} stands for");
	refuses_with("title: x\n", &o, "0:0: --var: 'start' is reserved");
	load_fragment(&l,
		"variables: { job: 'a\"b' }\nfigures: [{ id: f, query: "
		"'increase(x{job=\"${job}\"}[${window}]) "
		"+ ${start} + ${end}' }]\n",
		NULL);
	has_problems(&l, "query", "");
	assert_string_equal(l.spec.figures.at[0].measure.query,
		"increase(x{job=\"a\\\"b\"}[${window}]) + ${start} + ${end}");
	loaded_release(&l);
}

static void fills_selector(const char *selector, const char *value, const char *expected)
{
	char yaml[400], var[200];
	const char *vars[] = {var};
	struct spec_options o = options(NULL, vars, 1);
	struct strbuf printed = STRBUF_INIT;
	struct loaded l;

	snprintf(yaml, sizeof yaml, "figures:\n  - id: f\n    count: >-\n      %s\n", selector);
	snprintf(var, sizeof var, "V=%s", value);
	load_fragment(&l, yaml, &o);
	if (!expected) {
		assert_int_not_equal(l.problems.n, 0);
	} else {
		has_problems(&l, yaml, "");
		selector_print(&printed, &l.spec.figures.at[0].measure.selectors.at[0]);
		assert_string_equal(printed.at, expected);
	}
	strbuf_release(&printed);
	loaded_release(&l);
}

/* A value cannot leave the quotes that it was put into. */
static void test_values_in_quoted_matchers(void **state)
{
	(void)state;
	fills_selector("a{b=\"${V}\"}", "x\",c=\"y", "a{b=\"x\\\",c=\\\"y\"}");
	fills_selector("a{b='${V}'}", "x'y\"z", "a{b=\"x'y\\\"z\"}");
	fills_selector("a{b=\"${V}\"}", "back\\slash", "a{b=\"back\\\\slash\"}");
	fills_selector("a{b=\"${V}\"}", "two\nlines", "a{b=\"two\\nlines\"}");
	fills_selector("a{b=\"\\\"${V}\"}", "q\"", "a{b=\"\\\"q\\\"\"}");
	fills_selector("a{b=~\"${V}\"}", "x.*", "a{b=~\"x.*\"}");
	fills_selector("a{b=`${V}`}", "x\"y", "a{b=\"x\\\"y\"}");
	fills_selector("a{b=`${V}`}", "x`y", NULL);
	fills_selector("${V}{b=\"c\"}", "name", "name{b=\"c\"}");
	fills_selector("${V}", "a{b=\"c\"}", "a{b=\"c\"}");
	fills_selector("a{b=${V}}", "x\"", NULL);
}

static void test_types_after_filling(void **state)
{
	static const char *const vars[] = {"D=5", "B=yes", "W=2m"};
	struct spec_options o = options(NULL, vars, 3);
	struct loaded l;

	(void)state;
	refuses_with("window: { before: '${D}', after: '${W}' }\ntargets: { unseen: '${B}' }\n", &o,
		"3:19: '5' needs a unit, such as 5s or 5ms\n4:20: expected bad or proportional");
	refuses_with("load: { unit: '${D}${B}${W}${EMPTY}' }\ntitle: '${EMPTY}'\n", &o,
		"4:8: must not be empty");
	load_fragment(&l, "window: { before: ${W}\n  }\n", &o);
	assert_true(any_text_has(&l, "quote it"));
	loaded_release(&l);
}

static void test_used_variables(void **state)
{
	static const char *const vars[] = {"A=1"};
	struct spec_options o = options(NULL, vars, 1);
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"variables: { unused: x }\nload: { unit: '${P} ${A} ${A} ${N:-n}' }\n"
		"source: { url: 'http://${PW}@h', headers: { X-K: '${Q}' } }\n",
		&o);
	has_problems(&l, "used", "");
	assert_int_equal(l.spec.n_variables, 5);
	assert_string_equal(l.spec.variables[0].name, "A");
	assert_string_equal(l.spec.variables[0].value, "1");
	assert_string_equal(l.spec.variables[1].name, "N");
	assert_string_equal(l.spec.variables[1].value, "n");
	assert_string_equal(l.spec.variables[2].name, "P");
	assert_string_equal(l.spec.variables[2].value, "from-process");
	assert_string_equal(l.spec.variables[3].name, "PW");
	assert_null(l.spec.variables[3].value);
	assert_string_equal(l.spec.variables[4].name, "Q");
	assert_null(l.spec.variables[4].value);
	loaded_release(&l);
	refuses("load: { unit: '${N:-a}${N:-b}' }\n", "3:15: ${N} has another default in line 3");
}

static void test_secrets_by_place(void **state)
{
	static const struct {
		const char *source;
		int secret;
	} cases[] = {
		{"url: 'http://${P}:9090'", 0},
		{"url: 'http://h:9090/${P}'", 0},
		{"url: '${PLAIN}'", 0},
		{"url: '${URL}'", 1},
		{"url: 'http://user:${PW}@h'", 1},
		{"url: 'http://${P}@h'", 1},
		{"tenant: '${P}'", 0},
		{"headers: { X-A: '${P}' }", 1},
		{"headers: { X-A: { env: '${P}' } }", 1},
		{"auth: { bearer: { env: '${P}' } }", 1},
		{"auth: { basic: { user: '${P}', password: { env: E } } }", 1},
		{"tls: { ca: '${P}' }", 1},
		{"tls: { cert: '${P}', key: k }", 1},
	};
	struct spec_options o = options(NULL, NULL, 0);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct loaded l;
		char yaml[200];

		snprintf(yaml, sizeof yaml, "source: { %s }\n", cases[i].source);
		load_fragment(&l, yaml, &o);
		has_problems(&l, yaml, "");
		assert_int_equal(l.spec.n_variables, 1);
		assert_int_equal(l.spec.variables[0].value == NULL, cases[i].secret);
		loaded_release(&l);
	}
}

/* No message ever holds a secret's value. */
static void test_secrets_are_not_shown(void **state)
{
	static const char *const cases[] = {
		"source: { url: 'ftp://u:${PW}@h' }\n",
		"source: { url: 'http://u:${PW}@' }\n",
		"source: { url: 'http://u:${PW}@h:port' }\n",
		"source: { url: 'http://u:${PW}@h', auth: { bearer: { env: E } } }\n",
		"source: { tls: { insecure_skip_verify: '${PW}' } }\n",
		"source: { headers: { X: '${PW}' } }\nload: { unit: '${PW}' }\n",
		"source: { headers: { X: '${PW}' } }\nwindow: { before: '${PW}' }\n"
		"figures: [{ id: '${PW} ', count: '${PW}{' }, { id: f, max: m, across: '${PW}' "
		"}]\n",
		"source: { headers: { Host: '${PW}' } }\n",
		"source: { headers: { X: \"${PW}\\n\" } }\n",
	};
	struct spec_options o = options(NULL, NULL, 0);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct loaded l;

		load_fragment(&l, cases[i], &o);
		assert_int_not_equal(l.problems.n, 0);
		assert_false(any_text_has(&l, "hunter2"));
		loaded_release(&l);
	}
}

static void test_secrets_have_one_use(void **state)
{
	struct spec_options o = options(NULL, NULL, 0);

	(void)state;
	refuses_with("source: { headers: { X: '${PW}' } }\nload: { unit: '${PW}' }\n", &o,
		"4:15: ${PW} is a secret, because source's url, headers, auth or tls use it");
	refuses_with("source: { url: 'http://${P}@${P}' }\n", &o, "3:16: ${P} is a secret");
	accepts("variables: { env: stg }\nload: { unit: '${env}' }\n");
}

static void test_passwords_in_the_spec(void **state)
{
	struct spec_options o = options(NULL, NULL, 0);
	const char *expected = "3:16: a password must not stand in a spec: use `auth`";

	(void)state;
	refuses("source: { url: 'http://u:pw@h' }\n", expected);
	refuses("source: { url: 'http://u:${PW:-pw}@h' }\n", expected);
	refuses_with("source: { url: 'http://u:x${PW}@h' }\n", &o, expected);
	refuses_with("source: { url: 'http://u:${PW}x@h' }\n", &o, expected);
	refuses("source: { url: 'http://u:${X}@h' }\nvariables: { X: pw }\n", expected);
	refuses_with("source: { url: 'http://u:${PW}${P}@h' }\n", &o, "");
	refuses_with("source: { url: '${URL}' }\n", &o, "");
	accepts("source: { url: 'http://u@h' }\n");
}

static void test_environments(void **state)
{
	struct spec_options o = options("stgg", NULL, 0), good = options("stg", NULL, 0);
	struct loaded l;

	(void)state;
	refuses_with("environments: { stg: { a: b } }\n", &o,
		"3:1: there is no environment 'stgg': did you mean 'stg'?");
	refuses_with("title: x\n", &o,
		"0:0: there is no environment 'stgg': the spec has no `environments`");
	load_fragment(&l, "environments: { stg: { a: b } }\n", &good);
	assert_string_equal(l.spec.environment, "stg");
	loaded_release(&l);
	load_fragment(&l, "environments: { stg: { a: b } }\n", NULL);
	assert_null(l.spec.environment);
	loaded_release(&l);
}

static void test_var_options(void **state)
{
	static const char *const vars[] = {"nothing", "=x", "unused=1", "a=1", "a=2"};
	struct spec_options o = options(NULL, vars, 5);
	struct loaded l;

	(void)state;
	load_fragment(&l, "load: { unit: '${a}' }\nvariables: { used: x }\n", &o);
	has_problems(&l, "vars",
		"0:0: --var takes NAME=VALUE\n0:0: --var unused: the spec has no ${unused}: did "
		"you "
		"mean 'used'?\n0:0: --var: expected a variable's name");
	assert_string_equal(l.spec.load_unit, "2");
	loaded_release(&l);
}

static void test_length_of_filled_texts(void **state)
{
	char *var = xmalloc(20000);
	const char *vars[] = {var};
	struct spec_options o = options(NULL, vars, 1);

	(void)state;
	memset(var, 'x', 19999);
	memcpy(var, "V=", 2);
	var[19999] = '\0';
	refuses_with("title: '${V}'\n", &o, "3:8: with its variables, a text of more than 16384");
	var[16386] = '\0';
	refuses_with("title: '${V}'\n", &o, "");
	free(var);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_of_places),
		cmocka_unit_test(test_escape_and_once),
		cmocka_unit_test(test_undefined),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_not_in_keys_nor_in_values),
		cmocka_unit_test(test_reserved_names),
		cmocka_unit_test(test_values_in_quoted_matchers),
		cmocka_unit_test(test_types_after_filling),
		cmocka_unit_test(test_used_variables),
		cmocka_unit_test(test_secrets_by_place),
		cmocka_unit_test(test_secrets_are_not_shown),
		cmocka_unit_test(test_secrets_have_one_use),
		cmocka_unit_test(test_passwords_in_the_spec),
		cmocka_unit_test(test_environments),
		cmocka_unit_test(test_var_options),
		cmocka_unit_test(test_length_of_filled_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
