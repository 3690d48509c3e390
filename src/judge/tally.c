/* Tally: folds series into counts, keeps them apart by identity, adds them up by role. */
#include "judge/tally.h"

#include <math.h>
#include <string.h>

#include "judge/hash.h"
#include "judge/proof.h"

struct span span_window(const struct judge *j)
{
	return (struct span){
		j->in->window.start_ms, j->in->window.end_ms, EDGE_BEFORE, EDGE_BEFORE};
}

struct span span_invariant(const struct judge *j)
{
	return (struct span){j->in->window.start_ms, j->in->window.end_ms, EDGE_BEFORE, EDGE_AFTER};
}

void tally_init(struct tally *t, struct judge *j, const char *subject, struct notes *notes,
	const struct proof *proof)
{
	*t = (struct tally){.judge = j, .subject = subject, .notes = notes, .proof = proof};
	t->span[0] = span_window(j);
	t->n_spans = 1;
}

void tally_release(struct tally *t)
{
	watch_release(&t->watch);
	ARRAY_RELEASE(&t->entries);
	ARRAY_RELEASE(&t->index);
	ARRAY_RELEASE(&t->groups);
	ARRAY_RELEASE(&t->empty);
	for (size_t i = 0; i < t->sums.n; i++)
		ARRAY_RELEASE(&t->sums.at[i].at);
	ARRAY_RELEASE(&t->sums);
	growth_release(&t->growth);
}

static bool is_copy_label(const char *name)
{
	static const char *const labels[] = {
		"replica", "prometheus", "prometheus_replica", "monitor", "reporter"};
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		if (!strcmp(name, labels[i]))
			return true;
	return false;
}

static bool is_place_label(const char *name)
{
	static const char *const labels[] = {"instance", "port", "endpoint", "container", "job"};
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		if (!strcmp(name, labels[i]))
			return true;
	return is_copy_label(name);
}

static void note_problem(struct tally *t, const struct series *s)
{
	struct judge *j = t->judge;
	const char *series = text_labels(j, &s->labels);

	if (s->native)
		note_add(j, t->notes, REASON_NOT_IN_THIS_BUILD, NULL, "what", "native histograms",
			"series", series, NULL);
	else if (t->growth.bad_value)
		note_add(j, t->notes, REASON_BAD_VALUE, NULL, "series", series, "value",
			text_number(j, t->growth.bad_value_seen), "at",
			text_time(j, t->growth.bad_value_at_ms), NULL);
	else
		note_add(j, t->notes, REASON_NOT_IN_THIS_BUILD, NULL, "what",
			"samples of several replicas in one series", "series", series, NULL);
}

static void note_count(struct tally *t, const struct series *s, const struct span_count *c)
{
	struct judge *j = t->judge;

	if (c->gap_at_start || c->gap_at_end)
		note_add(j, t->notes, REASON_EDGE_GAP, NULL, "series", text_labels(j, &s->labels),
			"edge", c->gap_at_start ? "start" : "end", "from",
			text_time(j, c->gap_from_ms), "to", text_time(j, c->gap_to_ms), "growth",
			text_number(j, c->gap_growth), NULL);
	if (c->unknown_birth)
		note_add(j, t->notes, REASON_BIRTH_UNKNOWN, NULL, "series",
			text_labels(j, &s->labels), "value", text_number(j, c->unknown_value), "at",
			text_time(j, c->unknown_at_ms), NULL);
	if (t->growth.reborn_ms > t->span[0].from_ms && t->growth.reborn_ms <= t->span[0].to_ms)
		note_add(j, t->notes, REASON_SERIES_REBORN, NULL, "series",
			text_labels(j, &s->labels), "at", text_time(j, t->growth.reborn_ms),
			"value", text_number(j, t->growth.reborn_value), NULL);
	if (c->before_start > 0)
		note_add(j, t->notes, REASON_BASELINE_GROWTH, NULL, "growth",
			text_number(j, c->before_start), "from", text_time(j, c->before_since_ms),
			"to", text_time(j, t->span[0].from_ms), NULL);
}

