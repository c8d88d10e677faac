/* Known answers for hashes and signatures; sealing and opening, with every bit flipped. */
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>

#include "server/base/crypto.h"
#include "test/lib/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void assert_hex(const unsigned char *bytes, const char *expected)
{
	static const char hex[] = "0123456789abcdef";
	char text[2 * SHA256_SIZE + 1] = "";
	for (int i = 0; i < SHA256_SIZE; i++) {
		text[2 * i] = hex[bytes[i] >> 4];
		text[2 * i + 1] = hex[bytes[i] & 15];
	}
	assert_string_equal(text, expected);
}

TEST(test_hashes)
{
	static const struct {
		const char *text, *hash;
	} cases[] = {
	    /* FIPS 180-4 examples */
	    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	};
	unsigned char out[SHA256_SIZE];

	for (size_t i = 0; i < COUNT(cases); i++) {
		sha256_digest(cases[i].text, strlen(cases[i].text), out);
		assert_hex(out, cases[i].hash);
	}
}

TEST(parts_are_told_apart)
{
	unsigned char whole[SHA256_SIZE], out[SHA256_SIZE], other[SHA256_SIZE];
	struct sha256 h;

	sha256_digest("\0\0\0\0\0\0\0\2ab\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1c", 27, whole);
	sha256_begin(&h);
	sha256_part(&h, "ab", 2);
	sha256_part(&h, NULL, 0);
	sha256_part(&h, "c", 1);
	sha256_end(&h, out);
	assert_memory_equal(out, whole, SHA256_SIZE);
	sha256_begin(&h);
	sha256_part(&h, "a", 1);
	sha256_part(&h, NULL, 0);
	sha256_part(&h, "bc", 2);
	sha256_end(&h, other);
	assert_memory_not_equal(out, other, SHA256_SIZE);
	sha256_begin(&h);
	sha256_end(&h, NULL);
}

TEST(test_signs)
{
	unsigned char key[131], out[SHA256_SIZE];

	/* RFC 4231 sections 4.2, 4.3, 4.7 */
	memset(key, 0x0b, 20);
	hmac_sha256(key, 20, "Hi There", 8, out);
	assert_hex(out, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	struct hmac pieces;
	hmac_begin(&pieces, "Jefe", 4);
	hmac_add(&pieces, "what do ya want ", 16);
	hmac_add(&pieces, "for nothing?", 12);
	hmac_end(&pieces, out);
	assert_hex(out, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, out);
	assert_hex(out, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, 131);
	hmac_sha256(key, 131, "Test Using Larger Than Block-Size Key - Hash Key First", 54, out);
	assert_hex(out, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
	hmac_sha256(NULL, 0, NULL, 0, out);
	assert_hex(out, "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(test_compares)
{
	assert_true(crypto_equal("abc", "abd", 2));
	assert_false(crypto_equal("abc", "abd", 3));
	assert_true(crypto_equal(NULL, NULL, 0));
	char secret[] = "secret";
	crypto_wipe(secret, sizeof(secret));
	assert_memory_equal(secret, "\0\0\0\0\0\0", 7);
}

TEST(seals_and_opens)
{
	static const size_t sizes[] = {0, 1, 15, 16, 17, 32, 1000, 100000};
	unsigned char key[SEAL_KEY_SIZE] = {1, 2, 3};

	for (size_t i = 0; i < COUNT(sizes); i++) {
		unsigned char *plain = malloc(sizes[i] + 1), *back = malloc(sizes[i] + 1);
		unsigned char *sealed = malloc(sizes[i] + SEAL_EXTRA), *again = malloc(sizes[i] + SEAL_EXTRA);
		memset(plain, 0x5a, sizes[i]);
		crypto_seal(key, "wbk_1", 5, plain, sizes[i], sealed);
		crypto_seal(key, "wbk_1", 5, plain, sizes[i], again);
		assert_memory_not_equal(sealed, again, SEAL_EXTRA); /* another nonce each time */
		assert_true(crypto_open(key, "wbk_1", 5, sealed, sizes[i] + SEAL_EXTRA, back));
		assert_memory_equal(back, plain, sizes[i]);
		crypto_seal(key, NULL, 0, plain, sizes[i], sealed);
		assert_true(crypto_open(key, NULL, 0, sealed, sizes[i] + SEAL_EXTRA, back));
		free(plain);
		free(back);
		free(sealed);
		free(again);
	}
}

/* Case 16 of the GCM specification, in our order of nonce, ciphertext and tag. */
TEST(opens_a_known_answer)
{
	static const unsigned char key[] = "\xfe\xff\xe9\x92\x86\x65\x73\x1c\x6d\x6a\x8f\x94\x67\x30\x83\x08"
	                                   "\xfe\xff\xe9\x92\x86\x65\x73\x1c\x6d\x6a\x8f\x94\x67\x30\x83\x08";
	static const char associated[] =
	    "\xfe\xed\xfa\xce\xde\xad\xbe\xef\xfe\xed\xfa\xce\xde\xad\xbe\xef\xab\xad\xda\xd2";
	static const char sealed[] = "\xca\xfe\xba\xbe\xfa\xce\xdb\xad\xde\xca\xf8\x88"
	                             "\x52\x2d\xc1\xf0\x99\x56\x7d\x07\xf4\x7f\x37\xa3\x2a\x84\x42\x7d"
	                             "\x64\x3a\x8c\xdc\xbf\xe5\xc0\xc9\x75\x98\xa2\xbd\x25\x55\xd1\xaa"
	                             "\x8c\xb0\x8e\x48\x59\x0d\xbb\x3d\xa7\xb0\x8b\x10\x56\x82\x88\x38"
	                             "\xc5\xf6\x1e\x63\x93\xba\x7a\x0a\xbc\xc9\xf6\x62"
	                             "\x76\xfc\x6e\xce\x0f\x4e\x17\x68\xcd\xdf\x88\x53\xbb\x2d\x55\x1b";
	unsigned char out[60];

	assert_true(crypto_open(key, associated, 20, sealed, sizeof(sealed) - 1, out));
	assert_memory_equal(out, "\xd9\x31\x32\x25\xf8\x84\x06\xe5\xa5\x59\x09\xc5\xaf\xf5\x26\x9a", 16);
}

TEST(refuses_whatever_was_changed)
{
	unsigned char key[SEAL_KEY_SIZE] = {9}, other_key[SEAL_KEY_SIZE] = {8}, sealed[6 + SEAL_EXTRA], out[64];

	crypto_seal(key, "a", 1, "secret", 6, sealed);
	for (size_t bit = 0; bit < sizeof(sealed) * 8; bit++) {
		sealed[bit / 8] ^= (unsigned char)(1 << bit % 8);
		memset(out, 0x77, sizeof(out));
		assert_false(crypto_open(key, "a", 1, sealed, sizeof(sealed), out));
		assert_memory_equal(out, "\0\0\0\0\0\0\x77", 7);
		sealed[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	assert_false(crypto_open(other_key, "a", 1, sealed, sizeof(sealed), out));
	assert_false(crypto_open(key, "b", 1, sealed, sizeof(sealed), out));
	assert_false(crypto_open(key, NULL, 0, sealed, sizeof(sealed), out));
	for (size_t len = 0; len < sizeof(sealed); len++)
		assert_false(crypto_open(key, "a", 1, sealed, len, out));
	assert_true(crypto_open(key, "a", 1, sealed, sizeof(sealed), out));
	assert_int_equal(ERR_peek_error(), 0);
}
