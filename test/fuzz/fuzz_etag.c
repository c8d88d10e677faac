/* Arbitrary bytes to the reader of If-Match: whatever matches is valid, and adding a tag to a list makes it match. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/etag.h"

enum { STAMP = 1234567, LIST_MAX = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_hold(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	bool valid = etag_list_valid(text, size), any = valid && memchr(text, '*', size) && !memchr(text, '"', size);
	char longer[LIST_MAX + 1 + ETAG_SIZE], tag[ETAG_SIZE];

	must_hold(valid || !etag_list_matches(text, size, STAMP));
	must_hold(!any || etag_list_matches(text, size, STAMP));
	if (size > LIST_MAX)
		return 0;
	memcpy(longer, text, size);
	longer[size] = ',';
	memcpy(longer + size + 1, etag_format(STAMP, tag), strlen(tag));
	if (valid && !any)
		must_hold(etag_list_matches(longer, size + 1 + strlen(tag), STAMP));
	return 0;
}
