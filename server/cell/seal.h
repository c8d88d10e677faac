/* Secrets in rows that are copied: signing secrets of webhooks, and stored answers that contain one. An installation
 * encrypts them with the key of its secret file. Another installation can read them only after they are sealed with its
 * own key. */
#ifndef KITH_SERVER_CELL_SEAL_H
#define KITH_SERVER_CELL_SEAL_H

#include "server/base/buf.h"
#include "server/cell/cell_table.h"
#include "webhook/vault.h"

/* Appends a row, as COPY writes it, with its secrets re-encrypted from one key to the other. False: nothing changed,
 * and nothing was appended. A secret that the first key does not open stays unchanged. */
bool seal_line(struct buf *out, const struct cell_table *t, const char *columns, const char *line, size_t len,
    const struct vault *from, const struct vault *to);

/* Writes the fingerprint as hexadecimal digits. */
enum { SEAL_PRINT_SIZE = 2 * VAULT_FINGERPRINT_LEN + 1 };
void seal_print(const struct vault *v, char out[SEAL_PRINT_SIZE]);

#endif
