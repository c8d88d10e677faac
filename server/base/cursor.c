/* Sealed cursors; see cursor.h. */
#include "cursor.h"

#include <stdlib.h>
#include <string.h>

#include "crypto.h"
#include "text.h"

enum {
	FORMAT = 1, /* first byte; a new layout gets a new number */
	HAS_ID = 1,
	HAS_VALUE = 2,
	HAS_PAGE = 4,
	HAS_SECOND = 8,
	HEAD_SIZE = 3, /* format, flags, sort */
	PAYLOAD_MAX = HEAD_SIZE + 16 + 8 + 8 + 16,
	SEAL_SIZE = 16,
	BYTES_MAX = PAYLOAD_MAX + SEAL_SIZE
};

/* Base64url without padding takes four characters for three bytes. */
_Static_assert((BYTES_MAX * 4 + 2) / 3 < CURSOR_SIZE, "a cursor fits");

static void cursor_put_int64(unsigned char *out, int64_t value)
{
	for (int i = 0; i < 8; i++)
		out[i] = (unsigned char)((uint64_t)value >> (56 - 8 * i));
}

static int64_t cursor_get_int64(const unsigned char *in)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value = value << 8 | in[i];
	return (int64_t)value;
}

static void cursor_digest(unsigned char out[SEAL_SIZE], const unsigned char *secret, const unsigned char *context,
    const unsigned char *payload, size_t len)
{
	unsigned char message[CURSOR_CONTEXT_SIZE + PAYLOAD_MAX], mac[SHA256_SIZE];

	memcpy(message, context, CURSOR_CONTEXT_SIZE);
	memcpy(message + CURSOR_CONTEXT_SIZE, payload, len);
	hmac_sha256(secret, CURSOR_SECRET_SIZE, message, CURSOR_CONTEXT_SIZE + len, mac);
	memcpy(out, mac, SEAL_SIZE);
}

char *cursor_seal(char out[CURSOR_SIZE], const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const struct cursor *c)
{
	unsigned char bytes[BYTES_MAX];
	size_t len = HEAD_SIZE;

	bytes[0] = FORMAT;
	bytes[1] = (unsigned char)((c->has_id ? HAS_ID : 0) | (c->has_value ? HAS_VALUE : 0) |
	                           (c->has_page ? HAS_PAGE : 0) | (c->has_second ? HAS_SECOND : 0));
	bytes[2] = c->sort;
	if (c->has_id) {
		memcpy(bytes + len, c->id.b, sizeof c->id.b);
		len += sizeof c->id.b;
	}
	if (c->has_value) {
		cursor_put_int64(bytes + len, c->value);
		len += 8;
	}
	if (c->has_page) {
		cursor_put_int64(bytes + len, c->page);
		len += 8;
	}
	if (c->has_second) {
		memcpy(bytes + len, c->second.b, sizeof c->second.b);
		len += sizeof c->second.b;
	}
	cursor_digest(bytes + len, secret, context, bytes, len);
	len += SEAL_SIZE;
	struct buf text;
	buf_init(&text, CURSOR_SIZE - 1);
	text_base64url(&text, bytes, len);
	memcpy(out, text.data, text.len);
	out[text.len] = '\0';
	buf_free(&text);
	return out;
}

bool cursor_open(struct cursor *c, const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const char *text, size_t len)
{
	unsigned char bytes[BYTES_MAX], expected[SEAL_SIZE];
	size_t n;

	memset(c, 0, sizeof *c);
	if (len >= CURSOR_SIZE || !text_base64url_decode(text, len, bytes, sizeof bytes, &n) ||
	    n < HEAD_SIZE + SEAL_SIZE)
		return false;
	size_t payload = n - SEAL_SIZE;
	cursor_digest(expected, secret, context, bytes, payload);
	if (!crypto_equal(expected, bytes + payload, SEAL_SIZE) || bytes[0] != FORMAT)
		return false;
	unsigned flags = bytes[1];
	size_t need = HEAD_SIZE + (flags & HAS_ID ? 16 : 0) + (flags & HAS_VALUE ? 8 : 0) + (flags & HAS_PAGE ? 8 : 0) +
	              (flags & HAS_SECOND ? 16 : 0);
	if (flags > (HAS_ID | HAS_VALUE | HAS_PAGE | HAS_SECOND) || need != payload)
		return false;
	const unsigned char *at = bytes + HEAD_SIZE;
	c->sort = bytes[2];
	c->has_id = (flags & HAS_ID) != 0;
	c->has_value = (flags & HAS_VALUE) != 0;
	c->has_page = (flags & HAS_PAGE) != 0;
	c->has_second = (flags & HAS_SECOND) != 0;
	if (c->has_id) {
		memcpy(c->id.b, at, sizeof c->id.b);
		at += sizeof c->id.b;
	}
	if (c->has_value) {
		c->value = cursor_get_int64(at);
		at += 8;
	}
	if (c->has_page) {
		c->page = cursor_get_int64(at);
		at += 8;
	}
	if (c->has_second)
		memcpy(c->second.b, at, sizeof c->second.b);
	return true;
}

static unsigned char *cursor_context_item(struct cursor_context *x)
{
	if (x->count == x->cap) {
		size_t cap = x->cap ? x->cap * 2 : 16;
		unsigned char(*items)[32] = arena_alloc(x->arena, cap * sizeof *items);
		if (x->count > 0)
			memcpy(items, x->items, x->count * sizeof *items);
		x->items = items;
		x->cap = cap;
	}
	return x->items[x->count++];
}

/* The base is items[0], before the sorted ones. */
void cursor_context_begin(struct cursor_context *x, struct arena *a, const struct uuid *workspace, const char *endpoint)
{
	struct sha256 h;

	memset(x, 0, sizeof *x);
	x->arena = a;
	sha256_begin(&h);
	sha256_part(&h, workspace->b, sizeof workspace->b);
	sha256_part(&h, endpoint, strlen(endpoint));
	sha256_end(&h, cursor_context_item(x));
}

void cursor_context_add(
    struct cursor_context *x, const char *name, size_t name_len, const char *value, size_t value_len)
{
	struct sha256 h;

	sha256_begin(&h);
	sha256_part(&h, name, name_len);
	sha256_part(&h, value, value_len);
	sha256_end(&h, cursor_context_item(x));
}

static int compare_items(const void *a, const void *b)
{
	return memcmp(a, b, 32);
}

void cursor_context_end(struct cursor_context *x, unsigned char out[CURSOR_CONTEXT_SIZE])
{
	size_t kept = 1;

	qsort(x->items + 1, x->count - 1, sizeof *x->items, compare_items);
	for (size_t i = 1; i < x->count; i++) {
		if (kept > 1 && memcmp(x->items[kept - 1], x->items[i], 32) == 0)
			continue;
		if (kept != i)
			memcpy(x->items[kept], x->items[i], 32);
		kept++;
	}
	sha256_digest(x->items, kept * sizeof *x->items, out);
}
