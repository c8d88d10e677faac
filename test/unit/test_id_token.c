/* ID tokens: those that are valid, and every way of being wrong. Each is signed here by OpenSSL. */
#include <stdio.h>
#include <string.h>

#include "server/signin/id_token.h"
#include "test/lib/case_arena.h"
#include "test/lib/signin/token_maker.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define ISSUER "https://id.example.com/realms/staff"

enum { NOW_S = 1800000000, ALGORITHMS = 4 };

static const char *const algorithms[ALGORITHMS] = {"RS256", "PS256", "ES256", "EdDSA"};
static struct token_key *keys[ALGORITHMS], *others[ALGORITHMS];

static const struct id_token_expected expected = {
    .issuer = ISSUER, .client_id = "kith", .nonce = "n-0S6_WzA2Mj", .now_s = NOW_S};

/* What a test changes of a valid token: NULL means that the member is as it should be, "" that it is absent. Values are
 * JSON. */
struct variant {
	const char *name;
	enum id_token_verdict verdict;
	const char *alg, *kid, *typ, *header; /* header: a further member */
	const char *iss, *aud, *azp, *nonce, *sub, *exp, *iat, *nbf, *more;
};

CASE_ARENA();

BEFORE_ALL()
{
	for (int i = 0; i < ALGORITHMS; i++) {
		keys[i] = token_key_new(algorithms[i]);
		others[i] = token_key_new(algorithms[i]);
	}
}

AFTER_ALL()
{
	for (int i = 0; i < ALGORITHMS; i++) {
		token_key_free(keys[i]);
		token_key_free(others[i]);
	}
}

static void add_member(char *to, size_t size, const char *name, const char *value, const char *otherwise)
{
	size_t len = strlen(to);

	value = value ? value : otherwise;
	if (value && *value)
		snprintf(to + len, size - len, "%s\"%s\": %s", len > 1 ? ", " : "", name, value);
}

static const char *header_of(const struct variant *v, int alg)
{
	static char text[4096];
	char own[16];

	snprintf(text, sizeof(text), "{");
	snprintf(own, sizeof(own), "\"%s\"", algorithms[alg]);
	add_member(text, sizeof(text), "alg", v->alg, own);
	add_member(text, sizeof(text), "kid", v->kid, "\"k1\"");
	add_member(text, sizeof(text), "typ", v->typ, "\"JWT\"");
	size_t len = strlen(text);
	snprintf(text + len, sizeof(text) - len, "%s}", v->header ? v->header : "");
	return text;
}

static const char *claims_of(const struct variant *v)
{
	static char text[64 << 10];

	snprintf(text, sizeof(text), "{");
	add_member(text, sizeof(text), "iss", v->iss, "\"" ISSUER "\"");
	add_member(text, sizeof(text), "aud", v->aud, "\"kith\"");
	add_member(text, sizeof(text), "azp", v->azp, NULL);
	add_member(text, sizeof(text), "nonce", v->nonce, "\"n-0S6_WzA2Mj\"");
	add_member(text, sizeof(text), "sub", v->sub, "\"24400320\"");
	add_member(text, sizeof(text), "exp", v->exp, "1800000300");
	add_member(text, sizeof(text), "iat", v->iat, "1800000000");
	add_member(text, sizeof(text), "nbf", v->nbf, NULL);
	size_t len = strlen(text);
	snprintf(text + len, sizeof(text) - len, "%s}", v->more ? v->more : "");
	return text;
}

static const struct json *read_keys(const char *text)
{
	const char *error;
	const struct json *set = json_read(&a, text, strlen(text), &error);

	assert_non_null(set);
	return set;
}

/* A set with these members in each key. */
static const struct json *key_set(struct token_key *const list[], int n, const char *more)
{
	const char *text = "{\"keys\": [";

	for (int i = 0; i < n; i++)
		text = arena_printf(&a, "%s%s%s", text, i ? ", " : "", token_key_jwk(&a, list[i], more));
	return read_keys(arena_printf(&a, "%s]}", text));
}

