/* Saving: everything comes back; identity, revisions, names; notes and removal. */
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "store/document.h"

#define OPEN 1780000000000

static void assert_text(const char *got, const char *want)
{
	if (!want)
		assert_null(got);
	else
		assert_string_equal(got, want);
}

static void assert_same_info(const struct run_info *a, const struct run_info *b)
{
	assert_text(a->spec_name, b->spec_name);
	assert_text(a->spec_sha256, b->spec_sha256);
	assert_text(a->judged_sha256, b->judged_sha256);
	assert_text(a->environment, b->environment);
	assert_text(a->campaign, b->campaign);
	assert_text(a->commit, b->commit);
	assert_text(a->load_unit, b->load_unit);
	assert_text(a->source_url, b->source_url);
	assert_text(a->tenant, b->tenant);
	assert_text(a->version, b->version);
	assert_int_equal(a->repeat, b->repeat);
	assert_int_equal(a->has_load, b->has_load);
	assert_int_equal(decimal_cmp(a->load, b->load), 0);
	assert_memory_equal(&a->window, &b->window, sizeof a->window);
	assert_int_equal(a->insecure, b->insecure);
	assert_int_equal(a->judged_at_ms, b->judged_at_ms);
	assert_int_equal(a->known_registered, b->known_registered);
	assert_int_equal(a->registered_before_open, b->registered_before_open);
	assert_int_equal(a->n_labels, b->n_labels);
	for (size_t i = 0; i < a->n_labels; i++) {
		assert_text(a->labels[i].key, b->labels[i].key);
		assert_text(a->labels[i].value, b->labels[i].value);
	}
}

static void assert_same_run(const struct stored_run *a, const struct stored_run *b)
{
	assert_same_info(&a->info, &b->info);
	assert_int_equal(a->verdict, b->verdict);
	assert_text(a->spec_path, b->spec_path);
	assert_int_equal(a->spec_len, b->spec_len);
	assert_memory_equal(a->spec_text, b->spec_text, a->spec_len);
	assert_text(a->expanded, b->expanded);
	assert_int_equal(a->has_window_override, b->has_window_override);
	assert_int_equal(a->n_variables, b->n_variables);
	for (size_t i = 0; i < a->n_variables; i++) {
		assert_text(a->variables[i].name, b->variables[i].name);
		assert_text(a->variables[i].value, b->variables[i].value);
	}
}

static void everything_comes_back(void **state)
{
	const char *path = in_directory(state, "runs.db");
	struct arena a = ARENA_INIT;
	struct stored_run run = sample_run(&a, OPEN), got;
	run.info.name = "first";
	struct archive *ar = sample_archive(1, 3), *back;
	struct store *s = must_open(path, STORE_WRITE);
	assert_int_equal(store_save(s, &run, ar, NULL), 0);
	assert_int_equal(run.info.id, 1);
	assert_int_equal(run.info.revision, 1);
	assert_int_equal(strlen(run.info.uid), 32);
	char uid[33];
	memcpy(uid, run.info.uid, sizeof uid);
	must_close(s);

	s = must_open(path, STORE_READ);
	assert_int_equal(store_load(s, &a, 1, 0, &got, NULL), 0);
	assert_same_run(&got, &run);
	assert_string_equal(got.info.name, "first");
	assert_string_equal(got.info.uid, uid);
	assert_null(got.symptom);
	assert_int_equal(store_archive(s, 1, 1, &back, NULL), 0);
	assert_same_archive(ar, back);
	assert_same_archive(ar, back);
	archive_free(back);
	archive_free(ar);
	must_close(s);
	arena_release(&a);
}

