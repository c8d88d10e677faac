/* What is remembered while a person is at the provider. The server keeps nothing: the parameter state is the attempt
 * itself, sealed with the installation's key and bound to a random cookie. Any process can open it. An answer that was
 * meant for another browser cannot be used, and several tabs of one browser do not disturb each other. The cookie is
 * sent when the provider's page leads back here, because it is SameSite=Lax. */
#include <string.h>

#include "server/base/crypto.h"
#include "server/base/text.h"
#include "server/http/http.h"
#include "server/request/session_cookie.h"
#include "server/signin/oidc_private.h"
#include "webhook/vault.h"

enum {
	BROWSER_SIZE = 32, /* random bytes in the cookie */
	BROWSER_LEN = 43,  /* the same as text */
	NONCE_SIZE = 16,
	VERIFIER_SIZE = 32,
	TIME_SIZE = 8,
	FIXED_SIZE = TIME_SIZE + NONCE_SIZE + VERIFIER_SIZE,
	SEALED_MAX = FIXED_SIZE + OIDC_RETURN_MAX + VAULT_EXTRA,
	STATE_MAX = (SEALED_MAX + 2) / 3 * 4,
	COOKIE_S = OIDC_STATE_MS / 1000
};

static const char sealed_kind[] = "oidc state", https_name[] = "__Host-kith-oidc", loopback_name[] = "kith-oidc";

static char *encode_base64url(struct arena *a, const void *bytes, size_t len)
{
	struct buf text;
	char *out;

	buf_init(&text, STATE_MAX);
	text_base64url(&text, bytes, len);
	out = arena_dup(a, text.data, text.len);
	buf_free(&text);
	return out;
}

/* --- the cookie ----------------------------------------------------------------------- */

static bool is_secure(struct req *r)
{
	return session_cookie_at(r) == SIGN_IN_HTTPS;
}

/* The value of the cookie in a Cookie header, which is a list such as "a=1; b=2". */
static const char *cookie_value(const char *header, const char *name)
{
	size_t name_len = strlen(name);

	for (const char *pair = header; *pair; pair += strspn(pair, "; \t")) {
		size_t len = strcspn(pair, ";");
		if (len == name_len + 1 + BROWSER_LEN && strncmp(pair, name, name_len) == 0 && pair[name_len] == '=')
			return pair + name_len + 1;
		pair += len;
	}
	return NULL;
}

/* Binds a state to the browser, and to the provider: processes with another one may run beside this, and must not send
 * that one the code of the first. */
static void state_digest(struct req *r, const char browser[BROWSER_LEN + 1], unsigned char digest[SHA256_SIZE])
{
	const char *text = arena_printf(&r->arena, "%s %s", browser, r->server->oidc->issuer);

	sha256_digest(text, strlen(text), digest);
}

/* False: there is no cookie. */
static bool browser_read(struct req *r, char text[BROWSER_LEN + 1], unsigned char digest[SHA256_SIZE])
{
	const char *name = is_secure(r) ? https_name : loopback_name, *value = NULL;

	for (int i = 0; i < http_header_count(r->call, "Cookie") && !value; i++)
		value = cookie_value(http_header_at(r->call, "Cookie", i), name);
	if (!value)
		return false;
	memcpy(text, value, BROWSER_LEN);
	text[BROWSER_LEN] = '\0';
	state_digest(r, text, digest);
	return true;
}

static void browser_mark(struct req *r, char text[BROWSER_LEN + 1], unsigned char digest[SHA256_SIZE])
{
	unsigned char random[BROWSER_SIZE];

	if (!browser_read(r, text, digest)) {
		random_bytes(random, sizeof random);
		memcpy(text, encode_base64url(&r->arena, random, sizeof random), BROWSER_LEN + 1);
		state_digest(r, text, digest);
	}
	reply_header(r, "Set-Cookie",
	    arena_printf(&r->arena, "%s=%s; HttpOnly; %sSameSite=Lax; Path=/; Max-Age=%d",
	        is_secure(r) ? https_name : loopback_name, text, is_secure(r) ? "Secure; " : "", COOKIE_S));
}

/* --- the parameter ---------------------------------------------------------------------- */

static void put_time(unsigned char out[TIME_SIZE], int64_t ms)
{
	for (int i = 0; i < TIME_SIZE; i++)
		out[i] = (unsigned char)((uint64_t)ms >> (8 * (TIME_SIZE - 1 - i)));
}

static int64_t get_time(const unsigned char in[TIME_SIZE])
{
	uint64_t ms = 0;

	for (int i = 0; i < TIME_SIZE; i++)
		ms = ms << 8 | in[i];
	return (int64_t)ms;
}

/* The nonce and the verifier as they are sent. */
static void attempt_texts(struct arena *a, const unsigned char *plain, struct oidc_attempt *out)
{
	out->nonce = encode_base64url(a, plain + TIME_SIZE, NONCE_SIZE);
	out->verifier = encode_base64url(a, plain + TIME_SIZE + NONCE_SIZE, VERIFIER_SIZE);
}

const char *oidc_state_make(struct req *r, const char *return_to, struct oidc_attempt *out)
{
	unsigned char plain[FIXED_SIZE + OIDC_RETURN_MAX], sealed[SEALED_MAX], digest[SHA256_SIZE];
	size_t len = strlen(return_to);
	char browser[BROWSER_LEN + 1];

	browser_mark(r, browser, digest);
	put_time(plain, req_now_ms(r));
	random_bytes(plain + TIME_SIZE, NONCE_SIZE + VERIFIER_SIZE);
	memcpy(plain + FIXED_SIZE, return_to, len);
	attempt_texts(&r->arena, plain, out);
	out->return_to = return_to;
	vault_seal_text(r->server->vault, sealed_kind, digest, sizeof digest, plain, FIXED_SIZE + len, sealed);
	return encode_base64url(&r->arena, sealed, FIXED_SIZE + len + VAULT_EXTRA);
}

bool oidc_state_open(struct req *r, const struct query_text *state, struct oidc_attempt *out)
{
	unsigned char plain[FIXED_SIZE + OIDC_RETURN_MAX], sealed[SEALED_MAX], digest[SHA256_SIZE];
	char browser[BROWSER_LEN + 1];
	int64_t age_ms;
	size_t len;

	if (!browser_read(r, browser, digest) ||
	    !text_base64url_decode(state->text, state->len, sealed, sizeof sealed, &len) ||
	    len < FIXED_SIZE + VAULT_EXTRA ||
	    !vault_unseal_text(r->server->vault, sealed_kind, digest, sizeof digest, sealed, len, plain))
		return false;
	age_ms = req_now_ms(r) - get_time(plain);
	if (age_ms < -ID_TOKEN_LEEWAY_S * 1000 || age_ms > config_scaled_ms(r->server->config, OIDC_STATE_MS))
		return false;
	attempt_texts(&r->arena, plain, out);
	out->return_to = arena_dup(&r->arena, (const char *)plain + FIXED_SIZE, len - VAULT_EXTRA - FIXED_SIZE);
	return true;
}
