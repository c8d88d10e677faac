/* ID tokens: see id_token.h. Only the algorithms of one table are known, and each has its own kind of key. So a token
 * cannot choose how it is verified: "none" and HMAC are unknown, and a public key is never a secret. */
#include "server/signin/id_token.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/text.h"

enum {
	HEADER_MAX = 4 << 10,
	RSA_BITS_MIN = 2048,
	RSA_BITS_MAX = 8192, /* larger ones would hold the loop */
	RSA_BYTES_MAX = RSA_BITS_MAX / 8 + 1,
	EXPONENT_BYTES_MAX = 8,
	CURVE_SIZE = 32 /* bytes of a coordinate of P-256, and of an Ed25519 key */
};

/* A part of the token. */
struct token_part {
	const char *at;
	size_t len;
};

struct token_parts {
	struct token_part header, claims, signature;
	size_t signed_len; /* header and claims as they were signed */
};

/* --- keys ------------------------------------------------------------------------- */

static bool key_bytes(const struct json *key, const char *name, unsigned char *out, size_t cap, size_t *len)
{
	const struct json *text = json_typed(key, name, JSON_STRING);

	return text && text_base64url_decode(text->text, text->len, out, cap, len);
}

static EVP_PKEY *key_from(const char *type, OSSL_PARAM_BLD *build)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
	EVP_PKEY *key = NULL;

	if (!ctx || !params || EVP_PKEY_fromdata_init(ctx) != 1 ||
	    EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
		key = NULL;
	OSSL_PARAM_free(params);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static EVP_PKEY *key_read_rsa(const struct json *jwk)
{
	unsigned char n[RSA_BYTES_MAX], e[EXPONENT_BYTES_MAX];
	size_t n_len, e_len;

	if (!key_bytes(jwk, "n", n, sizeof n, &n_len) || !key_bytes(jwk, "e", e, sizeof e, &e_len) || e_len == 0)
		return NULL;
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	BIGNUM *modulus = BN_bin2bn(n, (int)n_len, NULL), *exponent = BN_bin2bn(e, (int)e_len, NULL);
	EVP_PKEY *key = NULL;
	bool sound = modulus && exponent && BN_num_bits(modulus) >= RSA_BITS_MIN &&
	             BN_num_bits(modulus) <= RSA_BITS_MAX && BN_is_odd(modulus) && BN_is_odd(exponent) &&
	             !BN_is_one(exponent);
	if (sound && build && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
	    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, exponent) == 1)
		key = key_from("RSA", build);
	OSSL_PARAM_BLD_free(build);
	BN_free(modulus);
	BN_free(exponent);
	return key;
}

static EVP_PKEY *key_read_p256(const struct json *jwk)
{
	unsigned char point[1 + 2 * CURVE_SIZE] = {POINT_CONVERSION_UNCOMPRESSED};
	size_t x, y;

	if (strcmp(json_text(jwk, "crv"), "P-256") != 0 || !key_bytes(jwk, "x", point + 1, CURVE_SIZE, &x) ||
	    !key_bytes(jwk, "y", point + 1 + CURVE_SIZE, CURVE_SIZE, &y) || x != CURVE_SIZE || y != CURVE_SIZE)
		return NULL;
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	EVP_PKEY *key = NULL;
	if (build && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1 &&
	    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point) == 1)
		key = key_from("EC", build);
	OSSL_PARAM_BLD_free(build);
	return key;
}

static EVP_PKEY *key_read_ed25519(const struct json *jwk)
{
	unsigned char x[CURVE_SIZE];
	size_t len;

	if (strcmp(json_text(jwk, "crv"), "Ed25519") != 0 || !key_bytes(jwk, "x", x, sizeof x, &len) ||
	    len != CURVE_SIZE)
		return NULL;
	return EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, x, len);
}

/* --- algorithms -------------------------------------------------------------------- */

static const struct algorithm {
	const char *name, *key_type;
	EVP_PKEY *(*read_key)(const struct json *jwk);
	bool pss, pair; /* a signature is by RSA-PSS; is two numbers of 32 bytes */
	bool sha256;    /* else the algorithm has its own digest */
} algorithms[] = {
    {"RS256", "RSA", key_read_rsa, .sha256 = true},
    {"PS256", "RSA", key_read_rsa, .pss = true, .sha256 = true},
    {"ES256", "EC", key_read_p256, .pair = true, .sha256 = true},
    {"EdDSA", "OKP", key_read_ed25519},
};

