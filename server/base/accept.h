/* What a client takes: the list of Accept (RFC 9110, section 12.5.1). */
#ifndef KITH_SERVER_BASE_ACCEPT_H
#define KITH_SERVER_BASE_ACCEPT_H

#include <stdbool.h>

/* True when the list (NULL: no header) names the type, in any case, with a weight above zero. Patterns (any type)
 * are not taken for it: who sends them takes the usual as well. */
bool accept_names(const char *list, const char *name);

#endif
