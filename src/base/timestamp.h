/* Points in time: int64 Unix milliseconds, and their texts. Never reads a clock. */
#ifndef LV_BASE_TIMESTAMP_H
#define LV_BASE_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

/* TIME of the command line, at `now_ms`: RFC 3339 ("2026-05-28T20:00:00+09:00", "Z", fractions),
 * Unix seconds ("1780000060", "1780000060.5"), "now", "now-6m", "now+30s", or a local
 * "2026-05-28 20:00[:SS]" (also with "T") if `zone_known`: then read in the process's TZ; a local
 * time that does not exist or exists twice is an error. Errors are ERROR_USAGE "bad-time". */
int timestamp_parse(const char *text, int64_t now_ms, bool zone_known, int64_t *ms,
	struct error *err) LV_CHECKED;

/* "2026-05-28T20:26:40Z", with ".123" if the milliseconds are not 0. */
void timestamp_format_utc(struct strbuf *b, int64_t ms);
/* "2026-05-28 20:26:40 +09:00" in the process's TZ. */
void timestamp_format_local(struct strbuf *b, int64_t ms);
/* Sets TZ for the process after checking that the zone exists ("Asia/Seoul", "UTC"); called once,
 * by cli. ERROR_USAGE "unknown-zone" otherwise. */
int timestamp_set_zone(const char *zone, struct error *err) LV_CHECKED;

#endif
