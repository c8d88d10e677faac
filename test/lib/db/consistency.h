/* Checks that data stored twice, for reads and for look-ups, agree, and that nothing refers to deleted records. */
#ifndef KITH_TEST_LIB_DB_CONSISTENCY_H
#define KITH_TEST_LIB_DB_CONSISTENCY_H

#include "test/lib/server/command.h"

/* Returns the number of rules violated in any workspace, and prints them. */
int consistency_broken(const struct program *p);

/* The same for events: applying all of them from the first must give the current records. For databases whose
 * records were all written through the API. */
int consistency_untold(const struct program *p);

#endif