static const struct algorithm *algorithm_find(const struct json *header)
{
	const struct json *name = json_typed(header, "alg", JSON_STRING);

	for (size_t i = 0; name && !name->has_nul && i < sizeof algorithms / sizeof *algorithms; i++)
		if (strcmp(algorithms[i].name, name->text) == 0)
			return &algorithms[i];
	return NULL;
}

/* The signature of ES256 is two numbers; OpenSSL reads them in DER. */
static size_t pair_to_der(const unsigned char *pair, unsigned char *der, size_t cap)
{
	ECDSA_SIG *sig = ECDSA_SIG_new();
	BIGNUM *r = BN_bin2bn(pair, CURVE_SIZE, NULL), *s = BN_bin2bn(pair + CURVE_SIZE, CURVE_SIZE, NULL);
	int len = 0;

	if (sig && r && s && ECDSA_SIG_set0(sig, r, s) == 1) {
		r = s = NULL; /* sig owns them */
		len = i2d_ECDSA_SIG(sig, NULL);
		len = len > 0 && (size_t)len <= cap ? i2d_ECDSA_SIG(sig, &der) : 0;
	}
	BN_free(r);
	BN_free(s);
	ECDSA_SIG_free(sig);
	return len > 0 ? (size_t)len : 0;
}

static bool algorithm_set(const struct algorithm *alg, EVP_PKEY_CTX *ctx)
{
	return !alg->pss || (EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
	                        EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1 &&
	                        EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, EVP_sha256()) == 1);
}

static bool signature_fits(const struct algorithm *alg, EVP_PKEY *key, const struct token_parts *token)
{
	unsigned char given[RSA_BYTES_MAX], der[2 * CURVE_SIZE + 16];
	const unsigned char *signature = given;
	size_t len;

	if (!text_base64url_decode(token->signature.at, token->signature.len, given, sizeof given, &len))
		return false;
	if (alg->pair) {
		len = len == 2 * CURVE_SIZE ? pair_to_der(given, der, sizeof der) : 0;
		signature = der;
	}
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	EVP_PKEY_CTX *ctx = NULL;
	bool fits =
	    len && md && EVP_DigestVerifyInit(md, &ctx, alg->sha256 ? EVP_sha256() : NULL, NULL, key) == 1 &&
	    algorithm_set(alg, ctx) &&
	    EVP_DigestVerify(md, signature, len, (const unsigned char *)token->header.at, token->signed_len) == 1;
	EVP_MD_CTX_free(md);
	return fits;
}

/* --- the key of a token ------------------------------------------------------------- */

/* True when the key may be for this algorithm, by what it says of itself. */
static bool key_serves(const struct json *jwk, const struct algorithm *alg)
{
	const struct json *operations = json_typed(jwk, "key_ops", JSON_ARRAY);
	bool verifies = !operations;

	json_each(item, operations)
		verifies = verifies || (item->type == JSON_STRING && strcmp(item->text, "verify") == 0);
	return verifies && strcmp(json_text(jwk, "kty"), alg->key_type) == 0 &&
	       (!json_member(jwk, "use") || strcmp(json_text(jwk, "use"), "sig") == 0) &&
	       (!json_member(jwk, "alg") || strcmp(json_text(jwk, "alg"), alg->name) == 0);
}

static bool key_is_named(const struct json *jwk, const struct json *kid)
{
	const struct json *own = json_typed(jwk, "kid", JSON_STRING);

	return !kid || (own && own->len == kid->len && memcmp(own->text, kid->text, kid->len) == 0);
}

