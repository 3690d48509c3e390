/* Show: numbers as people read them. Numbers come in as the texts that the model holds, so that
 * nothing is rounded twice. Pure. */
#ifndef LV_REPORT_SHOW_H
#define LV_REPORT_SHOW_H

#include "base/strbuf.h"
#include "base/tree.h"
#include "report/report.h"

bool show_is_number(const char *s); /* a plain decimal number: "-1.5", "3e9" */

/* "45,468"; at most 6 decimals; what is no number stays as it is. */
void show_count(struct strbuf *b, const char *number);
/* {low, high}: "4,000", "3–5", "≥ 3", "≤ 5", and "–" where both are null (refused). */
void show_interval(struct strbuf *b, const struct tree *interval);

/* A share of 0..1 in percent, without the sign. Three decimals, and more of them while the text
 * would be on the other side of `objective` (may be NULL) than the number is, or would say 100 or
 * 0 without being it: a ratio that missed never looks met, and the other way round. */
void show_share(struct strbuf *b, const char *low, const char *high, const char *objective);
void show_percent(struct strbuf *b, enum lang lang, const char *low, const char *high,
	const char *objective); /* the same with the sign: "99.501 %" */
/* A share that is exact and needs no filling up: "99.9 %", "99 %". */
void show_objective(struct strbuf *b, enum lang lang, const char *share);
/* Percentage points with their sign: "+0.501", "−0.399", "−0.4 to +0.2". */
void show_margin(struct strbuf *b, enum lang lang, const char *low, const char *high);
/* How much of `all` plus itself `part` is, coarsely: "6.4 %", "<0.1 %". */
void show_part(struct strbuf *b, enum lang lang, double part, double all);

void show_seconds(struct strbuf *b, enum lang lang, const char *seconds); /* "0.25 s", "0.25초" */
/* {low, high} in seconds: "0.1–0.25 s", "> 2.5 s". */
void show_seconds_interval(struct strbuf *b, enum lang lang, const struct tree *interval);
void show_duration(struct strbuf *b, enum lang lang, int64_t ms); /* "6m30s", "6분 30초" */
/* RFC 3339 UTC to the process's zone; any other text stays as it is. */
void show_time(struct strbuf *b, const char *utc);
/* Number and unit: "49,000 users", "49,000명". `unit` may be NULL. */
void show_with_unit(struct strbuf *b, enum lang lang, const char *shown, const char *unit);

#endif
