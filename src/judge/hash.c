/* Hash: two independent multiplicative hashes over names and values. */
#include "judge/hash.h"

static void add(uint64_t id[2], const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		id[0] = (id[0] ^ *c) * 0x100000001b3u;
		id[1] = (id[1] + *c) * 0xff51afd7ed558ccdu;
		id[1] ^= id[1] >> 29;
	}
	id[0] = (id[0] ^ 0x1ff) * 0x100000001b3u;
	id[1] = (id[1] + 0x1ff) * 0xc4ceb9fe1a85ec53u;
	id[1] ^= id[1] >> 31;
}

void labels_hash(const struct labels *l, bool (*skip)(const char *name), uint64_t id[2])
{
	id[0] = 0xcbf29ce484222325u;
	id[1] = 0x9e3779b97f4a7c15u;
	for (size_t i = 0; i < l->n; i++) {
		if (skip && skip(l->at[i].name))
			continue;
		add(id, l->at[i].name);
		add(id, l->at[i].value);
	}
}
