/* Created: the `_created` series of counters, asked for only where a birth is in doubt. */
#include <math.h>

#include "judge/proof.h"

struct created_entry {
	struct labels labels;
	int64_t ms;
	size_t next; /* index + 1 */
};

struct created_table { /* of one query */
	const char *query;
	ARRAY_OF(struct created_entry) entries;
	size_t bucket[1024];
	struct created_table *next;
};

struct reading {
	struct judge *judge;
	struct created_table *table;
};

static bool is_own(const char *name)
{
	return strcmp(name, "__name__") && strcmp(name, "le");
}

static size_t bucket_of(const struct labels *l)
{
	uint64_t h = 1469598103934665603u;

	for (size_t i = 0; i < l->n; i++) {
		if (!is_own(l->at[i].name))
			continue;
		for (const char *c = l->at[i].value; *c; c++)
			h = (h ^ (unsigned char)*c) * 1099511628211u;
	}
	return h % 1024;
}

static bool same_series(const struct labels *a, const struct labels *b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a->n && !is_own(a->at[i].name))
			i++;
		while (k < b->n && !is_own(b->at[k].name))
			k++;
		if (i == a->n || k == b->n)
			return i == a->n && k == b->n;
		if (strcmp(a->at[i].name, b->at[k].name) || strcmp(a->at[i].value, b->at[k].value))
			return false;
		i++;
		k++;
	}
}

static int read_created(void *arg, const struct series *s)
{
	struct reading *r = arg;
	double latest = NAN;

	for (size_t i = 0; i < s->n; i++)
		if (isfinite(s->value[i]) && s->value[i] > 0 && s->value[i] < 1e12)
			latest = s->value[i];
	if (isnan(latest))
		return 0;
	size_t b = bucket_of(&s->labels);
	*ARRAY_ADD(&r->table->entries) =
		(struct created_entry){labels_copy(r->judge->arena, &s->labels),
			llround(latest * 1000), r->table->bucket[b]};
	r->table->bucket[b] = r->table->entries.n;
	return 0;
}

/* http_requests_total -> http_requests_created; x_bucket, x_count -> x_created */
static struct selector created_selector(struct judge *j, const struct selector *s)
{
	static const char *const endings[] = {"_total", "_bucket", "_count", "_sum"};
	size_t n = strlen(s->name);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t e = strlen(endings[i]);
		if (n > e && !strcmp(s->name + n - e, endings[i])) {
			n -= e;
			break;
		}
	}
	struct selector c = selector_renamed(
		j->arena, s, arena_printf(j->arena, "%.*s_created", (int)n, s->name));
	for (size_t i = c.n; i-- > 0;)
		if (!strcmp(c.matcher[i].label, "le"))
			c = selector_without(j->arena, &c, i);
	return c;
}

static struct created_table *table_of(
	struct judge *j, const struct selector *s, const char *subject)
{
	struct selector c = created_selector(j, s);
	const char *text = text_selector(j, &c);

	for (struct created_table *t = j->created; t; t = t->next)
		if (!strcmp(t->query, text))
			return t;
	struct created_table *t = arena_new(j->arena, struct created_table);
	t->query = text;
	t->next = j->created;
	j->created = t;
	struct reading r = {j, t};
	judge_each(j, &c, subject, read_created, &r);
	return t;
}

int64_t proof_created(
	struct judge *j, const struct selector *s, const struct series *series, const char *subject)
{
	if (!s->name)
		return INT64_MIN;
	const struct created_table *t = table_of(j, s, subject);
	for (size_t i = t->bucket[bucket_of(&series->labels)]; i; i = t->entries.at[i - 1].next)
		if (same_series(&t->entries.at[i - 1].labels, &series->labels))
			return t->entries.at[i - 1].ms;
	return INT64_MIN;
}

void proof_release(struct judge *j)
{
	for (struct created_table *t = j->created; t; t = t->next)
		ARRAY_RELEASE(&t->entries);
	j->created = NULL;
}
