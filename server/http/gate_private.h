/* Shared by the two files of the gate; only gate.c and gate_line.c include it. gate_line.c parses the request line and
 * hosts, gate.c everything else. */
#ifndef KITH_SERVER_HTTP_GATE_PRIVATE_H
#define KITH_SERVER_HTTP_GATE_PRIVATE_H

#include <ctype.h> /* kith never sets a locale, so these are ASCII */
#include <string.h>

#include "server/http/gate.h"

enum phase {
	METHOD,
	TARGET_START,
	TARGET_STAR,
	TARGET_SCHEME,
	TARGET_AUTHORITY,
	TARGET_PATH,
	TARGET_QUERY,
	VERSION,
	LINE_END,
	FIELD_START,
	FIELD_NAME,
	FIELD_LEAD,
	FIELD_VALUE,
	FIELD_END,
	HEAD_END,
	BODY,
	CHUNK_SIZE,
	CHUNK_SIZE_END,
	CHUNK_DATA,
	CHUNK_DATA_CR,
	CHUNK_DATA_LF
};

enum { WORD_TOO_LONG = 255 };

/* RFC 9110 section 5.6.2: letters, digits and !#$%&'*+-.^_`|~, one bit per byte. */
static inline bool is_token(unsigned char c)
{
	static const uint32_t tokens[4] = {0, 0x03ff6cfa, 0xc7fffffe, 0x57ffffff};

	return c < 0x80 && (tokens[c >> 5] >> (c & 31) & 1) != 0;
}
static inline bool is_visible(unsigned char c)
{
	return c > 0x20 && c < 0x7f;
}

static inline void gate_refuse(struct gate *g, int status, const char *message)
{
	g->verdict = GATE_REFUSED;
	g->status = (uint16_t)status;
	g->message = message;
}

static inline void gate_word_clear(struct gate *g)
{
	g->word_len = 0;
	g->ended = false;
}

static inline void gate_word_add(struct gate *g, unsigned char c)
{
	if (g->word_len >= sizeof g->word || g->ended)
		g->word_len = WORD_TOO_LONG;
	else
		g->word[g->word_len++] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static inline bool gate_word_is(const struct gate *g, const char *text)
{
	return g->word_len == strlen(text) && memcmp(g->word, text, g->word_len) == 0;
}

/* A host with an optional port (RFC 3986 section 3.2, without user information and sub-delimiters, which no real host
 * name has). The functions start it, take one byte, and tell whether it is complete. */
void gate_host_clear(struct gate *g);
bool gate_host_byte(struct gate *g, unsigned char c);
bool gate_host_complete(const struct gate *g);

/* Takes a byte of the request line, up to the CR. */
void gate_line_byte(struct gate *g, unsigned char c);

/* In a path or query, skips bytes without a special meaning. Returns their number. */
size_t gate_target_run(struct gate *g, const char *bytes, size_t len);

#endif
