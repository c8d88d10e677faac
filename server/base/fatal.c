/* Ends the process without using anything that could need memory. */
#include "server/base/fatal.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/base/clock.h"

void fatal_abort(const char *reason)
{
	char time_text[TIME_TEXT_SIZE], line[256];
	int len = snprintf(line, sizeof line,
	    "{\"time\":\"%s\",\"level\":\"error\",\"component\":\"fatal\",\"message\":\"%.120s\"}\n",
	    time_format(clock_now_ms(), time_text), reason);
	ssize_t written = write(STDERR_FILENO, line, (size_t)len);

	(void)written;
	abort();
}
