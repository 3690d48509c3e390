/* View: what a report for people says, before any layout: a headline and sections of tables and
 * lists, in one language, drawn from the model alone. Texts are raw: whoever lays them out escapes
 * them for the format. All memory is in the view's arena. */
#ifndef LV_REPORT_VIEW_H
#define LV_REPORT_VIEW_H

#include "base/array.h"
#include "report/report.h"

enum tone { TONE_NONE, TONE_GOOD, TONE_BAD, TONE_DOUBT };

#define VIEW_COLUMNS 8

struct view_column {
	const char *title;
	bool right;    /* numbers */
	bool optional; /* may be left out where it is too narrow */
};

struct view_row {
	const char *cell[VIEW_COLUMNS];
	enum tone tone; /* of the last cell, the verdict */
	bool child;	/* belongs to the row above */
};

struct view_item {
	const char *subject; /* NULL: the run as a whole */
	const char *text;
	const char *code; /* reason code; NULL */
	const char *more; /* the remedy, or why an item is judged; NULL */
};

enum view_section_id { /* in the order in which they are shown */
	SECTION_STAGES,
	SECTION_INVARIANTS,
	SECTION_PRECONDITIONS,
	SECTION_FIGURES,
	SECTION_REASONS,
	SECTION_HISTORY, /* `runs note` */
	SECTION_LATENCY,
	SECTION_LIMITS, /* what the data can and cannot show */
	SECTION_QUALITY,
	SECTION_COUNTED, /* the selectors behind every number */
	SECTION_REPRODUCE,
	SECTION_COUNT
};

enum view_kind {
	VIEW_TABLE,
	VIEW_LIST,  /* sentences */
	VIEW_PAIRS, /* subject: text */
	VIEW_CODE,  /* subject: text is code */
};

struct view_section { /* empty if it has neither rows nor items */
	enum view_kind kind;
	const char *title;
	const char *summary; /* "3 of 4 held"; NULL */
	struct view_column column[VIEW_COLUMNS];
	size_t n_columns;
	ARRAY_OF(struct view_row) rows;
	ARRAY_OF(struct view_item) items;
};

struct view {
	struct arena arena;
	enum lang lang;
	enum tone tone;
	bool judged;
	char date[11];	      /* the local date of the window: times of that day go without it */
	const char *verdict;  /* "PASS", "통과(PASS)" */
	const char *headline; /* what was judged, with what must stand beside the verdict */
	ARRAY_OF(const char *) lines; /* the answer in a few sentences */
	struct view_section section[SECTION_COUNT];
};

void view_init(struct view *v, const struct tree *model, const struct report_options *o);
void view_release(struct view *v);

/* For the files that build a view, and line.c */
const char *view_keep(struct view *v, struct strbuf *b); /* copies the text and releases b */
const char *view_verdict(struct view *v, const char *name);
enum tone view_tone(const char *verdict);
/* the title in the view's language, else in English, else the id */
const char *view_title(const struct view *v, const struct tree *item);
/* RFC 3339 UTC in the process's zone, without the date if it is the window's */
const char *view_time(struct view *v, const char *utc);
/* a sentence without its full stop, to go on after it */
const char *view_phrase(struct view *v, const char *text);
/* "≤ 1,000", "= 4,000 ± 5" */
const char *view_limit(struct view *v, const struct tree *check);
/* the item that "stage/position" or "invariant/5xx" names; NULL */
const struct tree *view_item_of(const struct tree *model, const char *subject);
/* "stage/position" as people know it; NULL for NULL */
const char *view_subject(struct view *v, const struct tree *model, const char *subject);
/* the text of a note in the view's language, with what it names as people know it */
const char *view_note(
	struct view *v, const struct tree *model, const struct tree *note, const char *prefix);
/* how many of a list have the verdict `good` */
size_t view_count(const struct tree *list, const char *good);
/* "position −0.399 points"; NULL if there is none. With titles or ids. */
const char *view_least_margin(struct view *v, const struct tree *model, bool titles);
/* "50,000 users"; NULL if no load was stated */
const char *view_load(struct view *v, const struct tree *model);
bool view_has_reason(const struct tree *model, const char *code);

void view_tables(struct view *v, const struct tree *model); /* view_tables.c */
void view_notes(struct view *v, const struct tree *model,
	const struct report_options *o); /* view_notes.c */

#endif
