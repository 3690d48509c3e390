/* Archive: answers spooled, replaced, abandoned, read again; chunks that lie. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/archive_parts.h"

static void give(struct archive *ar, size_t slot, int i, size_t n)
{
	char path[32];
	snprintf(path, sizeof path, "/%d", i);
	struct label l[] = {{"__name__", "m"}, {"path", path}};
	int64_t *t = malloc(n * sizeof *t);
	double *v = malloc(n * sizeof *v);
	for (size_t k = 0; k < n; k++) {
		t[k] = (int64_t)k * 5000;
		v[k] = i + (double)k * 0.37;
	}
	struct series s = {{l, 2}, n, t, v, false};
	assert_int_equal(archive_series(ar, slot, &s, NULL), 0);
	free(t);
	free(v);
}

static void end(struct archive *ar, size_t slot, const char *text)
{
	const char *infos[] = {NULL};
	struct answer a = {.query = {QUERY_RAW, text, 1, 2, NULL}, .infos = infos};
	assert_int_equal(archive_end(ar, slot, &a, NULL), 0);
}

static int count(void *arg, const struct series *s)
{
	size_t *n = arg;
	assert_int_equal(s->value[0], (double)*n);
	++*n;
	return 0;
}

static void several_answers_at_once_over_many_chunks(void **state)
{
	(void)state;
	struct archive *ar;
	assert_int_equal(archive_new(&ar, NULL), 0);
	assert_int_equal(archive_begin(ar, 0, NULL), 0);
	assert_int_equal(archive_begin(ar, 3, NULL), 0);
	for (int i = 0; i < 2000; i++) {
		give(ar, 0, i, 78);
		give(ar, 3, i, 1);
	}
	end(ar, 3, "small");
	end(ar, 0, "large");
	const struct evidence *e = archive_evidence(ar);
	assert_int_equal(e->n_answers, 2);
	assert_true(archive_chunks(ar, 1)->n > 3);
	assert_int_equal(e->answers[1].n_series, 2000);
	assert_int_equal(e->answers[1].n_samples, 2000 * 78);
	for (int again = 0; again < 2; again++) {
		size_t n = 0;
		assert_int_equal(e->each(e, 1, count, &n, NULL), 0);
		assert_int_equal(n, 2000);
	}
	size_t n = 0;
	assert_int_equal(e->each(e, 0, count, &n, NULL), 0);
	assert_int_equal(n, 2000);
	archive_free(ar);
}

static void an_answer_replaces_the_older_one(void **state)
{
	(void)state;
	struct archive *ar = sample_archive(1, 2);
	assert_int_equal(archive_begin(ar, 0, NULL), 0);
	give(ar, 0, 0, 5);
	end(ar, 0, "metric_0");
	const struct evidence *e = archive_evidence(ar);
	assert_int_equal(e->n_answers, 2);
	assert_int_equal(e->answers[0].n_series, 1);
	assert_int_equal(e->answers[0].n_samples, 5);
	assert_string_equal(e->answers[1].query.text, "metric_1");
	archive_free(ar);
}

static void what_is_abandoned_is_void(void **state)
{
	(void)state;
	struct archive *ar;
	assert_int_equal(archive_new(&ar, NULL), 0);
	archive_abandon(ar, 5); /* never begun */
	assert_int_equal(archive_begin(ar, 0, NULL), 0);
	for (int i = 0; i < 1000; i++)
		give(ar, 0, i + 7, 78);
	archive_abandon(ar, 0);
	assert_int_equal(archive_evidence(ar)->n_answers, 0);
	assert_int_equal(archive_begin(ar, 0, NULL), 0);
	give(ar, 0, 0, 1);
	assert_int_equal(archive_begin(ar, 0, NULL), 0); /* a retry begins again */
	give(ar, 0, 0, 1);
	give(ar, 0, 1, 1);
	end(ar, 0, "m");
	const struct evidence *e = archive_evidence(ar);
	size_t n = 0;
	assert_int_equal(e->each(e, 0, count, &n, NULL), 0);
	assert_int_equal(n, 2);
	archive_free(ar);
}

static int stop_at_once(void *arg, const struct series *s)
{
	(void)s;
	++*(size_t *)arg;
	return 1;
}

static void reading_can_stop(void **state)
{
	(void)state;
	struct archive *ar = sample_archive(1, 1);
	const struct evidence *e = archive_evidence(ar);
	size_t n = 0;
	assert_int_equal(e->each(e, 0, stop_at_once, &n, NULL), 0);
	assert_int_equal(n, 1);
	archive_free(ar);
}

struct nested {
	const struct evidence *e;
	size_t outer, inner;
};

static int count_inner(void *arg, const struct series *s)
{
	struct nested *n = arg;
	assert_int_equal(s->n, 40);
	n->inner++;
	return 0;
}

static int read_within(void *arg, const struct series *s)
{
	struct nested *n = arg;
	double before = s->value[1];
	assert_int_equal(n->e->each(n->e, 1, count_inner, n, NULL), 0);
	assert_true(s->value[1] == before);
	n->outer++;
	return 0;
}

static void an_answer_is_read_while_another_is(void **state)
{
	(void)state;
	struct archive *ar = sample_archive(3, 2);
	struct nested n = {archive_evidence(ar), 0, 0};
	assert_int_equal(n.e->each(n.e, 0, read_within, &n, NULL), 0);
	assert_int_equal(n.outer, 3);
	assert_int_equal(n.inner, 9);
	archive_free(ar);
}

