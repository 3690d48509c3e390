/* Server process: a real server from the system, on a free port of 127.0.0.1, with a directory of
 * its own. For tests only. */
#ifndef LV_TESTS_SERVER_PROCESS_H
#define LV_TESTS_SERVER_PROCESS_H

#include <sys/types.h>

struct server_process {
	pid_t pid;
	int port;
	char url[64];
	char dir[64]; /* removed at the end */
};

/* Makes the directory and finds the port; nothing runs yet. 0 or -1. */
int server_process_prepare(struct server_process *s);
/* Writes `text` to dir/name. */
int server_process_file(const struct server_process *s, const char *name, const char *text);
/* Runs argv in dir, its output in dir/log, and waits until GET `ready_path` answers 200. 0 or -1.
 */
int server_process_start(
	struct server_process *s, const char *const argv[], const char *ready_path);
/* GET; the HTTP status or 0. */
int server_process_get(const struct server_process *s, const char *path);
void server_process_stop(struct server_process *s);

#endif
