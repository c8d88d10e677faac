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
			return true; /* out->overflow tells */
		g->z.next_out = (unsigned char *)to;
		g->z.avail_out = PIECE;
		status = deflate(&g->z, g->left ? Z_NO_FLUSH : Z_FINISH);
		out->len += PIECE - g->z.avail_out;
	} while (g->z.avail_out == 0 && status == Z_OK);
	return status == Z_STREAM_END;
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