static void expect_verdict(const char *name, enum id_token_verdict verdict, const char *token, const struct json *set,
    const struct id_token_expected *e, struct id_token_person *person)
{
	struct id_token_person ignored;
	const char *why = "";
	enum id_token_verdict got = id_token_verify(&a, token, strlen(token), set, e, person ? person : &ignored, &why);

	if (got != verdict)
		fail_msg("%s: verdict %d, not %d (%s)", name, got, verdict, why ? why : "");
	if (got != ID_TOKEN_VALID && (!why || !*why))
		fail_msg("%s: no reason", name);
}

/* A change of the header may also name another key. */
static void expect_not_valid(const char *token, const struct json *set)
{
	struct id_token_person ignored;
	const char *why = "";

	assert_int_not_equal(id_token_verify(&a, token, strlen(token), set, &expected, &ignored, &why), ID_TOKEN_VALID);
}

/* The variant with every algorithm. */
static void expect_variant(const struct variant *v)
{
	for (int i = 0; i < ALGORITHMS; i++) {
		const char *token = token_sign(&a, keys[i], header_of(v, i), claims_of(v));
		expect_verdict(arena_printf(&a, "%s, %s", v->name, algorithms[i]), v->verdict, token,
		    key_set(&keys[i], 1, "\"kid\": \"k1\", \"use\": \"sig\""), &expected, NULL);
	}
}

