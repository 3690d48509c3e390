/* Find: RUN of the command line -> id and revision, and what to suggest when there is none. */
#include "store/rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

enum { MAX_CONDITIONS = 32, MAX_NEAR = 5, MAX_COMPARED = 10000 };

/* Suggestions */

struct near_run {
	int64_t id;
	char name[208];
	size_t distance;
};

struct nearest {
	struct near_run at[MAX_NEAR];
	size_t n;
};

/* Keeps the list in order of distance; among equals the newer, which comes first, stays first. */
static void nearest_add(struct nearest *near, const struct near_run *r)
{
	size_t i = near->n;
	while (i && near->at[i - 1].distance > r->distance)
		i--;
	if (i == MAX_NEAR)
		return;
	near->n += near->n < MAX_NEAR;
	memmove(&near->at[i + 1], &near->at[i], (near->n - 1 - i) * sizeof near->at[0]);
	near->at[i] = *r;
}

/* The runs named most like `name`; the newest if it is NULL. */
static int find_nearest(struct store *s, const char *name, struct nearest *near, struct error *err)
{
	sqlite3_stmt *st;
	if (db_query(s, &st, err, "SELECT id, coalesce(name, '') FROM run ORDER BY id DESC LIMIT ?",
		    "i", (int64_t)MAX_COMPARED))
		return -1;
	struct arena a = ARENA_INIT;
	int row;
	while ((row = db_step(s, st, err)) > 0) {
		struct near_run r = {.id = sqlite3_column_int64(st, 0)};
		const char *text = db_text_or_empty(&a, st, 1);
		snprintf(r.name, sizeof r.name, "%s", text);
		r.distance = !name ? 0 : *text ? edit_distance(name, text) : SIZE_MAX;
		nearest_add(near, &r);
		arena_release(&a);
	}
	arena_release(&a);
	sqlite3_finalize(st);
	return row;
}

static int unknown(struct store *s, const char *run, const char *name, struct error *err)
{
	struct nearest near = {0};
	if (find_nearest(s, name, &near, err))
		return -1;
	if (!near.n)
		return error_set(err, ERROR_USAGE, "unknown-run",
			"there is no run '%.200s': '%s' holds none yet; `loadverdict evaluate` "
			"stores one",
			run, s->path);
	struct strbuf list = STRBUF_INIT;
	for (size_t i = 0; i < near.n; i++) {
		strbuf_addf(&list, "%s%lld", i ? ", " : "", (long long)near.at[i].id);
		if (near.at[i].name[0])
			strbuf_addf(&list, " '%s'", near.at[i].name);
	}
	error_set(err, ERROR_USAGE, "unknown-run",
		"there is no run '%.200s' in '%s'; it has: %s; `loadverdict runs list` shows all",
		run, s->path, list.at);
	strbuf_release(&list);
	return -1;
}

/* last~N:key=value,... */

struct selection {
	struct strbuf where;
	const char *text[MAX_CONDITIONS]; /* bound to ?1 ?2 ... */
	size_t n;
	int64_t skip;
};

static int bad_selector(const char *run, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, "unknown-run",
		"'%.200s' is no run: %s; write an id, a name, last, last~1, or like "
		"last:spec=S,env=E,load=N,label.K=V,verdict=PASS",
		run, why);
}

static const struct {
	const char *key, *sql; /* one ? each */
} conditions[] = {
	{"spec", "r.spec_name = ?"},
	{"env", "r.environment = ?"},
	{"campaign", "r.campaign = ?"},
	{"repeat", "r.repeat = CAST(? AS INTEGER)"},
	{"verdict", "v.verdict = upper(?)"},
	{"commit", "substr(v.commit_sha, 1, length(?1)) = ?1"},
};

static void add_condition(struct selection *sel, const char *sql, const char *value)
{
	size_t number = sel->n + 1;
	strbuf_adds(&sel->where, " AND ");
	for (; *sql; sql++) {
		if (*sql != '?') {
			strbuf_addc(&sel->where, *sql);
			continue;
		}
		strbuf_addf(&sel->where, "?%zu", number);
		sql += sql[1] == '1';
	}
	sel->text[sel->n++] = value;
}

static int add_load(struct arena *a, struct selection *sel, const char *run, const char *value,
	struct error *err)
{
	struct decimal load;
	if (!decimal_parse(value, &load, NULL))
		return bad_selector(run, "load needs a number", err);
	/* both are in lowest terms, so equal numbers have equal parts */
	add_condition(sel, "r.load_num = CAST(? AS INTEGER)",
		arena_printf(a, "%lld", (long long)load.num));
	add_condition(sel, "r.load_den = CAST(? AS INTEGER)",
		arena_printf(a, "%lld", (long long)load.den));
	return 0;
}

static int add_pair(
	struct arena *a, struct selection *sel, const char *run, char *pair, struct error *err)
{
	char *value = strchr(pair, '=');
	if (!value || value == pair)
		return bad_selector(run, "after `last:` come pairs KEY=VALUE", err);
	*value++ = '\0';
	if (sel->n + 2 > MAX_CONDITIONS)
		return bad_selector(run, "too many conditions", err);
	if (!strcmp(pair, "load"))
		return add_load(a, sel, run, value, err);
	if (!strncmp(pair, "label.", 6) && pair[6]) {
		add_condition(sel,
			"EXISTS (SELECT 1 FROM label WHERE revision_id = v.id AND key = ?",
			pair + 6);
		add_condition(sel, "value = ?)", value);
		return 0;
	}
	for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
		if (!strcmp(pair, conditions[i].key)) {
			add_condition(sel, conditions[i].sql, value);
			return 0;
		}
	return bad_selector(run,
		arena_printf(a,
			"there is no key '%.100s' (spec, env, load, repeat, campaign, commit, "
			"verdict, label.KEY)",
			pair),
		err);
}