static void texts_and_times_are_kept(void **state)
{
	(void)state;
	struct archive *ar = sample_archive(2, 2);
	const struct evidence *e = archive_evidence(ar);
	assert_int_equal(e->asked_ms, 1780000200123);
	assert_int_equal(e->retention_ms, 86400000);
	assert_string_equal(e->answers[1].query.subject, "stage/position");
	assert_string_equal(e->answers[1].infos[0], "PromQL info: a \"quoted\"\tone");
	assert_null(e->answers[1].infos[1]);
	assert_true(e->answers[1].repaired);
	assert_int_equal(e->answers[1].query.kind, QUERY_PROMQL);
	archive_free(ar);
}

static void a_spool_directory_that_is_not_there(void **state)
{
	(void)state;
	struct archive *ar = NULL;
	struct error err = {0};
	setenv("TMPDIR", "/nonexistent/directory", 1);
	assert_int_equal(archive_new(&ar, &err), -1);
	unsetenv("TMPDIR");
	assert_int_equal(err.kind, ERROR_STORE);
	assert_non_null(strstr(err.text, "TMPDIR"));
	assert_null(ar);
}

/* Chunks from a source that changes one bit. */
struct liar {
	struct archive *honest;
	size_t chunk, bit; /* which one lies, and where */
	size_t n;
};

static int fetch_lie(void *ctx, const struct chunk *c, void *bytes, struct error *err)
{
	struct liar *l = ctx;
	const void *honest;
	if (archive_fetch(l->honest, c, &honest, err))
		return -1;
	memcpy(bytes, honest, c->packed);
	((unsigned char *)bytes)[l->bit / 8 % c->packed] ^= (unsigned char)(1 << l->bit % 8);
	return 0;
}

static struct archive *archive_of(struct liar *l, size_t drop)
{
	struct archive *ar =
		archive_new_over((struct chunk_source){.fetch = fetch_lie, .ctx = l, .owner = l});
	const struct evidence *e = archive_evidence(l->honest);
	for (size_t i = 0; i < e->n_answers; i++) {
		struct chunks copy = {0};
		for (size_t k = 0; k + drop < archive_chunks(l->honest, i)->n; k++)
			*ARRAY_ADD(&copy) = archive_chunks(l->honest, i)->at[k];
		archive_add_answer(ar, &e->answers[i], &copy);
	}
	archive_set_asked(ar, e->asked_ms, e->retention_ms);
	return ar;
}

static void a_flipped_bit_never_gives_other_samples(void **state)
{
	(void)state;
	struct liar l = {.honest = sample_archive(5, 1)};
	struct strbuf truth = STRBUF_INIT, got = STRBUF_INIT;
	assert_int_equal(print_archive(&truth, l.honest, NULL), 0);
	size_t refused = 0, bits = archive_chunks(l.honest, 0)->at[0].packed * 8;
	for (l.bit = 0; l.bit < bits; l.bit++) {
		struct archive *ar = archive_of(&l, 0);
		struct error err = {0};
		strbuf_clear(&got);
		if (print_archive(&got, ar, &err)) {
			assert_int_equal(err.kind, ERROR_STORE);
			assert_string_equal(err.code, "store-corrupt");
			refused++;
		} else {
			assert_string_equal(got.at, truth.at);
		}
		archive_free(ar);
	}
	assert_true(refused > bits * 9 / 10);
	strbuf_release(&truth);
	strbuf_release(&got);
	archive_free(l.honest);
}

static void a_missing_chunk_is_noticed(void **state)
{
	(void)state;
	struct liar l = {.honest = sample_archive(5, 1)};
	struct archive *ar = archive_of(&l, 1);
	struct strbuf got = STRBUF_INIT;
	struct error err = {0};
	assert_int_equal(print_archive(&got, ar, &err), -1);
	assert_string_equal(err.code, "store-corrupt");
	assert_non_null(strstr(err.text, "metric_0"));
	strbuf_release(&got);
	archive_free(ar);
	archive_free(l.honest);
}

static void a_stored_archive_is_read_only(void **state)
{
	(void)state;
	struct liar l = {.honest = sample_archive(5, 1)};
	struct archive *ar = archive_of(&l, 0);
	struct error err = {0};
	assert_int_equal(archive_begin(ar, 0, &err), -1);
	assert_int_equal(err.kind, ERROR_BUG);
	archive_free(ar);
	archive_free(l.honest);
}

static void sizes_that_no_chunk_has(void **state)
{
	(void)state;
	assert_true(chunk_plausible(100, 1000));
	assert_false(chunk_plausible(100, 0));
	assert_false(chunk_plausible(0, 100));
	assert_false(chunk_plausible(-1, 100));
	assert_false(chunk_plausible(100000, 100));
	assert_false(chunk_plausible(100, (int64_t)1 << 40));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_answers_at_once_over_many_chunks),
		cmocka_unit_test(an_answer_replaces_the_older_one),
		cmocka_unit_test(what_is_abandoned_is_void),
		cmocka_unit_test(reading_can_stop),
		cmocka_unit_test(an_answer_is_read_while_another_is),
		cmocka_unit_test(texts_and_times_are_kept),
		cmocka_unit_test(a_spool_directory_that_is_not_there),
		cmocka_unit_test(a_flipped_bit_never_gives_other_samples),
		cmocka_unit_test(a_missing_chunk_is_noticed),
		cmocka_unit_test(a_stored_archive_is_read_only),
		cmocka_unit_test(sizes_that_no_chunk_has),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
