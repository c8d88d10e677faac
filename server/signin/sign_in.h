/* What the ways to sign in with a password have in common. */
#ifndef KITH_SERVER_SIGNIN_SIGN_IN_H
#define KITH_SERVER_SIGNIN_SIGN_IN_H

#include "server/signin/attempt.h"
#include "server/signin/password_hash.h"

enum {
	SIGN_IN_HASHES = 4, /* derivations of one attempt: see password_hash.h */
	SIGN_IN_USERS = 50  /* users with the same e-mail address that are looked at */
};

/* A user with the e-mail address, in one of the workspaces. */
struct sign_in_user {
	struct uuid workspace, user;
	const char *workspace_name;
	int64_t version; /* of the workspace's snapshot */
	bool admin;
	const char *stored; /* the text of the password's hash */
	struct password_hash hash;
	int derived; /* which of the derivations decides; -1: none does */
};

/* A request that signs somebody in. It is kept when the transaction runs again. */
struct sign_in {
	struct sign_in_attempt attempt;
	struct password_hash hashes[SIGN_IN_HASHES]; /* the first one is that of the e-mail address */
	int n_hashes;
	struct sign_in_user *users;
	size_t n_users;
	const struct sign_in_user *user; /* who signs in */
	const char *email, *full_name;   /* of a user who sets a password */
	const unsigned char *digest;     /* of an invitation */
	bool keeps_password;             /* the invitation signs in, and sets no password */
};

/* The first steps of both routes: checks where the request comes from and what the server allows; parses the body. */
step_fn sign_in_open, sign_in_read;

/* Takes the snapshot of the workspace of r->sign_in->user for a request that has no key, then runs these steps. They
 * open a transaction, so the first one runs again when it must. */
enum step sign_in_enter(struct req *r, step_fn *const *steps);

/* A copy of a password in the request's arena, which password_derive() wipes. */
char *sign_in_copy(struct req *r, const struct value *password);

/* Adds an issue at the member and returns false if the user must not have this password. */
bool sign_in_password_allowed(
    struct req *r, const char *member, const struct value *password, const char *email, const char *full_name);

/* Sets the user's password to the first of the derived hashes. From now on a change of it needs the new one. */
void sign_in_password_set(struct req *r, const struct uuid *user);

/* POST /auth/password */
step_fn sign_in_begin, sign_in_find, sign_in_check, sign_in_decide;
/* POST /auth/invitation */
step_fn invitation_find, invitation_found, invitation_enter;
/* POST /v1/session/password */
step_fn password_change_begin, password_change_find, password_change_check, password_change_decide;
step_fn password_change_open, password_change_apply;

#endif
