/* Values out of a result, from PostgreSQL's binary format (the types' send functions). */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "store/db_private.h"

static const int64_t EPOCH_2000_MS = INT64_C(946684800000);
static const int32_t EPOCH_2000_DAYS = 10957;

static PGresult *result_of(const struct db_exchange *x, int statement)
{
	if (!x->results || statement < 0 || statement >= x->n_statements)
		return NULL;
	return (PGresult *)x->results[statement];
}

/* The bytes of a value; NULL for null and for a missing row or column. */
static const unsigned char *result_value(const struct db_exchange *x, int statement, int row, int column, size_t *len)
{
	const PGresult *r = result_of(x, statement);

	*len = 0;
	if (!r || row < 0 || row >= PQntuples(r))
		return NULL;
	*len = (size_t)PQgetlength(r, row, column); /* 0 for a missing column, which PQgetisnull() reports as null */
	if (*len == 0 && PQgetisnull(r, row, column))
		return NULL;
	return (const unsigned char *)PQgetvalue(r, row, column);
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* A big-endian number of up to 8 bytes. Nearly all have 4 or 8, which take one or two instructions. */
static inline int64_t int_value(const unsigned char *p, size_t len)
{
	if (len == 4)
		return (int32_t)big_endian(p);
	if (len == 8)
		return (int64_t)((uint64_t)big_endian(p) << 32 | big_endian(p + 4));
	uint64_t value = len && p[0] & 0x80 ? UINT64_MAX : 0;

	for (size_t i = 0; i < len; i++)
		value = value << 8 | p[i];
	return (int64_t)value;
}

int db_rows(const struct db_exchange *x, int statement)
{
	const PGresult *r = result_of(x, statement);

	return r ? PQntuples(r) : 0;
}

int db_columns(const struct db_exchange *x, int statement)
{
	const PGresult *r = result_of(x, statement);

	return r ? PQnfields(r) : 0;
}

int64_t db_affected(const struct db_exchange *x, int statement)
{
	PGresult *r = result_of(x, statement);

	return r ? strtoll(PQcmdTuples(r), NULL, 10) : 0;
}

bool db_null(const struct db_exchange *x, int statement, int row, int column)
{
	size_t len;

	return result_value(x, statement, row, column, &len) == NULL;
}

const char *db_text(const struct db_exchange *x, int statement, int row, int column, size_t *len)
{
	size_t n;
	const unsigned char *p = result_value(x, statement, row, column, &n);

	if (len)
		*len = n;
	return (const char *)p;
}

int64_t db_int(const struct db_exchange *x, int statement, int row, int column)
{
	size_t len;
	const unsigned char *p = result_value(x, statement, row, column, &len);

	return p ? int_value(p, len) : 0;
}

bool db_bool(const struct db_exchange *x, int statement, int row, int column)
{
	size_t len;
	const unsigned char *p = result_value(x, statement, row, column, &len);

	return p && len == 1 && p[0] != 0;
}

bool db_uuid_read(const struct db_exchange *x, int statement, int row, int column, struct uuid *out)
{
	size_t len;
	const unsigned char *p = result_value(x, statement, row, column, &len);

	if (p && len == sizeof out->b)
		memcpy(out->b, p, sizeof out->b);
	return p != NULL;
}

struct uuid db_uuid(const struct db_exchange *x, int statement, int row, int column)
{
	struct uuid id = {{0}};

	db_uuid_read(x, statement, row, column, &id);
	return id;
}

int db_row_of(const struct db_exchange *x, int statement, const struct uuid *id)
{
	for (int row = 0; row < db_rows(x, statement); row++) {
		struct uuid found = db_uuid(x, statement, row, 0);
		if (uuid_equal(&found, id))
			return row;
	}
	return -1;
}

int64_t db_time_ms(const struct db_exchange *x, int statement, int row, int column)
{
	size_t len;
	const unsigned char *p = result_value(x, statement, row, column, &len);

	if (!p || len != 8)
		return 0;
	int64_t us = int_value(p, len);
	if (us == INT64_MAX || us == INT64_MIN)
		return us; /* infinity and -infinity are not scaled */
	int64_t ms = us / 1000 - (us % 1000 < 0);
	return ms + EPOCH_2000_MS;
}

int64_t db_time_us(const struct db_exchange *x, int statement, int row, int column)
{
	size_t len;
	const unsigned char *p = result_value(x, statement, row, column, &len);

	return p && len == 8 ? int_value(p, len) + EPOCH_2000_MS * 1000 : 0;
}

int32_t db_date(const struct db_exchange *x, int statement, int row, int column)
{
	size_t len;
	const unsigned char *p = result_value(x, statement, row, column, &len);

	if (!p || len != 4)
		return 0;
	int32_t days = (int32_t)int_value(p, len);
	return days > INT32_MAX - EPOCH_2000_DAYS || days == INT32_MIN ? days : days + EPOCH_2000_DAYS;
}

/* --- arrays ---------------------------------------------------------------- */

struct array {
	const unsigned char *p, *end;
};

/* array_send: dimensions, has-null flag, item type, then a size and lower bound a dimension. */
static size_t array_open(const struct db_exchange *x, int statement, int row, int column, struct array *array)
{
	size_t len;
	const unsigned char *p = result_value(x, statement, row, column, &len);

	if (!p || len < 20 || int_value(p, 4) != 1)
		return 0;
	array->p = p + 20;
	array->end = p + len;
	return (size_t)int_value(p + 12, 4);
}

/* The next item; NULL for null. */
static const unsigned char *array_next(struct array *array, size_t *len)
{
	*len = 0;
	if (array->end - array->p < 4)
		return NULL;
	int64_t item_len = int_value(array->p, 4);
	array->p += 4;
	if (item_len < 0 || item_len > array->end - array->p)
		return NULL;
	const unsigned char *item = array->p;
	array->p += item_len;
	*len = (size_t)item_len;
	return item;
}

size_t db_uuid_column(const struct db_exchange *x, int statement, int column, struct arena *a, struct uuid **out)
{
	size_t rows = (size_t)db_rows(x, statement);

	*out = arena_alloc(a, rows * sizeof **out);
	for (size_t i = 0; i < rows; i++)
		(*out)[i] = db_uuid(x, statement, (int)i, column);
	return rows;
}

size_t db_uuid_array(
    const struct db_exchange *x, int statement, int row, int column, struct arena *a, struct uuid **out)
{
	struct array array;
	size_t count = array_open(x, statement, row, column, &array), len;

	*out = arena_alloc(a, count * sizeof **out);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *item = array_next(&array, &len);
		if (item && len == sizeof(*out)[i].b)
			memcpy((*out)[i].b, item, len);
	}
	return count;
}

size_t db_text_array(
    const struct db_exchange *x, int statement, int row, int column, struct arena *a, const char ***out, size_t **lens)
{
	struct array array;
	size_t count = array_open(x, statement, row, column, &array);

	*out = arena_alloc(a, count * (sizeof **out + sizeof **lens));
	*lens = (size_t *)(*out + count);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *item = array_next(&array, &(*lens)[i]);
		/* An item is followed by the next item's length or by libpq's NUL. That byte is nearly always zero, and
		 * then terminates the item as a C string. */
		if (item && item[(*lens)[i]] == '\0')
			(*out)[i] = (const char *)item;
		else
			(*out)[i] = item ? arena_dup(a, (const char *)item, (*lens)[i]) : NULL;
	}
	return count;
}

size_t db_int8_array(const struct db_exchange *x, int statement, int row, int column, struct arena *a, int64_t **out)
{
	struct array array;
	size_t count = array_open(x, statement, row, column, &array), len;

	*out = arena_alloc(a, count * sizeof **out);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *item = array_next(&array, &len);
		(*out)[i] = item ? int_value(item, len) : 0;
	}
	return count;
}
