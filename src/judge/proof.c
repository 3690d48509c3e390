/* Proof: families of selectors that matched nothing, and what the metric really has. */
#include "judge/proof.h"

#include <math.h>
#include <stdio.h>

static const char *const outcome_labels[] = {
	"code", "status", "outcome", "result", "error", "exception", "reason", "le"};

static bool is_outcome(const char *label, const struct proof *p)
{
	for (size_t i = 0; i < sizeof outcome_labels / sizeof *outcome_labels; i++)
		if (!strcmp(label, outcome_labels[i]))
			return true;
	return p && p->outcome && !strcmp(label, p->outcome);
}

struct family { /* siblings of a selector without one matcher, or the series of `family:` */
	struct judge *judge;
	struct watch *watch;
	const struct selector *selector;    /* the empty one */
	const char *label;		    /* the dropped one; NULL for `family:` */
	ARRAY_OF(const struct target *) on; /* targets that have a sibling */
	ARRAY_OF(const char *) values;	    /* of the label, at most 50 */
	size_t n;
	bool three_digits; /* all values are */
};

static bool is_three_digits(const char *v)
{
	return strlen(v) == 3 && strspn(v, "0123456789") == 3;
}

static void add_value(struct judge *j, struct family *f, const char *v)
{
	for (size_t i = 0; i < f->values.n; i++)
		if (!strcmp(f->values.at[i], v))
			return;
	if (f->values.n < 50)
		*ARRAY_ADD(&f->values) = arena_strdup(j->arena, v);
}

static int read_sibling(void *arg, const struct series *s)
{
	struct family *f = arg;
	const struct target *t = target_of(f->judge, &s->labels);
	const char *v = f->label ? labels_get(&s->labels, f->label) : "";

	/* it must carry the label, and not because the target does */
	if (f->label && (!*v || (t && *labels_get(&t->labels, f->label))))
		return 0;
	f->n++;
	if (f->label) {
		f->three_digits &= is_three_digits(v);
		add_value(f->judge, f, v);
	}
	watch_add_job(f->judge, f->watch, &s->labels);
	if (!t)
		return 0;
	for (size_t i = 0; i < f->on.n; i++)
		if (f->on.at[i] == t)
			return 0;
	*ARRAY_ADD(&f->on) = t;
	return 0;
}

static void family_release(struct family *f)
{
	ARRAY_RELEASE(&f->on);
	ARRAY_RELEASE(&f->values);
}

static const char *join_values(struct judge *j, const struct family *f)
{
	struct strbuf b = STRBUF_INIT;

	b.max = 400;
	for (size_t i = 0; i < f->values.n && i < 12; i++) {
		if (i)
			strbuf_adds(&b, ", ");
		strbuf_adds(&b, f->values.at[i]);
	}
	if (f->values.n > 12)
		strbuf_adds(&b, ", ...");
	const char *s = arena_strndup(j->arena, b.at, b.n);
	strbuf_release(&b);
	return *s ? s : "-";
}

/* A regular expression without any operator says as much as `=`. */
static bool is_literal(const struct matcher *m)
{
	return m->op == MATCH_EQ || (m->op == MATCH_RE && !strpbrk(m->value, ".*+?()[]{}|\\^$"));
}

ptrdiff_t proof_outcome(const struct selector *s, const struct proof *p)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_outcome(s->matcher[i].label, p) &&
			((p && p->absent) || !is_literal(&s->matcher[i])))
			return (ptrdiff_t)i;
	return -1;
}

static bool can_match_status(const struct matcher *m)
{
	char code[16];

	for (int c = 100; c < 600; c++) {
		snprintf(code, sizeof code, "%d", c);
		if (matcher_test(m, code))
			return true;
	}
	return false;
}

/* --- what the metric has: one PromQL question, for `=` values and for the explanation ----------
 */

struct census {
	struct judge *judge;
	const struct selector *selector;
	size_t n;	      /* label combinations of the metric */
	bool of_target[32];   /* by matcher: its label is one that targets carry: it says where */
	bool label_seen[32];  /* by matcher: some series has the label */
	bool value_seen[32];  /* by matcher: some series on fitting targets satisfies it */
	struct family values; /* of the matcher being explained */
	size_t explained;
};

/* Labels that fitting targets carry say where, the others say what. Where no target fits, nothing
 * says where, and every matcher is looked at for itself. */
