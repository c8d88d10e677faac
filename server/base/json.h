/* Reads JSON (RFC 8259, but stricter) and writes it. To read, our own pass validates UTF-8 by RFC 3629, depth, tokens,
 * lone surrogates and trailing bytes; then yajl builds the tree in the arena. Numbers keep the text that was sent.
 * json.c is the only file that includes yajl. */
#ifndef KITH_SERVER_BASE_JSON_H
#define KITH_SERVER_BASE_JSON_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "arena.h"
#include "buf.h"
#include "id.h"

enum { JSON_DEPTH_MAX = 32 }; /* the outermost value is depth 1 */

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum json_type type;
	bool truth;                /* JSON_BOOL */
	bool has_nul;              /* JSON_STRING: the text contains U+0000; also set when key contains it */
	const char *key;           /* the member's name when the parent is an object, else NULL; NUL terminated */
	size_t key_len;            /* bytes */
	const char *text;          /* JSON_STRING: decoded UTF-8; JSON_NUMBER: as written; NUL terminated */
	size_t len;                /* bytes of text */
	size_t count;              /* JSON_ARRAY, JSON_OBJECT: children */
	struct json *first, *next; /* children, siblings, in document order */
};

/* Parses one JSON text. Returns the tree, allocated in the arena. On failure returns NULL with a message in *error
 * (static or in the arena) that names the byte offset. It refuses bad UTF-8, a depth over JSON_DEPTH_MAX, a duplicate
 * key (compared after unescaping), a lone surrogate, and bytes after the value. */
struct json *json_read(struct arena *a, const char *text, size_t len, const char **error);

/* The same in pieces, for long texts, with limits: on values in total, members of an object, and bytes of a string or
 * number. A string or number is read in one piece; 1.25 MiB is 100,000 characters, each written as two escapes. text
 * must stay valid until json_reader_free(), which may be called at any time. */
enum { JSON_VALUES_MAX = 200 * 1000, JSON_MEMBERS_MAX = 10 * 1000, JSON_TOKEN_MAX = 1280 << 10 };
struct json_reader;
struct json_reader *json_reader_new(struct arena *a, const char *text, size_t len);
/* Parses about this many more bytes. True when finished. */
bool json_reader_some(struct json_reader *rd, size_t bytes);
/* When finished, returns the same as json_read(). *too_much tells whether a limit was exceeded. */
struct json *json_reader_result(struct json_reader *rd, const char **error, bool *too_much);
void json_reader_free(struct json_reader *rd);

/* Returns the member of an object, NULL when absent. NULL and values of another type have no members. */
struct json *json_member(const struct json *object, const char *key);
/* The same; NULL also when the member has another type. */
struct json *json_typed(const struct json *object, const char *key, enum json_type type);
/* Returns the text of a member, which ends at its first U+0000. "" when the member is not a string. */
const char *json_text(const struct json *object, const char *key);
/* Returns the number of a member; otherwise when the member is not a whole number from 0 to INT64_MAX. */
int64_t json_number(const struct json *object, const char *key, int64_t otherwise);
/* True when the member is true. */
bool json_true(const struct json *object, const char *key);

/* Visits the items of an array, or the members of an object. There are none when the value is NULL or has another type.
 */
#define json_each(item, array) for (const struct json *item = json_items(array); item; item = item->next)
#define json_each_member(member, object)                                                                               \
	for (const struct json *member = json_members(object); member; member = member->next)
/* Returns the first one; NULL: none. */
static inline const struct json *json_items(const struct json *array);
static inline const struct json *json_members(const struct json *object);

/* Removes that member of an object, if it has one. */
void json_remove(struct json *object, const char *key);

/* Makes trees that were not read (json_make.c). The text is not copied. json_attach() appends a shallow copy of the
 * value, which may be part of another tree, to holder. key NULL: holder is an array. */
struct json *json_make(struct arena *a, enum json_type type);
struct json *json_make_text(struct arena *a, const char *text, size_t len);
void json_attach(struct arena *a, struct json *holder, const char *key, const struct json *value);
/* Copies a whole tree. */
struct json *json_copy(struct arena *a, const struct json *value);

/* Returns "string", "number", "boolean", "null", "array" or "object"; "undefined" for NULL. */
const char *json_type_name(const struct json *value);

/* Writes the canonical form, for fingerprints: keys sorted by bytes, numbers as sent, one way of escaping strings, no
 * white space. NULL writes "{}". */
void json_canonical(struct buf *out, const struct json *value);
/* The same in pieces of about this many bytes, up to JSON_DEPTH_MAX levels. json_canonical_some() is true when
 * finished. json_canonical_free() releases the state of an unfinished one. */
struct json_canonical;
void json_canonical_begin(struct json_canonical *c, struct buf *out, const struct json *value);
bool json_canonical_some(struct json_canonical *c, size_t bytes);
void json_canonical_free(struct json_canonical *c);

/* --- writing (json_write.c) ------------------------------------------------- */

