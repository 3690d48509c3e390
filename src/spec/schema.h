/* Schema: the declarative table of every key of a spec: its type, whether it is needed, and which
 * keys belong to what is not in this build.
 *
 * The loader, schema/loadverdict-spec.schema.json and docs/spec.md hold the same keys; a test
 * compares them. */
#ifndef LV_SPEC_SCHEMA_H
#define LV_SPEC_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

enum type_kind {
	TYPE_MAP,  /* `keys` */
	TYPE_DICT, /* keys of the user's choice, named as `key_type` says; values `of` */
	TYPE_LIST, /* of `of` */
	/* scalars; how each is checked stands in scalar.c */
	TYPE_FORMAT,	 /* the format's number: 1 */
	TYPE_STRING,	 /* not empty, one line */
	TYPE_OPEN,	 /* a text that may be empty: tenants, header values */
	TYPE_TEXT,	 /* for people, may have several lines */
	TYPE_ID,	 /* A-Z a-z 0-9 _ . - */
	TYPE_LABEL,	 /* a label's name */
	TYPE_VARIABLE,	 /* a variable's name */
	TYPE_VALUE,	 /* a variable's value: taken as it stands */
	TYPE_PERCENTILE, /* p95, p99.9 */
	TYPE_HEADER,	 /* a header's name */
	TYPE_WORD,	 /* one of `words` */
	TYPE_BOOL,	 /* true, false */
	TYPE_INTEGER,	 /* whole, from 1 to 64 */
	TYPE_NUMBER,	 /* decimal, fraction, percentage or byte size */
	TYPE_SHARE,	 /* 0 < share <= 1: 99.9%, 0.999 */
	TYPE_PER_TIME,	 /* 1%/h */
	TYPE_DURATION,	 /* 1m30s, 0s */
	TYPE_SECONDS,	 /* a duration > 0, as histogram bounds are */
	TYPE_SELECTOR,
	TYPE_HISTOGRAM, /* a selector with the base name */
	TYPE_MATCHERS,	/* {…}, added to the histogram */
	TYPE_EXCLUDE,	/* {…} or a selector */
	TYPE_QUERY,	/* any PromQL */
	TYPE_URL,
	TYPE_PATH,
	TYPE_ZONE,
	TYPE_PACK, /* NAME/ITEM or FILE#ITEM */
	TYPE_ANY,  /* whatever it is: templates of packs, checked when they are used */
	TYPE_KINDS
};

struct key;
struct type {
	enum type_kind kind;
	const char *name;	  /* MAP: the table's name in docs and JSON schema */
	const char *what;	  /* MAP: for messages, "a stage" */
	const struct key *keys;	  /* MAP: ends with a NULL name */
	const struct type *of;	  /* LIST, DICT */
	enum type_kind key_type;  /* DICT */
	bool may_be_empty;	  /* LIST */
	const char *const *words; /* WORD: ends with NULL */
	const struct type *other; /* another shape that is allowed too */
	bool secret;		  /* a variable used here or below is a secret */
};

enum key_flag {
	KEY_NEEDED = 1,
	KEY_ONE = 2,	    /* exactly one of the keys so marked */
	KEY_ANY = 4,	    /* at least one of the keys so marked */
	KEY_BLOCK = 8,	    /* a block of a later capability: checked, not evaluated */
	KEY_LATER = 16,	    /* not in this build: refused */
	KEY_MISPLACED = 32, /* known, but not here: `hint` says where */
};

struct key {
	const char *name;
	const struct type *type;
	unsigned flags;
	const char *hint;
};

extern const struct type type_spec, type_pack_file, type_stage, type_invariant, type_precondition,
	type_figure;
/* parts that the tables share (table.c) */
extern const struct type type_text, type_id, type_ids, type_bool, type_string, type_number,
	type_share, type_duration, type_seconds, type_selector, type_selectors, type_histogram,
	type_query, type_across, type_labels;
/* blocks of later capabilities (table_later.c) */
extern const struct type type_system, type_schedule, type_stop, type_capacity, type_traffic,
	type_generator, type_evidence, type_milestones, type_recovery, type_skew, type_intervals,
	type_decisions, type_report;

const struct key *key_find(const struct type *map, const char *name);

#endif