static void note_event(struct tally *t, const struct series *s)
{
	struct quality *q = &t->judge->out->quality;

	for (size_t i = 0; i < t->growth.steps.n; i++) {
		const struct step_of_growth *st = &t->growth.steps.at[i];
		bool inside = st->at_ms > t->span[0].from_ms && st->at_ms <= t->span[0].to_ms;
		if (!inside || st->kind == STEP_GROWTH ||
			!judge_event_is_new(t->judge, &s->labels, st->at_ms))
			continue;
		struct event e = {.from_ms = st->since_ms, .to_ms = st->at_ms};
		bool reset = st->kind == STEP_RESET;
		q->n_resets += reset;
		q->n_births += !reset;
		if ((reset ? q->resets.n : q->births.n) >= 1000)
			continue;
		const struct target *target = target_of(t->judge, &s->labels);
		e.target = target ? target->name : "";
		e.what = text_labels(t->judge, &s->labels);
		if (reset)
			*ARRAY_ADD(&q->resets) = e;
		else
			*ARRAY_ADD(&q->births) = e;
	}
}

/* Growth per scrape interval and target, for rule 8. A step over several intervals is spread. */
static void add_interval_sums(struct tally *t, const struct target *target)
{
	struct interval_sum *sum = NULL;

	for (size_t i = t->sums.n; i-- > 0 && !sum;) /* the newest first: series come sorted */
		if (t->sums.at[i].target == target)
			sum = &t->sums.at[i];
	if (!sum) {
		sum = ARRAY_ADD(&t->sums);
		sum->target = target;
		for (size_t i = 0; i < (target ? target->n_scrapes : 0); i++)
			*ARRAY_ADD(&sum->at) = 0;
	}
	for (size_t i = 0, k = 0; i < t->growth.steps.n; i++) {
		const struct step_of_growth *st = &t->growth.steps.at[i];
		if (st->at_ms <= t->span[0].from_ms || st->growth <= 0)
			continue;
		double parts = 1;
		if (st->since_ms != INT64_MIN && t->growth.interval_ms)
			parts = fmax(1, round((double)(st->at_ms - st->since_ms) /
						(double)t->growth.interval_ms));
		while (target && k < sum->at.n && target->scrape[k].t_ms < st->at_ms)
			k++;
		if (target && k < sum->at.n) {
			sum->at.at[k] += st->growth / parts;
			t->largest_interval = fmax(t->largest_interval, sum->at.at[k]);
		} else {
			t->largest_interval = fmax(t->largest_interval, st->growth / parts);
		}
	}
}

/* How the series grew in the course of the window, so that copies can be told by it. */
static void set_marks(const struct tally *t, struct tally_entry *e)
{
	const struct span *sp = &t->span[0];
	double grown = 0;
	size_t m = 0;

	for (size_t i = 0; i < t->growth.steps.n; i++) {
		const struct step_of_growth *st = &t->growth.steps.at[i];
		if (st->at_ms <= sp->from_ms || st->at_ms > sp->to_ms)
			continue;
		int64_t passed = st->at_ms - sp->from_ms, all = sp->to_ms - sp->from_ms;
		while (m < TALLY_MARKS && passed * TALLY_MARKS > (int64_t)(m + 1) * all)
			e->mark[m++] = grown;
		grown += st->growth;
	}
	while (m < TALLY_MARKS)
		e->mark[m++] = grown;
}

bool tally_fold(struct tally *t, const struct series *s, struct count count[TALLY_SPANS],
	struct tally_entry *entry)
{
	struct judge *j = t->judge;
	const struct target *target = target_of(j, &s->labels);
	int64_t created = INT64_MIN;

