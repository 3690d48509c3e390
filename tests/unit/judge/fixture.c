/* Fixture: answers queries by matching selectors against series in memory. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "judge/selector.h"
#include "spec/load.h"

#define MOST_ROUNDS 12

struct held { /* one series of the world */
	struct labels labels;
	bool native;
	ARRAY_OF(int64_t) t_ms;
	ARRAY_OF(double) value;
};

struct canned {
	const char *promql;
	struct labels labels;
	double value;
};

static struct world {
	struct arena arena;
	struct regex_compiler *rx;
	ARRAY_OF(struct held) series;
	ARRAY_OF(struct canned) canned;
	ARRAY_OF(struct answer) answers;
	struct evidence evidence;
	struct spec spec;
	struct judge_input input;
	struct result result;
	bool judged;
	size_t fails_at, reads;
	int rounds; /* of fetching; 0: as many as needed */
	const char *info[2];
	bool repaired;
} world;

int world_begin(void **state)
{
	(void)state;
	memset(&world, 0, sizeof world);
	world.rx = regex_compiler_new();
	world.evidence.retention_ms = -1;
	window_is(0, 360);
	asked_at(420);
	world.input.window.open_ms = world.input.window.open_early_ms = TIME_NONE;
	return 0;
}

static void forget_result(void)
{
	if (world.judged)
		result_release(&world.result);
	world.judged = false;
}

int world_end(void **state)
{
	(void)state;
	forget_result();
	for (size_t i = 0; i < world.series.n; i++) {
		ARRAY_RELEASE(&world.series.at[i].t_ms);
		ARRAY_RELEASE(&world.series.at[i].value);
	}
	ARRAY_RELEASE(&world.series);
	ARRAY_RELEASE(&world.canned);
	ARRAY_RELEASE(&world.answers);
	regex_compiler_free(world.rx);
	arena_release(&world.arena);
	return 0;
}

/* --- what is given --- */

static int64_t ms_of(double s)
{
	return START_MS + llround(s * 1000);
}

static int compare_label(const void *a, const void *b)
{
	return strcmp(((const struct label *)a)->name, ((const struct label *)b)->name);
}

static struct labels labels_of(const char *series)
{
	struct selector s;
	struct error err = {0};
	struct labels l = {0};

	if (!*series)
		return l;
	if (selector_parse(&world.arena, series, world.rx, &s, &err) < 0)
		fail_msg("%s: %s", series, err.text);
	struct label *at = arena_array(&world.arena, struct label, s.n + 1);
	for (size_t i = 0; i < s.n; i++)
		at[l.n++] = (struct label){s.matcher[i].label, s.matcher[i].value};
	if (s.name)
		at[l.n++] = (struct label){"__name__", s.name};
	qsort(at, l.n, sizeof *at, compare_label);
	l.at = at;
	return l;
}

static double value_of(const char *text, char **end)
{
	if (!strncmp(text, "stale", 5)) {
		*end = (char *)text + 5;
		return sample_stale();
	}
	if (*text == '@')
		return (double)ms_of(strtod(text + 1, end)) / 1000;
	return strtod(text, end);
}

static void add_sample(struct held *h, double t_s, double v)
{
	int64_t t = ms_of(t_s);

	if (h->t_ms.n && h->t_ms.at[h->t_ms.n - 1] >= t)
		fail_msg("samples are not in the order of time at %g s", t_s);
	*ARRAY_ADD(&h->t_ms) = t;
	*ARRAY_ADD(&h->value) = v;
}

/* T:V, T~U/S:V or T~U/S:V+D */
static char *add_item(struct held *h, const char *text)
{
	char *at;
	double from = strtod(text, &at), to = from, every = 1, grows = 0;

	if (*at == '~') {
		to = strtod(at + 1, &at);
		if (*at != '/')
			fail_msg("no /S in '%s'", text);
		every = strtod(at + 1, &at);
	}
	if (*at != ':')
		fail_msg("no :V in '%s'", text);
	double v = value_of(at + 1, &at);
	if (*at == '+')
		grows = strtod(at + 1, &at);
	for (int i = 0; from + i * every <= to + 1e-6; i++)
		add_sample(h, from + i * every, grows != 0 ? v + i * grows : v);
	return at;
}

static void give(const char *series, const char *samples, bool native)
{
	struct held *h = ARRAY_ADD(&world.series);

	h->labels = labels_of(series);
	h->native = native;
	while (*samples) {
		if (*samples == ' ')
			samples++;
		else
			samples = add_item(h, samples);
	}
}

void given(const char *series, const char *samples)
{
	give(series, samples, false);
}

