/* Arbitrary bytes to the reader of Accept-Encoding: what refuses gzip is obeyed, whatever is beside it, and what asks
 * for it and for nothing else is, too. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/gzip.h"

enum { LIST_MAX = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_hold(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = size < LIST_MAX ? size : LIST_MAX;
	char *text = malloc(len + 16);

	memcpy(text, data, len);
	text[len] = '\0';
	len = strlen(text);
	gzip_accepted(text);
	memcpy(text + len, ",gzip;q=0", 10);
	must_hold(!gzip_accepted(text));
	memcpy(text + len, ",gzip;q=1", 10);
	must_hold(gzip_accepted(text));
	free(text);
	return 0;
}
