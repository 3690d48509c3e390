/* Targets: reads `up` and start times into a table and joins series to it. */
#include "judge/target.h"

#include <math.h>

#include "judge/context.h"

/* A start time that moved less than this is clock jitter (counting.md, Targets). */
#define JITTER_MS 2000
#define UP_MARGIN_MS (5LL * 60 * 1000)

static uint64_t hash_text(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return (h ^ 0xff) * 1099511628211u;
}

static uint64_t identity_hash(const struct judge *j, const struct labels *l)
{
	const struct names *id = &j->in->spec->targets.identity;
	uint64_t h = 1469598103934665603u;

	for (size_t i = 0; i < id->n; i++)
		h = hash_text(h, labels_get(l, id->at[i]));
	return h;
}

static bool identity_equal(const struct judge *j, const struct labels *a, const struct labels *b)
{
	const struct names *id = &j->in->spec->targets.identity;

	for (size_t i = 0; i < id->n; i++)
		if (strcmp(labels_get(a, id->at[i]), labels_get(b, id->at[i])))
			return false;
	return true;
}

/* Do they agree in every label that both carry? Both are sorted by name. */
static bool labels_agree(const struct labels *a, const struct labels *b)
{
	size_t i = 0, k = 0;

	while (i < a->n && k < b->n) {
		int c = strcmp(a->at[i].name, b->at[k].name);
		if (!c && strcmp(a->at[i].name, "__name__") &&
			strcmp(a->at[i].value, b->at[k].value))
			return false;
		i += c <= 0;
		k += c >= 0;
	}
	return true;
}

static int compare_ms(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static int64_t median_spacing(const struct scrape *s, size_t n)
{
	if (n < 2)
		return 0;
	int64_t *d = xmalloc((n - 1) * sizeof *d);
	for (size_t i = 1; i < n; i++)
		d[i - 1] = s[i].t_ms - s[i - 1].t_ms;
	qsort(d, n - 1, sizeof *d, compare_ms);
	int64_t m = d[(n - 1) / 2];
	free(d);
	return m;
}

static const char *target_name(struct judge *j, const struct labels *l)
{
	const struct names *id = &j->in->spec->targets.identity;
	struct strbuf b = STRBUF_INIT;

	for (size_t i = 0; i < id->n; i++) {
		if (i)
			strbuf_addc(&b, '/');
		strbuf_adds(&b, labels_get(l, id->at[i]));
	}
	const char *name = arena_strndup(j->arena, b.at, b.n);
	strbuf_release(&b);
	return name;
}

/* Several `alive` series may speak of one target (by code, by path): what they have in common is
 * the target's. */
static struct labels labels_in_common(
	struct judge *j, const struct labels *a, const struct labels *b)
{
	struct label *at = arena_array(j->arena, struct label, a->n + 1);
	struct labels common = {at, 0};

	for (size_t i = 0; i < a->n; i++)
		if (!strcmp(a->at[i].value, labels_get(b, a->at[i].name)))
			at[common.n++] = a->at[i];
	return common;
}

static struct target *same_alive(struct judge *j, const struct labels *l)
{
	for (size_t i = 0; i < j->targets.all.n; i++)
		if (identity_equal(j, &j->targets.all.at[i].labels, l))
			return &j->targets.all.at[i];
	return NULL;
}

static int read_up(void *arg, const struct series *s)
{
	struct judge *j = arg;

	if (!s->n)
		return 0;
	struct target *same = j->targets.alive ? same_alive(j, &s->labels) : NULL;
	if (same) {
		same->labels = labels_in_common(j, &same->labels, &s->labels);
		return 0;
	}
	struct target *t = ARRAY_ADD(&j->targets.all);
	t->labels = labels_copy(j->arena, &s->labels);
	t->name = target_name(j, &t->labels);
	t->job = labels_get(&t->labels, "job");
	t->scrape = arena_array(j->arena, struct scrape, s->n);
	for (size_t i = 0; i < s->n; i++) {
		if (sample_is_stale(s->value[i]))
			continue;
		t->scrape[t->n_scrapes++] = (struct scrape){
			s->t_ms[i], j->targets.alive ? !isnan(s->value[i]) : s->value[i] == 1};
	}
	t->interval_ms = median_spacing(t->scrape, t->n_scrapes);
	t->first_start_ms = t->last_start_ms = INT64_MIN;
	if (t->interval_ms > j->targets.interval_ms)
		j->targets.interval_ms = t->interval_ms;
	return 0;
}

static void index_targets(struct judge *j)
{
	struct targets *ts = &j->targets;
	size_t n = 16;

	while (n < ts->all.n * 2)
		n *= 2;
	for (size_t i = 0; i < n; i++)
		*ARRAY_ADD(&ts->buckets) = 0;
	for (size_t i = ts->all.n; i-- > 0;) {
		size_t b = identity_hash(j, &ts->all.at[i].labels) & (n - 1);
		ts->all.at[i].identity_next = (int64_t)ts->buckets.at[b] - 1;
		ts->buckets.at[b] = i + 1;
	}
}

void target_add_restart(struct target *t, int64_t before_ms, int64_t after_ms, int64_t start_ms)
{
	for (size_t i = 0; i < t->restarts.n; i++)
		if (t->restarts.at[i].before_ms == before_ms &&
			t->restarts.at[i].after_ms == after_ms)
			return;
	*ARRAY_ADD(&t->restarts) = (struct restart){before_ms, after_ms, start_ms};
}

static int read_start(void *arg, const struct series *s)
{
	struct judge *j = arg;
	struct target *t = target_of(j, &s->labels);

	if (!t)
		return 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!isfinite(s->value[i]) || s->value[i] <= 0 || s->value[i] > 1e12)
			continue;
		int64_t start = (int64_t)llround(s->value[i] * 1000);
		if (!t->has_start) {
			t->has_start = true;
			t->first_start_ms = t->last_start_ms = start;
		} else if (start > t->last_start_ms + JITTER_MS) {
			int64_t before = target_good_before(t, s->t_ms[i], true);
			/* a target's clock may be off: then the new start is only known to lie
			 * between the two scrapes */
			int64_t at = start > before && start <= s->t_ms[i] ? start : s->t_ms[i];
			target_add_restart(t, before, s->t_ms[i], at);
			t->last_start_ms = start;
		}
	}
	return 0;
}

