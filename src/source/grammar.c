/* Grammar: what may stand where in an answer of /api/v1/query, as yajl's callbacks. Strict about
 * what is needed, blind to fields it does not know. */
#include "source/grammar.h"

#include <inttypes.h>

#include "base/timestamp.h"
#include "source/number.h"
#include "source/words.h"

static const struct {
	enum place in;
	const char *name;
} keys[KEY_COUNT] = {
	[KEY_STATUS] = {TOP, "status"},
	[KEY_ERROR] = {TOP, "error"},
	[KEY_ERROR_TYPE] = {TOP, "errorType"},
	[KEY_WARNINGS] = {TOP, "warnings"},
	[KEY_INFOS] = {TOP, "infos"},
	[KEY_PARTIAL] = {TOP, "isPartial"},
	[KEY_DATA] = {TOP, "data"},
	[KEY_RESULT_TYPE] = {DATA, "resultType"},
	[KEY_RESULT] = {DATA, "result"},
	[KEY_METRIC] = {SERIES, "metric"},
	[KEY_VALUES] = {SERIES, "values"},
	[KEY_VALUE] = {SERIES, "value"},
	[KEY_HISTOGRAMS] = {SERIES, "histograms"},
	[KEY_HISTOGRAM] = {SERIES, "histogram"},
};

const char grammar_hint[] = "is this the address of a Prometheus-compatible server, with its "
			    "path prefix (Mimir: /prometheus)?";

int grammar_odd(struct decode *d, const char *what)
{
	return error_set(d->err, ERROR_SOURCE, "not-prometheus",
		"the answer is not one of Prometheus' API: %s at byte %" PRId64 "; %s", what,
		d->before + (int64_t)yajl_get_bytes_consumed(d->yajl), grammar_hint);
}

/* For yajl: 1 goes on, 0 stops. */
static int refuse(struct decode *d, const char *what)
{
	grammar_odd(d, what);
	return 0;
}

enum place grammar_place(const struct decode *d)
{
	return d->stack[d->depth];
}

static int go_in(struct decode *d, enum place place)
{
	if (d->depth >= d->limits->depth) {
		error_set(d->err, ERROR_SOURCE, "too-large",
			"the answer's JSON is nested more than %d deep", d->limits->depth);
		return 0;
	}
	d->stack[++d->depth] = (uint8_t)place;
	return 1;
}

static int in_top(struct decode *d, bool map)
{
	switch (d->key) {
	case KEY_DATA:
		return map ? go_in(d, DATA) : refuse(d, "\"data\" is no object");
	case KEY_WARNINGS:
	case KEY_INFOS:
		return map ? refuse(d, "\"warnings\" or \"infos\" is no list") : go_in(d, NOTES);
	case KEY_OTHER:
		return go_in(d, SKIP);
	default:
		return refuse(d, "a list or object where a word belongs");
	}
}

static int in_data(struct decode *d, bool map)
{
	if (d->key == KEY_RESULT && !map) {
		d->item = 0;
		return go_in(d, RESULT);
	}
	return d->key == KEY_OTHER ? go_in(d, SKIP) : refuse(d, "\"result\" is no list");
}

static int in_result(struct decode *d, bool map)
{
	if (!map || d->scalar)
		return refuse(d, "a result that is no series");
	d->had &= ~(1U << KEY_METRIC | 1U << KEY_VALUES | 1U << KEY_VALUE | 1U << KEY_HISTOGRAMS |
		    1U << KEY_HISTOGRAM);
	return !collect_series(&d->collect, d->err) && go_in(d, SERIES);
}

static int in_series(struct decode *d, bool map)
{
	bool raw = d->collect.query->kind == QUERY_RAW;
	switch (d->key) {
	case KEY_METRIC:
		return map ? go_in(d, METRIC) : refuse(d, "\"metric\" is no object");
	case KEY_VALUES:
	case KEY_HISTOGRAMS:
		if (map || !raw)
			return refuse(d, "a list of samples where it does not belong");
		return go_in(d, d->key == KEY_VALUES ? VALUES : HISTOGRAMS);
	case KEY_VALUE:
	case KEY_HISTOGRAM:
		if (map || raw)
			return refuse(d, "a single value where it does not belong");
		d->item = 0;
		d->collect.native |= d->key == KEY_HISTOGRAM;
		return go_in(d, d->key == KEY_VALUE ? SAMPLE : SKIP);
	default:
		return go_in(d, SKIP);
	}
}

