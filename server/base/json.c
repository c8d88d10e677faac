/* Parses JSON. After the checks of json_check.c, yajl splits the text into tokens and the callbacks here build the
 * tree. This is the only file that includes yajl. */
#include "server/base/json.h"

#include <stdlib.h>
#include <string.h>
#include <yajl_parse.h>

#include "server/base/json_check.h"
#include "server/base/table.h"
#include "server/base/text.h"

/* A value with private data. Callers see only the first member. */
struct node {
	struct json json;
	size_t key_end; /* offset after the closing quote of its name */
};

struct build {
	struct arena *arena;
	yajl_handle yajl;
	struct json *root;
	struct level {
		struct json *holder, *last;
	} levels[JSON_DEPTH_MAX];
	unsigned depth;
	const char *key; /* of the next value */
	size_t key_len, key_end;
	size_t read;  /* bytes given to yajl before the current piece */
	size_t count; /* of values */
	size_t values_max, members_max;
	const struct node *repeated; /* the second member of the same name */
	const char *too_much;        /* the limit that was exceeded; NULL: none */
	size_t most;                 /* the value of that limit */
};

/* --- building -------------------------------------------------------------- */

/* Adds a value to the tree. */
static struct json *json_append(struct build *b, enum json_type type)
{
	struct node *node = arena_alloc(b->arena, sizeof *node);
	struct json *value = &node->json;

	value->type = type;
	b->count++;
	if (b->depth == 0) {
		b->root = value;
		return value;
	}
	struct level *level = &b->levels[b->depth - 1];
	if (level->holder->type == JSON_OBJECT) {
		value->key = b->key;
		value->key_len = b->key_len;
		value->has_nul = memchr(b->key, '\0', b->key_len) != NULL;
		node->key_end = b->key_end;
	}
	if (level->last)
		level->last->next = value;
	else
		level->holder->first = value;
	level->last = value;
	level->holder->count++;
	return value;
}

static int on_null(void *context)
{
	json_append(context, JSON_NULL);
	return 1;
}

static int on_boolean(void *context, int truth)
{
	json_append(context, JSON_BOOL)->truth = truth != 0;
	return 1;
}

static int on_number(void *context, const char *text, size_t len)
{
	struct build *b = context;
	struct json *value = json_append(b, JSON_NUMBER);

	value->text = arena_dup(b->arena, text, len);
	value->len = len;
	return 1;
}

static int on_string(void *context, const unsigned char *text, size_t len)
{
	struct build *b = context;
	struct json *value = json_append(b, JSON_STRING);

	value->text = arena_dup(b->arena, (const char *)text, len);
	value->len = len;
	if (memchr(value->text, '\0', len))
		value->has_nul = true;
	return 1;
}

static int on_key(void *context, const unsigned char *text, size_t len)
{
	struct build *b = context;

	b->key = arena_dup(b->arena, (const char *)text, len);
	b->key_len = len;
	b->key_end = b->read + yajl_get_bytes_consumed(b->yajl);
	return 1;
}

static int json_open(struct build *b, enum json_type type)
{
	struct json *holder = json_append(b, type);

	b->levels[b->depth++] = (struct level){.holder = holder};
	return 1;
}

static int on_start_map(void *context)
{
	return json_open(context, JSON_OBJECT);
}

static int on_start_array(void *context)
{
	return json_open(context, JSON_ARRAY);
}

static int on_end_array(void *context)
{
	((struct build *)context)->depth--;
	return 1;
}

/* --- repeated keys ---------------------------------------------------------- */

/* Compares each pair; for objects of the usual size. Returns the first duplicate in the text, as the next function
 * does. */
static const struct json *repeat_in_few(const struct json *object)
{
	for (const struct json *member = object->first; member; member = member->next)
		for (const struct json *before = object->first; before != member; before = before->next)
			if (before->key_len == member->key_len &&
			    memcmp(before->key, member->key, member->key_len) == 0)
				return member;
	return NULL;
}

static const struct json *repeat_in_many(const struct json *object)
{
	const struct json *member = object->first;
	struct arena scratch;
	struct table keys;

	arena_init(&scratch);
	table_init(&keys, &scratch, object->count);
	while (member && table_add(&keys, member->key, member->key_len))
		member = member->next;
	arena_free(&scratch);
	return member;
}

static int on_end_map(void *context)
{
	enum { FEW = 16 };
	struct build *b = context;
	const struct json *object = b->levels[--b->depth].holder;
	if (object->count > b->members_max) {
		b->too_much = "an object has more members than";
		b->most = b->members_max;
		return 0;
	}
	const struct json *found = object->count <= FEW ? repeat_in_few(object) : repeat_in_many(object);
	b->repeated = (const struct node *)(const void *)found;
	return found == NULL;
}

/* Returns the offset of the opening quote of the string that ends before end. Quotes inside a string follow a
 * backslash; the opening quote never does. */
static size_t opening_quote(const char *text, size_t end)
{
	size_t at = end - 2;

	while (at > 0 && (text[at] != '"' || text[at - 1] == '\\'))
		at--;
	return at;
}

/* --- reading ----------------------------------------------------------------- */

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_start_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end_map,
    .yajl_start_array = on_start_array,
    .yajl_end_array = on_end_array,
};

static void *yajl_take(void *context, size_t size)
{
	(void)context;
	return mem_alloc(size);
}

