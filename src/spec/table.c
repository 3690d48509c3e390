/* Table: the keys of everything that this build evaluates. Declarations only.
 * A key that is added here must be added to docs/spec.md, which a test will say. */
#include <string.h>

#include "spec/schema.h"

#define END                                                                                        \
	{                                                                                          \
		0                                                                                  \
	}
#define WORDS(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

const struct type type_id = {.kind = TYPE_ID}, type_bool = {.kind = TYPE_BOOL},
		  type_string = {.kind = TYPE_STRING}, type_number = {.kind = TYPE_NUMBER},
		  type_share = {.kind = TYPE_SHARE}, type_duration = {.kind = TYPE_DURATION},
		  type_seconds = {.kind = TYPE_SECONDS}, type_selector = {.kind = TYPE_SELECTOR},
		  type_histogram = {.kind = TYPE_HISTOGRAM}, type_query = {.kind = TYPE_QUERY};
const struct type type_ids = {.kind = TYPE_LIST, .of = &type_id};

static const struct type selector_list = {.kind = TYPE_LIST, .of = &type_selector};
const struct type type_selectors = {.kind = TYPE_SELECTOR, .other = &selector_list};

static const struct type plain_text = {.kind = TYPE_TEXT};
static const struct key text_keys[] = {
	{"en", &plain_text, KEY_ANY, NULL},
	{"ko", &plain_text, KEY_ANY, NULL},
	END,
};
static const struct type text_map = {
	.kind = TYPE_MAP, .name = "text", .what = "a text", .keys = text_keys};
const struct type type_text = {.kind = TYPE_TEXT, .other = &text_map};

const struct type type_across = {.kind = TYPE_WORD, .words = WORDS("sum", "max", "min", "avg")};
static const struct type label = {.kind = TYPE_LABEL};
const struct type type_labels = {.kind = TYPE_LIST, .of = &label};

static const struct type pack_name = {.kind = TYPE_PACK}, open_text = {.kind = TYPE_OPEN},
			 matchers = {.kind = TYPE_MATCHERS};
static const struct type with = {.kind = TYPE_DICT, .key_type = TYPE_VARIABLE, .of = &open_text};

/* --- stages --- */

#define SLI_KEYS                                                                                   \
	{"good", &type_selectors, 0, NULL}, {"bad", &type_selectors, 0, NULL},                     \
		{"total", &type_selectors, 0, NULL}, {"exclude", &exclude_any, 0, NULL},           \
		{"histogram", &type_histogram, 0, NULL}, {"within", &type_seconds, 0, NULL},       \
		{"success", &matchers, 0, NULL}, {"family", &type_selectors, 0, NULL},             \
		{"outcome", &label, 0, NULL}, {"absent", &type_bool, 0, NULL},                     \
		{"optional", &type_bool, 0, NULL}, {"recorded", &type_bool, 0, NULL},              \
		{"source", NULL, KEY_LATER, NULL}, {"dedup", NULL, KEY_LATER, NULL},               \
		{"copies", NULL, KEY_LATER, NULL}, {"decay", NULL, KEY_LATER, NULL},               \
	{                                                                                          \
		"witness", NULL, KEY_MISPLACED,                                                    \
			"a witness proves a zero count: it belongs to invariants and "             \
			"preconditions"                                                            \
	}

static const struct type exclude_any = {.kind = TYPE_EXCLUDE, .other = &selector_list};