static void unknown_things_stay_unknown(void **state)
{
	struct arena a = ARENA_INIT;
	struct stored_run got, run = {.info = {.spec_name = "s",
					      .spec_sha256 = "",
					      .judged_sha256 = "",
					      .source_url = "",
					      .version = "",
					      .window = {TIME_NONE, 1000, 2000, TIME_NONE}},
				       .verdict = RUN_INCONCLUSIVE,
				       .spec_path = "-",
				       .spec_text = "",
				       .document = tree_null(&a)};
	struct archive *ar = sample_archive(1, 0), *back;
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	assert_int_equal(store_save(s, &run, ar, NULL), 0);
	assert_int_equal(store_load(s, &a, 1, 0, &got, NULL), 0);
	assert_same_run(&got, &run);
	assert_false(got.info.has_load);
	assert_false(got.info.known_registered);
	assert_int_equal(got.info.window.open_ms, TIME_NONE);
	assert_int_equal(store_archive(s, 1, 0, &back, NULL), 0);
	assert_same_archive(ar, back);
	archive_free(back);
	archive_free(ar);
	must_close(s);
	arena_release(&a);
}

static void the_document_keeps_its_numbers_and_learns_who_it_is(void **state)
{
	struct arena a = ARENA_INIT;
	struct stored_run got, run = sample_run(&a, OPEN);
	struct archive *ar = sample_archive(1, 1);
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	assert_int_equal(store_save(s, &run, ar, NULL), 0);
	assert_int_equal(store_load(s, &a, 1, 0, &got, NULL), 0);
	struct document_identity who = {1, 1, run.info.uid, NULL, NULL, NULL, NULL};
	struct strbuf want = STRBUF_INIT, have = STRBUF_INIT;
	json_add_tree(&want, store_document_identify(&a, run.document, &who), JSON_AS_ADDED);
	json_add_tree(&have, got.document, JSON_AS_ADDED);
	assert_string_equal(have.at, want.at);
	assert_non_null(strstr(have.at, "\"load\":50000.0"));
	assert_non_null(strstr(have.at, "9007199254740993"));
	assert_string_equal(
		tree_text(tree_get(tree_get(got.document, "run"), "uid"), ""), run.info.uid);
	/* the caller's tree is as it was */
	assert_string_equal(tree_text(tree_get(tree_get(run.document, "run"), "id"), ""), "0");
	strbuf_release(&want);
	strbuf_release(&have);
	archive_free(ar);
	must_close(s);
	arena_release(&a);
}

static void items_are_there_for_sql(void **state)
{
	const char *path = in_directory(state, "runs.db");
	struct store *s = must_open(path, STORE_WRITE);
	save_sample(s, OPEN, NULL);
	must_close(s);
	assert_int_equal(query_int(path, "SELECT count(*) FROM item"), 5);
	assert_int_equal(
		query_int(path,
			"SELECT good_high FROM item WHERE kind = 'stage' AND name = 'position'"
			" AND verdict = 'PASS' AND low BETWEEN 0.98 AND 1 AND objective BETWEEN "
			"0.98 AND 1"),
		991);
	assert_int_equal(
		query_int(path,
			"SELECT count(*) FROM item WHERE kind = 'step'"
			" AND name = 'position/join' AND good_low = 1 AND good_high IS NULL"),
		1);
	assert_int_equal(
		query_int(path, "SELECT count(*) FROM item WHERE kind = 'percentile'"
				" AND name = 'position/p95' AND low BETWEEN 0.96 AND 0.975"),
		1);
	assert_int_equal(query_int(path, "SELECT count(*) FROM item WHERE kind = 'invariant'"
					 " AND verdict = 'HELD' AND high = 0"),
		1);
	assert_int_equal(query_int(path, "SELECT count(*) FROM item WHERE kind = 'figure'"
					 " AND verdict IS NULL AND high > 1e307"),
		1);
	assert_int_equal(query_int(path, "SELECT count(*) FROM variable WHERE value IS NULL"), 1);
}

/* Saves a changed copy of the sample run; 0 if it made a revision of run 1. */
static int64_t save_changed(struct store *s, void (*change)(struct run_info *), int *revision)
{
	struct arena a = ARENA_INIT;
	struct stored_run run = sample_run(&a, OPEN);
	change(&run.info);
	struct archive *ar = sample_archive(2, 1);
	struct error err = {0};
	if (store_save(s, &run, ar, &err))
		fail_msg("%s", err.text);
	archive_free(ar);
	arena_release(&a);
	*revision = run.info.revision;
	return run.info.id;
}

