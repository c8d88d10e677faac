/* Verifies ID tokens (OpenID Connect Core 1.0, section 3.1.3.7): the signature by a key of the provider, then what they
 * claim. It sends nothing and waits for nothing. */
#ifndef KITH_SERVER_SIGNIN_ID_TOKEN_H
#define KITH_SERVER_SIGNIN_ID_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/json.h"

enum {
	ID_TOKEN_MAX = 32 << 10,    /* bytes of a token */
	ID_TOKEN_LEEWAY_S = 60,     /* difference of two clocks that is accepted */
	ID_TOKEN_SUBJECT_MAX = 255, /* bytes */
	ID_TOKEN_EMAIL_MAX = 254,
	ID_TOKEN_NAME_MAX = 500 /* characters; a longer name is not used */
};

struct id_token_expected {
	const char *issuer, *client_id, *nonce;
	int64_t now_s;
};

/* Whom a token is about. Texts have no NUL inside. */
struct id_token_person {
	const char *subject;
	const char *email, *name; /* NULL: none, or not usable */
	bool email_verified;
};

enum id_token_verdict {
	ID_TOKEN_VALID,
	ID_TOKEN_UNKNOWN_KEY, /* the provider may have newer keys */
	ID_TOKEN_INVALID
};

/* keys: a JSON Web Key Set (RFC 7517), the answer of the provider's jwks_uri. The person's texts are in the arena.
 * Unless the token is valid, *why says in words, for the log, what is wrong. */
enum id_token_verdict id_token_verify(struct arena *a, const char *token, size_t len, const struct json *keys,
    const struct id_token_expected *expected, struct id_token_person *out, const char **why);

/* Reads e-mail and name from claims, which an ID token or the provider's UserInfo answer has. */
void id_token_read_person(const struct json *claims, const char *issuer, struct id_token_person *out);

#endif
