/* Links with which a user sets a password and signs in, once. A user has one at most; only its digest is stored. */
#ifndef KITH_STORE_INVITATIONS_H
#define KITH_STORE_INVITATIONS_H

#include "server/base/arena.h"
#include "server/base/crypto.h"
#include "store/sql.h"

enum {
	INVITATION_SIZE = 44, /* characters of a token, with the NUL */
	INVITATION_DAYS = 7
};

/* Makes a token of 256 random bits, as base64url. */
void invitation_token(char out[INVITATION_SIZE]);

/* The digest by which a link is found. text: the token, or the whole link. */
void invitation_digest(const char *text, size_t len, unsigned char out[SHA256_SIZE]);

/* The link, allocated in the arena. base: the public URL. */
const char *invitation_link(struct arena *a, const char *base, const char *token);

struct invitation_new {
	const char *token;
	struct uuid user;
	const struct uuid *by; /* who invites; NULL: a command */
	int64_t lasts_ms;      /* until it expires, by the database's clock */
	bool signs_in;         /* the link signs in by itself: no password is set */
};

/* Appends a statement that replaces the link of a user who is not disabled. No row is affected if there is no such
 * user. The second function is for a statement with a workspace, and for users of that workspace only. */
void invitation_insert_any(struct sql *s, const struct invitation_new *i);
void invitation_insert(struct sql *s, const struct invitation_new *i);

#endif