static const struct matcher *job_matcher(const struct selector *s, size_t from)
{
	for (size_t i = from; i < s->n; i++)
		if (!strcmp(s->matcher[i].label, "job"))
			return &s->matcher[i];
	return NULL;
}

struct job_set { /* the distinct sets of job matchers; empty = all */
	ARRAY_OF(struct selector) sets;
	bool all;
};

static void job_set_add(struct judge *j, struct job_set *js, const struct selectors *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct selector *s = &list->at[i];
		struct selector only = {.name = "up"};
		only.matcher = arena_array(j->arena, struct matcher, s->n + 1);
		for (size_t k = 0; k < s->n; k++)
			if (!strcmp(s->matcher[k].label, "job"))
				only.matcher[only.n++] = s->matcher[k];
		if (!job_matcher(s, 0)) {
			js->all = true;
			return;
		}
		const char *text = text_selector(j, &only);
		bool known = false;
		for (size_t k = 0; k < js->sets.n && !known; k++)
			known = !strcmp(text_selector(j, &js->sets.at[k]), text);
		if (!known)
			*ARRAY_ADD(&js->sets) = only;
	}
}

static void job_set_sli(struct judge *j, struct job_set *js, const struct sli *s)
{
	job_set_add(j, js, &s->good);
	job_set_add(j, js, &s->bad);
	job_set_add(j, js, &s->total);
	job_set_add(j, js, &s->exclude);
	job_set_add(j, js, &s->proof.family);
	job_set_add(j, js, &s->proof.witness);
	if (s->has_histogram) {
		struct selector h = s->histogram;
		job_set_add(j, js, &(struct selectors){&h, 1});
	}
}

static void job_set_measure(struct judge *j, struct job_set *js, const struct measure *m)
{
	job_set_add(j, js, &m->selectors);
	job_set_add(j, js, &m->right);
	job_set_add(j, js, &m->proof.family);
	job_set_add(j, js, &m->proof.witness);
	if (m->kind == MEASURE_BAND) {
		struct selector h = m->histogram;
		job_set_add(j, js, &(struct selectors){&h, 1});
	}
}

static void job_set_all(struct judge *j, struct job_set *js)
{
	const struct spec *s = j->in->spec;

	for (size_t i = 0; i < s->n_stages; i++) {
		job_set_sli(j, js, &s->stages[i].sli);
		for (size_t k = 0; k < s->stages[i].n_steps; k++)
			job_set_sli(j, js, &s->stages[i].steps[k].sli);
	}
	const struct checks *lists[] = {&s->invariants, &s->preconditions, &s->figures};
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < lists[i]->n; k++)
			job_set_measure(j, js, &lists[i]->at[k].measure);
	if (s->has_delivered)
		job_set_measure(j, js, &s->delivered);
}

static bool ask(struct judge *j, const struct selector *s, int (*fn)(void *, const struct series *))
{
	struct query q = {QUERY_RAW, text_selector(j, s), j->in->window.start_ms - UP_MARGIN_MS,
		j->in->window.end_ms + UP_MARGIN_MS, "targets"};
	ptrdiff_t i = judge_answer(j, &q);

	if (i < 0)
		return false;
	if (fn && j->in->evidence->each(j->in->evidence, (size_t)i, fn, j, j->err) < 0) {
		j->failed = true;
		return false;
	}
	return true;
}