/* Finds the only key that the token can mean. */
static enum id_token_verdict token_key(const struct json *header, const struct algorithm *alg, const struct json *keys,
    const struct json **out, const char **why)
{
	const struct json *kid = json_member(header, "kid");
	int n_named = 0, n_serving = 0;

	*why = "the header's kid is not a text";
	if (kid && kid->type != JSON_STRING)
		return ID_TOKEN_INVALID;
	json_each(jwk, json_typed(keys, "keys", JSON_ARRAY)) {
		bool named = key_is_named(jwk, kid), serves = named && key_serves(jwk, alg);
		n_named += named;
		n_serving += serves;
		if (serves)
			*out = jwk;
	}
	if (n_serving == 1)
		return ID_TOKEN_VALID;
	*why = n_serving ? "more than one key of the provider has its kid" : "no key of the provider has its kid";
	if (n_serving || (kid && n_named)) {
		*why = n_serving ? *why : "the key with its kid is of another kind";
		return ID_TOKEN_INVALID;
	}
	return ID_TOKEN_UNKNOWN_KEY;
}

static bool token_is_signed(const struct token_parts *token, const struct algorithm *alg, const struct json *jwk)
{
	EVP_PKEY *key = alg->read_key(jwk);
	bool fits = key && signature_fits(alg, key, token);

	EVP_PKEY_free(key);
	ERR_clear_error();
	return fits;
}

/* --- claims -------------------------------------------------------------------------- */

/* A text that is not empty and that C can hold. */
static const char *claim_text(const struct json *claims, const char *name)
{
	const struct json *text = json_typed(claims, name, JSON_STRING);

	return text && text->len && !text->has_nul ? text->text : NULL;
}

static bool claim_is(const struct json *value, const char *text)
{
	return value && value->type == JSON_STRING && !value->has_nul && strcmp(value->text, text) == 0;
}

/* Seconds since 1970, which may have a fraction. */
static bool claim_time(const struct json *claims, const char *name, int64_t *out)
{
	const struct json *number = json_typed(claims, name, JSON_NUMBER);
	double seconds = number ? strtod(number->text, NULL) : -1;

	if (!(seconds >= 0 && seconds < 1e12))
		return false;
	*out = (int64_t)seconds;
	return true;
}

/* The token is for this client. Further audiences are accepted only if the token says that it was made for this
 * client. */
static bool audience_fits(const struct json *claims, const char *client_id)
{
	const struct json *aud = json_member(claims, "aud"), *azp = json_member(claims, "azp");
	bool named = claim_is(aud, client_id);
	size_t n = named;

	json_each(item, aud) {
		named = named || claim_is(item, client_id);
		n++;
	}
	return named && (n == 1 || azp) && (!azp || claim_is(azp, client_id));
}

static const char *wrong_time(const struct json *claims, int64_t now_s)
{
	int64_t expires, issued, begins;

	if (!claim_time(claims, "exp", &expires) || !claim_time(claims, "iat", &issued))
		return "exp or iat is missing or not a time";
	if (now_s >= expires + ID_TOKEN_LEEWAY_S)
		return "it has expired (exp)";
	if (issued > now_s + ID_TOKEN_LEEWAY_S)
		return "it was issued in the future (iat): compare the clocks";
	if (json_member(claims, "nbf") && (!claim_time(claims, "nbf", &begins) || begins > now_s + ID_TOKEN_LEEWAY_S))
		return "it is not valid yet (nbf): compare the clocks";
	return NULL;
}

/* True when no character of the text is below lowest, or a delete character. */
static bool text_is_plain(const char *text, unsigned char lowest)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if (*p < lowest || *p == 0x7f)
			return false;
	return true;
}

static bool subject_fits(const char *subject)
{
	return subject && strlen(subject) <= ID_TOKEN_SUBJECT_MAX && text_is_plain(subject, ' ');
}

static bool email_fits(const char *email)
{
	const char *at = email ? strrchr(email, '@') : NULL;

	return at && at != email && at[1] && strlen(email) <= ID_TOKEN_EMAIL_MAX && text_is_plain(email, '!');
}

static bool name_fits(const char *name)
{
	return name && text_code_points(name, strlen(name)) <= ID_TOKEN_NAME_MAX && text_is_plain(name, ' ');
}

/* NULL: nothing is wrong. */
static const char *wrong_claim(const struct json *claims, const struct id_token_expected *e)
{
	if (!claim_is(json_member(claims, "iss"), e->issuer))
		return "it is from another issuer (iss)";
	if (!audience_fits(claims, e->client_id))
		return "it is for another client (aud, azp)";
	if (!claim_is(json_member(claims, "nonce"), e->nonce))
		return "it belongs to another attempt to sign in (nonce)";
	if (!subject_fits(claim_text(claims, "sub")))
		return "its subject (sub) is missing or too long";
	return wrong_time(claims, e->now_s);
}

