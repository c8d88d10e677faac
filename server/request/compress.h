/* Sends answers over 1 KiB as gzip to clients that ask for it (the setting gzip). An answer is compressed when it is
 * complete, in slices. Stored answers are never compressed. The ETag of a record names its state, not the bytes sent.
 * So it is the same for If-Match with and without compression (docs/api.md). */
#ifndef KITH_SERVER_REQUEST_COMPRESS_H
#define KITH_SERVER_REQUEST_COMPRESS_H

#include "server/request/request.h"

struct compressors;

/* Sets s->compressors. If on is false, no answer is compressed. */
void compress_start(struct server *s, bool on);
void compress_free(struct server *s);

/* True when the answer should be compressed: then compress_some() must run until it returns DONE. */
bool compress_begin(struct req *r);
step_fn compress_some;
/* Replaces the answer with the compressed one, if that is complete and shorter, and adds the headers. */
void compress_end(struct req *r);

#endif
