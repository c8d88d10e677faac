/* See token_maker.h. */
#include "test/lib/signin/token_maker.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1024 };

struct token_key {
	EVP_PKEY *key;
	bool pss, curve, edwards;
	int size; /* bytes of a coordinate */
};

static void must_hold(bool holds)
{
	if (!holds)
		abort();
}

struct token_key *token_key_new(const char *alg)
{
	struct token_key *k = mem_zalloc(sizeof(*k));

	if (strcmp(alg, "EdDSA") == 0) {
		k->edwards = true;
		k->key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	} else if (strncmp(alg, "ES", 2) == 0) {
		k->curve = true;
		k->size = strcmp(alg, "ES384") == 0 ? 48 : 32;
		k->key = EVP_EC_gen(k->size == 48 ? "P-384" : "P-256");
	} else {
		k->pss = alg[0] == 'P';
		k->key = EVP_RSA_gen(strcmp(alg, "RS1024") == 0 ? 1024 : 2048);
	}
	must_hold(k->key);
	return k;
}

void token_key_free(struct token_key *k)
{
	EVP_PKEY_free(k->key);
	free(k);
}

const char *token_base64url(struct arena *a, const void *bytes, size_t len)
{
	char *out = arena_alloc(a, (len + 2) / 3 * 4 + 1);

	EVP_EncodeBlock((unsigned char *)out, bytes, (int)len);
	for (char *c = out; *c; c++) {
		*c = *c == '+' ? '-' : *c == '/' ? '_' : *c;
		if (*c == '=')
			*c = '\0';
	}
	return out;
}

/* --- keys ------------------------------------------------------------------------- */

static const char *key_number(struct arena *a, const struct token_key *k, const char *name, int size)
{
	unsigned char bytes[BYTES_MAX];
	BIGNUM *n = NULL;

	must_hold(EVP_PKEY_get_bn_param(k->key, name, &n) == 1);
	int len = size ? BN_bn2binpad(n, bytes, size) : BN_bn2bin(n, bytes);
	BN_free(n);
	must_hold(len > 0);
	return token_base64url(a, bytes, (size_t)len);
}

const char *token_key_jwk(struct arena *a, const struct token_key *k, const char *more)
{
	const char *comma = *more ? ", " : "";
	unsigned char x[32];
	size_t len = sizeof(x);

	if (k->edwards) {
		must_hold(EVP_PKEY_get_raw_public_key(k->key, x, &len) == 1);
		return arena_printf(a, "{\"kty\": \"OKP\", \"crv\": \"Ed25519\", \"x\": \"%s\"%s%s}",
		    token_base64url(a, x, len), comma, more);
	}
	if (k->curve)
		return arena_printf(a, "{\"kty\": \"EC\", \"crv\": \"P-%d\", \"x\": \"%s\", \"y\": \"%s\"%s%s}",
		    k->size * 8, key_number(a, k, OSSL_PKEY_PARAM_EC_PUB_X, k->size),
		    key_number(a, k, OSSL_PKEY_PARAM_EC_PUB_Y, k->size), comma, more);
	return arena_printf(a, "{\"kty\": \"RSA\", \"n\": \"%s\", \"e\": \"%s\"%s%s}",
	    key_number(a, k, OSSL_PKEY_PARAM_RSA_N, 0), key_number(a, k, OSSL_PKEY_PARAM_RSA_E, 0), comma, more);
}

const char *token_key_pem(struct arena *a, const struct token_key *k)
{
	BIO *out = BIO_new(BIO_s_mem());
	char *text;

	must_hold(out && PEM_write_bio_PUBKEY(out, k->key) == 1);
	long len = BIO_get_mem_data(out, &text);
	const char *pem = arena_dup(a, text, (size_t)len);
	BIO_free(out);
	return pem;
}

/* --- signatures --------------------------------------------------------------------- */

static const char *signed_part(struct arena *a, const char *header, const char *claims)
{
	return arena_printf(
	    a, "%s.%s", token_base64url(a, header, strlen(header)), token_base64url(a, claims, strlen(claims)));
}

const char *token_join(
    struct arena *a, const char *header, const char *claims, const unsigned char *signature, size_t len)
{
	return arena_printf(a, "%s.%s", signed_part(a, header, claims), token_base64url(a, signature, len));
}

/* Two numbers of size bytes each, from DER. */
static size_t pair_from_der(unsigned char *bytes, size_t len, int size)
{
	const unsigned char *der = bytes;
	ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)len);

	must_hold(sig && BN_bn2binpad(ECDSA_SIG_get0_r(sig), bytes, size) == size);
	must_hold(BN_bn2binpad(ECDSA_SIG_get0_s(sig), bytes + size, size) == size);
	ECDSA_SIG_free(sig);
	return 2 * (size_t)size;
}

const char *token_sign(struct arena *a, const struct token_key *k, const char *header, const char *claims)
{
	const char *text = signed_part(a, header, claims);
	unsigned char signature[BYTES_MAX];
	size_t len = sizeof(signature);
	EVP_PKEY_CTX *ctx;
	EVP_MD_CTX *md = EVP_MD_CTX_new();

	must_hold(md && EVP_DigestSignInit(md, &ctx, k->edwards ? NULL : EVP_sha256(), NULL, k->key) == 1);
	if (k->pss)
		must_hold(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
		          EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1);
	must_hold(EVP_DigestSign(md, signature, &len, (const unsigned char *)text, strlen(text)) == 1);
	EVP_MD_CTX_free(md);
	if (k->curve)
		len = pair_from_der(signature, len, k->size);
	return token_join(a, header, claims, signature, len);
}

const char *token_hmac(struct arena *a, const char *secret, const char *header, const char *claims)
{
	const char *text = signed_part(a, header, claims);
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned len = 0;

	must_hold(
	    HMAC(EVP_sha256(), secret, (int)strlen(secret), (const unsigned char *)text, strlen(text), digest, &len));
	return token_join(a, header, claims, digest, len);
}
