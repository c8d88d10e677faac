/* What the database keeps twice, for reads and for look-ups, must agree, and nothing may refer to what is gone. */
#ifndef KITH_TEST_CONSISTENCY_H
#define KITH_TEST_CONSISTENCY_H

#include "test/lib/command.h"

/* Answers how many of the rules are broken, over all workspaces, and prints each of them. */
int consistency_broken(const struct program *p);

/* The same of what the events tell: following them from the first on ends with what is there. For
 * databases all of whose records were written through the API. */
int consistency_untold(const struct program *p);

#endif
