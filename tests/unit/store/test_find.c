/* Finding: every form of RUN, and what is said when there is none. */
#include "support.h"

#include <string.h>

#include "store/rows.h"

#define OPEN 1780000000000

static void add(struct store *s, const char *name, void (*change)(struct stored_run *))
{
	static int64_t open_ms = OPEN;
	struct arena a = ARENA_INIT;
	struct stored_run run = sample_run(&a, open_ms++);
	run.info.name = name;
	if (change)
		change(&run);
	struct archive *ar = sample_archive(1, 1);
	assert_int_equal(store_save(s, &run, ar, NULL), 0);
	archive_free(ar);
	arena_release(&a);
}

static void failing(struct stored_run *r)
{
	r->verdict = RUN_FAIL;
}

static void production(struct stored_run *r)
{
	static struct run_label labels[] = {{"branch", "feature"}};
	r->info.environment = "prod";
	r->info.labels = labels;
	r->info.n_labels = 1;
}

static void half_load(struct stored_run *r)
{
	r->info.load = (struct decimal){1, 2};
	r->info.repeat = 3;
	r->info.campaign = "spring";
	r->info.commit = "ffff0000";
}

static void other_spec(struct stored_run *r)
{
	r->info.spec_name = "closing";
	r->info.environment = NULL;
}

/* 1 "nightly", 2 FAIL, 3 prod "release-1", 4 half load, 5 closing "' OR 1=1 --" */
static struct store *filled(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	add(s, "nightly", NULL);
	add(s, NULL, failing);
	add(s, "release-1", production);
	add(s, NULL, half_load);
	add(s, "' OR 1=1 --", other_spec);
	return s;
}

static int64_t find(struct store *s, const char *run)
{
	int64_t id;
	int revision;
	struct error err = {0};
	if (store_find(s, run, NULL, NULL, &id, &revision, &err))
		fail_msg("%s: %s", run, err.text);
	assert_int_equal(revision, 1);
	return id;
}

static void every_form_of_run(void **state)
{
	struct store *s = filled(state);
	static const struct {
		const char *run;
		int64_t id;
	} cases[] = {{"1", 1}, {"3.1", 3}, {"nightly", 1}, {"release-1", 3}, {"' OR 1=1 --", 5},
		{"last", 5}, {"last~0", 5}, {"last~1", 4}, {"last~4", 1}, {"last:spec=opening", 4},
		{"last:spec=opening,env=stg", 4}, {"last~1:spec=opening,env=stg", 2},
		{"last:env=prod", 3}, {"last:load=0.5", 4}, {"last:load=1/2", 4},
		{"last:load=50000.0,spec=opening", 3}, {"last:load=5e4,env=stg", 2},
		{"last:verdict=FAIL", 2}, {"last:verdict=fail", 2},
		{"last:label.branch=main,env=stg", 4}, {"last:label.branch=feature", 3},
		{"last:label.pod=a b,label.branch=main,load=50000", 5}, {"last:repeat=3", 4},
		{"last:campaign=spring", 4}, {"last:commit=ffff", 4}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (find(s, cases[i].run) != cases[i].id)
			fail_msg("%s is not %d", cases[i].run, (int)cases[i].id);
	must_close(s);
}

static void bare_last_is_narrowed_by_the_spec_at_hand(void **state)
{
	struct store *s = filled(state);
	int64_t id;
	int revision;
	assert_int_equal(store_find(s, "last", "opening", "stg", &id, &revision, NULL), 0);
	assert_int_equal(id, 4);
	assert_int_equal(store_find(s, "last~1", "opening", NULL, &id, &revision, NULL), 0);
	assert_int_equal(id, 3);
	assert_int_equal(
		store_find(s, "last:verdict=PASS", "opening", "stg", &id, &revision, NULL), 0);
	assert_int_equal(id, 5); /* a selection says all itself */
	struct error err = {0};
	assert_int_equal(store_find(s, "last", "opening", "dev", &id, &revision, &err), -1);
	assert_non_null(strstr(err.text, "opening"));
	assert_non_null(strstr(err.text, "dev"));
	assert_int_equal(store_find(s, "last~3", "opening", "stg", &id, &revision, &err), -1);
	must_close(s);
}

static void revisions_are_found(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	for (int i = 0; i < 3; i++)
		save_sample(s, 5, "twice");
	int64_t id;
	int revision;
	assert_int_equal(store_find(s, "1", NULL, NULL, &id, &revision, NULL), 0);
	assert_int_equal(revision, 3);
	assert_int_equal(store_find(s, "1.2", NULL, NULL, &id, &revision, NULL), 0);
	assert_int_equal(revision, 2);
	assert_int_equal(store_find(s, "twice", NULL, NULL, &id, &revision, NULL), 0);
	assert_int_equal(revision, 3);
	struct error err = {0};
	assert_int_equal(store_find(s, "1.4", NULL, NULL, &id, &revision, &err), -1);
	assert_non_null(strstr(err.text, "newest revision of run 1 is 3"));
	assert_int_equal(store_find(s, "1.0", NULL, NULL, &id, &revision, &err), -1);
	must_close(s);
}

static void assert_unknown(struct store *s, const char *run, const char *says)
{
	int64_t id = -5;
	int revision = -5;
	struct error err = {0};
	assert_int_equal(store_find(s, run, NULL, NULL, &id, &revision, &err), -1);
	assert_int_equal(id, -5);
	assert_int_equal(revision, -5);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.code, "unknown-run");
	if (!strstr(err.text, says))
		fail_msg("'%s' does not say '%s'", err.text, says);
}

