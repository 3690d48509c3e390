/* Progress: what the program is doing, for people who wait. */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/duration.h"

int64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_init(struct progress *p, const struct options *o)
{
	const char *term = getenv("TERM");

	*p = (struct progress){.quiet = o->quiet, .verbose = o->verbose > 0};
	p->terminal = isatty(2) && term && *term && !o->verbose;
	if (!p->terminal)
		p->last_ms = clock_ms(); /* a quick run says nothing */
}

void progress_end(struct progress *p)
{
	if (p->line_open)
		fputs("\r\033[K", stderr);
	p->line_open = false;
	if (!p->terminal)
		p->last_ms = clock_ms(); /* nor does a quick phase after a long wait */
}

void progress_say(struct progress *p, const char *fmt, ...)
{
	va_list ap;

	if (p->quiet)
		return;
	progress_end(p);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void progress_update(struct progress *p, const char *fmt, ...)
{
	int64_t now = clock_ms();
	va_list ap;

	if (p->quiet || now - p->last_ms < (p->terminal ? 100 : 10000))
		return;
	p->last_ms = now;
	if (p->terminal)
		fputs("\r\033[K", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	if (!p->terminal)
		fputc('\n', stderr);
	p->line_open = p->terminal;
	(void)fflush(stderr);
}

static void on_update(void *ctx, size_t done, size_t total, int64_t samples, int64_t bytes)
{
	progress_update(ctx, "%zu of %zu queries, %lld samples, %.1f MB", done, total,
		(long long)samples, (double)bytes / 1e6);
}

static void on_retry(void *ctx, const char *why, int64_t wait_ms)
{
	struct strbuf b = STRBUF_INIT;

	duration_format(&b, wait_ms);
	progress_say(ctx, "%s; trying again in %s", why, b.at);
	strbuf_release(&b);
}

static void on_verbose(void *ctx, const char *line)
{
	struct progress *p = ctx;

	progress_end(p);
	fprintf(stderr, "%s\n", line);
}

struct source_progress progress_for_source(struct progress *p)
{
	return (struct source_progress){on_update, on_retry, p->verbose ? on_verbose : NULL, p};
}
