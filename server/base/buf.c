/* Growable bytes with a maximum. After an overflow nothing more is added, so the content is always a prefix of the
 * whole. */
#include "server/base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"

enum { CAP_FIRST = 256 };

void buf_init(struct buf *b, size_t max)
{
	memset(b, 0, sizeof *b);
	b->max = max < SIZE_MAX / 4 ? max : SIZE_MAX / 4; /* so that the sums below cannot wrap */
}

void buf_free(struct buf *b)
{
	free(b->data);
	buf_init(b, b->max);
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	b->overflow = false;
	if (b->data)
		b->data[0] = '\0';
}

bool buf_grow(struct buf *b, size_t more)
{
	if (b->overflow || more > b->max - b->len) {
		b->overflow = true;
		return false;
	}
	size_t need = b->len + more + 1;
	if (need <= b->cap)
		return true;
	size_t cap = b->cap ? b->cap * 2 : CAP_FIRST;
	if (cap < need)
		cap = need;
	if (cap > b->max && need <= b->max + 1)
		cap = b->max + 1;
	b->data = mem_realloc(b->data, cap);
	b->cap = cap;
	return true;
}

void buf_fit(struct buf *b)
{
	if (b->cap <= b->len + 1)
		return;
	b->cap = b->len + 1;
	b->data = mem_realloc(b->data, b->cap);
	b->data[b->len] = '\0';
}

void buf_addz(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;

	if (!buf_grow(b, 0))
		return;
	va_start(args, format);
	int len = vsnprintf(b->data + b->len, b->cap - b->len, format, args);
	va_end(args);
	if (len < 0 || !buf_grow(b, (size_t)len)) {
		b->overflow = true;
		b->data[b->len] = '\0';
		return;
	}
	va_start(args, format);
	vsnprintf(b->data + b->len, b->cap - b->len, format, args);
	va_end(args);
	b->len += (size_t)len;
}

char *buf_take(struct buf *b, size_t *len)
{
	char *data = b->data;

	if (data)
		data[b->len] = '\0';
	if (len)
		*len = b->len;
	b->data = NULL;
	b->len = b->cap = 0;
	return data;
}