/* Entra has no email_verified. Its optional claim xms_edov says the same: the owner of the e-mail's domain has been
 * verified. */
static bool email_is_verified(const struct json *claims, const char *issuer)
{
	static const char entra[] = "https://login.microsoftonline.com/";
	const struct json *said = json_member(claims, "email_verified");

	if (!said && strncmp(issuer, entra, sizeof entra - 1) == 0)
		said = json_member(claims, "xms_edov");
	if (!said)
		return false;
	return (said->type == JSON_BOOL && said->truth) || claim_is(said, "true") ||
	       (said->type == JSON_NUMBER && strcmp(said->text, "1") == 0);
}

void id_token_read_person(const struct json *claims, const char *issuer, struct id_token_person *out)
{
	const char *email = claim_text(claims, "email"), *name = claim_text(claims, "name");

	out->email = email_fits(email) ? email : NULL;
	out->name = name_fits(name) ? name : NULL;
	out->email_verified = out->email && email_is_verified(claims, issuer);
}

/* --- the token ------------------------------------------------------------------------ */

static bool token_split(const char *token, size_t len, struct token_parts *out)
{
	const char *first = memchr(token, '.', len);
	const char *second = first ? memchr(first + 1, '.', len - (size_t)(first + 1 - token)) : NULL;

	if (!second || memchr(second + 1, '.', len - (size_t)(second + 1 - token)))
		return false;
	out->header = (struct token_part){token, (size_t)(first - token)};
	out->claims = (struct token_part){first + 1, (size_t)(second - first - 1)};
	out->signature = (struct token_part){second + 1, len - (size_t)(second + 1 - token)};
	out->signed_len = (size_t)(second - token);
	return true;
}

/* NULL: not base64url of a JSON object. */
static const struct json *part_read(struct arena *a, const struct token_part *part)
{
	char *text = arena_alloc(a, part->len + 1);
	const char *error;
	size_t len;

	if (!text_base64url_decode(part->at, part->len, (unsigned char *)text, part->len, &len))
		return NULL;
	const struct json *json = json_read(a, text, len, &error);
	return json && json->type == JSON_OBJECT ? json : NULL;
}

/* NULL: this can be the header of an ID token. Extensions that must be understood are refused. */
static const char *wrong_header(const struct json *header)
{
	const struct json *type = json_member(header, "typ");

	if (!header)
		return "its header is not a JSON object";
	if (json_member(header, "crit"))
		return "its header has extensions (crit)";
	if (type && (type->type != JSON_STRING || strcasecmp(type->text, "JWT") != 0))
		return "it is not an ID token (typ)";
	return NULL;
}

enum id_token_verdict id_token_verify(struct arena *a, const char *token, size_t len, const struct json *keys,
    const struct id_token_expected *expected, struct id_token_person *out, const char **why)
{
	struct token_parts parts;
	const struct json *header, *claims, *jwk = NULL;
	const struct algorithm *alg;
	enum id_token_verdict verdict;

	*why = "it is too long, or not three parts";
	if (len > ID_TOKEN_MAX || !token_split(token, len, &parts) || parts.header.len > HEADER_MAX)
		return ID_TOKEN_INVALID;
	header = part_read(a, &parts.header);
	if ((*why = wrong_header(header)))
		return ID_TOKEN_INVALID;
	*why = "its algorithm (alg) is not RS256, PS256, ES256 or EdDSA";
	if (!(alg = algorithm_find(header)))
		return ID_TOKEN_INVALID;
	verdict = token_key(header, alg, keys, &jwk, why);
	if (verdict != ID_TOKEN_VALID)
		return verdict;
	*why = "its signature is wrong, or the key cannot be used";
	if (!token_is_signed(&parts, alg, jwk))
		return ID_TOKEN_INVALID;
	claims = part_read(a, &parts.claims);
	*why = claims ? wrong_claim(claims, expected) : "its claims are not a JSON object";
	if (*why)
		return ID_TOKEN_INVALID;
	*out = (struct id_token_person){.subject = claim_text(claims, "sub")};
	id_token_read_person(claims, expected->issuer, out);
	return ID_TOKEN_VALID;
}
