/* Node: libyaml's events -> a tree of texts with places, under limits.
 * Refuses what the format leaves out: tags, merge keys, complex keys, a second document. */
#include <string.h>
#include <yaml.h>

#include "base/utf8.h"
#include "spec/loading.h"

struct anchor {
	const char *name;
	struct node *node;
};

struct reader {
	struct loading *l;
	const struct origin *origin;
	const char *text;
	size_t n;
	yaml_parser_t parser;
	yaml_event_t event;
	bool failed;
	ARRAY_OF(struct anchor) anchors;
	/* a cursor for text_after: start of a line */
	size_t line, line_at;
};

const struct spec_limits spec_limits_default = {
	.file_bytes = 1 << 20,
	.nodes = 100000,
	.depth = 32,
	.keys = 1000,
	.selectors = 200,
	.aliases = 200,
	.scalar_bytes = 16384,
	.problems = 500,
};

static struct node *read_value(struct reader *r, size_t depth);

static void fail(struct reader *r, const yaml_mark_t *m, const char *text)
{
	r->failed = true;
	problem_mark(r->l, r->origin, (int)m->line + 1, (int)m->column + 1, "%s", text);
}

/* The rest of the text after a mark; marks must come in order of lines. */
static const char *text_after(struct reader *r, const yaml_mark_t *m)
{
	const char *end = r->text + r->n, *p;

	while (r->line < m->line) {
		const char *nl = memchr(r->text + r->line_at, '\n', r->n - r->line_at);

		if (!nl)
			return end;
		r->line_at = (size_t)(nl + 1 - r->text);
		r->line++;
	}
	p = r->text + r->line_at;
	for (size_t c = 0; c < m->column && p < end; c++)
		do
			p++;
		while (p < end && ((unsigned char)*p & 0xc0) == 0x80);
	return p;
}

/* libyaml knows only the byte where a character cannot be read. */
static yaml_mark_t mark_at(const struct reader *r, size_t offset)
{
	yaml_mark_t m = {0};

	for (size_t i = 0; i < offset && i < r->n; i++) {
		m.column += ((unsigned char)r->text[i] & 0xc0) != 0x80;
		if (r->text[i] == '\n') {
			m.line++;
			m.column = 0;
		}
	}
	return m;
}

/* A mistake in YAML is most often an unquoted selector or variable. */
static void fail_syntax(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	yaml_mark_t mark = p->problem_mark;
	const char *what = p->problem ? p->problem : "cannot be read", *hint = "", *rest;

	if (p->error == YAML_READER_ERROR)
		mark = mark_at(r, p->problem_offset);
	/* the event's place is lost when libyaml fails early; the cursor may be behind the mark */
	if (mark.line < r->line)
		r->line = r->line_at = 0;
	rest = text_after(r, &mark);
	if (strstr(what, "mapping values are not allowed") ||
		(*rest == '{' && strstr(what, "did not find expected")) ||
		strstr(what, "start any token"))
		hint = "; if this is a selector or a ${variable}, quote it: "
		       "'name{label=\"value\"}'";
	r->failed = true;
	problem_mark(r->l, r->origin, (int)mark.line + 1, (int)mark.column + 1,
		"not valid YAML: %s%s", what, hint);
}

static bool next_event(struct reader *r)
{
	if (r->failed)
		return false;
	if (!yaml_parser_parse(&r->parser, &r->event)) {
		fail_syntax(r);
		return false;
	}
	return true;
}

static bool within_limits(struct loading *l, const struct origin *origin, int line, int column)
{
	if (++l->n_nodes <= l->limits->nodes)
		return true;
	if (!l->exhausted)
		problem_mark(l, origin, line, column,
			"more than %zu values, packs and aliases written out: make the spec "
			"smaller",
			l->limits->nodes);
	l->exhausted = true;
	return false;
}

static struct node *new_node(struct reader *r, enum node_kind kind, const yaml_mark_t *m)
{
	int line = (int)m->line + 1, column = (int)m->column + 1;
	struct node *n;

	if (!within_limits(r->l, r->origin, line, column)) {
		r->failed = true;
		return NULL;
	}
	n = arena_new(r->l->a, struct node);
	n->kind = kind;
	n->line = line;
	n->column = column;
	n->origin = r->origin;
	return n;
}

static void refuse_tag(struct reader *r, struct node *n, const yaml_char_t *tag)
{
	if (tag)
		problem_at(r->l, n, "tags (%s) are not allowed: types follow from the key",
			shown_text(r->l, (const char *)tag));
}

static void remember(struct reader *r, const char *anchor, struct node *n)
{
	if (anchor)
		*ARRAY_ADD(&r->anchors) = (struct anchor){anchor, n};
}

static const char *copy_anchor(struct reader *r, const yaml_char_t *anchor)
{
	return anchor ? arena_strdup(r->l->a, (const char *)anchor) : NULL;
}