static int parse_last(struct arena *a, struct selection *sel, const char *run,
	const char *spec_name, const char *environment, struct error *err)
{
	char *rest = arena_strdup(a, run + strlen("last"));
	if (*rest == '~') {
		char *end;
		errno = 0;
		sel->skip = strtoll(rest + 1, &end, 10);
		if (!isdigit((unsigned char)rest[1]) || errno || sel->skip > 1000000000)
			return bad_selector(run, "after `last~` comes a number", err);
		rest = end;
	}
	if (!*rest) {
		if (spec_name)
			add_condition(sel, "r.spec_name = ?", spec_name);
		if (environment)
			add_condition(sel, "r.environment = ?", environment);
		return 0;
	}
	if (*rest != ':')
		return bad_selector(run, "names do not start with 'last'", err);
	char *save = NULL;
	size_t n = 0;
	for (char *p = strtok_r(rest + 1, ",", &save); p; p = strtok_r(NULL, ",", &save), n++)
		if (add_pair(a, sel, run, p, err))
			return -1;
	return n ? 0 : bad_selector(run, "after `last:` come pairs KEY=VALUE", err);
}

static int no_match(struct store *s, const char *run, const struct selection *sel,
	const char *spec_name, const char *environment, struct error *err)
{
	int64_t n;
	if (strchr(run, ':') || !sel->n)
		return unknown(s, run, NULL, err);
	/* bare `last`, narrowed by the spec at hand: say so, or it cannot be understood */
	if (db_get_int(s, &n, 0, err, "SELECT count(*) FROM run", ""))
		return -1;
	return error_set(err, ERROR_USAGE, "unknown-run",
		"there is no run '%.200s' of spec '%.200s'%s%.200s%s among the %lld in '%s'; "
		"`loadverdict runs list` shows all",
		run, spec_name ? spec_name : "(any)", environment ? ", environment '" : "",
		environment ? environment : "", environment ? "'" : "", (long long)n, s->path);
}

static int find_last(struct store *s, struct arena *a, struct selection *sel, const char *run,
	const char *spec_name, const char *environment, int64_t *id, struct error *err)
{
	if (parse_last(a, sel, run, spec_name, environment, err))
		return -1;
	const char *sql = arena_printf(a,
		"SELECT r.id FROM run r JOIN revision v ON v.run_id = r.id"
		" WHERE v.number = (SELECT max(number) FROM revision WHERE run_id = r.id)%s"
		" ORDER BY r.id DESC LIMIT 1 OFFSET ?%zu",
		sel->where.at, sel->n + 1);
	sqlite3_stmt *st;
	if (db_query(s, &st, err, sql, ""))
		return -1;
	for (size_t i = 0; i < sel->n; i++)
		sqlite3_bind_text(st, (int)i + 1, sel->text[i], -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, (int)sel->n + 1, sel->skip);
	int row = db_step(s, st, err);
	*id = row > 0 ? sqlite3_column_int64(st, 0) : 0;
	sqlite3_finalize(st);
	if (row)
		return row < 0 ? -1 : 0;
	return no_match(s, run, sel, spec_name, environment, err);
}

/* Ids and names */

/* "7" or "7.2"; false for anything else */
static bool parse_id(const char *run, int64_t *id, int64_t *revision)
{
	char *end;
	errno = 0;
	if (!isdigit((unsigned char)*run))
		return false;
	*id = strtoll(run, &end, 10);
	*revision = 0;
	if (*end == '.' && isdigit((unsigned char)end[1])) {
		*revision = strtoll(end + 1, &end, 10);
		if (!*revision)
			*revision = INT64_MAX; /* revisions begin at 1 */
	}
	return !*end && !errno;
}

static int find_id(
	struct store *s, const char *run, int64_t id, int64_t revision, struct error *err)
{
	int64_t newest, there;
	if (db_get_int(s, &newest, 0, err, "SELECT max(number) FROM revision WHERE run_id = ?", "i",
		    id) ||
		db_get_int(s, &there, 0, err,
			"SELECT count(*) FROM revision WHERE run_id = ? AND number = ?", "ii", id,
			revision))
		return -1;
	if (!newest)
		return unknown(s, run, NULL, err);
	if (revision && !there)
		return error_set(err, ERROR_USAGE, "unknown-run",
			"there is no run '%.100s': the newest revision of run %lld is %lld", run,
			(long long)id, (long long)newest);
	return 0;
}

static int find_run(struct store *s, struct arena *a, struct selection *sel, const char *run,
	const char *spec_name, const char *environment, int64_t *id, int64_t *revision,
	struct error *err)
{
	*revision = 0;
	if (parse_id(run, id, revision))
		return find_id(s, run, *id, *revision, err);
	if (!strncmp(run, "last", 4))
		return find_last(s, a, sel, run, spec_name, environment, id, err);
	if (db_get_int(s, id, 0, err, "SELECT id FROM run WHERE name = ?", "t", run))
		return -1;
	return *id ? 0 : unknown(s, run, run, err);
}

int store_find(struct store *s, const char *run, const char *spec_name, const char *environment,
	int64_t *id, int *revision, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct selection sel = {.where = STRBUF_INIT};
	int64_t found, number;
	int rc = find_run(s, &a, &sel, run, spec_name, environment, &found, &number, err);
	if (!rc && !number)
		rc = db_get_int(s, &number, 0, err,
			"SELECT max(number) FROM revision WHERE run_id = ?", "i", found);
	strbuf_release(&sel.where);
	arena_release(&a);
	if (rc)
		return -1;
	*id = found;
	*revision = (int)number;
	return 0;
}
