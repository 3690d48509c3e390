/* Histogram: groups buckets by series, checks them, and bounds what lies within T. */
#include "judge/histogram.h"

#include <math.h>
#include <stdlib.h>

#include "judge/hash.h"

double histogram_unit_s(const char *name)
{
	static const struct {
		const char *ending;
		double seconds;
	} units[] = {{"_milliseconds", 1e-3}, {"_millis", 1e-3}, {"_ms", 1e-3},
		{"_microseconds", 1e-6}, {"_nanoseconds", 1e-9}};
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t e = strlen(units[i].ending);
		if (n > e && !strcmp(name + n - e, units[i].ending))
			return units[i].seconds;
	}
	return 1;
}

double histogram_bound(struct decimal seconds, double unit_s)
{
	/* the factor is exact as a decimal, so 0.1 s is le="100" ms */
	struct decimal factor = decimal_of(llround(1 / unit_s)), v;

	return decimal_mul(seconds, factor, &v) ? decimal_to_double(v)
						: decimal_to_double(seconds) / unit_s;
}

static double bound_of(const struct histogram *h, struct decimal seconds)
{
	return histogram_bound(seconds, h->unit_s);
}

void histogram_init(struct histogram *h, struct judge *j, const struct selector *base,
	const struct selector *success, const struct selector *exclude, const struct proof *proof,
	const char *subject, struct notes *notes)
{
	*h = (struct histogram){.success = success, .exclude = exclude};
	tally_init(&h->tally, j, subject, notes, proof);
	h->buckets =
		selector_renamed(j->arena, base, arena_printf(j->arena, "%s_bucket", base->name));
	h->counts =
		selector_renamed(j->arena, base, arena_printf(j->arena, "%s_count", base->name));
	h->unit_s = histogram_unit_s(base->name);
}

void histogram_release(struct histogram *h)
{
	for (size_t i = 0; i < h->groups.n; i++)
		ARRAY_RELEASE(&h->groups.at[i].buckets);
	ARRAY_RELEASE(&h->groups);
	ARRAY_RELEASE(&h->index);
	tally_release(&h->tally);
}

static bool is_bucket_label(const char *name)
{
	return !strcmp(name, "le") || !strcmp(name, "__name__");
}

static void index_grow(struct histogram *h)
{
	size_t n = h->index.n ? h->index.n * 2 : 64;

	h->index.n = 0;
	for (size_t i = 0; i < n; i++)
		*ARRAY_ADD(&h->index) = 0;
	for (size_t i = 0; i < h->groups.n; i++) {
		size_t b = h->groups.at[i].id[0] & (n - 1);
		while (h->index.at[b])
			b = (b + 1) & (n - 1);
		h->index.at[b] = i + 1;
	}
}

static struct labels without_le(struct histogram *h, const struct labels *l)
{
	struct label at[128];
	struct labels only = {at, 0};

	for (size_t i = 0; i < l->n && only.n < 128; i++)
		if (!is_bucket_label(l->at[i].name))
			at[only.n++] = l->at[i];
	return labels_copy(h->tally.judge->arena, &only);
}

static struct bucket_group *group_of(struct histogram *h, const struct labels *l)
{
	uint64_t id[2];

	labels_hash(l, is_bucket_label, id);
	if (h->groups.n * 2 >= h->index.n)
		index_grow(h);
	size_t b = id[0] & (h->index.n - 1);
	for (; h->index.at[b]; b = (b + 1) & (h->index.n - 1)) {
		struct bucket_group *g = &h->groups.at[h->index.at[b] - 1];
		if (g->id[0] == id[0] && g->id[1] == id[1])
			return g;
	}
	struct bucket_group *g = ARRAY_ADD(&h->groups);
	g->id[0] = id[0];
	g->id[1] = id[1];
	g->labels = without_le(h, l);
	g->success = !h->success || !h->success->n || selector_matches(h->success, l);
	g->excluded = h->exclude && h->exclude->n && selector_matches(h->exclude, l);
	h->index.at[b] = h->groups.n;
	return g;
}

static void last_sample(const struct series *s, int64_t end_ms, int64_t *t_ms, double *v)
{
	*t_ms = INT64_MIN;
	for (size_t i = s->n; i-- > 0;) {
		if (s->t_ms[i] <= end_ms && !sample_is_stale(s->value[i])) {
			*t_ms = s->t_ms[i];
			*v = s->value[i];
			return;
		}
	}
}

