/* Regular expressions: anchored, RE2's language, bounded whatever the pattern. */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loaded.h"

static struct regex_compiler *rx;

static int matches(const char *pattern, const char *text)
{
	struct error err = {0};
	const struct regex *r = rx->compile(rx, pattern, &err);

	if (!r)
		fail_msg("%s", err.text);
	return r->test(r, text);
}

static void test_anchored(void **state)
{
	(void)state;
	assert_true(matches("2..", "200"));
	assert_false(matches("2..", "2000"));
	assert_false(matches("2..", "x200"));
	assert_true(matches("a|b", "b"));
	assert_false(matches("a|b", "ab"));
	assert_true(matches("", ""));
	assert_false(matches("", "a"));
	assert_true(matches(".*", ""));
	assert_true(matches("4..|5..", "503"));
	assert_true(matches("^a$", "a"));
	assert_true(matches("a+?", "aaa"));
}

static void test_lines_and_characters(void **state)
{
	(void)state;
	assert_false(matches(".*", "a\nb"));
	assert_true(matches("(?s).*", "a\nb"));
	assert_false(matches("a", "a\n"));
	assert_false(matches("a$", "a\n"));
	assert_true(matches("...", "첫화면"));
	assert_true(matches("첫.*", "첫 화면"));
	assert_true(matches("(?i)GET", "get"));
	assert_true(matches("\\d+", "12"));
	assert_true(matches("[[:alpha:]]+", "ab"));
	assert_true(matches("\\Qa.b\\E", "a.b"));
	assert_false(matches("\\Qa.b\\E", "axb"));
	assert_true(matches("\\pL+", "한글"));
	/* bytes that are no UTF-8 match nothing, and nothing breaks */
	assert_false(matches(".*", "\xff\xfe"));
}

static void refused(const char *pattern, const char *why)
{
	struct error err = {0};

	assert_null(rx->compile(rx, pattern, &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.code, "bad-regex");
	if (!strstr(err.text, why))
		fail_msg("%s: %s", pattern, err.text);
}

static void test_what_re2_lacks(void **state)
{
	(void)state;
	refused("(a)\\1", "backreference");
	refused("(?P<n>a)\\k<n>", "backreference");
	refused("(a)\\g1", "backreference");
	refused("(?=a)b", "lookaround");
	refused("(?!a)b", "lookaround");
	refused("(?<=a)b", "lookaround");
	refused("(?<!a)b", "lookaround");
	refused("(?>a)", "atomic group");
	refused("a++", "possessive");
	refused("a*+", "possessive");
	refused("a?+", "possessive");
	refused("a{2}+", "possessive");
	refused("a**", "one quantifier after another");
	refused("a{2}{3}", "one quantifier after another");
	refused("(?R)", "RE2 does not know");
	refused("(?1)", "RE2 does not know");
	refused("(?P>n)", "RE2 does not know");
	refused("(?P=n)", "RE2 does not know");
	refused("(?#c)", "RE2 does not know");
	refused("(?|a)", "RE2 does not know");
	refused("(?x)a", "RE2 does not know");
	refused("(?'n'a)", "RE2 does not know");
	refused("(?(1)a)", "RE2 does not know");
	refused("(*ACCEPT)", "(*VERB)");
	refused("(*LIMIT_MATCH=1)a", "(*VERB)");
	refused("\\Ka", "escape");
	refused("\\R", "escape");
	refused("\\h", "escape");
	refused("\\Z", "escape");
	refused("a{1001}", "more than 1000 times");
	refused("a{1,1001}", "more than 1000 times");
}

static void test_what_re2_has(void **state)
{
	static const char *const right[] = {"(?:a)", "(?i:a)", "(?P<n>a)", "(?<n>a)", "a{2,3}",
		"a{2,}?", "a{1000}", "(a{10}){100}", "a{100}a{100}", "(a{1000})+", "[+*?]+", "[]a]",
		"[^]a]", "\\++", "a{,3}", "{", "a{x", "(?-i)a", "[\\]]+", "\\x41", "\\bword\\b",
		"a|", "()"};

	(void)state;
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		struct error err = {0};

		if (!rx->compile(rx, right[i], &err))
			fail_msg("%s", err.text);
	}
}

