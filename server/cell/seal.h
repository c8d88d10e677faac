/* Secrets in rows that are copied: webhooks' signing secrets, and stored answers that hold one. An installation
 * encrypts them with the key of its secret file; another one cannot read them before they are sealed with its own. */
#ifndef KITH_SERVER_CELL_SEAL_H
#define KITH_SERVER_CELL_SEAL_H

#include "server/base/buf.h"
#include "server/cell/table.h"
#include "webhook/vault.h"

/* Appends a row, as COPY writes it, with its secrets taken from one key to the other. False: it is as it was, nothing
 * was appended. What the first key does not open stays as it is. */
bool seal_line(struct buf *out, const struct cell_table *t, const char *columns, const char *line, size_t len,
    const struct vault *from, const struct vault *to);

/* The fingerprint as hexadecimal digits. */
enum { SEAL_PRINT_SIZE = 2 * VAULT_FINGERPRINT_LEN + 1 };
void seal_print(const struct vault *v, char out[SEAL_PRINT_SIZE]);

#endif
