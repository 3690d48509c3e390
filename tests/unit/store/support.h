/* Support: runs and samples to store, in a directory of their own. */
#ifndef LV_TESTS_STORE_SUPPORT_H
#define LV_TESTS_STORE_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/strbuf.h"
#include "store/store.h"

/* cmocka setup and teardown: *state is the path of an empty directory, removed afterwards. */
int directory_setup(void **state);
int directory_teardown(void **state);
/* DIRECTORY/NAME, in a buffer that four more calls leave alone */
const char *in_directory(void **state, const char *name);

struct store *must_open(const char *path, enum store_mode mode);
void must_close(struct store *s);

/* A spooled archive with `n_answers` answers of 3 series each, whose values depend on `seed`. */
struct archive *sample_archive(int seed, size_t n_answers);
/* A run that passes; everything is set. Opening at `open_ms`. */
struct stored_run sample_run(struct arena *a, int64_t open_ms);
/* Saves sample_run(open_ms), named `name` unless that is NULL; returns its id. */
int64_t save_sample(struct store *s, int64_t open_ms, const char *name);

/* Every sample of every answer, bit for bit, as text; appended. 0 or -1 */
int print_archive(struct strbuf *b, struct archive *ar, struct error *err);
void assert_same_archive(struct archive *a, struct archive *b);
int64_t query_int(const char *path, const char *sql);
void run_sql(const char *path, const char *sql);

#endif
