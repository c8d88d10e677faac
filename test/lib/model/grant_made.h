/* What a user has allowed an application, without the walk of OAuth (test/lib/http/oauth_walk.h). */
#ifndef KITH_TEST_LIB_MODEL_GRANT_MADE_H
#define KITH_TEST_LIB_MODEL_GRANT_MADE_H

#include "test/lib/db/database.h"

/* Makes a grant of the user, of that name, and returns its id in the arena. */
const char *grant_made(const struct program *p, struct arena *a, const char *user_id, const char *name);

#endif