void given_native(const char *series, const char *samples)
{
	give(series, samples, true);
}

/* "A B" -> "A:V B:V" */
static const char *all_with(const char *times, const char *value)
{
	struct strbuf b = STRBUF_INIT;

	for (const char *c = times;; c++) {
		if (*c == ' ' || !*c)
			strbuf_addf(&b, ":%s", value);
		if (!*c)
			break;
		strbuf_addc(&b, *c);
	}
	const char *s = arena_strdup(&world.arena, b.at);
	strbuf_release(&b);
	return s;
}

void given_process(const char *instance, const char *times, const char *start)
{
	const char *labels = arena_printf(&world.arena, "{job=\"app\",instance=\"%s\"}", instance);

	given(arena_printf(&world.arena, "up%s", labels), all_with(times, "1"));
	given(arena_printf(&world.arena, "process_start_time_seconds%s", labels),
		all_with(times, start));
}

void given_target(const char *instance)
{
	given_process(instance, EVERY, "@-5000");
}

void given_answer(const char *promql, const char *series, double value)
{
	*ARRAY_ADD(&world.canned) = (struct canned){promql, labels_of(series), value};
}

void window_is(double start_s, double end_s)
{
	world.input.window.start_ms = ms_of(start_s);
	world.input.window.end_ms = ms_of(end_s);
}

void asked_at(double s)
{
	world.evidence.asked_ms = ms_of(s);
}

void retention_is(double s)
{
	world.evidence.retention_ms = llround(s * 1000);
}

void load_is(const char *number)
{
	world.input.has_load = true;
	assert_true(decimal_parse(number, &world.input.load, NULL));
}

void open_between(double early_s, double open_s)
{
	world.input.window.open_early_ms = ms_of(early_s);
	world.input.window.open_ms = ms_of(open_s);
}

void reading_fails_at(size_t nth)
{
	world.fails_at = nth;
	world.reads = 0;
}

void nothing_comes_after(int rounds)
{
	world.rounds = rounds;
}

void server_said(const char *info, bool repaired)
{
	world.info[0] = info;
	world.repaired = repaired;
}

/* --- answers --- */

typedef int each_fn(void *arg, const struct series *s);

static int each_raw(const struct query *q, each_fn *fn, void *arg)
{
	struct selector s;
	struct error err = {0};

	if (selector_parse(&world.arena, q->text, world.rx, &s, &err) < 0)
		fail_msg("asked '%s': %s", q->text, err.text);
	for (size_t i = 0; i < world.series.n; i++) {
		const struct held *h = &world.series.at[i];
		size_t from = 0, to = h->t_ms.n;
		while (from < to && h->t_ms.at[from] < q->from_ms)
			from++;
		while (to > from && h->t_ms.at[to - 1] > q->to_ms)
			to--;
		struct series out = {
			h->labels, to - from, h->t_ms.at + from, h->value.at + from, h->native};
		if ((out.n || out.native) && selector_matches(&s, &h->labels) && fn(arg, &out))
			break;
	}
	return 0;
}

/* The labels of `l` that stand in `by`, a list "a, b". */
static struct labels only_by(const struct labels *l, const char *by)
{
	struct label *at = arena_array(&world.arena, struct label, l->n + 1);
	struct labels only = {at, 0};
	char *names = arena_printf(&world.arena, ", %s,", by);

	for (size_t i = 0; i < l->n; i++)
		if (strstr(names, arena_printf(&world.arena, " %s,", l->at[i].name)))
			at[only.n++] = l->at[i];
	return only;
}

struct census {
	const char *by;
	ARRAY_OF(struct labels) seen;
	ARRAY_OF(double) count;
};

static int count_by(void *arg, const struct series *s)
{
	struct census *c = arg;
	struct labels l = only_by(&s->labels, c->by);

	for (size_t i = 0; i < c->seen.n; i++) {
		if (!labels_cmp(&c->seen.at[i], &l)) {
			c->count.at[i]++;
			return 0;
		}
	}
	*ARRAY_ADD(&c->seen) = l;
	*ARRAY_ADD(&c->count) = 1;
	return 0;
}