static bool ask_sets(struct judge *j, const struct job_set *js, const char *name,
	int (*fn)(void *, const struct series *))
{
	struct selector all = {.name = "up"};
	size_t n = js->all || !js->sets.n ? 1 : js->sets.n;
	const struct selector *set = js->all || !js->sets.n ? &all : js->sets.at;
	bool whole = true;

	for (size_t i = 0; i < n; i++) {
		struct selector s = selector_renamed(j->arena, &set[i], name);
		whole = ask(j, &s, fn) && whole;
	}
	return whole;
}

/* Overlapping job matchers answer one `up` series twice: keep the first. */
static void drop_doubles(struct judge *j)
{
	struct targets *ts = &j->targets;
	size_t n = 0;

	for (size_t i = 0; i < ts->all.n; i++) {
		bool again = false;
		for (size_t b = ts->buckets.at[identity_hash(j, &ts->all.at[i].labels) &
					       (ts->buckets.n - 1)];
			b && !again; b = (size_t)(ts->all.at[b - 1].identity_next + 1))
			again = b - 1 < i &&
				!labels_cmp(&ts->all.at[b - 1].labels, &ts->all.at[i].labels);
		if (!again)
			ts->all.at[n++] = ts->all.at[i];
	}
	if (n == ts->all.n)
		return;
	ts->all.n = n;
	ts->buckets.n = 0;
	index_targets(j);
}

bool targets_read(struct judge *j)
{
	struct job_set js = {0};
	const struct targets_spec *spec = &j->in->spec->targets;
	bool whole;

	job_set_all(j, &js);
	j->targets.alive = spec->has_alive;
	if (spec->has_alive) {
		whole = ask(j, &spec->alive, NULL);
	} else {
		whole = ask_sets(j, &js, "up", NULL);
	}
	whole = ask_sets(j, &js, "process_start_time_seconds", NULL) && whole;
	if (whole) {
		if (spec->has_alive)
			whole = ask(j, &spec->alive, read_up);
		else
			whole = ask_sets(j, &js, "up", read_up);
		index_targets(j);
		drop_doubles(j);
		whole = ask_sets(j, &js, "process_start_time_seconds", read_start) && whole;
	}
	ARRAY_RELEASE(&js.sets);
	return whole;
}

void targets_release(struct targets *t)
{
	for (size_t i = 0; i < t->all.n; i++)
		ARRAY_RELEASE(&t->all.at[i].restarts);
	ARRAY_RELEASE(&t->all);
	ARRAY_RELEASE(&t->buckets);
}

struct target *target_of(struct judge *j, const struct labels *l)
{
	struct targets *ts = &j->targets;
	struct target *found = NULL;

	if (!ts->buckets.n)
		return NULL;
	size_t b = ts->buckets.at[identity_hash(j, l) & (ts->buckets.n - 1)];
	while (b) {
		struct target *t = &ts->all.at[b - 1];
		if (identity_equal(j, &t->labels, l) && labels_agree(&t->labels, l)) {
			if (found)
				return NULL;
			found = t;
		}
		b = (size_t)(t->identity_next + 1);
	}
	return found;
}

bool target_fits(const struct target *t, const struct selector *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const char *v = labels_get(&t->labels, s->matcher[i].label);
		if (*v && !matcher_test(&s->matcher[i], v))
			return false;
	}
	return true;
}

/* index of the first scrape with t >= at */
static size_t scrape_index(const struct target *t, int64_t at_ms)
{
	size_t low = 0, high = t->n_scrapes;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (t->scrape[mid].t_ms < at_ms)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int64_t target_good_before(const struct target *t, int64_t at_ms, bool strict)
{
	size_t i = strict ? scrape_index(t, at_ms) : scrape_index(t, at_ms + 1);

	while (i-- > 0)
		if (t->scrape[i].good)
			return t->scrape[i].t_ms;
	return INT64_MIN;
}

int64_t target_good_after(const struct target *t, int64_t at_ms)
{
	for (size_t i = scrape_index(t, at_ms); i < t->n_scrapes; i++)
		if (t->scrape[i].good)
			return t->scrape[i].t_ms;
	return INT64_MAX;
}

int64_t target_start_at(const struct target *t, int64_t at_ms)
{
	int64_t start = t->first_start_ms;

	if (!t->has_start)
		return INT64_MIN;
	for (size_t i = 0; i < t->restarts.n; i++)
		if (t->restarts.at[i].after_ms <= at_ms)
			start = t->restarts.at[i].start_ms;
	return start;
}

bool target_scraped(const struct target *t, const struct series *s)
{
	for (size_t i = 0, k = 0; i < s->n; i++) {
		if (sample_is_stale(s->value[i]))
			continue;
		while (k < t->n_scrapes && t->scrape[k].t_ms < s->t_ms[i])
			k++;
		if (k == t->n_scrapes)
			return true; /* newer than the answer to `up` */
		if (t->scrape[k].t_ms != s->t_ms[i])
			return false;
	}
	return true;
}
