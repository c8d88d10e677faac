/*
 * Secrets at rest: AES-256-GCM under the installation's key, which lies in a file
 * (setting secret_file) and is made at the first start, readable by its owner alone.
 */
#ifndef KITH_WEBHOOK_VAULT_H
#define KITH_WEBHOOK_VAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/id.h"
#include "webhook/sign.h"

struct vault;

/* Reads or makes the key file; NULL with a message on stderr that says what to do. Before the loop starts. */
struct vault *vault_open(const char *path);
void vault_close(struct vault *v);

enum { VAULT_SEALED_LEN = 1 + 12 + SIGN_SECRET_LEN + 16 }; /* version, nonce, secret, tag */
enum { VAULT_FORMER_MAX = 4 }; /* former secrets that sign still are kept one behind the other, the last first */

/* Encrypts a webhook's secret, bound to the webhook's id. */
void vault_seal(const struct vault *v, const struct uuid *webhook, const unsigned char secret[SIGN_SECRET_LEN],
    unsigned char out[VAULT_SEALED_LEN]);
/* False when it was not sealed with this key for this webhook. */
bool vault_unseal(const struct vault *v, const struct uuid *webhook, const void *sealed, size_t len,
    unsigned char out[SIGN_SECRET_LEN]);

/* The same for any text, bound to its kind and to which one of them it is (16 bytes or 32). Sealing adds
 * VAULT_EXTRA bytes. */
enum { VAULT_EXTRA = 1 + 12 + 16 };
void vault_seal_text(const struct vault *v, const char *kind, const void *which, size_t which_len, const void *text,
    size_t len, unsigned char *out);
bool vault_unseal_text(const struct vault *v, const char *kind, const void *which, size_t which_len, const void *sealed,
    size_t len, unsigned char *out);

/* Tells keys apart, and nothing else: the database keeps that of the key that its secrets are sealed with. */
enum { VAULT_FINGERPRINT_LEN = 32 };
void vault_fingerprint(const struct vault *v, unsigned char out[VAULT_FINGERPRINT_LEN]);

#endif
