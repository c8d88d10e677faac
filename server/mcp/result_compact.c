/* Makes the answer of the API small, because a language model pays for each word: members that are empty are left out,
 * of records only the wanted fields are shown, and lists cut long texts. The cursor of a list becomes "next", the
 * arguments of the call that continues it. */
#include "server/mcp/call.h"

#include <string.h>

#include "server/base/text.h"
#include "server/request/reply.h"

enum { TEXT_LISTED = 500, TEXT_LONG = 800 }; /* bytes: what is left of a text, and when it is cut */

struct compacting {
	struct req *r;
	struct json_out o;
	const struct resource *resource; /* of the records; NULL: they are events */
	bool list;
};

/* zeros: numbers that are 0 are empty too. */
static bool is_empty(const struct json *v, bool zeros)
{
	switch (v->type) {
	case JSON_NULL:
		return true;
	case JSON_BOOL:
		return false;
	case JSON_NUMBER:
		return zeros && strcmp(v->text, "0") == 0;
	case JSON_STRING:
		return v->len == 0;
	case JSON_ARRAY:
		return !v->first;
	case JSON_OBJECT:
		json_each_member(m, v)
			if (!is_empty(m, zeros))
				return false;
		return true;
	}
	return false;
}

static void put_value(struct json_out *o, const struct json *v)
{
	if (v->type == JSON_OBJECT) {
		json_begin_object(o);
		json_each_member(m, v) {
			if (is_empty(m, false))
				continue;
			json_key_len(o, m->key, m->key_len);
			put_value(o, m);
		}
		json_end_object(o);
	} else if (v->type == JSON_ARRAY) {
		json_begin_array(o);
		json_each(item, v)
			put_value(o, item);
		json_end_array(o);
	} else {
		json_value(o, v);
	}
}

/* Data or actor of an event, without members that repeat others: the address of a record has its id, and the key has a
 * name. */
static void put_event_part(struct json_out *o, const struct json *part)
{
	json_begin_object(o);
	json_each_member(m, part) {
		if (is_empty(m, false) || strcmp(m->key, "url") == 0 || strcmp(m->key, "keyId") == 0)
			continue;
		json_key_len(o, m->key, m->key_len);
		put_value(o, m);
	}
	json_end_object(o);
}

/* --- records --------------------------------------------------------------------------------- */

/* True for the member itself, and for "companies.name" of the member companies. */
static bool field_names(const struct json *name, const struct json *member)
{
	return name->len >= member->key_len && memcmp(name->text, member->key, member->key_len) == 0 &&
	       (name->len == member->key_len || name->text[member->key_len] == '.');
}

/* The wanted fields are a list of names, or one name. */
static bool field_wanted(const struct json *fields, const struct json *member)
{
	if (fields->type == JSON_STRING)
		return field_names(fields, member);
	json_each(name, fields)
		if (field_names(name, member))
			return true;
	return false;
}

static bool is_shown(const struct compacting *c, const struct json *member)
{
	int at = c->resource ? field_find(c->resource, member->key, member->key_len) : -1;
	const struct field *f = at < 0 ? NULL : &c->resource->fields[at];
	const struct json *fields = call_of(c->r)->fields;
	bool chosen = fields && (fields->type == JSON_STRING ? fields->len : fields->count);

	if (is_empty(member, f && f->type == FIELD_METADATA) || (f && f->same_as))
		return false;
	if (f && f->unset && member->type == JSON_STRING && strcmp(member->text, f->unset) == 0)
		return false;
	if (c->list && !chosen && f && (f->type == FIELD_USER || f->type == FIELD_STAMP))
		return false; /* who made each record of a list, and when it was changed, is rarely asked */
	return !chosen || strcmp(member->key, "id") == 0 || field_wanted(fields, member);
}

static void put_cut(struct compacting *c, const struct json *text)
{
	size_t shown = text_utf8_span(text->text, TEXT_LISTED);

	json_string(&c->o, arena_printf(&c->r->arena, "%.*s… (%zu characters; get shows all)", (int)shown, text->text,
	                       text_code_points(text->text, text->len)));
}

