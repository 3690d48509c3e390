/* Transfer: the source's inside: connections, and the loop that runs a batch of queries over them.
 */
#ifndef LV_SOURCE_TRANSFER_H
#define LV_SOURCE_TRANSFER_H

#include <curl/curl.h>

#include "source/access.h"
#include "source/decode.h"
#include "source/failure.h"
#include "source/source.h"

enum slot_state { SLOT_IDLE, SLOT_RUNNING, SLOT_SLEEPING };

struct slot { /* one connection's worth of work: a query until it is answered */
	struct source *source;
	struct batch *batch;
	CURL *easy;
	struct decode *decode;
	enum slot_state state;
	size_t i; /* of the query in the batch */
	int failed, failed_500;
	bool sent_get, begun, stopped; /* stopped: `err` is set, the body is not read on */
	bool stopped_by_sink;
	struct error err;
	struct strbuf form, url;
	struct strbuf body; /* of an error answer, the beginning */
	int64_t bytes, timeout_ms, started_ms, wake_ms;
	char curl_text[CURL_ERROR_SIZE];
};

struct source {
	const struct source_spec *spec;
	struct source_limits limits;
	struct source_progress progress;
	struct url_parts url;
	struct strbuf query_url;
	struct access access;
	CURLM *multi;
	struct slot *slots;
	size_t n_slots;
	bool use_get;	  /* POST was refused */
	bool known;	  /* has answered before */
	int64_t spent_ms; /* of the deadline */
	uint64_t chance;
};

struct batch {
	const struct query *queries;
	size_t n, next, done;
	const struct source_sink *sink;
	int64_t samples, bytes, deadline_ms, told_ms; /* monotonic clock */
};

/* A handle with everything that all requests share; NULL when out of memory. */
CURL *connect_handle(const struct source *s);
int64_t clock_monotonic_ms(void);
int64_t clock_wall_ms(void);

int transfer_open(struct source *s, struct error *err) LV_CHECKED;
void transfer_close(struct source *s);
int transfer_run(struct source *s, struct batch *b, struct error *err) LV_CHECKED;

#endif
