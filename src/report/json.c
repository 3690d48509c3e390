/* JSON: the model as it is. Must not know what stands in it. */
#include "report/render.h"

#include <assert.h>
#include <string.h>
#include <yajl/yajl_gen.h>

/* DEL, C1 controls, bidi marks and line separators are valid in JSON, but act on the terminal that
 * shows it; yajl hands a string's bytes on without cutting a character */
static size_t treacherous(const char *s, size_t n, unsigned *c)
{
	const unsigned char *p = (const unsigned char *)s;

	if (*p == 0x7f) {
		*c = *p;
		return 1;
	}
	if (n >= 2 && p[0] == 0xc2 && p[1] < 0xa0) {
		*c = p[1];
		return 2;
	}
	if (n < 3 || (p[0] & 0xf0) != 0xe0)
		return 0;
	*c = (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
	return (*c >= 0x200b && *c <= 0x200f) || (*c >= 0x2028 && *c <= 0x202e) ||
			       (*c >= 0x2060 && *c <= 0x206f) || *c == 0x61c || *c == 0xfeff
		       ? 3
		       : 0;
}

static void print(void *out, const char *s, size_t n)
{
	size_t from = 0, i = 0;
	unsigned c;

	while (i < n) {
		size_t length = treacherous(s + i, n - i, &c);
		if (!length) {
			i++;
			continue;
		}
		strbuf_add(out, s + from, i - from);
		strbuf_addf(out, "\\u%04x", c);
		from = i += length;
	}
	strbuf_add(out, s + from, n - from);
}

/* the model is a few levels deep, and so is the recursion */
/* NOLINTBEGIN(misc-no-recursion) */
static void generate(yajl_gen g, const struct tree *t);

static void generate_children(yajl_gen g, const struct tree *t)
{
	bool object = t->type == TREE_OBJECT;

	if (!t->first) {
		/* yajl would spread an empty list over three lines */
		yajl_gen_number(g, object ? "{}" : "[]", 2);
		return;
	}
	if (object)
		yajl_gen_map_open(g);
	else
		yajl_gen_array_open(g);
	for (const struct tree *c = t->first; c; c = c->next) {
		if (object)
			yajl_gen_string(g, (const unsigned char *)c->key, strlen(c->key));
		generate(g, c);
	}
	if (object)
		yajl_gen_map_close(g);
	else
		yajl_gen_array_close(g);
}

static void generate(yajl_gen g, const struct tree *t)
{
	switch (t->type) {
	case TREE_NULL:
		yajl_gen_null(g);
		break;
	case TREE_BOOL:
		yajl_gen_bool(g, t->boolean);
		break;
	case TREE_NUMBER:
		yajl_gen_number(g, t->text, strlen(t->text));
		break;
	case TREE_STRING:
		yajl_gen_string(g, (const unsigned char *)t->text, strlen(t->text));
		break;
	case TREE_ARRAY:
	case TREE_OBJECT:
		generate_children(g, t);
		break;
	}
}
/* NOLINTEND(misc-no-recursion) */

void render_json(struct strbuf *out, const struct tree *model)
{
	yajl_gen g = yajl_gen_alloc(NULL);

	if (!g)
		error_out_of_memory();
	yajl_gen_config(g, yajl_gen_beautify, 1);
	yajl_gen_config(g, yajl_gen_indent_string, "  ");
	yajl_gen_config(g, yajl_gen_print_callback, print, out);
	generate(g, model);
	yajl_gen_free(g);
}
