/* Load: the order of the steps from a file's bytes to a spec. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/build.h"
#include "spec/check.h"
#include "spec/pack.h"
#include "spec/variable.h"

int read_file(struct loading *l, const char *path, char **text, size_t *n, struct error *err)
{
	size_t max = l->limits->file_bytes + 1;
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	char *bytes;
	bool failed;

	if (!f)
		return error_set(err, ERROR_USAGE, "bad-spec", "cannot read %s: %s",
			shown_text(l, path), strerror(errno));
	bytes = xmalloc(max + 1);
	errno = 0;
	*n = fread(bytes, 1, max, f);
	failed = ferror(f);
	if (failed)
		error_set(err, ERROR_USAGE, "bad-spec", "cannot read %s: %s", shown_text(l, path),
			strerror(errno));
	else
		*text = arena_strndup(l->a, bytes, *n);
	if (f != stdin)
		(void)fclose(f);
	free(bytes);
	return failed ? -1 : 0;
}

/* What --url replaces need not have a value: `url: '${PROMETHEUS_URL}'` on a laptop without it. */
static void replace_url(const struct spec_options *o, struct node *root)
{
	struct node *source = node_get(root, "source");
	struct node *url = source && source->kind == NODE_MAP ? node_get(source, "url") : NULL;

	if (o->url && url && url->kind == NODE_SCALAR)
		url->text = o->url;
}

void spec_load_limited(struct arena *a, const char *path, const char *text, size_t n,
	const struct spec_options *o, const struct spec_limits *limits, struct spec *out,
	struct problems *problems)
{
	struct loading l = {.a = a, .o = o, .limits = limits, .problems = problems, .path = path};
	struct node *root;

	*out = (struct spec){.path = path};
	root = node_read(&l, text, n, NULL);
	if (root && root->kind != NODE_MAP)
		problem_at(&l, root, "a spec is a map that begins with `loadverdict: 1`");
	else if (root) {
		out->source_text = arena_strndup(a, text, n);
		out->source_len = n;
		out->sha256 = sha256_hex(a, text, n);
		out->expanded = packs_expand(&l, root);
		replace_url(o, root);
		variables_fill(&l, root, &out->variables, &out->n_variables);
		check_node(&l, root, &type_spec);
		build_spec(&l, root, out);
	}
	problems_finish(&l);
	if (problems->n)
		return;
	out->judged_json = judged_json(a, out);
	out->judged_sha256 = sha256_hex(a, out->judged_json, strlen(out->judged_json));
}

void spec_load_text(struct arena *a, const char *path, const char *text, size_t n,
	const struct spec_options *o, struct spec *out, struct problems *problems)
{
	spec_load_limited(a, path, text, n, o, &spec_limits_default, out, problems);
}

int spec_load_file(struct arena *a, const char *path, const struct spec_options *o,
	struct spec *out, struct problems *problems, struct error *err)
{
	struct loading l = {.a = a, .limits = &spec_limits_default};
	char *text = NULL;
	size_t n = 0;

	if (read_file(&l, path, &text, &n, err) < 0)
		return -1;
	spec_load_text(a, path, text, n, o, out, problems);
	return 0;
}
