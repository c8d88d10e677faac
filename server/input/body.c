/* Reads bodies by the field table: the walk over an object, and the readers of
 * lists and references; those of single values are in value.c. */
#include "server/input/body.h"

#include <string.h>

#include "server/base/text.h"
#include "server/input/value.h"
#include "server/input/custom.h"
#include "server/input/definition_shape.h"
#include "server/input/subscription.h"
#include "store/entity_kind.h"

enum { ID_CHARACTERS = ID_LEN, EMAIL_MAX = 254 };

/* A string as long as an id, else an issue and false. */
static bool id_text(struct reading *rd, const struct json *value, const struct path *at)
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
	if (!id_text(rd, value, at))
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

static bool holds_text(const struct value *v, const char *text, size_t len)
{
	for (size_t i = 0; i < v->n_items; i++)
		if (v->lens[i] == len && memcmp(v->items[i], text, len) == 0)
			return true;
	return false;
}

static void read_texts(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	size_t index = 0;

	if (!body_array(rd, json, f->max, at))
		return;
	v->items = arena_alloc(rd->arena, json->count * sizeof *v->items);
	v->lens = arena_alloc(rd->arena, json->count * sizeof *v->lens);
	for (const struct json *item = json->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (!body_text(rd->shape, item, 1, f->item_max, &here) || holds_text(v, item->text, item->len))
			continue;
		v->items[v->n_items] = item->text;
		v->lens[v->n_items++] = item->len;
	}
}

static bool holds_id(const struct value *v, const struct uuid *id)
{
	for (size_t i = 0; i < v->n_ids; i++)
		if (uuid_equal(&v->ids[i], id))
			return true;
	return false;
}

static void read_groups(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	size_t index = 0;

	if (!body_array(rd, json, f->max, at))
		return;
	v->ids = arena_alloc(rd->arena, json->count * sizeof *v->ids);
	for (const struct json *item = json->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index), id_path = PATH_NAME(&here, "id");
		struct uuid id;
		if (!body_object(rd, item, &here))
			continue;
		if (body_id(rd, ID_GROUP, json_member(item, "id"), &id_path, &id)) {
			if (rd->references && !visible_group(rd->ws, &id, rd->viewer))
				issue_custom(rd->references, &id_path, "Group not found");
			else if (!holds_id(v, &id))
				v->ids[v->n_ids++] = id;
		}
		body_unknown(rd->shape, item, reference_named, &here);
	}
}

static void add_ref(struct contact_refs *list, const struct contact_ref *ref)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct contact_ref *old = &list->items[i];
		if (ref->name ? old->name && old->len == ref->len && memcmp(old->name, ref->name, ref->len) == 0
		              : !old->name && strcmp(old->asked, ref->asked) == 0)
			return;
	}
	list->items[list->count++] = *ref;
}

/* By id, a person's company also by name (item_max). */
static void read_ref(struct reading *rd, const struct field *f, const struct json *item, size_t index,
    const struct path *here, struct contact_refs *list)
{
	const struct json *id = json_member(item, "id"), *name = id || !f->item_max ? NULL : json_member(item, "name");
	struct path id_path = PATH_NAME(here, "id"), name_path = PATH_NAME(here, "name");
	struct contact_ref ref = {.index = index};
	bool good;

	if (name) {
		good = body_text(rd->shape, name, 1, f->item_max, &name_path);
		ref.name = name->text;
		ref.len = name->len;
	} else {
		good = body_id(rd, f->type == FIELD_PEOPLE ? ID_PERSON : ID_COMPANY, id, &id_path, &ref.id);
		ref.asked = id ? id->text : NULL;
	}
	body_unknown(rd->shape, item, f->type == FIELD_PEOPLE ? reference_person : reference_named, here);
	if (good)
		add_ref(list, &ref);
}

static void read_refs(struct reading *rd, const struct field *f, const struct json *json, const struct path *at,
    struct contact_refs *list)
{
	size_t index = 0;

	list->count = 0;
	if (!body_array(rd, json, f->max, at))
		return;
	list->items = arena_alloc(rd->arena, json->count * sizeof *list->items);
	for (const struct json *item = json->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (body_object(rd, item, &here))
			read_ref(rd, f, item, index, &here, list);
	}
}

/* Whether it exists is for the resource's steps to find out (server/resource/entity.h). */
static void read_entity(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	struct path id_path = PATH_NAME(at, "id");
	const struct json *id;
	enum id_kind kind;
	bool accepted;

	if (!body_object(rd, json, at))
		return;
	id = json_member(json, "id");
	if (id_text(rd, id, &id_path)) {
		v->kind = id_parse_any(id->text, id->len, &kind, &v->entity) ? entity_kind_of(kind) : NULL;
		accepted = v->kind && !f->choices;
		for (int i = 0; v->kind && f->choices && f->choices[i]; i++)
			accepted |= strcmp(f->choices[i], v->kind->type) == 0;
		if (!accepted)
			issue_custom(rd->references, &id_path, "Entity not found");
	}
	body_unknown(rd->shape, json, reference_entity, at);
}

