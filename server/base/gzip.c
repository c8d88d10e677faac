/* gzip by zlib, and Accept-Encoding. */
#include "server/base/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "server/base/accept.h"
#include "server/base/arena.h"
#include "server/base/fatal.h"

enum {
	LEVEL = 1,       /* the fastest; docs/performance.md compares */
	GZIP_BITS = 31,  /* the largest window, with gzip's header */
	MEMORY = 8,      /* zlib's default */
	PIECE = 16 << 10 /* bytes of output at a time */
};

struct gzip {
	z_stream z;
	const char *text;
	size_t left; /* bytes not given to zlib yet */
};

struct gzip *gzip_new(void)
{
	struct gzip *g = mem_zalloc(sizeof *g);

	if (deflateInit2(&g->z, LEVEL, Z_DEFLATED, GZIP_BITS, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		fatal_abort("no memory for packing");
	return g;
}

void gzip_free(struct gzip *g)
{
	if (!g)
		return;
	deflateEnd(&g->z);
	free(g);
}

void gzip_begin(struct gzip *g, const char *text, size_t len)
{
	deflateReset(&g->z);
	g->text = text;
	g->left = len;
}

bool gzip_some(struct gzip *g, size_t bytes, struct buf *out)
{
	size_t part = bytes < g->left ? bytes : g->left;
	int status = Z_OK;

	g->z.next_in = (unsigned char *)(uintptr_t)g->text;
	g->z.avail_in = (unsigned)part;
	g->text += part;
	g->left -= part;
	do {
		char *to = buf_room(out, PIECE);
		if (!to)
			return true; /* out->overflow reports it */
		g->z.next_out = (unsigned char *)to;
		g->z.avail_out = PIECE;
		status = deflate(&g->z, g->left ? Z_NO_FLUSH : Z_FINISH);
		out->len += PIECE - g->z.avail_out;
	} while (g->z.avail_out == 0 && status == Z_OK);
	return status == Z_STREAM_END;
}

/* --- pieces --------------------------------------------------------------------------- */

void gzip_pack(enum gzip_piece piece, const char *text, size_t len, struct buf *out)
{
	/* RFC 1952: no name, no time, packed as tightly as possible, on Unix. */
	static const char header[] = {0x1f, (char)0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 2, 3};
	z_stream z = {0};
	size_t room = len + GZIP_ROOM;
	char *to;

	if (piece == GZIP_BEFORE)
		buf_add(out, header, sizeof header);
	to = buf_room(out, room);
	if (!to || deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, piece == GZIP_WHOLE ? GZIP_BITS : -MAX_WBITS,
	               MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		fatal_abort("no memory for packing");
	z.next_in = (unsigned char *)(uintptr_t)text;
	z.avail_in = (unsigned)len;
	z.next_out = (unsigned char *)to;
	z.avail_out = (unsigned)room;
	/* A full flush ends at a byte boundary, and no later data refers to earlier data. */
	deflate(&z, piece == GZIP_BEFORE ? Z_FULL_FLUSH : Z_FINISH);
	out->len += room - z.avail_out;
	deflateEnd(&z);
}

uint32_t gzip_sum(const char *text, size_t len)
{
	return (uint32_t)crc32(0, (const unsigned char *)text, (unsigned)len);
}

static char *gzip_put(char *to, uint32_t number, int bytes)
{
	for (; bytes > 0; bytes--, number >>= 8)
		*to++ = (char)(number & 0xff);
	return to;
}

/* Writes a block without compression that is not the last one (RFC 1951, 3.2.4). */
void gzip_between(const char *text, size_t len, struct buf *out)
{
	char head[5] = {0};

	gzip_put(gzip_put(head + 1, (uint32_t)len, 2), ~(uint32_t)len, 2);
	buf_add(out, head, sizeof head);
	buf_add(out, text, len);
}

void gzip_end(const struct gzip_sum texts[3], char out[GZIP_END])
{
	uLong sum = crc32_combine(texts[0].sum, texts[1].sum, (z_off_t)texts[1].len);

	sum = crc32_combine(sum, texts[2].sum, (z_off_t)texts[2].len);
	gzip_put(gzip_put(out, (uint32_t)sum, 4), (uint32_t)(texts[0].len + texts[1].len + texts[2].len), 4);
}

/* --- Accept-Encoding ------------------------------------------------------------------ */

bool gzip_accepted(const char *accept)
{
	int gzip = accept_weight(accept, "gzip");

	if (gzip < 0)
		gzip = accept_weight(accept, "x-gzip");
	if (gzip < 0)
		gzip = accept_weight(accept, "*");
	return gzip > 0 && gzip >= accept_weight(accept, "identity");
}
