/* Signed tokens for tests (RFC 7515), by OpenSSL, with keys that are made for them. Nothing here is of the program but
 * the arena. An error of OpenSSL aborts. */
#ifndef KITH_TEST_LIB_SIGNIN_TOKEN_MAKER_H
#define KITH_TEST_LIB_SIGNIN_TOKEN_MAKER_H

#include <stddef.h>

#include "server/base/arena.h"

struct token_key;

/* alg: RS256, PS256, ES256, EdDSA; others of the same family for refusals: RS1024 (a short RSA key), ES384 (a key of
 * P-384). */
struct token_key *token_key_new(const char *alg);
void token_key_free(struct token_key *k);

/* The public part as a JSON Web Key. more: further members, as "\"kid\": \"a\"", or "". */
const char *token_key_jwk(struct arena *a, const struct token_key *k, const char *more);
/* The same in PEM, as a secret for HMAC would be taken from it. */
const char *token_key_pem(struct arena *a, const struct token_key *k);

/* A token with this header and these claims, which are any bytes, signed with the key. */
const char *token_sign(struct arena *a, const struct token_key *k, const char *header, const char *claims);
/* The same with HMAC-SHA256. */
const char *token_hmac(struct arena *a, const char *secret, const char *header, const char *claims);
/* The same with any signature. */
const char *token_join(
    struct arena *a, const char *header, const char *claims, const unsigned char *signature, size_t len);

/* base64url without padding, in the arena. */
const char *token_base64url(struct arena *a, const void *bytes, size_t len);

#endif
