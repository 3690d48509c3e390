/* Strbuf: growing, the bound, and the shared empty string. */
#include "unit.h"

#include <string.h>

#include "base/strbuf.h"

static void starts_empty_and_terminated(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	assert_string_equal(b.at, "");
	strbuf_clear(&b);
	strbuf_add(&b, NULL, 0);
	strbuf_adds(&b, "");
	strbuf_addf(&b, "%s", "");
	assert_string_equal(b.at, "");
	assert_int_equal(b.cap, 0);
	strbuf_release(&b);
	assert_string_equal(strbuf_empty, "");
}

static void pieces_are_joined(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	strbuf_adds(&b, "one");
	strbuf_addc(&b, ' ');
	strbuf_addf(&b, "%d-%s", 2, "two");
	assert_string_equal(b.at, "one 2-two");
	assert_int_equal(b.n, 9);
	strbuf_add(&b, "\0x", 2);
	assert_int_equal(b.n, 11);
	assert_memory_equal(b.at, "one 2-two\0x", 12);
	strbuf_release(&b);
	assert_int_equal(b.n, 0);
	assert_string_equal(b.at, "");
}

static void grows_far(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	for (int i = 0; i < 100000; i++)
		strbuf_addf(&b, "%05d", i);
	assert_int_equal(b.n, 500000);
	assert_int_equal(strlen(b.at), 500000);
	assert_memory_equal(b.at + 499995, "99999", 6);
	assert_false(b.full);
	strbuf_release(&b);
}

static void the_bound_is_exact(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	b.max = 5;
	strbuf_adds(&b, "12345");
	assert_false(b.full);
	strbuf_addc(&b, '6');
	assert_true(b.full);
	assert_string_equal(b.at, "12345");
	strbuf_release(&b);
	assert_int_equal(b.max, 5);
}

/* Nothing is added behind a piece that is missing, even if it would fit. */
static void stays_full_until_cleared(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	b.max = 5;
	strbuf_adds(&b, "123");
	strbuf_addf(&b, "%s", "toolong");
	strbuf_addc(&b, '4');
	assert_string_equal(b.at, "123");
	assert_true(b.full);
	strbuf_clear(&b);
	assert_false(b.full);
	strbuf_adds(&b, "again");
	assert_string_equal(b.at, "again");
	strbuf_release(&b);
}

static void sizes_near_the_end_of_size_t_do_not_wrap(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	strbuf_adds(&b, "x");
	strbuf_add(&b, "y", SIZE_MAX);
	assert_true(b.full);
	assert_string_equal(b.at, "x");
	strbuf_release(&b);
}

static void the_default_bound_is_64_mib(void **state)
{
	(void)state;
	struct strbuf b = STRBUF_INIT;
	strbuf_addf(&b, "%*d", (64 << 20) + 1, 1);
	assert_true(b.full);
	assert_int_equal(b.n, 0);
	strbuf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_empty_and_terminated),
		cmocka_unit_test(pieces_are_joined),
		cmocka_unit_test(grows_far),
		cmocka_unit_test(the_bound_is_exact),
		cmocka_unit_test(stays_full_until_cleared),
		cmocka_unit_test(sizes_near_the_end_of_size_t_do_not_wrap),
		cmocka_unit_test(the_default_bound_is_64_mib),
	};
	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
