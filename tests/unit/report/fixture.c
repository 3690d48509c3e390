/* Fixture: specs and results as the judge would make them, for the tests of the report. */
#include "fixture.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define OPEN_MS 1780000000000LL /* 2026-05-28T20:26:40Z */

static bool never(const struct regex *self, const char *text)
{
	(void)self;
	(void)text;
	return false;
}

static const struct regex *compile(
	struct regex_compiler *self, const char *pattern, struct error *err)
{
	static const struct regex none = {never};

	(void)self;
	(void)pattern;
	(void)err;
	return &none;
}

static struct selectors select_one(struct fixture *f, const char *text)
{
	struct regex_compiler rx = {compile};
	struct selectors s = {arena_new(&f->arena, struct selector), 1};
	struct error err;
	int failed = selector_parse(&f->arena, text, &rx, s.at, &err);

	assert(!failed);
	(void)failed;
	return s;
}

static struct decimal dec(const char *text)
{
	struct decimal d;
	bool ok = decimal_parse(text, &d, NULL);

	assert(ok);
	(void)ok;
	return d;
}

static struct count exactly(double v)
{
	return (struct count){v, v};
}

static struct note *note(struct notes *notes, enum reason code, const char *subject)
{
	struct note *n = ARRAY_ADD(notes);

	n->code = code;
	n->subject = subject;
	return n;
}

static struct note *arg(struct note *n, const char *key, const char *value)
{
	n->arg[n->n_args++] = (struct note_arg){key, value};
	return n;
}

/* --- stages ------------------------------------------------------------------------------------
 */

struct numbers {
	double good, bad, excluded;
};

static struct sli_result sli_result(struct numbers n, enum stage_verdict v, enum confidence c)
{
	return (struct sli_result){.good = exactly(n.good),
		.bad = exactly(n.bad),
		.total = exactly(n.good + n.bad),
		.excluded = exactly(n.excluded),
		.verdict = v,
		.confidence = c,
		.p50_at_s = NAN,
		.p95_at_s = NAN,
		.p99_at_s = NAN};
}

static struct stage *stage(struct fixture *f, const char *id, const char *en, const char *ko,
	const char *component, const char *objective)
{
	struct stage *s = &f->spec.stages[f->spec.n_stages++];

	*s = (struct stage){.id = id,
		.title = {en, ko},
		.component = component,
		.objective = dec(objective),
		.each = true};
	return s;
}

static struct stage_result *stage_result(
	struct fixture *f, struct numbers n, enum stage_verdict v, enum confidence c)
{
	struct stage_result *r = &f->result.stages[f->result.n_stages++];

	*r = (struct stage_result){
		.id = f->spec.stages[f->result.n_stages - 1].id, .sli = sli_result(n, v, c)};
	return r;
}

static void timed(struct fixture *f, struct stage *s, const char *histogram, const char *within)
{
	s->sli.has_histogram = true;
	s->sli.histogram = *select_one(f, histogram).at;
	s->sli.has_within = true;
	s->sli.within_s = dec(within);
	s->sli.success = *select_one(f, "{status=~\"2..\"}").at;
}

static void quantiles(struct sli_result *s, struct count p50, struct count p95, struct count p99)
{
	s->has_quantiles = true;
	s->p50_s = p50;
	s->p95_s = p95;
	s->p99_s = p99;
	s->p50_at_s = (p50.low + p50.high) / 2;
	s->p95_at_s = (p95.low + p95.high) / 2;
	s->p99_at_s = isinf(p99.high) ? NAN : (p99.low + p99.high) / 2;
}

static void first_page(struct fixture *f)
{
	struct stage *s = stage(f, "first-page", "First page", "첫 화면", "frontend", "99.9%");

	s->because = (struct text){"if it fails, later stages only look passed",
		"실패하면 이후 단계가 통과한 것처럼 보임"};
	s->has_at_least = true;
	s->at_least = dec("9000");
	s->sli.total = select_one(f, "traefik_service_requests_total{service=\"front\"}");
	s->sli.good =
		select_one(f, "traefik_service_requests_total{service=\"front\",code=~\"2..\"}");
	stage_result(f, (struct numbers){120044, 0, 0}, STAGE_PASS, CONFIDENCE_DEMONSTRATED);
}

static struct stage_result *position(
	struct fixture *f, struct numbers n, enum stage_verdict v, enum confidence c)
{
	struct stage *s = stage(f, "position", "Position poll", "순번 조회", "queue, Redis", "99%");
	struct stage_result *r;

