/* The SQL builder: text, parameter numbers, wire form of each type. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/sql.h"
#include "test/lib/server/child.h"
#include "test/lib/test.h"

static struct arena arena;
static struct sql s;
static const struct uuid workspace = {{0xAA, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

/* The last parameter, as hex. */
static const char *last_hex(void)
{
	static char hex[512];
	const struct sql_param *p = &s.params[s.n_params - 1];
	hex[0] = '\0';
	for (int i = 0; i < p->len && i < 200; i++)
		snprintf(hex + 2 * i, sizeof hex - 2 * (size_t)i, "%02x", (unsigned char)p->value[i]);
	return hex;
}

static void expect_param(unsigned type, const char *hex)
{
	const struct sql_param *p = &s.params[s.n_params - 1];
	assert_int_equal(p->type, type);
	if (hex) {
		assert_non_null(p->value);
		assert_string_equal(last_hex(), hex);
	} else {
		assert_null(p->value);
	}
}

BEFORE_EACH()
{
	arena_init(&arena);
	sql_begin(&s, &arena, NULL, &workspace);
}

AFTER_EACH()
{
	arena_free(&arena);
}

TEST(test_text)
{
	assert_int_equal(s.n_params, 1);
	assert_string_equal(s.text, "");
	expect_param(2950, "aa0102030405060708090a0b0c0d0e0f");
	sql_add(&s, "select a from t where workspace_id = ");
	sql_again(&s, 1);
	sql_add(&s, " and b = ");
	sql_int4(&s, 7);
	sql_add(&s, " and c = ");
	sql_again(&s, 2);
	sql_addf(&s, " limit %d", 5);
	assert_string_equal(s.text, "select a from t where workspace_id = $1 and b = $2 and c = $2 limit 5");
	assert_int_equal(s.len, strlen(s.text));
	assert_false(s.system);
	sql_begin_system(&s, &arena, "x");
	assert_true(s.system);
	assert_int_equal(s.n_params, 0);
	sql_bool(&s, true);
	assert_string_equal(s.text, "$1");
}

TEST(test_types)
{
	sql_uuid(&s, NULL), expect_param(2950, NULL);
	sql_text(&s, "ab\0c", 4), expect_param(25, "61620063");
	sql_text(&s, "", 0), expect_param(25, "");
	sql_textz(&s, NULL), expect_param(25, NULL);
	sql_int8(&s, -2), expect_param(20, "fffffffffffffffe");
	sql_int8(&s, 0x0102030405060708), expect_param(20, "0102030405060708");
	sql_int4(&s, -2), expect_param(23, "fffffffe");
	sql_bool(&s, true), expect_param(16, "01");
	sql_bool(&s, false), expect_param(16, "00");
	sql_bytea(&s, "\xff", 1), expect_param(17, "ff");
	sql_bytea(&s, NULL, 3), expect_param(17, NULL);
	sql_time(&s, INT64_C(946684800001)), expect_param(1184, "00000000000003e8");
	sql_time(&s, INT64_C(946684799999)), expect_param(1184, "fffffffffffffc18");
	sql_time_null(&s), expect_param(1184, NULL);
	sql_date(&s, 10958), expect_param(1082, "00000001");
	sql_date(&s, 10956), expect_param(1082, "ffffffff");
	sql_date_null(&s), expect_param(1082, NULL);
	sql_numeric(&s, "1.5"), expect_param(1700, "312e35");
	assert_int_equal(s.params[s.n_params - 1].format, 0);
	sql_numeric(&s, NULL), expect_param(1700, NULL);
	sql_json(&s, "{}", 2), expect_param(114, "7b7d");
	sql_json(&s, NULL, 0), expect_param(114, NULL);
}

TEST(test_arrays)
{
	static const int64_t numbers[] = {1, -1};
	static const char *const texts[] = {"a", NULL, ""};
	static const size_t lens[] = {1, 9, 0};
	static const void *const bytes[] = {"\1\2"};
	static const size_t byte_lens[] = {2};

	sql_int8_array(&s, numbers, 2);
	expect_param(1016, "00000001"
	                   "00000000"
	                   "00000014"
	                   "00000002"
	                   "00000001"
	                   "00000008"
	                   "0000000000000001"
	                   "00000008"
	                   "ffffffffffffffff");
	sql_text_array(&s, texts, lens, 3);
	expect_param(1009, "00000001"
	                   "00000001"
	                   "00000019"
	                   "00000003"
	                   "00000001"
	                   "0000000161"
	                   "ffffffff"
	                   "00000000");
	sql_uuid_array(&s, &workspace, 1);
	expect_param(2951, "00000001"
	                   "00000000"
	                   "00000b86"
	                   "00000001"
	                   "00000001"
	                   "00000010"
	                   "aa0102030405060708090a0b0c0d0e0f");
	sql_bytea_array(&s, bytes, byte_lens, 1);
	expect_param(1001, "00000001"
	                   "00000000"
	                   "00000011"
	                   "00000001"
	                   "00000001"
	                   "000000020102");
	sql_uuid_array(&s, NULL, 0);
	expect_param(2951, "00000000"
	                   "00000000"
	                   "00000b86");
	sql_text_array(&s, NULL, NULL, 0);
	expect_param(1009, "00000000"
	                   "00000000"
	                   "00000019");
}

/* Values are copied, and nothing is lost when text and parameters grow. */
TEST(test_growth)
{
	char text[1000];

	memset(text, 'x', sizeof text);
	for (int i = 0; i < 500; i++) {
		sql_add(&s, ",");
		text[0] = (char)('a' + i % 26);
		sql_text(&s, text, sizeof text);
	}
	assert_int_equal(s.n_params, 501);
	for (int i = 0; i < 500; i++)
		assert_int_equal(s.params[i + 1].value[0], 'a' + i % 26);
	assert_memory_equal(s.text, ",$2,$3,", 7);
	assert_string_equal(s.text + s.len - 5, ",$501");
}

/* A prefix continues the numbering. */
TEST(test_take)
{
	const char *text;

	sql_add(&s, "b = ");
	sql_int4(&s, 1);
	text = sql_take(&s);
	sql_add(&s, "a = ");
	sql_int4(&s, 2);
	sql_add(&s, ", ");
	sql_add(&s, text);
	assert_string_equal(s.text, "a = $3, b = $2");
	assert_int_equal(s.n_params, 3);
}

/* Only values that select rows by owner; a number of several digits is kept whole, and applying it twice has no
 * further effect. */
TEST(test_average_list)
{
	static const char
	    before[] = "select a.group_id = $2 from x a where a.workspace_id = $1 and a.type_id = $12 and a.id = $1 "
	               "and field_id = $3",
	    after[] = "select a.group_id = $2 from x a where a.workspace_id = (select $1) and a.type_id = (select $12) "
	              "and a.id = $1 and field_id = (select $3)";

	sql_add(&s, before);
	for (int i = 0; i < 2; i++) {
		sql_average_list(&s);
		assert_string_equal(s.text, after);
		assert_int_equal(s.len, strlen(after));
	}
	sql_add(&s, " and true");
	assert_string_equal(s.text + strlen(after), " and true");
}

TEST(test_again_unknown)
{
	fflush(NULL);
	pid_t pid = child_fork();
	if (pid == 0) {
		if (freopen("/dev/null", "w", stderr))
			sql_again(&s, 2);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
