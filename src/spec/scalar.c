/* Scalar: the values of one text: what is allowed, and how it is read.
 * Selectors and urls have a file of their own (scalar_ref.c). */
#include <ctype.h>
#include <string.h>

#include "base/duration.h"
#include "spec/scalar.h"
#include "spec/scalar_ref.h"

enum { ID_BYTES = 100, NAME_BYTES = 200, INTEGER_MAX = 64 };

static const char *const expected[TYPE_KINDS] = {
	[TYPE_MAP] = "a map",
	[TYPE_DICT] = "a map",
	[TYPE_LIST] = "a list",
	[TYPE_FORMAT] = "the number 1",
	[TYPE_STRING] = "a text",
	[TYPE_OPEN] = "a text",
	[TYPE_TEXT] = "a text, or one per language: { en: ..., ko: ... }",
	[TYPE_ID] = "a name of letters, digits, '_', '.', '-'",
	[TYPE_LABEL] = "a label's name",
	[TYPE_VARIABLE] = "a variable's name of letters, digits, '_'",
	[TYPE_VALUE] = "a text or a number",
	[TYPE_PERCENTILE] = "a percentile such as p95 or p99.9",
	[TYPE_HEADER] = "a header's name",
	[TYPE_WORD] = "a word",
	[TYPE_BOOL] = "true or false",
	[TYPE_INTEGER] = "a whole number from 1 to 64",
	[TYPE_NUMBER] = "a number such as 10, 0.5, 60%, 1/3 or 512MiB",
	[TYPE_SHARE] = "a share such as 99.9% or 0.999",
	[TYPE_PER_TIME] = "a change per time such as 1%/h",
	[TYPE_DURATION] = "a duration such as 1m30s",
	[TYPE_SECONDS] = "a duration such as 500ms, 1s or 2.5s",
	[TYPE_SELECTOR] = "a selector such as 'requests_total{job=\"shop\"}'",
	[TYPE_HISTOGRAM] = "a histogram's selector such as 'request_seconds{job=\"shop\"}'",
	[TYPE_MATCHERS] = "matchers such as '{status=~\"2..\"}'",
	[TYPE_EXCLUDE] = "matchers such as '{status=\"409\"}', or a selector",
	[TYPE_QUERY] = "a PromQL query",
	[TYPE_URL] = "a url such as http://localhost:9090",
	[TYPE_PATH] = "a file's name",
	[TYPE_ZONE] = "a time zone such as Asia/Seoul",
	[TYPE_PACK] = "a pack's item such as spring-boot/http or ./own.yaml#item",
	[TYPE_ANY] = "anything",
};

const char *scalar_expected(enum type_kind kind)
{
	return expected[kind];
}

static bool only(const char *s, const char *also, size_t max)
{
	size_t n = strlen(s);

	if (n == 0 || n > max)
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr(also, *s))
			return false;
	return true;
}

static bool name_like(const char *s, size_t max)
{
	return only(s, "_", max) && !isdigit((unsigned char)*s);
}

static bool has_control(const char *s, bool lines)
{
	for (; *s; s++)
		if (((unsigned char)*s < ' ' && !(lines && (*s == '\n' || *s == '\t'))) ||
			*s == 0x7f)
			return true;
	return false;
}

bool number_parse(const char *text, struct decimal *out)
{
	int64_t bytes;

	if (decimal_parse(text, out, NULL))
		return true;
	if (!byte_size_parse(text, &bytes))
		return false;
	*out = decimal_of(bytes);
	return true;
}

/* Exact for a single unit, so that 2.5ms stays 2.5ms. */
bool seconds_parse(const char *text, struct decimal *out)
{
	size_t n = strlen(text), digits = strspn(text, "0123456789.");
	char number[32];
	int64_t ms;
	struct decimal d, unit;

	if (n - digits <= 2 && digits > 0 && digits < sizeof number) {
		memcpy(number, text, digits);
		number[digits] = '\0';
		unit = !strcmp(text + digits, "s")    ? decimal_of(1)
		       : !strcmp(text + digits, "ms") ? (struct decimal){1, 1000}
						      : decimal_of(0);
		if (unit.num && decimal_parse(number, &d, NULL))
			return decimal_mul(d, unit, out);
	}
	if (!duration_parse(text, &ms))
		return false;
	return decimal_mul(decimal_of(ms), (struct decimal){1, 1000}, out);
}

