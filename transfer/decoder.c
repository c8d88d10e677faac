/* Reading, decompressing (zlib) and converting (iconv). No other file of this folder includes these libraries. */
#include "transfer/decoder.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 64 << 10, GZIP_WINDOW = 15 + 16 };

struct decoder_packed {
	z_stream z;
	bool member_ended; /* a file may hold several members */
	unsigned char bytes[CHUNK];
};

static bool decoder_fail(struct decoder *in, const char *what)
{
	if (!*in->error)
		snprintf(in->error, sizeof in->error, "%s", what);
	return false;
}

/* --- bytes of the file ------------------------------------------------------------------- */

/* Returns 0 at the end and on failure. */
static size_t decoder_read(struct decoder *in, unsigned char *to, size_t size)
{
	ssize_t n;

	if (in->ended || *in->error)
		return 0;
	do
		n = read(in->fd, to, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		decoder_fail(in, strerror(errno));
	if (n > 0) {
		in->bytes += n;
		sha256_add(&in->hash, to, (size_t)n);
		return (size_t)n;
	}
	in->ended = true;
	sha256_end(&in->hash, in->sum);
	return 0;
}

/* Decompresses into to; 0 at the end and on failure. */
static size_t decoder_unpack(struct decoder *in, unsigned char *to, size_t size)
{
	struct decoder_packed *p = in->packed;

	p->z.next_out = to;
	p->z.avail_out = (uInt)size;
	while (p->z.avail_out == size) {
		if (p->z.avail_in == 0) {
			p->z.next_in = p->bytes;
			p->z.avail_in = (uInt)decoder_read(in, p->bytes, sizeof p->bytes);
			if (p->z.avail_in == 0 && !p->member_ended)
				decoder_fail(in, "the compressed file is incomplete");
			if (p->z.avail_in == 0)
				return 0;
		}
		/* Bytes after the last member are ignored, as gunzip does. */
		if (p->member_ended && *p->z.next_in != 0x1f) {
			p->z.avail_in = 0;
			continue;
		}
		if (p->member_ended)
			inflateReset(&p->z);
		int status = inflate(&p->z, Z_NO_FLUSH);
		p->member_ended = status == Z_STREAM_END;
		if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
			decoder_fail(in, "the compressed file is damaged");
			return 0;
		}
	}
	return size - p->z.avail_out;
}

/* Appends bytes to those that are not yet converted. */
static bool decoder_raw(struct decoder *in)
{
	size_t left = in->raw_len - in->raw_at;

	memmove(in->raw, in->raw + in->raw_at, left);
	in->raw_at = 0;
	in->raw_len = left;
	size_t n = in->packed ? decoder_unpack(in, in->raw + left, CHUNK - left)
	                      : decoder_read(in, in->raw + left, CHUNK - left);
	in->raw_len += n;
	return n > 0;
}

/* --- opening ----------------------------------------------------------------------------------- */

static bool decoder_unpack_begin(struct decoder *in)
{
	struct decoder_packed *p = mem_zalloc(sizeof *p);

	in->packed = p;
	memcpy(p->bytes, in->raw, in->raw_len);
	p->z.next_in = p->bytes;
	p->z.avail_in = (uInt)in->raw_len;
	in->raw_len = 0;
	if (inflateInit2(&p->z, GZIP_WINDOW) != Z_OK)
		return decoder_fail(in, "there is not enough memory to decompress the file");
	return decoder_raw(in) || !*in->error;
}

/* The encoding that the first bytes show; "" for UTF-8. */
static const char *decoder_guess(struct decoder *in)
{
	const unsigned char *b = in->raw;

	if (in->raw_len >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0) {
		in->raw_at = 3;
		return "UTF-8";
	}
	if (in->raw_len >= 2 && (memcmp(b, "\xff\xfe", 2) == 0 || memcmp(b, "\xfe\xff", 2) == 0)) {
		in->raw_at = 2;
		return b[0] == 0xff ? "UTF-16LE" : "UTF-16BE";
	}
	if (in->raw_len >= 4 && b[0] && !b[1] && b[2] && !b[3])
		return "UTF-16LE";
	if (in->raw_len >= 4 && !b[0] && b[1] && !b[2] && b[3])
		return "UTF-16BE";
	return "";
}

/* Workbooks of Excel and other programs: archives (.xlsx, .ods), and the older format (.xls). */
static bool decoder_is_workbook(const struct decoder *in)
{
	return in->raw_len >= 4 && (memcmp(in->raw, "PK\3\4", 4) == 0 || memcmp(in->raw, "\xd0\xcf\x11\xe0", 4) == 0);
}

