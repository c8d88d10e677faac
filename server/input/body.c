/* Reads bodies by the field table: the walk over an object, and what the readers of values (value.c) share. */
#include "server/input/body.h"

#include <string.h>

#include "server/base/text.h"
#include "server/input/value.h"

enum { ID_CHARACTERS = ID_LEN };

bool body_id_text(struct reading *rd, const struct json *value, const struct path *at)
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
		issue_range(rd->shape, at, len > ID_CHARACTERS, ID_CHARACTERS, "string", true);
		return false;
	}
	return true;
}

bool body_id(struct reading *rd, enum id_kind kind, const struct json *value, const struct path *at, struct uuid *out)
{
	memset(out, 0, sizeof *out);
	if (!body_id_text(rd, value, at))
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

const char *const reference_named[] = {"id", "name", NULL};
const char *const reference_person[] = {"id", "fullName", NULL};
const char *const reference_user[] = {"id", "fullName", "email", NULL};
const char *const reference_entity[] = {"id", "fullName", "entityType", NULL};
const char *const reference_any[] = {"id", "fullName", "entityType", "email", NULL};
const char *const reference_by_email[] = {"id", "email", NULL};

static bool among(const char *const *names, const struct json *member)
{
	for (; *names; names++)
		if (strcmp(member->key, *names) == 0 && strlen(member->key) == member->key_len)
			return true;
	return false;
}

void body_unknown(struct issues *is, const struct json *object, const char *const *names, const struct path *at)
{
	struct issue_keys keys;

	issue_keys_begin(&keys, is);
	for (const struct json *m = object->first; m; m = m->next)
		if (!among(names, m))
			issue_keys_add(&keys, m->key, m->key_len);
	issue_keys_end(&keys, at);
}

static void read_field(struct reading *rd, int index, const struct json *json, const struct path *at)
{
	struct input *in = rd->input;
	const struct field *f = &in->resource->fields[index];
	struct value *v = &in->values[index];

	in->given |= FIELD_BIT(index);
	in->json[index] = json;
	if (json->type == JSON_NULL && (f->flags & FIELD_NULLABLE)) {
		v->null = f->type != FIELD_TEXT || (f->flags & FIELD_NULL_EMPTY);
		v->text = "";
		return;
	}
	field_readers[f->type].read(rd, f, json, at, v);
}

/* A field given under an older name is given, unless it is there under its own. */
static void older_names(struct input *in)
{
	for (int i = 0; i < in->resource->n_fields; i++) {
		const char *name = in->resource->fields[i].same_as;
		int target = name ? field_find(in->resource, name, strlen(name)) : -1;
		if (target < 0 || !(in->given & FIELD_BIT(i)) || (in->given & FIELD_BIT(target)))
			continue;
		in->values[target] = in->values[i];
		in->given |= FIELD_BIT(target);
	}
}

static void missing_fields(struct reading *rd, const struct input *in, unsigned accepted, const struct path *at)
{
	unsigned required = accepted == FIELD_IN_CREATE ? FIELD_REQUIRED : FIELD_REQUIRED_UPDATE;

	for (int i = 0; accepted && i < in->resource->n_fields; i++) {
		const struct field *f = &in->resource->fields[i];
		struct path here = PATH_NAME(at, f->name);
		if (!(f->flags & required) || (in->given & FIELD_BIT(i)))
			continue;
		issue_required(rd->shape, &here, field_readers[f->type].expected);
	}
}

struct input *body_read(struct reading *rd, const struct resource *res, unsigned accepted, bool with_id,
    const struct json *body, const struct path *at)
{
	struct input *in = arena_alloc(rd->arena, sizeof *in);
	struct path id_path = PATH_NAME(at, "id");
	struct issue_keys unknown;

	in->resource = res;
	rd->input = in;
	if (body && !body_object(rd, body, at))
		return in;
	issue_keys_begin(&unknown, rd->shape);
	for (const struct json *m = body ? body->first : NULL; m; m = m->next) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		int index = field_find(res, m->key, m->key_len);
		if (with_id && strcmp(m->key, "id") == 0)
			body_id(rd, res->id_kind, m, &here, &in->id);
		else if (index >= 0 && (res->fields[index].flags & accepted))
			read_field(rd, index, m, &here);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	older_names(in);
	if (with_id && (!body || !json_member(body, "id")))
		issue_required(rd->shape, &id_path, "string");
	missing_fields(rd, in, accepted, at);
	issue_keys_end(&unknown, at);
	return in;
}
