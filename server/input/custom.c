/* Custom values in bodies: shape, merging, reading by type. */
#include "server/input/custom.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/table.h"
#include "server/base/text.h"

enum { TEXT_MAX = 5000, ITEMS_MAX = 1000, ITEM_MAX = 500, EMAIL_MAX = 254 };

/* --- the shape of any value -------------------------------------------------------- */

/* {id}, with other members as read, or {email}; which of them is right depends on the field's type. */
static void item_shape(struct reading *rd, const struct json *item, const struct path *at)
{
	const struct json *id = json_member(item, "id"), *email = json_member(item, "email");
	struct path id_path = PATH_NAME(at, "id"), email_path = PATH_NAME(at, "email");
	struct uuid unused;

	if (email && !id)
		body_text(rd->shape, email, 1, EMAIL_MAX, &email_path);
	else
		body_id(rd, ID_PERSON, id, &id_path, &unused);
	body_unknown(rd->shape, item, id ? reference_any : reference_by_email, at);
}

static void value_shape(struct reading *rd, const struct json *value, const struct path *at)
{
	size_t index = 0;

	switch (value->type) {
	case JSON_NULL:
	case JSON_NUMBER:
		return;
	case JSON_STRING:
		body_text(rd->shape, value, 0, TEXT_MAX, at);
		return;
	case JSON_BOOL:
	case JSON_OBJECT:
		issue_type(rd->shape, at, "string", value);
		return;
	case JSON_ARRAY:
		break;
	}
	if (!body_array(rd, value, ITEMS_MAX, at))
		return;
	for (const struct json *item = value->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (item->type == JSON_STRING)
			body_text(rd->shape, item, 0, ITEM_MAX, &here);
		else if (body_object(rd, item, &here))
			item_shape(rd, item, &here);
	}
}

/* --- merging ------------------------------------------------------------------------- */

/* A member of the result, and its occurrences in the bodies. */
struct merged {
	struct json *member;
	const struct json **values;
	size_t count;
};

static struct merged *merged_new(struct arena *a, struct json *out, const struct json *member)
{
	struct merged *found = arena_alloc(a, sizeof *found);

	found->member = arena_alloc(a, sizeof *found->member);
	*found->member = *member;
	found->member->next = out->first;
	out->first = found->member;
	out->count++;
	return found;
}

/* Replaces the member's value; its key and position stay. */
static void member_become(struct json *member, const struct json *value)
{
	struct json *next = member->next;

	*member = *value;
	member->next = next;
}

/* Runs in linear time: a batch may give thousands of values to one record a hundred times. */
const struct json *custom_merge(struct arena *a, int levels, const struct json *const *values, size_t n)
{
	struct json *out;
	struct table members;
	size_t total = 0;

	if (n == 1)
		return values[0];
	for (size_t i = 0; i < n; i++)
		total += values[i]->count;
	out = arena_alloc(a, sizeof *out);
	*out = *values[0];
	out->first = NULL;
	out->count = 0;
	table_init(&members, a, total);
	for (size_t i = 0; i < n; i++)
		for (const struct json *member = values[i]->first; member; member = member->next) {
			struct table_row *row = table_row(&members, member->key, member->key_len);
			struct merged *m = row->value ? row->value : merged_new(a, out, member);
			row->value = m;
			if (levels > 1 && !m->values)
				m->values = arena_alloc(a, n * sizeof(struct json *));
			if (levels > 1)
				m->values[m->count++] = member;
			else
				member_become(m->member, member);
		}
	for (size_t i = 0; levels > 1 && i < members.count; i++) {
		struct merged *m = members.rows[i].value;
		member_become(m->member, custom_merge(a, levels - 1, m->values, m->count));
	}
	return out;
}

/* --- values by type -------------------------------------------------------------------- */

struct custom_reader {
	struct arena *arena;
	const struct custom_scope *scope;
	struct issues *issues;
	struct custom_changes *out;
};

static bool is_empty(const struct json *value)
{
	return value->type == JSON_NULL || (value->type == JSON_STRING && value->len == 0) ||
	       (value->type == JSON_ARRAY && value->count == 0);
}

static void custom_wrong_type(const struct custom_reader *rd, const struct path *at, const char *expected)
{
	issue_custom(rd->issues, at, "Expected %s", expected);
}

static void change_take_text(struct custom_change *c, const char *text, size_t len)
{
	c->text = text;
	c->len = len;
}