/* The writer inserts commas and colons; the caller balances begin and end. */
struct json_out {
	struct buf *buf;
	uint64_t has_item; /* one bit per level: the level has an item already */
	unsigned depth;
	bool after_key;
};

struct json_canonical {
	struct json_out out;
	unsigned depth; /* open objects and arrays */
	struct json_canonical_level {
		const struct json *next;    /* next item, in an array */
		const struct json **sorted; /* members, in an object; NULL: an array */
		size_t at, count;
	} levels[JSON_DEPTH_MAX];
};

void json_out_init(struct json_out *o, struct buf *buf);
static inline void json_begin_object(struct json_out *o);
static inline void json_end_object(struct json_out *o);
static inline void json_begin_array(struct json_out *o);
static inline void json_end_array(struct json_out *o);
static inline void json_key(struct json_out *o, const char *key);
void json_key_len(struct json_out *o, const char *key, size_t len);
static inline void json_key_raw(struct json_out *o, const char *key, size_t len); /* quoted, with its colon */
/* The same for a key that is a literal and needs no escape. */
#define json_key_literal(o, key) json_key_raw(o, "\"" key "\":", sizeof("\"" key "\":") - 1)
void json_string(struct json_out *o, const char *text); /* NULL writes null */
void json_string_len(struct json_out *o, const char *text, size_t len);
static inline void json_plain(struct json_out *o, const char *text, size_t len); /* a string that needs no escape */
void json_int(struct json_out *o, int64_t value);
void json_id(struct json_out *o, enum id_kind kind, const struct uuid *id);
/* A key with its value. */
void json_add_string(struct json_out *o, const char *key, const char *text);
void json_add_int(struct json_out *o, const char *key, int64_t value);
void json_add_bool(struct json_out *o, const char *key, bool value);
void json_add_id(struct json_out *o, const char *key, enum id_kind kind, const struct uuid *id);
static inline void json_bool(struct json_out *o, bool value);
static inline void json_null(struct json_out *o);
static inline void json_raw(struct json_out *o, const char *text, size_t len); /* one complete JSON value, unchanged */
void json_value(struct json_out *o, const struct json *value);                 /* a tree that was read */

/* --- inline: children ------------------------------------------------------------- */

static inline const struct json *json_items(const struct json *array)
{
	return array && array->type == JSON_ARRAY ? array->first : NULL;
}

static inline const struct json *json_members(const struct json *object)
{
	return object && object->type == JSON_OBJECT ? object->first : NULL;
}

/* --- inline: every answer is made of these --------------------------------------- */

/* True when a comma is due before the next value. Marks the level as not empty. */
static inline bool json_comma(struct json_out *o)
{
	uint64_t bit = UINT64_C(1) << (o->depth & 63);
	bool comma = (o->has_item & bit) && o->depth > 0 && !o->after_key;

	o->has_item |= o->after_key ? 0 : bit;
	o->after_key = false;
	return comma;
}

static inline void json_raw(struct json_out *o, const char *text, size_t len)
{
	bool comma = json_comma(o);
	char *p = buf_room(o->buf, len + comma);

	if (!p)
		return;
	*p = ','; /* overwritten by the text when no comma is needed */
	memcpy(p + comma, text, len);
	o->buf->len += len + comma;
}

static inline void json_begin(struct json_out *o, const char *bracket)
{
	json_raw(o, bracket, 1);
	o->depth++;
	assert(o->depth < 64);
	o->has_item &= ~(UINT64_C(1) << (o->depth & 63));
}

static inline void json_end(struct json_out *o, char bracket)
{
	assert(o->depth > 0 && !o->after_key);
	o->depth--;
	buf_addc(o->buf, bracket);
}

static inline void json_begin_object(struct json_out *o)
{
	json_begin(o, "{");
}

static inline void json_end_object(struct json_out *o)
{
	json_end(o, '}');
}

static inline void json_begin_array(struct json_out *o)
{
	json_begin(o, "[");
}

static inline void json_end_array(struct json_out *o)
{
	json_end(o, ']');
}

static inline void json_key(struct json_out *o, const char *key)
{
	json_key_len(o, key, strlen(key));
}

static inline void json_key_raw(struct json_out *o, const char *key, size_t len)
{
	json_raw(o, key, len);
	o->after_key = true;
}

static inline void json_plain(struct json_out *o, const char *text, size_t len)
{
	bool comma = json_comma(o);
	char *p = buf_room(o->buf, len + 2 + comma);

	if (!p)
		return;
	*p = ','; /* overwritten by the text when no comma is needed */
	p += comma;
	*p++ = '"';
	memcpy(p, text, len);
	p[len] = '"';
	o->buf->len += len + 2 + comma;
}

static inline void json_bool(struct json_out *o, bool value)
{
	json_raw(o, value ? "true" : "false", value ? 4 : 5);
}

static inline void json_null(struct json_out *o)
{
	json_raw(o, "null", 4);
}

#endif
