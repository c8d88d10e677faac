/* Wraps OpenSSL's EVP interface in a few plain functions. The callers decide where keys come from. */
#include "server/base/crypto.h"

#include <limits.h>
#include <stdint.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "server/base/fatal.h"
#include "server/base/id.h"

enum { NONCE_SIZE = 12, TAG_SIZE = 16 };

/* The algorithm is fetched once, because an implicit fetch costs more than the hash of a short text. */
static const EVP_MD *sha256_algorithm(void)
{
	static EVP_MD *algorithm;

	if (!algorithm)
		algorithm = EVP_MD_fetch(NULL, "SHA256", NULL);
	return algorithm;
}

static const EVP_CIPHER *gcm_algorithm(void)
{
	static EVP_CIPHER *algorithm;

	if (!algorithm)
		algorithm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
	return algorithm;
}

static void crypto_require(bool worked)
{
	ERR_clear_error();
	if (!worked)
		fatal_abort("the cryptographic library failed");
}

void sha256_digest(const void *bytes, size_t len, unsigned char out[SHA256_SIZE])
{
	crypto_require(EVP_Digest(bytes, len, out, NULL, sha256_algorithm(), NULL) == 1);
}

void sha256_begin(struct sha256 *h)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();

	crypto_require(context && EVP_DigestInit_ex2(context, sha256_algorithm(), NULL) == 1);
	h->context = context;
}

void sha256_add(struct sha256 *h, const void *bytes, size_t len)
{
	crypto_require(len == 0 || EVP_DigestUpdate(h->context, bytes, len) == 1);
}

void sha256_part(struct sha256 *h, const void *bytes, size_t len)
{
	unsigned char length[8];

	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)((uint64_t)len >> (56 - 8 * i));
	sha256_add(h, length, sizeof length);
	sha256_add(h, bytes, len);
}

void sha256_end(struct sha256 *h, unsigned char out[SHA256_SIZE])
{
	if (out)
		crypto_require(EVP_DigestFinal_ex(h->context, out, NULL) == 1);
	EVP_MD_CTX_free(h->context);
	h->context = NULL;
}

/* The context is created once, because setting the digest costs more than signing a delivery. */
static EVP_MAC_CTX *hmac_context(void)
{
	static EVP_MAC_CTX *context;

	if (context)
		return context;
	char digest[] = "SHA256";
	OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
	    OSSL_PARAM_construct_end(),
	};
	EVP_MAC *algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
	context = EVP_MAC_CTX_new(algorithm); /* holds the algorithm */
	EVP_MAC_free(algorithm);
	crypto_require(context && EVP_MAC_CTX_set_params(context, params) == 1);
	return context;
}

void hmac_sha256(const void *key, size_t key_len, const void *bytes, size_t len, unsigned char out[SHA256_SIZE])
{
	EVP_MAC_CTX *context = hmac_context();
	size_t written = 0;

	/* A NULL key would mean "keep the previous key". */
	crypto_require(EVP_MAC_init(context, key_len ? key : (const void *)"", key_len, NULL) == 1 &&
	               (len == 0 || EVP_MAC_update(context, bytes, len) == 1) &&
	               EVP_MAC_final(context, out, &written, SHA256_SIZE) == 1 && written == SHA256_SIZE);
}

void hmac_begin(struct hmac *h, const void *key, size_t key_len)
{
	EVP_MAC_CTX *context = EVP_MAC_CTX_dup(hmac_context());

	crypto_require(context && EVP_MAC_init(context, key_len ? key : (const void *)"", key_len, NULL) == 1);
	h->context = context;
}

void hmac_add(struct hmac *h, const void *bytes, size_t len)
{
	crypto_require(len == 0 || EVP_MAC_update(h->context, bytes, len) == 1);
}

