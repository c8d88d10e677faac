/* gzip of answers over 1 KiB, for clients that ask for it (the setting gzip). An answer is packed when it is complete,
 * in slices, and stored answers are never packed. The tag of a record is that of its state, not of the bytes sent, so
 * that it is the same for If-Match whether packed or not (docs/api.md). */
#ifndef KITH_SERVER_REQUEST_COMPRESS_H
#define KITH_SERVER_REQUEST_COMPRESS_H

#include "server/request/request.h"

struct compressors;

/* Sets s->compressors; on false: no answer is packed. */
void compress_start(struct server *s, bool on);
void compress_free(struct server *s);

/* True when the answer is to be packed: compress_some is to be run until it is DONE. */
bool compress_begin(struct req *r);
step_fn compress_some;
/* Replaces the answer by the packed one, if that is complete and shorter; adds the headers. */
void compress_end(struct req *r);

#endif