static void *yajl_resize(void *context, void *old, size_t size)
{
	(void)context;
	return mem_realloc(old, size);
}

static void yajl_give(void *context, void *memory)
{
	(void)context;
	free(memory);
}

struct json_reader {
	/* This check runs ahead of yajl. It ends each piece at the end of a value or name, because yajl would rescan
	 * the beginning of a split value with each further piece. */
	struct json_check check;
	struct build build;
	yajl_status status;
};

static void json_reader_begin(struct json_reader *rd, struct arena *a, const char *text, size_t len)
{
	static yajl_alloc_funcs memory = {.malloc = yajl_take, .realloc = yajl_resize, .free = yajl_give};

	memset(rd, 0, sizeof *rd);
	json_check_begin(&rd->check, text, len);
	rd->build.arena = a;
	rd->build.values_max = rd->build.members_max = SIZE_MAX;
	rd->build.yajl = yajl_alloc(&callbacks, &memory, &rd->build);
	yajl_config(rd->build.yajl, yajl_dont_validate_strings, 1);
}

bool json_reader_some(struct json_reader *rd, size_t bytes)
{
	struct build *b = &rd->build;
	bool checked = json_check_some(&rd->check, bytes);

	if (rd->check.problem)
		return true;
	size_t n = rd->check.at - b->read;
	rd->status = yajl_parse(b->yajl, (const unsigned char *)rd->check.text + b->read, n);
	if (rd->status != yajl_status_ok)
		return true;
	if (b->count > b->values_max) {
		b->too_much = "there are more values than";
		b->most = b->values_max;
		return true;
	}
	b->read += n;
	if (checked)
		rd->status = yajl_complete_parse(b->yajl);
	return checked;
}

static struct json *json_refuse(struct arena *a, const char **error, const char *problem, size_t offset)
{
	*error = arena_printf(a, "at byte %zu: %s", offset, problem);
	return NULL;
}

struct json *json_reader_result(struct json_reader *rd, const char **error, bool *too_much)
{
	const struct build *b = &rd->build;

	*too_much = b->too_much || rd->check.too_long;
	if (rd->check.too_long) {
		*error = arena_printf(b->arena, "a string or number has more bytes than %zu", rd->check.token_max);
		return NULL;
	}
	if (rd->check.problem)
		return json_refuse(b->arena, error, rd->check.problem, rd->check.at);
	if (b->too_much) {
		*error = arena_printf(b->arena, "%s %zu", b->too_much, b->most);
		return NULL;
	}
	if (b->repeated)
		return json_refuse(
		    b->arena, error, "a duplicate key", opening_quote(rd->check.text, b->repeated->key_end));
	if (rd->status != yajl_status_ok || !b->root)
		return json_refuse(b->arena, error, "not understood", b->read);
	return b->root;
}

struct json_reader *json_reader_new(struct arena *a, const char *text, size_t len)
{
	struct json_reader *rd = mem_alloc(sizeof *rd);

	json_reader_begin(rd, a, text, len);
	rd->build.values_max = JSON_VALUES_MAX;
	rd->build.members_max = JSON_MEMBERS_MAX;
	rd->check.token_max = JSON_TOKEN_MAX;
	return rd;
}

void json_reader_free(struct json_reader *rd)
{
	if (rd)
		yajl_free(rd->build.yajl);
	free(rd);
}

struct json *json_read(struct arena *a, const char *text, size_t len, const char **error)
{
	struct json_reader rd;
	struct json *result;
	bool too_much;

	json_reader_begin(&rd, a, text, len);
	json_reader_some(&rd, len);
	result = json_reader_result(&rd, error, &too_much);
	yajl_free(rd.build.yajl);
	return result;
}

/* --- access ------------------------------------------------------------------- */

struct json *json_member(const struct json *object, const char *key)
{
	if (!object || object->type != JSON_OBJECT)
		return NULL;
	size_t len = strlen(key);
	for (struct json *member = object->first; member; member = member->next)
		if (member->key_len == len && memcmp(member->key, key, len) == 0)
			return member;
	return NULL;
}

struct json *json_typed(const struct json *object, const char *key, enum json_type type)
{
	struct json *member = json_member(object, key);

	return member && member->type == type ? member : NULL;
}

const char *json_text(const struct json *object, const char *key)
{
	const struct json *member = json_typed(object, key, JSON_STRING);

	return member ? member->text : "";
}

int64_t json_number(const struct json *object, const char *key, int64_t otherwise)
{
	const struct json *member = json_typed(object, key, JSON_NUMBER);
	uint64_t number;

	if (!member || !text_uint(member->text, member->len, &number) || number > INT64_MAX)
		return otherwise;
	return (int64_t)number;
}

bool json_true(const struct json *object, const char *key)
{
	const struct json *member = json_typed(object, key, JSON_BOOL);

	return member && member->truth;
}

void json_remove(struct json *object, const char *key)
{
	struct json *member = json_member(object, key), **at = &object->first;

	if (!member)
		return;
	while (*at != member)
		at = &(*at)->next;
	*at = member->next;
	object->count--;
}

const char *json_type_name(const struct json *value)
{
	static const char *const names[] = {
	    [JSON_NULL] = "null",
	    [JSON_BOOL] = "boolean",
	    [JSON_NUMBER] = "number",
	    [JSON_STRING] = "string",
	    [JSON_ARRAY] = "array",
	    [JSON_OBJECT] = "object",
	};

	return value ? names[value->type] : "undefined";
}
