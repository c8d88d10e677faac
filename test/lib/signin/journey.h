/* People who sign in through a provider, in tests of RIG(): the test is the browser, and the person at the provider. */
#ifndef KITH_TEST_LIB_SIGNIN_JOURNEY_H
#define KITH_TEST_LIB_SIGNIN_JOURNEY_H

#include "server/base/query.h"
#include "test/lib/flow.h"
#include "test/lib/signin/provider.h"

#define JOURNEY_SECRET "s3cret-of-the-client"

extern struct provider *provider;

/* Starts the provider. Afterwards stops the servers and the provider. */
void journey_open(void);
void journey_close(void);
/* The provider is right again, and nobody is linked. */
void journey_reset(void);
/* A server that knows the provider; domains: oidc_domains, more: another setting, each or NULL. */
struct server_process *journey_serve(const char *domains, const char *more);

/* One way through the provider. */
struct journey {
	const char *base, *cookie;
	const char *state, *nonce, *challenge, *redirect_uri;
	struct query query; /* of the provider's page */
};

/* A request of the browser; cookie: "name=value" or NULL. The answer is in the rig's arena. */
struct caller_answer journey_browse(const char *base, const char *cookie, const char *target);
/* The header Location, or "". */
const char *journey_location(const struct caller_answer *answer);
/* "name=value" of the cookie with that name; NULL: it was not set. */
const char *journey_cookie(const struct caller_answer *answer, const char *name);
/* The last value of a parameter, or "". */
const char *journey_parameter(const struct query *q, const char *name);

/* Follows the link of the sign-in page, which must lead to the provider. */
struct journey journey_begin(const char *base, const char *cookie, const char *target);
/* Comes back with these parameters. */
struct caller_answer journey_return(const struct journey *w, const char *cookie, const char *parameters);
/* The person has signed in at the provider; the browser comes back with a valid code for a token with these claims. */
struct caller_answer journey_end(const struct journey *w, const char *claims);
/* The whole way of one person. more: claims, as journey_email() or "". */
struct caller_answer journey_whole(const char *base, const char *subject, const char *more);

/* All claims that a token needs, and more. */
const char *journey_claims(const struct journey *w, const char *subject, const char *more);
const char *journey_email(const char *email, bool verified);

/* Fails the test unless the browser was sent to the sign-in page with that word; unless that user has a session. */
void journey_failed(const struct caller_answer *answer, const char *base, const char *word);
void journey_entered(const struct caller_answer *answer, const char *base, const char *user);

#endif
