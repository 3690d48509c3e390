/* fake-server: the fake server as a program, for tests in shell.
 *
 *   fake-server [--upstream URL] [--log FILE] [--tls] SCRIPT
 *
 * Prints its port on a line of its own and answers until SIGTERM or SIGINT. The script is a list of
 * replies, separated by lines of "---"; "#" begins a comment. Words of a reply, one a line:
 *   match TEXT   only requests with this text in path or decoded form
 *   times N      used N times, then no more
 *   status N     default 200; 0 closes the connection
 *   header NAME: VALUE
 *   body TEXT | file PATH | pass
 *   cut N        closes after N bytes of the body
 *   unsized      chunks instead of Content-Length
 *   delay MS
 * The log gets a line for each request: method, path, form, then its headers, separated by " | ".
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "fake_server.h"

struct script {
	ARRAY_OF(struct fake_reply) replies;
	struct arena arena;
};

static void die(const char *what, const char *more)
{
	fprintf(stderr, "fake-server: %s %s\n", what, more);
	exit(2);
}

static char *read_body(struct arena *a, const char *path, size_t *n)
{
	FILE *f = fopen(path, "re");
	if (!f)
		die(path, strerror(errno));
	struct strbuf b = STRBUF_INIT;
	char part[65536];
	for (size_t got; (got = fread(part, 1, sizeof part, f));)
		strbuf_add(&b, part, got);
	fclose(f);
	*n = b.n;
	char *out = arena_alloc(a, b.n + 1);
	memcpy(out, b.at, b.n);
	strbuf_release(&b);
	return out;
}

static void read_line(struct script *s, struct fake_reply *r, const char *word, const char *rest)
{
	struct arena *a = &s->arena;
	if (!strcmp(word, "match"))
		r->match = arena_strdup(a, rest);
	else if (!strcmp(word, "times"))
		r->times = atoi(rest);
	else if (!strcmp(word, "status"))
		r->status = atoi(rest);
	else if (!strcmp(word, "header"))
		r->headers = arena_printf(a, "%s%s\n", r->headers ? r->headers : "", rest);
	else if (!strcmp(word, "body"))
		r->body = arena_strdup(a, rest);
	else if (!strcmp(word, "file"))
		r->body = read_body(a, rest, &r->length);
	else if (!strcmp(word, "cut"))
		r->cut_after = strtoul(rest, NULL, 10);
	else if (!strcmp(word, "delay"))
		r->delay_ms = atoi(rest);
	else if (!strcmp(word, "pass"))
		r->pass = true;
	else if (!strcmp(word, "unsized"))
		r->unsized = true;
	else
		die("unknown word in the script:", word);
}

static void read_script(struct script *s, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t cap = 0;
	bool open = false;
	if (!f)
		die(path, strerror(errno));
	while (getline(&line, &cap, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (!*line || *line == '#')
			continue;
		if (!strcmp(line, "---")) {
			open = false;
			continue;
		}
		if (!open)
			ARRAY_ADD(&s->replies)->status = 200;
		open = true;
		char *rest = line + strcspn(line, " ");
		if (*rest)
			*rest++ = 0;
		read_line(s, &s->replies.at[s->replies.n - 1], line, rest);
	}
	free(line);
	fclose(f);
}

static void log_request(void *arg, const struct fake_request *r)
{
	FILE *log = arg;
	fprintf(log, "%s %s %s", r->method, r->path, r->form);
	for (const char *h = r->headers; *h; h++)
		if (h == r->headers || h[-1] == '\n')
			fprintf(log, " | %c", *h);
		else if (*h != '\n')
			fputc(*h, log);
	fputc('\n', log);
	fflush(log);
}

int main(int argc, char **argv)
{
	struct script script = {0};
	const char *upstream = NULL;
	FILE *log = NULL;
	bool tls = false;
	int i = 1, caught = 0;
	for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
		if (!strcmp(argv[i], "--tls"))
			tls = true;
		else if (!strcmp(argv[i], "--upstream") && i + 1 < argc)
			upstream = argv[++i];
		else if (!strcmp(argv[i], "--log") && i + 1 < argc)
			log = fopen(argv[++i], "ae");
		else
			die("unknown option", argv[i]);
	}
	if (i + 1 != argc)
		die("usage: fake-server [--upstream URL] [--log FILE] [--tls]", "SCRIPT");
	read_script(&script, argv[i]);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL); /* before any thread is there */
	struct fake_server *s =
		fake_server_start(script.replies.at, script.replies.n, upstream, tls);
	if (!s)
		die("the server", "cannot be started");
	if (log)
		fake_server_listen(s, log_request, log);
	printf("%d\n", fake_server_port(s));
	fflush(stdout);
	sigwait(&set, &caught);
	fake_server_stop(s);
	ARRAY_RELEASE(&script.replies);
	arena_release(&script.arena);
	if (log)
		fclose(log);
	return 0;
}
