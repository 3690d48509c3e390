/* Words: a server's own text made fit for a message. */
#include "source/words.h"

#include <string.h>
#include <yajl/yajl_tree.h>

#include "base/utf8.h"

static bool is_blank(unsigned char c)
{
	return c <= ' ' || c == 0x7f;
}

void words_add(struct strbuf *b, const char *s, size_t n, size_t max)
{
	struct strbuf valid = STRBUF_INIT;
	struct strbuf line = STRBUF_INIT;
	utf8_add_repaired(&valid, s, n < 8 * max ? n : 8 * max);
	for (size_t i = 0; i < valid.n; i++) {
		bool c1 = valid.at[i] == '\xc2' && (unsigned char)valid.at[i + 1] < 0xa0;
		if (!c1 && !is_blank((unsigned char)valid.at[i]))
			strbuf_addc(&line, valid.at[i]);
		else if (line.n && line.at[line.n - 1] != ' ')
			strbuf_addc(&line, ' ');
		i += c1;
	}
	while (line.n && line.at[line.n - 1] == ' ')
		line.at[--line.n] = 0;
	size_t fits = utf8_cut(line.at, line.n, max);
	strbuf_add(b, line.at, fits);
	if (fits < line.n)
		strbuf_adds(b, "...");
	strbuf_release(&valid);
	strbuf_release(&line);
}

static const char *string_at(yajl_val tree, const char *key)
{
	const char *path[] = {key, NULL};
	yajl_val v = yajl_tree_get(tree, path, yajl_t_string);
	return v ? YAJL_GET_STRING(v) : NULL;
}

static bool words_of_json(struct strbuf *b, const char *body)
{
	yajl_val tree = yajl_tree_parse(body, NULL, 0);
	const char *text = string_at(tree, "error");
	const char *type = string_at(tree, "errorType");
	if (!text) /* gateways */
		text = string_at(tree, "message");
	if (text && type && *type) {
		words_add(b, type, strlen(type), 40);
		strbuf_adds(b, ": ");
	}
	if (text)
		words_add(b, text, strlen(text), WORDS_MAX);
	yajl_tree_free(tree);
	return text != NULL;
}

void words_of_body(struct strbuf *b, const char *body, size_t n)
{
	struct strbuf text = STRBUF_INIT;
	utf8_add_repaired(&text, body, n);
	if (text.n && text.at[strspn(text.at, " \t\r\n")] == '{' && words_of_json(b, text.at)) {
		strbuf_release(&text);
		return;
	}
	bool html = text.at[strspn(text.at, " \t\r\n")] == '<', tag = false;
	struct strbuf line = STRBUF_INIT;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.at[i];
		if (html && c == '<')
			tag = true;
		if (!tag && (line.n || !is_blank((unsigned char)c)))
			strbuf_addc(&line, c);
		if (tag && c == '>')
			tag = false;
		if (line.n && line.at[line.n - 1] == '\n')
			break;
	}
	words_add(b, line.at, line.n, WORDS_MAX);
	strbuf_release(&line);
	strbuf_release(&text);
}
