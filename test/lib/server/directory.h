/* Temporary directories of tests. */
#ifndef KITH_TEST_LIB_SERVER_DIRECTORY_H
#define KITH_TEST_LIB_SERVER_DIRECTORY_H

#include <stdbool.h>

enum { DIRECTORY_SIZE = 64 }; /* short enough for a socket in it */

/* Makes an empty directory, named after its purpose ("cluster"), in KITH_TEST_DIR, which test/run clears when a test
 * has ended in any way, or in /tmp. The caller removes it. False with errno. */
bool directory_make(const char *what, char path[DIRECTORY_SIZE]);

#endif