	growth_of(&t->growth, s, target, created, j->in->window.start_ms);
	if (t->growth.steps.n && t->growth.steps.at[0].kind == STEP_UNKNOWN &&
		t->growth.first_ms > t->span[0].from_ms && t->growth.first_value > 0) {
		created = proof_created(j, t->selector, s, t->subject);
		if (created != INT64_MIN && created >= j->in->window.start_ms)
			note_add(j, t->notes, REASON_CREATED_USED, NULL, "series",
				text_labels(j, &s->labels), "at", text_time(j, created), NULL);
		if (created != INT64_MIN)
			growth_of(&t->growth, s, target, created, j->in->window.start_ms);
	}
	if (t->growth.bad_value || t->growth.replica_dip || s->native) {
		note_problem(t, s);
		return false;
	}
	if (!target && !t->homeless++)
		t->homeless_series = text_labels(j, &s->labels);
	if (target && !target->has_start)
		note_add(j, t->notes, REASON_NO_START_TIME, NULL, "target", target->name, NULL);
	for (size_t i = 0; i < t->n_spans; i++) {
		struct span_count c = growth_count(&t->growth, target, &t->span[i]);
		count[i] = c.count;
		if (i)
			continue;
		note_count(t, s, &c);
		if (entry)
			entry->largest_step = c.largest_step;
	}
	note_event(t, s);
	if (t->per_interval)
		add_interval_sums(t, target);
	if (entry) {
		entry->target = target;
		set_marks(t, entry);
	}
	return true;
}

static void index_grow(struct tally *t)
{
	size_t n = t->index.n ? t->index.n * 2 : 64;

	t->index.n = 0;
	for (size_t i = 0; i < n; i++)
		*ARRAY_ADD(&t->index) = 0;
	for (size_t i = 0; i < t->entries.n; i++) {
		size_t b = t->entries.at[i].id[0] & (n - 1);
		while (t->index.at[b])
			b = (b + 1) & (n - 1);
		t->index.at[b] = i + 1;
	}
}

/* The entry of a series, or NULL; `*slot` is where a new one belongs. */
static struct tally_entry *find_entry(struct tally *t, const uint64_t id[2], size_t *slot)
{
	if (t->entries.n * 2 >= t->index.n)
		index_grow(t);
	size_t b = id[0] & (t->index.n - 1);
	for (; t->index.at[b]; b = (b + 1) & (t->index.n - 1)) {
		struct tally_entry *e = &t->entries.at[t->index.at[b] - 1];
		if (e->id[0] == id[0] && e->id[1] == id[1])
			return e;
	}
	*slot = b;
	return NULL;
}

static size_t group_of(struct tally *t, const struct labels *l)
{
	if (!t->per || !t->per->n)
		return 0;
	struct label at[16];
	struct labels key = {at, t->per->n > 16 ? 16 : t->per->n};
	for (size_t i = 0; i < key.n; i++)
		at[i] = (struct label){t->per->at[i], labels_get(l, t->per->at[i])};
	for (size_t i = 0; i < t->groups.n; i++)
		if (!labels_cmp(&t->groups.at[i], &key))
			return i;
	*ARRAY_ADD(&t->groups) = labels_copy(t->judge->arena, &key);
	return t->groups.n - 1;
}

const struct tally_entry *tally_add_series(struct tally *t, const struct series *s)
{
	struct tally_entry e = {.roles = t->role};
	uint64_t copy[2], loose[2];
	size_t slot = 0;

	t->matched++;
	labels_hash(&s->labels, NULL, e.id);
	struct tally_entry *old = find_entry(t, e.id, &slot);
	if (old) {
		old->roles |= t->role;
		return old;
	}
	watch_add_job(t->judge, &t->watch, &s->labels);
	if (!tally_fold(t, s, e.count, &e)) {
		t->refused = true;
		return NULL;
	}
	labels_hash(&s->labels, is_copy_label, copy);
	labels_hash(&s->labels, is_place_label, loose);
	e.copy = copy[0];
	e.loose = loose[0];
	e.group = group_of(t, &s->labels);
	*ARRAY_ADD(&t->entries) = e;
	t->index.at[slot] = t->entries.n;
	return &t->entries.at[t->entries.n - 1];
}

