/* Fixture: a world of series in memory, judged by a spec written as YAML.
 *
 * Times are seconds after the window's start, which is START_MS; the window is (0, 360] unless set
 * otherwise. A test says what is `given`, judges, and asserts on the result. Knows no server. */
#ifndef LV_TESTS_JUDGE_FIXTURE_H
#define LV_TESTS_JUDGE_FIXTURE_H

#include "../base/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/judge.h"
#include "judge/reason.h"

#define START_MS INT64_C(1780000000000)

/* one scrape every 15 s: ..., -10, 5, 20, ..., 350, 365, ... */
#define EVERY "-295~395/15"

/* A series NAME{a="b"} with samples, separated by blanks: `T:V` is one; `T~U/S:V` one every S
 * seconds from T to U; `T~U/S:V+D` grows by D each time. V is a number, +Inf, -Inf, NaN, `stale`,
 * or `@T` for the Unix time of T seconds after the start. */
void given(const char *series, const char *samples);
/* The same; the server also holds native histograms for it. */
void given_native(const char *series, const char *samples);
/* `up` = 1 at EVERY scrape of job="app", and its process began long before. */
void given_target(const char *instance);
/* `up` = 1 at these times, and the start time. */
void given_process(const char *instance, const char *times, const char *start);
/* The server's answer to a PromQL expression; series "" for one without labels. */
void given_answer(const char *promql, const char *series, double value);

void window_is(double start_s, double end_s);
void asked_at(double s);
void retention_is(double s);
void load_is(const char *number);
void open_between(double early_s, double open_s);
/* Reading the nth answer from now on fails, as a torn archive does; 0: none. */
void reading_fails_at(size_t nth);
/* Nothing more is fetched after so many rounds, as from an archive: the judge must give up. */
void nothing_comes_after(int rounds);
void server_said(const char *info, bool repaired);

/* Judges by a spec of these blocks, fetching until nothing more is wanted. */
void judge(const char *blocks);
/* One item in flow style without the braces, as the only stage, invariant, ... */
void judge_stage(const char *item);
void judge_invariant(const char *item);
void judge_precondition(const char *item);
void judge_figure(const char *item);
/* judge_run's return value for a spec of these blocks, fetched so far as reading succeeds */
int judge_returns(const char *blocks, struct error *err);

const struct result *result(void);
const struct stage_result *stage(const char *id);
const struct check_result *check(const char *id);
/* The first query asked whose text starts so; fails if there is none. */
const struct query *asked(const char *start);
bool was_asked(const char *start);
/* value of an argument of the first note with this code; NULL if there is none */
const char *note_value(const struct notes *notes, enum reason code, const char *key);

/* cmocka group and test fixtures */
int world_begin(void **state);
int world_end(void **state);

#define RULE(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

void expect_count_at(
	struct count got, double low, double high, const char *what, const char *file, int line);
void expect_stage_at(const char *id, enum stage_verdict v, const char *file, int line);
void expect_verdict_at(
	const char *id, enum check_verdict v, double low, double high, const char *file, int line);
void expect_note_at(
	const struct notes *n, enum reason code, bool there, const char *file, int line);
void expect_run_at(enum run_verdict v, const char *file, int line);

#define expect_count(got, low, high) expect_count_at(got, low, high, #got, __FILE__, __LINE__)
#define expect_exact(got, n) expect_count_at(got, n, n, #got, __FILE__, __LINE__)
#define expect_refused(got) expect_count_at(got, NAN, NAN, #got, __FILE__, __LINE__)
#define expect_stage(id, v) expect_stage_at(id, STAGE_##v, __FILE__, __LINE__)
/* HELD, VIOLATED, UNPROVEN or SHOWN, and the observation */
#define expect_verdict(id, v, low, high)                                                           \
	expect_verdict_at(id, CHECK_##v, low, high, __FILE__, __LINE__)
#define expect_note(notes, code) expect_note_at(notes, REASON_##code, true, __FILE__, __LINE__)
#define expect_no_note(notes, code) expect_note_at(notes, REASON_##code, false, __FILE__, __LINE__)
#define expect_run(v) expect_run_at(RUN_##v, __FILE__, __LINE__)

#endif
