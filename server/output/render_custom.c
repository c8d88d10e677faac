/* Renders values of custom fields. */
#include <string.h>

#include "server/output/render_custom.h"
#include "server/output/render.h"
#include "store/entity_kind.h"
#include "store/resources.h"

bool custom_ref_id(const struct json *item, enum custom_type type, enum id_kind *kind, struct uuid *id)
{
	*kind = type == CUSTOM_OBJECT ? ID_OBJECT : ID_USER;
	if (type == CUSTOM_CONTACT)
		return id_parse_any(item->text, item->len, kind, id) && entity_kind_of(*kind);
	return uuid_parse(item->text, item->len, id);
}

/* Returns what follows a string of valid JSON; s is behind its opening quote. */
static const char *skip_string(const char *s)
{
	while (*s && *s != '"')
		s += s[0] == '\\' && s[1] ? 2 : 1;
	return *s ? s + 1 : s;
}

/* The field whose list of contacts or objects begins with this key; NULL for other fields. */
static const struct custom_field *field_of_references(const struct workspace *ws, const char *key, size_t len)
{
	struct uuid id;
	const struct custom_field *f = uuid_parse(key, len, &id) ? workspace_field(ws, &id) : NULL;

	return f && (f->type == CUSTOM_CONTACT || f->type == CUSTOM_OBJECT) ? f : NULL;
}

/* Looks only at the strings of the text, which are the keys of fields and the items of lists. Parsing every record of a
 * page twice took a third of the time of a list. */
void custom_want(struct arena *a, const struct workspace *ws, const struct value *values, struct names *names)
{
	const char *s = values->null ? "" : values->text;
	const struct custom_field *f = NULL;
	enum id_kind kind;
	struct uuid id;
	int depth = 0;

	while (*s) {
		if (*s != '"') {
			depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
			s++;
			continue;
		}
		struct json item = {.type = JSON_STRING, .text = s + 1};
		s = skip_string(s + 1);
		item.len = (size_t)(s - item.text) - 1;
		if (depth == 1 && s[strspn(s, " ")] == ':')
			f = field_of_references(ws, item.text, item.len);
		else if (depth == 2 && f && custom_ref_id(&item, f->type, &kind, &id))
			names_want(a, names, kind, &id);
	}
}

const char *custom_option_label(const struct custom_field *f, const struct json *item)
{
	const struct custom_option *o;
	struct uuid id;

	if (!uuid_parse(item->text, item->len, &id))
		return NULL;
	o = field_option_by_id(f, &id);
	return o && !o->gone ? o->label : NULL;
}

/* {id, fullName, entityType} of a contact or an object. */
static void render_reference(struct json_out *o, enum id_kind kind, const struct uuid *id, const char *name)
{
	json_begin_object(o);
	json_add_id(o, "id", kind, id);
	json_add_string(o, "fullName", name);
	json_add_string(o, "entityType", entity_kind_of(kind)->type);
	json_end_object(o);
}

static void render_item(struct json_out *o, const struct custom_field *f, const struct json *json,
    const struct workspace *ws, const struct names *names)
{
	const struct named *n;
	const char *label;
	enum id_kind kind;
	struct uuid id;

	if (f->type == CUSTOM_MULTIPLE) {
		label = custom_option_label(f, json);
		if (label)
			json_string(o, label);
	} else if (!custom_ref_id(json, f->type, &kind, &id)) {
		return;
	} else if (f->type == CUSTOM_USER) {
		if (workspace_user(ws, &id))
			render_user(o, ws, &id);
	} else {
		n = names_find(names, &id);
		if (n && n->name) /* the option was deleted; the removal will clear the value */
			render_reference(o, kind, &id, n->name);
	}
}

static bool is_there(const struct custom_field *f, const struct json *item, const struct names *names)
{
	enum id_kind kind;
	struct uuid id;
	const struct named *n;

	if (f->type == CUSTOM_MULTIPLE)
		return custom_option_label(f, item);
	n = custom_ref_id(item, f->type, &kind, &id) ? names_find(names, &id) : NULL;
	return n && n->name;
}

