/* Loaded: loads specs from text for the tests, and compares all their problems with what is
 * expected.
 *
 * Fragments are put after two lines (`loadverdict: 1`, `name: t`), so that they begin in line 3; a
 * stage is added at the end where the fragment has neither stages nor invariants. */
#ifndef LV_TEST_LOADED_H
#define LV_TEST_LOADED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "spec/loading.h"

struct loaded {
	struct arena a;
	struct spec spec;
	struct problems problems;
	struct regex_compiler *rx;
};

/* No options: no environment, no --var, no process environment. */
void load_whole(struct loaded *l, const char *yaml, size_t n, const struct spec_options *o,
	const struct spec_limits *limits);
void load_fragment(struct loaded *l, const char *fragment, const struct spec_options *o);
void loaded_release(struct loaded *l);

/* The fragment loads without a problem. */
void accepts(const char *fragment);
/* The problems, one a line as "line:col: beginning of the text", are these and no others. */
void refuses(const char *fragment, const char *expected);
void refuses_with(const char *fragment, const struct spec_options *o, const char *expected);
void refuses_whole(const char *yaml, const char *expected);
/* Fails unless the problems are the expected ones. */
void has_problems(const struct loaded *l, const char *yaml, const char *expected);
/* Some problem's text holds `part`. */
int any_text_has(const struct loaded *l, const char *part);

#endif
