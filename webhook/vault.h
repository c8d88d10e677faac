/* Secrets at rest: AES-256-GCM with the installation's key, which is in a file (setting secret_file), created at the
 * first start and readable by its owner only. */
#ifndef KITH_WEBHOOK_VAULT_H
#define KITH_WEBHOOK_VAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/crypto.h"
#include "server/base/id.h"
#include "webhook/sign.h"

struct vault;

/* Reads or creates the key file; NULL with a message on stderr that says what to do. To be called before the loop
 * starts. */
struct vault *vault_open(const char *path);
void vault_close(struct vault *v);

enum { VAULT_SEALED_LEN = 1 + 12 + SIGN_SECRET_LEN + 16 }; /* version, nonce, secret, tag */
enum { VAULT_FORMER_MAX = 4 }; /* previous secrets that still sign, concatenated, latest first */

/* The key itself, for backups. */
void vault_key(const struct vault *v, unsigned char out[SEAL_KEY_SIZE]);
/* Creates the key file with this key, unless the file exists. Returns true when the file has this key. Prints messages
 * on stderr. */
bool vault_restore(const char *path, const unsigned char key[SEAL_KEY_SIZE]);

/* Encrypts a webhook's secret, bound to the webhook's id. */
void vault_seal(const struct vault *v, const struct uuid *webhook, const unsigned char secret[SIGN_SECRET_LEN],
    unsigned char out[VAULT_SEALED_LEN]);
/* False when it was not sealed with this key for this webhook. */
bool vault_unseal(const struct vault *v, const struct uuid *webhook, const void *sealed, size_t len,
    unsigned char out[SIGN_SECRET_LEN]);

/* The same for any text, bound to a kind and an id (16 or 32 bytes). Sealing adds VAULT_EXTRA bytes. */
enum { VAULT_EXTRA = 1 + 12 + 16 };
void vault_seal_text(const struct vault *v, const char *kind, const void *which, size_t which_len, const void *text,
    size_t len, unsigned char *out);
bool vault_unseal_text(const struct vault *v, const char *kind, const void *which, size_t which_len, const void *sealed,
    size_t len, unsigned char *out);

/* Identifies a key without revealing it: the database stores the fingerprint of the key that encrypts its secrets. */
enum { VAULT_FINGERPRINT_LEN = 32 };
void vault_fingerprint(const struct vault *v, unsigned char out[VAULT_FINGERPRINT_LEN]);

#endif
