/* Targets that speak other protocols than the API. */
#ifndef KITH_TEST_API_PROTOCOL_H
#define KITH_TEST_API_PROTOCOL_H

#include <stdbool.h>

struct client_reply;

/* Whether the target speaks OAuth, which also has pages. */
bool protocol_is_oauth(const char *target);
/* The same, or JSON-RPC, CardDAV or a calendar: answers and errors have forms of their own. */
bool protocol_is_other(const char *target);

/* Whether the answer has the header WWW-Authenticate if one is due. */
bool protocol_challenge(const struct client_reply *reply);

#endif