static void same(struct run_info *i)
{
	i->commit = "fedc";
}
static void earlier_start(struct run_info *i)
{
	i->window.start_ms -= 5000;
}
static void other_unit(struct run_info *i)
{
	i->load_unit = NULL;
}
static void equal_load(struct run_info *i)
{
	i->load = (struct decimal){50000, 1};
}
static void other_spec(struct run_info *i)
{
	i->spec_name = "other";
}
static void no_environment(struct run_info *i)
{
	i->environment = NULL;
}
static void other_load(struct run_info *i)
{
	i->load.num = 50001;
}
static void no_load(struct run_info *i)
{
	i->has_load = false;
}
static void other_repeat(struct run_info *i)
{
	i->repeat = 2;
}
static void other_open(struct run_info *i)
{
	i->window.open_ms++;
}
static void no_open(struct run_info *i)
{
	i->window.open_ms = TIME_NONE;
}
static void no_open_later_end(struct run_info *i)
{
	no_open(i);
	i->window.end_ms++;
}

static void the_same_run_becomes_a_revision(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	static void (*const changes[])(struct run_info *) = {
		same, same, earlier_start, other_unit, equal_load};
	int revision;
	for (int i = 0; i < 5; i++) {
		assert_int_equal(save_changed(s, changes[i], &revision), 1);
		assert_int_equal(revision, i + 1);
	}
	struct arena a = ARENA_INIT;
	struct stored_run first, third, newest;
	assert_int_equal(store_load(s, &a, 1, 1, &first, NULL), 0);
	assert_int_equal(store_load(s, &a, 1, 3, &third, NULL), 0);
	assert_int_equal(store_load(s, &a, 1, 0, &newest, NULL), 0);
	assert_int_equal(newest.info.revision, 5);
	assert_int_equal(third.info.window.start_ms, first.info.window.start_ms - 5000);
	assert_string_equal(first.info.uid, newest.info.uid);
	struct error err = {0};
	assert_int_equal(store_load(s, &a, 1, 6, &first, &err), -1);
	assert_string_equal(err.code, "unknown-run");
	struct archive *none;
	assert_int_equal(store_archive(s, 1, 6, &none, &err), -1);
	assert_int_equal(store_archive(s, 9, 0, &none, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	arena_release(&a);
	must_close(s);
}

static void another_run_becomes_a_run(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	static void (*const changes[])(struct run_info *) = {same, other_spec, no_environment,
		other_load, no_load, other_repeat, other_open, no_open, no_open_later_end};
	int revision;
	for (int i = 0; i < 9; i++) {
		assert_int_equal(save_changed(s, changes[i], &revision), i + 1);
		assert_int_equal(revision, 1);
	}
	assert_int_equal(save_changed(s, no_open, &revision), 8);
	assert_int_equal(revision, 2);
	must_close(s);
}

static void a_uid_says_which_run_it_is(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	save_sample(s, OPEN, "named");
	struct arena a = ARENA_INIT;
	struct stored_run run;
	struct archive *ar;
	assert_int_equal(store_load(s, &a, 1, 0, &run, NULL), 0);
	assert_int_equal(store_archive(s, 1, 0, &ar, NULL), 0);
	run.info.spec_name = "renamed"; /* judged again with a changed spec */
	assert_int_equal(store_save(s, &run, ar, NULL), 0);
	assert_int_equal(run.info.id, 1);
	assert_int_equal(run.info.revision, 2);
	archive_free(ar);
	/* its own samples were not stored twice */
	struct archive *back;
	assert_int_equal(store_archive(s, 1, 2, &back, NULL), 0);
	archive_free(back);
	must_close(s);
	const char *path = in_directory(state, "runs.db");
	assert_int_equal(query_int(path, "SELECT count(*) FROM archive"), 1);
	assert_int_equal(query_int(path, "SELECT count(*) FROM spec"), 1);
	arena_release(&a);
}

static int try_name(struct store *s, int64_t open_ms, const char *name, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct stored_run run = sample_run(&a, open_ms);
	run.info.name = name;
	struct archive *ar = sample_archive(1, 1);
	*err = (struct error){0};
	int rc = store_save(s, &run, ar, err);
	if (rc)
		assert_int_equal(run.info.id, 0);
	archive_free(ar);
	arena_release(&a);
	return rc;
}

static void names_are_unique_and_no_ids(void **state)
{
	const char *path = in_directory(state, "runs.db");
	struct store *s = must_open(path, STORE_WRITE);
	struct error err;
	assert_int_equal(try_name(s, OPEN, "nightly", &err), 0);
	assert_int_equal(try_name(s, OPEN, "nightly", &err), 0); /* the same run */
	assert_int_equal(try_name(s, OPEN, NULL, &err), 0);
	assert_int_equal(try_name(s, OPEN + 1, "nightly", &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.code, "name-taken");
	assert_non_null(strstr(err.text, "nightly"));
	assert_int_equal(query_int(path, "SELECT count(*) FROM run"), 1);
	char long_name[202];
	memset(long_name, 'a', 201);
	long_name[201] = '\0';
	const char *bad[] = {"", "7", "0012", "7.2", "7.", "last", "last~1", "lastly", "a\nb",
		"\xff", long_name};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		if (!try_name(s, OPEN + 1, bad[i], &err))
			fail_msg("'%s' was taken", bad[i]);
		assert_string_equal(err.code, "usage");
	}
	const char *good[] = {"v1.2", "7a", "1.2.3", "\xea\xb0\x80", "' OR 1=1 --", "a/b", "Last"};
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_int_equal(try_name(s, OPEN + 10 + (int64_t)i, good[i], &err), 0);
	must_close(s);
}

static void a_damaged_archive_leaves_the_old_state(void **state)
{
	const char *path = in_directory(state, "runs.db");
	struct store *s = must_open(path, STORE_WRITE);
	save_sample(s, OPEN, NULL);
	save_sample(s, OPEN + 1000, NULL);
	must_close(s);
	run_sql(path, "UPDATE chunk SET data = zeroblob(3) WHERE id = 1");
	s = must_open(path, STORE_WRITE);
	struct arena a = ARENA_INIT;
	struct archive *ar;
	assert_int_equal(store_archive(s, 1, 0, &ar, NULL), 0);
	struct strbuf b = STRBUF_INIT;
	struct error err = {0};
	assert_int_equal(print_archive(&b, ar, &err), -1);
	assert_string_equal(err.code, "store-corrupt");
	strbuf_release(&b);
	archive_free(ar);
	/* chunks that vanish while a run is saved */
	assert_int_equal(store_archive(s, 1, 0, &ar, NULL), 0);
	run_sql(path, "DELETE FROM chunk WHERE id = 2");
	struct stored_run run = sample_run(&a, OPEN + 5);
	assert_int_equal(store_save(s, &run, ar, &err), -1);
	assert_int_equal(err.kind, ERROR_STORE);
	assert_int_equal(run.info.id, 0);
	archive_free(ar);
	must_close(s);
	assert_int_equal(query_int(path, "SELECT count(*) FROM run"), 2);
	assert_int_equal(query_int(path, "SELECT count(*) FROM archive"), 2);
	arena_release(&a);
}

static void notes_are_kept_and_changed_one_by_one(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	save_sample(s, OPEN, NULL);
	assert_int_equal(store_note(s, 1, "slow", NULL, NULL, NULL), 0);
	assert_int_equal(store_note(s, 1, NULL, "pool", "raise it; DROP TABLE run", NULL), 0);
	save_sample(s, OPEN, NULL); /* a revision has the run's notes */
	struct arena a = ARENA_INIT;
	struct stored_run run;
	assert_int_equal(store_load(s, &a, 1, 2, &run, NULL), 0);
	assert_string_equal(run.symptom, "slow");
	assert_string_equal(run.cause, "pool");
	assert_string_equal(run.action, "raise it; DROP TABLE run");
	struct error err = {0};
	assert_int_equal(store_note(s, 5, "x", NULL, NULL, &err), -1);
	assert_string_equal(err.code, "unknown-run");
	arena_release(&a);
	must_close(s);
}

static void removal_takes_everything(void **state)
{
	const char *path = in_directory(state, "runs.db");
	struct store *s = must_open(path, STORE_WRITE);
	save_sample(s, OPEN, NULL);
	save_sample(s, OPEN, NULL);
	save_sample(s, OPEN + 1, NULL);
	struct error err = {0};
	assert_int_equal(store_remove(s, 7, &err), -1);
	assert_string_equal(err.code, "unknown-run");
	assert_int_equal(store_remove(s, 1, NULL), 0);
	assert_int_equal(query_int(path, "SELECT count(*) FROM archive"), 1);
	assert_int_equal(query_int(path, "SELECT count(*) FROM spec"), 1);
	assert_int_equal(store_remove(s, 2, NULL), 0);
	static const char *const tables[] = {"run", "revision", "archive", "answer", "chunk",
		"spec", "label", "variable", "item"};
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		char sql[64];
		snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", tables[i]);
		assert_int_equal(query_int(path, sql), 0);
	}
	assert_int_equal(save_sample(s, OPEN, NULL), 3); /* ids are not used twice */
	must_close(s);
}

struct listed {
	int64_t id[5];
	size_t n;
};

static int list_one(void *arg, const struct stored_run *r)
{
	struct listed *l = arg;
	assert_null(r->document);
	assert_string_equal(r->info.spec_name, "opening");
	assert_int_equal(r->info.n_labels, 2);
	l->id[l->n++] = r->info.id * 10 + r->info.revision;
	return 0;
}

static void runs_are_listed_newest_first(void **state)
{
	struct store *s = must_open(in_directory(state, "runs.db"), STORE_WRITE);
	struct listed l = {0};
	assert_int_equal(store_list(s, list_one, &l, NULL), 0);
	assert_int_equal(l.n, 0);
	save_sample(s, OPEN, NULL);
	save_sample(s, OPEN + 1, NULL);
	save_sample(s, OPEN, NULL);
	assert_int_equal(store_list(s, list_one, &l, NULL), 0);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.id[0], 21);
	assert_int_equal(l.id[1], 12);
	must_close(s);
}

