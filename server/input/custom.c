/* Custom values in bodies: shape, merging, reading by type. */
#include "server/input/custom.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/table.h"
#include "server/base/text.h"

enum { TEXT_MAX = 5000, MEMBERS_MAX = 1000, ITEM_MAX = 500, EMAIL_MAX = 254 };

/* --- the shape of any value -------------------------------------------------------- */

/* {id}, with other members as read, or {email}. The type of the field decides which of them is right. */
static void item_shape(struct reading *rd, const struct json *item, const struct path *at)
{
	const struct json *id = json_member(item, "id"), *email = json_member(item, "email");
	struct path id_path = PATH_NAME(at, "id"), email_path = PATH_NAME(at, "email");

	if (email && !id)
		body_text(rd->shape, email, 1, EMAIL_MAX, &email_path);
	else
		body_id_text(rd, id, &id_path);
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
	if (!body_array(rd, value, CUSTOM_ITEMS_MAX, at))
		return;
	for (const struct json *item = value->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (item->type == JSON_STRING)
			body_text(rd->shape, item, 0, ITEM_MAX, &here);
		else if (body_object(rd, item, &here))
			item_shape(rd, item, &here);
	}
}

static bool is_empty(const struct json *value)
{
	return value->type == JSON_NULL || (value->type == JSON_STRING && value->len == 0) ||
	       (value->type == JSON_ARRAY && value->count == 0);
}

/* --- merging ------------------------------------------------------------------------- */

/* A member of the result, and its occurrences in the bodies. */
struct merged {
	struct json *member, *last; /* last: the last item of a list that was joined */
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

static void merged_copy(struct arena *a, struct merged *m, const struct json *item)
{
	for (; item; item = item->next) {
		struct json *copy = arena_alloc(a, sizeof *copy);
		*copy = *item;
		copy->next = NULL;
		if (m->last)
			m->last->next = copy;
		else
			m->member->first = copy;
		m->last = copy;
		m->member->count++;
	}
}

/* Replaces the value of the member; its key and position stay. */
static void merged_become(struct json *member, const struct json *value)
{
	struct json *next = member->next;

	*member = *value;
	member->next = next;
}

/* Joins the items with those so far, in a copy. An empty value adds none. */
static void merged_append(struct arena *a, struct merged *m, const struct json *value)
{
	if (m->member->type != JSON_ARRAY || (value->type != JSON_ARRAY && !is_empty(value))) {
		merged_become(m->member, value);
		m->last = NULL;
		return;
	}
	if (!m->last) {
		const struct json *first = m->member->first;
		m->member->first = NULL;
		m->member->count = 0;
		merged_copy(a, m, first);
	}
	if (value->type == JSON_ARRAY)
		merged_copy(a, m, value->first);
}

/* Runs in linear time: a batch may give thousands of values to one record a hundred times. */
const struct json *custom_merge(struct arena *a, int levels, const struct json *const *values, size_t n, bool append)
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
			bool known = row->value != NULL;
			struct merged *m = known ? row->value : merged_new(a, out, member);
			row->value = m;
			if (levels > 1 && !m->values)
				m->values = arena_alloc(a, n * sizeof(struct json *));
			if (levels > 1)
				m->values[m->count++] = member;
			else if (append && known)
				merged_append(a, m, member);
			else
				merged_become(m->member, member);
		}
	for (size_t i = 0; levels > 1 && i < members.count; i++) {
		struct merged *m = members.rows[i].value;
		merged_become(m->member, custom_merge(a, levels - 1, m->values, m->count, append));
	}
	return out;
}

/* --- values by type -------------------------------------------------------------------- */

/* A value being read, and its position in it when it is a list. */
struct custom_reader {
	struct arena *arena;
	const struct workspace *ws;
	struct issues *issues;
	struct custom_change *change;
	struct table *seen; /* the references so far, by id; NULL: duplicates are impossible */
	size_t index;
};

static bool change_take_text(struct custom_change *c, const char *text, size_t len)
{
	c->text = text;
	c->len = len;
	return text != NULL;
}

static bool read_number(const struct custom_reader *r, const struct json *value)
{
	bool given = value->type == JSON_NUMBER || value->type == JSON_STRING;
	const char *text = given ? text_decimal(r->arena, value->text, value->len) : NULL;

	return change_take_text(r->change, text, text ? strlen(text) : 0);
}

