/* Table of later capabilities: blocks whose shape is checked now and which nothing evaluates yet.
 * Declarations only. */
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
#define VALUE_KEYS                                                                                 \
	{"max", &type_selectors, KEY_ONE, NULL}, {"min", &type_selectors, KEY_ONE, NULL},          \
		{"first", &type_selectors, KEY_ONE, NULL},                                         \
		{"last", &type_selectors, KEY_ONE, NULL}, {"avg", &type_selectors, KEY_ONE, NULL}, \
		{"count", &type_selectors, KEY_ONE, NULL},                                         \
	{                                                                                          \
		"query", &type_query, KEY_ONE, NULL                                                \
	}
#define SPREAD_KEYS                                                                                \
	{"across", &type_across, 0, NULL}, {"per", &type_labels, 0, NULL},                         \
	{                                                                                          \
		"unit", &type_string, 0, NULL                                                      \
	}

static const struct key system_keys[] = {
	{"id", &type_id, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	{"labels", &type_selectors, KEY_ONE, NULL},
	{"of", &type_labels, 0, NULL},
	VALUE_KEYS,
	SPREAD_KEYS,
	END,
};
static const struct type system_item = {
	.kind = TYPE_MAP, .name = "system", .what = "an item of `system`", .keys = system_keys};
const struct type type_system = {.kind = TYPE_LIST, .of = &system_item, .may_be_empty = true};

static const struct key schedule_keys[] = {
	{"load", &type_number, KEY_NEEDED, NULL},
	{"ramp", &type_duration, 0, NULL},
	{"warmup", &type_duration, 0, NULL},
	{"measure", &type_duration, KEY_NEEDED, NULL},
	END,
};
static const struct type schedule_step = {.kind = TYPE_MAP,
	.name = "schedule",
	.what = "a step of `schedule`",
	.keys = schedule_keys};
const struct type type_schedule = {.kind = TYPE_LIST, .of = &schedule_step, .may_be_empty = true};

static const struct key stop_errors_keys[] = {
	{"bad", &type_selectors, KEY_NEEDED, NULL},
	{"total", &type_selectors, KEY_NEEDED, NULL},
	{"over", &type_share, KEY_NEEDED, NULL},
	{"for", &type_duration, KEY_NEEDED, NULL},
	END,
};
static const struct type stop_errors = {
	.kind = TYPE_MAP, .name = "stop_errors", .what = "`errors`", .keys = stop_errors_keys};
static const struct key stop_disk_keys[] = {
	{"min", &type_selectors, KEY_NEEDED, NULL},
	{"at_least", &type_number, KEY_NEEDED, NULL},
	END,
};
static const struct type stop_disk = {
	.kind = TYPE_MAP, .name = "stop_disk_free", .what = "`disk_free`", .keys = stop_disk_keys};
static const struct key stop_keys[] = {
	{"errors", &stop_errors, KEY_ANY, NULL},
	{"restarts", &type_selectors, KEY_ANY, NULL},
	{"disk_free", &stop_disk, KEY_ANY, NULL},
	END,
};
const struct type type_stop = {
	.kind = TYPE_MAP, .name = "stop", .what = "`stop`", .keys = stop_keys};

static const struct type repeats = {.kind = TYPE_INTEGER};
static const struct key capacity_keys[] = {
	{"safety_factor", &type_share, 0, NULL},
	{"repeats", &repeats, 0, NULL},
	{"exceed_ratio", &type_number, 0, NULL},
	{"warmup", &type_duration, 0, NULL},
	{"measure", &type_duration, 0, NULL},
	{"planned_peak", &type_number, 0, NULL},
	{"headroom", &type_number, 0, NULL},
	END,
};
const struct type type_capacity = {
	.kind = TYPE_MAP, .name = "capacity", .what = "`capacity`", .keys = capacity_keys};

static const struct key dau_keys[] = {
	{"low", &type_number, KEY_NEEDED, NULL},
	{"mid", &type_number, KEY_NEEDED, NULL},
	{"high", &type_number, KEY_NEEDED, NULL},
	END,
};
static const struct type dau = {
	.kind = TYPE_MAP, .name = "dau_per_mau", .what = "`dau_per_mau`", .keys = dau_keys};
static const struct key event_keys[] = {
	{"share", &type_share, KEY_NEEDED, NULL},
	{"over", &type_duration, KEY_NEEDED, NULL},
	{"requests", &type_number, KEY_NEEDED, NULL},
	{"websocket", &type_share, 0, NULL},
	{"messages", &type_number, 0, NULL},
	{"deliveries_per_message", &type_number, 0, NULL},
	END,
};
static const struct type event = {
	.kind = TYPE_MAP, .name = "event", .what = "`event`", .keys = event_keys};
static const struct key traffic_keys[] = {
	{"mau", &type_number, KEY_NEEDED, NULL},
	{"dau_per_mau", &dau, KEY_NEEDED, NULL},
	{"sessions", &type_number, 0, NULL},
	{"peak_share", &type_share, 0, NULL},
	{"peak_hours", &type_duration, 0, NULL},
	{"burst_factor", &type_number, 0, NULL},
	{"requests_per_session", &type_number, 0, NULL},
	{"event", &event, 0, NULL},
	END,
};
const struct type type_traffic = {
	.kind = TYPE_MAP, .name = "traffic", .what = "`traffic`", .keys = traffic_keys};

static const struct key at_most_keys[] = {
	{"at_most", &type_number, KEY_NEEDED, NULL},
	END,
};
static const struct type at_most = {
	.kind = TYPE_MAP, .name = "dropped", .what = "`dropped`", .keys = at_most_keys};
static const struct key generator_check_keys[] = {
	VALUE_KEYS,
	SPREAD_KEYS,
	{"at_most", &type_number, KEY_ANY, NULL},
	{"at_least", &type_number, KEY_ANY, NULL},
	END,
};
static const struct type generator_check = {.kind = TYPE_MAP,
	.name = "generator_check",
	.what = "a check of the generator",
	.keys = generator_check_keys};
static const struct type k6_matchers = {.kind = TYPE_MATCHERS};
static const struct key generator_keys[] = {
	{"target", &type_number, 0, NULL},
	{"unit", &type_string, 0, NULL},
	{"delivered", &type_share, 0, NULL},
	{"dropped", &at_most, 0, NULL},
	{"cpu", &generator_check, 0, NULL},
	{"swap", &generator_check, 0, NULL},
	{"upload", &generator_check, 0, NULL},
	{"proven_by", &type_string, 0, NULL},
	{"tolerance", &type_share, 0, NULL},
	{"k6", &k6_matchers, 0, NULL},
	END,
};
const struct type type_generator = {
	.kind = TYPE_MAP, .name = "generator", .what = "`generator`", .keys = generator_keys};

static const struct key saturates_keys[] = {
	{"at_least", &type_number, KEY_ONE, NULL},
	{"at_most", &type_number, KEY_ONE, NULL},
	{"for", &type_duration, 0, NULL},
	END,
};
static const struct type saturates = {
	.kind = TYPE_MAP, .name = "saturates", .what = "`saturates`", .keys = saturates_keys};
static const struct type per_time = {.kind = TYPE_PER_TIME};
static const struct key trend_keys[] = {
	{"at_most", &per_time, KEY_NEEDED, NULL},
	{"after", &type_duration, 0, NULL},
	END,
};
static const struct type trend = {
	.kind = TYPE_MAP, .name = "trend", .what = "`trend`", .keys = trend_keys};
static const struct key evidence_keys[] = {
	{"id", &type_id, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	{"group", &type_id, 0, NULL},
	VALUE_KEYS,
	{"rate", &type_selectors, KEY_ONE, NULL},
	SPREAD_KEYS,
	{"saturates", &saturates, 0, NULL},
	{"trend", &trend, 0, NULL},
	END,
};
static const struct type evidence_item = {.kind = TYPE_MAP,
	.name = "evidence",
	.what = "an item of `evidence`",
	.keys = evidence_keys};
const struct type type_evidence = {.kind = TYPE_LIST, .of = &evidence_item, .may_be_empty = true};

static const struct key milestone_keys[] = {
	{"id", &type_id, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	{"first_time", &type_selectors, KEY_NEEDED, NULL},
	{"across", &type_across, 0, NULL},
	{"at_least", &type_number, KEY_ONE, NULL},
	{"at_most", &type_number, KEY_ONE, NULL},
	{"increases", &type_bool, KEY_ONE, NULL},
	{"gap_from", &type_id, 0, NULL},
	END,
};
static const struct type milestone = {
	.kind = TYPE_MAP, .name = "milestone", .what = "a milestone", .keys = milestone_keys};
const struct type type_milestones = {.kind = TYPE_LIST, .of = &milestone, .may_be_empty = true};

static const struct key recovery_keys[] = {
	{"stage", &type_id, KEY_NEEDED, NULL},
	{"fault", &type_string, 0, NULL},
	{"normal_for", &type_duration, 0, NULL},
	END,
};
const struct type type_recovery = {
	.kind = TYPE_MAP, .name = "recovery", .what = "`recovery`", .keys = recovery_keys};

static const struct key skew_keys[] = {
	{"id", &type_id, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	VALUE_KEYS,
	{"per", &type_labels, KEY_NEEDED, NULL},
	{"unit", &type_string, 0, NULL},
	END,
};
static const struct type skew_item = {
	.kind = TYPE_MAP, .name = "skew", .what = "an item of `skew`", .keys = skew_keys};
const struct type type_skew = {.kind = TYPE_LIST, .of = &skew_item, .may_be_empty = true};

static const struct key interval_keys[] = {
	{"id", &type_id, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	{"from", &type_duration, KEY_NEEDED, NULL},
	{"to", &type_duration, KEY_NEEDED, NULL},
	END,
};
static const struct type interval = {
	.kind = TYPE_MAP, .name = "interval", .what = "an interval", .keys = interval_keys};
const struct type type_intervals = {.kind = TYPE_LIST, .of = &interval, .may_be_empty = true};

static const struct key proportional_keys[] = {
	{"x", &type_id, KEY_NEEDED, NULL},
	{"y", &type_id, KEY_NEEDED, NULL},
	END,
};
static const struct type proportional = {.kind = TYPE_MAP,
	.name = "proportional",
	.what = "`proportional`",
	.keys = proportional_keys};
static const struct type met = {.kind = TYPE_WORD, .words = WORDS("met", "not-met")},
			 required = {
				 .kind = TYPE_WORD, .words = WORDS("MET", "NOT_MET", "UNDECIDED")};
static const struct type recovered = {.kind = TYPE_DICT, .key_type = TYPE_ID, .of = &met};
static const struct key when_keys[] = {
	{"saturates_first", &type_ids, KEY_ANY, NULL},
	{"calm", &type_ids, 0, NULL},
	{"rise_together", &type_ids, KEY_ANY, NULL},
	{"proportional", &proportional, KEY_ANY, NULL},
	{"recovery", &recovered, KEY_ANY, NULL},
	{"required", &required, KEY_ANY, NULL},
	END,
};
static const struct type when = {
	.kind = TYPE_MAP, .name = "when", .what = "`when`", .keys = when_keys};
static const struct key decision_keys[] = {
	{"id", &type_id, KEY_NEEDED, NULL},
	{"title", &type_text, 0, NULL},
	{"when", &when, KEY_NEEDED, NULL},
	{"then", &type_text, KEY_NEEDED, NULL},
	END,
};
static const struct type decision = {
	.kind = TYPE_MAP, .name = "decision", .what = "a decision", .keys = decision_keys};
const struct type type_decisions = {.kind = TYPE_LIST, .of = &decision, .may_be_empty = true};

static const struct type lang = {.kind = TYPE_WORD, .words = WORDS("en", "ko")};
static const struct key grafana_keys[] = {
	{"url", &type_string, KEY_NEEDED, NULL},
	{"datasource", &type_string, 0, NULL},
	{"dashboard", &type_string, 0, NULL},
	END,
};
static const struct type grafana = {
	.kind = TYPE_MAP, .name = "grafana", .what = "`grafana`", .keys = grafana_keys};
static const struct type artifacts = {.kind = TYPE_DICT, .key_type = TYPE_ID, .of = &type_string};
static const struct key report_keys[] = {
	{"lang", &lang, 0, NULL},
	{"grafana", &grafana, KEY_BLOCK, NULL},
	{"artifacts", &artifacts, KEY_BLOCK, NULL},
	END,
};
const struct type type_report = {
	.kind = TYPE_MAP, .name = "report", .what = "`report`", .keys = report_keys};