static const struct key step_keys[] = {
	{"id", &type_id, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	SLI_KEYS,
	END,
};
static const struct type step = {
	.kind = TYPE_MAP, .name = "step", .what = "a step", .keys = step_keys};
static const struct type steps = {.kind = TYPE_LIST, .of = &step};
static const struct type percentiles = {
	.kind = TYPE_DICT, .key_type = TYPE_PERCENTILE, .of = &type_seconds};

static const struct key stage_keys[] = {
	{"id", &type_id, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	{"component", &type_string, 0, NULL},
	{"because", &type_text, 0, NULL},
	{"objective", &type_share, KEY_NEEDED, NULL},
	{"at_least", &type_number, 0, NULL},
	SLI_KEYS,
	{"percentiles", &percentiles, 0, NULL},
	{"each", &type_bool, 0, NULL},
	{"steps", &steps, 0, NULL},
	{"use", &pack_name, 0, NULL},
	{"with", &with, 0, NULL},
	END,
};
const struct type type_stage = {
	.kind = TYPE_MAP, .name = "stage", .what = "a stage", .keys = stage_keys};
static const struct type stages = {.kind = TYPE_LIST, .of = &type_stage, .may_be_empty = true};

/* --- invariants, preconditions, figures --- */

static const struct key balance_keys[] = {
	{"left", &type_selectors, KEY_NEEDED, NULL},
	{"right", &type_selectors, KEY_NEEDED, NULL},
	END,
};
static const struct type balance = {
	.kind = TYPE_MAP, .name = "balance", .what = "a balance", .keys = balance_keys};

#define CHECK_KEYS                                                                                 \
	{"id", &type_id, KEY_NEEDED, NULL}, {"title", &type_text, 0, NULL},                        \
		{"because", &type_text, 0, NULL}, {"count", &type_selectors, KEY_ONE, NULL},       \
		{"max", &type_selectors, KEY_ONE, NULL}, {"min", &type_selectors, KEY_ONE, NULL},  \
		{"first", &type_selectors, KEY_ONE, NULL},                                         \
		{"last", &type_selectors, KEY_ONE, NULL}, {"avg", &type_selectors, KEY_ONE, NULL}, \
		{"histogram", &type_histogram, KEY_ONE, NULL},                                     \
		{"balance", &balance, KEY_ONE, NULL}, {"query", &type_query, KEY_ONE, NULL},       \
		{"over", &type_seconds, 0, NULL}, {"up_to", &type_seconds, 0, NULL},               \
		{"across", &type_across, 0, NULL}, {"per", &type_labels, 0, NULL},                 \
		{"unit", &type_string, 0, NULL}, {"family", &type_selectors, 0, NULL},             \
		{"outcome", &label, 0, NULL}, {"absent", &type_bool, 0, NULL},                     \
		{"optional", &type_bool, 0, NULL}, {"recorded", &type_bool, 0, NULL},              \
		{"witness", &type_selectors, 0, NULL}, {"source", NULL, KEY_LATER, NULL},          \
		{"dedup", NULL, KEY_LATER, NULL}, {"copies", NULL, KEY_LATER, NULL},               \
		{"decay", NULL, KEY_LATER, NULL}, {"use", &pack_name, 0, NULL},                    \
	{                                                                                          \
		"with", &with, 0, NULL                                                             \
	}
#define LIMIT_KEYS                                                                                 \
	{"at_most", &type_number, KEY_ANY, NULL}, {"at_least", &type_number, KEY_ANY, NULL},       \
		{"equals", &type_number, KEY_ANY, NULL},                                           \
	{                                                                                          \
		"within", &type_number, 0, NULL                                                    \
	}
#define NO_LIMIT "a figure is shown, not judged: make it an invariant or a precondition"

static const struct key invariant_keys[] = {
	CHECK_KEYS,
	LIMIT_KEYS,
	{"integrity", &type_bool, 0, NULL},
	END,
};
const struct type type_invariant = {
	.kind = TYPE_MAP, .name = "invariant", .what = "an invariant", .keys = invariant_keys};
static const struct type invariants = {
	.kind = TYPE_LIST, .of = &type_invariant, .may_be_empty = true};

static const struct key precondition_keys[] = {
	CHECK_KEYS,
	LIMIT_KEYS,
	{"integrity", NULL, KEY_MISPLACED, "it belongs to invariants"},
	END,
};
const struct type type_precondition = {.kind = TYPE_MAP,
	.name = "precondition",
	.what = "a precondition",
	.keys = precondition_keys};
static const struct type preconditions = {
	.kind = TYPE_LIST, .of = &type_precondition, .may_be_empty = true};

static const struct key figure_keys[] = {
	CHECK_KEYS,
	{"at_most", NULL, KEY_MISPLACED, NO_LIMIT},
	{"at_least", NULL, KEY_MISPLACED, NO_LIMIT},
	{"equals", NULL, KEY_MISPLACED, NO_LIMIT},
	{"within", NULL, KEY_MISPLACED, NO_LIMIT},
	{"integrity", NULL, KEY_MISPLACED, "it belongs to invariants"},
	END,
};
const struct type type_figure = {
	.kind = TYPE_MAP, .name = "figure", .what = "a figure", .keys = figure_keys};
static const struct type figures = {.kind = TYPE_LIST, .of = &type_figure, .may_be_empty = true};

/* --- load, window, open, targets --- */

static const struct key delivered_keys[] = {
	{"max", &type_selectors, KEY_ONE, NULL},
	{"avg", &type_selectors, KEY_ONE, NULL},
	{"count", &type_selectors, KEY_ONE, NULL},
	{"rate", &type_selectors, KEY_ONE, NULL},
	{"query", &type_query, KEY_ONE, NULL},
	{"across", &type_across, 0, NULL},
	{"recorded", &type_bool, 0, NULL},
	END,
};
static const struct type delivered = {.kind = TYPE_MAP,
	.name = "delivered",
	.what = "what was delivered",
	.keys = delivered_keys};
static const struct key load_keys[] = {
	{"unit", &type_string, 0, NULL},
	{"delivered", &delivered, 0, NULL},
	END,
};
static const struct type load = {
	.kind = TYPE_MAP, .name = "load", .what = "`load`", .keys = load_keys};

static const struct key window_keys[] = {
	{"before", &type_duration, 0, NULL},
	{"after", &type_duration, 0, NULL},
	{"warmup", &type_duration, 0, NULL},
	END,
};
static const struct type window = {
	.kind = TYPE_MAP, .name = "window", .what = "`window`", .keys = window_keys};

static const struct key open_keys[] = {
	{"when", &type_selector, KEY_NEEDED, NULL},
	{"becomes", &type_number, KEY_NEEDED, NULL},
	END,
};
static const struct type open = {
	.kind = TYPE_MAP, .name = "open", .what = "`open`", .keys = open_keys};

static const struct type unseen = {.kind = TYPE_WORD, .words = WORDS("bad", "proportional")};
static const struct key targets_keys[] = {
	{"identity", &type_labels, 0, NULL},
	{"unseen", &unseen, 0, NULL},
	{"alive", &type_selector, 0, NULL},
	END,
};
static const struct type targets = {
	.kind = TYPE_MAP, .name = "targets", .what = "`targets`", .keys = targets_keys};

/* --- source --- */

static const struct type url = {.kind = TYPE_URL},
			 secret_name = {.kind = TYPE_STRING, .secret = true},
			 secret_path = {.kind = TYPE_PATH, .secret = true},
			 insecure = {.kind = TYPE_BOOL, .secret = true},
			 integer = {.kind = TYPE_INTEGER},
			 compression = {.kind = TYPE_WORD, .words = WORDS("none", "gzip")};

static const struct key secret_keys[] = {
	{"env", &secret_name, KEY_ONE, NULL},
	{"file", &secret_path, KEY_ONE, NULL},
	END,
};
static const struct type secret = {.kind = TYPE_MAP,
	.name = "secret",
	.what = "a secret ({ env: NAME } or { file: FILE })",
	.keys = secret_keys};
static const struct key basic_keys[] = {
	{"user", &secret_name, KEY_NEEDED, NULL},
	{"password", &secret, KEY_NEEDED, NULL},
	END,
};
static const struct type basic = {
	.kind = TYPE_MAP, .name = "basic", .what = "`basic`", .keys = basic_keys};
static const struct key auth_keys[] = {
	{"bearer", &secret, KEY_ONE, NULL},
	{"basic", &basic, KEY_ONE, NULL},
	{"sigv4", NULL, KEY_LATER, NULL},
	END,
};
static const struct type auth = {
	.kind = TYPE_MAP, .name = "auth", .what = "`auth`", .keys = auth_keys};

static const struct key tls_keys[] = {
	{"ca", &secret_path, 0, NULL},
	{"cert", &secret_path, 0, NULL},
	{"key", &secret_path, 0, NULL},
	{"insecure_skip_verify", &insecure, 0, NULL},
	END,
};
static const struct type tls = {.kind = TYPE_MAP, .name = "tls", .what = "`tls`", .keys = tls_keys};
static const struct type header_value = {.kind = TYPE_OPEN, .secret = true, .other = &secret};
static const struct type headers = {
	.kind = TYPE_DICT, .key_type = TYPE_HEADER, .of = &header_value};

static const struct key source_keys[] = {
	{"url", &url, 0, NULL},
	{"tenant", &open_text, 0, NULL},
	{"auth", &auth, 0, NULL},
	{"tls", &tls, 0, NULL},
	{"headers", &headers, 0, NULL},
	{"timeout", &type_duration, 0, NULL},
	{"parallel", &integer, 0, NULL},
	{"compression", &compression, 0, NULL},
	END,
};
static const struct type source = {
	.kind = TYPE_MAP, .name = "source", .what = "`source`", .keys = source_keys};

/* --- the spec --- */

static const struct type format = {.kind = TYPE_FORMAT}, zone = {.kind = TYPE_ZONE},
			 value = {.kind = TYPE_VALUE};
static const struct type variables = {.kind = TYPE_DICT, .key_type = TYPE_VARIABLE, .of = &value};
static const struct type environments = {.kind = TYPE_DICT, .key_type = TYPE_ID, .of = &variables};

static const struct key spec_keys[] = {
	{"loadverdict", &format, KEY_NEEDED, NULL},
	{"name", &type_string, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	{"timezone", &zone, 0, NULL},
	{"variables", &variables, 0, NULL},
	{"environments", &environments, 0, NULL},
	{"load", &load, 0, NULL},
	{"window", &window, 0, NULL},
	{"open", &open, 0, NULL},
	{"source", &source, 0, NULL},
	{"sources", NULL, KEY_LATER, "use `source` and one spec for each server"},
	{"targets", &targets, 0, NULL},
	{"stages", &stages, KEY_ANY, NULL},
	{"invariants", &invariants, KEY_ANY, NULL},
	{"preconditions", &preconditions, 0, NULL},
	{"figures", &figures, 0, NULL},
	{"system", &type_system, KEY_BLOCK, NULL},
	{"schedule", &type_schedule, KEY_BLOCK, NULL},
	{"stop", &type_stop, KEY_BLOCK, NULL},
	{"capacity", &type_capacity, KEY_BLOCK, NULL},
	{"traffic", &type_traffic, KEY_BLOCK, NULL},
	{"generator", &type_generator, KEY_BLOCK, NULL},
	{"evidence", &type_evidence, KEY_BLOCK, NULL},
	{"milestones", &type_milestones, KEY_BLOCK, NULL},
	{"recovery", &type_recovery, KEY_BLOCK, NULL},
	{"skew", &type_skew, KEY_BLOCK, NULL},
	{"intervals", &type_intervals, KEY_BLOCK, NULL},
	{"decisions", &type_decisions, KEY_BLOCK, NULL},
	{"report", &type_report, 0, NULL},
	END,
};
const struct type type_spec = {
	.kind = TYPE_MAP, .name = "spec", .what = "a spec", .keys = spec_keys};

/* --- pack files --- */

static const struct type any = {.kind = TYPE_ANY};
static const struct key param_keys[] = {
	{"required", &type_bool, KEY_ONE, NULL},
	{"default", &value, KEY_ONE, NULL},
	END,
};
static const struct type param = {
	.kind = TYPE_MAP, .name = "param", .what = "a parameter", .keys = param_keys};
static const struct type params = {.kind = TYPE_DICT, .key_type = TYPE_VARIABLE, .of = &param};
static const struct key pack_item_keys[] = {
	{"params", &params, 0, NULL},
	{"stage", &any, KEY_ANY, NULL},
	{"invariant", &any, KEY_ANY, NULL},
	{"precondition", &any, KEY_ANY, NULL},
	{"figure", &any, KEY_ANY, NULL},
	END,
};
static const struct type pack_item = {
	.kind = TYPE_MAP, .name = "pack_item", .what = "a pack's item", .keys = pack_item_keys};
static const struct type pack_items = {.kind = TYPE_DICT, .key_type = TYPE_ID, .of = &pack_item};
static const struct key pack_keys[] = {
	{"pack", &format, KEY_NEEDED, NULL},
	{"items", &pack_items, KEY_NEEDED, NULL},
	END,
};
const struct type type_pack_file = {
	.kind = TYPE_MAP, .name = "pack", .what = "a pack", .keys = pack_keys};

const struct key *key_find(const struct type *map, const char *name)
{
	for (const struct key *k = map->keys; k->name; k++)
		if (!strcmp(k->name, name))
			return k;
	return NULL;
}