/* True when everything that the value refers to was deleted just now. */
static bool holds_nothing(const struct custom_field *f, const struct json *list, const struct names *names)
{
	if (f->type != CUSTOM_MULTIPLE && f->type != CUSTOM_CONTACT && f->type != CUSTOM_OBJECT)
		return false;
	json_each(i, list)
		if (is_there(f, i, names))
			return false;
	return true;
}

static void render_value(struct json_out *o, const struct custom_field *f, const struct json *json,
    const struct workspace *ws, const struct names *names)
{
	if (!json || holds_nothing(f, json, names)) {
		json_null(o);
	} else if (f->type == CUSTOM_SINGLE) {
		json_string(o, custom_option_label(f, json));
	} else if (json->type == JSON_ARRAY) {
		json_begin_array(o);
		json_each(i, json)
			render_item(o, f, i, ws, names);
		json_end_array(o);
	} else {
		json_string_len(o, json->text, json->len);
	}
}

/* A record's values by field id. */
static const struct table *by_field(struct arena *a, const struct json *tree)
{
	struct table *t = arena_alloc(a, sizeof *t);
	struct uuid *ids = arena_alloc(a, tree->count * sizeof *ids);
	size_t n = 0;

	table_init(t, a, tree->count);
	json_each_member(m, tree)
		if (uuid_parse(m->key, m->key_len, &ids[n])) {
			table_row(t, &ids[n], sizeof ids[n])->value = (void *)m;
			n++;
		}
	return t;
}

static void render_fields(struct json_out *o, const struct group *g, enum custom_entity entity, const struct uuid *type,
    const struct table *values, const struct workspace *ws, const struct names *names)
{
	json_begin_object(o);
	for (size_t i = 0; i < g->n_fields; i++) {
		const struct custom_field *f = &g->fields[i];
		if (!field_of(f, entity, type))
			continue;
		json_key_raw(o, f->key, f->key_len);
		render_value(o, f, values ? table_find(values, &f->id, sizeof f->id) : NULL, ws, names);
	}
	json_end_object(o);
}

static void by_group(struct json_out *o, const struct value *groups, enum custom_entity entity,
    const struct table *values, const struct workspace *ws, const struct viewer *viewer, const struct names *names)
{
	json_begin_object(o);
	for (size_t i = 0; i < groups->n_ids; i++) {
		const struct group *g = visible_group(ws, &groups->ids[i], viewer);
		if (!g || !g->unset[entity])
			continue;
		json_key_raw(o, g->key, g->key_len);
		if (values)
			render_fields(o, g, entity, NULL, values, ws, names);
		else
			json_raw(o, g->unset[entity], g->unset_len[entity]);
	}
	json_end_object(o);
}

void render_custom(struct json_out *o, const struct record *rec, const struct workspace *ws,
    const struct viewer *viewer, const struct names *names)
{
	const struct value *v = rec->values;
	bool person = rec->resource->id_kind == ID_PERSON, object = rec->resource->id_kind == ID_OBJECT;
	const struct value *custom = &v[person ? PERSON_CUSTOM : object ? OBJECT_CUSTOM : COMPANY_CUSTOM];
	const struct group *g = object ? workspace_group(ws, &v[OBJECT_GROUP].id) : NULL;
	const char *error;
	const struct table *values;
	const struct json *tree;
	struct arena read;

	arena_init(&read);
	tree = custom->null ? NULL : json_read(&read, custom->text, custom->len, &error);
	values = tree ? by_field(&read, tree) : NULL;
	if (!object) {
		by_group(o, &v[person ? PERSON_GROUPS : COMPANY_GROUPS], person ? ENTITY_PERSON : ENTITY_COMPANY,
		    values, ws, viewer, names);
	} else if (g) {
		render_fields(o, g, ENTITY_OBJECT, &v[OBJECT_TYPE].id, values, ws, names);
	} else {
		json_begin_object(o);
		json_end_object(o);
	}
	arena_free(&read);
}