/* Appends a reference; change->refs has room for it. */
static void change_add_ref(const struct custom_reader *r, const struct custom_ref *ref)
{
	struct custom_change *c = r->change;

	c->refs[c->n_refs] = *ref;
	if (ref->unknown || !r->seen || table_add(r->seen, &c->refs[c->n_refs].id, sizeof ref->id))
		c->n_refs++;
}

static void option_unknown(const struct custom_reader *r, const struct json *label, const struct path *at)
{
	issue_custom(r->issues, at, "Unknown option");
	issue_hint_near(r->issues, label->text, label->len, option_near, r->change->field, "options");
}

static void read_option(const struct custom_reader *r, const struct json *label, const struct path *at)
{
	const struct custom_option *o = field_option(r->change->field, label->text, label->len);

	if (o)
		change_add_ref(r, &(struct custom_ref){.id = o->id, .asked = o->label, .index = r->index});
	else
		option_unknown(r, label, at);
}

static bool field_refers(const struct custom_field *f, enum id_kind kind)
{
	if (f->type == CUSTOM_CONTACT)
		return kind == ID_PERSON || kind == ID_COMPANY;
	return kind == (f->type == CUSTOM_USER ? ID_USER : ID_OBJECT);
}

/* A user who does not exist, or an id of another kind, is unknown. */
static bool read_reference(const struct custom_reader *r, const struct json *item, const struct path *at)
{
	const struct custom_field *f = r->change->field;
	bool user = f->type == CUSTOM_USER;
	const struct json *id = json_member(item, "id"), *email = user && !id ? json_member(item, "email") : NULL;
	const struct json *given = id ? id : email;
	struct custom_ref ref = {.index = r->index, .kind = ID_USER};
	const struct user *u = NULL;

	if (!given || given->type != JSON_STRING)
		return false;
	body_unknown(r->issues, item, email ? reference_by_email : user ? reference_user : reference_entity, at);
	ref.asked = given->text;
	ref.unknown = id && (!id_parse_any(id->text, id->len, &ref.kind, &ref.id) || !field_refers(f, ref.kind));
	if (email)
		u = workspace_user_by_email(r->ws, email->text, email->len);
	else if (user && !ref.unknown)
		u = workspace_user(r->ws, &ref.id);
	if (user)
		ref.unknown = u == NULL;
	if (u)
		ref.id = u->id;
	change_add_ref(r, &ref);
	return true;
}

/* Reads a single value, or an item of a list. */
static void custom_item(const struct custom_reader *r, const struct json *item, const struct path *at)
{
	bool text = item->type == JSON_STRING, good = text;
	const char *expected = "a string";
	int32_t days;

	switch (r->change->field->type) {
	case CUSTOM_TEXT:
		change_take_text(r->change, item->text, item->len);
		break;
	case CUSTOM_NUMBER:
		expected = "a number or a numeric string";
		good = read_number(r, item);
		break;
	case CUSTOM_DATE:
		expected = "a date such as 2026-01-31";
		good = text && date_parse(item->text, item->len, &days);
		change_take_text(r->change, item->text, item->len);
		break;
	case CUSTOM_SINGLE:
	case CUSTOM_MULTIPLE:
		expected = "the label of an option";
		if (text)
			read_option(r, item, at);
		break;
	default:
		expected = r->change->field->type == CUSTOM_USER ? "an object with id or email" : "an object with id";
		good = read_reference(r, item, at);
		break;
	}
	if (good)
		return;
	issue_custom(r->issues, at, "Expected %s", expected);
	if (r->change->field->type == CUSTOM_DATE)
		issue_hint(r->issues, "YYYY-MM-DD");
}

static void read_list(struct custom_reader *r, const struct json *list, const struct path *at)
{
	struct arena scratch;
	struct table seen;

	arena_init(&scratch);
	table_init(&seen, &scratch, list->count);
	r->seen = &seen;
	for (const struct json *item = list->first; item; item = item->next, r->index++) {
		struct path here = PATH_INDEX(at, r->index);
		custom_item(r, item, &here);
	}
	arena_free(&scratch);
}

bool custom_is_list(const struct custom_field *f)
{
	return f->type == CUSTOM_MULTIPLE || f->type == CUSTOM_CONTACT || f->type == CUSTOM_USER ||
	       f->type == CUSTOM_OBJECT;
}

