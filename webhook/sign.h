/* Signatures of deliveries, by the Standard Webhooks specification 1.0.0. */
#ifndef KITH_WEBHOOK_SIGN_H
#define KITH_WEBHOOK_SIGN_H

#include <stddef.h>
#include <stdint.h>

enum {
	SIGN_SECRET_LEN = 32, /* random bytes */
	/* lengths allowed for secrets made elsewhere */
	SIGN_SECRET_MIN = 24,
	SIGN_SECRET_MAX = 64,
	SIGN_SECRET_TEXT = 96,   /* buffer for "whsec_" + base64 with NUL */
	SIGN_SIGNATURE_TEXT = 56 /* buffer for "v1," + base64 of HMAC-SHA256 with NUL */
};

/* "whsec_" and base64 of a secret of at most SIGN_SECRET_MAX bytes; returns out. */
char *sign_secret_text(char out[SIGN_SECRET_TEXT], const unsigned char *secret, size_t len);

/* "v1,<base64 of HMAC-SHA256 of "id.timestamp.body">"; returns out. */
char *sign_signature(char out[SIGN_SIGNATURE_TEXT], const unsigned char *secret, size_t len, const char *id,
    int64_t timestamp_s, const char *body, size_t body_len);

#endif
