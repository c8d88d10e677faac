/* The text of a password's hash, and its derivation. */
#include "server/signin/password_hash.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "server/base/text.h"

enum { MEMORY_MAX = 40 << 20, LOG_N_MAX = 15, R_MAX = 8, P_MAX = 2, PARTS = 6 };

static const struct scrypt_cost present_cost = {.log_n = 15, .r = 8, .p = 1};

void password_hash_begin(
    struct password_hash *h, const unsigned char installation[32], const char *email, size_t email_len)
{
	static const char purpose[] = "password salt";
	unsigned char digest[SHA256_SIZE];
	struct hmac mac;

	hmac_begin(&mac, installation, 32);
	hmac_add(&mac, purpose, sizeof purpose); /* with its NUL, so that no address continues it */
	hmac_add(&mac, email, email_len);
	hmac_end(&mac, digest);
	*h = (struct password_hash){.cost = present_cost};
	memcpy(h->salt, digest, sizeof h->salt);
}

bool password_hash_derive(struct password_hash *h, const char *password, size_t len)
{
	return crypto_scrypt(&h->cost, MEMORY_MAX, password, len, h->salt, sizeof h->salt, h->key, sizeof h->key);
}

/* --- the text ------------------------------------------------------------------------- */

static bool read_number(const char *text, size_t len, int max, int *out)
{
	uint64_t number;

	if (!text_uint(text, len, &number) || number < 1 || number > (uint64_t)max)
		return false;
	*out = (int)number;
	return true;
}

static bool read_bytes(const char *text, size_t len, unsigned char *out, size_t size)
{
	if (len != 2 * size)
		return false;
	for (size_t i = 0; i < size; i++) {
		int high = text_hex_value(text[2 * i]), low = text_hex_value(text[2 * i + 1]);
		if (high < 0 || low < 0)
			return false;
		out[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

bool password_hash_parse(struct password_hash *h, const char *text, size_t len)
{
	const char *part[PARTS], *end = text + len;
	size_t lens[PARTS];
	int n = 0;

	for (const char *at = text; n < PARTS; at++) {
		const char *dollar = memchr(at, '$', (size_t)(end - at));
		part[n] = at;
		lens[n++] = (size_t)((dollar ? dollar : end) - at);
		if (!dollar)
			break;
		at = dollar;
	}
	return n == PARTS && part[PARTS - 1] + lens[PARTS - 1] == end && lens[0] == 6 &&
	       memcmp(part[0], "scrypt", 6) == 0 && read_number(part[1], lens[1], LOG_N_MAX, &h->cost.log_n) &&
	       read_number(part[2], lens[2], R_MAX, &h->cost.r) && read_number(part[3], lens[3], P_MAX, &h->cost.p) &&
	       read_bytes(part[4], lens[4], h->salt, sizeof h->salt) &&
	       read_bytes(part[5], lens[5], h->key, sizeof h->key);
}

char *password_hash_format(const struct password_hash *h, char out[PASSWORD_TEXT_SIZE])
{
	char salt[2 * PASSWORD_SALT + 1], key[2 * PASSWORD_KEY + 1];

	text_hex(salt, h->salt, sizeof h->salt);
	text_hex(key, h->key, sizeof h->key);
	snprintf(out, PASSWORD_TEXT_SIZE, "scrypt$%d$%d$%d$%s$%s", h->cost.log_n, h->cost.r, h->cost.p, salt, key);
	return out;
}

/* --- comparing ------------------------------------------------------------------------ */

bool password_hash_alike(const struct password_hash *a, const struct password_hash *b)
{
	return a->cost.log_n == b->cost.log_n && a->cost.r == b->cost.r && a->cost.p == b->cost.p &&
	       memcmp(a->salt, b->salt, sizeof a->salt) == 0;
}

bool password_hash_equal(const struct password_hash *a, const struct password_hash *b)
{
	bool same = crypto_equal(a->key, b->key, sizeof a->key);

	return password_hash_alike(a, b) && same;
}
