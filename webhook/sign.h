/* Signatures of deliveries, by the Standard Webhooks specification 1.0.0. */
#ifndef KITH_WEBHOOK_SIGN_H
#define KITH_WEBHOOK_SIGN_H

#include <stddef.h>
#include <stdint.h>

enum {
	SIGN_SECRET_LEN = 32,     /* random bytes */
	SIGN_SECRET_TEXT = 56,    /* room for "whsec_" + base64 with its NUL */
	SIGN_SIGNATURE_TEXT = 56, /* room for "v1," + base64 of HMAC-SHA256 with its NUL */
	/* what a secret that somebody else made may have, and room for its text */
	SIGN_GIVEN_MIN = 24,
	SIGN_GIVEN_MAX = 64,
	SIGN_GIVEN_TEXT = 96
};

/* "whsec_" and base64 of the secret; answers out. */
char *sign_secret_text(char out[SIGN_SECRET_TEXT], const unsigned char secret[SIGN_SECRET_LEN]);

/* "v1,<base64 of HMAC-SHA256 of "id.timestamp.body">"; answers out. */
char *sign_signature(char out[SIGN_SIGNATURE_TEXT], const unsigned char secret[SIGN_SECRET_LEN], const char *id,
    int64_t timestamp_s, const char *body, size_t body_len);

/* Both with a secret of SIGN_GIVEN_MIN to SIGN_GIVEN_MAX bytes. */
char *sign_given_text(char out[SIGN_GIVEN_TEXT], const unsigned char *secret, size_t len);
char *sign_given_signature(char out[SIGN_SIGNATURE_TEXT], const unsigned char *secret, size_t len, const char *id,
    int64_t timestamp_s, const char *body, size_t body_len);

#endif
