/* See await.h. */
#include "test/lib/await.h"

void await_pause(int64_t until_us, const char *condition, const char *file, int line)
{
	if (patience_pause(until_us))
		return;
	print_error("In vain: %s\n", condition);
	_fail(file, line);
}