static bool parse_le(const char *text, double *le)
{
	char *end;

	*le = strtod(text, &end);
	return *text && !*end && !isnan(*le);
}

static void set_count(struct histogram *h, struct bucket_group *g, const struct series *s,
	const struct count count[TALLY_SPANS])
{
	g->has_count = true;
	memcpy(g->count, count, sizeof g->count);
	last_sample(s, h->tally.judge->in->window.end_ms, &g->last_ms, &g->last_value);
}

static int read_count(void *arg, const struct series *s)
{
	struct histogram *h = arg;
	const struct tally_entry *e = tally_add_series(&h->tally, s);

	if (!e)
		return 0;
	struct bucket_group *g = group_of(h, &s->labels);
	g->entry = (size_t)(e - h->tally.entries.at) + 1;
	set_count(h, g, s, e->count);
	return 0;
}

static int read_bucket(void *arg, const struct series *s)
{
	struct histogram *h = arg;
	struct judge *j = h->tally.judge;
	struct bucket b = {0};

	if (!parse_le(labels_get(&s->labels, "le"), &b.le)) {
		note_add(j, h->tally.notes, REASON_BAD_VALUE, NULL, "series",
			text_labels(j, &s->labels), "value", labels_get(&s->labels, "le"), "at",
			text_time(j, s->n ? s->t_ms[0] : j->from_ms), NULL);
		h->tally.refused = true;
		return 0;
	}
	if (!tally_fold(&h->tally, s, b.count, NULL)) {
		h->tally.refused = true;
		return 0;
	}
	struct bucket_group *g = group_of(h, &s->labels);
	struct label le = {"le", labels_get(&s->labels, "le")};
	uint64_t id[2];
	labels_hash(&(struct labels){&le, 1}, NULL, id);
	g->layout += id[0];
	if (isinf(b.le)) {
		/* the same number as _count; it serves where _count was not kept */
		if (!g->has_count)
			set_count(h, g, s, b.count);
		return 0;
	}
	last_sample(s, j->in->window.end_ms, &b.last_ms, &b.last_value);
	*ARRAY_ADD(&g->buckets) = b;
	return 0;
}

static int compare_le(const void *x, const void *y)
{
	const struct bucket *a = x, *b = y;
	return (a->le > b->le) - (a->le < b->le);
}

static void refuse(struct histogram *h, enum reason r, const struct bucket_group *g, const char *k1,
	const char *v1, const char *k2, const char *v2)
{
	struct judge *j = h->tally.judge;

	note_add(j, h->tally.notes, r, NULL, "series", text_labels(j, &g->labels), k1, v1, k2, v2,
		NULL);
	h->tally.refused = true;
}

/* rule 14 */
static bool over_count(const struct bucket_group *g, const struct bucket *b)
{
	return b->count[0].low > g->count[0].low || b->count[0].high > g->count[0].high ||
	       (b->last_ms == g->last_ms && b->last_ms != INT64_MIN &&
		       b->last_value > g->last_value);
}

static bool falls(const struct bucket *lower, const struct bucket *upper)
{
	return lower->count[0].low > upper->count[0].low ||
	       (lower->last_ms == upper->last_ms && lower->last_ms != INT64_MIN &&
		       lower->last_value > upper->last_value);
}

static void check_group(struct histogram *h, struct bucket_group *g)
{
	struct judge *j = h->tally.judge;

	if (g->buckets.n > 1)
		qsort(g->buckets.at, g->buckets.n, sizeof *g->buckets.at, compare_le);
	if (!g->has_count || (!g->buckets.n && g->count[0].high > 0)) {
		refuse(h, REASON_BUCKETS_INCOMPLETE, g, "missing",
			g->has_count ? "buckets" : "_count", NULL, NULL);
		return;
	}
	for (size_t i = 0; i < g->buckets.n; i++) {
		const struct bucket *b = &g->buckets.at[i];
		if (over_count(g, b)) {
			refuse(h, REASON_BUCKET_OVER_COUNT, g, "bucket",
				text_number(j, b->count[0].low), "count",
				text_number(j, g->count[0].low));
			return;
		}
		if (i && falls(b - 1, b)) {
			refuse(h, REASON_BUCKETS_FALL, g, "le", text_number(j, b->le), "lower",
				text_number(j, b[-1].le));
			return;
		}
	}
}