void hmac_end(struct hmac *h, unsigned char out[SHA256_SIZE])
{
	size_t written = 0;

	if (out)
		crypto_require(EVP_MAC_final(h->context, out, &written, SHA256_SIZE) == 1 && written == SHA256_SIZE);
	EVP_MAC_CTX_free(h->context);
	h->context = NULL;
}

bool crypto_equal(const void *a, const void *b, size_t len)
{
	return len == 0 || CRYPTO_memcmp(a, b, len) == 0;
}

void crypto_wipe(void *bytes, size_t len)
{
	OPENSSL_cleanse(bytes, len);
}

bool crypto_scrypt(const struct scrypt_cost *cost, size_t memory_max, const void *secret, size_t len, const void *salt,
    size_t salt_len, unsigned char *key, size_t key_len)
{
	bool worked = EVP_PBE_scrypt(secret, len, salt, salt_len, (uint64_t)1 << cost->log_n, (uint64_t)cost->r,
	                  (uint64_t)cost->p, memory_max, key, key_len) == 1;

	ERR_clear_error();
	return worked;
}

void crypto_stretch(
    const void *passphrase, size_t len, const unsigned char salt[STRETCH_SALT_SIZE], unsigned char key[SEAL_KEY_SIZE])
{
	enum { MEMORY_MAX = 128 << 20 };
	static const struct scrypt_cost cost = {.log_n = 16, .r = 8, .p = 1};

	crypto_require(crypto_scrypt(&cost, MEMORY_MAX, passphrase, len, salt, STRETCH_SALT_SIZE, key, SEAL_KEY_SIZE));
}

/* Sets up what sealing and opening share: key, nonce and associated data. */
static bool crypto_cipher_begin(EVP_CIPHER_CTX *context, bool sealing, const unsigned char *key,
    const unsigned char *nonce, const void *associated, size_t associated_len)
{
	int written;

	if (!context || associated_len > INT_MAX)
		return false;
	if (EVP_CipherInit_ex2(context, gcm_algorithm(), key, nonce, sealing, NULL) != 1)
		return false;
	return associated_len == 0 || EVP_CipherUpdate(context, NULL, &written, associated, (int)associated_len) == 1;
}

void crypto_seal(const unsigned char key[SEAL_KEY_SIZE], const void *associated, size_t associated_len,
    const void *plain, size_t len, unsigned char *out)
{
	unsigned char *body = out + NONCE_SIZE;
	int written = 0;

	random_bytes(out, NONCE_SIZE);
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	bool worked = len <= INT_MAX && crypto_cipher_begin(context, true, key, out, associated, associated_len) &&
	              (len == 0 || EVP_CipherUpdate(context, body, &written, plain, (int)len) == 1) &&
	              (size_t)written == len && EVP_CipherFinal_ex(context, body + len, &written) == 1 &&
	              EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG_SIZE, body + len) == 1;
	EVP_CIPHER_CTX_free(context);
	crypto_require(worked);
}

bool crypto_open(const unsigned char key[SEAL_KEY_SIZE], const void *associated, size_t associated_len,
    const void *sealed, size_t len, unsigned char *out)
{
	const unsigned char *nonce = sealed, *body = nonce + NONCE_SIZE;
	unsigned char tag[TAG_SIZE], rest[TAG_SIZE];
	int written = 0;

	if (len < SEAL_EXTRA || len > INT_MAX)
		return false;
	size_t plain_len = len - SEAL_EXTRA;
	for (int i = 0; i < TAG_SIZE; i++)
		tag[i] = body[plain_len + (size_t)i];
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	bool worked = crypto_cipher_begin(context, false, key, nonce, associated, associated_len) &&
	              EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG_SIZE, tag) == 1 &&
	              (plain_len == 0 || EVP_CipherUpdate(context, out, &written, body, (int)plain_len) == 1) &&
	              EVP_CipherFinal_ex(context, rest, &written) == 1;
	EVP_CIPHER_CTX_free(context);
	ERR_clear_error();
	if (!worked)
		OPENSSL_cleanse(out, plain_len);
	return worked;
}
