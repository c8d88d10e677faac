/* People sign in through the OpenID Connect provider of their company (docs/signing-in.md). kith sends the browser to
 * the provider, which sends it back with a code. kith redeems the code for an ID token and verifies it. Then it finds
 * the user to whom the provider's account is linked, or links it by e-mail address. */
#ifndef KITH_SERVER_SIGNIN_OIDC_H
#define KITH_SERVER_SIGNIN_OIDC_H

#include <stdbool.h>

#include "server/request/request.h"

struct oidc;

/* Reads the settings into s->oidc, which stays NULL without oidc_issuer. Call it when the fetcher has started. False
 * with a message on stderr. */
bool oidc_open(struct server *s);
/* NULL is valid. */
void oidc_close(struct oidc *o);

/* GET /auth/oidc/start */
step_fn oidc_start, oidc_start_provider, oidc_send_away;
/* GET /auth/oidc/callback: the further steps are in oidc_return.c */
step_fn oidc_return;

#endif
