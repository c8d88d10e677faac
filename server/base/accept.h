/* Reads what a client accepts: the lists of Accept and Accept-Encoding (RFC 9110, section 12.5). */
#ifndef KITH_SERVER_BASE_ACCEPT_H
#define KITH_SERVER_BASE_ACCEPT_H

#include <stdbool.h>

/* Returns the weight that the list gives to the name, in any case, in thousandths; -1: the list does not have the name.
 * list NULL: no header. An invalid weight counts as 0. If the name is repeated, the last weight counts. */
int accept_weight(const char *list, const char *name);

/* True when the list names the type, in any case, with a weight above zero. list NULL: no header. Patterns (any type)
 * do not count, because clients that send patterns accept the usual type as well. */
bool accept_names(const char *list, const char *name);

#endif
