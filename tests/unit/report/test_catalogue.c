/* The catalogues: both languages complete, alike, and used. */
#include "../base/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/reason.h"
#include "report/catalogue.h"

/* every code has a text and a remedy in both languages */
static void every_code_has_its_four_texts(void **state)
{
	char key[64];

	(void)state;
	for (int r = 0; r < REASON_COUNT; r++)
		for (int l = 0; l < 2; l++) {
			snprintf(key, sizeof key, "reason.%s", reason_code((enum reason)r));
			if (!catalogue_has((enum lang)l, key))
				fail_msg("%s is missing", key);
			snprintf(key, sizeof key, "remedy.%s", reason_code((enum reason)r));
			if (!catalogue_has((enum lang)l, key))
				fail_msg("%s is missing", key);
		}
}

static void no_text_without_a_code(void **state)
{
	size_t n;
	const struct catalogue_entry *all = catalogue_all(LANG_EN, &n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const char *dot = strchr(all[i].key, '.');
		bool of_reason =
			!strncmp(all[i].key, "reason.", 7) || !strncmp(all[i].key, "remedy.", 7);
		if (of_reason && reason_find(dot + 1) < 0)
			fail_msg("%s belongs to no code", all[i].key);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* the parameters of a text, sorted and joined, each once */
static void parameters(const char *text, struct strbuf *out)
{
	char name[16][32];
	size_t n = 0;

	for (const char *p = text; (p = strchr(p, '{')) != NULL; p++) {
		size_t len = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz_");
		bool known = p[1 + len] != '}' && p[1 + len] != ':';
		if (!len || known || n == 16 || len > 31)
			continue;
		snprintf(name[n], sizeof name[n], "%.*s", (int)len, p + 1);
		for (size_t i = 0; i < n; i++)
			known = known || !strcmp(name[i], name[n]);
		n += !known;
	}
	qsort(name, n, sizeof *name, by_name);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "%s ", name[i]);
}

static void languages_agree(void **state)
{
	size_t n_en, n_ko;
	const struct catalogue_entry *en = catalogue_all(LANG_EN, &n_en);
	const struct catalogue_entry *ko = catalogue_all(LANG_KO, &n_ko);

	(void)state;
	for (size_t i = 0; i < n_en && i < n_ko; i++) {
		struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
		assert_string_equal(en[i].key, ko[i].key);
		parameters(en[i].text, &a);
		parameters(ko[i].text, &b);
		if (strcmp(a.at, b.at) != 0)
			fail_msg("%s: en has %s, ko has %s", en[i].key, a.at, b.at);
		strbuf_release(&a);
		strbuf_release(&b);
	}
	assert_int_equal(n_en, n_ko);
}

static void no_key_twice(void **state)
{
	(void)state;
	for (int l = 0; l < 2; l++) {
		size_t n;
		const struct catalogue_entry *all = catalogue_all((enum lang)l, &n);
		for (size_t i = 1; i < n; i++)
			assert_string_not_equal(all[i - 1].key, all[i].key);
	}
}

/* In Korean a particle depends on the sound before it, and that of a parameter is not known. The
 * words that may follow one directly are counters, units and nouns. */
static void no_particle_after_a_parameter(void **state)
{
	static const char *const particles[] = {"은", "는", "이 ", "가 ", "을", "를", "와", "과",
		"으로", "로 ", "이다", "입니다", "에 ", "의 "};
	size_t n;
	const struct catalogue_entry *all = catalogue_all(LANG_KO, &n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (const char *p = all[i].text; (p = strchr(p, '}')) != NULL; p++)
			for (size_t k = 0; k < sizeof particles / sizeof *particles; k++)
				if (!strncmp(p + 1, particles[k], strlen(particles[k])))
					fail_msg("%s: %s", all[i].key, all[i].text);
}

static void fills_parameters_by_kind(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct arena a = ARENA_INIT;
	struct tree *args = tree_object(&a);

	(void)state;
	tree_set(&a, args, "ratio", tree_string(&a, "0.898996"));
	tree_set(&a, args, "objective", tree_string(&a, "0.899"));
	tree_set(&a, args, "good", tree_string(&a, "1234567"));
	catalogue_fill(&b, LANG_EN, "reason.objective-missed", args);
	assert_string_equal(b.at, "Observed 89.8996 %, objective 89.9 %: 1,234,567 of {total} "
				  "events were good.");
	strbuf_release(&b);
	arena_release(&a);
}

/* a value that looks like a parameter is text */
static void fills_once(void **state)
{
	struct strbuf b = STRBUF_INIT;

	(void)state;
	catalogue_say(&b, LANG_EN, "head.because", "subject", "{text} {", "text", "x", NULL);
	assert_string_equal(b.at, "Why: {text} {: x");
	strbuf_release(&b);
}

static void explains_codes(void **state)
{
	struct strbuf b = STRBUF_INIT;

	(void)state;
	for (int r = 0; r < REASON_COUNT; r++)
		for (int l = 0; l < 2; l++)
			assert_true(report_explain(&b, (enum lang)l, reason_code((enum reason)r)));
	strbuf_clear(&b);
	assert_true(report_explain(&b, LANG_EN, "no-traffic"));
	assert_string_equal(b.at,
		"no-traffic (leaves the verdict open)\n  No events at all in the window.\n"
		"  \u2192 Check that the load ran inside the window (`--open`, `window:`) and that "
		"the selectors name this traffic.\n");
	strbuf_clear(&b);
	assert_false(report_explain(&b, LANG_EN, "no-such-code"));
	assert_int_equal(b.n, 0);
	strbuf_release(&b);
}

static void knows_what_it_has(void **state)
{
	(void)state;
	assert_true(catalogue_has(LANG_KO, "verdict.PASS"));
	assert_string_equal(catalogue_text(LANG_KO, "verdict.PASS"), "통과(PASS)");
	assert_false(catalogue_has(LANG_KO, "verdict."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_code_has_its_four_texts),
		cmocka_unit_test(no_text_without_a_code),
		cmocka_unit_test(languages_agree),
		cmocka_unit_test(no_key_twice),
		cmocka_unit_test(no_particle_after_a_parameter),
		cmocka_unit_test(fills_parameters_by_kind),
		cmocka_unit_test(fills_once),
		cmocka_unit_test(explains_codes),
		cmocka_unit_test(knows_what_it_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
