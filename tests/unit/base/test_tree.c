/* Tree: building, order, lookups that chain through what is missing. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/tree.h"

static void scalars(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	char text[] = "copied";
	struct tree *s = tree_string(&a, text);
	text[0] = 'x';
	assert_int_equal(s->type, TREE_STRING);
	assert_string_equal(s->text, "copied");
	assert_int_equal(tree_string(&a, NULL)->type, TREE_NULL);
	assert_int_equal(tree_null(&a)->type, TREE_NULL);
	assert_true(tree_is_true(tree_bool(&a, true)));
	assert_false(tree_is_true(tree_bool(&a, false)));
	assert_string_equal(tree_number(&a, "0.10")->text, "0.10"); /* nothing is rounded */
	assert_string_equal(tree_int(&a, INT64_MIN)->text, "-9223372036854775808");
	assert_string_equal(tree_double(&a, 0.1)->text, "0.1");
	assert_string_equal(tree_double(&a, 0x1p53)->text, "9007199254740992");
	assert_int_equal(tree_double(&a, 1)->type, TREE_NUMBER);
	assert_int_equal(tree_double(&a, (double)NAN)->type, TREE_NULL);
	assert_int_equal(tree_double(&a, (double)INFINITY)->type, TREE_NULL);
	assert_int_equal(tree_double(&a, (double)-INFINITY)->type, TREE_NULL);
	arena_release(&a);
}

static void members_and_elements_keep_their_order(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	struct tree *o = tree_object(&a);
	char key[] = "z";
	struct tree *list = tree_set(&a, o, key, tree_array(&a));
	key[0] = '?';
	tree_set(&a, o, "a", tree_int(&a, 1));
	assert_int_equal(o->n, 2);
	assert_string_equal(o->first->key, "z");
	assert_string_equal(o->last->key, "a");
	assert_ptr_equal(o->first->next, o->last);
	assert_null(o->last->next);
	for (int i = 0; i < 3; i++) {
		struct tree *child = tree_int(&a, i);
		assert_ptr_equal(tree_add(list, child), child);
	}
	assert_int_equal(list->n, 3);
	int i = 0;
	for (const struct tree *t = list->first; t; t = t->next)
		assert_true(tree_as_double(t, -1) == i++);
	assert_int_equal(i, 3);
	arena_release(&a);
}

static void lookups_chain(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	struct tree *o = tree_object(&a);
	struct tree *inner = tree_set(&a, o, "inner", tree_object(&a));
	tree_set(&a, inner, "n", tree_number(&a, "2.5"));
	tree_set(&a, inner, "s", tree_string(&a, "7"));
	tree_set(&a, inner, "nothing", tree_null(&a));
	assert_true(tree_as_double(tree_get(tree_get(o, "inner"), "n"), 0) == 2.5);
	assert_string_equal(tree_text(tree_get(tree_get(o, "inner"), "n"), "-"), "2.5");
	assert_string_equal(tree_text(tree_get(tree_get(o, "inner"), "s"), "-"), "7");
	assert_true(tree_as_double(tree_get(inner, "s"), -1) == -1); /* a string is no number */
	assert_null(tree_get(tree_get(tree_get(o, "no"), "such"), "member"));
	assert_null(tree_get(tree_get(inner, "s"), "of a string"));
	assert_null(tree_get(NULL, "x"));
	assert_string_equal(tree_text(NULL, "-"), "-");
	assert_null(tree_text(tree_get(inner, "nothing"), NULL));
	assert_string_equal(tree_text(inner, "-"), "-");
	assert_false(tree_is_true(NULL));
	assert_false(tree_is_true(tree_get(inner, "s")));
	assert_true(tree_as_double(NULL, 4) == 4);
	struct tree *list = tree_array(&a);
	tree_add(list, tree_int(&a, 1));
	assert_null(tree_get(list, "x"));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalars),
		cmocka_unit_test(members_and_elements_keep_their_order),
		cmocka_unit_test(lookups_chain),
	};
	return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
