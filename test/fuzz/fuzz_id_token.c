/* Arbitrary bytes as a token, as a set of keys before a line break, and as claims and header that the right key has
 * signed: nothing is read out of bounds, nobody without a key makes a valid token, and what a valid one says fits its
 * limits. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/signin/id_token.h"
#include "test/lib/signin/token_maker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct id_token_expected expected = {
    .issuer = "https://id.example", .client_id = "kith", .nonce = "n", .now_s = 1800000000};

static struct token_key *key;
static const struct json *own_keys;

static void must_hold(bool holds)
{
	if (!holds)
		abort();
}

/* Once, for the whole run. */
static void make_key(void)
{
	static struct arena a;
	const char *error;

	if (key)
		return;
	key = token_key_new("EdDSA");
	const char *set = arena_printf(&a, "{\"keys\": [%s]}", token_key_jwk(&a, key, "\"kid\": \"k\""));
	own_keys = json_read(&a, set, strlen(set), &error);
	must_hold(own_keys);
}

static enum id_token_verdict verify_token(struct arena *a, const char *token, size_t len, const struct json *keys)
{
	struct id_token_person p;
	const char *why = NULL;
	enum id_token_verdict verdict = id_token_verify(a, token, len, keys, &expected, &p, &why);

	must_hold((verdict == ID_TOKEN_VALID) == !why);
	if (verdict == ID_TOKEN_VALID) {
		must_hold(*p.subject && strlen(p.subject) <= ID_TOKEN_SUBJECT_MAX);
		must_hold(!p.email || (strchr(p.email, '@') && strlen(p.email) <= ID_TOKEN_EMAIL_MAX));
		must_hold(!p.email_verified || p.email);
	}
	return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	const char *error;

	make_key();
	arena_init(&a);
	const char *text = arena_dup(&a, (const char *)data, size), *line = memchr(text, '\n', size);
	size_t keys_len = line ? (size_t)(line - text) : 0;
	const char *rest = line ? line + 1 : text;
	size_t rest_len = size - (size_t)(rest - text);
	must_hold(verify_token(&a, rest, rest_len, own_keys) != ID_TOKEN_VALID);
	const struct json *keys = json_read(&a, text, keys_len, &error);
	if (keys)
		verify_token(&a, rest, rest_len, keys);
	/* The first line is the header, the rest are the claims. */
	const char *header = arena_dup(&a, text, keys_len), *token = token_sign(&a, key, header, rest);
	verify_token(&a, token, strlen(token), own_keys);
	token = token_sign(&a, key, "{\"alg\": \"EdDSA\", \"kid\": \"k\"}", rest);
	verify_token(&a, token, strlen(token), own_keys);
	arena_free(&a);
	return 0;
}
