/* Hash tables compared with a linear search. */
#include <stdio.h>
#include <string.h>

#include "server/base/table.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

enum { KEYS = 5000 };

/* Whatever the expected number, and however long the keys. */
TEST(test_rows)
{
	static const size_t hints[] = {0, 1, 8, 9, 100, KEYS, 3 * KEYS};
	static char keys[KEYS][40];

	for (size_t h = 0; h < sizeof hints / sizeof *hints; h++) {
		struct table t;
		table_init(&t, &a, hints[h]);
		for (int i = 0; i < KEYS; i++) {
			size_t len = (size_t)snprintf(keys[i], sizeof keys[i], "%0*d", 1 + i % 30, i);
			assert_int_equal(table_has(&t, keys[i], len), 0);
			struct table_row *row = table_row(&t, keys[i], len);
			assert_null(row->value);
			row->value = keys[i];
			assert_false(table_add(&t, keys[i], len));
		}
		assert_int_equal(t.count, KEYS);
		for (int i = 0; i < KEYS; i++) {
			assert_ptr_equal(t.rows[i].key, keys[i]); /* in their order */
			assert_ptr_equal(table_find(&t, keys[i], strlen(keys[i])), keys[i]);
			assert_null(table_find(&t, keys[i], strlen(keys[i]) + 1)); /* with its NUL */
		}
	}
}

TEST(test_bytes)
{
	struct table t;

	table_init(&t, &a, 0);
	assert_false(table_has(&t, "", 0));
	assert_true(table_add(&t, "", 0));
	assert_false(table_add(&t, "x", 0)); /* of no length, it is the empty one */
	assert_true(table_add(&t, "\0", 1));
	assert_true(table_add(&t, "\0\0", 2));
	assert_true(table_add(&t, "12345678", 8));
	assert_true(table_add(&t, "123456780", 9));
	assert_false(table_add(&t, "12345678", 8));
	assert_int_equal(t.count, 5);
}
