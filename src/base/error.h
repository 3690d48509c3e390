/* Errors: what went wrong, where, and which exit code it means.
 *
 * A fallible function returns 0 or -1 and takes `struct error *err` last. On -1 the outputs are
 * untouched and `err` is filled; `err` may be NULL when the caller does not care. Missing or odd
 * data is a result with a reason, never an error. */
#ifndef LV_BASE_ERROR_H
#define LV_BASE_ERROR_H

#include <stdarg.h>

#define LV_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define LV_CHECKED __attribute__((warn_unused_result))

/* The values are the process's exit codes. */
enum error_kind {
	ERROR_NONE = 0,
	ERROR_USAGE = 2,    /* wrong usage, wrong spec, unknown run */
	ERROR_EVIDENCE = 3, /* the evidence does not decide (before anything could be judged) */
	ERROR_SOURCE = 5,   /* the server could not be asked */
	ERROR_STORE = 6,    /* store or output could not be read or written */
	ERROR_BUG = 70,
};

struct error {
	enum error_kind kind;
	const char *code; /* a stable reason code, static storage; "" until set */
	char text[2048];  /* UTF-8, cut at a character's edge when too long; never holds a secret */
};

/* Fills `err` (if not NULL) and returns -1, so that callers can `return error_set(...)`.
 * `code` must be a string literal: it becomes `not_judged.code` in the JSON. */
int error_set(struct error *err, enum error_kind kind, const char *code, const char *fmt, ...)
	LV_PRINTF(4, 5);
/* Puts "context: " before the text that is there and returns -1. */
int error_wrap(struct error *err, const char *fmt, ...) LV_PRINTF(2, 3);

/* Out of memory: prints one line to stderr and exits 70. */
_Noreturn void error_out_of_memory(void);

#endif