	timed(f, s, "http_server_requests_seconds{job=\"queue\",uri=\"/position\"}", "1");
	r = stage_result(f, n, v, c);
	quantiles(&r->sli, (struct count){0.025, 0.05}, (struct count){0.25, 0.5},
		(struct count){0.5, 1});
	return r;
}

static struct step *step(
	struct fixture *f, struct step *s, const char *id, const char *en, const char *ko)
{
	*s = (struct step){.id = id, .title = {en, ko}};
	s->sli.has_histogram = s->sli.has_within = true;
	s->sli.histogram = *select_one(f, "http_server_requests_seconds{job=\"booking\"}").at;
	s->sli.within_s = dec("1");
	return s;
}

static struct stage_result *journey(struct fixture *f, enum stage_verdict v)
{
	struct stage *s =
		stage(f, "journey", "Booking journey", "예매 여정", "booking, MySQL", "99%");
	struct stage_result *r = stage_result(f, (struct numbers){45462, 6, 3120}, v,
		v == STAGE_PASS ? CONFIDENCE_DEMONSTRATED : CONFIDENCE_NONE);

	s->steps = arena_array(&f->arena, struct step, 2);
	s->n_steps = r->n_steps = 2;
	step(f, &s->steps[0], "hold", "Hold a seat", "좌석 선점");
	step(f, &s->steps[1], "confirm", "Confirm", "예매 확정");
	r->steps = arena_array(&f->arena, struct step_result, 2);
	r->steps[0] = (struct step_result){"hold",
		sli_result((struct numbers){41468, 0, 3120}, STAGE_PASS, CONFIDENCE_DEMONSTRATED)};
	r->steps[1] = (struct step_result){"confirm",
		sli_result((struct numbers){3994, 6, 0}, STAGE_PASS, CONFIDENCE_DEMONSTRATED)};
	return r;
}

/* --- invariants, preconditions, figures --------------------------------------------------------
 */

static struct check *check(struct fixture *f, struct checks *list, const char *id, const char *en,
	const char *ko, enum measure_kind kind, const char *selector)
{
	struct check *c = &list->at[list->n++];

	*c = (struct check){.id = id, .title = {en, ko}};
	c->measure.kind = kind;
	c->measure.selectors = select_one(f, selector);
	return c;
}

static struct check_result *check_result(struct check_result *list, size_t *n, const char *id,
	struct count observed, enum check_verdict v)
{
	struct check_result *r = &list[(*n)++];

	*r = (struct check_result){
		.id = id, .observed = observed, .verdict = v, .max_at_ms = TIME_NONE};
	return r;
}

static struct check_result *over_capacity(struct fixture *f, double observed, enum check_verdict v)
{
	struct check *c = check(f, &f->spec.invariants, "over-capacity", "Admitted over capacity",
		"정원 초과 입장", MEASURE_MAX, "booking_admitted_active");
	struct check_result *r = check_result(
		f->result.invariants, &f->result.n_invariants, c->id, exactly(observed), v);

	c->measure.across = ACROSS_SUM;
	c->limit.has_at_most = true;
	c->limit.at_most = dec("1000");
	c->integrity = true;
	r->sampled_every_ms = 5000;
	r->max_at_ms = OPEN_MS + 83000;
	return r;
}

static struct check_result *errors_5xx(
	struct fixture *f, struct count observed, enum check_verdict v)
{
	struct check *c = check(f, &f->spec.invariants, "5xx", NULL, NULL, MEASURE_COUNT,
		"http_server_requests_seconds_count{status=~\"5..\"}");

	c->limit.has_at_most = true;
	c->limit.at_most = dec("0");
	return check_result(f->result.invariants, &f->result.n_invariants, c->id, observed, v);
}

static void seats(struct fixture *f, double observed, enum check_verdict v)
{
	struct check *c = check(f, &f->spec.preconditions, "seats", "Free seats at the start",
		"시작 시 잔여 좌석", MEASURE_FIRST, "booking_seats_free");
	struct check_result *r = check_result(
		f->result.preconditions, &f->result.n_preconditions, c->id, exactly(observed), v);

	c->measure.across = ACROSS_MAX;
	c->measure.unit = "seats";
	c->limit.has_equals = true;
	c->limit.equals = dec("4000");
	r->sampled_every_ms = 5000;
}

static struct check_result *most_waiting(struct fixture *f, struct count observed)
{
	struct check *c = check(f, &f->spec.figures, "most-waiting", "Most waiting",
		"최대 대기 인원", MEASURE_MAX, "queue_waiting");
	struct check_result *r =
		check_result(f->result.figures, &f->result.n_figures, c->id, observed, CHECK_SHOWN);

