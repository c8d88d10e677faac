/* Packs texts with zlib in pieces, and decides which encoding a client asks for. It is the only file of the server that
 * uses zlib. */
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

/* Begins another text, which must stay valid. */
void gzip_begin(struct gzip *g, const char *text, size_t len);
enum { GZIP_ROOM = 32 << 10 }; /* spare bytes that out must have beyond the result */
/* Packs about this many more bytes of the text and appends the result to out. True when all of it was packed. */
bool gzip_some(struct gzip *g, size_t bytes, struct buf *out);

/* Packs as tightly as possible, for the build: a whole text, or one of two halves that enclose another text. Appends.
 */
enum gzip_piece { GZIP_WHOLE, GZIP_BEFORE, GZIP_AFTER };
void gzip_pack(enum gzip_piece piece, const char *text, size_t len, struct buf *out);
/* The checksum of a text that was packed as a half. */
uint32_t gzip_sum(const char *text, size_t len);
struct gzip_sum {
	uint32_t sum;
	size_t len;
};
/* gzip_between() appends the text between the halves, of up to 65,535 bytes, without compression. gzip_end() writes
 * what follows GZIP_AFTER. All four parts together are one gzip. */
void gzip_between(const char *text, size_t len, struct buf *out);
enum { GZIP_END = 8 };
void gzip_end(const struct gzip_sum texts[3], char out[GZIP_END]);

/* True when a request with this Accept-Encoding prefers gzip to no compression, or accepts both equally (RFC 9110,
 * section 12.5.3). An invalid list asks for no compression. */
bool gzip_accepted(const char *accept);

#endif