/* count by (a, b) (last_over_time(SELECTOR[Ns])) */
static int each_counted(const struct query *q, each_fn *fn, void *arg)
{
	static const char head[] = "count by (", middle[] = ") (last_over_time(";
	const char *by = q->text + strlen(head), *by_end = strstr(by, middle);
	const char *selector = by_end ? by_end + strlen(middle) : "";
	const char *range = strrchr(selector, '[');

	if (!range || strcmp(range + strcspn(range, "s"), "s]))"))
		fail_msg("asked '%s'", q->text);
	struct census c = {.by = arena_strndup(&world.arena, by, (size_t)(by_end - by))};
	struct query raw = *q;
	raw.text = arena_strndup(&world.arena, selector, (size_t)(range - selector));
	raw.from_ms = q->to_ms - atoll(range + 1) * 1000;
	each_raw(&raw, count_by, &c);
	for (size_t i = 0; i < c.seen.n; i++) {
		struct series out = {c.seen.at[i], 1, &q->to_ms, &c.count.at[i], false};
		if (fn(arg, &out))
			break;
	}
	ARRAY_RELEASE(&c.seen);
	ARRAY_RELEASE(&c.count);
	return 0;
}

static int each_canned(const struct query *q, each_fn *fn, void *arg)
{
	for (size_t i = 0; i < world.canned.n; i++) {
		const struct canned *c = &world.canned.at[i];
		struct series out = {c->labels, 1, &q->to_ms, &c->value, false};
		if (!strcmp(c->promql, q->text) && fn(arg, &out))
			break;
	}
	return 0;
}

static int each(const struct evidence *self, size_t i, each_fn *fn, void *arg, struct error *err)
{
	const struct query *q = &self->answers[i].query;

	if (world.fails_at && ++world.reads >= world.fails_at)
		return error_set(err, ERROR_STORE, "store-corrupt", "the archive is torn");
	if (q->kind == QUERY_RAW)
		return each_raw(q, fn, arg);
	if (!strncmp(q->text, "count by (", 10))
		return each_counted(q, fn, arg);
	return each_canned(q, fn, arg);
}

static int add_size(void *arg, const struct series *s)
{
	struct answer *a = arg;

	a->n_series++;
	a->n_samples += s->n;
	return 0;
}

/* What the driver does: everything that is wanted becomes an answer. */
static void fetch(void)
{
	static const char *const nothing[] = {NULL};

	for (size_t i = 0; i < world.result.wants.n; i++) {
		const struct query *w = &world.result.wants.at[i];
		struct answer a = {.query = *w};
		if (evidence_find(&world.evidence, w) >= 0)
			fail_msg("asked twice: '%s'", w->text);
		if (w->kind == QUERY_RAW)
			each_raw(w, add_size, &a);
		a.infos = world.info[0] ? world.info : nothing;
		a.repaired = world.repaired;
		*ARRAY_ADD(&world.answers) = a;
		world.evidence.answers = world.answers.at;
		world.evidence.n_answers = world.answers.n;
	}
}

/* --- judging --- */

static void load(const char *blocks)
{
	struct problems problems = {0};
	struct spec_options o = {.rx = world.rx};
	const char *text = arena_printf(&world.arena, "loadverdict: 1\nname: test\n%s\n", blocks);

	spec_load_text(&world.arena, "test.yaml", text, strlen(text), &o, &world.spec, &problems);
	if (problems.n)
		fail_msg("%s\nin\n%s", problems.at[0].text, text);
	free(problems.at);
}

int judge_returns(const char *blocks, struct error *err)
{
	forget_result();
	world.answers.n = 0;
	world.evidence.n_answers = 0;
	world.evidence.each = each;
	load(blocks);
	world.input.spec = &world.spec;
	world.input.evidence = &world.evidence;
	world.input.rx = world.rx;
	for (int i = 0; i < MOST_ROUNDS; i++) {
		forget_result();
		if (judge_run(&world.input, &world.arena, &world.result, err) < 0)
			return -1;
		world.judged = true;
		if (!world.result.wants.n)
			return 0;
		assert_int_equal(world.result.verdict, RUN_INCONCLUSIVE);
		if (world.rounds && i + 1 == world.rounds) {
			judge_give_up(&world.result, &world.arena);
			return 0;
		}
		fetch();
	}
	fail_msg("still wants '%s' after %d rounds", world.result.wants.at[0].text, MOST_ROUNDS);
	return -1;
}

void judge(const char *blocks)
{
	struct error err = {0};

	if (judge_returns(blocks, &err) < 0)
		fail_msg("%s", err.text);
}

static void judge_item(const char *block, const char *item)
{
	judge(arena_printf(&world.arena, "%s:\n  - { %s }", block, item));
}

void judge_stage(const char *item)
{
	judge_item("stages", item);
}

void judge_invariant(const char *item)
{
	judge_item("invariants", item);
}

void judge_precondition(const char *item)
{
	judge(arena_printf(&world.arena,
		"preconditions:\n  - { %s }\n"
		"invariants: [ { id: ignored, query: vector(0), at_most: 0 } ]",
		item));
}

