/* SQL statements with binary parameters, see sql.h: the wire format of each parameter type. db*.c send statements
 * and read results. */
#include "store/sql.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/base/built_in.h"
#include "server/base/fatal.h"
#include "server/base/digits.h"

/* Object ids of PostgreSQL's built-in types; they never change. */
enum {
	OID_BOOL = 16,
	OID_BYTEA = 17,
	OID_INT8 = 20,
	OID_INT4 = 23,
	OID_TEXT = 25,
	OID_JSON = 114,
	OID_BYTEA_ARRAY = 1001,
	OID_INT4_ARRAY = 1007,
	OID_TEXT_ARRAY = 1009,
	OID_INT8_ARRAY = 1016,
	OID_DATE = 1082,
	OID_TIMESTAMPTZ = 1184,
	OID_NUMERIC = 1700,
	OID_UUID = 2950,
	OID_UUID_ARRAY = 2951
};

enum { TEXT_FIRST = 256, PARAMS_FIRST = 8, PARAMS_MAX = 65535, ARRAY_HEADER = 20 };

static const int64_t EPOCH_2000_MS = INT64_C(946684800000);
static const int32_t EPOCH_2000_DAYS = 10957;

static void sql_put_int32(char *out, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		out[i] = (char)(unsigned char)(value >> (24 - 8 * i));
}

static void sql_put_int64(char *out, uint64_t value)
{
	sql_put_int32(out, (uint32_t)(value >> 32));
	sql_put_int32(out + 4, (uint32_t)value);
}

/* Reserves len more bytes and a NUL. */
static char *sql_text_room(struct sql *s, size_t len)
{
	if (len >= s->cap - s->len) {
		size_t cap = s->cap;
		while (len >= cap - s->len)
			cap *= 2;
		char *text = arena_alloc(s->arena, cap);
		memcpy(text, s->text, s->len + 1);
		s->text = text;
		s->cap = cap;
	}
	return s->text + s->len;
}

static void sql_text_append(struct sql *s, const char *text, size_t len)
{
	char *to = sql_text_room(s, len);

	memcpy(to, text, len);
	to[len] = '\0';
	s->len += len;
}

static void sql_init(struct sql *s, struct arena *a, const char *name)
{
	memset(s, 0, sizeof *s);
	s->arena = a;
	s->name = name;
	s->cap = TEXT_FIRST;
	s->text = arena_alloc(a, s->cap);
}

/* Adds a parameter without a reference in the text. */
static void sql_param_add(struct sql *s, unsigned type, const char *value, size_t len, int format)
{
	if (s->n_params == s->cap_params) {
		int cap = s->cap_params ? s->cap_params * 2 : PARAMS_FIRST;
		struct sql_param *params = arena_alloc(s->arena, (size_t)cap * sizeof *params);
		if (s->n_params)
			memcpy(params, s->params, (size_t)s->n_params * sizeof *params);
		s->params = params;
		s->cap_params = cap;
	}
	if (s->n_params == PARAMS_MAX || len > INT32_MAX)
		fatal_abort("sql: a statement has too many parameters, or one that is too long");
	s->params[s->n_params++] = (struct sql_param){.type = type, .value = value, .len = (int)len, .format = format};
}

static void sql_param_init(struct sql *s, unsigned type, const char *value, size_t len, int format)
{
	sql_param_add(s, type, value, len, format);
	sql_again(s, s->n_params);
}

static void sql_param_copy(struct sql *s, unsigned type, const void *bytes, size_t len)
{
	sql_param_init(s, type, bytes ? arena_dup(s->arena, bytes, len) : NULL, bytes ? len : 0, 1);
}

static void sql_param_null(struct sql *s, unsigned type)
{
	sql_param_init(s, type, NULL, 0, 1);
}

void sql_begin(struct sql *s, struct arena *a, const char *name, const struct uuid *workspace)
{
	sql_init(s, a, name);
	sql_param_add(
	    s, OID_UUID, arena_dup(a, (const char *)workspace->b, sizeof workspace->b), sizeof workspace->b, 1);
}

void sql_begin_system(struct sql *s, struct arena *a, const char *name)
{
	sql_init(s, a, name);
	s->system = true;
}

/* The length of a "$n" that one of these columns is compared with; 0: something else. */
static size_t known_list(const struct sql *s, const char *dollar)
{
	static const char *const columns[] = {"workspace_id = ", "type_id = ", "field_id = "};
	size_t before = (size_t)(dollar - s->text);

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		size_t len = strlen(columns[i]);
		if (before >= len && memcmp(dollar - len, columns[i], len) == 0)
			return 1 + strspn(dollar + 1, "0123456789");
	}
	return 0;
}

