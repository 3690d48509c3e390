/* Markdown as a parser sees it: tables are tables, and nothing of a hostile text is markup. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/unit.h"

static const char *const runs[] = {
	"pass", "fail", "invalid", "inconclusive", "hostile", "not-judged"};

static void read_all(FILE *f, struct strbuf *out)
{
	char part[4096];
	size_t n;

	while ((n = fread(part, 1, sizeof part, f)) > 0)
		strbuf_add(out, part, n);
}

static void to_html(const struct strbuf *markdown, struct strbuf *html)
{
	char path[] = "/tmp/loadverdict-test-XXXXXX", command[128];
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, markdown->at, markdown->n), markdown->n);
	close(fd);
	snprintf(command, sizeof command, "cmark-gfm --unsafe -e table -e autolink %s", path);
	FILE *p = popen(command, "r");
	assert_non_null(p);
	read_all(p, html);
	assert_int_equal(pclose(p), 0);
	unlink(path);
}

static size_t count(const char *s, const char *what)
{
	size_t n = 0;

	for (; (s = strstr(s, what)) != NULL; s += strlen(what))
		n++;
	return n;
}

static void render(const struct tree *model, enum lang lang, struct strbuf *out)
{
	const struct report_options o = {.lang = lang, .marker = "x --> <b>"};

	report_render(out, FORMAT_MARKDOWN, model, &o);
}

/* every tag that comes out is one that the renderer means */
static void check_tags(const char *html)
{
	static const char *const meant[] = {"h2", "p", "br", "table", "thead", "tbody", "tr", "th",
		"td", "details", "summary", "b", "ul", "li", "strong", "code", "blockquote", "!--"};

	for (const char *p = html; (p = strchr(p, '<')) != NULL; p++) {
		const char *name = p + 1 + (p[1] == '/');
		size_t n = strcspn(name, " >/");
		bool known = false;
		for (size_t i = 0; i < COUNT(meant); i++)
			known = known || (strlen(meant[i]) == n && !strncmp(name, meant[i], n));
		if (!known)
			fail_msg("a tag that nobody meant: %.60s", p);
	}
}

static void only_meant_markup_comes_out(void **state)
{
	(void)state;
	for (size_t r = 0; r < COUNT(runs); r++)
		for (int l = 0; l < 2; l++) {
			struct strbuf markdown = STRBUF_INIT, html = STRBUF_INIT;
			struct fixture f;
			render(fixture_model(&f, runs[r]), (enum lang)l, &markdown);
			to_html(&markdown, &html);
			check_tags(html.at);
			assert_int_equal(count(html.at, "<!--"), 1);
			assert_int_equal(count(html.at, "<details"), count(html.at, "</details>"));
			assert_null(strstr(html.at, "<a ")); /* autolinked */
			strbuf_release(&markdown);
			strbuf_release(&html);
			fixture_release(&f);
		}
}

static void tables_are_tables(void **state)
{
	struct strbuf markdown = STRBUF_INIT, html = STRBUF_INIT;
	struct fixture f;

	(void)state;
	render(fixture_model(&f, "hostile"), LANG_EN, &markdown);
	to_html(&markdown, &html);
	/* stages: 1 row of 8 cells; invariants: 2 rows of 5 */
	assert_int_equal(count(html.at, "<table>"), 2);
	assert_int_equal(count(html.at, "<td "), 8 + 2 * 5);
	assert_null(strstr(html.at, "| ---"));
	strbuf_release(&markdown);
	strbuf_release(&html);
	fixture_release(&f);
}

static void the_marker_comes_first(void **state)
{
	struct strbuf markdown = STRBUF_INIT;
	struct fixture f;

	(void)state;
	render(fixture_model(&f, "pass"), LANG_EN, &markdown);
	assert_int_equal(strncmp(markdown.at, "<!-- loadverdict:x-b -->\n## ", 28), 0);
	strbuf_release(&markdown);
	fixture_release(&f);
}

static size_t characters(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

/* as many stages of the hostile run as asked for */
static struct tree *many_stages(struct fixture *f, size_t n)
{
	fixture_make(f, "hostile");
	struct stage *stages = arena_array(&f->arena, struct stage, n);
	struct stage_result *results = arena_array(&f->arena, struct stage_result, n);

	for (size_t i = 0; i < n; i++) {
		stages[i] = f->spec.stages[0];
		stages[i].id = arena_printf(&f->arena, "stage-%zu", i);
		results[i] = f->result.stages[0];
	}
	f->spec.stages = stages;
	f->result.stages = results;
	f->spec.n_stages = f->result.n_stages = n;
	return report_model(&f->arena, &f->spec, &f->result, &f->info);
}

static void check_size(size_t stages, const char *must, const char *must_not)
{
	for (int l = 0; l < 2; l++) {
		struct strbuf markdown = STRBUF_INIT, html = STRBUF_INIT;
		struct fixture f;
		render(many_stages(&f, stages), (enum lang)l, &markdown);
		assert_true(characters(markdown.at) < 65536);
		assert_non_null(strstr(markdown.at, "INVALID"));
		if (l == LANG_EN) {
			assert_non_null(strstr(markdown.at, must));
			assert_null(strstr(markdown.at, must_not));
		}
		to_html(&markdown, &html);
		check_tags(html.at);
		assert_non_null(strstr(html.at, "<table>"));
		strbuf_release(&markdown);
		strbuf_release(&html);
		fixture_release(&f);
	}
}

static void sections_go_before_stages(void **state)
{
	(void)state;
	check_size(3, "Where the numbers come from</b>", "Left out");
	check_size(120, "Left out, because a comment has a limit: Where the numbers come from",
		"Where the numbers come from</b>");
	check_size(120, "<b>Invariants</b>", "<b>Where the numbers come from");
}

static void then_rows_go(void **state)
{
	(void)state;
	check_size(3000, "and 2", "<b>Invariants</b>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_meant_markup_comes_out),
		cmocka_unit_test(tables_are_tables),
		cmocka_unit_test(the_marker_comes_first),
		cmocka_unit_test(sections_go_before_stages),
		cmocka_unit_test(then_rows_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
