/* Directories that tests make for themselves. */
#ifndef KITH_TEST_DIRECTORY_H
#define KITH_TEST_DIRECTORY_H

#include <stdbool.h>

enum { DIRECTORY_SIZE = 64 }; /* short enough for a socket below it */

/*
 * Makes an empty one, named after what it is for ("cluster"), below KITH_TEST_DIR,
 * which test/run clears when a test has ended, however it ended; without that below
 * /tmp. The caller removes it. false with errno.
 */
bool directory_make(const char *what, char path[DIRECTORY_SIZE]);

#endif