TEST(test_claims)
{
	static const struct variant variants[] = {
	    {"valid", ID_TOKEN_VALID},
	    {"no kid", ID_TOKEN_VALID, .kid = ""},
	    {"no typ", ID_TOKEN_VALID, .typ = ""},
	    {"small typ", ID_TOKEN_VALID, .typ = "\"jwt\""},
	    {"unknown header member", ID_TOKEN_VALID,
	        .header = ", \"x5t\": \"abc\", \"jku\": \"https://evil.example/\""},
	    {"another kid", ID_TOKEN_UNKNOWN_KEY, .kid = "\"k2\""},
	    {"a kid with another case", ID_TOKEN_UNKNOWN_KEY, .kid = "\"K1\""},
	    {"a kid that goes on", ID_TOKEN_UNKNOWN_KEY, .kid = "\"k1\\u0000\""},
	    {"a kid that is a number", ID_TOKEN_INVALID, .kid = "1"},
	    {"an access token", ID_TOKEN_INVALID, .typ = "\"at+jwt\""},
	    {"a logout token", ID_TOKEN_INVALID, .typ = "\"logout+jwt\""},
	    {"typ that is not text", ID_TOKEN_INVALID, .typ = "1"},
	    {"crit", ID_TOKEN_INVALID, .header = ", \"crit\": [\"exp\"]"},
	    {"empty crit", ID_TOKEN_INVALID, .header = ", \"crit\": []"},
	    {"b64 false", ID_TOKEN_INVALID, .header = ", \"b64\": false, \"crit\": [\"b64\"]"},
	    {"alg twice", ID_TOKEN_INVALID, .header = ", \"alg\": \"none\""},
	    {"none", ID_TOKEN_INVALID, .alg = "\"none\""},
	    {"None", ID_TOKEN_INVALID, .alg = "\"None\""},
	    {"no alg", ID_TOKEN_INVALID, .alg = ""},
	    {"alg that is not text", ID_TOKEN_INVALID, .alg = "[\"RS256\"]"},
	    {"HS256", ID_TOKEN_INVALID, .alg = "\"HS256\""},
	    {"RS512", ID_TOKEN_INVALID, .alg = "\"RS512\""},
	    {"ES256K", ID_TOKEN_INVALID, .alg = "\"ES256K\""},
	    {"rs256", ID_TOKEN_INVALID, .alg = "\"rs256\""},
	    {"alg with more", ID_TOKEN_INVALID, .alg = "\"RS256\\u0000\""},

	    {"no iss", ID_TOKEN_INVALID, .iss = ""},
	    {"another iss", ID_TOKEN_INVALID, .iss = "\"https://id.example.com/realms/guests\""},
	    {"iss with a slash", ID_TOKEN_INVALID, .iss = "\"" ISSUER "/\""},
	    {"iss that goes on", ID_TOKEN_INVALID, .iss = "\"" ISSUER "\\u0000x\""},
	    {"iss in a list", ID_TOKEN_INVALID, .iss = "[\"" ISSUER "\"]"},

	    {"no aud", ID_TOKEN_INVALID, .aud = ""},
	    {"another aud", ID_TOKEN_INVALID, .aud = "\"kith2\""},
	    {"aud null", ID_TOKEN_INVALID, .aud = "null"},
	    {"aud in a list", ID_TOKEN_VALID, .aud = "[\"kith\"]"},
	    {"empty aud", ID_TOKEN_INVALID, .aud = "[]"},
	    {"two aud without azp", ID_TOKEN_INVALID, .aud = "[\"kith\", \"crm\"]"},
	    {"two aud with azp", ID_TOKEN_VALID, .aud = "[\"crm\", \"kith\"]", .azp = "\"kith\""},
	    {"two aud with another azp", ID_TOKEN_INVALID, .aud = "[\"crm\", \"kith\"]", .azp = "\"crm\""},
	    {"others' aud with our azp", ID_TOKEN_INVALID, .aud = "[\"crm\"]", .azp = "\"kith\""},
	    {"azp", ID_TOKEN_VALID, .azp = "\"kith\""},
	    {"another azp", ID_TOKEN_INVALID, .azp = "\"crm\""},
	    {"azp null", ID_TOKEN_INVALID, .azp = "null"},
	    {"aud in an object", ID_TOKEN_INVALID, .aud = "{\"0\": \"kith\"}"},

	    {"no nonce", ID_TOKEN_INVALID, .nonce = ""},
	    {"another nonce", ID_TOKEN_INVALID, .nonce = "\"n-0S6_WzA2Mk\""},
	    {"empty nonce", ID_TOKEN_INVALID, .nonce = "\"\""},
	    {"nonce null", ID_TOKEN_INVALID, .nonce = "null"},

	    {"no sub", ID_TOKEN_INVALID, .sub = ""},
	    {"empty sub", ID_TOKEN_INVALID, .sub = "\"\""},
	    {"sub that is a number", ID_TOKEN_INVALID, .sub = "24400320"},
	    {"sub with NUL", ID_TOKEN_INVALID, .sub = "\"a\\u0000b\""},
	    {"sub with a line break", ID_TOKEN_INVALID, .sub = "\"a\\nb\""},

	    {"expired within the leeway", ID_TOKEN_VALID, .exp = "1799999941"},
	    {"expired", ID_TOKEN_INVALID, .exp = "1799999940"},
	    {"exp with a fraction", ID_TOKEN_VALID, .exp = "1800000000.5"},
	    {"exp with an exponent", ID_TOKEN_VALID, .exp = "1.8e9"},
	    {"no exp", ID_TOKEN_INVALID, .exp = ""},
	    {"exp as a text", ID_TOKEN_INVALID, .exp = "\"1800000300\""},
	    {"exp without end", ID_TOKEN_INVALID, .exp = "1e400"},
	    {"exp in milliseconds", ID_TOKEN_INVALID, .exp = "1800000300000"},
	    {"negative exp", ID_TOKEN_INVALID, .exp = "-1"},
	    {"no iat", ID_TOKEN_INVALID, .iat = ""},
	    {"iat within the leeway", ID_TOKEN_VALID, .iat = "1800000060"},
	    {"iat in the future", ID_TOKEN_INVALID, .iat = "1800000061"},
	    {"iat null", ID_TOKEN_INVALID, .iat = "null"},
	    {"nbf", ID_TOKEN_VALID, .nbf = "1800000060"},
	    {"nbf in the future", ID_TOKEN_INVALID, .nbf = "1800000061"},
	    {"nbf as a text", ID_TOKEN_INVALID, .nbf = "\"1\""},
	    {"a claim twice", ID_TOKEN_INVALID, .more = ", \"iss\": \"" ISSUER "\""},
	};

	for (size_t i = 0; i < COUNT(variants); i++)
		expect_variant(&variants[i]);
}

/* Only a text of up to 255 bytes is a subject. */
TEST(test_subject)
{
	char text[300] = "\"";

	memset(text + 1, 'x', 255);
	snprintf(text + 256, 4, "\"");
	expect_variant(&(const struct variant){"longest sub", ID_TOKEN_VALID, .sub = text});
	snprintf(text + 256, 4, "x\"");
	expect_variant(&(const struct variant){"too long sub", ID_TOKEN_INVALID, .sub = text});
}