static int add_series(void *arg, const struct series *s)
{
	tally_add_series(arg, s);
	return 0;
}

static bool allowed_name(struct tally *t, const struct selector *s)
{
	if (!s->name || !strchr(s->name, ':') || (t->proof && t->proof->recorded))
		return true;
	note_add(t->judge, t->notes, REASON_RECORDED_NAME, NULL, "metric", s->name, NULL);
	t->refused = true;
	return false;
}

size_t tally_add(struct tally *t, const struct selectors *list, unsigned role)
{
	size_t all = 0;

	t->role = role;
	for (size_t i = 0; i < list->n; i++) {
		t->selector = &list->at[i];
		t->matched = 0;
		if (!allowed_name(t, t->selector))
			continue;
		if (!judge_each(t->judge, t->selector, t->subject, add_series, t))
			t->pending = true;
		else if (!t->matched)
			*ARRAY_ADD(&t->empty) = (struct empty_selector){t->selector, role};
		all += t->matched;
	}
	/* without a series nothing is known of the jobs: proof_empty looks for a family */
	for (size_t i = 0; i < list->n && t->watch.jobs.n && (role & (TALLY_TOTAL | TALLY_BAD));
		i++)
		if (!proof_family_jobs(t->judge, &list->at[i], t->proof, &t->watch, t->subject))
			t->pending = true;
	for (size_t i = 0; i < list->n && t->watch.jobs.n; i++)
		watch_selector(t->judge, &t->watch, &list->at[i]);
	return all;
}

bool tally_prove_empty(struct tally *t, unsigned roles)
{
	bool proven = true;

	for (size_t i = 0; i < t->empty.n; i++) {
		if (!(t->empty.at[i].role & roles))
			continue;
		if (t->proof && t->proof->optional) {
			struct selector one = *t->empty.at[i].selector;
			enum proof_state absent = proof_absent(
				t->judge, &(struct selectors){&one, 1}, t->proof, t->subject);
			t->pending |= absent == PROOF_PENDING;
			if (absent == PROOF_HELD)
				note_add(t->judge, t->notes, REASON_OPTIONAL_ABSENT, NULL,
					"selector",
					text_selector(t->judge, t->empty.at[i].selector), NULL);
			if (absent != PROOF_NONE)
				continue;
		}
		/* A zero of what is judged, or of bad events, must not rest on a value that was
		 * never seen. No good events make a FAIL, and nothing to exclude takes nothing
		 * out. */
		struct proof p = t->proof ? *t->proof : (struct proof){0};
		p.absent |= !(t->empty.at[i].role & (TALLY_BAD | TALLY_TOTAL));
		switch (proof_empty(
			t->judge, t->empty.at[i].selector, &p, &t->watch, t->subject, t->notes)) {
		case PROOF_PENDING:
			t->pending = true;
			break;
		case PROOF_NONE:
			proven = false;
			break;
		case PROOF_HELD:
			break;
		}
	}
	return proven;
}

bool tally_exporters_up(struct tally *t, const struct selectors *list)
{
	bool up = true;

	for (size_t i = 0; i < list->n; i++) {
		enum proof_state s =
			proof_exporter(t->judge, &list->at[i], &t->watch, t->subject, t->notes);
		t->pending |= s == PROOF_PENDING;
		up &= s != PROOF_NONE;
	}
	return up;
}

struct count tally_sum(const struct tally *t, unsigned with, unsigned without, size_t span)
{
	struct count c = {0, 0};

	for (size_t i = 0; i < t->entries.n; i++) {
		const struct tally_entry *e = &t->entries.at[i];
		if ((e->roles & with) == with && !(e->roles & without))
			c = count_add(c, e->count[span]);
	}
	return c;
}

struct count tally_group(const struct tally *t, size_t group, size_t span)
{
	struct count c = {0, 0};

	for (size_t i = 0; i < t->entries.n; i++)
		if (t->entries.at[i].group == group)
			c = count_add(c, t->entries.at[i].count[span]);
	return c;
}

