/* gzip by zlib, and Accept-Encoding. */
#include "server/base/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

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

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* "0.5" in thousandths; -1: not a weight. */
static int read_weight(const char *text, size_t len)
{
	int weight, scale = 100;

	if (len == 0 || len > 5 || (text[0] != '0' && text[0] != '1') || (len > 1 && text[1] != '.'))
		return -1;
	weight = (text[0] - '0') * 1000;
	for (size_t i = 2; i < len; i++, scale /= 10) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		weight += (text[i] - '0') * scale;
	}
	return weight <= 1000 ? weight : -1;
}

/* The weight of an item behind its name: "" or ";q=0.5". */
static int item_weight(const char *text, size_t len)
{
	const char *end = text + len;

	text = skip_blanks(text);
	if (text >= end)
		return 1000;
	if (*text != ';')
		return -1;
	text = skip_blanks(text + 1);
	if (end - text < 2 || (*text != 'q' && *text != 'Q') || text[1] != '=')
		return -1;
	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return read_weight(text + 2, (size_t)(end - text) - 2);
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(text, word, len) == 0;
}

bool gzip_accepted(const char *accept)
{
	int gzip = -1, any = -1, plain = -1;

	while (accept && *accept) {
		const char *item = skip_blanks(accept);
		size_t len = strcspn(item, ","), name = strcspn(item, ",; \t");
		int weight = item_weight(item + name, len - name);
		if (is_word(item, name, "gzip") || is_word(item, name, "x-gzip"))
			gzip = weight;
		else if (is_word(item, name, "*"))
			any = weight;
		else if (is_word(item, name, "identity"))
			plain = weight;
		accept = item + len + (item[len] == ',');
	}
	if (gzip < 0)
		gzip = any;
	return gzip > 0 && gzip >= plain;
}