/* A key of another token, and one signature for another text. */
TEST(test_signatures)
{
	static const struct variant plain = {"", ID_TOKEN_VALID};

	for (int i = 0; i < ALGORITHMS; i++) {
		const struct json *set = key_set(&keys[i], 1, "\"kid\": \"k1\"");
		const char *header = header_of(&plain, i), *claims = claims_of(&plain);
		const char *other = token_sign(&a, others[i], header, claims);
		expect_verdict("another key", ID_TOKEN_INVALID, other, set, &expected, NULL);
		const char *good = token_sign(&a, keys[i], header, claims);
		expect_verdict("good", ID_TOKEN_VALID, good, set, &expected, NULL);
		expect_verdict(
		    "no signature", ID_TOKEN_INVALID, token_join(&a, header, claims, NULL, 0), set, &expected, NULL);
		/* Each bit of header, claims and signature counts. Not the last character, which has bits to spare. */
		for (size_t at = 0; at + 1 < strlen(good); at += 7) {
			char *bad = arena_dupz(&a, good);
			bad[at] = bad[at] == 'A' ? 'B' : 'A';
			if (good[at] != '.' && strcmp(bad, good) != 0)
				expect_not_valid(bad, set);
		}
		expect_verdict("padded", ID_TOKEN_INVALID, arena_printf(&a, "%s=", good), set, &expected, NULL);
		expect_verdict("longer", ID_TOKEN_INVALID, arena_printf(&a, "%sAAAA", good), set, &expected, NULL);
		expect_verdict("a blank before", ID_TOKEN_INVALID, arena_printf(&a, " %s", good), set, &expected, NULL);
		expect_verdict("four parts", ID_TOKEN_INVALID, arena_printf(&a, "%s.", good), set, &expected, NULL);
		expect_verdict("five parts", ID_TOKEN_INVALID, arena_printf(&a, "%s.a.b", good), set, &expected, NULL);
	}
}

/* ECDSA with both numbers zero once passed as valid in a well-known library (CVE-2022-21449). */
TEST(test_zero_signatures)
{
	static const unsigned char zero[512];
	static const struct variant plain = {"", ID_TOKEN_VALID};

	for (int i = 0; i < ALGORITHMS; i++)
		for (size_t len = 0; len <= sizeof(zero); len += 32)
			expect_verdict("zero", ID_TOKEN_INVALID,
			    token_join(&a, header_of(&plain, i), claims_of(&plain), zero, len),
			    key_set(&keys[i], 1, "\"kid\": \"k1\""), &expected, NULL);
}

/* A token says HS256, and its secret is a public key; or it says an algorithm of another family. */
TEST(test_algorithm_confusion)
{
	static const struct variant plain = {"", ID_TOKEN_VALID}, hmac = {"", ID_TOKEN_VALID, .alg = "\"HS256\""};

	for (int i = 0; i < ALGORITHMS; i++) {
		const struct json *set = key_set(&keys[i], 1, "\"kid\": \"k1\"");
		const char *secrets[] = {token_key_pem(&a, keys[i]), token_key_jwk(&a, keys[i], ""), "kith", ""};
		for (size_t s = 0; s < COUNT(secrets); s++) {
			expect_verdict("HMAC", ID_TOKEN_INVALID,
			    token_hmac(&a, secrets[s], header_of(&hmac, i), claims_of(&hmac)), set, &expected, NULL);
			expect_verdict("HMAC under another name", ID_TOKEN_INVALID,
			    token_hmac(&a, secrets[s], header_of(&plain, i), claims_of(&plain)), set, &expected, NULL);
		}
		for (int said = 0; said < ALGORITHMS; said++)
			if (said != i)
				expect_verdict("another family", ID_TOKEN_INVALID,
				    token_sign(&a, keys[i], header_of(&plain, said), claims_of(&plain)), set, &expected,
				    NULL);
	}
}