	c->measure.unit = "users";
	c->measure.across = ACROSS_MAX;
	r->sampled_every_ms = 5000;
	r->max_at_ms = OPEN_MS + 61500;
	return r;
}

/* --- runs --------------------------------------------------------------------------------------
 */

static void common(struct fixture *f)
{
	static struct names none;

	f->spec.name = "ticket-opening";
	f->spec.title = (struct text){"Theatre live booking", "극장 생중계 예매"};
	f->spec.timezone = "Asia/Seoul";
	f->spec.stages = arena_array(&f->arena, struct stage, 8);
	f->result.stages = arena_array(&f->arena, struct stage_result, 8);
	f->spec.invariants.at = arena_array(&f->arena, struct check, 8);
	f->result.invariants = arena_array(&f->arena, struct check_result, 8);
	f->spec.preconditions.at = arena_array(&f->arena, struct check, 8);
	f->result.preconditions = arena_array(&f->arena, struct check_result, 8);
	f->spec.figures.at = arena_array(&f->arena, struct check, 8);
	f->result.figures = arena_array(&f->arena, struct check_result, 8);
	f->spec.not_evaluated = none;
	f->variables[0] = (struct variable){"env", "stg"};
	f->variables[1] = (struct variable){"TOKEN", NULL};
	f->spec.variables = f->variables;
	f->spec.n_variables = 2;
	f->labels[0] = (struct run_label){"branch", "main"};
	f->labels[1] = (struct run_label){"pods", "4"};
	f->result.quality.series = 120;
	f->result.quality.samples = 9360;
	f->result.quality.targets = 12;
	f->result.quality.scrape_interval_ms = 5000;
	f->info = (struct run_info){.id = 3,
		.revision = 1,
		.uid = "0123456789abcdef0123456789abcdef",
		.spec_name = "ticket-opening",
		.spec_sha256 = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
		.judged_sha256 = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
		.environment = "stg",
		.commit = "1f0c2d3e4b5a69788796a5b4c3d2e1f001234567",
		.repeat = 1,
		.has_load = true,
		.load = {50000, 1},
		.load_unit = "users",
		.window = {OPEN_MS, OPEN_MS - 60000, OPEN_MS + 300000, TIME_NONE},
		.labels = f->labels,
		.n_labels = 2,
		.source_url = "https://mimir.example/prometheus",
		.tenant = "shop",
		.version = "0.1.0",
		.judged_at_ms = OPEN_MS + 331000,
		.known_registered = true,
		.registered_before_open = true};
}

static void make_pass(struct fixture *f)
{
	static const char *const label_name[] = {"pod"};
	struct stage_result *r;

	first_page(f);
	r = position(f, (struct numbers){59702, 299, 0}, STAGE_PASS, CONFIDENCE_DEMONSTRATED);
	f->spec.stages[1].percentiles = arena_array(&f->arena, struct percentile, 1);
	f->spec.stages[1].n_percentiles = r->n_percentiles = 1;
	r->percentiles = arena_array(&f->arena, struct percentile_result, 1);
	*r->percentiles =
		(struct percentile_result){dec("95"), dec("0.5"), 0.985, 0.985, STAGE_PASS};
	journey(f, STAGE_PASS);
	over_capacity(f, 1000, CHECK_HELD);
	struct note *n =
		note(&errors_5xx(f, exactly(0), CHECK_HELD)->notes, REASON_ZERO_PROVEN, NULL);
	arg(arg(n, "targets", "12"), "family",
		"http_server_requests_seconds_count{status=\"200\"}");
	seats(f, 4000, CHECK_HELD);
	struct check_result *w = most_waiting(f, exactly(49000));
	w->n_members = 2;
	w->members = arena_array(&f->arena, struct member_result, 2);
	for (size_t i = 0; i < 2; i++) {
		struct label *l = arena_new(&f->arena, struct label);
		*l = (struct label){label_name[0], i ? "queue-1" : "queue-0"};
		w->members[i] =
			(struct member_result){{l, 1}, exactly(i ? 24000 : 49000), CHECK_SHOWN};
	}
	f->result.verdict = RUN_PASS;
	f->result.has_delivered = true;
	f->result.delivered = exactly(49875);
}

