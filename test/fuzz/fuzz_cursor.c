/* Arbitrary bytes as cursors: only sealed ones open, and those do. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/cursor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the input shapes a cursor, which must come back as it was. */
static void round_trip(const unsigned char *secret, const unsigned char *context, const uint8_t *data, size_t size)
{
	struct cursor in, out;
	uint8_t raw[50] = {0};
	char text[CURSOR_SIZE];
	memset(&in, 0, sizeof(in));
	memset(&out, 0, sizeof(out));
	memcpy(raw, data, size < sizeof(raw) ? size : sizeof(raw));
	in.sort = raw[0];
	in.has_id = raw[1] & 1;
	in.has_value = (raw[1] & 2) != 0;
	in.has_page = (raw[1] & 4) != 0;
	in.has_second = (raw[1] & 8) != 0;
	if (in.has_id)
		memcpy(in.id.b, raw + 2, 16);
	if (in.has_value)
		memcpy(&in.value, raw + 18, 8);
	if (in.has_page)
		memcpy(&in.page, raw + 26, 8);
	if (in.has_second)
		memcpy(in.second.b, raw + 34, 16);
	cursor_seal(text, secret, context, &in);
	if (!cursor_open(&out, secret, context, text, strlen(text)) || out.sort != in.sort || out.has_id != in.has_id ||
	    out.has_value != in.has_value || out.has_page != in.has_page || out.has_second != in.has_second ||
	    !uuid_equal(&out.id, &in.id) || !uuid_equal(&out.second, &in.second) || out.value != in.value ||
	    out.page != in.page)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned char secret[CURSOR_SECRET_SIZE] = "a secret that no input can know";
	unsigned char context[CURSOR_CONTEXT_SIZE] = {0};
	struct cursor c;
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	if (cursor_open(&c, secret, context, text, size))
		abort();
	free(text);
	round_trip(secret, context, data, size);
	return 0;
}
