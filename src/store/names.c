/* Names: which texts may name a run, and which names are near one another. Pure. */
#include "store/rows.h"

#include <string.h>

#include "base/utf8.h"

enum { NAME_MAX_BYTES = 200 };

static int bad_name(const char *name, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, "usage",
		"'%.200s' cannot name a run: %s; choose another --name", name, why);
}

/* "7" is an id and "7.2" a revision of it. */
static bool looks_like_id(const char *name)
{
	size_t n = strspn(name, "0123456789");
	if (n && name[n] == '.')
		n += 1 + strspn(name + n + 1, "0123456789");
	return !name[n];
}

int run_name_check(const char *name, struct error *err)
{
	size_t n = strlen(name);
	if (!n)
		return error_set(err, ERROR_USAGE, "usage", "the name of a run cannot be empty");
	if (n > NAME_MAX_BYTES)
		return error_set(err, ERROR_USAGE, "usage",
			"the name of a run cannot be longer than 200 bytes; choose another --name");
	if (!utf8_valid(name, n))
		return error_set(err, ERROR_USAGE, "usage",
			"the name of a run must be UTF-8; choose another --name");
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
			return error_set(err, ERROR_USAGE, "usage",
				"the name of a run cannot hold control characters; choose another "
				"--name");
	if (looks_like_id(name))
		return bad_name(name, "it would read as an id or a revision", err);
	if (!strncmp(name, "last", 4))
		return bad_name(name, "names do not start with 'last'", err);
	return 0;
}

static size_t least(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;
	return m < c ? m : c;
}

size_t edit_distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	if (n > NAME_MAX_BYTES || m > NAME_MAX_BYTES)
		return SIZE_MAX;
	size_t row[NAME_MAX_BYTES + 1];
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t above = row[j];
			row[j] =
				least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[m];
}