static bool is_null(const char *s)
{
	return !*s || !strcmp(s, "~") || !strcmp(s, "null") || !strcmp(s, "Null") ||
	       !strcmp(s, "NULL");
}

static bool comment_follows(struct reader *r, const yaml_mark_t *m)
{
	const char *p = text_after(r, m), *end = r->text + r->n;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p < end && *p == '#';
}

static struct node *read_scalar(struct reader *r)
{
	const char *value = (const char *)r->event.data.scalar.value;
	size_t n = r->event.data.scalar.length;
	struct node *node = new_node(r, NODE_SCALAR, &r->event.start_mark);

	if (!node)
		return NULL;
	node->text = "";
	if (n > r->l->limits->scalar_bytes)
		problem_at(r->l, node, "a text of more than %zu bytes", r->l->limits->scalar_bytes);
	else if (memchr(value, '\0', n))
		problem_at(r->l, node, "a text must not hold a NUL character");
	else
		node->text = arena_strndup(r->l->a, value, n);
	if (r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
		node->null = !node->bad && is_null(node->text);
		node->cut = comment_follows(r, &r->event.end_mark);
	}
	refuse_tag(r, node, r->event.data.scalar.tag);
	remember(r, copy_anchor(r, r->event.data.scalar.anchor), node);
	return node;
}

static struct node *read_alias(struct reader *r)
{
	const char *name = (const char *)r->event.data.alias.anchor;
	yaml_mark_t at = r->event.start_mark;
	struct node *copy;

	if (++r->l->n_aliases > r->l->limits->aliases) {
		if (!r->l->exhausted)
			fail(r, &at,
				arena_printf(
					r->l->a, "more than %zu aliases", r->l->limits->aliases));
		r->l->exhausted = r->failed = true;
		return NULL;
	}
	for (size_t i = r->anchors.n; i-- > 0;) {
		if (strcmp(r->anchors.at[i].name, name) != 0)
			continue;
		copy = node_copy(r->l, r->anchors.at[i].node, r->origin);
		if (!copy)
			r->failed = true;
		return copy;
	}
	fail(r, &at,
		arena_printf(
			r->l->a, "the alias %s has no anchor before it", shown_text(r->l, name)));
	return NULL;
}

/* read_value ends at limits->depth. */
/* NOLINTBEGIN(misc-no-recursion) */
static struct node *read_list(struct reader *r, size_t depth)
{
	struct node *list = new_node(r, NODE_LIST, &r->event.start_mark);
	const char *anchor = copy_anchor(r, r->event.data.sequence_start.anchor);

	if (!list)
		return NULL;
	refuse_tag(r, list, r->event.data.sequence_start.tag);
	for (;;) {
		struct node *item;

		yaml_event_delete(&r->event);
		if (!next_event(r))
			return NULL;
		if (r->event.type == YAML_SEQUENCE_END_EVENT)
			break;
		item = read_value(r, depth + 1);
		if (!item)
			return NULL;
		node_append(list, item);
	}
	remember(r, anchor, list);
	return list;
}

/* False: the member is not to be kept; a problem was reported. */
static bool key_usable(struct reader *r, const struct node *map, struct node *key)
{
	const struct node *twin;

	if (key->kind != NODE_SCALAR) {
		problem_at(r->l, key,
			"a key must be a plain word, not %s; if this is a selector or a "
			"${variable}, quote it",
			shown(r->l, key));
		return false;
	}
	if (!strcmp(key->text, "<<")) {
		problem_at(r->l, key, "merge keys (<<) are not allowed: write the keys out");
		return false;
	}
	if (key->bad)
		return false;
	twin = node_get(map, key->text);
	if (twin) {
		problem_at(r->l, key, "the key %s is given twice (first in line %d)",
			shown(r->l, key), twin->key->line);
		return false;
	}
	return true;
}

static bool keys_within_limit(struct reader *r, const struct node *map)
{
	if (map->n < r->l->limits->keys)
		return true;
	r->failed = true;
	problem_mark(r->l, r->origin, map->line, map->column, "a map of more than %zu keys",
		r->l->limits->keys);
	return false;
}

static struct node *read_map(struct reader *r, size_t depth)
{
	struct node *map = new_node(r, NODE_MAP, &r->event.start_mark);
	const char *anchor = copy_anchor(r, r->event.data.mapping_start.anchor);

	if (!map)
		return NULL;
	refuse_tag(r, map, r->event.data.mapping_start.tag);
	for (;;) {
		struct node *key, *value;

		yaml_event_delete(&r->event);
		if (!next_event(r))
			return NULL;
		if (r->event.type == YAML_MAPPING_END_EVENT)
			break;
		key = read_value(r, depth + 1);
		if (!key)
			return NULL;
		yaml_event_delete(&r->event);
		if (!next_event(r))
			return NULL;
		value = read_value(r, depth + 1);
		if (!value || !keys_within_limit(r, map))
			return NULL;
		if (!key_usable(r, map, key)) {
			map->bad = true;
			continue;
		}
		value->key = key;
		node_append(map, value);
	}
	remember(r, anchor, map);
	return map;
}

