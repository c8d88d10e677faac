/* The text of an API key: "kith_", 30 random base62 characters, and 6 more that
 * are a CRC-32 of those 30, so that a mistyped or made-up key needs no query
 * and a leaked one can be found by a search. */
#ifndef KITH_SERVER_BASE_APIKEY_H
#define KITH_SERVER_BASE_APIKEY_H

#include <stdbool.h>
#include <stddef.h>

enum { APIKEY_LEN = 41, APIKEY_SIZE = 42 }; /* characters; with the NUL */

/* Makes a key of 178 random bits. */
void apikey_new(char out[APIKEY_SIZE]);

/* True when the text has the form of a key and its checksum is right. */
bool apikey_well_formed(const char *text, size_t len);

/* The key of a "Bearer" Authorization header (scheme in any case); NULL when it is not well-formed. header may be
 * NULL. */
const char *apikey_of_bearer(const char *header);

#endif
