/* Arbitrary bytes as a file of records. */
#include <stdint.h>

#include "test/lib/server/sourced.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf out;

	buf_init(&out, 1 << 20);
	sourced_dump(&out, data, size, "x.csv", NULL);
	buf_free(&out);
	return 0;
}