/* The value whose first event is r->event. */
static struct node *read_value(struct reader *r, size_t depth)
{
	if (depth > r->l->limits->depth) {
		fail(r, &r->event.start_mark,
			arena_printf(
				r->l->a, "maps and lists more than %zu deep", r->l->limits->depth));
		return NULL;
	}
	switch (r->event.type) {
	case YAML_SCALAR_EVENT:
		return read_scalar(r);
	case YAML_ALIAS_EVENT:
		return read_alias(r);
	case YAML_SEQUENCE_START_EVENT:
		return read_list(r, depth);
	case YAML_MAPPING_START_EVENT:
		return read_map(r, depth);
	default:
		fail(r, &r->event.start_mark, "not valid YAML: a value is missing");
		return NULL;
	}
}
/* NOLINTEND(misc-no-recursion) */

static struct node *read_documents(struct reader *r)
{
	struct node *root = NULL;

	for (;;) {
		yaml_event_type_t type;

		if (!next_event(r))
			return NULL;
		type = r->event.type;
		if (type == YAML_STREAM_END_EVENT) {
			yaml_event_delete(&r->event);
			return root;
		}
		if (type == YAML_DOCUMENT_START_EVENT) {
			if (root)
				fail(r, &r->event.start_mark,
					"a second document is not allowed: one file is one spec");
			if (r->event.data.document_start.tag_directives.start !=
				r->event.data.document_start.tag_directives.end)
				fail(r, &r->event.start_mark, "%TAG is not allowed");
		} else if (type != YAML_STREAM_START_EVENT && type != YAML_DOCUMENT_END_EVENT) {
			root = read_value(r, 1);
		}
		yaml_event_delete(&r->event);
	}
}

static bool bytes_usable(struct reader *r)
{
	struct loading *l = r->l;
	const char *bad = NULL;
	int line = 1;

	if (r->n > l->limits->file_bytes) {
		problem_mark(l, r->origin, 0, 0, "larger than %zu bytes", l->limits->file_bytes);
		return false;
	}
	if (utf8_valid(r->text, r->n))
		return true;
	for (const char *p = r->text, *end = p + r->n; p < end && !bad; line++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		nl = nl ? nl + 1 : end;
		if (!utf8_valid(p, (size_t)(nl - p)))
			bad = p;
		p = nl;
	}
	problem_mark(l, r->origin, line - 1, 1, "this line is not UTF-8: save the file as UTF-8");
	return false;
}

struct node *node_read(struct loading *l, const char *text, size_t n, const struct origin *origin)
{
	struct reader r = {.l = l, .origin = origin, .text = text, .n = n};
	struct node *root;

	if (n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		r.text += 3;
		r.n -= 3;
	}
	if (!bytes_usable(&r))
		return NULL;
	if (!yaml_parser_initialize(&r.parser))
		error_out_of_memory();
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)r.text, r.n);
	root = read_documents(&r);
	if (r.failed) {
		yaml_event_delete(&r.event);
		root = NULL;
	} else if (!root || root->null) {
		root = arena_new(l->a, struct node);
		*root = (struct node){.kind = NODE_MAP, .line = 1, .column = 1, .origin = origin};
	}
	yaml_parser_delete(&r.parser);
	ARRAY_RELEASE(&r.anchors);
	return root;
}

struct node *node_get(const struct node *map, const char *key)
{
	if (!map || map->kind != NODE_MAP)
		return NULL;
	for (struct node *m = map->first; m; m = m->next)
		if (!strcmp(m->key->text, key))
			return m;
	return NULL;
}

void node_append(struct node *parent, struct node *child)
{
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	parent->n++;
}

void node_replace(struct node *parent, struct node *old, struct node *new_node)
{
	struct node **at = &parent->first;

	while (*at != old)
		at = &(*at)->next;
	*at = new_node;
	new_node->next = old->next;
	new_node->key = old->key;
	if (parent->last == old)
		parent->last = new_node;
}

/* As deep as what was read. */
/* NOLINTBEGIN(misc-no-recursion) */
struct node *node_copy(struct loading *l, const struct node *n, const struct origin *origin)
{
	struct node *copy;

	if (!within_limits(l, n->origin, n->line, n->column))
		return NULL;
	copy = arena_new(l->a, struct node);
	*copy = *n;
	copy->origin = origin;
	if (n->key) {
		copy->key = arena_new(l->a, struct node);
		*copy->key = *n->key;
		copy->key->origin = origin;
	}
	copy->first = copy->last = copy->next = NULL;
	copy->n = 0;
	for (const struct node *m = n->first; m; m = m->next) {
		struct node *child = node_copy(l, m, origin);

		if (!child)
			return NULL;
		node_append(copy, child);
	}
	return copy;
}
/* NOLINTEND(misc-no-recursion) */
