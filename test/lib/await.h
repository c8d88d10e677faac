/* Waiting for a condition, in one line:
 *
 *	await_true(count_logged("retried") == 2);
 */
#ifndef KITH_TEST_LIB_AWAIT_H
#define KITH_TEST_LIB_AWAIT_H

#include <stdint.h>

#include "test/lib/patience.h"
#include "test/lib/test.h"

enum { AWAIT_MS = 60000 };

/* Checks the condition again and again. After a minute without success the case fails and shows it. */
#define await_true(condition)                                                                                          \
	for (int64_t await_until_us = patience_ms(AWAIT_MS); !(condition);)                                            \
	await_pause(await_until_us, #condition, __FILE__, __LINE__)

/* Called by the macro. */
void await_pause(int64_t until_us, const char *condition, const char *file, int line);

#endif