static void find_target_labels(struct census *c)
{
	const struct targets *ts = &c->judge->targets;

	for (size_t k = 0; k < ts->all.n; k++) {
		const struct target *t = &ts->all.at[k];
		if (!target_fits(t, c->selector))
			continue;
		for (size_t i = 0; i < c->selector->n && i < 32; i++)
			c->of_target[i] |=
				*labels_get(&t->labels, c->selector->matcher[i].label) != 0;
	}
}

static bool fits_target_matchers(const struct census *c, const struct labels *l)
{
	for (size_t i = 0; i < c->selector->n && i < 32; i++) {
		const struct matcher *m = &c->selector->matcher[i];
		if (c->of_target[i] && !matcher_test(m, labels_get(l, m->label)))
			return false;
	}
	return true;
}

static int read_census(void *arg, const struct series *s)
{
	struct census *c = arg;
	const struct selector *sel = c->selector;
	bool here = fits_target_matchers(c, &s->labels);

	c->n++;
	for (size_t i = 0; i < sel->n && i < 32; i++) {
		const char *v = labels_get(&s->labels, sel->matcher[i].label);
		c->label_seen[i] |= *v != 0;
		c->value_seen[i] |= (here || c->of_target[i]) && matcher_test(&sel->matcher[i], v);
	}
	if (c->explained < sel->n) {
		const char *v = labels_get(&s->labels, sel->matcher[c->explained].label);
		if (*v)
			add_value(c->judge, &c->values, v);
	}
	return 0;
}

/* False while the answer is pending. */
static bool take_census(struct judge *j, struct census *c, const char *subject)
{
	struct selector bare = {.name = c->selector->name};
	find_target_labels(c);
	struct strbuf b = STRBUF_INIT;

	strbuf_adds(&b, "count by (");
	for (size_t i = 0; i < c->selector->n; i++) {
		if (i)
			strbuf_adds(&b, ", ");
		strbuf_adds(&b, c->selector->matcher[i].label);
	}
	strbuf_adds(&b, ") (last_over_time(");
	selector_print(&b, &bare);
	strbuf_addf(&b, "[%llds]))", (long long)((j->to_ms - j->from_ms + 999) / 1000));
	bool there = judge_each_promql(j, b.at, subject, read_census, c);
	strbuf_release(&b);
	return there;
}

/* The matcher to blame: first one that says where, else one that says what. SIZE_MAX: none alone.
 */
static size_t unknown_matcher(const struct census *c)
{
	for (int where = 1; where >= 0; where--)
		for (size_t i = 0; i < c->selector->n && i < 32; i++)
			if (c->of_target[i] == (bool)where && !c->value_seen[i])
				return i;
	return SIZE_MAX;
}

enum proof_state proof_explain(
	struct judge *j, const struct selector *s, const char *subject, struct notes *notes)
{
	struct census c = {.judge = j, .selector = s, .explained = SIZE_MAX};

	if (!take_census(j, &c, subject))
		return PROOF_PENDING;
	if (!c.n) {
		note_add(j, notes, REASON_METRIC_UNKNOWN, NULL, "metric", s->name, NULL);
		return PROOF_NONE;
	}
	size_t i = unknown_matcher(&c);
	if (i == SIZE_MAX) {
		note_add(j, notes, REASON_NO_SERIES, NULL, "selector", text_selector(j, s), NULL);
	} else if (!c.label_seen[i]) {
		note_add(j, notes, REASON_LABEL_UNKNOWN, NULL, "metric", s->name, "label",
			s->matcher[i].label, NULL);
	} else {
		struct census again = {.judge = j, .selector = s, .explained = i};
		take_census(j, &again, subject);
		note_add(j, notes, REASON_VALUE_UNKNOWN, NULL, "metric", s->name, "label",
			s->matcher[i].label, "value", s->matcher[i].value, "values",
			join_values(j, &again.values), NULL);
		family_release(&again.values);
	}
	return PROOF_NONE;
}

/* --- families ----------------------------------------------------------------------------------
 */

/* Every target that was seen must have a series of the family: one that runs another build, with
 * another name for the metric, proves nothing. */
static bool family_everywhere(
	struct judge *j, const struct family *f, const struct selector *s, struct notes *notes)
{
	bool all = true;

