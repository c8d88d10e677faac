/* Differences of custom values, which are stored by field id. */
#include <string.h>

#include "server/output/render_custom.h"
#include "server/event/diff.h"
#include "server/output/render.h"

struct diff_place {
	struct changes *changes;
	const struct workspace *ws;
	const struct custom_field *field;
	bool deep;
};

static bool diff_items_equal(const struct json *a, const struct json *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static bool values_equal(const struct json *a, const struct json *b)
{
	const struct json *x, *y;

	if (!a || !b || a->type != b->type)
		return a == b;
	if (a->type != JSON_ARRAY)
		return diff_items_equal(a, b);
	for (x = a->first, y = b->first; x && y && diff_items_equal(x, y); x = x->next)
		y = y->next;
	return !x && !y;
}

static struct json_out *diff_begin(const struct diff_place *p, const char *type)
{
	char id[ID_SIZE];
	const char *path[CHANGE_PATH_MAX] = {"customFieldValues"};
	int n = 1;

	if (p->deep) {
		changes_name(p->changes, &p->field->group);
		path[n++] = id_format(ID_GROUP, &p->field->group, id);
	}
	path[n++] = p->field->name;
	return change_begin(p->changes, path, n, type);
}

/* Finds removed options, too: a write may drop their values before the removal job does. */
static const char *option_label(const struct custom_field *f, const struct json *item)
{
	const struct custom_option *o;
	struct uuid id;

	if (!uuid_parse(item->text, item->len, &id))
		return NULL;
	o = field_option_by_id(f, &id);
	return o ? o->label : NULL;
}

static void diff_item(const struct diff_place *p, const struct json *json)
{
	struct json_out *o = &p->changes->out;
	enum id_kind kind;
	struct uuid id;

	if (p->field->type == CUSTOM_MULTIPLE) {
		json_string(o, option_label(p->field, json));
	} else if (custom_ref_id(json, p->field->type, &kind, &id)) {
		json_begin_object(o);
		json_add_id(o, "id", kind, &id);
		json_end_object(o);
	}
}

/* The items of one list that are not in the other. */
static bool diff_custom_items(
    const struct diff_place *p, const char *type, const struct json *list, const struct json *other)
{
	struct arena scratch;
	struct table others;
	bool any = false;

	arena_init(&scratch);
	table_init(&others, &scratch, other ? other->count : 0);
	json_each(i, other)
		table_add(&others, i->text, i->len);
	json_each(i, list) {
		if (table_has(&others, i->text, i->len))
			continue;
		if (!any) {
			json_key(diff_begin(p, type), "value");
			json_begin_array(&p->changes->out);
		}
		any = true;
		diff_item(p, i);
	}
	arena_free(&scratch);
	if (any) {
		json_end_array(&p->changes->out);
		json_end_object(&p->changes->out);
	}
	return any;
}

static void put_custom_scalar(const struct diff_place *p, const char *key, const struct json *value)
{
	struct json_out *o = &p->changes->out;
	const char *label = value && p->field->type == CUSTOM_SINGLE ? option_label(p->field, value) : NULL;

	json_key(o, key);
	if (label)
		json_string(o, label);
	else if (value && p->field->type != CUSTOM_SINGLE)
		json_string_len(o, value->text, value->len);
	else
		json_null(o);
}

static void diff_custom_scalar(const struct diff_place *p, const struct json *old, const struct json *new)
{
	struct json_out *o = diff_begin(p, "set");

	put_custom_scalar(p, "value", new);
	if (!p->changes->conceals)
		put_custom_scalar(p, "previous", old);
	json_end_object(o);
}

static void diff_custom_list(const struct diff_place *p, const struct json *old, const struct json *new)
{
	bool added = diff_custom_items(p, "add", new, old), removed = diff_custom_items(p, "remove", old, new);

	if (!added && !removed)
		json_end_object(diff_begin(p, "set")); /* the same items in another order */
}

static void diff_value(struct diff_place *p, const struct json *old, const struct json *new)
{
	struct uuid id;
	const struct json *any = new ? new : old;

	if (values_equal(old, new) || !uuid_parse(any->key, any->key_len, &id))
		return;
	p->field = workspace_field(p->ws, &id);
	if (!p->field)
		return;
	if (p->field->type <= CUSTOM_SINGLE)
		diff_custom_scalar(p, old, new);
	else
		diff_custom_list(p, old, new);
}

static void diff_by_members(struct table *t, struct arena *a, const struct json *object)
{
	table_init(t, a, object ? object->count : 0);
	json_each_member(m, object)
		table_row(t, m->key, m->key_len)->value = (void *)m;
}

void changes_custom(
    struct changes *c, const struct workspace *ws, const struct value *old, const struct value *new, bool deep)
{
	const char *error;
	const struct json *before, *after;
	struct table by_key;
	struct diff_place p = {.changes = c, .ws = ws, .deep = deep};

	if (value_equal(FIELD_CUSTOM, old, new))
		return;
	before = old->null ? NULL : json_read(c->arena, old->text, old->len, &error);
	after = new->null ? NULL : json_read(c->arena, new->text, new->len, &error);
	diff_by_members(&by_key, c->arena, before);
	json_each_member(m, after)
		diff_value(&p, table_find(&by_key, m->key, m->key_len), m);
	diff_by_members(&by_key, c->arena, after);
	json_each_member(m, before)
		if (!table_has(&by_key, m->key, m->key_len))
			diff_value(&p, m, NULL);
}
