/* What every real server must do for us; run on each of them. */
#ifndef LV_TESTS_REAL_H
#define LV_TESTS_REAL_H

#include <stdint.h>

#include "base/array.h"
#include "judge/evidence.h"

struct sample {
	int64_t t_ms;
	double value;
};

struct samples {
	ARRAY_OF(struct sample) of; /* of all series of the answer, in order */
	size_t n_series;
};

int64_t real_now_ms(void);
/* Asks for raw samples; fails the test if that fails. Released by the caller. */
struct samples real_ask(const char *url, const char *selector, int64_t from_ms, int64_t to_ms);
/* Asks until the one series of the selector has n samples; 30 s at most. */
struct samples real_wait(const char *url, const char *selector, size_t n);
/* Both edges of a range belong to it, to the millisecond. */
void real_edges_are_closed(const char *url, const char *selector);
/* A vector and a scalar; a query that is none is refused in the server's words. */
void real_promql(const char *url);
void real_wrong_query(const char *url);

#endif