	for (size_t i = 0; i < f->watch->targets.n; i++) {
		const struct target *t = f->watch->targets.at[i];
		bool here = false;
		for (size_t k = 0; k < f->on.n && !here; k++)
			here = f->on.at[k] == t;
		if (here || target_good_before(t, j->in->window.end_ms, false) == INT64_MIN)
			continue;
		note_add(j, notes, REASON_NO_FAMILY, NULL, "metric", s->name, "target", t->name,
			NULL);
		all = false;
	}
	return all;
}

static enum proof_state given_family(struct judge *j, const struct selector *s,
	const struct proof *p, struct watch *w, const char *subject, struct notes *notes)
{
	struct family f = {.judge = j, .watch = w, .selector = s};
	enum proof_state state = PROOF_HELD;

	for (size_t i = 0; i < p->family.n; i++)
		if (!judge_each(j, &p->family.at[i], subject, read_sibling, &f))
			state = PROOF_PENDING;
	if (state == PROOF_HELD && !f.n) {
		note_add(j, notes, REASON_NO_SERIES, NULL, "selector",
			text_selector(j, &p->family.at[0]), NULL);
		state = PROOF_NONE;
	} else if (state == PROOF_HELD) {
		watch_selector(j, w, s);
		if (!family_everywhere(j, &f, s, notes))
			state = PROOF_NONE;
	}
	family_release(&f);
	return state;
}

/* The siblings without matcher i: do they prove that the selector would have shown something? */
static enum proof_state siblings(struct judge *j, const struct selector *s, size_t i,
	const struct proof *p, struct watch *w, const char *subject, struct notes *notes)
{
	const struct matcher *m = &s->matcher[i];
	struct selector sibling = selector_without(j->arena, s, i);
	struct family f = {
		.judge = j, .watch = w, .selector = s, .label = m->label, .three_digits = true};
	enum proof_state state = PROOF_NONE;

	if (!judge_each(j, &sibling, subject, read_sibling, &f)) {
		state = PROOF_PENDING;
	} else if (f.n && f.three_digits && !can_match_status(m)) {
		note_add(j, notes, REASON_MATCHER_IMPOSSIBLE, NULL, "matcher", m->value, "values",
			join_values(j, &f), NULL);
	} else if (f.n) {
		state = PROOF_HELD;
		if (is_literal(m) && !(p && p->absent)) {
			struct census c = {.judge = j, .selector = s, .explained = SIZE_MAX};
			bool there = take_census(j, &c, subject);
			state = !there			    ? PROOF_PENDING
				: i < 32 && c.value_seen[i] ? PROOF_HELD
							    : PROOF_NONE;
			if (state == PROOF_NONE)
				note_add(j, notes, REASON_VALUE_UNKNOWN, NULL, "metric", s->name,
					"label", m->label, "value", m->value, "values",
					join_values(j, &f), NULL);
		}
		watch_selector(j, w, s);
		if (state == PROOF_HELD && !family_everywhere(j, &f, s, notes))
			state = PROOF_NONE;
		if (state == PROOF_HELD)
			note_add(j, notes, REASON_ZERO_PROVEN, NULL, "targets",
				arena_printf(j->arena, "%zu", w->targets.n), "family",
				text_selector(j, &sibling), NULL);
	}
	family_release(&f);
	return state;
}

enum proof_state proof_empty(struct judge *j, const struct selector *s, const struct proof *p,
	struct watch *w, const char *subject, struct notes *notes)
{
	size_t before = notes->n;
	bool tried = false, pending = false;

	if (!s->name) {
		note_add(j, notes, REASON_NO_SERIES, NULL, "selector", text_selector(j, s), NULL);
		return PROOF_NONE;
	}
	if (p && p->family.n)
		return given_family(j, s, p, w, subject, notes);
	for (size_t i = 0; i < s->n; i++) {
		if (!is_outcome(s->matcher[i].label, p))
			continue;
		tried = true;
		enum proof_state state = siblings(j, s, i, p, w, subject, notes);
		if (state == PROOF_HELD) {
			return state;
		}
		pending |= state == PROOF_PENDING;
	}
	if (pending)
		return PROOF_PENDING;
	if (notes->n > before)
		return PROOF_NONE; /* already said why */
	enum proof_state state = proof_explain(j, s, subject, notes);
	if (state == PROOF_NONE && !tried && notes->n > before &&
		notes->at[notes->n - 1].code == REASON_NO_SERIES)
		note_add(j, notes, REASON_NO_FAMILY, NULL, "metric", s->name, "target", "-", NULL);
	return state;
}

