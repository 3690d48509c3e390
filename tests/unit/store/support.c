/* Support: runs and samples to store, in a directory of their own. */
#include "support.h"

#include <dirent.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "store/document.h"

int directory_setup(void **state)
{
	char *dir = xstrdup("/tmp/loadverdict-test-XXXXXX");
	assert_non_null(mkdtemp(dir));
	*state = dir;
	return 0;
}

static void empty(const char *dir)
{
	DIR *d = opendir(dir);
	assert_non_null(d);
	char path[4096];
	for (struct dirent *e; (e = readdir(d));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		struct stat st;
		if (!lstat(path, &st) && S_ISDIR(st.st_mode)) {
			chmod(path, 0700);
			empty(path);
			rmdir(path);
		} else {
			unlink(path);
		}
	}
	closedir(d);
}

int directory_teardown(void **state)
{
	empty(*state);
	rmdir(*state);
	free(*state);
	return 0;
}

const char *in_directory(void **state, const char *name)
{
	static char paths[5][512];
	static int next;
	char *path = paths[next++ % 5];
	snprintf(path, sizeof paths[0], "%s/%s", (const char *)*state, name);
	return path;
}

struct store *must_open(const char *path, enum store_mode mode)
{
	struct store *s = NULL;
	struct error err = {0};
	if (store_open(path, mode, &s, &err))
		fail_msg("cannot open: %s", err.text);
	return s;
}

void must_close(struct store *s)
{
	struct error err = {0};
	if (store_close(s, &err))
		fail_msg("cannot close: %s", err.text);
}

static void add_answer(struct archive *ar, int seed, int number)
{
	assert_int_equal(archive_begin(ar, 0, NULL), 0);
	char text[32], path[32];
	snprintf(text, sizeof text, "metric_%d", number);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "/path/%d", i);
		struct label labels[] = {{"__name__", text}, {"instance", "a:1"}, {"path", path}};
		int64_t t[40];
		double v[40];
		for (int k = 0; k < 40; k++) {
			t[k] = 1780000000000 + 5000 * k + i;
			v[k] = seed * 1000 + i * 100 + k * (i == 2 ? 0.1 : 1);
		}
		v[39] = sample_stale();
		struct series s = {{labels, 3}, 40, t, v, i == 1};
		assert_int_equal(archive_series(ar, 0, &s, NULL), 0);
	}
	const char *infos[] = {"PromQL info: a \"quoted\"\tone", NULL};
	struct answer a = {
		.query = {number % 2 ? QUERY_PROMQL : QUERY_RAW, text, 1, 2, "stage/position"},
		.infos = infos,
		.repaired = number == 1,
	};
	assert_int_equal(archive_end(ar, 0, &a, NULL), 0);
}

struct archive *sample_archive(int seed, size_t n_answers)
{
	struct archive *ar;
	assert_int_equal(archive_new(&ar, NULL), 0);
	for (size_t i = 0; i < n_answers; i++)
		add_answer(ar, seed, (int)i);
	archive_set_asked(ar, 1780000200123, seed % 2 ? -1 : 86400000);
	return ar;
}

static const struct tree *sample_document(struct arena *a)
{
	static const char text[] =
		"{\"format\":\"loadverdict.run/"
		"1\",\"verdict\":\"PASS\",\"run\":{\"id\":0,\"revision\":0,"
		"\"name\":null,\"spec\":\"opening\",\"load\":50000.0,\"uid\":null,\"end\":\"x\"},"
		"\"stages\":[{\"id\":\"position\",\"objective\":0.99,\"verdict\":\"PASS\","
		"\"good\":{\"low\":990,\"high\":991},\"total\":{\"low\":1000,\"high\":1000},"
		"\"ratio\":{\"low\":0.990000000000,\"high\":0.991000000000},"
		"\"percentiles\":[{\"p\":95,\"share\":{\"low\":0.97,\"high\":0.98},\"verdict\":"
		"\"PASS\"}],"
		"\"steps\":[{\"id\":\"join\",\"verdict\":\"PASS\",\"good\":{\"low\":1,\"high\":"
		"null}}]}],"
		"\"invariants\":[{\"id\":\"5xx\",\"verdict\":\"HELD\",\"observed\":{\"low\":0,"
		"\"high\":0}}],"
		"\"preconditions\":[],\"figures\":[{\"id\":\"waiting\",\"value\":"
		"{\"low\":9007199254740993,\"high\":1e308}}]}";
	struct tree *t;
	assert_int_equal(store_document_parse(a, text, strlen(text), &t, NULL), 0);
	return t;
}