/* An oct key in the set is not a secret of ours. */
TEST(test_secret_in_the_set)
{
	static const struct variant hmac = {"", ID_TOKEN_VALID, .alg = "\"HS256\""};
	const struct json *set =
	    read_keys("{\"keys\": [{\"kty\": \"oct\", \"kid\": \"k1\", \"k\": \"a2l0aA\", \"alg\": \"HS256\"}]}");

	expect_verdict("oct", ID_TOKEN_INVALID, token_hmac(&a, "kith", header_of(&hmac, 0), claims_of(&hmac)), set,
	    &expected, NULL);
}

/* --- keys ------------------------------------------------------------------------- */

static void expect_keys(
    const char *name, enum id_token_verdict verdict, int alg, const struct variant *v, const struct json *set)
{
	expect_verdict(name, verdict, token_sign(&a, keys[alg], header_of(v, alg), claims_of(v)), set, &expected, NULL);
}

TEST(test_choice_of_keys)
{
	static const struct variant named = {"", ID_TOKEN_VALID}, unnamed = {"", ID_TOKEN_VALID, .kid = ""};
	struct token_key *both[2];

	for (int i = 0; i < ALGORITHMS; i++) {
		static const struct {
			const char *more;
			enum id_token_verdict named, unnamed;
		} cases[] = {
		    {"\"kid\": \"k1\", \"use\": \"sig\", \"key_ops\": [\"verify\"]", ID_TOKEN_VALID, ID_TOKEN_VALID},
		    {"", ID_TOKEN_UNKNOWN_KEY, ID_TOKEN_VALID},
		    {"\"kid\": \"k1\", \"use\": \"enc\"", ID_TOKEN_INVALID, ID_TOKEN_UNKNOWN_KEY},
		    {"\"kid\": \"k1\", \"use\": 1", ID_TOKEN_INVALID, ID_TOKEN_UNKNOWN_KEY},
		    {"\"kid\": \"k1\", \"key_ops\": [\"encrypt\"]", ID_TOKEN_INVALID, ID_TOKEN_UNKNOWN_KEY},
		    {"\"kid\": \"k1\", \"alg\": \"RSA-OAEP\"", ID_TOKEN_INVALID, ID_TOKEN_UNKNOWN_KEY},
		    {"\"kid\": 1", ID_TOKEN_UNKNOWN_KEY, ID_TOKEN_VALID},
		};
		for (size_t c = 0; c < COUNT(cases); c++) {
			expect_keys(cases[c].more, cases[c].named, i, &named, key_set(&keys[i], 1, cases[c].more));
			expect_keys(cases[c].more, cases[c].unnamed, i, &unnamed, key_set(&keys[i], 1, cases[c].more));
		}
		both[0] = keys[i];
		both[1] = others[i];
		expect_keys("two of a name", ID_TOKEN_INVALID, i, &named, key_set(both, 2, "\"kid\": \"k1\""));
		expect_keys("two without a name", ID_TOKEN_INVALID, i, &unnamed, key_set(both, 2, ""));
		expect_keys("no keys", ID_TOKEN_UNKNOWN_KEY, i, &named, read_keys("{\"keys\": []}"));
		expect_keys("no set", ID_TOKEN_UNKNOWN_KEY, i, &named, read_keys("[]"));
		expect_keys(
		    "odd keys", ID_TOKEN_UNKNOWN_KEY, i, &named, read_keys("{\"keys\": [1, null, [], \"k1\"]}"));
	}
}

/* A key that is bound to one algorithm of its family serves no other one. */
TEST(test_bound_keys)
{
	static const struct variant plain = {"", ID_TOKEN_VALID};

	expect_keys("RS256", ID_TOKEN_VALID, 0, &plain, key_set(&keys[0], 1, "\"kid\": \"k1\", \"alg\": \"RS256\""));
	expect_keys("RS256", ID_TOKEN_INVALID, 0, &plain, key_set(&keys[0], 1, "\"kid\": \"k1\", \"alg\": \"PS256\""));
	expect_keys("PS256", ID_TOKEN_INVALID, 1, &plain, key_set(&keys[1], 1, "\"kid\": \"k1\", \"alg\": \"RS256\""));
}

