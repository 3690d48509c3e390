/* Errors: filling, wrapping, cutting, and what a hostile argument can do. */
#include "unit.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

static void set_fills_all_fields(void **state)
{
	(void)state;
	struct error err = {0};
	assert_int_equal(error_set(&err, ERROR_SOURCE, "timeout", "after %d s", 30), -1);
	assert_int_equal(err.kind, ERROR_SOURCE);
	assert_string_equal(err.code, "timeout");
	assert_string_equal(err.text, "after 30 s");
	assert_int_equal(error_set(&err, ERROR_STORE, "full", "again"), -1);
	assert_string_equal(err.text, "again");
}

static void wrap_puts_the_context_first(void **state)
{
	(void)state;
	struct error err = {0};
	(void)error_set(&err, ERROR_STORE, "locked", "database is locked");
	assert_int_equal(error_wrap(&err, "run %s", "r1"), -1);
	assert_int_equal(error_wrap(&err, "evaluating"), -1);
	assert_string_equal(err.text, "evaluating: run r1: database is locked");
	assert_int_equal(err.kind, ERROR_STORE);
	assert_string_equal(err.code, "locked");
}

static void nobody_needs_to_care(void **state)
{
	(void)state;
	assert_int_equal(error_set(NULL, ERROR_USAGE, "x", "%d", 1), -1);
	assert_int_equal(error_wrap(NULL, "%d", 1), -1);
}

static void the_old_text_may_be_an_argument(void **state)
{
	(void)state;
	struct error err = {0};
	(void)error_set(&err, ERROR_USAGE, "x", "old");
	(void)error_set(&err, ERROR_USAGE, "y", "new (was: %s)", err.text);
	assert_string_equal(err.text, "new (was: old)");
	(void)error_wrap(&err, "%s", err.text);
	assert_string_equal(err.text, "new (was: old): new (was: old)");
}

static void long_texts_are_cut_between_characters(void **state)
{
	(void)state;
	struct error err = {0};
	char text[4001];
	for (size_t i = 0; i < 4000; i += 2)
		memcpy(text + i, "\xc3\xa9", 2);
	text[4000] = '\0';
	(void)error_set(&err, ERROR_USAGE, "x", "%s", text);
	assert_int_equal(strlen(err.text), 2046);
	assert_true(utf8_valid(err.text, strlen(err.text)));
	(void)error_wrap(&err, "ab");
	assert_int_equal(strlen(err.text), 2046);
	assert_memory_equal(err.text, "ab: \xc3\xa9", 6);
	(void)error_wrap(&err, "a");
	assert_int_equal(strlen(err.text), 2047);
	assert_true(utf8_valid(err.text, strlen(err.text)));
}

static void hostile_bytes_are_made_harmless(void **state)
{
	(void)state;
	struct error err = {0};
	(void)error_set(&err, ERROR_SOURCE, "x", "a%sb", "\x1b[2J\r\x7f\xc2\x9b\xff");
	assert_string_equal(err.text, "a?[2J????\xef\xbf\xbd"
				      "b");
	(void)error_set(&err, ERROR_SOURCE, "x", "line\n\tnext");
	assert_string_equal(err.text, "line\n\tnext");
	(void)error_wrap(&err, "\x07%s", "\xe2\x82");
	assert_string_equal(err.text, "?\xef\xbf\xbd: line\n\tnext");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_fills_all_fields),
		cmocka_unit_test(wrap_puts_the_context_first),
		cmocka_unit_test(nobody_needs_to_care),
		cmocka_unit_test(the_old_text_may_be_an_argument),
		cmocka_unit_test(long_texts_are_cut_between_characters),
		cmocka_unit_test(hostile_bytes_are_made_harmless),
	};
	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