bool read_percentile(const char *key, struct decimal *p)
{
	if (key[0] != 'p' || strspn(key + 1, "0123456789.") != strlen(key + 1) ||
		!decimal_parse(key + 1, p, NULL))
		return false;
	return decimal_cmp(*p, decimal_of(0)) > 0 && decimal_cmp(*p, decimal_of(100)) < 0;
}

static const char *number_fault(struct loading *l, const char *text)
{
	struct decimal d;
	int64_t ms;

	if (number_parse(text, &d))
		return NULL;
	if (duration_parse(text, &ms))
		return arena_printf(l->a,
			"%s is a duration, but this is a limit on a metric's value: write a plain "
			"number in the metric's own unit",
			shown_text(l, text));
	return "";
}

static const char *share_fault(struct loading *l, const char *text)
{
	struct decimal d;
	bool percent;

	if (!decimal_parse(text, &d, &percent))
		return "";
	if (decimal_cmp(d, decimal_of(0)) <= 0)
		return "a share must be more than 0";
	if (decimal_cmp(d, decimal_of(1)) <= 0)
		return NULL;
	if (percent)
		return "a share must be at most 100%";
	return arena_printf(l->a,
		"%s is more than 1: write a percentage (%s%%) or a decimal up to 1",
		shown_text(l, text), text);
}

static const char *duration_fault(struct loading *l, const char *text, bool above_zero)
{
	struct decimal d;
	int64_t ms;

	if (above_zero ? seconds_parse(text, &d) : duration_parse(text, &ms)) {
		if (above_zero && decimal_cmp(d, decimal_of(0)) <= 0)
			return "must be more than 0";
		return NULL;
	}
	if (decimal_parse(text, &d, NULL))
		return arena_printf(l->a, "%s needs a unit, such as %ss or %sms",
			shown_text(l, text), text, text);
	return "";
}

static const char *bool_fault(struct loading *l, const char *text)
{
	static const char *const yaml11[] = {"y", "n", "yes", "no", "on", "off", NULL};

	if (!strcmp(text, "true") || !strcmp(text, "false"))
		return NULL;
	for (const char *const *w = yaml11; *w; w++)
		if (!strcasecmp(text, *w))
			return arena_printf(
				l->a, "write true or false, not %s", shown_text(l, text));
	return "";
}

static const char *per_time_fault(struct loading *l, const char *text)
{
	const char *slash = strrchr(text, '/');
	struct decimal d;

	if (slash && slash[1] && strchr("smhd", slash[1]) && !slash[2] &&
		decimal_parse(arena_strndup(l->a, text, (size_t)(slash - text)), &d, NULL))
		return NULL;
	return "";
}

static const char *integer_fault(const char *text)
{
	int v = 0;

	if (!only(text, "", 3) || strspn(text, "0123456789") != strlen(text))
		return "";
	for (const char *p = text; *p; p++)
		v = v * 10 + (*p - '0');
	return v >= 1 && v <= INTEGER_MAX ? NULL : "";
}

static const char *string_fault(const char *text)
{
	if (!*text)
		return "must not be empty";
	if (has_control(text, false))
		return "must be one line without control characters";
	return strlen(text) > NAME_BYTES ? "is longer than 200 bytes" : NULL;
}

static const char *word_fault(struct loading *l, const struct type *t, const char *text)
{
	struct strbuf b = STRBUF_INIT;
	const char *list;

	for (const char *const *w = t->words; *w; w++)
		if (!strcmp(*w, text))
			return NULL;
	for (const char *const *w = t->words; *w; w++)
		strbuf_addf(&b, "%s%s", w == t->words ? "" : w[1] ? ", " : " or ", *w);
	list = arena_strdup(l->a, b.at);
	strbuf_release(&b);
	return arena_printf(l->a, "expected %s, not %s%s", list, shown_text(l, text),
		did_you_mean(l, text, t->words));
}