void sql_average_list(struct sql *s)
{
	struct sql out = {.arena = s->arena, .cap = s->len + 256};
	const char *rest = s->text;

	out.text = arena_alloc(s->arena, out.cap);
	for (const char *at = strchr(rest, '$'); at; at = strchr(at + 1, '$')) {
		size_t len = known_list(s, at);
		if (len == 0)
			continue;
		sql_text_append(&out, rest, (size_t)(at - rest));
		sql_text_append(&out, "(select ", 8);
		sql_text_append(&out, at, len);
		sql_text_append(&out, ")", 1);
		rest = at + len;
	}
	if (rest == s->text)
		return;
	sql_text_append(&out, rest, strlen(rest));
	s->text = out.text;
	s->len = out.len;
	s->cap = out.cap;
}

void sql_add(struct sql *s, const char *text)
{
	sql_text_append(s, text, strlen(text));
}

void sql_addf(struct sql *s, const char *format, ...)
{
	va_list args, again;

	va_start(args, format);
	va_copy(again, args);
	size_t room = s->cap - s->len;
	int len = vsnprintf(s->text + s->len, room, format, args);
	if (len < 0)
		fatal_abort("sql: a text could not be formatted");
	if ((size_t)len >= room)
		vsnprintf(sql_text_room(s, (size_t)len), (size_t)len + 1, format, again);
	s->len += (size_t)len;
	va_end(again);
	va_end(args);
}

void sql_uuid(struct sql *s, const struct uuid *id)
{
	sql_param_copy(s, OID_UUID, id ? id->b : NULL, sizeof id->b);
}

void sql_text(struct sql *s, const char *text, size_t len)
{
	sql_param_copy(s, OID_TEXT, text, len);
}

void sql_textz(struct sql *s, const char *text)
{
	sql_text(s, text, text ? strlen(text) : 0);
}

void sql_int8(struct sql *s, int64_t value)
{
	char bytes[8];

	sql_put_int64(bytes, (uint64_t)value);
	sql_param_copy(s, OID_INT8, bytes, sizeof bytes);
}

void sql_int4(struct sql *s, int32_t value)
{
	char bytes[4];

	sql_put_int32(bytes, (uint32_t)value);
	sql_param_copy(s, OID_INT4, bytes, sizeof bytes);
}

void sql_bool(struct sql *s, bool value)
{
	sql_param_copy(s, OID_BOOL, value ? "\1" : "\0", 1);
}

void sql_bytea(struct sql *s, const void *bytes, size_t len)
{
	sql_param_copy(s, OID_BYTEA, bytes, len);
}

void sql_time(struct sql *s, int64_t unix_ms)
{
	sql_time_us(s, unix_ms * 1000);
}

void sql_time_us(struct sql *s, int64_t unix_us)
{
	char bytes[8];

	sql_put_int64(bytes, (uint64_t)(unix_us - EPOCH_2000_MS * 1000));
	sql_param_copy(s, OID_TIMESTAMPTZ, bytes, sizeof bytes);
}

void sql_time_null(struct sql *s)
{
	sql_param_null(s, OID_TIMESTAMPTZ);
}

void sql_date(struct sql *s, int32_t days)
{
	char bytes[4];

	sql_put_int32(bytes, (uint32_t)(days - EPOCH_2000_DAYS));
	sql_param_copy(s, OID_DATE, bytes, sizeof bytes);
}

void sql_int4_null(struct sql *s)
{
	sql_param_null(s, OID_INT4);
}
void sql_date_null(struct sql *s)
{
	sql_param_null(s, OID_DATE);
}

void sql_numeric(struct sql *s, const char *decimal)
{
	/* Sent as text, because PostgreSQL parses decimals exactly; kith needs no parser of its own. */
	size_t len = decimal ? strlen(decimal) : 0;
	sql_param_init(s, OID_NUMERIC, decimal ? arena_dup(s->arena, decimal, len) : NULL, len, 0);
}

void sql_json(struct sql *s, const char *text, size_t len)
{
	sql_param_copy(s, OID_JSON, text, len);
}

/* Starts a one-dimensional array (array_recv); returns where its items go. An empty array has no dimension. */
static char *sql_array_begin(
    struct sql *s, unsigned item_type, size_t count, bool nulls, size_t items_len, char **value, size_t *len)
{
	if (count > INT32_MAX || items_len > INT32_MAX - ARRAY_HEADER)
		fatal_abort("sql: an array parameter is too long");
	*len = count ? ARRAY_HEADER + items_len : 12;
	*value = arena_alloc(s->arena, *len);
	sql_put_int32(*value, count ? 1 : 0);
	sql_put_int32(*value + 4, nulls);
	sql_put_int32(*value + 8, item_type);
	if (!count)
		return *value + 12;
	sql_put_int32(*value + 12, (uint32_t)count);
	sql_put_int32(*value + 16, 1);
	return *value + ARRAY_HEADER;
}

static char *sql_array_item(char *to, const void *bytes, size_t len)
{
	sql_put_int32(to, (uint32_t)len);
	if (len)
		memcpy(to + 4, bytes, len);
	return to + 4 + len;
}