static void custom_read_number(
    struct custom_reader *rd, const struct json *value, const struct path *at, struct custom_change *c)
{
	char *text = NULL;

	if (value->type == JSON_NUMBER || value->type == JSON_STRING)
		text = text_decimal(rd->arena, value->text, value->len);
	if (text)
		change_take_text(c, text, strlen(text));
	else
		custom_wrong_type(rd, at, "a number or a numeric string");
}

static void custom_read_date(
    struct custom_reader *rd, const struct json *value, const struct path *at, struct custom_change *c)
{
	int32_t days;

	if (value->type == JSON_STRING && date_parse(value->text, value->len, &days))
		change_take_text(c, value->text, value->len);
	else
		custom_wrong_type(rd, at, "a date such as 2026-01-31");
}

/* Appends a reference; c->refs has room. seen: the references so far, by id; NULL: duplicates are impossible. */
static void change_add_ref(struct custom_change *c, const struct custom_ref *ref, struct table *seen)
{
	c->refs[c->n_refs] = *ref;
	if (ref->unknown || !seen || table_add(seen, &c->refs[c->n_refs].id, sizeof ref->id))
		c->n_refs++;
}

static void custom_read_option(struct custom_reader *rd, const struct json *label, const struct path *at,
    struct custom_change *c, size_t index, struct table *seen)
{
	const struct custom_option *o;

	if (label->type != JSON_STRING) {
		custom_wrong_type(rd, at, "the label of an option");
		return;
	}
	o = field_option(c->field, label->text, label->len);
	if (o)
		change_add_ref(c, &(struct custom_ref){.id = o->id, .asked = o->label, .index = index}, seen);
	else
		issue_custom(rd->issues, at, "Unknown option");
}

/* A user who does not exist, or an id of another kind, is ignored with a warning. */
static void read_item(struct custom_reader *rd, const struct json *item, const struct path *at, struct custom_change *c,
    size_t index, struct table *seen)
{
	const struct json *id = item->type == JSON_OBJECT ? json_member(item, "id") : NULL;
	const struct json *email = item->type == JSON_OBJECT && !id ? json_member(item, "email") : NULL;
	bool user = c->field->type == CUSTOM_USER;
	struct custom_ref ref = {.index = index};
	const struct user *u = NULL;

	if (!id && !(email && user)) {
		custom_wrong_type(rd, at, user ? "an object with id or email" : "an object with id");
		return;
	}
	if (id)
		body_unknown(rd->issues, item, user ? reference_user : reference_entity, at);
	ref.asked = id ? id->text : email->text;
	if (user) {
		if (id && id_parse(ID_USER, id->text, id->len, &ref.id))
			u = workspace_user(rd->scope->ws, &ref.id);
		else if (email)
			u = workspace_user_by_email(rd->scope->ws, email->text, email->len);
		ref.kind = ID_USER;
		ref.unknown = u == NULL;
		if (u)
			ref.id = u->id;
	} else if (!id_parse_any(id->text, id->len, &ref.kind, &ref.id)) {
		ref.unknown = true;
	} else if (c->field->type == CUSTOM_CONTACT) {
		ref.unknown = ref.kind != ID_PERSON && ref.kind != ID_COMPANY;
	} else {
		ref.unknown = ref.kind != ID_OBJECT;
	}
	change_add_ref(c, &ref, seen);
}

static void custom_read_list(
    struct custom_reader *rd, const struct json *value, const struct path *at, struct custom_change *c)
{
	bool options = c->field->type == CUSTOM_MULTIPLE;
	struct arena scratch;
	struct table seen;
	size_t index = 0;

	if (value->type != JSON_ARRAY) {
		custom_wrong_type(rd, at, options ? "an array of option labels" : "an array");
		return;
	}
	c->refs = arena_alloc(rd->arena, value->count * sizeof *c->refs);
	arena_init(&scratch);
	table_init(&seen, &scratch, value->count);
	for (const struct json *item = value->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (options)
			custom_read_option(rd, item, &here, c, index, &seen);
		else
			read_item(rd, item, &here, c, index, &seen);
	}
	arena_free(&scratch);
}

static void custom_read_value(
    struct custom_reader *rd, const struct custom_field *f, const struct json *value, const struct path *at)
{
	struct custom_change *c = &rd->out->items[rd->out->count++];