static int on_start(struct decode *d, bool map)
{
	d->quiet = 0;
	switch (grammar_place(d)) {
	case ROOT:
		return map ? go_in(d, TOP) : refuse(d, "it is no object");
	case TOP:
		return in_top(d, map);
	case DATA:
		return in_data(d, map);
	case RESULT:
		return in_result(d, map);
	case SERIES:
		return in_series(d, map);
	case VALUES:
		d->item = 0;
		return map ? refuse(d, "a sample that is no list") : go_in(d, SAMPLE);
	case HISTOGRAMS:
		d->collect.native = true;
		return go_in(d, SKIP);
	case NOTES:
	case SKIP:
		return go_in(d, SKIP);
	default:
		return refuse(d, "a list or object where a text or number belongs");
	}
}

static int on_array(void *ctx)
{
	return on_start(ctx, false);
}

static int on_map(void *ctx)
{
	return on_start(ctx, true);
}

/* An instant value was computed for the time asked; another time would be another question. */
static int end_sample(struct decode *d)
{
	const struct query *q = d->collect.query;
	if (d->item != 2)
		return refuse(d, "a sample that is not [time, value]");
	if (q->kind == QUERY_PROMQL && d->at_ms != q->to_ms) {
		struct strbuf at = STRBUF_INIT;
		timestamp_format_utc(&at, d->at_ms);
		error_set(d->err, ERROR_SOURCE, "incomplete-answer",
			"the server answered for another time than it was asked: %s", at.at);
		strbuf_release(&at);
		return 0;
	}
	return !collect_sample(&d->collect, d->at_ms, d->value, d->err);
}

bool grammar_had(const struct decode *d, enum key key)
{
	return d->had >> key & 1;
}

static int end_series(struct decode *d)
{
	bool raw = d->collect.query->kind == QUERY_RAW;
	if (!grammar_had(d, KEY_METRIC))
		return refuse(d, "a series without \"metric\"");
	if (!grammar_had(d, raw ? KEY_VALUES : KEY_VALUE) &&
		!grammar_had(d, raw ? KEY_HISTOGRAMS : KEY_HISTOGRAM))
		return refuse(d, "a series without samples");
	return !collect_end(&d->collect, d->err);
}

static int end_result(struct decode *d)
{
	if (!d->scalar)
		return 1;
	return end_sample(d) && !collect_end(&d->collect, d->err);
}

static int on_end(void *ctx)
{
	struct decode *d = ctx;
	enum place place = grammar_place(d);
	d->quiet = 0;
	d->depth--;
	switch (place) {
	case SAMPLE:
		return end_sample(d);
	case SERIES:
		return end_series(d);
	case RESULT:
		return end_result(d);
	default:
		return 1;
	}
}

static enum key key_of(enum place place, const char *s, size_t n)
{
	for (enum key k = KEY_OTHER + 1; k < KEY_COUNT; k++)
		if (keys[k].in == place && strlen(keys[k].name) == n && !memcmp(keys[k].name, s, n))
			return k;
	return KEY_OTHER;
}

static int on_key(void *ctx, const unsigned char *text, size_t n)
{
	struct decode *d = ctx;
	const char *s = (const char *)text;
	enum place place = grammar_place(d);
	d->quiet = 0;
	if (place == METRIC)
		return !collect_name(&d->collect, s, n, d->err);
	d->key = place == SKIP ? KEY_OTHER : key_of(place, s, n);
	if (d->key == KEY_OTHER)
		return 1;
	if (grammar_had(d, d->key))
		return refuse(d, "a field that comes twice");
	d->had |= 1U << d->key;
	return 1;
}

static int take_time(struct decode *d, const char *s, size_t n)
{
	if (d->item++ || !number_time(s, n, &d->at_ms))
		return refuse(d, "a sample's time that is no Unix time with up to 3 decimals");
	return 1;
}

static int take_value(struct decode *d, const char *s, size_t n)
{
	if (d->item++ != 1 || !number_value(s, n, &d->value))
		return refuse(d, "a sample's value that is no number");
	return 1;
}

/* The [time, value] of a scalar stands where other answers have their series. */
static bool is_scalar(struct decode *d)
{
	const struct collect *c = &d->collect;
	if (c->query->kind == QUERY_RAW || (!d->scalar && c->series))
		return false;
	if (!d->scalar && collect_series(&d->collect, d->err))
		return false;
	d->scalar = true;
	return true;
}