void sql_uuid_array(struct sql *s, const struct uuid *ids, size_t count)
{
	char *value;
	size_t len;
	char *to = sql_array_begin(s, OID_UUID, count, false, count * (4 + sizeof ids->b), &value, &len);

	for (size_t i = 0; i < count; i++)
		to = sql_array_item(to, ids[i].b, sizeof ids[i].b);
	sql_param_init(s, OID_UUID_ARRAY, value, len, 1);
}

void sql_int8_array(struct sql *s, const int64_t *values, size_t count)
{
	char *value;
	size_t len;
	char *to = sql_array_begin(s, OID_INT8, count, false, count * 12, &value, &len);

	for (size_t i = 0; i < count; i++) {
		char bytes[8];
		sql_put_int64(bytes, (uint64_t)values[i]);
		to = sql_array_item(to, bytes, sizeof bytes);
	}
	sql_param_init(s, OID_INT8_ARRAY, value, len, 1);
}

static void bytes_array(
    struct sql *s, unsigned type, unsigned item_type, const void *const *items, const size_t *lens, size_t count)
{
	size_t total = 0, len;
	bool nulls = false;

	for (size_t i = 0; i < count; i++) {
		total += 4 + (items[i] ? lens[i] : 0);
		nulls |= items[i] == NULL;
	}
	char *value;
	char *to = sql_array_begin(s, item_type, count, nulls, total, &value, &len);
	for (size_t i = 0; i < count; i++) {
		if (items[i]) {
			to = sql_array_item(to, items[i], lens[i]);
		} else {
			sql_put_int32(to, UINT32_MAX); /* a length of -1 is null */
			to += 4;
		}
	}
	sql_param_init(s, type, value, len, 1);
}

void sql_text_array(struct sql *s, const char *const *items, const size_t *lens, size_t count)
{
	bytes_array(s, OID_TEXT_ARRAY, OID_TEXT, (const void *const *)items, lens, count);
}

void sql_bytea_array(struct sql *s, const void *const *items, const size_t *lens, size_t count)
{
	bytes_array(s, OID_BYTEA_ARRAY, OID_BYTEA, items, lens, count);
}

static unsigned array_of(unsigned type)
{
	switch (type) {
	case OID_BYTEA:
		return OID_BYTEA_ARRAY;
	case OID_INT8:
		return OID_INT8_ARRAY;
	case OID_INT4:
		return OID_INT4_ARRAY;
	case OID_TEXT:
		return OID_TEXT_ARRAY;
	case OID_UUID:
		return OID_UUID_ARRAY;
	default:
		fatal_abort("sql: sql_all() knows no arrays of this type");
	}
}

struct sql *sql_all(struct arena *a, const struct sql *const *each, size_t n)
{
	struct sql *s = arena_alloc(a, sizeof *s);
	const void **items = arena_alloc(a, n * sizeof *items);
	size_t *lens = arena_alloc(a, n * sizeof *lens);

	sql_init(s, a, arena_printf(a, "%s_all", each[0]->name));
	s->system = each[0]->system;
	for (int i = 0; i < each[0]->n_params; i++) {
		const struct sql_param *first = &each[0]->params[i];
		if (i == 0 && !s->system) {
			sql_param_copy(s, first->type, first->value, (size_t)first->len);
			continue;
		}
		for (size_t k = 0; k < n; k++) {
			items[k] = each[k]->params[i].value;
			lens[k] = (size_t)each[k]->params[i].len;
		}
		bytes_array(s, array_of(first->type), first->type, items, lens, n);
	}
	sql_whole(s, each[0]->for_all);
	return s;
}

void sql_add_uuid(struct sql *s, const char *text, const struct uuid *id)
{
	sql_add(s, text);
	sql_uuid(s, id);
}

void sql_add_textz(struct sql *s, const char *text, const char *value)
{
	sql_add(s, text);
	sql_textz(s, value);
}

void sql_add_int8(struct sql *s, const char *text, int64_t value)
{
	sql_add(s, text);
	sql_int8(s, value);
}

void sql_add_time(struct sql *s, const char *text, int64_t unix_ms)
{
	sql_add(s, text);
	sql_time(s, unix_ms);
}

void sql_add_uuid_array(struct sql *s, const char *text, const struct uuid *ids, size_t count)
{
	sql_add(s, text);
	sql_uuid_array(s, ids, count);
}

const char *sql_take(struct sql *s)
{
	const char *text = s->text;

	s->len = 0;
	s->text = arena_alloc(s->arena, s->cap);
	return text;
}

void sql_whole(struct sql *s, const char *text)
{
	sql_take(s);
	sql_add(s, text);
}

void sql_built_in(struct sql *s, const char *name)
{
	sql_whole(s, built_in_text(name));
}

void sql_again(struct sql *s, int number)
{
	if (number < 1 || number > s->n_params)
		fatal_abort("sql: sql_again() names a parameter that does not exist");
	char text[1 + DIGITS_MAX] = "$";
	sql_text_append(s, text, (size_t)(digits_uint(text + 1, (uint64_t)number) - text));
}
