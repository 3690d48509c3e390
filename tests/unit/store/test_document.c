/* Document: JSON in and out without a changed byte, and bounds on what is read. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "store/document.h"

static int parse(struct arena *a, const char *text, struct tree **out)
{
	struct error err = {0};
	int rc = store_document_parse(a, text, strlen(text), out, &err);
	if (rc) {
		assert_int_equal(err.kind, ERROR_STORE);
		assert_string_equal(err.code, "store-corrupt");
	}
	return rc;
}

static void same_bytes_come_back(void **state)
{
	(void)state;
	static const char numbers[] =
		"{\"a\":[1,1.0,1.50,1e308,-0.0,0.990000000000,9007199254740993,1E+5,"
		"123456789012345678901234567890],\"b\":null,\"c\":{\"d\":[{},[],false]}}";
	static const char *const texts[] = {numbers, "null", "true", "[]", "{}", "\"\"", "-0",
		"\"\\\"\\\\\\n\\u0001\\u001f \xea\xb0\x80 </script>\\u007f\""};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct arena a = ARENA_INIT;
		struct strbuf b = STRBUF_INIT;
		struct tree *t;
		assert_int_equal(parse(&a, texts[i], &t), 0);
		json_add_tree(&b, t, JSON_AS_ADDED);
		assert_string_equal(b.at, texts[i]);
		strbuf_release(&b);
		arena_release(&a);
	}
}

static void what_is_no_document_is_refused(void **state)
{
	(void)state;
	static const char *const texts[] = {"", " ", "{", "[1,]", "{\"a\":}", "nul", "[1] 2",
		"\"\\u0000\"", "{\"a\\u0000\":1}", "\"\xff\"", "'a'"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct arena a = ARENA_INIT;
		struct tree *t = NULL;
		if (parse(&a, texts[i], &t) != -1)
			fail_msg("'%s' was read", texts[i]);
		assert_null(t);
		arena_release(&a);
	}
}

static int parse_nested(int depth)
{
	struct arena a = ARENA_INIT;
	struct tree *t;
	char *text = malloc((size_t)depth * 2 + 1);
	memset(text, '[', (size_t)depth);
	memset(text + depth, ']', (size_t)depth);
	text[depth * 2] = '\0';
	int rc = parse(&a, text, &t);
	free(text);
	arena_release(&a);
	return rc;
}

static void depth_and_size_are_bounded(void **state)
{
	(void)state;
	assert_int_equal(parse_nested(DOCUMENT_MAX_DEPTH), 0);
	assert_int_equal(parse_nested(DOCUMENT_MAX_DEPTH + 1), -1);
	assert_int_equal(parse_nested(1000000), -1);
	struct arena a = ARENA_INIT;
	struct tree *t;
	size_t n = (size_t)DOCUMENT_MAX_BYTES + 1;
	char *spaces = malloc(n);
	memset(spaces, ' ', n);
	assert_int_equal(store_document_parse(&a, spaces, n, &t, NULL), -1);
	free(spaces);
	arena_release(&a);
}

static void identity_is_set_without_touching_the_original(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	struct strbuf b = STRBUF_INIT;
	struct tree *t;
	static const char text[] =
		"{\"x\":1,\"run\":{\"id\":0,\"name\":null,\"load\":1.0,\"revision\":0},\"y\":[2]}";
	assert_int_equal(parse(&a, text, &t), 0);
	struct document_identity who = {7, 2, "u", "n", NULL, NULL, NULL};
	json_add_tree(&b, store_document_identify(&a, t, &who), JSON_AS_ADDED);
	assert_string_equal(b.at, "{\"x\":1,\"run\":{\"id\":7,\"name\":\"n\",\"load\":1.0,"
				  "\"revision\":2,\"uid\":\"u\"},"
				  "\"y\":[2]}");
	strbuf_clear(&b);
	json_add_tree(&b, t, JSON_AS_ADDED);
	assert_string_equal(b.at, text);
	strbuf_clear(&b);
	json_add_tree(&b, store_document_identify(&a, NULL, &who), JSON_AS_ADDED);
	assert_string_equal(b.at, "null");
	strbuf_release(&b);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_bytes_come_back),
		cmocka_unit_test(what_is_no_document_is_refused),
		cmocka_unit_test(depth_and_size_are_bounded),
		cmocka_unit_test(identity_is_set_without_touching_the_original),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
