/* Arena: blocks of zeroed memory, freed together; and the checked malloc family.
 * Must not know what is stored in it. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
	struct arena_block *next;
	alignas(max_align_t) char bytes[];
};

static struct arena_block *block_new(struct arena *a, size_t size)
{
	struct arena_block *block = calloc(1, sizeof *block + size);
	if (!block)
		error_out_of_memory();
	a->total += sizeof *block + size;
	return block;
}

/* A large piece gets a block of its own behind the head, whose rest stays in use. */
static void *alloc_alone(struct arena *a, size_t size)
{
	struct arena_block *block = block_new(a, size);
	block->next = a->head->next;
	a->head->next = block;
	return block->bytes;
}

void *arena_alloc(struct arena *a, size_t size)
{
	if (size > PTRDIFF_MAX - FIRST_BLOCK)
		error_out_of_memory();
	size_t align = alignof(max_align_t);
	size = size ? (size + align - 1) / align * align : align;
	if (size > a->cap - a->used) {
		if (a->head && size > a->cap / 4)
			return alloc_alone(a, size);
		size_t cap = a->cap ? a->cap * 2 : FIRST_BLOCK;
		if (cap > LARGEST_BLOCK)
			cap = LARGEST_BLOCK;
		if (cap < size)
			cap = size;
		struct arena_block *block = block_new(a, cap);
		block->next = a->head;
		a->head = block;
		a->cap = cap;
		a->used = 0;
	}
	void *p = a->head->bytes + a->used;
	a->used += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_alloc(a, n + 1);
	if (n)
		memcpy(copy, s, n);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	char *copy = arena_strndup(a, text.at, text.n);
	strbuf_release(&text);
	return copy;
}

void arena_release(struct arena *a)
{
	for (struct arena_block *block = a->head, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	*a = (struct arena)ARENA_INIT;
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);
	if (!p)
		error_out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t size)
{
	void *moved = realloc(p, size ? size : 1);
	if (!moved)
		error_out_of_memory();
	return moved;
}

char *xstrdup(const char *s)
{
	size_t size = strlen(s) + 1;
	return memcpy(xmalloc(size), s, size);
}
