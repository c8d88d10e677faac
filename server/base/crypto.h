/*
 * Hashes, signatures, and sealing of secrets at rest. The algorithms are
 * looked up once, and no call leaves anything in OpenSSL's error queue. A
 * failure of the library itself (no memory) ends the process.
 */
#ifndef KITH_SERVER_BASE_CRYPTO_H
#define KITH_SERVER_BASE_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>

enum {
	SHA256_SIZE = 32,
	SEAL_KEY_SIZE = 32,
	SEAL_EXTRA = 28 /* bytes that sealing adds: nonce 12, tag 16 */
};

void sha256_digest(const void *bytes, size_t len, unsigned char out[SHA256_SIZE]);

/* SHA-256 over parts. Each part is preceded by its length (8 bytes, big-endian), so that ("ab", "c") and ("a", "bc")
 * differ. sha256_begin() allocates and sha256_end() frees, so every begin needs an end. With out NULL the digest is
 * discarded. */
struct sha256 {
	void *context;
};
void sha256_begin(struct sha256 *h);
void sha256_part(struct sha256 *h, const void *bytes, size_t len);
/* Adds bytes without their length: for a last part in pieces. */
void sha256_add(struct sha256 *h, const void *bytes, size_t len);
void sha256_end(struct sha256 *h, unsigned char out[SHA256_SIZE]);

/* HMAC-SHA256 (RFC 2104). The key may have any length. */
void hmac_sha256(const void *key, size_t key_len, const void *bytes, size_t len, unsigned char out[SHA256_SIZE]);
/* The same in pieces, as for sha256: every begin needs an end. */
struct hmac {
	void *context;
};
void hmac_begin(struct hmac *h, const void *key, size_t key_len);
void hmac_add(struct hmac *h, const void *bytes, size_t len);
void hmac_end(struct hmac *h, unsigned char out[SHA256_SIZE]);

/* Compares in constant time, which depends only on len. */
bool crypto_equal(const void *a, const void *b, size_t len);

/* Overwrites a secret; the compiler cannot optimise this away. */
void crypto_wipe(void *bytes, size_t len);

/* The work of one derivation by scrypt (RFC 7914): 2^log_n steps, each over r * 128 bytes, p times. It takes
 * 2^log_n * r * 128 bytes of memory. */
struct scrypt_cost {
	int log_n, r, p;
};
/* Derives a key. Any thread may call it. False: there is no memory, or the cost takes more than memory_max bytes. */
bool crypto_scrypt(const struct scrypt_cost *cost, size_t memory_max, const void *secret, size_t len, const void *salt,
    size_t salt_len, unsigned char *key, size_t key_len);

/* Derives a key from a passphrase, by scrypt with 64 MiB of memory. */
enum { STRETCH_SALT_SIZE = 16 };
void crypto_stretch(
    const void *passphrase, size_t len, const unsigned char salt[STRETCH_SALT_SIZE], unsigned char key[SEAL_KEY_SIZE]);

/* Encrypts with AES-256-GCM and a random nonce: writes len + SEAL_EXTRA bytes (nonce, ciphertext, tag) to out. The
 * associated data is not stored. Opening needs the same data, so a sealed value cannot be moved to another record. */
void crypto_seal(const unsigned char key[SEAL_KEY_SIZE], const void *associated, size_t associated_len,
    const void *plain, size_t len, unsigned char *out);

/* The inverse: writes len - SEAL_EXTRA bytes to out. False, with out wiped, when any bit of the key, the associated
 * data or the sealed bytes differs. */
bool crypto_open(const unsigned char key[SEAL_KEY_SIZE], const void *associated, size_t associated_len,
    const void *sealed, size_t len, unsigned char *out);

#endif
