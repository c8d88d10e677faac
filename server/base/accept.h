/* What a client takes: the lists of Accept and Accept-Encoding (RFC 9110, section 12.5). */
#ifndef KITH_SERVER_BASE_ACCEPT_H
#define KITH_SERVER_BASE_ACCEPT_H

#include <stdbool.h>

/* The weight that the list (NULL: no header) gives to the name, in any case, in thousandths; -1: it is not in it. What
 * is no weight counts as 0; of several the last counts. */
int accept_weight(const char *list, const char *name);

/* True when the list (NULL: no header) names the type, in any case, with a weight above zero. Patterns (any type)
 * are not taken for it: who sends them takes the usual as well. */
bool accept_names(const char *list, const char *name);

#endif
