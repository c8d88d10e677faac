/* Hashes of passwords: known answers of RFC 7914, the stored text and what is refused of it; which passwords are
 * refused. */
#include <stdio.h>
#include <string.h>

#include "server/base/text.h"
#include "server/signin/password_hash.h"
#include "server/signin/password_rule.h"
#include "test/lib/test.h"

static const unsigned char installation[32] = "an installation's own key";

static void begin_for(struct password_hash *h, const char *email)
{
	password_hash_begin(h, installation, email, strlen(email));
}

TEST(scrypt_gives_known_answers)
{
	static const struct scrypt_cost cost = {.log_n = 14, .r = 8, .p = 1};
	unsigned char key[64];
	char text[2 * sizeof key + 1];

	assert_true(crypto_scrypt(&cost, 64 << 20, "pleaseletmein", 13, "SodiumChloride", 14, key, sizeof key));
	text_hex(text, key, sizeof key);
	assert_string_equal(text, "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
	                          "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887");
	assert_false(crypto_scrypt(&cost, 1 << 20, "pleaseletmein", 13, "SodiumChloride", 14, key, sizeof key));
}

TEST(the_text_of_a_hash_is_read_back)
{
	char text[PASSWORD_TEXT_SIZE];
	struct password_hash h, read;

	begin_for(&h, "ada@example.com");
	assert_true(password_hash_derive(&h, "twelve more birds", 17));
	password_hash_format(&h, text);
	assert_memory_equal(text, "scrypt$15$8$1$", 14);
	assert_int_equal(strlen(text), 14 + 2 * PASSWORD_SALT + 1 + 2 * PASSWORD_KEY);
	assert_true(password_hash_parse(&read, text, strlen(text)));
	assert_true(password_hash_alike(&h, &read));
	assert_true(password_hash_equal(&h, &read));
	read.key[PASSWORD_KEY - 1] ^= 1;
	assert_false(password_hash_equal(&h, &read));
}

TEST(another_address_installation_or_password_gives_another_key)
{
	static const unsigned char other[32] = "another installation's key";
	struct password_hash h[4];

	begin_for(&h[0], "ada@example.com");
	begin_for(&h[1], "ada@example.con");
	password_hash_begin(&h[2], other, "ada@example.com", 15);
	begin_for(&h[3], "ada@example.com");
	for (int i = 0; i < 4; i++)
		assert_true(password_hash_derive(&h[i], i == 3 ? "twelve more Birds" : "twelve more birds", 17));
	assert_false(password_hash_alike(&h[0], &h[1]));
	assert_false(password_hash_alike(&h[0], &h[2]));
	assert_true(password_hash_alike(&h[0], &h[3]));
	for (int i = 1; i < 4; i++) {
		assert_false(password_hash_equal(&h[0], &h[i]));
		assert_memory_not_equal(h[0].key, h[i].key, PASSWORD_KEY);
	}
}

/* A stored text could come with a workspace from elsewhere: it must not cost what nobody expects. */
TEST(other_texts_are_refused)
{
	char text[PASSWORD_TEXT_SIZE], wrong[PASSWORD_TEXT_SIZE + 16];
	struct password_hash h;

	begin_for(&h, "ada@example.com");
	memset(h.key, 7, sizeof h.key);
	password_hash_format(&h, text);
	assert_true(password_hash_parse(&h, text, strlen(text)));
	for (size_t n = 0; n < strlen(text); n++) /* each beginning */
		assert_false(password_hash_parse(&h, text, n));
	snprintf(wrong, sizeof wrong, "%s0", text);
	assert_false(password_hash_parse(&h, wrong, strlen(wrong)));
	snprintf(wrong, sizeof wrong, "%s$", text);
	assert_false(password_hash_parse(&h, wrong, strlen(wrong)));
	snprintf(wrong, sizeof wrong, "scrypt$16%s", text + 9);
	assert_false(password_hash_parse(&h, wrong, strlen(wrong)));
	snprintf(wrong, sizeof wrong, "scrypt$15$9%s", text + 11);
	assert_false(password_hash_parse(&h, wrong, strlen(wrong)));
	snprintf(wrong, sizeof wrong, "Scrypt%s", text + 6);
	assert_false(password_hash_parse(&h, wrong, strlen(wrong)));
	memcpy(wrong, text, sizeof text);
	wrong[20] = 'g';
	assert_false(password_hash_parse(&h, wrong, strlen(wrong)));
}

TEST(passwords_that_are_tried_first_are_refused)
{
	static const struct {
		const char *password;
		bool refused;
	} rows[] = {{"qwertyuiop123", true}, {"QwertyUiop123", true}, {"correcthorsebatterystaple", true},
	    {"123qweasdzxc", true}, {"aaaaaaaaaaaa", true}, {"abcabcabcabcab", true}, {"123456123456", true},
	    {"ada.lovelace1815", true}, {"Lovelace-Ada!", true}, {"example-com-12", true}, {"adaadaadaada1", true},
	    {"twelve more birds", false}, {"lovelace takes nine trains", false}, {"\"quoted\\\"\"\\\\ no", false},
	    {"\xc3\xbc\xc3\xb6\xc3\xa4\xc3\x9f hat viele Zeichen", false}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *p = rows[i].password;
		const char *why = password_rule_broken(p, strlen(p), "ada.lovelace@example.com", "Ada Lovelace");
		if ((why != NULL) != rows[i].refused)
			fail_msg("%s: %s", p, why ? why : "not refused");
	}
}

/* Every entry of the list is refused, and long enough to be chosen at all. */
TEST(the_list_has_no_useless_entry)
{
	assert_non_null(password_rule_broken("zxcvbnmasdfghjkl", 16, "", ""));
	assert_null(password_rule_broken("zxcvbnmasdfghjkl\",", 18, "", ""));
}
