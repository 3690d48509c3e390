/* Evidence: the staleness marker, and how a query is found again. Knows neither source nor archive.
 */
#include "judge/evidence.h"

#include <string.h>

static const uint64_t stale_bits = 0x7ff0000000000002; /* value.StaleNaN of Prometheus */

double sample_stale(void)
{
	double v;
	memcpy(&v, &stale_bits, sizeof v);
	return v;
}

bool sample_is_stale(double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	return bits == stale_bits;
}

ptrdiff_t evidence_find(const struct evidence *e, const struct query *q)
{
	for (size_t i = 0; i < e->n_answers; i++) {
		const struct query *have = &e->answers[i].query;
		if (have->kind == q->kind && have->from_ms == q->from_ms &&
			have->to_ms == q->to_ms && !strcmp(have->text, q->text))
			return (ptrdiff_t)i;
	}
	return -1;
}
