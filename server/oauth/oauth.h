/* kith as OAuth 2.1 authorization server for its own API and /mcp (RFC 8414, 7591, 7636, 7009, 8707, 9207, 9728). An
 * application registers, or names a document about itself, and sends the browser of its user to the consent page. It
 * exchanges the code that comes back for an access token, which is a key of the kind "grant", and a refresh token.
 *
 * The files: oauth_reply.c parameters and answers, oauth_metadata.c what clients read first, oauth_register.c
 * registrations, oauth_client.c who a client is, client_document.c clients that are named by a URL, authorize.c the
 * request for consent, consent_page.c its page, consent.c the decision, oauth_token.c and oauth_refresh.c tokens,
 * oauth_revoke.c their end, oauth_secret.c the texts of codes and refresh tokens, oauth_grant_row.c what the database
 * knows of a grant, grant.c the list of what is connected. */
#ifndef KITH_SERVER_OAUTH_OAUTH_H
#define KITH_SERVER_OAUTH_OAUTH_H

#include "server/request/request.h"

/* oauth_metadata.c */
step_fn oauth_resource_show, oauth_server_show;
/* oauth_register.c */
step_fn oauth_register, oauth_registered;
/* authorize.c, for GET and POST, with step_snapshot() before the last one; then consent_page.c or consent.c */
step_fn authorize_begin, authorize_found, authorize_admitted, authorize_client;
step_fn consent_ask, consent_show;
step_fn consent_decide, consent_made;
/* oauth_token.c, in this order */
step_fn oauth_token_ask, oauth_token_found;
/* oauth_revoke.c, in this order */
step_fn oauth_revoke_read, oauth_revoke_ask, oauth_revoke_end, oauth_revoked;
/* grant.c */
step_fn grant_list_begin, grant_used_ask, grant_used;
step_fn grant_end_open, grant_end_apply;

#endif