static void make_fail(struct fixture *f)
{
	struct stage_result *r;

	first_page(f);
	/* 98.9996 %: must not read as 99.000 % */
	r = position(
		f, (struct numbers){989996, 10004, 0}, STAGE_FAIL, CONFIDENCE_MISSED_NOT_CLEARLY);
	struct note *n = note(&r->sli.notes, REASON_OBJECTIVE_MISSED, NULL);
	arg(arg(n, "ratio", "0.989996000000"), "objective", "0.99");
	arg(arg(n, "good", "989996"), "total", "1000000");
	n = note(&f->result.reasons, REASON_OBJECTIVE_MISSED, "stage/position");
	arg(arg(n, "ratio", "0.989996000000"), "objective", "0.99");
	arg(arg(n, "good", "989996"), "total", "1000000");
	note(&f->result.reasons, REASON_LOAD_NOT_MEASURED, NULL);
	over_capacity(f, 998, CHECK_HELD);
	errors_5xx(f, exactly(0), CHECK_HELD);
	seats(f, 4000, CHECK_HELD);
	most_waiting(f, exactly(49000));
	f->result.verdict = RUN_FAIL;
	f->info.registered_before_open = false;
	*ARRAY_ADD(&f->result.quality.gaps) =
		(struct event){"queue/10.0.0.7:8080", NULL, OPEN_MS + 60000, OPEN_MS + 95000};
	f->result.quality.n_gaps = 1;
}

static void make_invalid(struct fixture *f)
{
	struct check_result *r;
	struct note *n;

	first_page(f);
	journey(f, STAGE_PASS);
	over_capacity(f, 1003, CHECK_VIOLATED);
	r = errors_5xx(f, (struct count){4, INFINITY}, CHECK_VIOLATED);
	n = note(&r->notes, REASON_RESTARTED, NULL);
	arg(arg(n, "target", "booking/10.0.0.9:8080"), "at", "2026-05-28T20:28:01.250Z");
	seats(f, 4000, CHECK_HELD);
	n = note(&f->result.reasons, REASON_INVARIANT_VIOLATED, "invariant/over-capacity");
	arg(arg(n, "observed", "1003"), "limit", "at most 1000");
	n = note(&f->result.reasons, REASON_INVARIANT_VIOLATED, "invariant/5xx");
	arg(arg(n, "observed", "4"), "limit", "at most 0");
	note(&f->result.reasons, REASON_OBJECTIVE_CHANGED, NULL);
	f->result.verdict = RUN_INVALID;
	f->info.window.open_ms = TIME_NONE;
	f->info.insecure = true;
	*ARRAY_ADD(&f->result.quality.resets) = (struct event){"booking/10.0.0.9:8080",
		"http_server_requests_seconds_count{status=\"200\"}", OPEN_MS + 80000,
		OPEN_MS + 85000};
	f->result.quality.n_resets = 1;
}

static void make_inconclusive(struct fixture *f)
{
	struct stage_result *r;
	struct check_result *c;
	struct note *n;

	first_page(f);
	r = position(f, (struct numbers){0, 0, 0}, STAGE_INCONCLUSIVE, CONFIDENCE_NONE);
	r->sli.good = (struct count){780, 995};
	r->sli.bad = (struct count){5, 220};
	r->sli.total = exactly(1000);
	r->sli.has_unseen = true;
	r->sli.if_unseen_bad = STAGE_INCONCLUSIVE;
	r->sli.if_proportional = STAGE_PASS;
	r->sli.p99_s.high = INFINITY;
	n = note(&r->sli.notes, REASON_UNSEEN_BAD, NULL);
	arg(arg(n, "events", "215"), "verdict", "PASS");
	n = note(&f->result.reasons, REASON_UNDECIDED, "stage/position");
	arg(arg(arg(n, "low", "0.780000"), "high", "0.995000"), "limit", "0.99");
	r = journey(f, STAGE_INCONCLUSIVE);
	r->sli.good = r->sli.bad = r->sli.total = r->sli.excluded = (struct count){NAN, NAN};
	r->steps[1].sli.verdict = STAGE_INCONCLUSIVE;
	r->steps[1].sli.good = r->steps[1].sli.bad = r->steps[1].sli.total =
		(struct count){NAN, NAN};
	n = note(&r->steps[1].sli.notes, REASON_BUCKET_MISSING, NULL);
	arg(arg(arg(n, "within", "1"), "series", "{job=\"booking\"}"), "buckets", "0.5, 2.5");
	arg(note(&f->result.reasons, REASON_STEP_UNDECIDED, "stage/journey"), "step", "confirm");
	c = errors_5xx(f, (struct count){0, INFINITY}, CHECK_UNPROVEN);
	n = note(&f->result.reasons, REASON_UNSEEN, "invariant/5xx");
	arg(arg(arg(n, "target", "queue/10.0.0.7:8080"), "from", "2026-05-28T20:28:00Z"), "to",
		"2026-05-28T20:28:35Z");
	c->n_members = 12;
	c->members = arena_array(&f->arena, struct member_result, 12);
	for (size_t i = 0; i < 12; i++) {
		struct label *l = arena_new(&f->arena, struct label);
		*l = (struct label){"pod", arena_printf(&f->arena, "queue-%zu", i)};
		c->members[i] = (struct member_result){{l, 1},
			i == 7 ? (struct count){0, INFINITY} : exactly(0),
			i == 7 ? CHECK_UNPROVEN : CHECK_HELD};
	}
	seats(f, 4000, CHECK_HELD);
	f->not_evaluated[0] = "evidence";
	f->not_evaluated[1] = "capacity";
	f->spec.not_evaluated = (struct names){f->not_evaluated, 2};
	f->result.verdict = RUN_INCONCLUSIVE;
	f->info.known_registered = false;
	f->result.lagging.n = 2;
	f->result.lagging.first = "queue/10.0.0.7:8080";
}

