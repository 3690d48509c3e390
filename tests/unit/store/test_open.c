/* Opening: new, older, newer, foreign, damaged, locked and unwritable databases. */
#include "support.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/db.h"

static void assert_refused(
	const char *path, enum store_mode mode, const char *code, const char *says)
{
	struct store *s = NULL;
	struct error err = {0};
	assert_int_equal(store_open(path, mode, &s, &err), -1);
	assert_null(s);
	assert_int_equal(err.kind, ERROR_STORE);
	assert_string_equal(err.code, code);
	if (!strstr(err.text, says) || !strstr(err.text, path))
		fail_msg("'%s' does not say '%s' of '%s'", err.text, says, path);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void a_new_store_has_schema_and_mode(void **state)
{
	const char *path = in_directory(state, "deep/er/runs.db");
	must_close(must_open(path, STORE_WRITE));
	assert_int_equal(query_int(path, "PRAGMA user_version"), 1);
	assert_int_equal(query_int(path, "PRAGMA application_id"), 0x6c767264);
	assert_int_equal(
		query_int(path,
			"SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'"),
		1);
	assert_int_equal(
		query_int(path, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
				" AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%STRICT'"),
		0);
	struct stat st;
	assert_int_equal(stat(in_directory(state, "deep/er"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	must_close(must_open(path, STORE_WRITE));
	must_close(must_open(path, STORE_READ));
	assert_true(store_is_bundle(path));
}

static void names_that_sqlite_reads_otherwise(void **state)
{
	char cwd[1024];
	assert_non_null(getcwd(cwd, sizeof cwd));
	assert_int_equal(chdir(*state), 0);
	must_close(must_open(":memory:", STORE_WRITE));
	assert_int_equal(access(":memory:", F_OK), 0);
	must_close(must_open("file:x?mode=memory", STORE_WRITE));
	assert_int_equal(access("file:x?mode=memory", F_OK), 0);
	assert_int_equal(chdir(cwd), 0);
	struct store *s;
	assert_int_equal(store_open("", STORE_READ, &s, NULL), -1);
	assert_int_equal(store_open("", STORE_WRITE, &s, NULL), -1);
}

static void reading_needs_a_file(void **state)
{
	assert_refused(in_directory(state, "none.db"), STORE_READ, "store-failed", "--db");
	assert_refused(*state, STORE_READ, "store-failed", "not a file");
	assert_int_equal(access(in_directory(state, "none.db"), F_OK), -1);
}

static void what_is_no_database_is_left_alone(void **state)
{
	const char *path = in_directory(state, "notes.txt");
	char text[5000];
	memset(text, 'x', sizeof text);
	write_file(path, text, sizeof text);
	assert_refused(path, STORE_READ, "store-corrupt", "--db");
	assert_refused(path, STORE_WRITE, "store-corrupt", "--db");
	assert_false(store_is_bundle(path));
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, sizeof text);
	assert_false(store_is_bundle(in_directory(state, "none")));
	assert_false(store_is_bundle(*state));
	const char *empty = in_directory(state, "empty.db");
	write_file(empty, "", 0);
	assert_refused(empty, STORE_READ, "store-failed", "no database of loadverdict");
	assert_false(store_is_bundle(empty));
	must_close(must_open(empty, STORE_WRITE)); /* `mktemp` and then --db */
}

static void another_programs_database_is_left_alone(void **state)
{
	const char *path = in_directory(state, "other.db");
	run_sql(path, "CREATE TABLE bookmark (url TEXT)");
	assert_refused(path, STORE_READ, "store-failed", "no database of loadverdict");
	assert_refused(path, STORE_WRITE, "store-failed", "no database of loadverdict");
	assert_int_equal(query_int(path, "SELECT count(*) FROM sqlite_schema"), 1);
	assert_false(store_is_bundle(path));
	const char *marked = in_directory(state, "marked.db");
	run_sql(marked, "PRAGMA application_id = 42; PRAGMA user_version = 1");
	assert_refused(marked, STORE_WRITE, "store-failed", "no database of loadverdict");
}

static void a_newer_schema_is_left_alone(void **state)
{
	const char *path = in_directory(state, "runs.db");
	must_close(must_open(path, STORE_WRITE));
	run_sql(path, "PRAGMA user_version = 2");
	assert_refused(path, STORE_READ, "store-too-new", "newer loadverdict");
	assert_refused(path, STORE_WRITE, "store-too-new", "newer loadverdict");
	assert_int_equal(query_int(path, "PRAGMA user_version"), 2);
}

static void an_older_schema_is_migrated_by_writers(void **state)
{
	const char *path = in_directory(state, "runs.db");
	run_sql(path, "PRAGMA application_id = 1819701860"); /* ours, version 0 */
	assert_refused(path, STORE_READ, "store-failed", "older loadverdict");
	must_close(must_open(path, STORE_WRITE));
	assert_int_equal(query_int(path, "PRAGMA user_version"), 1);
	must_close(must_open(path, STORE_READ));
}

static void a_schema_that_lies_is_corrupt(void **state)
{
	const char *path = in_directory(state, "runs.db");
	must_close(must_open(path, STORE_WRITE));
	run_sql(path, "DROP TABLE item; DROP TABLE label; ALTER TABLE run DROP COLUMN cause");
	struct store *s = must_open(path, STORE_READ);
	struct error err = {0};
	struct arena a = ARENA_INIT;
	struct stored_run r;
	assert_int_equal(store_load(s, &a, 1, 0, &r, &err), -1);
	assert_string_equal(err.code, "store-corrupt");
	arena_release(&a);
	must_close(s);
}

static void damaged_pages_are_an_error(void **state)
{
	const char *path = in_directory(state, "runs.db");
	struct store *s = must_open(path, STORE_WRITE);
	save_sample(s, 1780000000000, NULL);
	must_close(s);
	char junk[4096];
	memset(junk, 0x5a, sizeof junk);
	int fd = open(path, O_WRONLY);
	struct stat st;
	assert_int_equal(fstat(fd, &st), 0);
	for (off_t at = 4096; at < st.st_size; at += 4096)
		assert_int_equal(pwrite(fd, junk, sizeof junk, at), sizeof junk);
	close(fd);
	s = must_open(path, STORE_READ);
	struct arena a = ARENA_INIT;
	struct stored_run r;
	struct error err = {0};
	assert_int_equal(store_load(s, &a, 1, 0, &r, &err), -1);
	assert_string_equal(err.code, "store-corrupt");
	arena_release(&a);
	must_close(s);
}

static void a_locked_store_says_so(void **state)
{
	const char *path = in_directory(state, "runs.db");
	struct store *s = must_open(path, STORE_WRITE);
	sqlite3_busy_timeout(s->db, 50); /* the usual 10 s would only make this test slow */
	sqlite3 *other;
	assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	struct arena a = ARENA_INIT;
	struct stored_run run = sample_run(&a, 1);
	struct archive *ar = sample_archive(1, 1);
	struct error err = {0};
	assert_int_equal(store_save(s, &run, ar, &err), -1);
	assert_int_equal(err.kind, ERROR_STORE);
	assert_string_equal(err.code, "store-locked");
	assert_non_null(strstr(err.text, "--db"));
	assert_int_equal(run.info.id, 0);
	must_close(must_open(path, STORE_READ)); /* readers are not kept out */
	assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
	assert_int_equal(store_save(s, &run, ar, &err), 0);
	archive_free(ar);
	arena_release(&a);
	must_close(s);
}

/* Runs fn as a user for whom permissions count; its exit status. */
static int as_nobody(void **state, void (*fn)(void **state))
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (!getuid() && (setgid(65534) || setuid(65534)))
			_exit(99);
		fn(state);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void expect(bool fine, int step)
{
	if (!fine)
		_exit(step);
}

static void use_read_only(void **state)
{
	struct store *s;
	struct error err = {0};
	int64_t id;
	int revision;
	const char *path = in_directory(state, "runs.db");
	expect(!store_open(path, STORE_READ, &s, &err), 1);
	expect(!store_find(s, "last", NULL, NULL, &id, &revision, &err) && id == 1, 2);
	expect(!store_close(s, NULL), 3);
	/* writing fails at the latest when something is written, and says where */
	if (!store_open(path, STORE_WRITE, &s, &err)) {
		expect(store_note(s, 1, "x", NULL, NULL, &err) == -1, 4);
		store_discard(s);
	}
	expect(err.kind == ERROR_STORE && !strcmp(err.code, "store-failed"), 5);
	expect(strstr(err.text, path) && strstr(err.text, "--db"), 6);
	err = (struct error){0};
	path = in_directory(state, "new.db");
	expect(store_open(path, STORE_WRITE, &s, &err) == -1 && strstr(err.text, path), 7);
	path = in_directory(state, "sub/new.db");
	expect(store_open(path, STORE_WRITE, &s, &err) == -1 && strstr(err.text, path), 8);
	path = in_directory(state, "new.bundle");
	expect(store_open(path, STORE_BUNDLE, &s, &err) == -1 && strstr(err.text, path), 9);
}

static void a_read_only_directory_can_be_read(void **state)
{
	const char *path = in_directory(state, "runs.db");
	struct store *s = must_open(path, STORE_WRITE);
	save_sample(s, 1780000000000, NULL);
	must_close(s);
	assert_int_equal(chmod(path, 0444), 0);
	assert_int_equal(chmod(*state, 0555), 0);
	int status = as_nobody(state, use_read_only);
	assert_int_equal(chmod(*state, 0755), 0);
	assert_int_equal(status, 0);
}

static void what_a_dead_writer_left_is_read(void **state)
{
	const char *path = in_directory(state, "runs.db");
	pid_t pid = fork();
	if (!pid) {
		struct store *s;
		if (!store_open(path, STORE_WRITE, &s, NULL))
			save_sample(s, 1780000000000, "kept");
		_exit(0); /* without closing: the run stands in the write-ahead log only */
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	struct store *s = must_open(path, STORE_READ);
	int64_t id;
	int revision;
	assert_int_equal(store_find(s, "kept", NULL, NULL, &id, &revision, NULL), 0);
	must_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, directory_setup, directory_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_new_store_has_schema_and_mode),
		TEST(names_that_sqlite_reads_otherwise),
		TEST(reading_needs_a_file),
		TEST(what_is_no_database_is_left_alone),
		TEST(another_programs_database_is_left_alone),
		TEST(a_newer_schema_is_left_alone),
		TEST(an_older_schema_is_migrated_by_writers),
		TEST(a_schema_that_lies_is_corrupt),
		TEST(damaged_pages_are_an_error),
		TEST(a_locked_store_says_so),
		TEST(a_read_only_directory_can_be_read),
		TEST(what_a_dead_writer_left_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
