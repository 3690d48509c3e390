/* Catalogue: the texts for people, compiled in from templates/LANG.catalogue, and how their
 * parameters are filled in. Must not know where a text is used.
 *
 * A line is `key = text`. {name} is replaced by the parameter of that name; {name:KIND} shows it as
 * a number of that kind if it is one, and leaves it alone otherwise. Kinds: n (count), % (share of
 * 0..1), s (seconds), p (percentile). The result is plain text, not escaped for any format. */
#include "report/catalogue.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "report/show.h"

#define SAY_MAX 24 /* names and values of one catalogue_say */

/* made by tools/embed.py from the two files, in the order of enum lang */
extern const struct embedded_file catalogue_files[];

static struct {
	struct catalogue_entry *at;
	size_t n, cap;
} table[2];
static struct arena texts; /* lives as long as the process */

static int by_key(const void *a, const void *b)
{
	return strcmp(
		((const struct catalogue_entry *)a)->key, ((const struct catalogue_entry *)b)->key);
}

static void parse_line(enum lang lang, const char *line, size_t n)
{
	const char *equals = memchr(line, '=', n);

	if (!n || *line == '#')
		return;
	assert(equals && equals - line >= 2 && equals[-1] == ' ' && equals[1] == ' ');
	struct catalogue_entry *e = ARRAY_ADD(&table[lang]);
	e->key = arena_strndup(&texts, line, (size_t)(equals - 1 - line));
	e->text = arena_strndup(&texts, equals + 2, n - (size_t)(equals + 2 - line));
}

static void parse(enum lang lang)
{
	const char *p = catalogue_files[lang].bytes;

	while (*p) {
		size_t n = strcspn(p, "\n");
		parse_line(lang, p, n);
		p += n + (p[n] == '\n');
	}
	qsort(table[lang].at, table[lang].n, sizeof *table[lang].at, by_key);
}

const struct catalogue_entry *catalogue_all(enum lang lang, size_t *n)
{
	if (!table[lang].n)
		parse(lang);
	*n = table[lang].n;
	return table[lang].at;
}

const char *catalogue_find(enum lang lang, const char *key)
{
	size_t n;
	const struct catalogue_entry *all = catalogue_all(lang, &n);
	const struct catalogue_entry wanted = {.key = key};
	const struct catalogue_entry *found = bsearch(&wanted, all, n, sizeof *all, by_key);

	return found ? found->text : NULL;
}

bool catalogue_has(enum lang lang, const char *key)
{
	return catalogue_find(lang, key) != NULL;
}

const char *catalogue_text(enum lang lang, const char *key)
{
	const char *text = catalogue_find(lang, key);

	assert(text);
	return text;
}

/* value of a parameter, NULL if it is unknown */
typedef const char *(*lookup_fn)(const void *args, const char *name);

static void add_as(struct strbuf *b, enum lang lang, const char *name, const char *value, char kind,
	const char *objective)
{
	if (!kind || !show_is_number(value)) {
		strbuf_adds(b, value);
	} else if (kind == 'n') {
		show_count(b, value);
	} else if (kind == 's') {
		show_seconds(b, lang, value);
	} else if (kind == 'p') {
		strbuf_addf(b, "p%s", value);
	} else if (!strcmp(name, "objective")) {
		show_objective(b, lang, value);
	} else {
		show_percent(b, lang, value, value, objective);
	}
}

/* {name} or {name:KIND} at p; its length, or 0 if there is none */
static size_t hole_at(const char *p, char *name, size_t size, char *kind)
{
	size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz_");
	const char *end = p + 1 + n;

	*kind = 0;
	if (!n || n >= size)
		return 0;
	if (*end == ':' && end[1]) {
		*kind = end[1];
		end += 2;
	}
	if (*end != '}')
		return 0;
	memcpy(name, p + 1, n);
	name[n] = 0;
	return (size_t)(end + 1 - p);
}

static void fill(
	struct strbuf *b, enum lang lang, const char *key, lookup_fn lookup, const void *args)
{
	char name[32], kind;

	for (const char *p = catalogue_text(lang, key); *p;) {
		size_t plain = strcspn(p, "{");
		strbuf_add(b, p, plain);
		p += plain;
		if (!*p)
			break;
		size_t n = hole_at(p, name, sizeof name, &kind);
		const char *value = n ? lookup(args, name) : NULL;
		if (value) {
			add_as(b, lang, name, value, kind, lookup(args, "objective"));
			p += n;
		} else if (n) {
			strbuf_addf(b, "{%s}", name);
			p += n;
		} else {
			strbuf_addc(b, *p++);
		}
	}
}

static const char *from_tree(const void *args, const char *name)
{
	return tree_text(tree_get(args, name), NULL);
}

void catalogue_fill(struct strbuf *b, enum lang lang, const char *key, const struct tree *args)
{
	fill(b, lang, key, from_tree, args);
}

struct stage_args {
	const struct tree *args;
	char shown[3][64];
};

static const char *from_stage(const void *context, const char *name)
{
	static const char *const shares[] = {"low", "high", "limit"};
	const struct stage_args *s = context;

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(name, shares[i]) && *s->shown[i])
			return s->shown[i];
	return from_tree(s->args, name);
}

static void show_share_arg(char *out, size_t size, enum lang lang, const struct tree *args,
	const char *name, const char *limit)
{
	const char *value = from_tree(args, name);
	struct strbuf b = STRBUF_INIT;

	*out = 0;
	if (!value || !show_is_number(value))
		return;
	if (limit)
		show_percent(&b, lang, value, value, limit);
	else
		show_objective(&b, lang, value);
	snprintf(out, size, "%s", b.at);
	strbuf_release(&b);
}

void note_fill(struct strbuf *b, enum lang lang, const char *key, const char *subject,
	const struct tree *args)
{
	struct stage_args s = {.args = args};
	const char *limit = from_tree(args, "limit");

	if (!subject || strncmp(subject, "stage/", 6) != 0 || !limit) {
		catalogue_fill(b, lang, key, args);
		return;
	}
	show_share_arg(s.shown[0], sizeof s.shown[0], lang, args, "low", limit);
	show_share_arg(s.shown[1], sizeof s.shown[1], lang, args, "high", limit);
	show_share_arg(s.shown[2], sizeof s.shown[2], lang, args, "limit", NULL);
	fill(b, lang, key, from_stage, &s);
}

static const char *from_pairs(const void *args, const char *name)
{
	for (const char *const *pair = args; pair[0]; pair += 2)
		if (!strcmp(pair[0], name))
			return pair[1];
	return NULL;
}

void catalogue_say(struct strbuf *b, enum lang lang, const char *key, ...)
{
	const char *pair[SAY_MAX + 1] = {NULL};
	size_t n = 0;
	va_list ap;

	va_start(ap, key);
	for (const char *name; (name = va_arg(ap, const char *)) != NULL; n += 2) {
		const char *value = va_arg(ap, const char *);
		assert(n < SAY_MAX);
		pair[n] = name;
		pair[n + 1] = value ? value : "";
	}
	va_end(ap);
	fill(b, lang, key, from_pairs, pair);
}
