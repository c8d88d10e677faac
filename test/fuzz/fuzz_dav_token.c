/* Arbitrary bytes as tokens of address books: only sealed ones open, and those come back as they were. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/dav/dav_token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const unsigned char secret[CURSOR_SECRET_SIZE] = "a secret that no input can know";
static const unsigned char context[CURSOR_CONTEXT_SIZE];

/* The input shapes a token. */
static void shaped_token(const uint8_t *data, size_t size)
{
	uint8_t raw[49] = {0};
	struct dav_token in = {.listing = false}, out;
	char text[DAV_TOKEN_SIZE];

	memcpy(raw, data, size < sizeof raw ? size : sizeof raw);
	memcpy(&in.at.generation, raw + 1, 8);
	memcpy(&in.at.xid, raw + 9, 8);
	memcpy(&in.at.seq, raw + 17, 8);
	memcpy(&in.at.at_ms, raw + 25, 8);
	in.listing = raw[0] & 1;
	if (in.listing)
		memcpy(in.last.b, raw + 33, 16);
	dav_token_seal(text, secret, context, &in);
	if (!dav_token_open(&out, secret, context, text, strlen(text)) ||
	    event_position_compare(&in.at, &out.at) != 0 || in.at.at_ms != out.at.at_ms || in.listing != out.listing ||
	    !uuid_equal(&in.last, &out.last))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dav_token t;
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	if (dav_token_open(&t, secret, context, text, size))
		abort();
	free(text);
	shaped_token(data, size);
	return 0;
}
