/* Which keys of files are taken, and that none is taken for none by mistake. */
#include <stdlib.h>
#include <string.h>

#include "server/base/file_key.h"
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
