/* Parameters and results of the database: every type written and read back, arrays, null, limits. */
#include <string.h>

#include "test/lib/db/ask.h"
#include "test/lib/test.h"

LANES();

static const char *const texts[] = {"a", NULL, "", "h\xc3\xa9"};
static const size_t lens[] = {1, 0, 0, 3};
static const void *const bytes[] = {"\0\1", "x"};
static const size_t byte_lens[] = {2, 1};
static const int64_t numbers[] = {INT64_MIN, -1, 0, INT64_MAX};
static const struct uuid ids[] = {{{1}}, {{2}}};

/* A column each, numbered as in the checks below. */
static void add_values(struct sql *s)
{
#define VALUE(call) (sql_add(s, ", "), call)
	VALUE(sql_uuid(s, &ids[1])); /* 1 */
	VALUE(sql_uuid(s, NULL));
	VALUE(sql_text(s, "h\xc3\xa9llo", 6)); /* 3 */
	VALUE(sql_text(s, "", 0));
	VALUE(sql_textz(s, NULL)); /* 5 */
	VALUE(sql_int8(s, INT64_MIN));
	VALUE(sql_int4(s, INT32_MIN)); /* 7 */
	VALUE(sql_bool(s, true));
	VALUE(sql_bool(s, false)); /* 9 */
	VALUE(sql_bytea(s, "\0\xff", 2));
	VALUE(sql_time(s, INT64_C(-62135596800000))); /* 11: 0001-01-01 */
	VALUE(sql_time(s, INT64_C(1234567890123)));
	VALUE(sql_date(s, -719162)); /* 13: 0001-01-01 */
	VALUE(sql_numeric(s, "-1234567890123456789.000120"));
	sql_add(s, "::text");
	VALUE(sql_json(s, "{\"a\": 1}", 8)); /* 15 */
	VALUE(sql_json(s, "{\"a\": 1}", 8));
	VALUE(sql_uuid_array(s, ids, 2)); /* 17 */
	VALUE(sql_text_array(s, texts, lens, 4));
	VALUE(sql_int8_array(s, numbers, 4)); /* 19 */
	VALUE(sql_bytea_array(s, bytes, byte_lens, 2));
	VALUE(sql_uuid_array(s, ids, 0)); /* 21 */
	VALUE(sql_time_null(s));
	VALUE(sql_date_null(s)); /* 23 */
	VALUE(sql_numeric(s, NULL));
	VALUE(sql_json(s, NULL, 0)); /* 25 */
	VALUE(sql_json(s, NULL, 0));
	VALUE(sql_bytea(s, NULL, 0)); /* 27 */
	sql_add(s, ", '0001-01-01'::timestamptz, '2009-02-13 23:31:30.123999Z'::timestamptz, '0001-01-01'::date, ");
	sql_add(s, "'infinity'::timestamptz, 7::int2, '1969-12-31 23:59:59.9995Z'::timestamptz"); /* 28 - 33 */
#undef VALUE
}

static void check_nulls(const struct db_exchange *x)
{
	static const int nulls[] = {2, 5, 22, 23, 24, 25, 26, 27};
	for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
		assert_true(db_null(x, 0, 0, nulls[i]));
}

static void check_single(const struct db_exchange *x)
{
	size_t len;
	struct uuid id = db_uuid(x, 0, 0, 1);
	assert_true(uuid_equal(&id, &ids[1]));
	assert_null(db_text(x, 0, 0, 5, &len));
	assert_string_equal(db_text(x, 0, 0, 3, &len), "h\xc3\xa9llo");
	assert_int_equal(len, 6);
	assert_false(db_null(x, 0, 0, 4));
	assert_string_equal(db_text(x, 0, 0, 4, &len), "");
	assert_true(db_int(x, 0, 0, 6) == INT64_MIN);
	assert_true(db_int(x, 0, 0, 7) == INT32_MIN);
	assert_true(db_bool(x, 0, 0, 8));
	assert_false(db_bool(x, 0, 0, 9));
	assert_memory_equal(db_text(x, 0, 0, 10, &len), "\0\xff", 2);
	assert_string_equal(db_text(x, 0, 0, 14, &len), "-1234567890123456789.000120");
	assert_string_equal(db_text(x, 0, 0, 15, &len), "{\"a\": 1}");
	assert_string_equal(db_text(x, 0, 0, 16, &len), "{\"a\": 1}");
	assert_int_equal(db_int(x, 0, 0, 32), 7);
}

static void check_times(const struct db_exchange *x)
{
	assert_true(db_time_ms(x, 0, 0, 11) == INT64_C(-62135596800000));
	assert_true(db_time_ms(x, 0, 0, 12) == INT64_C(1234567890123));
	assert_int_equal(db_date(x, 0, 0, 13), -719162);
	assert_true(db_time_ms(x, 0, 0, 28) == INT64_C(-62135596800000));
	assert_true(db_time_ms(x, 0, 0, 29) == INT64_C(1234567890123));
	assert_int_equal(db_date(x, 0, 0, 30), -719162);
	assert_true(db_time_ms(x, 0, 0, 31) == INT64_MAX);
	assert_int_equal(db_time_ms(x, 0, 0, 33), -1);
}

static void check_arrays(const struct db_exchange *x, struct arena *arena)
{
	struct uuid *got_ids;
	assert_int_equal(db_uuid_array(x, 0, 0, 17, arena, &got_ids), 2);
	assert_memory_equal(got_ids, ids, sizeof ids);
	const char **got_texts;
	size_t *got_lens;
	assert_int_equal(db_text_array(x, 0, 0, 18, arena, &got_texts, &got_lens), 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(got_lens[i], lens[i]);
		if (texts[i])
			assert_string_equal(got_texts[i], texts[i]);
		else
			assert_null(got_texts[i]);
	}
	int64_t *got_numbers;
	assert_int_equal(db_int8_array(x, 0, 0, 19, arena, &got_numbers), 4);
	assert_memory_equal(got_numbers, numbers, sizeof numbers);
	assert_int_equal(db_text_array(x, 0, 0, 20, arena, &got_texts, &got_lens), 2);
	assert_memory_equal(got_texts[0], "\0\1", 2);
	assert_int_equal(db_uuid_array(x, 0, 0, 21, arena, &got_ids), 0);
}

TEST(test_values)
{
	lanes_open(&w);
	struct ask *a = ask_new(&w, DB_WRITE);
	struct sql *s = &a->sql[0];
	sql_begin(s, &a->arena, NULL, &ask_workspace);
	sql_add(s, "select $1 as workspace_id");
	a->list[0] = s;
	a->x.n_statements = 1;
	add_values(s);
	assert_int_equal(ask_run(a), DB_OK);
	check_nulls(&a->x);
	check_single(&a->x);
	check_times(&a->x);
	check_arrays(&a->x, &a->arena);
	ask_free(a);
}