static void test_broken_patterns(void **state)
{
	(void)state;
	refused("(", "is not one");
	refused(")", "is not one");
	refused("a)|(b", "is not one");
	refused("[", "is not one");
	refused("*a", "is not one");
	refused("a\\", "is not one");
	refused("[b-a]", "is not one");
	refused("(?P<n>a)(?P<n>b)", "is not one");
	refused("\xff", "is not one");
}

static char *repeated(const char *part, size_t n)
{
	struct strbuf b = STRBUF_INIT;

	for (size_t i = 0; i < n; i++)
		strbuf_adds(&b, part);
	return b.at;
}

static void test_hostile_patterns(void **state)
{
	char *deep = repeated("(", 3000), *longest = repeated("a", 5000);

	(void)state;
	refused(deep, "is not one");
	refused(longest, "longer than 4096 bytes");
	refused("((a{1,1000}){1,1000})", "more than 1000 times");
	refused("(b(a{100})c){11}", "more than 1000 times");
	refused("((a{10}|b){10}){11}", "more than 1000 times");
	free(deep);
	free(longest);
}

static void test_hostile_matching_ends(void **state)
{
	static const char *const patterns[] = {"(a+)+b", "(a|a)*b", "(a|aa)+b", "(.*)*x", "(a*)*b",
		"(x+x+)+y", "(([a-z])+.)+[A-Z]([a-z])+b", "(.*a){20}b",
		/* without one needed letter that a quick look could miss */
		"(a+)+[bc]", "(a|a)*[bc]", "(a|aa)+[bc]", "(.*)*[xy]", "(.*a){20}[bc]",
		"(a?){50}[bc]", "(a{1,30}){1,30}[bc]"};
	char *text = repeated("a", 500), *closed;
	clock_t begin = clock();

	(void)state;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		assert_false(matches(patterns[i], text));
	assert_true(matches("(a+)+[ab]", text));
	/* past the limit of backtracking the answer is still right */
	assert_true(matches("(a|a)*", text));
	closed = repeated("a", 501);
	closed[500] = 'b';
	assert_true(matches("(a+)+b", closed));
	assert_true(matches("(a|aa)+b", closed));
	assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 20);
	free(text);
	free(closed);
}

/* What cannot be decided in bounded time ends the program with a message: never a guess. */
static void test_undecidable_ends_the_program(void **state)
{
	char *text = repeated("a", 5000), out[400] = "";
	int fd[2], status;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	child = fork();
	if (child == 0) {
		dup2(fd[1], 2);
		matches("(a+)+[bc]", text);
		_exit(0);
	}
	close(fd[1]);
	assert_true(read(fd[0], out, sizeof out - 1) > 0);
	close(fd[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_non_null(strstr(out, "'(a+)+[bc]' takes too long on a label value of 5000 bytes"));
	free(text);
}

static void test_one_pattern_is_compiled_once(void **state)
{
	struct error err;

	(void)state;
	assert_ptr_equal(rx->compile(rx, "once.*", &err), rx->compile(rx, "once.*", &err));
}

static int make(void **state)
{
	(void)state;
	rx = regex_compiler_new();
	return 0;
}

static int drop(void **state)
{
	(void)state;
	regex_compiler_free(rx);
	regex_compiler_free(NULL);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_anchored),
		cmocka_unit_test(test_lines_and_characters),
		cmocka_unit_test(test_what_re2_lacks),
		cmocka_unit_test(test_what_re2_has),
		cmocka_unit_test(test_broken_patterns),
		cmocka_unit_test(test_hostile_patterns),
		cmocka_unit_test(test_hostile_matching_ends),
		cmocka_unit_test(test_undecidable_ends_the_program),
		cmocka_unit_test(test_one_pattern_is_compiled_once),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
