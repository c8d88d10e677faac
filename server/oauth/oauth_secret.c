/* Makes and checks the texts of codes and refresh tokens. */
#include "server/oauth/oauth_secret.h"

#include <string.h>

#include "server/base/text.h"

enum { RANDOM_LEN = 32, MAC_LEN = 16, BYTES_LEN = 16 + 16 + RANDOM_LEN + MAC_LEN, TEXT_MAX = 200 };

static const struct {
	const char *prefix, *purpose;
} kinds[] = {
    [OAUTH_CODE] = {"kith_code_", "oauth code"},
    [OAUTH_REFRESH] = {"kith_refresh_", "oauth refresh token"},
};

static void secret_mac(enum oauth_secret_kind kind, const unsigned char key[SHA256_SIZE],
    const unsigned char bytes[BYTES_LEN], unsigned char mac[SHA256_SIZE])
{
	struct hmac h;

	hmac_begin(&h, key, SHA256_SIZE);
	hmac_add(&h, kinds[kind].purpose, strlen(kinds[kind].purpose) + 1);
	hmac_add(&h, bytes, BYTES_LEN - MAC_LEN);
	hmac_end(&h, mac);
}

void oauth_secret_new(
    struct oauth_secret *out, enum oauth_secret_kind kind, const unsigned char key[SHA256_SIZE], struct arena *a)
{
	unsigned char bytes[BYTES_LEN], mac[SHA256_SIZE];
	struct buf text;

	memcpy(bytes, out->workspace.b, 16);
	memcpy(bytes + 16, out->grant.b, 16);
	random_bytes(bytes + 32, RANDOM_LEN);
	secret_mac(kind, key, bytes, mac);
	memcpy(bytes + BYTES_LEN - MAC_LEN, mac, MAC_LEN);
	buf_init(&text, TEXT_MAX);
	buf_addz(&text, kinds[kind].prefix);
	text_base64url(&text, bytes, sizeof bytes);
	out->text = arena_dup(a, text.data, text.len);
	sha256_digest(text.data, text.len, out->hash);
	crypto_wipe(text.data, text.len);
	crypto_wipe(bytes, sizeof bytes);
	buf_free(&text);
}

bool oauth_secret_read(struct oauth_secret *out, enum oauth_secret_kind kind, const unsigned char key[SHA256_SIZE],
    const char *text, size_t len)
{
	size_t skip = strlen(kinds[kind].prefix), n;
	unsigned char bytes[BYTES_LEN], mac[SHA256_SIZE];

	if (len <= skip || memcmp(text, kinds[kind].prefix, skip) != 0 ||
	    !text_base64url_decode(text + skip, len - skip, bytes, sizeof bytes, &n) || n != sizeof bytes)
		return false;
	secret_mac(kind, key, bytes, mac);
	if (!crypto_equal(mac, bytes + BYTES_LEN - MAC_LEN, MAC_LEN))
		return false;
	memcpy(out->workspace.b, bytes, 16);
	memcpy(out->grant.b, bytes + 16, 16);
	out->text = text;
	sha256_digest(text, len, out->hash);
	return true;
}

/* --- the answer to a refresh token ----------------------------------------------------------- */

static const char pair_purpose[] = "oauth answer";

static void pair_key(const char *token, unsigned char key[SEAL_KEY_SIZE])
{
	hmac_sha256(token, strlen(token), pair_purpose, sizeof pair_purpose, key);
}

size_t oauth_pair_seal(const struct oauth_pair *pair, const char *token, unsigned char out[OAUTH_PAIR_MAX])
{
	unsigned char key[SEAL_KEY_SIZE];
	char plain[OAUTH_PAIR_MAX - SEAL_EXTRA];
	size_t refresh_len = strlen(pair->refresh), len = APIKEY_LEN + refresh_len;

	if (len > sizeof plain)
		return 0;
	memcpy(plain, pair->access, APIKEY_LEN);
	memcpy(plain + APIKEY_LEN, pair->refresh, refresh_len);
	pair_key(token, key);
	crypto_seal(key, pair_purpose, sizeof pair_purpose, plain, len, out);
	crypto_wipe(key, sizeof key);
	crypto_wipe(plain, sizeof plain);
	return len + SEAL_EXTRA;
}

bool oauth_pair_open(struct oauth_pair *out, const char *token, const void *sealed, size_t len, struct arena *a)
{
	unsigned char key[SEAL_KEY_SIZE], plain[OAUTH_PAIR_MAX];
	bool good;

	if (len <= SEAL_EXTRA + APIKEY_LEN || len > OAUTH_PAIR_MAX)
		return false;
	pair_key(token, key);
	good = crypto_open(key, pair_purpose, sizeof pair_purpose, sealed, len, plain);
	if (good) {
		memcpy(out->access, plain, APIKEY_LEN);
		out->access[APIKEY_LEN] = '\0';
		out->refresh = arena_dup(a, (const char *)plain + APIKEY_LEN, len - SEAL_EXTRA - APIKEY_LEN);
	}
	crypto_wipe(key, sizeof key);
	crypto_wipe(plain, sizeof plain);
	return good;
}

char *oauth_secret_text(const char *prefix, struct arena *a)
{
	unsigned char bytes[RANDOM_LEN];
	struct buf text;
	char *copy;

	random_bytes(bytes, sizeof bytes);
	buf_init(&text, TEXT_MAX);
	buf_addz(&text, prefix);
	text_base64url(&text, bytes, sizeof bytes);
	copy = arena_dup(a, text.data, text.len);
	crypto_wipe(text.data, text.len);
	crypto_wipe(bytes, sizeof bytes);
	buf_free(&text);
	return copy;
}
