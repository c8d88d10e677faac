/* Standard Webhooks, the symmetric scheme: HMAC-SHA256 over id, time and body. */
#include "webhook/sign.h"

#include <inttypes.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/crypto.h"
#include "server/base/fatal.h"
#include "server/base/text.h"

enum { CONTENT_MAX = 64 << 20 };

/* prefix and base64 of the bytes; size must suffice. */
static char *sign_encode(char *out, size_t size, const char *prefix, const unsigned char *bytes, size_t len)
{
	struct buf b;

	buf_init(&b, size - 1);
	buf_addz(&b, prefix);
	text_base64(&b, bytes, len);
	memcpy(out, b.data, b.len + 1);
	crypto_wipe(b.data, b.len);
	buf_free(&b);
	return out;
}

char *sign_secret_text(char out[SIGN_SECRET_TEXT], const unsigned char *secret, size_t len)
{
	return sign_encode(out, SIGN_SECRET_TEXT, "whsec_", secret, len);
}

char *sign_signature(char out[SIGN_SIGNATURE_TEXT], const unsigned char *secret, size_t len, const char *id,
    int64_t timestamp_s, const char *body, size_t body_len)
{
	unsigned char digest[SHA256_SIZE];
	struct buf content;

	buf_init(&content, CONTENT_MAX);
	buf_printf(&content, "%s.%" PRId64 ".", id, timestamp_s);
	buf_add(&content, body, body_len);
	if (content.overflow)
		fatal_abort("a delivery is too large to sign");
	hmac_sha256(secret, len, content.data, content.len, digest);
	buf_free(&content);
	return sign_encode(out, SIGN_SIGNATURE_TEXT, "v1,", digest, sizeof digest);
}
