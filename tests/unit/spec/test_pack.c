/* Packs: templates, parameters, what a stored run expanded. */
#include <stdio.h>
#include <unistd.h>

#include "base/embed.h"
#include "loaded.h"
#include "spec/node.h"

extern const struct embedded_file spec_packs[];

static void test_a_template_is_filled(void **state)
{
	struct strbuf b = STRBUF_INIT;
	const struct sli *s;
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"stages:\n  - use: spring-boot/http\n    with: { job: queue, uri: /enter }\n    "
		"id: entry\n"
		"    objective: 99.9%\n",
		NULL);
	has_problems(&l, "", "");
	assert_string_equal(l.spec.stages[0].id, "entry");
	s = &l.spec.stages[0].sli;
	selector_print(&b, &s->histogram);
	assert_string_equal(b.at, "http_server_requests_seconds{job=\"queue\",uri=~\"/enter\"}");
	strbuf_clear(&b);
	selector_print(&b, &s->success);
	assert_string_equal(b.at, "{status=~\"2..\"}");
	assert_int_equal(s->within_s.num, 1);
	strbuf_release(&b);
	loaded_release(&l);
}

static void test_own_keys_win(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"stages:\n  - { use: spring-boot/http, with: { job: q }, id: a, objective: 1, "
		"within: 2s, "
		"exclude: '{status=\"409\"}' }\n",
		NULL);
	has_problems(&l, "", "");
	assert_int_equal(l.spec.stages[0].sli.within_s.num, 2);
	assert_int_equal(l.spec.stages[0].sli.exclude_matchers.n, 1);
	loaded_release(&l);
}

static void test_every_kind_of_item(void **state)
{
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"stages: [{ use: prometheus-self/http, id: s, objective: 99% }]\n"
		"invariants: [{ use: prometheus-self/bad-answers, id: i }]\n"
		"figures: [{ use: prometheus-self/latency, id: f, with: { within: 1s } }]\n",
		NULL);
	has_problems(&l, "", "");
	assert_int_equal(l.spec.invariants.at[0].measure.kind, MEASURE_COUNT);
	assert_true(l.spec.invariants.at[0].limit.has_at_most);
	assert_int_equal(l.spec.figures.at[0].measure.kind, MEASURE_BAND);
	loaded_release(&l);
}

/* Every item that is compiled in gives a spec that loads. */
static void test_all_packs(void **state)
{
	static const struct {
		const char *list, *item, *own;
	} blocks[] = {
		{"stages", "stage", "objective: 99%"},
		{"invariants", "invariant", "title: x"},
		{"preconditions", "precondition", "title: x"},
		{"figures", "figure", "title: x"},
	};
	size_t n = 0;

	(void)state;
	for (const struct embedded_file *f = spec_packs; f->name; f++) {
		struct arena a = ARENA_INIT;
		struct problems problems = {0};
		struct loading l = {.a = &a, .limits = &spec_limits_default, .problems = &problems};
		struct node *items = node_get(node_read(&l, f->bytes, f->n, NULL), "items");

		assert_non_null(items);
		for (struct node *m = items->first; m; m = m->next) {
			struct strbuf with = STRBUF_INIT;
			struct node *params = node_get(m, "params");

			for (struct node *p = params ? params->first : NULL; p; p = p->next)
				if (node_get(p, "required"))
					strbuf_addf(
						&with, "%s%s: x", with.n ? ", " : "", p->key->text);
			for (size_t b = 0; b < 4; b++) {
				char yaml[500];

				if (!node_get(m, blocks[b].item))
					continue;
				snprintf(yaml, sizeof yaml,
					"%s: [{ use: %.*s/%s, with: { %s }, id: a, %s }]\n",
					blocks[b].list, (int)strcspn(f->name, "."), f->name,
					m->key->text, with.at, blocks[b].own);
				accepts(yaml);
				n++;
			}
			strbuf_release(&with);
		}
		free(problems.at);
		arena_release(&a);
	}
	assert_true(n >= 15);
}

