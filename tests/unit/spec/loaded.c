/* Loaded: see loaded.h. */
#include <stdio.h>

#include "loaded.h"

#define HEAD "loadverdict: 1\nname: t\n"
#define STAGE "stages: [{ id: s, objective: 99%, good: g, total: t }]\n"

void load_whole(struct loaded *l, const char *yaml, size_t n, const struct spec_options *o,
	const struct spec_limits *limits)
{
	struct spec_options options = {0};

	memset(l, 0, sizeof *l);
	if (o)
		options = *o;
	options.rx = l->rx = regex_compiler_new();
	spec_load_limited(&l->a, "t.yaml", yaml, n, &options,
		limits ? limits : &spec_limits_default, &l->spec, &l->problems);
}

static void complete(struct strbuf *b, const char *fragment)
{
	strbuf_adds(b, HEAD);
	strbuf_adds(b, fragment);
	if (b->at[b->n - 1] != '\n')
		strbuf_addc(b, '\n');
	if (!strstr(b->at, "\nstages:") && !strstr(b->at, "\ninvariants:"))
		strbuf_adds(b, STAGE);
}

void load_fragment(struct loaded *l, const char *fragment, const struct spec_options *o)
{
	struct strbuf b = STRBUF_INIT;

	complete(&b, fragment);
	load_whole(l, b.at, b.n, o, NULL);
	strbuf_release(&b);
}

void loaded_release(struct loaded *l)
{
	free(l->problems.at);
	arena_release(&l->a);
	regex_compiler_free(l->rx);
}

void has_problems(const struct loaded *l, const char *yaml, const char *expected)
{
	struct strbuf got = STRBUF_INIT;
	const char *want = expected;
	int same = 1;

	for (size_t i = 0; i < l->problems.n; i++) {
		const struct problem *p = &l->problems.at[i];
		size_t from = got.n, n = strcspn(want, "\n");

		strbuf_addf(&got, "%d:%d: %s\n", p->line, p->column, p->text);
		if (n == 0 || strncmp(got.at + from, want, n) != 0)
			same = 0;
		want += n;
		want += *want == '\n';
	}
	if (!same || *want)
		fail_msg("%s\n--- expected\n%s\n--- got\n%s", yaml, expected, got.at);
	strbuf_release(&got);
}

void accepts(const char *fragment)
{
	refuses(fragment, "");
}

void refuses_with(const char *fragment, const struct spec_options *o, const char *expected)
{
	struct loaded l;

	load_fragment(&l, fragment, o);
	has_problems(&l, fragment, expected);
	loaded_release(&l);
}

void refuses(const char *fragment, const char *expected)
{
	refuses_with(fragment, NULL, expected);
}

void refuses_whole(const char *yaml, const char *expected)
{
	struct loaded l;

	load_whole(&l, yaml, strlen(yaml), NULL, NULL);
	has_problems(&l, yaml, expected);
	loaded_release(&l);
}

int any_text_has(const struct loaded *l, const char *part)
{
	for (size_t i = 0; i < l->problems.n; i++)
		if (strstr(l->problems.at[i].text, part))
			return 1;
	return 0;
}
