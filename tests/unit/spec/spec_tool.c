/* spec_tool: what the drift tests need of the loader.
 *   spec_tool table            the table of keys as JSON
 *   spec_tool load FILE...     loads specs; prints problems; exit 1 if there are any */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/load.h"
#include "spec/schema.h"

static const char *const kind_names[TYPE_KINDS] = {"map", "dict", "list", "format", "string",
	"open", "text", "id", "label", "variable", "value", "percentile", "header", "word", "bool",
	"integer", "number", "share", "per_time", "duration", "seconds", "selector", "histogram",
	"matchers", "exclude", "query", "url", "path", "zone", "pack", "any"};

static struct {
	const struct type *at[100];
	size_t n;
} maps;

static void note_map(const struct type *t)
{
	for (size_t i = 0; i < maps.n; i++)
		if (maps.at[i] == t)
			return;
	maps.at[maps.n++] = t;
}

static void print_type(const struct type *t)
{
	printf("{\"kind\":\"%s\"", kind_names[t->kind]);
	if (t->kind == TYPE_MAP) {
		printf(",\"name\":\"%s\"", t->name);
		note_map(t);
	}
	if (t->kind == TYPE_DICT)
		printf(",\"keys\":\"%s\"", kind_names[t->key_type]);
	if (t->kind == TYPE_LIST)
		printf(",\"may_be_empty\":%s", t->may_be_empty ? "true" : "false");
	if (t->of) {
		printf(",\"of\":");
		print_type(t->of);
	}
	for (const char *const *w = t->words; w && *w; w++)
		printf("%s\"%s\"%s", w == t->words ? ",\"words\":[" : ",", *w, w[1] ? "" : "]");
	if (t->other) {
		printf(",\"other\":");
		print_type(t->other);
	}
	printf("}");
}

static void print_map(const struct type *t)
{
	printf("\"%s\":{", t->name);
	for (const struct key *k = t->keys; k->name; k++) {
		printf("%s\n  \"%s\":{\"flags\":%u", k == t->keys ? "" : ",", k->name, k->flags);
		if (k->type) {
			printf(",\"type\":");
			print_type(k->type);
		}
		printf("}");
	}
	printf("}");
}

static int print_table(void)
{
	note_map(&type_spec);
	note_map(&type_pack_file);
	printf("{");
	for (size_t i = 0; i < maps.n; i++) {
		printf("%s\n", i ? "," : "");
		print_map(maps.at[i]);
	}
	printf("}\n");
	return 0;
}

static int load_file(const char *path, struct regex_compiler *rx)
{
	struct spec_options o = {.rx = rx};
	struct arena a = ARENA_INIT;
	struct problems problems = {0};
	struct error err;
	struct spec spec;
	int failed = 0;

	if (spec_load_file(&a, path, &o, &spec, &problems, &err) < 0) {
		printf("%s: %s\n", path, err.text);
		failed = 1;
	}
	for (size_t i = 0; i < problems.n; i++)
		printf("%s:%d:%d: %s\n", path, problems.at[i].line, problems.at[i].column,
			problems.at[i].text);
	failed = failed || problems.n;
	free(problems.at);
	arena_release(&a);
	return failed;
}

int main(int argc, char **argv)
{
	struct regex_compiler *rx;
	int failed = 0;

	if (argc == 2 && !strcmp(argv[1], "table"))
		return print_table();
	if (argc < 3 || strcmp(argv[1], "load") != 0)
		return 2;
	rx = regex_compiler_new();
	for (int i = 2; i < argc; i++)
		failed = load_file(argv[i], rx) || failed;
	regex_compiler_free(rx);
	return failed;
}