static void read_parent(
    struct reading *rd, enum id_kind kind, const struct json *json, const struct path *at, struct value *v)
{
	static const char *const members[] = {
	    "id", "entity", "content", "visibility", "author", "createdAt", "deleted", NULL};
	struct path id_path = PATH_NAME(at, "id");

	if (!body_object(rd, json, at))
		return;
	body_id(rd, kind, json_member(json, "id"), &id_path, &v->parent);
	body_unknown(rd->shape, json, members, at);
}

/* One user by id or by e-mail address. */
static const struct user *read_user(struct reading *rd, const struct json *item, const struct path *here)
{
	const struct json *id = json_member(item, "id"), *email = id ? NULL : json_member(item, "email");
	struct path id_path = PATH_NAME(here, "id"), email_path = PATH_NAME(here, "email");
	const struct path *at = email ? &email_path : &id_path;
	const struct user *u = NULL;
	struct uuid uuid;
	bool good;

	if (email) {
		good = body_text(rd->shape, email, 1, EMAIL_MAX, &email_path);
		u = good ? workspace_user_by_email(rd->ws, email->text, email->len) : NULL;
	} else {
		good = body_id(rd, ID_USER, id, &id_path, &uuid);
		u = good ? workspace_user(rd->ws, &uuid) : NULL;
	}
	if (good && !u)
		issue_custom(rd->references, at, "User not found");
	body_unknown(rd->shape, item, id ? reference_user : reference_by_email, here);
	return u;
}

static void read_users(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	size_t index = 0;

	if (!body_array(rd, json, f->max, at))
		return;
	v->ids = arena_alloc(rd->arena, json->count * sizeof *v->ids);
	for (const struct json *item = json->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		const struct user *u = body_object(rd, item, &here) ? read_user(rd, item, &here) : NULL;
		if (u && !holds_id(v, &u->id))
			v->ids[v->n_ids++] = u->id;
	}
}

static void read_field(struct reading *rd, struct input *in, int index, const struct json *json, const struct path *at)
{
	const struct field *f = &in->resource->fields[index];
	struct value *v = &in->values[index];

	in->given |= FIELD_BIT(index);
	in->json[index] = json;
	if (json->type == JSON_NULL && (f->flags & FIELD_NULLABLE)) {
		v->null = f->type != FIELD_TEXT || (f->flags & FIELD_NULL_EMPTY);
		v->text = "";
		return;
	}
	switch (f->type) {
	case FIELD_TEXTS:
		read_texts(rd, f, json, at, v);
		break;
	case FIELD_GROUPS:
		read_groups(rd, f, json, at, v);
		break;
	case FIELD_COMPANIES:
		read_refs(rd, f, json, at, &in->companies);
		break;
	case FIELD_PEOPLE:
		read_refs(rd, f, json, at, &in->people);
		break;
	case FIELD_USERS:
		read_users(rd, f, json, at, v);
		break;
	case FIELD_PARENT:
		read_parent(rd, in->resource->id_kind, json, at, v);
		break;
	case FIELD_ENTITY:
		read_entity(rd, f, json, at, v);
		break;
	case FIELD_USER_ID:
		body_id(rd, ID_USER, json, at, &v->id);
		break;
	case FIELD_URL:
		webhook_url_read(rd, f, json, at, v);
		break;
	case FIELD_EVENTS:
		webhook_events_read(rd, f, json, at, v);
		break;
	case FIELD_DEFINITION:
		definition_shape(rd, index, json, at);
		break;
	case FIELD_CUSTOM:
		if (custom_check(rd, in->resource->id_kind == ID_OBJECT ? 1 : 2, json, at))
			in->custom = json;
		break;
	default:
		body_value(rd->shape, f, json, at, v, rd->arena);
		break;
	}
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
		issue_required(rd->shape, &here, body_expected(f));
	}
}

struct input *body_read(struct reading *rd, const struct resource *res, unsigned accepted, bool with_id,
    const struct json *body, const struct path *at)
{
	struct input *in = arena_alloc(rd->arena, sizeof *in);
	struct path id_path = PATH_NAME(at, "id");
	struct issue_keys unknown;

	in->resource = res;
	if (body && !body_object(rd, body, at))
		return in;
	issue_keys_begin(&unknown, rd->shape);
	for (const struct json *m = body ? body->first : NULL; m; m = m->next) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		int index = field_find(res, m->key, m->key_len);
		if (with_id && strcmp(m->key, "id") == 0)
			body_id(rd, res->id_kind, m, &here, &in->id);
		else if (index >= 0 && (res->fields[index].flags & accepted))
			read_field(rd, in, index, m, &here);
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