/* --- who else has the metric --------------------------------------------------------------------
 */

struct family_jobs {
	struct judge *judge;
	struct watch *watch; /* takes the jobs; may be NULL */
	size_t n;
};

static int read_job(void *arg, const struct series *s)
{
	struct family_jobs *f = arg;

	f->n++;
	if (f->watch)
		watch_add_job(f->judge, f->watch, &s->labels);
	return 0;
}

/* The jobs that satisfy all matchers but those on outcome labels; nobody is asked where there are
 * none. */
static bool read_family_jobs(
	const struct selector *s, const struct proof *p, const char *subject, struct family_jobs *f)
{
	struct judge *j = f->judge;
	struct selector wide = {s->name, arena_array(j->arena, struct matcher, s->n + 1), 0};
	struct strbuf b = STRBUF_INIT;

	for (size_t i = 0; i < s->n; i++)
		if (!is_outcome(s->matcher[i].label, p))
			wide.matcher[wide.n++] = s->matcher[i];
	if (!s->name || wide.n == s->n)
		return true;
	strbuf_adds(&b, "count by (job) (last_over_time(");
	selector_print(&b, &wide);
	strbuf_addf(&b, "[%llds]))", (long long)((j->to_ms - j->from_ms + 999) / 1000));
	bool there = judge_each_promql(j, b.at, subject, read_job, f);
	strbuf_release(&b);
	return there;
}

bool proof_family_jobs(struct judge *j, const struct selector *s, const struct proof *p,
	struct watch *w, const char *subject)
{
	struct family_jobs f = {j, w, 0};

	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->matcher[i].label, "job") && s->matcher[i].op == MATCH_EQ)
			return true;
	return read_family_jobs(s, p, subject, &f);
}

enum proof_state proof_absent(
	struct judge *j, const struct selectors *list, const struct proof *p, const char *subject)
{
	struct family_jobs f = {j, NULL, 0};
	bool there = true;

	for (size_t i = 0; i < list->n; i++) {
		there = read_family_jobs(&list->at[i], p, subject, &f) && there;
		f.n += watch_named_down(j, &list->at[i]);
	}
	return !there ? PROOF_PENDING : f.n ? PROOF_NONE : PROOF_HELD;
}

/* --- the exporter's own word --------------------------------------------------------------------
 */

struct exporter {
	struct judge *judge;
	const struct watch *watch;
	struct notes *notes;
	const char *metric;
	bool down;
};

static int read_exporter_up(void *arg, const struct series *s)
{
	struct exporter *x = arg;
	const struct window *win = &x->judge->in->window;
	const struct target *t = target_of(x->judge, &s->labels);

	if (!t || !watch_has(x->watch, t))
		return 0;
	for (size_t i = 0; i < s->n; i++) {
		if (s->t_ms[i] <= win->start_ms || s->t_ms[i] > win->end_ms ||
			sample_is_stale(s->value[i]) || s->value[i] == 1)
			continue;
		note_add(x->judge, x->notes, REASON_EXPORTER_DOWN, NULL, "metric", x->metric,
			"target", t->name, "at", text_time(x->judge, s->t_ms[i]), NULL);
		x->down = true;
		return 0;
	}
	return 0;
}

enum proof_state proof_exporter(struct judge *j, const struct selector *s, const struct watch *w,
	const char *subject, struct notes *notes)
{
	size_t n = s->name ? strcspn(s->name, "_") : 0;

	if (!n || !s->name[n])
		return PROOF_HELD;
	struct selector up = {.name = arena_printf(j->arena, "%.*s_up", (int)n, s->name)};
	up.matcher = arena_array(j->arena, struct matcher, s->n + 1);
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->matcher[i].label, "job"))
			up.matcher[up.n++] = s->matcher[i];
	struct exporter x = {j, w, notes, up.name, false};
	if (!judge_each(j, &up, subject, read_exporter_up, &x))
		return PROOF_PENDING;
	return x.down ? PROOF_NONE : PROOF_HELD;
}
