/* API key texts: form, checksum (known answers of zlib's CRC-32), distribution. */
#include <string.h>

#include "server/base/apikey.h"
#include "test/lib/test.h"

TEST(new_keys_are_well_formed_and_differ)
{
	char key[APIKEY_SIZE], last[APIKEY_SIZE] = "";
	int seen[128] = {0};

	for (int i = 0; i < 2000; i++) {
		apikey_new(key);
		assert_int_equal(strlen(key), APIKEY_LEN);
		assert_memory_equal(key, "kith_", 5);
		assert_true(apikey_well_formed(key, APIKEY_LEN));
		assert_string_not_equal(key, last);
		memcpy(last, key, sizeof(key));
		for (int c = 5; c < 35; c++)
			seen[(unsigned char)key[c]]++;
	}
	for (const char *c = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"; *c; c++)
		assert_in_range(
		    seen[(unsigned char)*c], 700, 1300); /* 968 expected; 1300 is over ten deviations away */
}

TEST(any_single_change_is_seen)
{
	static const char others[] = "0Zz_ \x80";
	char key[APIKEY_SIZE];

	apikey_new(key);
	for (int i = 0; i < APIKEY_LEN; i++)
		for (size_t o = 0; o < sizeof(others); o++) { /* the NUL too */
			char was = key[i];
			if (was == others[o])
				continue;
			key[i] = others[o];
			assert_false(apikey_well_formed(key, APIKEY_LEN));
			key[i] = was;
		}
	for (size_t len = 0; len < APIKEY_LEN; len++)
		assert_false(apikey_well_formed(key, len));
	assert_false(apikey_well_formed(key, APIKEY_LEN + 1));
}

TEST(the_checksum_is_that_of_zlib)
{
	assert_true(apikey_well_formed("kith_0000000000000000000000000000002C8GjS", APIKEY_LEN));
	assert_true(apikey_well_formed("kith_abcdefghijklmnopqrstuvwxyzABCD4dNndU", APIKEY_LEN));
	assert_true(apikey_well_formed("kith_The5quick6brown7fox8jumps9over1Sengz", APIKEY_LEN));
	assert_true(apikey_well_formed("kith_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz4IlJEz", APIKEY_LEN));
}