bool tally_any(const struct tally *t, unsigned with, unsigned without)
{
	for (size_t i = 0; i < t->entries.n; i++)
		if ((t->entries.at[i].roles & with) == with && !(t->entries.at[i].roles & without))
			return true;
	return false;
}

static bool agree(const struct tally_entry *a, const struct tally_entry *b, double slack)
{
	if (!(a->count[0].low > 0 && b->count[0].low > 0))
		return false;
	for (size_t m = 0; m < TALLY_MARKS; m++)
		if (fabs(a->mark[m] - b->mark[m]) > slack)
			return false;
	return true;
}

/* Two scrapers of one process see the same growth, but for what one came earlier. */
static bool copied(const struct tally_entry *a, const struct tally_entry *b)
{
	return agree(a, b, fmax(a->largest_step, b->largest_step));
}

/* One process scraped twice: same start time, and the same growth at the same moments over ten
 * events. Evenly loaded processes that were started together differ in that. */
static bool same_process(const struct tally_entry *a, const struct tally_entry *b)
{
	return a->target && b->target && a->target != b->target && a->target->has_start &&
	       b->target->has_start && a->target->last_start_ms == b->target->last_start_ms &&
	       a->count[0].low >= 10 && agree(a, b, 0);
}

bool tally_at_home(struct tally *t)
{
	bool recorded = t->proof && t->proof->recorded; /* aggregated series belong to no process */

	if (t->pending || t->refused || recorded || (t->watch.targets.n && !t->homeless))
		return true;
	const char *what = t->homeless	 ? t->homeless_series
			   : t->selector ? text_selector(t->judge, t->selector)
					 : "";
	note_add(t->judge, t->notes, REASON_NO_TARGET, NULL, "selector", what, NULL);
	return false;
}

static int compare_size(const struct tally_entry *a, const struct tally_entry *b)
{
	return (a->count[0].low > b->count[0].low) - (a->count[0].low < b->count[0].low);
}

static int compare_copy(const void *x, const void *y)
{
	const struct tally_entry *a = *(const struct tally_entry *const *)x;
	const struct tally_entry *b = *(const struct tally_entry *const *)y;
	if (a->copy != b->copy)
		return a->copy > b->copy ? 1 : -1;
	return compare_size(a, b);
}

static int compare_loose(const void *x, const void *y)
{
	const struct tally_entry *a = *(const struct tally_entry *const *)x;
	const struct tally_entry *b = *(const struct tally_entry *const *)y;
	if (a->loose != b->loose)
		return a->loose > b->loose ? 1 : -1;
	return compare_size(a, b);
}

void tally_check_copies(struct tally *t)
{
	if (t->entries.n < 2)
		return;
	const struct tally_entry **at = xmalloc(t->entries.n * sizeof *at);
	bool copies = false;

	for (size_t i = 0; i < t->entries.n; i++)
		at[i] = &t->entries.at[i];
	qsort(at, t->entries.n, sizeof *at, compare_copy);
	for (size_t i = 1; i < t->entries.n && !copies; i++)
		copies = at[i]->copy == at[i - 1]->copy && copied(at[i], at[i - 1]);
	qsort(at, t->entries.n, sizeof *at, compare_loose);
	for (size_t i = 1; i < t->entries.n && !copies; i++)
		copies = at[i]->loose == at[i - 1]->loose && same_process(at[i], at[i - 1]);
	free(at);
	if (!copies)
		return;
	note_add(t->judge, t->notes, REASON_NOT_IN_THIS_BUILD, NULL, "what",
		"suspected copies of one source", "series",
		t->selector ? text_selector(t->judge, t->selector) : "", NULL);
	t->refused = true;
}

double tally_unseen(struct tally *t)
{
	double n = 0;

	for (size_t i = 0; i < t->watch.unseen.n; i++)
		if (!t->watch.unseen.at[i].for_values_only)
			n += unseen_intervals(t->judge, &t->watch.unseen.at[i]);
	return n > 0 ? n * t->largest_interval : 0;
}
