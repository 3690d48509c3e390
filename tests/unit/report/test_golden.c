/* Every kind of run in every format and language against files that people have read.
 * UPDATE_GOLDEN=1 writes the files anew. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/unit.h"
#include "base/timestamp.h"

static const char *const runs[] = {
	"pass", "fail", "invalid", "inconclusive", "hostile", "not-judged"};
static const char *const extensions[] = {"txt", "line", "md", "json"};
static const char *const langs[] = {"en", "ko"};

static void read_file(const char *path, struct strbuf *b)
{
	char part[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (!f) {
		fail_msg("%s is missing; run with UPDATE_GOLDEN=1", path);
		return;
	}
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		strbuf_add(b, part, n);
	fclose(f);
}

static void write_file(const char *path, const struct strbuf *b)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(b->at, 1, b->n, f), b->n);
	assert_int_equal(fclose(f), 0);
}

static void compare(const char *name, const struct strbuf *got)
{
	struct strbuf want = STRBUF_INIT;
	char path[512];

	snprintf(path, sizeof path, "%s/%s", GOLDEN_DIR, name);
	if (getenv("UPDATE_GOLDEN")) {
		write_file(path, got);
		return;
	}
	read_file(path, &want);
	if (strcmp(want.at, got->at) != 0) {
		size_t i = 0;
		while (want.at[i] == got->at[i])
			i++;
		size_t from = i > 60 ? i - 60 : 0;
		fail_msg("%s differs at byte %zu:\nwant: %.120s\ngot:  %.120s", name, i,
			want.at + from, got->at + from);
	}
	strbuf_release(&want);
}

static void draw(const char *run, enum format format, enum lang lang, struct strbuf *out)
{
	const struct report_options o = {.lang = lang,
		.marker = "ticket-opening",
		.command = "loadverdict evaluate ticket.yaml --open 1780000000 --load 50000"};
	struct fixture f;
	struct tree *model = fixture_model(&f, run);

	report_render(out, format, model, &o);
	fixture_release(&f);
}

static void check_format(enum format format)
{
	char name[128];

	for (size_t r = 0; r < COUNT(runs); r++)
		for (size_t l = 0; l < 2; l++) {
			struct strbuf out = STRBUF_INIT;
			if (format == FORMAT_JSON)
				snprintf(name, sizeof name, "%s.json", runs[r]);
			else
				snprintf(name, sizeof name, "%s.%s.%s", runs[r], langs[l],
					extensions[format]);
			draw(runs[r], format, (enum lang)l, &out);
			compare(name, &out);
			strbuf_release(&out);
		}
}

static void text_is_as_read(void **state)
{
	(void)state;
	check_format(FORMAT_TEXT);
}

static void line_is_as_read(void **state)
{
	(void)state;
	check_format(FORMAT_LINE);
}

static void markdown_is_as_read(void **state)
{
	(void)state;
	check_format(FORMAT_MARKDOWN);
}

/* the same whatever the language: both are compared with one file */
static void json_is_as_read(void **state)
{
	(void)state;
	check_format(FORMAT_JSON);
}

static void colours_only_if_asked(void **state)
{
	struct report_options o = {.lang = LANG_EN};
	struct strbuf out = STRBUF_INIT;
	struct fixture f;
	struct tree *model = fixture_model(&f, "hostile");

	(void)state;
	report_render(&out, FORMAT_TEXT, model, &o);
	assert_null(strchr(out.at, '\033'));
	strbuf_clear(&out);
	o.color = true;
	report_render(&out, FORMAT_TEXT, model, &o);
	assert_non_null(strstr(out.at, "\033[1;31mINVALID\033[0m"));
	assert_null(strstr(out.at, "\033[31m")); /* that of the label value */
	strbuf_release(&out);
	fixture_release(&f);
}

static void narrow_terminals_keep_the_numbers(void **state)
{
	const struct report_options o = {.lang = LANG_EN, .width = 60};
	struct strbuf out = STRBUF_INIT;
	struct fixture f;
	struct tree *model = fixture_model(&f, "fail");

	(void)state;
	report_render(&out, FORMAT_TEXT, model, &o);
	assert_non_null(strstr(out.at, "98.9996 %"));
	assert_non_null(strstr(out.at, "989,996 / 1,000,000"));
	assert_null(strstr(out.at, "Component"));
	strbuf_release(&out);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_as_read),
		cmocka_unit_test(line_is_as_read),
		cmocka_unit_test(markdown_is_as_read),
		cmocka_unit_test(json_is_as_read),
		cmocka_unit_test(colours_only_if_asked),
		cmocka_unit_test(narrow_terminals_keep_the_numbers),
	};

	if (timestamp_set_zone("Asia/Seoul", NULL))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