struct stored_run sample_run(struct arena *a, int64_t open_ms)
{
	static const struct variable variables[] = {{"HOST", "stg.example"}, {"TOKEN", NULL}};
	static struct run_label labels[] = {{"branch", "main"}, {"pod", "a b"}};
	static const char spec[] = "name: opening\n# \xea\xb0\x80\n";
	return (struct stored_run){
		.info = {.spec_name = "opening",
			.spec_sha256 = "aa11",
			.judged_sha256 = "bb22",
			.environment = "stg",
			.campaign = "autumn",
			.commit = "0123abcd",
			.repeat = 1,
			.has_load = true,
			.load = {50000, 1},
			.load_unit = "users",
			.window = {open_ms, open_ms - 60000, open_ms + 300000, open_ms - 5000},
			.labels = labels,
			.n_labels = 2,
			.source_url = "http://prometheus:9090",
			.tenant = "team-a",
			.insecure = true,
			.version = "0.1.0",
			.judged_at_ms = 1780000400000,
			.known_registered = true,
			.registered_before_open = true},
		.verdict = RUN_PASS,
		.document = sample_document(a),
		.spec_path = "opening.yaml",
		.spec_text = spec,
		.spec_len = sizeof spec - 1,
		.expanded = "use: spring-boot",
		.variables = variables,
		.n_variables = 2,
		.has_window_override = true,
	};
}

int64_t save_sample(struct store *s, int64_t open_ms, const char *name)
{
	struct arena a = ARENA_INIT;
	struct error err = {0};
	struct stored_run run = sample_run(&a, open_ms);
	run.info.name = name;
	struct archive *ar = sample_archive((int)(open_ms % 7), 2);
	if (store_save(s, &run, ar, &err))
		fail_msg("cannot save: %s", err.text);
	archive_free(ar);
	arena_release(&a);
	return run.info.id;
}

static int print_series(void *arg, const struct series *s)
{
	struct strbuf *b = arg;
	labels_print(b, &s->labels);
	strbuf_addf(b, " %d", s->native);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t bits;
		memcpy(&bits, &s->value[i], sizeof bits);
		strbuf_addf(b, " %" PRId64 ":%" PRIx64, s->t_ms[i], bits);
	}
	strbuf_addc(b, '\n');
	return 0;
}

int print_archive(struct strbuf *b, struct archive *ar, struct error *err)
{
	const struct evidence *e = archive_evidence(ar);
	strbuf_addf(b, "%" PRId64 " %" PRId64 "\n", e->asked_ms, e->retention_ms);
	for (size_t i = 0; i < e->n_answers; i++) {
		const struct answer *a = &e->answers[i];
		strbuf_addf(b, "%d %s %" PRId64 " %" PRId64 " %s %zu %zu %d\n", a->query.kind,
			a->query.text, a->query.from_ms, a->query.to_ms, a->query.subject,
			a->n_series, a->n_samples, a->repaired);
		for (const char *const *info = a->infos; *info; info++)
			strbuf_addf(b, "# %s\n", *info);
		if (e->each(e, i, print_series, b, err))
			return -1;
	}
	return 0;
}

void assert_same_archive(struct archive *a, struct archive *b)
{
	struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
	struct error err = {0};
	if (print_archive(&x, a, &err) || print_archive(&y, b, &err))
		fail_msg("cannot read: %s", err.text);
	assert_string_equal(x.at, y.at);
	strbuf_release(&x);
	strbuf_release(&y);
}

int64_t query_int(const char *path, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	int64_t v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return v;
}

void run_sql(const char *path, const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}
