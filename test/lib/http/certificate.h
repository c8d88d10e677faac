/* Certificates for tests, made when needed: an authority, and server certificates signed by it. */
#ifndef KITH_TEST_LIB_HTTP_CERTIFICATE_H
#define KITH_TEST_LIB_HTTP_CERTIFICATE_H

#include <stdbool.h>

#include <openssl/types.h>

struct authority;

struct authority *authority_new(void);
void authority_free(struct authority *a);
/* Writes the authority's certificate as PEM. */
void authority_write(const struct authority *a, const char *path);

/* names: "DNS:hooks.test" or "IP:127.0.0.1", several separated by commas. signer NULL: self-signed. days < 0:
 * expired. Aborts when OpenSSL fails. The caller frees both. */
void certificate_make(const struct authority *signer, const char *names, int days, X509 **certificate, EVP_PKEY **key);

#endif
