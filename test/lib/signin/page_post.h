/* What the sign-in page posts, in tests of RIG(). */
#ifndef KITH_TEST_LIB_SIGNIN_PAGE_POST_H
#define KITH_TEST_LIB_SIGNIN_PAGE_POST_H

#include "test/lib/http/caller.h"

/* Posts as kith's own page does, from an address. */
struct caller_answer page_post(struct caller *c, const char *target, const char *network, const char *body);
struct caller_answer sign_in(struct caller *c, const char *network, const char *email, const char *password);
/* Somebody without a key, at that server of the rig. */
struct caller stranger_at(int at);

#endif
