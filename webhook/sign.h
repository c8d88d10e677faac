/* Signatures of deliveries, by the Standard Webhooks specification 1.0.0. */
#ifndef KITH_WEBHOOK_SIGN_H
#define KITH_WEBHOOK_SIGN_H

#include <stddef.h>
#include <stdint.h>

enum {
	SIGN_SECRET_LEN = 32,     /* random bytes */
	SIGN_SECRET_TEXT = 56,    /* buffer for "whsec_" + base64 with NUL */
	SIGN_SIGNATURE_TEXT = 56, /* buffer for "v1," + base64 of HMAC-SHA256 with NUL */
	/* lengths allowed for secrets made elsewhere, and the buffer for their text */
	SIGN_GIVEN_MIN = 24,
	SIGN_GIVEN_MAX = 64,
	SIGN_GIVEN_TEXT = 96
};

/* "whsec_" and base64 of the secret; returns out. */
char *sign_secret_text(char out[SIGN_SECRET_TEXT], const unsigned char secret[SIGN_SECRET_LEN]);

/* "v1,<base64 of HMAC-SHA256 of "id.timestamp.body">"; returns out. */
char *sign_signature(char out[SIGN_SIGNATURE_TEXT], const unsigned char secret[SIGN_SECRET_LEN], const char *id,
    int64_t timestamp_s, const char *body, size_t body_len);

/* Both for a secret of SIGN_GIVEN_MIN to SIGN_GIVEN_MAX bytes. */
char *sign_given_text(char out[SIGN_GIVEN_TEXT], const unsigned char *secret, size_t len);
char *sign_given_signature(char out[SIGN_SIGNATURE_TEXT], const unsigned char *secret, size_t len, const char *id,
    int64_t timestamp_s, const char *body, size_t body_len);

#endif