/* A label that no series has takes nothing in or out: a slip of the pen, not a fact. */
static void check_labels(struct histogram *h, const struct selector *matchers)
{
	struct judge *j = h->tally.judge;

	for (size_t i = 0; matchers && i < matchers->n; i++) {
		bool seen = false;
		for (size_t k = 0; k < h->groups.n && !seen; k++)
			seen = *labels_get(&h->groups.at[k].labels, matchers->matcher[i].label) !=
			       0;
		if (seen || !h->groups.n)
			continue;
		note_add(j, h->tally.notes, REASON_LABEL_UNKNOWN, NULL, "metric", h->counts.name,
			"label", matchers->matcher[i].label, NULL);
		h->tally.refused = true;
	}
}

/* Rule 18. Histograms whose buckets differ, or are spelt otherwise, are of different processes. */
static void check_copies(struct histogram *h)
{
	for (size_t i = 0; i < h->groups.n; i++) {
		const struct bucket_group *g = &h->groups.at[i];
		if (g->entry) {
			h->tally.entries.at[g->entry - 1].copy ^= g->layout;
			h->tally.entries.at[g->entry - 1].loose ^= g->layout;
		}
	}
	tally_check_copies(&h->tally);
}

void histogram_read(struct histogram *h)
{
	struct tally *t = &h->tally;

	if (strchr(h->counts.name, ':') && !(t->proof && t->proof->recorded)) {
		note_add(t->judge, t->notes, REASON_RECORDED_NAME, NULL, "metric", h->counts.name,
			NULL);
		t->refused = true;
		return;
	}
	t->selector = &h->counts;
	t->role = TALLY_TOTAL;
	t->per_interval = true;
	bool counts = judge_each(t->judge, &h->counts, t->subject, read_count, h);
	t->per_interval = false;
	t->selector = &h->buckets;
	bool buckets = judge_each(t->judge, &h->buckets, t->subject, read_bucket, h);
	if (!counts || !buckets) {
		t->pending = true;
		return;
	}
	for (size_t i = 0; i < h->groups.n; i++)
		check_group(h, &h->groups.at[i]);
	check_copies(h);
	check_labels(h, h->success);
	check_labels(h, h->exclude);
	if (t->watch.jobs.n)
		watch_selector(t->judge, &t->watch, &h->counts);
	if (!h->groups.n &&
		proof_explain(t->judge, &h->counts, t->subject, t->notes) == PROOF_PENDING)
		t->pending = true;
}

struct around { /* the buckets around a bound; equal where the bound has its own */
	struct count below, above;
};

static struct around around_bound(const struct bucket_group *g, double bound, size_t span)
{
	struct around a = {{0, 0}, g->count[span]};

	if (isinf(bound))
		return (struct around){g->count[span], g->count[span]};
	for (size_t i = 0; i < g->buckets.n; i++) {
		const struct bucket *b = &g->buckets.at[i];
		if (b->le <= bound)
			a.below = b->count[span];
		if (b->le >= bound) {
			a.above = b->count[span];
			break;
		}
	}
	return a;
}

static bool has_bound(const struct bucket_group *g, double bound)
{
	for (size_t i = 0; i < g->buckets.n; i++)
		if (g->buckets.at[i].le == bound)
			return true;
	return false;
}

static void note_missing(struct histogram *h, const struct bucket_group *g, double bound)
{
	struct judge *j = h->tally.judge;
	const char *below = "0", *above = "+Inf";

	if (g->count[0].high == 0)
		return;
	for (size_t i = 0; i < g->buckets.n; i++) {
		if (g->buckets.at[i].le < bound)
			below = text_number(j, g->buckets.at[i].le);
		if (g->buckets.at[i].le > bound) {
			above = text_number(j, g->buckets.at[i].le);
			break;
		}
	}
	/* Micrometer's own buckets around one second (rule 17) */
	if (!strncmp(below, "0.98", 4) && !strncmp(above, "1.07", 4))
		note_add(j, h->tally.notes, REASON_MICROMETER_BOUNDS, NULL, "within",
			text_number(j, bound), "below", below, "above", above, NULL);
	note_add(j, h->tally.notes, REASON_BUCKET_MISSING, NULL, "within", text_number(j, bound),
		"series", text_labels(j, &g->labels), "buckets",
		arena_printf(j->arena, "%s, %s", below, above), NULL);
}

