/* Authorization codes and refresh tokens. The text names the workspace and the grant, so that the database finds them
 * by their key, and has 256 random bits. Its code (MAC) shows that this installation made it: an invented text costs no
 * query, and only a text that was once valid can end a grant by being used again. The database stores digests only. */
#ifndef KITH_SERVER_OAUTH_OAUTH_SECRET_H
#define KITH_SERVER_OAUTH_OAUTH_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/apikey.h"
#include "server/base/arena.h"
#include "server/base/crypto.h"
#include "server/base/id.h"

enum oauth_secret_kind { OAUTH_CODE, OAUTH_REFRESH };

struct oauth_secret {
	struct uuid workspace, grant;
	const char *text;
	unsigned char hash[SHA256_SIZE];
};

/* Makes a new one for the workspace and grant that *out names. key: of the installation. */
void oauth_secret_new(
    struct oauth_secret *out, enum oauth_secret_kind kind, const unsigned char key[SHA256_SIZE], struct arena *a);

/* False when it is not such a text, or was made by another installation. */
bool oauth_secret_read(struct oauth_secret *out, enum oauth_secret_kind kind, const unsigned char key[SHA256_SIZE],
    const char *text, size_t len);

/* An answer of the token endpoint, sealed with the refresh token that it was the answer to. */
struct oauth_pair {
	char access[APIKEY_SIZE];
	const char *refresh;
};
enum { OAUTH_PAIR_MAX = 512 };
size_t oauth_pair_seal(const struct oauth_pair *pair, const char *token, unsigned char out[OAUTH_PAIR_MAX]);
bool oauth_pair_open(struct oauth_pair *out, const char *token, const void *sealed, size_t len, struct arena *a);

/* "kith_secret_" and 256 random bits: the secret of an application. Returns a text in the arena. */
char *oauth_secret_text(const char *prefix, struct arena *a);

#endif
