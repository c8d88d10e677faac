/* Packing with zlib in pieces, and which encoding a client asks for. The only file of the server that knows zlib. */
#ifndef KITH_SERVER_BASE_GZIP_H
#define KITH_SERVER_BASE_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/buf.h"

/* Packs one text at a time; takes about 260 KB. */
struct gzip;
struct gzip *gzip_new(void);
void gzip_free(struct gzip *g);

/* Begins another text, which must stay. */
void gzip_begin(struct gzip *g, const char *text, size_t len);
enum { GZIP_ROOM = 32 << 10 }; /* bytes that out must have room for beyond what will be in it */
/* Packs up to that many of its bytes further, appending to out; true when all of it is there. */
bool gzip_some(struct gzip *g, size_t bytes, struct buf *out);

/* Packs as tightly as possible, for the build: a whole text, or one of two that another is to stand between. Appends.
 */
enum gzip_piece { GZIP_WHOLE, GZIP_BEFORE, GZIP_AFTER };
void gzip_pack(enum gzip_piece piece, const char *text, size_t len, struct buf *out);
/* The checksum of a text that was packed as a piece. */
uint32_t gzip_sum(const char *text, size_t len);
struct gzip_sum {
	uint32_t sum;
	size_t len;
};
/* The text between them, of up to 65,535 bytes, not packed; and what follows GZIP_AFTER: all four are one gzip. */
void gzip_between(const char *text, size_t len, struct buf *out);
enum { GZIP_END = 8 };
void gzip_end(const struct gzip_sum texts[3], char out[GZIP_END]);

/* True when a request with this Accept-Encoding prefers gzip to nothing, or likes both the same (RFC 9110, section
 * 12.5.3). What is no list of encodings asks for none. */
bool gzip_accepted(const char *accept);

#endif