bool custom_read_item(struct reading *rd, const struct custom_field *f, const struct json *json, const struct path *at,
    struct custom_change *out)
{
	struct custom_reader r = {.arena = rd->arena, .ws = rd->ws, .issues = rd->references, .change = out};
	int before = rd->references->count;

	*out = (struct custom_change){.field = f, .refs = arena_alloc(rd->arena, sizeof *out->refs)};
	custom_item(&r, json, at);
	return rd->references->count == before;
}

/* --- all of a body's values --------------------------------------------------------------- */

/* Checks the shape of values, reads them, or both. */
struct values_reader {
	struct arena *arena;
	const struct custom_scope *scope; /* NULL: they are not read */
	struct reading *shape;            /* NULL: their shape was already checked */
	struct issues *issues;            /* for reading; NULL: they are not read */
	struct custom_changes *out;       /* NULL: they are only checked */
};

static void read_value(struct values_reader *v, const struct group *g, const struct json *value, const struct path *at)
{
	const struct custom_scope *s = v->scope;
	const struct custom_field *f =
	    group_field(g, s->entity, s->type ? &s->type->id : NULL, value->key, value->key_len);
	struct custom_change unused, *c = &unused;
	struct custom_reader r = {.arena = v->arena, .ws = s->ws, .issues = v->issues};

	if (!f) {
		issue_custom(v->issues, at, "Unknown custom field");
		issue_hint_near(v->issues, value->key, value->key_len, field_names_near,
		    &(struct field_names){g, s->entity, s->type ? &s->type->id : NULL}, "custom fields");
		return;
	}
	if (v->out)
		c = &v->out->items[v->out->count++];
	r.change = c;
	*c = (struct custom_change){.field = f, .unset = is_empty(value)};
	if (c->unset)
		return;
	c->refs = arena_alloc(v->arena, (value->count + 1) * sizeof *c->refs);
	if (!custom_is_list(f))
		custom_item(&r, value, at);
	else if (value->type == JSON_ARRAY)
		read_list(&r, value, at);
	else
		issue_custom(v->issues, at, "Expected %s",
		    f->type == CUSTOM_MULTIPLE ? "an array of option labels" : "an array");
}

static const struct group *find_group(struct values_reader *v, const struct json *member, const struct path *at)
{
	const struct group *g = NULL;
	struct uuid id;

	if (!v->issues || !v->scope)
		return NULL;
	if (id_parse(ID_GROUP, member->key, member->key_len, &id))
		g = visible_group(v->scope->ws, &id, v->scope->viewer);
	if (!g)
		issue_custom(v->issues, at, "Group not found");
	return g;
}

/* Reads the members of an object: groups of values, or values. A value of an impossible shape is not read any further,
 * because one mistake gets one issue. */
static bool custom_members(
    struct values_reader *v, int levels, const struct group *g, const struct json *object, const struct path *at)
{
	if (v->shape && !body_object(v->shape, object, at))
		return false;
	if (v->shape && object->count > MEMBERS_MAX) {
		issue_custom(v->shape->shape, at, "At most %d members", MEMBERS_MAX);
		return false;
	}
	for (const struct json *m = object->first; m; m = m->next) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		int before = v->shape ? v->shape->shape->count : 0;
		if (levels > 1) {
			custom_members(v, levels - 1, find_group(v, m, &here), m, &here);
			continue;
		}
		if (v->shape)
			value_shape(v->shape, m, &here);
		if (g && v->issues && (!v->shape || v->shape->shape->count == before))
			read_value(v, g, m, &here);
	}
	return true;
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
	struct values_reader v = {.arena = a, .scope = scope, .issues = issues, .out = out};
	int levels = scope->entity == ENTITY_OBJECT ? 1 : 2;

	out->count = 0;
	if (!value)
		return;
	out->items = arena_alloc(a, custom_count_values(value, levels) * sizeof *out->items);
	custom_members(&v, levels, scope->group, value, at);
}

void custom_values_read(
    struct reading *rd, const struct field *f, const struct json *value, const struct path *at, struct value *v)
{
	struct values_reader all = {.arena = rd->arena, .scope = rd->scope, .shape = rd, .issues = rd->references};
	int levels = rd->input->resource->id_kind == ID_OBJECT ? 1 : 2;

	(void)f, (void)v; /* server/resource merges it with the record's values */
	if (custom_members(&all, levels, rd->scope ? rd->scope->group : NULL, value, at))
		rd->input->custom = value;
}
