/* The text of an API key: "kith_", 30 random base62 characters, and 6 more with the CRC-32 of those 30. With the
 * checksum a mistyped or invented key needs no query, and a search can find a leaked key. */
#ifndef KITH_SERVER_BASE_APIKEY_H
#define KITH_SERVER_BASE_APIKEY_H

#include <stdbool.h>
#include <stddef.h>

enum { APIKEY_LEN = 41, APIKEY_SIZE = 42 }; /* characters; the same with the NUL */

/* Makes a key of 178 random bits. */
void apikey_new(char out[APIKEY_SIZE]);

/* True when the text has the form of a key and its checksum is correct. */
bool apikey_well_formed(const char *text, size_t len);

/* Returns the key of an Authorization header with the scheme "Bearer", in any case. NULL when it is not well-formed.
 * header may be NULL. */
const char *apikey_of_bearer(const char *header);

/* Copies the key of an Authorization header with the scheme "Basic", in any case: the password, whatever the user.
 * False when there is none that is well-formed. header may be NULL. */
bool apikey_of_basic(const char *header, char out[APIKEY_SIZE]);

#endif
