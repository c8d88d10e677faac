/* Writes JSON. Strings must be valid UTF-8, which is checked when input is read. */
#include "server/base/json.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/json_check.h"
#include "server/base/digits.h"

void json_out_init(struct json_out *o, struct buf *buf)
{
	memset(o, 0, sizeof *o);
	o->buf = buf;
}

/* Writes the escape of a byte at which json_plain_run() stops, and returns its length. */
static size_t json_escape(unsigned char c, char out[6])
{
	static const char hex[] = "0123456789abcdef";
	static const char short_of[0x20] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
	char letter = c == '"' || c == '\\' ? (char)c : short_of[c & 0x1f];

	out[0] = '\\';
	if (letter) {
		out[1] = letter;
		return 2;
	}
	memcpy(out + 1, "u00", 3);
	out[4] = hex[c >> 4];
	out[5] = hex[c & 15];
	return 6;
}

/* Writes a comma if one is due, the quoted text, and tail ("" or ":"). Nearly every text has no escapes; such a text
 * takes one reservation and one copy. */
static void json_put_quoted(struct json_out *o, const char *text, size_t len, const char *tail, size_t tail_len)
{
	struct buf *buf = o->buf;
	bool comma = json_comma(o);
	size_t run = json_plain_run(text, len), before = buf->len;
	char *p = buf_room(buf, run + 2 + comma + tail_len);

	if (!p)
		return;
	if (comma)
		*p++ = ',';
	*p++ = '"';
	if (run)
		memcpy(p, text, run);
	p += run;
	if (run == len) {
		*p++ = '"';
		memcpy(p, tail, tail_len);
		buf->len = before + run + 2 + comma + tail_len;
		return;
	}
	buf->len = before + run + 1 + comma;
	for (size_t at = run; at < len; at += run) {
		char escaped[6];
		buf_add(buf, escaped, json_escape((unsigned char)text[at++], escaped));
		run = json_plain_run(text + at, len - at);
		buf_add(buf, text + at, run);
	}
	buf_addc(buf, '"');
	buf_add(buf, tail, tail_len);
}

void json_key_len(struct json_out *o, const char *key, size_t len)
{
	json_put_quoted(o, key, len, ":", 1);
	o->after_key = true;
}

void json_string(struct json_out *o, const char *text)
{
	if (text)
		json_string_len(o, text, strlen(text));
	else
		json_null(o);
}

void json_string_len(struct json_out *o, const char *text, size_t len)
{
	json_put_quoted(o, text, len, "", 0);
}

void json_int(struct json_out *o, int64_t value)
{
	char text[DIGITS_MAX + 1], *to = text;

	if (value < 0)
		*to++ = '-';
	to = digits_uint(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
	json_raw(o, text, (size_t)(to - text));
}

/* --- trees -------------------------------------------------------------------- */

/* The canonical form uses this function too, because scalars have only one form. */
static void write_scalar(struct json_out *o, const struct json *value)
{
	if (value->type == JSON_STRING)
		json_string_len(o, value->text, value->len);
	else if (value->type == JSON_NUMBER)
		json_raw(o, value->text, value->len);
	else if (value->type == JSON_BOOL)
		json_bool(o, value->truth);
	else
		json_null(o);
}

void json_value(struct json_out *o, const struct json *value)
{
	if (value->type == JSON_ARRAY) {
		json_begin_array(o);
		json_each(item, value)
			json_value(o, item);
		json_end_array(o);
	} else if (value->type == JSON_OBJECT) {
		json_begin_object(o);
		json_each_member(member, value) {
			json_key_len(o, member->key, member->key_len);
			json_value(o, member);
		}
		json_end_object(o);
	} else {
		write_scalar(o, value);
	}
}

static int compare_keys(const void *left, const void *right)
{
	const struct json *a = *(const struct json *const *)left, *b = *(const struct json *const *)right;
	size_t shorter = a->key_len < b->key_len ? a->key_len : b->key_len;
	int order = memcmp(a->key, b->key, shorter);

	if (order == 0)
		order = (a->key_len > b->key_len) - (a->key_len < b->key_len);
	return order;
}

/* Writes a scalar; begins an object or array. */
static void json_canonical_value(struct json_canonical *c, const struct json *value)
{
	struct json_canonical_level level = {.next = value->first, .count = value->count};

	if (value->type == JSON_OBJECT) {
		level.sorted = mem_alloc(value->count * sizeof(struct json *));
		json_each_member(member, value)
			level.sorted[level.at++] = member;
		level.at = 0;
		qsort(level.sorted, level.count, sizeof(struct json *), compare_keys);
		json_begin_object(&c->out);
	} else if (value->type == JSON_ARRAY) {
		json_begin_array(&c->out);
	} else {
		write_scalar(&c->out, value);
		return;
	}
	assert(c->depth < JSON_DEPTH_MAX);
	c->levels[c->depth++] = level;
}

/* Writes the next value of the innermost object or array, or ends it. */
static void json_canonical_next(struct json_canonical *c)
{
	struct json_canonical_level *level = &c->levels[c->depth - 1];
	const struct json *value;

	if (level->at == level->count) {
		if (level->sorted)
			json_end_object(&c->out);
		else
			json_end_array(&c->out);
		free(level->sorted);
		c->depth--;
		return;
	}
	value = level->sorted ? level->sorted[level->at] : level->next;
	level->at++;
	level->next = value->next;
	if (level->sorted)
		json_key_len(&c->out, value->key, value->key_len);
	json_canonical_value(c, value);
}

void json_canonical_begin(struct json_canonical *c, struct buf *out, const struct json *value)
{
	static const struct json none = {.type = JSON_OBJECT};

	json_out_init(&c->out, out);
	c->depth = 0;
	json_canonical_value(c, value ? value : &none);
}

bool json_canonical_some(struct json_canonical *c, size_t bytes)
{
	size_t begin = c->out.buf->len;

	while (c->depth > 0 && c->out.buf->len - begin < bytes)
		json_canonical_next(c);
	return c->depth == 0;
}

void json_canonical_free(struct json_canonical *c)
{
	while (c->depth > 0)
		free(c->levels[--c->depth].sorted);
}

void json_canonical(struct buf *out, const struct json *value)
{
	struct json_canonical c;

	json_canonical_begin(&c, out, value);
	json_canonical_some(&c, SIZE_MAX);
}

void json_id(struct json_out *o, enum id_kind kind, const struct uuid *id)
{
	char text[ID_SIZE];

	id_format(kind, id, text);
	json_plain(o, text, strlen(text));
}

void json_add_string(struct json_out *o, const char *key, const char *text)
{
	json_key(o, key);
	json_string(o, text);
}

void json_add_int(struct json_out *o, const char *key, int64_t value)
{
	json_key(o, key);
	json_int(o, value);
}

void json_add_bool(struct json_out *o, const char *key, bool value)
{
	json_key(o, key);
	json_bool(o, value);
}

void json_add_id(struct json_out *o, const char *key, enum id_kind kind, const struct uuid *id)
{
	json_key(o, key);
	json_id(o, kind, id);
}
