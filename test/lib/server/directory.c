/* See directory.h. */
#include "test/lib/server/directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

bool directory_make(const char *what, char path[DIRECTORY_SIZE])
{
	const char *parent = getenv("KITH_TEST_DIR");
	int len = snprintf(path, DIRECTORY_SIZE, "%s/kith-%s-XXXXXX", parent && *parent ? parent : "/tmp", what);

	if (len < 0 || len >= DIRECTORY_SIZE) {
		errno = ENAMETOOLONG;
		return false;
	}
	return mkdtemp(path) != NULL;
}
