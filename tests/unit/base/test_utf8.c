/* UTF-8: validity, repair by maximal subparts, widths, cuts. */
#include "unit.h"

#include <string.h>

#include "base/utf8.h"

#define FFFD "\xef\xbf\xbd"

static void valid_texts(void **state)
{
	(void)state;
	static const char *const rows[] = {"", "ascii", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80",
		"\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80",
		"\xf4\x8f\xbf\xbf", "한글 \xf0\x9f\x9a\x80"};
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_true(utf8_valid(rows[i], strlen(rows[i])));
	assert_true(utf8_valid("a\0b", 3));
	assert_true(utf8_valid("\xe2\x82\xac", 3));
	assert_false(utf8_valid("\xe2\x82\xac", 2)); /* n counts, not the NUL */
}

static void invalid_texts_are_repaired(void **state)
{
	(void)state;
	static const struct {
		const char *text, *repaired;
	} rows[] = {
		{"\x80", FFFD},
		{"\xff", FFFD},
		{"a\xc0\xaf", "a" FFFD FFFD},		   /* overlong */
		{"\xe0\x80\x80", FFFD FFFD FFFD},	   /* overlong */
		{"\xf0\x80\x80\x80", FFFD FFFD FFFD FFFD}, /* overlong */
		{"\xed\xa0\x80", FFFD FFFD FFFD},	   /* surrogate */
		{"\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD}, /* past U+10FFFF */
		{"\xf5", FFFD},
		{"\xe2\x82", FFFD}, /* cut: one for the whole rest */
		{"\xf0\x9f\x9a", FFFD},
		{"\xe2\x82z", FFFD "z"},
		{"\xc3\xc3\xa9", FFFD "\xc3\xa9"},
		{"ok\xfe"
		 "ok",
			"ok" FFFD "ok"},
		{"\xc3\xa9\x80", "\xc3\xa9" FFFD},
	};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t n = strlen(rows[i].text);
		assert_false(utf8_valid(rows[i].text, n));
		strbuf_clear(&b);
		assert_true(utf8_add_repaired(&b, rows[i].text, n));
		assert_string_equal(b.at, rows[i].repaired);
	}
	strbuf_clear(&b);
	assert_false(utf8_add_repaired(&b, "r\xc3\xa9", 3));
	assert_false(utf8_add_repaired(&b, "", 0));
	assert_string_equal(b.at, "r\xc3\xa9");
	strbuf_release(&b);
}

static void repaired_is_always_valid(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	uint64_t seed = 3;
	for (int i = 0; i < 20000; i++) {
		char text[12];
		for (size_t j = 0; j < sizeof text; j++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
			text[j] = (char)(seed >> 56 | (seed & 1) << 7);
		}
		strbuf_clear(&b);
		bool replaced = utf8_add_repaired(&b, text, sizeof text);
		assert_true(utf8_valid(b.at, b.n));
		assert_true(replaced != utf8_valid(text, sizeof text));
	}
	strbuf_release(&b);
}

static void widths_are_in_columns(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t width;
	} rows[] = {
		{"", 0}, {"abc", 3}, {"한글", 4},
		{"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", 2}, /* the same syllable in three jamo */
		{"漢字", 4}, {"\xc3\xa9", 1}, {"e\xcc\x81", 1}, /* e + combining acute */
		{"\xcc\x81", 0}, {"a\tb\n\x1b", 2},		/* controls */
		/* bidi marks; NOLINTNEXTLINE(misc-misleading-bidirectional) */
		{"\xe2\x80\x8f\x61\xe2\x80\xae", 1}, {"\xe2\x80\x8b", 0}, /* zero width space */
		{"\xf0\x9f\x9a\x80", 2},				  /* emoji */
		{"a\xff", 2},						  /* invalid: one U+FFFD */
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		if (utf8_width(rows[i].text) != rows[i].width)
			fail_msg("row %zu: %zu columns", i, utf8_width(rows[i].text));
}

static void cuts_are_between_characters(void **state)
{
	(void)state;
	const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x80"; /* 1 + 2 + 3 + 4 bytes */
	static const size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
	for (size_t max = 0; max < COUNT(expected); max++)
		assert_int_equal(utf8_cut(text, 10, max), expected[max]);
	assert_int_equal(utf8_cut("", 0, 5), 0);
	/* no UTF-8: cut where asked for, never further back than a character is long */
	assert_int_equal(utf8_cut("\x80\x80\x80\x80\x80\x80", 6, 5), 5);
	assert_int_equal(utf8_cut("\x80\x80", 2, 1), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_texts),
		cmocka_unit_test(invalid_texts_are_repaired),
		cmocka_unit_test(repaired_is_always_valid),
		cmocka_unit_test(widths_are_in_columns),
		cmocka_unit_test(cuts_are_between_characters),
	};
	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
