/* See certificate.h. */
#include "test/lib/http/certificate.h"

#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "server/base/arena.h"

enum { DAY_S = 86400 };

struct authority {
	X509 *certificate;
	EVP_PKEY *key;
};

static void must_work(bool worked, const char *what)
{
	if (worked)
		return;
	fprintf(stderr, "certificates: %s failed\n", what);
	abort();
}

static void add_extension(X509 *certificate, X509 *issuer, int kind, const char *value)
{
	X509V3_CTX context;
	X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
	must_work(extension && X509_add_ext(certificate, extension, -1) == 1, value);
	X509_EXTENSION_free(extension);
}

/* With a key, a serial number, and valid from ten days ago. */
static X509 *certificate_begin(const char *common_name, int days, EVP_PKEY **key)
{
	X509 *c = X509_new();
	long serial;
	*key = EVP_EC_gen("P-256");
	must_work(c && *key, "a key");
	must_work(RAND_bytes((unsigned char *)&serial, sizeof(serial)) == 1, "a number");
	X509_set_version(c, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(c), serial & 0x7fffffff);
	X509_gmtime_adj(X509_getm_notBefore(c), -10L * DAY_S);
	X509_gmtime_adj(X509_getm_notAfter(c), (long)days * DAY_S);
	X509_set_pubkey(c, *key);
	X509_NAME_add_entry_by_txt(
	    X509_get_subject_name(c), "CN", MBSTRING_ASC, (const unsigned char *)common_name, -1, -1, 0);
	return c;
}

struct authority *authority_new(void)
{
	struct authority *a = mem_zalloc(sizeof(*a));
	a->certificate = certificate_begin("kith test authority", 10, &a->key);
	X509_set_issuer_name(a->certificate, X509_get_subject_name(a->certificate));
	add_extension(a->certificate, a->certificate, NID_basic_constraints, "critical,CA:TRUE");
	add_extension(a->certificate, a->certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
	must_work(X509_sign(a->certificate, a->key, EVP_sha256()) > 0, "signing");
	return a;
}

void authority_free(struct authority *a)
{
	X509_free(a->certificate);
	EVP_PKEY_free(a->key);
	free(a);
}

void authority_write(const struct authority *a, const char *path)
{
	FILE *file = fopen(path, "w");
	must_work(file && PEM_write_X509(file, a->certificate) == 1, path);
	fclose(file);
}

void certificate_make(const struct authority *signer, const char *names, int days, X509 **certificate, EVP_PKEY **key)
{
	X509 *c = *certificate = certificate_begin("kith test server", days, key);
	X509 *issuer = signer ? signer->certificate : c;
	X509_set_issuer_name(c, X509_get_subject_name(issuer));
	add_extension(c, issuer, NID_basic_constraints, "critical,CA:FALSE");
	add_extension(c, issuer, NID_subject_alt_name, names);
	must_work(X509_sign(c, signer ? signer->key : *key, EVP_sha256()) > 0, "signing");
}
