/* Functions that the readers of values share (body_value.c). */
#include "server/input/body.h"

#include <string.h>

#include "server/base/text.h"

enum { ID_CHARACTERS = ID_LEN };

/* prefix: that of the expected ids; NULL: any. */
static bool body_id_of(struct reading *rd, const char *prefix, const struct json *value, const struct path *at)
{
	size_t len;

	if (!value || value->type != JSON_STRING) {
		if (value)
			issue_type(rd->shape, at, "string", value);
		else
			issue_required(rd->shape, at, "string");
		return false;
	}
	len = text_code_points(value->text, value->len);
	if (len != ID_CHARACTERS) {
		issue_id(rd->shape, at, len > ID_CHARACTERS, prefix);
		return false;
	}
	return true;
}

bool body_id_text(struct reading *rd, const struct json *value, const struct path *at)
{
	return body_id_of(rd, NULL, value, at);
}

bool body_id(struct reading *rd, enum id_kind kind, const struct json *value, const struct path *at, struct uuid *out)
{
	memset(out, 0, sizeof *out);
	if (!body_id_of(rd, id_prefix(kind), value, at))
		return false;
	if (!id_parse(kind, value->text, value->len, out))
		memset(out, 0, sizeof *out);
	return true;
}

bool body_array(struct reading *rd, const struct json *value, int max, const struct path *at)
{
	if (value->type == JSON_ARRAY && value->count <= (size_t)max)
		return true;
	if (value->type != JSON_ARRAY)
		issue_type(rd->shape, at, "array", value);
	else
		issue_range(rd->shape, at, true, max, "array", false);
	return false;
}

bool body_object(struct reading *rd, const struct json *value, const struct path *at)
{
	if (value->type == JSON_OBJECT)
		return true;
	issue_type(rd->shape, at, "object", value);
	return false;
}

void body_refuse(struct reading *rd, const struct path *at, const char *text)
{
	if (rd->references) {
		issue_custom(rd->references, at, "%s", text);
		return;
	}
	while (at->up->up->up) /* the member of the record is below "records" and its index */
		at = at->up;
	if (!rd->input->refused)
		rd->input->refused = arena_printf(rd->arena, "%.*s: %s", (int)at->len, at->name, text);
}

const char *const reference_named[] = {"id", "name", NULL};
const char *const reference_person[] = {"id", "fullName", NULL};
const char *const reference_user[] = {"id", "fullName", "email", NULL};
const char *const reference_entity[] = {"id", "fullName", "entityType", NULL};
const char *const reference_any[] = {"id", "fullName", "entityType", "email", NULL};
const char *const reference_by_email[] = {"id", "email", NULL};

static bool among_names(const char *const *names, const struct json *member)
{
	for (; *names; names++)
		if (strcmp(member->key, *names) == 0 && strlen(member->key) == member->key_len)
			return true;
	return false;
}

void body_unknown(struct issues *is, const struct json *object, const char *const *names, const struct path *at)
{
	struct issue_keys keys;

	issue_keys_begin(&keys, is, near_list, names, "known here");
	json_each_member(m, object)
		if (!among_names(names, m))
			issue_keys_add(&keys, m->key, m->key_len);
	issue_keys_end(&keys, at);
}

bool body_text(struct issues *is, const struct json *json, int min, int max, const struct path *at)
{
	size_t count;

	if (json->type != JSON_STRING) {
		issue_type(is, at, "string", json);
		return false;
	}
	if (json->has_nul && memchr(json->text, '\0', json->len)) {
		issue_string_form(is, at, "text without U+0000"); /* PostgreSQL stores every character but this one */
		return false;
	}
	count = text_code_points(json->text, json->len);
	if (count < (size_t)min || count > (size_t)max) {
		issue_range(is, at, count > (size_t)max, count > (size_t)max ? max : min, "string", false);
		return false;
	}
	return true;
}

void body_take(struct record *rec, const struct input *in)
{
	for (int i = 0; i < in->resource->n_fields; i++)
		if (in->given & FIELD_BIT(i))
			rec->values[i] = in->values[i];
}
