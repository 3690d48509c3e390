/* Crashes and crowds: processes that write at once, processes killed while they write. */
#include "support.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OPEN 1780000000000

enum { WRITERS = 4, RUNS_EACH = 5 };

/* In a child: cmocka's assertions would run the rest of the tests there, so exit codes tell. */
static int save_many(const char *path, int64_t open_ms, int n)
{
	for (int i = 0; i < n; i++) {
		struct store *s;
		if (store_open(path, STORE_WRITE, &s, NULL))
			return 1;
		struct arena a = ARENA_INIT;
		struct stored_run run = sample_run(&a, open_ms + i);
		struct archive *ar = sample_archive(1, 3);
		int rc = store_save(s, &run, ar, NULL);
		archive_free(ar);
		arena_release(&a);
		if (rc)
			return 2;
		if (store_close(s, NULL))
			return 3;
	}
	return 0;
}

static void writers_at_once_lose_nothing(void **state)
{
	const char *path = in_directory(state, "runs.db");
	pid_t pid[WRITERS];
	for (int i = 0; i < WRITERS; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (!pid[i]) /* the file does not exist yet: all of them make it */
			_exit(save_many(path, OPEN + i * 1000, RUNS_EACH));
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_int_equal(query_int(path, "SELECT count(*) FROM run"), WRITERS * RUNS_EACH);
	assert_int_equal(
		query_int(path, "SELECT count(DISTINCT id) FROM run"), WRITERS * RUNS_EACH);
}

static void the_same_run_at_once_gives_revisions(void **state)
{
	const char *path = in_directory(state, "runs.db");
	pid_t pid[WRITERS];
	for (int i = 0; i < WRITERS; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (!pid[i])
			_exit(save_many(path, OPEN, 1));
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(query_int(path, "SELECT count(*) FROM run"), 1);
	assert_int_equal(query_int(path, "SELECT max(number) FROM revision"), WRITERS);
}

static int check_whole(void *arg, const struct stored_run *r)
{
	struct store *s = arg;
	struct arena a = ARENA_INIT;
	struct stored_run run;
	struct archive *ar;
	struct strbuf b = STRBUF_INIT;
	assert_int_equal(store_load(s, &a, r->info.id, 0, &run, NULL), 0);
	assert_int_equal(store_archive(s, r->info.id, 0, &ar, NULL), 0);
	assert_int_equal(archive_evidence(ar)->n_answers, 3);
	assert_int_equal(print_archive(&b, ar, NULL), 0);
	strbuf_release(&b);
	archive_free(ar);
	arena_release(&a);
	return 0;
}

static void a_killed_writer_leaves_whole_runs(void **state)
{
	const char *path = in_directory(state, "runs.db");
	int64_t n_runs = 0; /* a slow machine gets more and longer rounds until a run is stored */
	for (int round = 0; round < 12 || (!n_runs && round < 48); round++) {
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (!pid)
			_exit(save_many(path, OPEN + round * 100000, 100000));
		/* the first rounds die while the file is made, the later ones amid a save */
		nanosleep(&(struct timespec){.tv_nsec = 1000000L + round * round * 400000L}, NULL);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		if (access(path, F_OK))
			continue;
		must_close(must_open(path, STORE_WRITE)); /* whatever was half made is finished */
		struct store *s = must_open(path, STORE_READ);
		assert_int_equal(store_list(s, check_whole, s, NULL), 0);
		must_close(s);
		assert_int_equal(query_int(path, "SELECT count(*) FROM run WHERE NOT EXISTS"
						 " (SELECT 1 FROM revision WHERE run_id = run.id)"),
			0);
		assert_int_equal(query_int(path, "SELECT count(*) FROM pragma_integrity_check "
						 "WHERE integrity_check = 'ok'"),
			1);
		n_runs = query_int(path, "SELECT count(*) FROM run");
	}
	assert_true(n_runs > 0);
}

static void a_killed_bundle_leaves_the_old_one(void **state)
{
	const char *path = in_directory(state, "run.lv");
	struct store *s = must_open(path, STORE_BUNDLE);
	save_sample(s, OPEN, NULL);
	must_close(s);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (store_open(path, STORE_BUNDLE, &s, NULL))
			_exit(1);
		save_sample(s, OPEN + 1, NULL);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(query_int(path, "SELECT open_ms FROM run"), OPEN);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, directory_setup, directory_teardown)
	const struct CMUnitTest tests[] = {
		TEST(writers_at_once_lose_nothing),
		TEST(the_same_run_at_once_gives_revisions),
		TEST(a_killed_writer_leaves_whole_runs),
		TEST(a_killed_bundle_leaves_the_old_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
