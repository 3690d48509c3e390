/* Hostile texts come out as text. */
#include "../base/unit.h"

#include <string.h>

#include "report/escape.h"

static void check_plain(const char *s, size_t max, const char *want)
{
	struct strbuf b = STRBUF_INIT;

	escape_plain(&b, s, max);
	assert_string_equal(b.at, want);
	strbuf_release(&b);
}

static void check_markdown(const char *s, const char *want)
{
	struct strbuf b = STRBUF_INIT;

	escape_markdown(&b, s, 0);
	assert_string_equal(b.at, want);
	strbuf_release(&b);
}

static void controls_are_written_out(void **state)
{
	(void)state;
	check_plain("a\nb\r\tc", 0, "a\\nb\\r\\tc");
	check_plain("\033[31mred\a", 0, "\\x1b[31mred\\x07");
	check_plain("\xc2\x9b"
		    "31m",
		0, "\\x9b31m"); /* CSI as one character */
	check_plain("\x7f", 0, "\\x7f");
	check_plain("a\xe2\x80\xae"
		    "b\xe2\x81\xa6",
		0, "a\\u202eb\\u2066");
	check_plain("\xe2\x80\x8b\xef\xbb\xbf", 0, "\\u200b\\ufeff");
	check_plain("\xf3\xa0\x81\x81", 0, "\\ue0041");
	check_plain("bad \xff utf-8", 0, "bad \xef\xbf\xbd utf-8");
	check_plain("한글 é", 0, "한글 é");
}

static void long_texts_are_cut_between_characters(void **state)
{
	(void)state;
	check_plain("한글입니다", 2, "한글\u2026");
	check_plain("한글", 2, "한글");
}

static void markdown_has_no_markup(void **state)
{
	(void)state;
	check_markdown("a|b*c_d`e[f]~g\\", "a\\|b\\*c\\_d\\`e\\[f\\]\\~&#8203;g\\\\");
	check_markdown("</script><!-- &amp;", "&lt;/script&gt;&lt;!-- &amp;&#8203;amp;");
	check_markdown("- x", "\\- x");
	check_markdown("---", "\\---");
	check_markdown("# x", "\\# x");
	check_markdown("12. x", "12\\. x");
	check_markdown("12.5 x - y", "12.5 x - y");
	check_markdown("+0.501", "+0.501");
}

static void markdown_has_no_references(void **state)
{
	(void)state;
	check_markdown("@all #12 GH-12 !3", "@&#8203;all #&#8203;12 GH&#8203;-12 !&#8203;3");
	check_markdown("http://x www.x :tada: 05:26:40",
		"http:&#8203;//x www&#8203;.x :&#8203;tada: 05:26:40");
	check_markdown("a@b.c", "a@&#8203;b.c");
	check_markdown("99.9 % +0.5%p", "99.9 % +0.5%p");
}

static void code_spans_hold_any_backticks(void **state)
{
	struct strbuf b = STRBUF_INIT;

	(void)state;
	escape_markdown_code(&b, "a``b`", 0);
	assert_string_equal(b.at, "``` a``b` ```");
	strbuf_clear(&b);
	escape_markdown_code(&b, "x\n<b>", 0);
	assert_string_equal(b.at, "`x\\n<b>`");
	strbuf_clear(&b);
	escape_markdown_code(&b, "", 0);
	assert_string_equal(b.at, "`  `");
	strbuf_release(&b);
}

static void markers_cannot_end_their_comment(void **state)
{
	struct strbuf b = STRBUF_INIT;

	(void)state;
	escape_marker(&b, "a --> <b>/c_1.x--");
	assert_string_equal(b.at, "a-b-/c_1.x");
	strbuf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(controls_are_written_out),
		cmocka_unit_test(long_texts_are_cut_between_characters),
		cmocka_unit_test(markdown_has_no_markup),
		cmocka_unit_test(markdown_has_no_references),
		cmocka_unit_test(code_spans_hold_any_backticks),
		cmocka_unit_test(markers_cannot_end_their_comment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
