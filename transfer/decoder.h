/* Reads a file as UTF-8 text, in pieces. A gzip file is decompressed; UTF-16 or a named encoding is converted. */
#ifndef KITH_TRANSFER_DECODER_H
#define KITH_TRANSFER_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/crypto.h"

enum { DECODER_ERROR_SIZE = 256 };

struct decoder_packed; /* the state of gzip */

struct decoder {
	/* decoded text that was not taken yet */
	char *text;
	size_t at, len;
	int64_t line; /* of the next byte, from 1 */
	bool after_cr;

	int64_t bytes;                  /* read from the file so far */
	char error[DECODER_ERROR_SIZE]; /* not empty: reading has failed */
	unsigned char sum[SHA256_SIZE]; /* of the file's bytes; set at the end of the file */

	int fd;
	bool ended;
	struct sha256 hash;
	struct decoder_packed *packed; /* NULL: not compressed */
	void *convert;                 /* iconv_t; NULL: UTF-8 already */
	char encoding[64];
	unsigned char *raw; /* decompressed, not yet converted */
	size_t raw_at, raw_len;
};

/* Takes over fd, which stands at the file's beginning. encoding: a name that iconv knows; NULL: UTF-16 by its byte
 * order mark or its zero bytes, else UTF-8. False with in->error; close it in any case. */
bool decoder_open(struct decoder *in, int fd, const char *encoding);
void decoder_close(struct decoder *in);

/* Decodes more text; false at the end, or with in->error. */
bool decoder_more(struct decoder *in);

/* Reads a line without its end (LF, CR LF or CR) into out, which is cleared first. A line longer than out's maximum is
 * cut, with out->overflow. False at the end. */
bool decoder_line(struct decoder *in, struct buf *out);

/* Converts a text from the named encoding; NULL when the text is not valid in it, or the encoding is unknown. */
char *decoder_convert(struct arena *a, const char *encoding, const char *text, size_t len, size_t *out_len);

/* The next byte, -1 at the end. */
static inline int decoder_byte(struct decoder *in)
{
	if (in->at == in->len && !decoder_more(in))
		return -1;
	unsigned char c = (unsigned char)in->text[in->at++];
	in->line += c == '\r' || (c == '\n' && !in->after_cr);
	in->after_cr = c == '\r';
	return c;
}

/* The same without taking it. */
static inline int decoder_peek(struct decoder *in)
{
	return in->at < in->len || decoder_more(in) ? (unsigned char)in->text[in->at] : -1;
}

#endif