/* NULL: fine; "": not of the type (the caller says what was expected); else what is wrong. */
static const char *fault(struct loading *l, const struct type *t, const char *text)
{
	switch (t->kind) {
	case TYPE_FORMAT:
		return !strcmp(text, "1") ? NULL
					  : "this build reads format 1 (expected the number 1)";
	case TYPE_STRING:
		return string_fault(text);
	case TYPE_PATH:
	case TYPE_OPEN:
		return has_control(text, false) ? "must be one line without control characters"
						: NULL;
	case TYPE_TEXT:
		return !*text			 ? "must not be empty"
		       : has_control(text, true) ? "must not hold control characters"
						 : NULL;
	case TYPE_ID:
	case TYPE_LABEL:
	case TYPE_VARIABLE:
	case TYPE_PERCENTILE:
	case TYPE_HEADER:
		return scalar_key_fault(l, t->kind, text);
	case TYPE_WORD:
		return word_fault(l, t, text);
	case TYPE_BOOL:
		return bool_fault(l, text);
	case TYPE_INTEGER:
		return integer_fault(text);
	case TYPE_NUMBER:
		return number_fault(l, text);
	case TYPE_SHARE:
		return share_fault(l, text);
	case TYPE_PER_TIME:
		return per_time_fault(l, text);
	case TYPE_DURATION:
		return duration_fault(l, text, false);
	case TYPE_SECONDS:
		return duration_fault(l, text, true);
	case TYPE_ZONE:
		return only(text, "_+-/", ID_BYTES) ? NULL : "";
	default:
		return NULL;
	}
}

const char *scalar_key_fault(struct loading *l, enum type_kind kind, const char *key)
{
	struct decimal p;
	bool fine = true;

	switch (kind) {
	case TYPE_ID:
		fine = only(key, "_.-", ID_BYTES);
		break;
	case TYPE_LABEL:
		fine = name_like(key, ID_BYTES);
		break;
	case TYPE_VARIABLE:
		fine = name_like(key, ID_BYTES);
		if (fine &&
			(!strcmp(key, "window") || !strcmp(key, "start") || !strcmp(key, "end")))
			return arena_printf(l->a,
				"'%s' is reserved: it stands for the judged window in `query` "
				"texts",
				key);
		break;
	case TYPE_PERCENTILE:
		fine = read_percentile(key, &p);
		break;
	case TYPE_HEADER:
		fine = only(key, "!#$%&'*+-.^_`|~", ID_BYTES);
		break;
	default:
		break;
	}
	return fine ? NULL
		    : arena_printf(l->a, "expected %s, not %s", expected[kind], shown_text(l, key));
}

void scalar_check(struct loading *l, struct node *n, const struct type *t)
{
	const char *what;
	bool hidden = n->secret || t->secret || t->kind == TYPE_URL;

	if (n->bad)
		return;
	if (scalar_ref_check(l, n, t))
		return;
	what = fault(l, t, n->text);
	if (!what)
		return;
	if (hidden)
		problem_at(l, n, "expected %s (the value is not shown: it may hold a secret)",
			expected[t->kind]);
	else if (!*what)
		problem_at(l, n, "expected %s, not %s", expected[t->kind], shown(l, n));
	else
		problem_at(l, n, "%s", what);
}

bool read_text(const struct node *n, const char **out)
{
	if (!n || n->bad || n->kind != NODE_SCALAR)
		return false;
	*out = n->text;
	return true;
}

bool read_bool(const struct node *n, bool *out)
{
	const char *text;

	if (!read_text(n, &text))
		return false;
	*out = !strcmp(text, "true");
	return true;
}

bool read_number(const struct node *n, struct decimal *out)
{
	const char *text;

	return read_text(n, &text) && number_parse(text, out);
}

bool read_share(const struct node *n, struct decimal *out)
{
	const char *text;

	return read_text(n, &text) && decimal_parse(text, out, NULL);
}

bool read_seconds(const struct node *n, struct decimal *out)
{
	const char *text;

	return read_text(n, &text) && seconds_parse(text, out);
}

bool read_duration(const struct node *n, int64_t *ms)
{
	const char *text;

	return read_text(n, &text) && duration_parse(text, ms);
}