static void near_names_are_suggested(void **state)
{
	struct store *s = filled(state);
	assert_unknown(s, "nightli", "1 'nightly', ");
	assert_unknown(s, "release-2", "has: 3 'release-1', ");
	assert_unknown(s, "99", "has: 5 '' OR 1=1 --', 4, 3 'release-1', 2, 1 'nightly';");
	assert_unknown(s, "99999999999999999999", "has:");
	assert_unknown(s, "last~5", "has:");
	assert_unknown(s, "last:env=dev", "has:");
	must_close(s);
}

static void only_five_are_suggested(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	static const char *const names[] = {
		"aaaa", "bbbb", "aaab", "aabb", "zzzzzzzz", "abbb", "aaac"};
	for (size_t i = 0; i < 7; i++)
		add(s, names[i], NULL);
	assert_unknown(s, "aaa", "has: 7 'aaac', 3 'aaab', 1 'aaaa', 4 'aabb', 6 'abbb';");
	must_close(s);
}

static void an_empty_store_says_so(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	assert_unknown(s, "last", "holds none yet");
	assert_unknown(s, "1", "holds none yet");
	assert_unknown(s, "x", "holds none yet");
	must_close(s);
}

static void wrong_selections_are_explained(void **state)
{
	struct store *s = filled(state);
	static const char *const bad[] = {"last~", "last~x", "last~-1", "last~1x", "lastly",
		"last:", "last:env", "last:=x", "last:load=many", "last:color=red", "last:label.=x",
		"last~99999999999999999999"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_unknown(s, bad[i], "last:spec=S,env=E");
	assert_unknown(s, "last:color=red", "there is no key 'color'");
	struct strbuf many = STRBUF_INIT;
	strbuf_adds(&many, "last:env=x");
	for (int i = 0; i < 100; i++)
		strbuf_adds(&many, ",env=x");
	assert_unknown(s, many.at, "too many conditions");
	strbuf_release(&many);
	assert_unknown(s, "last:env=' OR '1'='1", "there is no run");
	must_close(s);
}

static void distances_between_names(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("", ""), 0);
	assert_int_equal(edit_distance("abc", ""), 3);
	assert_int_equal(edit_distance("", "abc"), 3);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
	char longest[300] = {0};
	memset(longest, 'a', 299);
	assert_true(edit_distance(longest, "a") == SIZE_MAX);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, directory_setup, directory_teardown)
	const struct CMUnitTest tests[] = {
		TEST(every_form_of_run),
		TEST(bare_last_is_narrowed_by_the_spec_at_hand),
		TEST(revisions_are_found),
		TEST(near_names_are_suggested),
		TEST(only_five_are_suggested),
		TEST(an_empty_store_says_so),
		TEST(wrong_selections_are_explained),
		cmocka_unit_test(distances_between_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
