/* A growable byte string with a maximum length, for answers, SQL text and log lines. On overflow it keeps what it has
 * and sets a flag, so that writers need not check every call. */
#ifndef KITH_SERVER_BASE_BUF_H
#define KITH_SERVER_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct buf {
	char *data; /* from malloc(); always NUL terminated once something was added */
	size_t len; /* bytes, without the NUL */
	size_t cap;
	size_t max;    /* the largest len, in bytes */
	bool overflow; /* something did not fit */
};

void buf_init(struct buf *b, size_t max);
void buf_free(struct buf *b);
void buf_clear(struct buf *b);

/* Reserves len more bytes and returns a pointer to them, or NULL on overflow. The caller then adds the number of bytes
 * written to b->len. If it wrote fewer than len, the text is NUL terminated again by the next call that adds or takes.
 */
static inline char *buf_room(struct buf *b, size_t len);

/* None of these reports overflow: check b->overflow once at the end. */
static inline void buf_add(struct buf *b, const void *bytes, size_t len);
static inline void buf_addc(struct buf *b, char c);
void buf_addz(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Gives back the memory beyond the text. Growing in steps can leave as much again unused. */
void buf_fit(struct buf *b);

/* Transfers the bytes to the caller, who frees them with free(). b is empty afterwards; the overflow flag stays until
 * buf_clear(). Returns NULL when nothing was ever added. */
char *buf_take(struct buf *b, size_t *len);

/* --- inline: every byte of an answer passes through these ---------------------- */

/* Ensures cap > len + more; false on overflow. */
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
