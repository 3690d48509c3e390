/* Fake server: an HTTP server on 127.0.0.1 that answers as it was told: wrongly, late, in part, or
 * with what a real server says. For tests only. */
#ifndef LV_TESTS_FAKE_SERVER_H
#define LV_TESTS_FAKE_SERVER_H

#include <stdbool.h>
#include <stddef.h>

struct fake_reply {
	const char *match;   /* only requests that hold this in path or decoded form; NULL: all */
	int times;	     /* used so often, then no more; 0: always */
	int status;	     /* 0: the connection is closed without an answer */
	const char *headers; /* lines "Name: value", or NULL */
	const char *body;    /* or NULL */
	size_t length;	     /* of the body; 0: up to its NUL */
	size_t cut_after;    /* > 0: promises the whole body, closes after so many bytes of it */
	bool unsized;	     /* chunks, no Content-Length */
	int delay_ms;	     /* before the answer */
	bool pass;	     /* status and body come from upstream; the rest holds */
};

struct fake_request {
	char *method;
	char *path;    /* with query string, decoded */
	char *form;    /* decoded */
	char *headers; /* lines "Name: value\n" in the order sent */
};

struct fake_server;

/* The first reply that matches and is not used up answers. The replies must outlive the server.
 * `upstream`: URL for `pass`, or NULL. `tls`: with a certificate for 127.0.0.1 (fake_server_ca).
 * NULL if the server cannot be started. */
struct fake_server *fake_server_start(
	const struct fake_reply *replies, size_t n, const char *upstream, bool tls);
void fake_server_stop(struct fake_server *s);

int fake_server_port(const struct fake_server *s);
const char *fake_server_url(const struct fake_server *s); /* http(s)://127.0.0.1:PORT */
size_t fake_server_requests(struct fake_server *s);
/* Valid until stop; NULL if there is no such request. */
const struct fake_request *fake_server_request(struct fake_server *s, size_t i);
/* Also tells each request to fn when it arrives, from the server's threads, one at a time. */
void fake_server_listen(
	struct fake_server *s, void (*fn)(void *arg, const struct fake_request *r), void *arg);

extern const char fake_server_ca[]; /* PEM */

#endif
