/* Arena, the checked malloc family, and the growing array over it. */
#include "unit.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"

static void memory_is_zeroed_and_aligned(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	for (size_t size = 0; size < 3000; size += 7) {
		unsigned char *p = arena_alloc(&a, size);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size); /* must not reach what comes next */
	}
	arena_release(&a);
}

static void large_pieces_leave_the_head_block_in_use(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	char *before = arena_alloc(&a, 16);
	char *large = arena_alloc(&a, 5 << 20);
	char *after = arena_alloc(&a, 16);
	assert_ptr_equal(after, before + 16);
	large[(5 << 20) - 1] = 'x';
	assert_true(a.total >= 5 << 20);
	assert_true(a.total < 6 << 20);
	arena_release(&a);
}

static void the_first_piece_may_be_large(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	memset(arena_alloc(&a, 3 << 20), 1, 3 << 20);
	memset(arena_alloc(&a, 100), 1, 100);
	arena_release(&a);
}

static void release_empties_and_allows_reuse(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	arena_release(&a); /* an empty one, too */
	arena_strdup(&a, "x");
	arena_release(&a);
	assert_null(a.head);
	assert_int_equal(a.total, 0);
	assert_string_equal(arena_strdup(&a, "again"), "again");
	arena_release(&a);
}

static void strings_are_copied(void **state)
{
	(void)state;
	struct arena a = ARENA_INIT;
	assert_string_equal(arena_strdup(&a, ""), "");
	assert_string_equal(arena_strndup(&a, "abcdef", 3), "abc");
	assert_string_equal(arena_strndup(&a, NULL, 0), "");
	assert_memory_equal(arena_strndup(&a, "a\0b", 3), "a\0b", 4);
	assert_string_equal(arena_printf(&a, "%s-%d", "n", 7), "n-7");
	assert_string_equal(arena_printf(&a, "%s", ""), "");
	char *wide = arena_printf(&a, "%10000d", 1);
	assert_int_equal(strlen(wide), 10000);
	assert_int_equal(arena_new(&a, struct arena)->total, 0);
	arena_release(&a);
}

static void malloc_family_never_gives_null(void **state)
{
	(void)state;
	void *p = xmalloc(0);
	assert_non_null(p);
	p = xrealloc(p, 0);
	assert_non_null(p);
	free(p);
	char *s = xstrdup("copy");
	assert_string_equal(s, "copy");
	free(s);
}

static void arrays_grow_with_zeroed_elements(void **state)
{
	(void)state;
	struct {
		struct {
			int a;
			const char *b;
		} * at;
		size_t n, cap;
	} list = {0};
	for (int i = 0; i < 1000; i++) {
		assert_null(ARRAY_ADD(&list)->b);
		list.at[i].a = i;
		list.at[i].b = "set";
	}
	assert_int_equal(list.n, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list.at[i].a, i);
	ARRAY_RELEASE(&list);
	assert_null(list.at);
	assert_int_equal(list.cap, 0);
}

/* Asked for more than there is, the process says so and ends with 70. */
static void out_of_memory_ends_the_process(void **state)
{
	(void)state;
	int fds[2], status = 0;
	char said[64] = "";
	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (!pid) {
		struct arena a = ARENA_INIT;
		dup2(fds[1], STDERR_FILENO);
		arena_alloc(&a, SIZE_MAX);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 70);
	assert_true(read(fds[0], said, sizeof said - 1) > 0);
	assert_string_equal(said, "loadverdict: out of memory\n");
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_aligned),
		cmocka_unit_test(large_pieces_leave_the_head_block_in_use),
		cmocka_unit_test(the_first_piece_may_be_large),
		cmocka_unit_test(release_empties_and_allows_reuse),
		cmocka_unit_test(strings_are_copied),
		cmocka_unit_test(malloc_family_never_gives_null),
		cmocka_unit_test(out_of_memory_ends_the_process),
		cmocka_unit_test(arrays_grow_with_zeroed_elements),
	};
	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
