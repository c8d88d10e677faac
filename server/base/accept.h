/* What a client takes: the lists of Accept and Accept-Encoding (RFC 9110, section 12.5). */
#ifndef KITH_SERVER_BASE_ACCEPT_H
#define KITH_SERVER_BASE_ACCEPT_H

#include <stdbool.h>

/* True when the list (NULL: no header) names it, in any case, with a weight above zero. Patterns such as * are not
 * taken for it: who sends them takes the usual as well. */
bool accept_names(const char *list, const char *name);

#endif
