/* Records of a file: their values and columns. */
#include "transfer/entry.h"

#include <stdlib.h>

void entry_init(struct entry *r)
{
	memset(r, 0, sizeof *r);
	arena_init(&r->arena);
}

void entry_clear(struct entry *r)
{
	arena_free(&r->arena);
	entry_init(r);
}

void entry_free(struct entry *r)
{
	arena_free(&r->arena);
}

void entry_refuse(struct entry *r, const char *format, ...)
{
	va_list args;

	if (r->refused)
		return;
	va_start(args, format);
	r->refused = arena_vprintf(&r->arena, format, args);
	va_end(args);
}

void entry_lose(struct entry *r, const char *at, const char *why_format, ...)
{
	struct entry_lost *l = arena_alloc(&r->arena, sizeof *l), **last = &r->lost;
	va_list args;

	va_start(args, why_format);
	*l = (struct entry_lost){.at = arena_dupz(&r->arena, at), .why = arena_vprintf(&r->arena, why_format, args)};
	va_end(args);
	while (*last)
		last = &(*last)->next;
	*last = l;
}

void entry_add(struct entry *r, size_t column, const char *text, size_t len)
{
	if (len == 0)
		return;
	r->size += len;
	if (r->size > ENTRY_MAX)
		entry_refuse(r, "is longer than %d bytes", ENTRY_MAX);
	if (r->n_values == ENTRY_VALUES_MAX)
		entry_refuse(r, "has more than %d values", ENTRY_VALUES_MAX);
	if (r->refused)
		return;
	if (!r->values)
		r->values = arena_alloc(&r->arena, sizeof *r->values * 16);
	else if (r->n_values >= 16 && (r->n_values & (r->n_values - 1)) == 0) {
		struct entry_value *more = arena_alloc(&r->arena, sizeof *more * r->n_values * 2);
		memcpy(more, r->values, sizeof *more * r->n_values);
		r->values = more;
	}
	r->values[r->n_values++] =
	    (struct entry_value){.column = column, .text = arena_dup(&r->arena, text, len), .len = len};
}

size_t entry_column(struct entry_columns *c, const char *name, size_t len)
{
	for (size_t i = 0; i < c->count; i++)
		if (strlen(c->names[i]) == len && memcmp(c->names[i], name, len) == 0)
			return i;
	return entry_column_add(c, name, len) ? c->count - 1 : ENTRY_COLUMNS_MAX;
}

bool entry_column_add(struct entry_columns *c, const char *name, size_t len)
{
	char *copy;

	if (c->count == ENTRY_COLUMNS_MAX)
		return false;
	len = len < ENTRY_COLUMN_NAME_MAX ? len : ENTRY_COLUMN_NAME_MAX;
	copy = mem_alloc(len + 1);
	memcpy(copy, name, len);
	copy[len] = '\0';
	c->names[c->count++] = copy;
	return true;
}

void entry_columns_free(struct entry_columns *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->names[i]);
	c->count = 0;
}
