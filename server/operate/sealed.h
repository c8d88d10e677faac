/* The key of the secret file, sealed under a passphrase, in the form that backups have: scrypt and AES-256-GCM. */
#ifndef KITH_SERVER_OPERATE_SEALED_H
#define KITH_SERVER_OPERATE_SEALED_H

#include <stdbool.h>

#include "server/base/crypto.h"

enum { SEALED_HEAD = 8, SEALED_SIZE = SEALED_HEAD + STRETCH_SALT_SIZE + SEAL_KEY_SIZE + SEAL_EXTRA };
enum { PASSPHRASE_MIN = 8, PASSPHRASE_MAX = 1024 };

struct passphrase {
	char text[PASSPHRASE_MAX + 2]; /* one byte more than allowed, so that a longer one is noticed */
	size_t len;
};

/* Reads the passphrase from the first line of the file. file NULL: from KITH_BACKUP_PASSPHRASE. False with a message on
 * stderr. */
bool passphrase_read(struct passphrase *p, const char *file);

void sealed_make(const struct passphrase *p, const unsigned char key[SEAL_KEY_SIZE], unsigned char out[SEALED_SIZE]);
/* False when the passphrase is wrong, or a bit was changed. */
bool sealed_open(const struct passphrase *p, const unsigned char sealed[SEALED_SIZE], unsigned char key[SEAL_KEY_SIZE]);

#endif
