/* Certificates for tests, made when they are needed: an authority, and servers' certificates signed by it. */
#ifndef KITH_TEST_CERTIFICATE_H
#define KITH_TEST_CERTIFICATE_H

#include <stdbool.h>

#include <openssl/types.h>

struct authority;

struct authority *authority_new(void);
void authority_free(struct authority *a);
/* Writes the authority's certificate as PEM. */
void authority_write(const struct authority *a, const char *path);

/* name: "DNS:hooks.test" or "IP:127.0.0.1", several with commas. signer NULL: signed by itself. days < 0: expired
 * since. Aborts when OpenSSL fails. The caller frees both. */
void certificate_make(const struct authority *signer, const char *names, int days, X509 **certificate, EVP_PKEY **key);

#endif