static void test_unknown_names(void **state)
{
	static const struct {
		const char *keys, *expected;
	} cases[] = {
		{"use: spring-bot/http",
			"4:12: there is no pack 'spring-bot': did you mean 'spring-boot'?"},
		{"use: zzz/http",
			"4:12: there is no pack 'zzz'; there are istio, prometheus-self, spring"},
		{"use: spring-boot/htp",
			"4:12: the pack 'spring-boot' has no item 'htp': did you mean 'http'?"},
		{"use: traefik/zzz",
			"4:12: the pack 'traefik' has no item 'zzz'; it has http, latency, 5xx"},
		{"use: spring-boot/5xx",
			"4:12: 'spring-boot/5xx' has no template for a stage: it cannot"},
		{"use: http", "4:12: expected a pack's item such as spring-boot/http"},
		{"use: a/b/c", "4:12: expected a pack's item"},
		{"use: /http", "4:12: expected a pack's item"},
		{"use: traefik/", "4:12: expected a pack's item"},
		{"use: { a: b }",
			"4:12: expected a pack's item such as spring-boot/http or ./own.yaml#item, "
			"not a map"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char yaml[300];

		snprintf(yaml, sizeof yaml,
			"stages:\n  - { %s, id: a, objective: 1 }\n"
			"  - { id: b, objective: 1, good: g, total: t }\n",
			cases[i].keys);
		refuses(yaml, cases[i].expected);
	}
	refuses("stages:\n  - { with: { a: b }, id: a, objective: 1, good: g, total: t }\n",
		"4:7: `with` needs `use`");
}

static void test_parameters(void **state)
{
	static const struct {
		const char *keys, *expected;
	} cases[] = {
		{"use: spring-boot/http", "4:12: 'spring-boot/http' needs the parameter 'job'"},
		{"use: spring-boot/http, with: { jbo: x }",
			"4:12: 'spring-boot/http' needs the parameter 'job'\n"
			"4:38: 'spring-boot/http' has no parameter 'jbo': did you mean 'job'?"},
		{"use: spring-boot/http, with: { job: [x] }",
			"4:43: the parameter 'job' takes a text or"},
		{"use: spring-boot/http, with: { job: }",
			"4:43: the parameter 'job' takes a text or a "
			"number, not nothing"},
		{"use: spring-boot/http, with: [job]",
			"4:12: 'spring-boot/http' needs the parameter "
			"'job'\n4:36: `with` takes a map"},
		{"use: spring-boot/http, with: { job: x, within: fast }",
			"4:12: in pack 'spring-boot', line 13, column 15: expected a duration such "
			"as"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char yaml[300];

		snprintf(yaml, sizeof yaml, "stages:\n  - { %s, id: a, objective: 1 }\n",
			cases[i].keys);
		refuses(yaml, cases[i].expected);
	}
}

/* Parameters are filled before variables, are escaped, and may hold variables. */
static void test_parameters_and_variables(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct loaded l;

	(void)state;
	load_fragment(&l,
		"variables: { env: 'st\"g' }\nstages:\n  - { use: spring-boot/success, id: a, "
		"objective: 1,"
		" with: { job: 'x\"${env}', uri: '/a$${b}' } }\n",
		NULL);
	has_problems(&l, "", "");
	selector_print(&b, &l.spec.stages[0].sli.total.at[0]);
	assert_string_equal(
		b.at, "http_server_requests_seconds_count{job=\"x\\\"st\\\"g\",uri=~\"/a${b}\"}");
	assert_int_equal(l.spec.n_variables, 1);
	strbuf_release(&b);
	loaded_release(&l);
}

/* --- own files --- */

static char folder[] = "/tmp/lv-pack-XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void load_in_folder(struct loaded *l, const char *yaml, const char *expanded)
{
	struct spec_options o = {0};
	char path[200];

	memset(l, 0, sizeof *l);
	o.rx = l->rx = regex_compiler_new();
	o.expanded = expanded;
	snprintf(path, sizeof path, "%s/spec.yaml", folder);
	spec_load_text(
		&l->a, arena_strdup(&l->a, path), yaml, strlen(yaml), &o, &l->spec, &l->problems);
}

#define OWN                                                                                        \
	"loadverdict: 1\nname: t\nvariables: { v: w }\nfigures:\n"                                 \
	"  - { use: ./own.yaml#orders, id: f, with: { shop: seoul } }\n"                           \
	"invariants: [{ id: i, count: c, at_most: 0 }]\n"

static void test_own_files(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct loaded l;

	(void)state;
	write_file("own.yaml",
		"pack: 1\nitems:\n  orders:\n    params: { shop: { required: true } }\n"
		"    figure: { count: 'orders_total{shop=\"${shop}\",v=\"${v}\"}' }\n");
	load_in_folder(&l, OWN, NULL);
	has_problems(&l, OWN, "");
	selector_print(&b, &l.spec.figures.at[0].measure.selectors.at[0]);
	assert_string_equal(b.at, "orders_total{shop=\"seoul\",v=\"w\"}");
	assert_string_equal(l.spec.expanded,
		"{\n\"figures[0] ./own.yaml#orders\": {\"id\": \"f\", \"count\": "
		"\"orders_total{shop=\\\"seoul\\\",v=\\\"${v}\\\"}\"}\n}\n");
	strbuf_release(&b);
	loaded_release(&l);
}

/* A stored run needs neither the file nor the packs of the day. */
static void test_stored_expansions(void **state)
{
	struct loaded first, again, other;

	(void)state;
	test_own_files(state);
	load_in_folder(&first, OWN, NULL);
	write_file("own.yaml", "pack: 1\nitems: { orders: { figure: { count: changed } } }\n");
	load_in_folder(&again, OWN, first.spec.expanded);
	has_problems(&again, OWN, "");
	assert_string_equal(again.spec.judged_sha256, first.spec.judged_sha256);
	assert_string_equal(again.spec.expanded, first.spec.expanded);
	load_in_folder(&other, OWN, "{}");
	has_problems(
		&other, OWN, "5:12: the stored run has no expanded figures[0] ./own.yaml#orders");
	loaded_release(&first);
	loaded_release(&again);
	loaded_release(&other);
}

static void test_broken_own_files(void **state)
{
	static const struct {
		const char *pack, *expected;
	} cases[] = {
		{"pack: 1\nitems: [\n",
			"5:12: in pack './own.yaml', line 3, column 1: not valid YAML"},
		{"items: { orders: { figure: { count: c } } }\n",
			"5:12: in pack './own.yaml', line 1, column 1: a pack needs the key "
			"'pack'"},
		{"pack: 2\nitems: { orders: { figure: { count: c } } }\n",
			"5:12: in pack './own.yaml', line 1, column 7: this build reads format 1"},
		{"pack: 1\nitem: {}\n",
			"5:12: in pack './own.yaml', line 2, column 1: unknown key 'item' "
			"in a pack: did you mean 'items'?"},
		{"pack: 1\nitems: { orders: {} }\n", "5:12: in pack './own.yaml', line 2, column "
						     "18: a pack's item needs at least one of"},
		{"pack: 1\nitems: { orders: { params: { shop: { required: true } }, figure: { "
		 "cuont: c } } }\n",
			"5:12: in pack './own.yaml', line 2, column 68: unknown key 'cuont' in a "
			"figure"},
		{"pack: 1\nitems: { orders: { params: { shop: { required: true } }, figure: { use: "
		 "a/b } } }\n",
			"5:5: a figure needs one of count\n"
			"5:12: in pack './own.yaml', line 2, column 73: a pack's template must not "
			"`use`"},
		{"pack: 1\nitems: { orders: { figure: { count: c } } }\n",
			"5:46: './own.yaml#orders' has no parameter 'shop'"},
		{"pack: 1\nitems: { orders: { params: { start: { default: a } }, figure: { count: "
		 "c } } }\n",
			"5:12: in pack './own.yaml', line 2, column 30: 'start' is reserved"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct loaded l;

		write_file("own.yaml", cases[i].pack);
		load_in_folder(&l, OWN, NULL);
		has_problems(&l, cases[i].pack, cases[i].expected);
		loaded_release(&l);
	}
}

static void test_missing_own_file(void **state)
{
	char path[200];
	struct loaded l;

	(void)state;
	snprintf(path, sizeof path, "%s/own.yaml", folder);
	unlink(path);
	load_in_folder(&l, OWN, NULL);
	assert_int_equal(l.problems.n, 1);
	assert_int_equal(l.problems.at[0].column, 12);
	assert_true(any_text_has(&l, "own.yaml': No such file or directory"));
	loaded_release(&l);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[200];

	(void)state;
	snprintf(path, sizeof path, "%s/own.yaml", folder);
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_template_is_filled),
		cmocka_unit_test(test_own_keys_win),
		cmocka_unit_test(test_every_kind_of_item),
		cmocka_unit_test(test_all_packs),
		cmocka_unit_test(test_unknown_names),
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_parameters_and_variables),
		cmocka_unit_test(test_own_files),
		cmocka_unit_test(test_stored_expansions),
		cmocka_unit_test(test_broken_own_files),
		cmocka_unit_test(test_missing_own_file),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