#define HOSTILE                                                                                    \
	"</script>|`a`\n@everyone #1 <b onclick=\"x\"> \033[31mred \xe2\x80\xae"                   \
	"rtl \xff [x](http://evil.example) www.evil.example :tada: | --> *b* $x$ =1+1"

static void make_hostile(struct fixture *f)
{
	struct check_result *c;
	struct label *l = arena_new(&f->arena, struct label);

	f->spec.title = (struct text){HOSTILE, NULL};
	f->spec.name = f->info.spec_name = "a`b|c";
	f->info.name = HOSTILE;
	f->info.environment = "-->\n<script>";
	f->info.load_unit = "<i>&amp;";
	f->info.source_url = "http://127.0.0.1:9090/`$(id)`";
	f->labels[0].value = HOSTILE;
	stage(f, "s", HOSTILE, HOSTILE, "x|y", "99%");
	stage_result(f, (struct numbers){1, 99, 0}, STAGE_FAIL, CONFIDENCE_CLEARLY_MISSED);
	f->spec.stages[0].sli.good = select_one(f, "a{b=\"```\\n|</details>\"}");
	f->spec.stages[0].sli.total = select_one(f, "a");
	c = errors_5xx(f, exactly(1), CHECK_VIOLATED);
	*l = (struct label){"path", HOSTILE};
	c->n_members = 1;
	c->members = arena_new(&f->arena, struct member_result);
	*c->members = (struct member_result){{l, 1}, exactly(1), CHECK_VIOLATED};
	arg(arg(note(&f->result.reasons, REASON_INVARIANT_VIOLATED, "invariant/5xx"), "observed",
		    HOSTILE),
		"limit", HOSTILE);
	*ARRAY_ADD(&f->result.quality.births) =
		(struct event){HOSTILE, HOSTILE, OPEN_MS, OPEN_MS + 1000};
	f->result.quality.n_births = 7;
	f->result.verdict = RUN_INVALID;
}

void fixture_make(struct fixture *f, const char *name)
{
	memset(f, 0, sizeof *f);
	common(f);
	if (!strcmp(name, "pass"))
		make_pass(f);
	else if (!strcmp(name, "fail"))
		make_fail(f);
	else if (!strcmp(name, "invalid"))
		make_invalid(f);
	else if (!strcmp(name, "inconclusive"))
		make_inconclusive(f);
	else
		make_hostile(f);
}

static void release_checks(struct check_result *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ARRAY_RELEASE(&list[i].notes);
}

void fixture_release(struct fixture *f)
{
	struct result *r = &f->result;

	for (size_t i = 0; i < r->n_stages; i++) {
		ARRAY_RELEASE(&r->stages[i].sli.notes);
		for (size_t k = 0; k < r->stages[i].n_steps; k++)
			ARRAY_RELEASE(&r->stages[i].steps[k].sli.notes);
	}
	release_checks(r->invariants, r->n_invariants);
	release_checks(r->preconditions, r->n_preconditions);
	release_checks(r->figures, r->n_figures);
	ARRAY_RELEASE(&r->reasons);
	ARRAY_RELEASE(&r->quality.gaps);
	ARRAY_RELEASE(&r->quality.resets);
	ARRAY_RELEASE(&r->quality.births);
	arena_release(&f->arena);
}

struct tree *fixture_model(struct fixture *f, const char *name)
{
	struct error err;

	if (strcmp(name, "not-judged") != 0) {
		fixture_make(f, name);
		return report_model(&f->arena, &f->spec, &f->result, &f->info);
	}
	memset(f, 0, sizeof *f);
	error_set(&err, ERROR_SOURCE, "unreachable",
		"asking https://mimir.example/prometheus for `up`: connection refused <b>\n@here");
	return report_not_judged(
		&f->arena, &err, "1f0c2d3e4b5a69788796a5b4c3d2e1f001234567", OPEN_MS + 331000);
}