TEST(test_keys_that_cannot_be_used)
{
	static const struct variant plain = {"", ID_TOKEN_VALID};
	static const struct {
		int alg;
		const char *key;
	} cases[] = {
	    {0, "\"kty\": \"RSA\""},
	    {0, "\"kty\": \"RSA\", \"n\": \"\", \"e\": \"AQAB\""},
	    {0, "\"kty\": \"RSA\", \"n\": \"AQAB\", \"e\": \"AQAB\""},
	    {0, "\"kty\": \"RSA\", \"n\": 5, \"e\": \"AQAB\""},
	    {0, "\"kty\": \"EC\", \"crv\": \"P-256\", \"x\": \"AA\", \"y\": \"AA\""},
	    {2, "\"kty\": \"EC\", \"crv\": \"P-256\", \"x\": \"AA\", \"y\": \"AA\""},
	    {2, "\"kty\": \"EC\", \"crv\": \"P-256\", \"x\": \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\", \"y\": "
	        "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\""}, /* not on the curve */
	    {2, "\"kty\": \"EC\", \"crv\": \"secp256k1\", \"x\": \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\", "
	        "\"y\": "
	        "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\""},
	    {3, "\"kty\": \"OKP\", \"crv\": \"Ed25519\", \"x\": \"AA\""},
	    {3, "\"kty\": \"OKP\", \"crv\": \"Ed448\", \"x\": \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\""},
	    {3, "\"kty\": \"OKP\", \"crv\": \"X25519\", \"x\": \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\""},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		expect_keys(cases[i].key, ID_TOKEN_INVALID, cases[i].alg, &plain,
		    read_keys(arena_printf(&a, "{\"keys\": [{%s, \"kid\": \"k1\"}]}", cases[i].key)));
}

/* RSA keys have at least 2048 bits; P-384 is another algorithm. */
TEST(test_weak_and_other_keys)
{
	static const struct variant plain = {"", ID_TOKEN_VALID};
	struct token_key *weak = token_key_new("RS1024"), *other = token_key_new("ES384");

	expect_verdict("1024 bits", ID_TOKEN_INVALID, token_sign(&a, weak, header_of(&plain, 0), claims_of(&plain)),
	    key_set(&weak, 1, "\"kid\": \"k1\""), &expected, NULL);
	expect_verdict("P-384", ID_TOKEN_INVALID, token_sign(&a, other, header_of(&plain, 2), claims_of(&plain)),
	    key_set(&other, 1, "\"kid\": \"k1\""), &expected, NULL);
	token_key_free(weak);
	token_key_free(other);
}

/* --- form ------------------------------------------------------------------------- */

TEST(test_form)
{
	static const char *const texts[] = {"", ".", "..", "...", "a.b.c", "e30.e30.e30", "e30..", ".e30.",
	    "bnVsbA.e30.AA", "eyJhbGciOiJSUzI1NiJ9.e30", "W10.W10.AA"};
	const struct json *set = key_set(&keys[0], 1, "");
	static const struct variant plain = {"", ID_TOKEN_VALID};

	for (size_t i = 0; i < COUNT(texts); i++)
		expect_verdict(texts[i], ID_TOKEN_INVALID, texts[i], set, &expected, NULL);
	static const char *const claims[] = {"", "null", "[]", "\"x\"", "{", "{}x", "{\"iss\": \"\xff\"}"};
	for (size_t i = 0; i < COUNT(claims); i++)
		expect_verdict(claims[i], ID_TOKEN_INVALID, token_sign(&a, keys[0], header_of(&plain, 0), claims[i]),
		    key_set(&keys[0], 1, "\"kid\": \"k1\""), &expected, NULL);
}

TEST(test_sizes)
{
	char *more = arena_alloc(&a, 40000);

	snprintf(more, 40000, ", \"x\": \"%*s\"", 20000, "");
	expect_variant(&(const struct variant){"large", ID_TOKEN_VALID, .more = more});
	snprintf(more, 40000, ", \"x\": \"%*s\"", 30000, "");
	expect_variant(&(const struct variant){"too large", ID_TOKEN_INVALID, .more = more});
	snprintf(more, 40000, ", \"x\": \"%*s\"", 3500, "");
	expect_variant(&(const struct variant){"too large a header", ID_TOKEN_INVALID, .header = more});
}

/* --- the person ------------------------------------------------------------------- */

#define ENTRA "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0"

TEST(test_person)
{
	static const struct {
		const char *issuer, *more, *email, *name;
		bool verified;
	} cases[] = {
	    {ISSUER, "", NULL, NULL, false},
	    {ISSUER, ", \"email\": \"ada@example.com\"", "ada@example.com", NULL, false},
	    {ISSUER, ", \"email\": \"ada@example.com\", \"email_verified\": true, \"name\": \"Ada L.\"",
	        "ada@example.com", "Ada L.", true},
	    {ISSUER, ", \"email\": \"ada@example.com\", \"email_verified\": \"true\"", "ada@example.com", NULL, true},
	    {ISSUER, ", \"email\": \"ada@example.com\", \"email_verified\": false", "ada@example.com", NULL, false},
	    {ISSUER, ", \"email\": \"ada@example.com\", \"email_verified\": \"false\"", "ada@example.com", NULL, false},
	    {ISSUER, ", \"email\": \"ada@example.com\", \"email_verified\": \"yes\"", "ada@example.com", NULL, false},
	    {ISSUER, ", \"email\": \"ada@example.com\", \"email_verified\": null", "ada@example.com", NULL, false},
	    {ISSUER, ", \"email\": \"ada@example.com\", \"xms_edov\": true", "ada@example.com", NULL, false},
	    {ENTRA, ", \"email\": \"ada@example.com\"", "ada@example.com", NULL, false},
	    {ENTRA, ", \"email\": \"ada@example.com\", \"xms_edov\": true", "ada@example.com", NULL, true},
	    {ENTRA, ", \"email\": \"ada@example.com\", \"xms_edov\": \"1\"", "ada@example.com", NULL, false},
	    {ENTRA, ", \"email\": \"ada@example.com\", \"xms_edov\": 1", "ada@example.com", NULL, true},
	    {ENTRA, ", \"email\": \"ada@example.com\", \"xms_edov\": 0", "ada@example.com", NULL, false},
	    {ENTRA, ", \"email\": \"ada@example.com\", \"xms_edov\": true, \"email_verified\": false",
	        "ada@example.com", NULL, false},
	    {"https://login.microsoftonline.com.evil.example/", ", \"email\": \"ada@example.com\", \"xms_edov\": true",
	        "ada@example.com", NULL, false},
	    {ISSUER, ", \"email\": \"ada\", \"email_verified\": true", NULL, NULL, false},
	    {ISSUER, ", \"email\": \"@example.com\", \"email_verified\": true", NULL, NULL, false},
	    {ISSUER, ", \"email\": \"ada@\", \"email_verified\": true", NULL, NULL, false},
	    {ISSUER, ", \"email\": \"ada@example.com\\u0000.evil.example\", \"email_verified\": true", NULL, NULL,
	        false},
	    {ISSUER, ", \"email\": [\"ada@example.com\"], \"email_verified\": true", NULL, NULL, false},
	    {ISSUER, ", \"email\": \"a da@example.com\", \"email_verified\": true", NULL, NULL, false},
	    {ISSUER, ", \"email\": \"ada@example.com\\n\", \"email_verified\": true", NULL, NULL, false},
	    {ISSUER, ", \"name\": 5", NULL, NULL, false},
	    {ISSUER, ", \"name\": \"Ada\\nL.\"", NULL, NULL, false},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct variant v = {
		    "", ID_TOKEN_VALID, .iss = arena_printf(&a, "\"%s\"", cases[i].issuer), .more = cases[i].more};
		struct id_token_expected e = expected;
		struct id_token_person p;
		e.issuer = cases[i].issuer;
		expect_verdict(cases[i].more, ID_TOKEN_VALID, token_sign(&a, keys[2], header_of(&v, 2), claims_of(&v)),
		    key_set(&keys[2], 1, "\"kid\": \"k1\""), &e, &p);
		assert_string_equal(p.subject, "24400320");
		assert_string_equal(p.email ? p.email : "", cases[i].email ? cases[i].email : "");
		assert_string_equal(p.name ? p.name : "", cases[i].name ? cases[i].name : "");
		if (p.email_verified != cases[i].verified)
			fail_msg("%s %s", cases[i].issuer, cases[i].more);
	}
}