static void impossible_rows_are_refused(void **state)
{
	static const char *const changes[] = {"UPDATE run SET uid = 'x'",
		"UPDATE run SET load_den = 0", "UPDATE revision SET number = 2000000000",
		"UPDATE revision SET start_ms = 9223372036854775807",
		"UPDATE revision SET document = '{'",
		"PRAGMA ignore_check_constraints = 1; UPDATE revision SET verdict = 'MAYBE'"};
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		const char *path = in_directory(state, "runs.db");
		unlink(path);
		struct store *s = must_open(path, STORE_WRITE);
		save_sample(s, OPEN, NULL);
		must_close(s);
		run_sql(path, changes[i]);
		s = must_open(path, STORE_READ);
		struct arena a = ARENA_INIT;
		struct stored_run run;
		struct error err = {0};
		assert_int_equal(store_load(s, &a, 1, 0, &run, &err), -1);
		assert_string_equal(err.code, "store-corrupt");
		arena_release(&a);
		must_close(s);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, directory_setup, directory_teardown)
	const struct CMUnitTest tests[] = {
		TEST(everything_comes_back),
		TEST(unknown_things_stay_unknown),
		TEST(the_document_keeps_its_numbers_and_learns_who_it_is),
		TEST(items_are_there_for_sql),
		TEST(the_same_run_becomes_a_revision),
		TEST(another_run_becomes_a_run),
		TEST(a_uid_says_which_run_it_is),
		TEST(names_are_unique_and_no_ids),
		TEST(a_damaged_archive_leaves_the_old_state),
		TEST(notes_are_kept_and_changed_one_by_one),
		TEST(removal_takes_everything),
		TEST(runs_are_listed_newest_first),
		TEST(impossible_rows_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