static bool is_utf8(const char *encoding)
{
	return strcasecmp(encoding, "UTF-8") == 0 || strcasecmp(encoding, "UTF8") == 0;
}

bool decoder_open(struct decoder *in, int fd, const char *encoding)
{
	memset(in, 0, sizeof *in);
	in->fd = fd;
	in->line = 1;
	in->text = mem_alloc(CHUNK);
	in->raw = mem_alloc(CHUNK);
	sha256_begin(&in->hash);
	while (in->raw_len < 4 && decoder_raw(in))
		;
	if (in->raw_len >= 2 && in->raw[0] == 0x1f && in->raw[1] == 0x8b) {
		if (!decoder_unpack_begin(in))
			return false;
		while (in->raw_len < 4 && decoder_raw(in))
			;
	}
	if (decoder_is_workbook(in))
		return decoder_fail(
		    in, "is a workbook or an archive, and not text; open it, and save it as CSV in UTF-8");
	const char *told = decoder_guess(in);
	snprintf(in->encoding, sizeof in->encoding, "%s", *told || !encoding ? told : encoding);
	if (!*in->encoding || is_utf8(in->encoding))
		return !*in->error;
	iconv_t convert = iconv_open("UTF-8", in->encoding);
	if (convert == (iconv_t)-1) {
		snprintf(in->error, sizeof in->error, "the encoding \"%s\" is unknown; iconv -l lists the encodings",
		    in->encoding);
		return false;
	}
	in->convert = convert;
	return !*in->error;
}

void decoder_close(struct decoder *in)
{
	if (!in->ended)
		sha256_end(&in->hash, NULL);
	if (in->packed)
		inflateEnd(&in->packed->z);
	if (in->convert)
		iconv_close(in->convert);
	if (in->fd >= 0)
		close(in->fd);
	free(in->packed);
	free(in->raw);
	free(in->text);
}

/* --- text ------------------------------------------------------------------------------------------- */

static bool decoder_decode(struct decoder *in)
{
	while (!*in->error) {
		char *from = (char *)in->raw + in->raw_at, *to = in->text;
		size_t left = in->raw_len - in->raw_at, room = CHUNK;
		size_t bad = left ? iconv(in->convert, &from, &left, &to, &room) : 0;
		int why = bad == (size_t)-1 ? errno : 0;
		in->raw_at = in->raw_len - left;
		in->at = 0;
		in->len = CHUNK - room;
		if (in->len)
			return true;
		if (why == EILSEQ)
			snprintf(in->error, sizeof in->error, "line %lld: contains bytes that are not valid in %s",
			    (long long)in->line, in->encoding);
		else if (!decoder_raw(in))
			return left ? decoder_fail(in, "the file ends in the middle of a character") : false;
	}
	return false;
}

bool decoder_more(struct decoder *in)
{
	in->at = in->len = 0;
	if (in->convert)
		return decoder_decode(in);
	if (in->raw_at == in->raw_len && !decoder_raw(in))
		return false;
	in->len = in->raw_len - in->raw_at;
	memcpy(in->text, in->raw + in->raw_at, in->len);
	in->raw_at = in->raw_len;
	return true;
}

bool decoder_line(struct decoder *in, struct buf *out)
{
	bool any = false;

	buf_clear(out);
	while (in->at < in->len || decoder_more(in)) {
		const char *from = in->text + in->at, *end = memchr(from, '\n', in->len - in->at);
		size_t len = end ? (size_t)(end - from) : in->len - in->at;
		const char *cr = memchr(from, '\r', len);
		any = true;
		if (cr) {
			len = (size_t)(cr - from);
			end = cr;
		}
		buf_add(out, from, len);
		in->at += len;
		if (!end)
			continue;
		if (decoder_byte(in) == '\r' && decoder_peek(in) == '\n')
			decoder_byte(in);
		return true;
	}
	return any && !*in->error;
}

char *decoder_convert(struct arena *a, const char *encoding, const char *text, size_t len, size_t *out_len)
{
	iconv_t convert = iconv_open("UTF-8", encoding);
	size_t room = len * 4 + 16, left = len, bad;
	char *out = arena_alloc(a, room), *to = out, *from = (char *)(uintptr_t)text;

	if (convert == (iconv_t)-1)
		return NULL;
	bad = iconv(convert, &from, &left, &to, &room);
	iconv_close(convert);
	if (bad == (size_t)-1)
		return NULL;
	*to = '\0';
	*out_len = (size_t)(to - out);
	return out;
}
