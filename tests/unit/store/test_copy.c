/* Copying: bundles and imports: everything once, whatever is there already. */
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "store/document.h"

#define OPEN 1780000000000

static int64_t copy(const char *from_path, int64_t id, const char *to_path, enum store_mode mode,
	bool *was_there)
{
	struct store *from = must_open(from_path, STORE_READ), *to = must_open(to_path, mode);
	struct error err = {0};
	int64_t new_id;
	if (store_copy(from, id, to, &new_id, was_there, &err))
		fail_msg("%s", err.text);
	must_close(to);
	must_close(from);
	return new_id;
}

static void make_store(const char *path, int revisions, const char *name)
{
	struct store *s = must_open(path, STORE_WRITE);
	for (int i = 0; i < revisions; i++)
		save_sample(s, OPEN, name);
	assert_int_equal(store_note(s, 1, "slow", "pool", NULL, NULL), 0);
	must_close(s);
}

static void assert_same_revision(struct store *a, int64_t a_id, int a_revision, struct store *b,
	int64_t b_id, int b_revision)
{
	struct arena mem = ARENA_INIT;
	struct stored_run x, y;
	struct archive *ax, *ay;
	assert_int_equal(store_load(a, &mem, a_id, a_revision, &x, NULL), 0);
	assert_int_equal(store_load(b, &mem, b_id, b_revision, &y, NULL), 0);
	assert_string_equal(x.info.uid, y.info.uid);
	assert_int_equal(x.n_variables, y.n_variables);
	assert_int_equal(x.info.n_labels, y.info.n_labels);
	assert_string_equal(x.spec_text, y.spec_text);
	assert_string_equal(x.symptom, y.symptom);
	assert_string_equal(x.cause, y.cause);
	struct document_identity who = {
		y.info.id, y.info.revision, y.info.uid, y.info.name, NULL, NULL, NULL};
	struct strbuf dx = STRBUF_INIT, dy = STRBUF_INIT;
	json_add_tree(&dx, store_document_identify(&mem, x.document, &who), JSON_AS_ADDED);
	json_add_tree(&dy, y.document, JSON_AS_ADDED);
	assert_string_equal(dx.at, dy.at);
	assert_int_equal(store_archive(a, a_id, a_revision, &ax, NULL), 0);
	assert_int_equal(store_archive(b, b_id, b_revision, &ay, NULL), 0);
	assert_same_archive(ax, ay);
	archive_free(ax);
	archive_free(ay);
	strbuf_release(&dx);
	strbuf_release(&dy);
	arena_release(&mem);
}

