/* Passwords at rest: scrypt (RFC 7914). The text of a hash has its cost, its salt and the key, so the cost can be
 * raised later: "scrypt$15$8$1$<salt>$<key>", both in hexadecimal digits.
 *
 * The salt belongs to the e-mail address: an HMAC of it under a key of the installation. So an attempt to sign in costs
 * one derivation, whether there is no such user, one, or one in each of several workspaces, and its time tells nothing.
 * Only hashes that came from another installation, or have an older cost, need a derivation more, once: signing in
 * replaces them. */
#ifndef KITH_SERVER_SIGNIN_PASSWORD_HASH_H
#define KITH_SERVER_SIGNIN_PASSWORD_HASH_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/crypto.h"

enum {
	PASSWORD_MIN = 12, /* characters */
	PASSWORD_MAX = 200,
	PASSWORD_SALT = 16,
	PASSWORD_KEY = 32,
	PASSWORD_TEXT_SIZE = 128
};

struct password_hash {
	struct scrypt_cost cost;
	unsigned char salt[PASSWORD_SALT], key[PASSWORD_KEY];
};

/* Sets the current cost, and the salt of an e-mail address in lower case. */
void password_hash_begin(
    struct password_hash *h, const unsigned char installation[32], const char *email, size_t email_len);

/* Sets the key. It takes 32 MiB and about a tenth of a second. Any thread may call it. False: there is no memory. */
bool password_hash_derive(struct password_hash *h, const char *password, size_t len);

/* Reads a stored text. False: it is not such a text, or its cost is higher than this program allows. */
bool password_hash_parse(struct password_hash *h, const char *text, size_t len);

char *password_hash_format(const struct password_hash *h, char out[PASSWORD_TEXT_SIZE]);

/* True if both come from one derivation: they have the same cost and salt. */
bool password_hash_alike(const struct password_hash *a, const struct password_hash *b);

/* True if the keys are equal, too. Takes the same time either way. */
bool password_hash_equal(const struct password_hash *a, const struct password_hash *b);

#endif