static int on_number(void *ctx, const char *s, size_t n)
{
	struct decode *d = ctx;
	d->quiet = 0;
	switch (grammar_place(d)) {
	case SAMPLE:
		return take_time(d, s, n);
	case RESULT:
		return is_scalar(d) ? take_time(d, s, n) : refuse(d, "a result that is no series");
	case TOP:
	case DATA:
	case SERIES:
		return d->key == KEY_OTHER ? 1 : refuse(d, "a number where it does not belong");
	case NOTES:
	case HISTOGRAMS:
	case SKIP:
		return 1;
	default:
		return refuse(d, "a number where it does not belong");
	}
}

static int take_note(struct decode *d, const char *s, size_t n)
{
	if (d->key == KEY_WARNINGS && !d->warning.n)
		words_add(&d->warning, s, n, WORDS_MAX);
	if (d->key == KEY_WARNINGS && !d->warning.n)
		strbuf_adds(&d->warning, "(no text)");
	if (d->key == KEY_INFOS && d->n_infos < MAX_INFOS)
		words_add(&d->info[d->n_infos++], s, n, WORDS_MAX);
	return 1;
}

static int take_type(struct decode *d, const char *s, size_t n)
{
	if (n >= TYPE_MAX)
		return refuse(d, "an unknown \"resultType\"");
	memcpy(d->type, s, n);
	d->type[n] = 0;
	bool raw = d->collect.query->kind == QUERY_RAW;
	if (raw ? !strcmp(d->type, "matrix")
		: !strcmp(d->type, "vector") || !strcmp(d->type, "scalar"))
		return 1;
	if (raw || (strcmp(d->type, "matrix") && strcmp(d->type, "string")))
		return refuse(d, "an unexpected \"resultType\"");
	error_set(d->err, ERROR_SOURCE, "refused",
		"the query gives a %s: write one that gives a number a series (a vector or scalar)",
		*d->type == 'm' ? "range of samples" : "text");
	return 0;
}

static int take_word(struct decode *d, const char *s, size_t n)
{
	switch (d->key) {
	case KEY_STATUS:
		d->success = n == 7 && !memcmp(s, "success", 7);
		return 1;
	case KEY_ERROR:
		words_add(&d->error, s, n, WORDS_MAX);
		return 1;
	case KEY_ERROR_TYPE:
		words_add(&d->error_type, s, n, WORDS_MAX);
		return 1;
	case KEY_RESULT_TYPE:
		return take_type(d, s, n);
	case KEY_OTHER:
		return 1;
	default:
		return refuse(d, "a text where it does not belong");
	}
}

static int on_string(void *ctx, const unsigned char *text, size_t n)
{
	struct decode *d = ctx;
	const char *s = (const char *)text;
	d->quiet = 0;
	switch (grammar_place(d)) {
	case SAMPLE:
		return take_value(d, s, n);
	case METRIC:
		return !collect_value(&d->collect, s, n, d->err);
	case RESULT:
		return is_scalar(d) ? take_value(d, s, n) : refuse(d, "a result that is no series");
	case TOP:
	case DATA:
	case SERIES:
		return take_word(d, s, n);
	case NOTES:
		return take_note(d, s, n);
	case SKIP:
		return 1;
	default:
		return refuse(d, "a text where it does not belong");
	}
}

/* null, true, false */
static int take_literal(struct decode *d, bool is_null, bool is_true)
{
	d->quiet = 0;
	switch (grammar_place(d)) {
	case TOP:
		if (d->key == KEY_PARTIAL && !is_null) {
			if (is_true && !d->warning.n)
				strbuf_adds(&d->warning, "isPartial");
			return 1;
		}
		if (is_null && d->key != KEY_STATUS)
			return 1;
		break;
	case DATA:
	case SERIES:
	case NOTES:
		break;
	case SKIP:
		return 1;
	default:
		return refuse(d, "true, false or null where it does not belong");
	}
	return d->key == KEY_OTHER ? 1 : refuse(d, "true, false or null where it does not belong");
}

static int on_null(void *ctx)
{
	return take_literal(ctx, true, false);
}

static int on_bool(void *ctx, int v)
{
	return take_literal(ctx, false, v);
}

const yajl_callbacks grammar_callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_bool,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_map,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_end,
};
