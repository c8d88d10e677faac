/*
 * A growable string of bytes with a stated maximum: answers, SQL text, log
 * lines. Over the maximum it keeps what it has and remembers the overflow, so
 * that writers need not check every call.
 */
#ifndef KITH_BASE_BUF_H
#define KITH_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct buf {
	char *data; /* malloc()ed; always NUL terminated once something was added */
	size_t len; /* bytes, without the NUL */
	size_t cap;
	size_t max;    /* bytes; never more than this in len */
	bool overflow; /* something did not fit */
};

void buf_init(struct buf *b, size_t max);
void buf_free(struct buf *b);
void buf_clear(struct buf *b);

/* Makes room for len more bytes and answers where they go, NULL on overflow;
 * the caller then adds to b->len what it wrote. After fewer than len bytes the
 * text is NUL terminated again with the next buf_ call that adds or takes. */
static inline char *buf_room(struct buf *b, size_t len);

/* Each answers nothing: ask b->overflow once at the end. */
static inline void buf_add(struct buf *b, const void *bytes, size_t len);
static inline void buf_addc(struct buf *b, char c);
void buf_addz(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Hands the bytes over to the caller, who frees them with free(); b is empty
 * afterwards, and still tells of an overflow until buf_clear(). Answers NULL
 * when nothing was ever added. */
char *buf_take(struct buf *b, size_t *len);

/* --- inline, as every byte of an answer comes by here ------------------------- */

/* Sees to cap > len + more; false on overflow. */
bool buf_grow(struct buf *b, size_t more);

static inline char *buf_room(struct buf *b, size_t len)
{
	/* cap is at most max + 1. */
	if (b->overflow || len >= b->cap - b->len)
		if (!buf_grow(b, len))
			return NULL;
	b->data[b->len + len] = '\0';
	return b->data + b->len;
}

static inline void buf_add(struct buf *b, const void *bytes, size_t len)
{
	char *to = buf_room(b, len);
	if (!to)
		return;
	if (len)
		memcpy(to, bytes, len);
	b->len += len;
}

static inline void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

#endif