static void a_bundle_is_one_file_with_one_run(void **state)
{
	const char *from = in_directory(state, "runs.db"), *bundle = in_directory(state, "run.lv");
	bool was_there;
	make_store(from, 2, "nightly");
	struct store *s = must_open(from, STORE_WRITE);
	save_sample(s, OPEN + 1, NULL);
	must_close(s);
	assert_int_equal(copy(from, 1, bundle, STORE_BUNDLE, &was_there), 1);
	assert_false(was_there);
	assert_true(store_is_bundle(bundle));
	assert_int_equal(
		query_int(bundle,
			"SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'delete'"),
		1);
	assert_int_equal(query_int(bundle, "SELECT count(*) FROM run"), 1);
	assert_int_equal(query_int(bundle, "SELECT count(*) FROM revision"), 2);
	assert_int_equal(
		query_int(bundle,
			"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
		1);
	assert_int_equal(query_int(bundle, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	struct store *a = must_open(from, STORE_READ), *b = must_open(bundle, STORE_READ);
	for (int revision = 1; revision <= 2; revision++)
		assert_same_revision(a, 1, revision, b, 1, revision);
	must_close(a);
	must_close(b);
}

static size_t files(const char *dir)
{
	size_t n = 0;
	DIR *d = opendir(dir);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void a_bundle_appears_whole_or_not_at_all(void **state)
{
	const char *path = in_directory(state, "run.lv");
	struct store *s = must_open(path, STORE_BUNDLE);
	save_sample(s, OPEN, NULL);
	assert_int_equal(access(path, F_OK), -1);
	store_discard(s);
	assert_int_equal(files(*state), 0);
	s = must_open(path, STORE_BUNDLE);
	save_sample(s, OPEN, NULL);
	must_close(s);
	assert_int_equal(files(*state), 1);
	/* again over the old one */
	s = must_open(path, STORE_BUNDLE);
	save_sample(s, OPEN + 7, NULL);
	must_close(s);
	assert_int_equal(query_int(path, "SELECT open_ms FROM run"), OPEN + 7);
}

static void a_bundle_that_cannot_be_put_in_place(void **state)
{
	struct store *s = NULL;
	struct error err = {0};
	assert_int_equal(
		store_open(in_directory(state, "no/where.lv"), STORE_BUNDLE, &s, &err), -1);
	assert_int_equal(err.kind, ERROR_STORE);
	const char *path = in_directory(state, "taken");
	assert_int_equal(mkdir(path, 0700), 0);
	s = must_open(path, STORE_BUNDLE);
	save_sample(s, OPEN, NULL);
	assert_int_equal(store_close(s, &err), -1);
	assert_string_equal(err.code, "store-failed");
	assert_non_null(strstr(err.text, path));
	assert_int_equal(files(*state), 1);
}

static void a_bundle_never_replaces_a_store(void **state)
{
	const char *path = in_directory(state, "runs.db");
	make_store(path, 1, NULL);
	struct store *s = NULL;
	struct error err = {0};
	assert_int_equal(store_open(path, STORE_BUNDLE, &s, &err), -1);
	assert_non_null(strstr(err.text, "not a bundle"));
	assert_int_equal(query_int(path, "SELECT count(*) FROM run"), 1);
}

static void importing_twice_adds_nothing(void **state)
{
	const char *from = in_directory(state, "run.lv"), *to = in_directory(state, "runs.db");
	bool was_there;
	struct store *s = must_open(from, STORE_BUNDLE);
	save_sample(s, OPEN, "nightly");
	assert_int_equal(store_note(s, 1, "slow", "pool", NULL, NULL), 0);
	must_close(s);
	s = must_open(to, STORE_WRITE);
	save_sample(s, OPEN + 5, NULL);
	must_close(s);
	assert_int_equal(copy(from, 1, to, STORE_WRITE, &was_there), 2);
	assert_false(was_there);
	assert_int_equal(copy(from, 1, to, STORE_WRITE, &was_there), 2);
	assert_true(was_there);
	struct store *a = must_open(from, STORE_READ), *b = must_open(to, STORE_READ);
	assert_same_revision(a, 1, 1, b, 2, 1);
	must_close(a);
	must_close(b);
	assert_int_equal(query_int(to, "SELECT count(*) FROM revision"), 2);
	assert_int_equal(query_int(to, "SELECT count(*) FROM archive"), 2);
	assert_int_equal(query_int(to, "SELECT document LIKE '%\"run\":{\"id\":2,%' FROM revision "
				       "WHERE run_id = 2"),
		1);
}

static void revisions_of_both_sides_come_together(void **state)
{
	const char *here = in_directory(state, "here.db"), *there = in_directory(state, "there.db");
	bool was_there;
	make_store(here, 1, NULL);
	assert_int_equal(copy(here, 1, there, STORE_WRITE, &was_there), 1);
	/* judged again on both sides */
	struct store *s = must_open(here, STORE_WRITE);
	save_sample(s, OPEN, NULL);
	must_close(s);
	s = must_open(there, STORE_WRITE);
	save_sample(s, OPEN, NULL);
	save_sample(s, OPEN, NULL);
	must_close(s);
	assert_int_equal(copy(here, 1, there, STORE_WRITE, &was_there), 1);
	assert_false(was_there);
	assert_int_equal(query_int(there, "SELECT max(number) FROM revision"), 4);
	struct store *a = must_open(here, STORE_READ), *b = must_open(there, STORE_READ);
	assert_same_revision(a, 1, 2, b, 1, 4);
	must_close(a);
	must_close(b);
	copy(here, 1, there, STORE_WRITE, &was_there);
	assert_true(was_there);
	assert_int_equal(query_int(there, "SELECT count(*) FROM revision"), 4);
}

static void shared_samples_are_copied_once(void **state)
{
	const char *from = in_directory(state, "runs.db"), *to = in_directory(state, "run.lv");
	make_store(from, 1, NULL);
	struct store *s = must_open(from, STORE_WRITE);
	struct arena mem = ARENA_INIT;
	struct stored_run run;
	struct archive *ar;
	assert_int_equal(store_load(s, &mem, 1, 0, &run, NULL), 0);
	assert_int_equal(store_archive(s, 1, 0, &ar, NULL), 0);
	assert_int_equal(store_save(s, &run, ar, NULL), 0);
	archive_free(ar);
	arena_release(&mem);
	must_close(s);
	bool was_there;
	copy(from, 1, to, STORE_BUNDLE, &was_there);
	assert_int_equal(query_int(to, "SELECT count(*) FROM revision"), 2);
	assert_int_equal(query_int(to, "SELECT count(*) FROM archive"), 1);
}

static void a_name_that_is_taken_gets_a_piece_of_the_uid(void **state)
{
	const char *a = in_directory(state, "a.db"), *b = in_directory(state, "b.db");
	bool was_there;
	make_store(a, 1, "nightly");
	struct store *s = must_open(b, STORE_WRITE);
	save_sample(s, OPEN + 1, "nightly");
	must_close(s);
	assert_int_equal(copy(a, 1, b, STORE_WRITE, &was_there), 2);
	assert_int_equal(
		query_int(b, "SELECT name = 'nightly-' || substr(uid, 1, 8) FROM run WHERE id = 2"),
		1);
	struct arena mem = ARENA_INIT;
	struct stored_run run;
	s = must_open(b, STORE_READ);
	assert_int_equal(store_load(s, &mem, 2, 0, &run, NULL), 0);
	assert_string_equal(
		tree_text(tree_get(tree_get(run.document, "run"), "name"), ""), run.info.name);
	must_close(s);
	arena_release(&mem);
}

static void a_bundle_may_lie_but_not_harm(void **state)
{
	static const char *const lies[] = {"UPDATE run SET name = '7'",
		"UPDATE run SET name = 'last'",
		"CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END"};
	for (size_t i = 0; i < 3; i++) {
		const char *from = in_directory(state, "a.db"), *to = in_directory(state, "b.db");
		unlink(from);
		unlink(to);
		make_store(from, 1, "nightly");
		run_sql(from, lies[i]);
		bool was_there;
		copy(from, 1, to, STORE_WRITE, &was_there);
		assert_int_equal(
			query_int(to,
				"SELECT count(*) FROM run WHERE name IS NULL OR name = 'nightly'"),
			1);
	}
}

static void a_failed_copy_leaves_nothing(void **state)
{
	const char *from = in_directory(state, "a.db"), *to = in_directory(state, "b.db");
	make_store(from, 2, NULL);
	run_sql(from, "UPDATE revision SET document = '{' WHERE number = 2");
	struct store *a = must_open(from, STORE_READ), *b = must_open(to, STORE_WRITE);
	struct error err = {0};
	int64_t id = -5;
	bool was_there;
	assert_int_equal(store_copy(a, 1, b, &id, &was_there, &err), -1);
	assert_string_equal(err.code, "store-corrupt");
	assert_int_equal(id, -5);
	assert_int_equal(store_copy(a, 9, b, &id, &was_there, &err), -1);
	assert_string_equal(err.code, "unknown-run");
	assert_int_equal(query_int(to, "SELECT count(*) FROM run"), 0);
	assert_int_equal(save_sample(b, OPEN, NULL), 1); /* and the store is usable */
	must_close(a);
	must_close(b);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, directory_setup, directory_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_bundle_is_one_file_with_one_run),
		TEST(a_bundle_appears_whole_or_not_at_all),
		TEST(a_bundle_that_cannot_be_put_in_place),
		TEST(a_bundle_never_replaces_a_store),
		TEST(importing_twice_adds_nothing),
		TEST(revisions_of_both_sides_come_together),
		TEST(shared_samples_are_copied_once),
		TEST(a_name_that_is_taken_gets_a_piece_of_the_uid),
		TEST(a_bundle_may_lie_but_not_harm),
		TEST(a_failed_copy_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
