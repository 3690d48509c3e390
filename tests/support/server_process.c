/* Server process: a real server from the system, on a free port of 127.0.0.1, with a directory of
 * its own. Knows nothing of loadverdict. */
#include "server_process.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READY_TRIES = 200, READY_STEP_MS = 100 };

static void sleep_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static int free_port(void)
{
	struct sockaddr_in where = {.sin_family = AF_INET};
	socklen_t n = sizeof where;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int port = -1;
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&where, sizeof where) &&
		!getsockname(fd, (struct sockaddr *)&where, &n))
		port = ntohs(where.sin_port);
	if (fd >= 0)
		close(fd);
	return port;
}

int server_process_prepare(struct server_process *s)
{
	*s = (struct server_process){.port = free_port()};
	snprintf(s->dir, sizeof s->dir, "/tmp/lv-server-XXXXXX");
	snprintf(s->url, sizeof s->url, "http://127.0.0.1:%d", s->port);
	return s->port > 0 && mkdtemp(s->dir) ? 0 : -1;
}

int server_process_file(const struct server_process *s, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", s->dir, name);
	FILE *f = fopen(path, "we");
	if (!f)
		return -1;
	fputs(text, f);
	return fclose(f);
}

static size_t ignore(char *data, size_t size, size_t n, void *ctx)
{
	(void)data, (void)ctx;
	return size * n;
}

int server_process_get(const struct server_process *s, const char *path)
{
	char url[256];
	long status = 0;
	CURL *easy = curl_easy_init();
	snprintf(url, sizeof url, "%s%s", s->url, path);
	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 5000L);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
	if (!curl_easy_perform(easy))
		curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_cleanup(easy);
	return (int)status;
}

static _Noreturn void run(const struct server_process *s, const char *const argv[])
{
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a crashed test leaves nothing behind */
	int log = -1;
	if (!chdir(s->dir))
		log = open("log", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (log >= 0 && dup2(log, 1) >= 0 && dup2(log, 2) >= 0)
		execvp(argv[0], (char *const *)argv);
	_exit(127);
}

int server_process_start(struct server_process *s, const char *const argv[], const char *ready_path)
{
	s->pid = fork();
	if (!s->pid)
		run(s, argv);
	for (int i = 0; s->pid > 0 && i < READY_TRIES; i++) {
		if (server_process_get(s, ready_path) == 200)
			return 0;
		if (waitpid(s->pid, NULL, WNOHANG) == s->pid)
			s->pid = 0;
		sleep_ms(READY_STEP_MS);
	}
	fprintf(stderr, "%s did not become ready; see %s/log\n", argv[0], s->dir);
	return -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void server_process_stop(struct server_process *s)
{
	if (s->pid > 0) {
		kill(s->pid, SIGTERM);
		waitpid(s->pid, NULL, 0);
	}
	s->pid = 0;
	nftw(s->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