struct within histogram_within(struct histogram *h, struct decimal seconds, size_t span, bool any)
{
	struct within w = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
	double bound = bound_of(h, seconds);

	for (size_t i = 0; i < h->groups.n; i++) {
		struct bucket_group *g = &h->groups.at[i];
		struct count total = g->count[span];
		if (g->excluded) {
			w.excluded = count_add(w.excluded, total);
			continue;
		}
		w.total = count_add(w.total, total);
		if (!g->success && !any) {
			w.bad = count_add(w.bad, total);
			continue;
		}
		struct around a = around_bound(g, bound, span);
		if (!has_bound(g, bound))
			note_missing(h, g, bound);
		w.good = count_add(w.good, (struct count){a.below.low, a.above.high});
		/* both were cut at the same scrapes: an uncertain edge is in both or in neither */
		w.bad.low += fmax(0, fmin(total.low - a.above.low, total.high - a.above.high));
		w.bad.high += fmax(0, fmax(total.low - a.below.low, total.high - a.below.high));
	}
	return w;
}

struct count histogram_band(
	struct histogram *h, const struct decimal *over_s, const struct decimal *up_to_s)
{
	struct count c = {0, 0};

	for (size_t i = 0; i < h->groups.n; i++) {
		struct bucket_group *g = &h->groups.at[i];
		struct around low = {{0, 0}, {0, 0}}, high = {g->count[0], g->count[0]};
		if (over_s) {
			low = around_bound(g, bound_of(h, *over_s), 0);
			if (!has_bound(g, bound_of(h, *over_s)))
				note_missing(h, g, bound_of(h, *over_s));
		}
		if (up_to_s) {
			high = around_bound(g, bound_of(h, *up_to_s), 0);
			if (!has_bound(g, bound_of(h, *up_to_s)))
				note_missing(h, g, bound_of(h, *up_to_s));
		}
		c.low += fmax(
			0, fmin(high.below.low - low.above.low, high.below.high - low.above.high));
		c.high += fmax(
			0, fmax(high.above.low - low.below.low, high.above.high - low.below.high));
	}
	return c;
}

static int compare_double(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

/* all bounds of all groups, sorted, each once */
static size_t all_bounds(const struct histogram *h, double **out)
{
	ARRAY_OF(double) all = {0};
	size_t n = 0;

	for (size_t i = 0; i < h->groups.n; i++)
		for (size_t k = 0; k < h->groups.at[i].buckets.n; k++)
			*ARRAY_ADD(&all) = h->groups.at[i].buckets.at[k].le;
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, compare_double);
	for (size_t i = 0; i < all.n; i++)
		if (!n || all.at[n - 1] != all.at[i])
			all.at[n++] = all.at[i];
	*out = all.at;
	return n;
}

/* how many events of all groups are at most `bound` */
static struct count cumulative(const struct histogram *h, double bound)
{
	struct count c = {0, 0};

	for (size_t i = 0; i < h->groups.n; i++) {
		const struct bucket_group *g = &h->groups.at[i];
		if (g->excluded)
			continue;
		struct around a = around_bound(g, bound, 0);
		c = count_add(c, (struct count){a.below.low, a.above.high});
	}
	return c;
}

struct count histogram_quantile(struct histogram *h, double q, double *at_s)
{
	struct count bounds = {0, INFINITY};
	struct count total = cumulative(h, INFINITY);
	double *le, before = 0;
	size_t n = all_bounds(h, &le);

	*at_s = NAN;
	if (!(total.low > 0)) {
		free(le);
		return count_refused();
	}
	for (size_t i = 0; i < n; i++) {
		struct count c = cumulative(h, le[i]);
		if (c.high < q * total.low)
			bounds.low = le[i] * h->unit_s;
		if (c.low >= q * total.high) {
			bounds.high = le[i] * h->unit_s;
			double inside = c.low - before, want = q * total.low - before;
			double from = bounds.low, width = bounds.high - bounds.low;
			*at_s = inside > 0 ? from + width * fmin(1, fmax(0, want / inside)) : from;
			break;
		}
		before = c.low;
	}
	free(le);
	return bounds;
}
