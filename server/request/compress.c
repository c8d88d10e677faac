/* Compresses answers with gzip. */
#include "server/request/compress.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/gzip.h"
#include "server/request/reply.h"
#include "server/request/server.h"
#include "server/request/slice.h"

enum {
	COMPRESS_OVER = 1024,      /* bytes; a shorter answer fits into one or two packets without compression */
	COMPRESS_PIECE = 32 << 10, /* bytes compressed between two looks at the clock */
	COMPRESSORS_MAX = 16,      /* answers compressed at one time; others are sent as they are */
	COMPRESSED_MAX = 16 << 20  /* bytes of these answers: they wait in memory, and their compressed form is added */
};

struct compressors {
	struct gzip *idle; /* kept for the next answer; NULL: in use */
	int busy;
	size_t bytes; /* bytes of the answers being compressed */
};

struct compressing {
	struct gzip *gzip;
	struct buf out;
	bool done;
};

void compress_start(struct server *s, bool on)
{
	s->compressors = on ? mem_zalloc(sizeof *s->compressors) : NULL;
}

void compress_free(struct server *s)
{
	if (s->compressors)
		gzip_free(s->compressors->idle);
	free(s->compressors);
	s->compressors = NULL;
}

bool compress_begin(struct req *r)
{
	struct compressors *all = r->server->compressors;

	if (!all || r->reply.begun || r->reply.out.len <= COMPRESS_OVER || all->busy == COMPRESSORS_MAX ||
	    (all->busy && all->bytes + r->reply.out.len > COMPRESSED_MAX) ||
	    reply_header_get(&r->reply, "Content-Encoding") || !gzip_accepted(req_header_list(r, "Accept-Encoding")))
		return false;
	r->reply.compressing = arena_alloc(&r->arena, sizeof *r->reply.compressing);
	buf_init(&r->reply.compressing->out, r->reply.out.len + GZIP_ROOM);
	r->reply.compressing->gzip = all->idle ? all->idle : gzip_new();
	all->idle = NULL;
	all->busy++;
	all->bytes += r->reply.out.len;
	gzip_begin(r->reply.compressing->gzip, r->reply.out.data, r->reply.out.len);
	return true;
}

enum step compress_some(struct req *r)
{
	struct compressing *c = r->reply.compressing;

	while (!(c->done = gzip_some(c->gzip, COMPRESS_PIECE, &c->out)))
		if (slice_over(r))
			return AGAIN;
	return DONE;
}

static void compressor_return(struct compressors *all, struct gzip *gzip, size_t bytes)
{
	all->busy--;
	all->bytes -= bytes;
	if (all->idle)
		gzip_free(gzip);
	else
		all->idle = gzip;
}

void compress_end(struct req *r)
{
	struct compressing *c = r->reply.compressing;

	if (!c)
		return;
	compressor_return(r->server->compressors, c->gzip, r->reply.out.len);
	if (c->done && c->out.len < r->reply.out.len) {
		buf_free(&r->reply.out);
		r->reply.out = c->out;
		reply_header(r, "Content-Encoding", "gzip");
	} else {
		buf_free(&c->out);
	}
}