static void put_record(struct compacting *c, const struct json *record)
{
	const struct json *fields = call_of(c->r)->fields;

	if (record->type != JSON_OBJECT) {
		json_value(&c->o, record);
		return;
	}
	json_begin_object(&c->o);
	json_each_member(m, record) {
		if (!is_shown(c, m))
			continue;
		json_key_len(&c->o, m->key, m->key_len);
		if (c->list && !fields && m->type == JSON_STRING && m->len > TEXT_LONG)
			put_cut(c, m);
		else if (!c->resource && m->type == JSON_OBJECT)
			put_event_part(&c->o, m);
		else
			put_value(&c->o, m);
	}
	json_end_object(&c->o);
}

bool result_full(const struct req *r)
{
	struct tool_call *call = call_of(r);
	const struct buf *out = &r->reply.out;
	struct compacting c = {(struct req *)r, {0}, r->route->resource, true};
	const char *item = out->data + call->measured, *error;
	struct arena arena;
	struct buf compact;

	if (call->measured && out->len > call->measured) {
		arena_init(&arena);
		buf_init(&compact, RESULT_MAX);
		json_out_init(&c.o, &compact);
		item += *item == ',';
		put_record(&c, json_read(&arena, item, (size_t)(out->data + out->len - item), &error));
		call->bytes += compact.len;
		buf_free(&compact);
		arena_free(&arena);
	} else if (out->len != call->measured) {
		call->bytes = 0; /* the first item follows */
	}
	call->measured = out->len;
	return call->bytes >= RESULT_BYTES;
}

/* --- the whole result -------------------------------------------------------------------------- */

static void put_data(struct compacting *c, const struct json *data, struct result_shown *shown)
{
	const struct json *items = json_typed(data, "items", JSON_ARRAY);

	if (!items) {
		put_record(c, data);
		return;
	}
	c->list = shown->list = true;
	shown->items = items->count;
	json_begin_object(&c->o);
	json_each_member(m, data) {
		if (m == items) {
			json_key(&c->o, "items");
			json_begin_array(&c->o);
			json_each(item, items)
				put_record(c, item);
			json_end_array(&c->o);
		} else if (!is_empty(m, false)) {
			json_key_len(&c->o, m->key, m->key_len);
			put_value(&c->o, m);
		}
	}
	json_end_object(&c->o);
}

/* The arguments of this call, with the cursor. */
static void put_next(struct compacting *c, const struct json *cursor)
{
	json_key(&c->o, "next");
	json_begin_object(&c->o);
	json_each_member(m, call_of(c->r)->arguments) {
		if (strcmp(m->key, "cursor") == 0)
			continue;
		json_key_len(&c->o, m->key, m->key_len);
		json_value(&c->o, m);
	}
	json_key(&c->o, "cursor");
	json_value(&c->o, cursor);
	json_end_object(&c->o);
}

/* A tag loses its quotes, which are escaped in JSON; update accepts it without them. */
static void put_tag(struct compacting *c)
{
	const char *tag = reply_header_get(&c->r->reply, "ETag");
	size_t len = tag ? strlen(tag) : 0;

	if (len < 2)
		return;
	json_key(&c->o, "etag");
	json_string_len(&c->o, *tag == '"' ? tag + 1 : tag, *tag == '"' ? len - 2 : len);
}

void result_compact(struct req *r, struct buf *out, struct result_shown *shown)
{
	struct compacting c = {r, {0}, r->route->resource, false};
	const char *error;
	struct json *body = json_read(&r->arena, r->reply.out.data, r->reply.out.len, &error);
	struct json *pagination = json_member(json_member(body, "data"), "pagination");
	struct json *cursor = json_typed(pagination, "nextCursor", JSON_STRING), kept = {0};

	*shown = (struct result_shown){.more = cursor};
	if (cursor) {
		kept = *cursor;
		json_remove(pagination, "nextCursor");
	}
	json_out_init(&c.o, out);
	json_begin_object(&c.o);
	json_each_member(m, body) {
		json_key_len(&c.o, m->key, m->key_len);
		if (strcmp(m->key, "data") == 0)
			put_data(&c, m, shown);
		else
			put_value(&c.o, m);
	}
	put_tag(&c);
	if (r->given.dry || (call_of(r)->tool && call_of(r)->tool->tried))
		json_add_bool(&c.o, "dryRun", r->given.dry);
	if (shown->more)
		put_next(&c, &kept);
	json_end_object(&c.o);
}