void judge_figure(const char *item)
{
	judge(arena_printf(&world.arena,
		"figures:\n  - { %s }\n"
		"invariants: [ { id: ignored, query: vector(0), at_most: 0 } ]",
		item));
}

/* --- looking at the result --- */

const struct result *result(void)
{
	return &world.result;
}

const struct stage_result *stage(const char *id)
{
	for (size_t i = 0; i < world.result.n_stages; i++)
		if (!strcmp(world.result.stages[i].id, id))
			return &world.result.stages[i];
	fail_msg("no stage %s", id);
	return NULL;
}

const struct check_result *check(const char *id)
{
	const struct result *r = &world.result;
	const struct check_result *lists[] = {r->invariants, r->preconditions, r->figures};
	size_t n[] = {r->n_invariants, r->n_preconditions, r->n_figures};

	for (size_t i = 0; i < COUNT(lists); i++)
		for (size_t k = 0; k < n[i]; k++)
			if (!strcmp(lists[i][k].id, id))
				return &lists[i][k];
	fail_msg("no check %s", id);
	return NULL;
}

static const struct query *find_asked(const char *start)
{
	for (size_t i = 0; i < world.answers.n; i++)
		if (!strncmp(world.answers.at[i].query.text, start, strlen(start)))
			return &world.answers.at[i].query;
	return NULL;
}

const struct query *asked(const char *start)
{
	const struct query *q = find_asked(start);

	if (!q)
		fail_msg("never asked for '%s'", start);
	return q;
}

bool was_asked(const char *start)
{
	return find_asked(start);
}

const char *note_value(const struct notes *notes, enum reason code, const char *key)
{
	for (size_t i = 0; i < notes->n; i++) {
		const struct note *n = &notes->at[i];
		for (size_t k = 0; n->code == code && k < n->n_args; k++)
			if (!strcmp(n->arg[k].key, key))
				return n->arg[k].value;
	}
	return NULL;
}

/* --- expectations --- */

static void print_notes(const struct notes *notes)
{
	for (size_t i = 0; i < notes->n && i < 20; i++) {
		print_error("  note %s", reason_code(notes->at[i].code));
		for (size_t k = 0; k < notes->at[i].n_args; k++)
			print_error(" %s=%s", notes->at[i].arg[k].key, notes->at[i].arg[k].value);
		print_error("\n");
	}
}

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

void expect_count_at(
	struct count got, double low, double high, const char *what, const char *file, int line)
{
	if (same(got.low, low) && same(got.high, high))
		return;
	print_error("%s: expected [%.17g, %.17g], got [%.17g, %.17g]\n", what, low, high, got.low,
		got.high);
	_fail(file, line);
}

void expect_stage_at(const char *id, enum stage_verdict v, const char *file, int line)
{
	const struct stage_result *s = stage(id);

	if (s->sli.verdict == v)
		return;
	print_error("%s: expected %s, got %s; good [%g, %g] bad [%g, %g] total [%g, %g]\n", id,
		stage_verdict_name(v), stage_verdict_name(s->sli.verdict), s->sli.good.low,
		s->sli.good.high, s->sli.bad.low, s->sli.bad.high, s->sli.total.low,
		s->sli.total.high);
	print_notes(&s->sli.notes);
	_fail(file, line);
}

void expect_verdict_at(
	const char *id, enum check_verdict v, double low, double high, const char *file, int line)
{
	const struct check_result *c = check(id);

	if (c->verdict == v && same(c->observed.low, low) && same(c->observed.high, high))
		return;
	print_error("%s: expected verdict %d [%.17g, %.17g], got %d [%.17g, %.17g]\n", id, (int)v,
		low, high, (int)c->verdict, c->observed.low, c->observed.high);
	print_notes(&c->notes);
	_fail(file, line);
}

void expect_note_at(const struct notes *n, enum reason code, bool there, const char *file, int line)
{
	bool found = false;

	for (size_t i = 0; i < n->n; i++)
		found |= n->at[i].code == code;
	if (found == there)
		return;
	print_error("%s a note %s\n", there ? "expected" : "did not expect", reason_code(code));
	print_notes(n);
	_fail(file, line);
}

void expect_run_at(enum run_verdict v, const char *file, int line)
{
	if (world.result.verdict == v)
		return;
	print_error("expected the run to be %s, got %s\n", run_verdict_name(v),
		run_verdict_name(world.result.verdict));
	print_notes(&world.result.reasons);
	_fail(file, line);
}