	*c = (struct custom_change){.field = f, .unset = is_empty(value)};
	if (c->unset)
		return;
	switch (f->type) {
	case CUSTOM_TEXT:
		if (value->type == JSON_STRING)
			change_take_text(c, value->text, value->len);
		else
			custom_wrong_type(rd, at, "a string");
		break;
	case CUSTOM_NUMBER:
		custom_read_number(rd, value, at, c);
		break;
	case CUSTOM_DATE:
		custom_read_date(rd, value, at, c);
		break;
	case CUSTOM_SINGLE:
		c->refs = arena_alloc(rd->arena, sizeof *c->refs);
		custom_read_option(rd, value, at, c, 0, NULL);
		break;
	default:
		custom_read_list(rd, value, at, c);
		break;
	}
}

static void custom_read_field(
    struct custom_reader *rd, const struct group *g, const struct json *m, const struct path *at)
{
	const struct custom_scope *s = rd->scope;
	const struct custom_field *f = group_field(g, s->entity, s->type ? &s->type->id : NULL, m->key, m->key_len);

	if (f)
		custom_read_value(rd, f, m, at);
	else
		issue_custom(rd->issues, at, "Unknown custom field");
}

static void custom_read_fields(
    struct custom_reader *rd, const struct group *g, const struct json *object, const struct path *at)
{
	for (const struct json *m = object->first; m; m = m->next) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		custom_read_field(rd, g, m, &here);
	}
}

static size_t custom_count_values(const struct json *value, int levels)
{
	size_t n = 0;

	if (levels == 0)
		return 1;
	for (const struct json *m = value->first; m; m = m->next)
		n += custom_count_values(m, levels - 1);
	return n;
}

void custom_read(struct arena *a, const struct custom_scope *scope, const struct json *value, const struct path *at,
    struct issues *issues, struct custom_changes *out)
{
	struct custom_reader rd = {.arena = a, .scope = scope, .issues = issues, .out = out};

	out->count = 0;
	if (!value)
		return;
	out->items =
	    arena_alloc(a, custom_count_values(value, scope->entity == ENTITY_OBJECT ? 1 : 2) * sizeof *out->items);
	if (scope->entity == ENTITY_OBJECT) {
		custom_read_fields(&rd, scope->group, value, at);
		return;
	}
	for (const struct json *m = value->first; m; m = m->next) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		struct uuid id;
		const struct group *g =
		    id_parse(ID_GROUP, m->key, m->key_len, &id) ? visible_group(scope->ws, &id, scope->viewer) : NULL;
		if (g)
			custom_read_fields(&rd, g, m, &here);
		else
			issue_custom(issues, &here, "Group not found");
	}
}

/* --- all of a body's values --------------------------------------------------------------- */

/* A value of an impossible shape is not checked by type as well: one mistake, one issue. */
static void custom_check_value(
    struct reading *rd, const struct group *g, const struct json *value, const struct path *at)
{
	struct custom_change change;
	struct custom_changes one = {.items = &change};
	struct custom_reader r = {.arena = rd->arena, .scope = rd->scope, .issues = rd->references, .out = &one};
	int before = rd->shape->count;

	value_shape(rd, value, at);
	if (rd->shape->count == before && rd->references && g)
		custom_read_field(&r, g, value, at);
}

static const struct group *custom_check_group(struct reading *rd, const struct json *member, const struct path *at)
{
	struct uuid id;
	const struct group *g = NULL;

	if (!rd->references || !rd->scope)
		return NULL;
	if (id_parse(ID_GROUP, member->key, member->key_len, &id))
		g = visible_group(rd->ws, &id, rd->viewer);
	if (!g)
		issue_custom(rd->references, at, "Group not found");
	return g;
}

static bool check_fields(
    struct reading *rd, int levels, const struct group *g, const struct json *value, const struct path *at)
{
	if (!body_object(rd, value, at))
		return false;
	if (value->count > ITEMS_MAX) {
		issue_custom(rd->shape, at, "At most %d members", ITEMS_MAX);
		return false;
	}
	for (const struct json *m = value->first; m; m = m->next) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		if (levels > 1)
			check_fields(rd, levels - 1, custom_check_group(rd, m, &here), m, &here);
		else
			custom_check_value(rd, g, m, &here);
	}
	return true;
}

bool custom_check(struct reading *rd, int levels, const struct json *value, const struct path *at)
{
	return check_fields(rd, levels, rd->scope ? rd->scope->group : NULL, value, at);
}
