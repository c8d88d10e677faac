/* Files of records (transfer/source.h) out of memory, for tests. */
#ifndef KITH_TEST_LIB_SERVER_SOURCED_H
#define KITH_TEST_LIB_SERVER_SOURCED_H

#include <stddef.h>

#include "server/base/buf.h"

/* Reads the bytes as a file of that name (its suffix counts) and appends each record as a line, "2: First=Ada|Last=B",
 * or "2: refused: why"; at last "error: why" when reading has failed. A line end in a value is shown as "\n". */
void sourced_dump(struct buf *out, const void *bytes, size_t len, const char *name, const char *encoding);

#endif
