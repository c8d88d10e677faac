/* An OpenID Connect provider for tests, in threads of this process. It is strict about what kith sends, and as wrong as
 * a test wants. The test plays the browser, and the person who signs in there. */
#ifndef KITH_TEST_LIB_SIGNIN_PROVIDER_H
#define KITH_TEST_LIB_SIGNIN_PROVIDER_H

#include <stdbool.h>

#include "server/base/arena.h"
#include "test/lib/signin/token_maker.h"
#include "test/lib/webhook/receiver.h"

enum provider_path { PROVIDER_METADATA, PROVIDER_KEYS, PROVIDER_TOKEN, PROVIDER_USERINFO, PROVIDER_PATHS };

struct provider;

struct provider_config {
	const char *secret; /* of the client "kith"; NULL: a public client */
	bool tls;           /* its certificate is for 127.0.0.1, by provider_ca_file() */
	const char *path;   /* of the issuer; NULL: none */
};

struct provider *provider_start(const struct provider_config *config);
/* A PEM file. */
const char *provider_ca_file(const struct provider *p);
void provider_stop(struct provider *p);
const char *provider_issuer(const struct provider *p);

/* What the provider says from now on; the texts are copied. */
void provider_metadata(struct provider *p, const char *more);   /* further members, as ", \"a\": 1" */
void provider_key(struct provider *p, const char *kid);         /* a new key, the only one; RS256 */
void provider_userinfo(struct provider *p, const char *claims); /* NULL: a 403 */
/* An answer of that path instead of the right one; NULL: the right one. */
void provider_behave(struct provider *p, enum provider_path path, const struct receiver_behaviour *b);

/* The test has seen the redirect of a sign-in: the code, which is used once, and what the request for a token must fit.
 * challenge NULL: any number of requests with this code, whatever their verifier. */
void provider_expect(struct provider *p, const char *code, const char *redirect_uri, const char *challenge);
/* The claims of its token, as JSON; and the token instead of the one with these claims, NULL: that one. */
void provider_claims(struct provider *p, const char *claims);
void provider_token(struct provider *p, const char *token);
const char *provider_sign(struct provider *p, struct arena *a, const char *header, const char *claims);

/* How often a path was asked for, and what was wrong with the last request for a token; "": nothing. */
int provider_asked(struct provider *p, enum provider_path path);
const char *provider_complains(struct provider *p);

#endif
