/* Which keys of files and passphrases are accepted, and that an empty one is not mistaken for one that is not set. */
#include <stdlib.h>
#include <string.h>

#include "server/base/file_key.h"
#include "server/operate/sealed.h"
#include "test/lib/test.h"

TEST(test_variable)
{
	static const struct {
		const char *value;
		bool read;
		size_t len;
	} cases[] = {
	    {"0123456789abcdef0123456789abcdef", true, 32},
	    {"0123456789abcdef0123456789abcdef\nmore", true, 32},
	    {"0123456789abcdef0123456789abcde", false, 31},
	    /* set to nothing, as by a script whose own variable is missing: not the same as unset */
	    {"", false, 0},
	    {"\n", false, 0},
	    {NULL, true, 0},
	};
	struct file_key k;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (cases[i].value)
			setenv("KITH_FILE_KEY", cases[i].value, 1);
		else
			unsetenv("KITH_FILE_KEY");
		assert_int_equal(file_key_read(&k, NULL), cases[i].read);
		assert_int_equal(k.len, cases[i].len);
	}
}

/* A longer one is refused: cut silently, every secret with the same beginning would do. */
TEST(test_longest)
{
	struct file_key k;
	struct passphrase p;
	char text[FILE_KEY_MAX + 2];

	assert_int_equal(PASSPHRASE_MAX, FILE_KEY_MAX);
	for (size_t len = FILE_KEY_MAX; len <= FILE_KEY_MAX + 1; len++) {
		memset(text, 'k', len);
		text[len] = '\0';
		setenv("KITH_FILE_KEY", text, 1);
		setenv("KITH_BACKUP_PASSPHRASE", text, 1);
		assert_int_equal(file_key_read(&k, NULL), len == FILE_KEY_MAX);
		assert_int_equal(passphrase_read(&p, NULL), len == FILE_KEY_MAX);
	}
}
