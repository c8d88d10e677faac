/* Seals under a passphrase. The result is eight bytes that identify the format, the salt, then nonce, key and tag. */
#include "server/operate/sealed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "server/base/id.h"
#include "server/base/file_key.h"

static const unsigned char head[SEALED_HEAD] = {'k', 'i', 't', 'h', 'k', 'e', 'y', '1'};

bool passphrase_read(struct passphrase *p, const char *file)
{
	if (!first_line_read(file, "KITH_BACKUP_PASSPHRASE", p->text, sizeof p->text, &p->len)) {
		fprintf(stderr, "kith: the passphrase in %s cannot be read: %s\n", file, strerror(errno));
		return false;
	}
	if (p->len > PASSPHRASE_MAX) {
		fprintf(stderr, "kith: the passphrase must have at most %d bytes\n", PASSPHRASE_MAX);
		return false;
	}
	if (p->len >= PASSPHRASE_MIN)
		return true;
	if (p->len || file)
		fprintf(stderr, "kith: the passphrase must have at least %d bytes\n", PASSPHRASE_MIN);
	else
		fprintf(stderr, "kith: the secret file is sealed under a passphrase: give it with --passphrase-file "
		                "FILE or KITH_BACKUP_PASSPHRASE; or leave the secret file out with --without-secret\n");
	return false;
}

/* The key is derived from the salt, and the salt is the beginning of the authenticated data. */
void sealed_make(const struct passphrase *p, const unsigned char key[SEAL_KEY_SIZE], unsigned char out[SEALED_SIZE])
{
	unsigned char *salt = out + SEALED_HEAD, stretched[SEAL_KEY_SIZE];

	memcpy(out, head, SEALED_HEAD);
	random_bytes(salt, STRETCH_SALT_SIZE);
	crypto_stretch(p->text, p->len, salt, stretched);
	crypto_seal(stretched, head, SEALED_HEAD, key, SEAL_KEY_SIZE, salt + STRETCH_SALT_SIZE);
	crypto_wipe(stretched, sizeof stretched);
}

bool sealed_open(const struct passphrase *p, const unsigned char sealed[SEALED_SIZE], unsigned char key[SEAL_KEY_SIZE])
{
	const unsigned char *salt = sealed + SEALED_HEAD;
	unsigned char stretched[SEAL_KEY_SIZE];
	bool good;

	crypto_stretch(p->text, p->len, salt, stretched);
	good = memcmp(sealed, head, SEALED_HEAD) == 0 &&
	       crypto_open(stretched, head, SEALED_HEAD, salt + STRETCH_SALT_SIZE, SEAL_KEY_SIZE + SEAL_EXTRA, key);
	crypto_wipe(stretched, sizeof stretched);
	return good;
}
