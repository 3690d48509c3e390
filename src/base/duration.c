/* Durations and sizes: whole or fractional amounts with units, exact in int64. */
#include "base/duration.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

struct unit {
	const char *name;
	int64_t size;
};

/* Largest first. "ms" before "m" would not be enough: a name is matched to its end. */
static const struct unit time_units[] = {
	{"y", INT64_C(365) * 86400000},
	{"w", INT64_C(7) * 86400000},
	{"d", 86400000},
	{"h", 3600000},
	{"m", 60000},
	{"s", 1000},
	{"ms", 1},
};

static const struct unit byte_units[] = {
	{"", 1},
	{"B", 1},
	{"kB", 1000},
	{"KB", 1000},
	{"MB", 1000000},
	{"GB", 1000000000},
	{"TB", INT64_C(1000000000000)},
	{"KiB", INT64_C(1) << 10},
	{"MiB", INT64_C(1) << 20},
	{"GiB", INT64_C(1) << 30},
	{"TiB", INT64_C(1) << 40},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct amount { /* digits / scale */
	int64_t digits;
	int64_t scale; /* a power of ten, 1 without a fraction */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "12" or "12.5"; at most 18 digits, so that nothing overflows. */
static bool read_amount(const char **p, struct amount *out)
{
	struct amount v = {0, 1};
	int n = 0;
	const char *s = *p;
	for (; is_digit(*s) && n < 18; s++, n++)
		v.digits = v.digits * 10 + (*s - '0');
	if (!n)
		return false;
	if (*s == '.') {
		s++;
		if (!is_digit(*s))
			return false;
		for (; is_digit(*s) && n < 18; s++, n++) {
			v.digits = v.digits * 10 + (*s - '0');
			v.scale *= 10;
		}
	}
	if (is_digit(*s))
		return false;
	*p = s;
	*out = v;
	return true;
}

/* The unit at *p up to the next digit or the end; NULL if there is none such. */
static const struct unit *read_unit(const char **p, const struct unit *units, size_t n)
{
	size_t len = strcspn(*p, "0123456789");
	for (size_t i = 0; i < n; i++)
		if (strlen(units[i].name) == len && !strncmp(units[i].name, *p, len)) {
			*p += len;
			return &units[i];
		}
	return NULL;
}

/* False if the product is no integer or does not fit. */
static bool scaled(struct amount v, int64_t size, int64_t *out)
{
	__extension__ __int128 product = (__int128)v.digits * size;
	if (product % v.scale || product / v.scale > INT64_MAX)
		return false;
	*out = (int64_t)(product / v.scale);
	return true;
}

bool duration_parse(const char *text, int64_t *ms)
{
	if (!strcmp(text, "0")) {
		*ms = 0;
		return true;
	}
	int64_t sum = 0;
	const struct unit *last = NULL;
	const char *p = text;
	do {
		struct amount v;
		int64_t part;
		if (!read_amount(&p, &v))
			return false;
		const struct unit *u = read_unit(&p, time_units, COUNT(time_units));
		if (!u || (last && u <= last) || !scaled(v, u->size, &part) ||
			__builtin_add_overflow(sum, part, &sum))
			return false;
		if (v.scale > 1 && (last || *p || u->size < 1000))
			return false;
		last = u;
	} while (*p);
	*ms = sum;
	return true;
}

/* Days are the largest unit written: "7d" says more to most readers than "1w". */
void duration_format(struct strbuf *b, int64_t ms)
{
	if (ms < 0)
		strbuf_addc(b, '-');
	uint64_t rest = ms < 0 ? 0 - (uint64_t)ms : (uint64_t)ms;
	if (!rest) {
		strbuf_adds(b, "0s");
		return;
	}
	for (size_t i = 2; i < COUNT(time_units); i++) {
		uint64_t size = (uint64_t)time_units[i].size;
		if (rest >= size)
			strbuf_addf(b, "%" PRIu64 "%s", rest / size, time_units[i].name);
		rest %= size;
	}
}

bool byte_size_parse(const char *text, int64_t *bytes)
{
	struct amount v;
	const char *p = text;
	if (!read_amount(&p, &v))
		return false;
	const struct unit *u = read_unit(&p, byte_units, COUNT(byte_units));
	return u && !*p && scaled(v, u->size, bytes);
}
