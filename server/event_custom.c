/* Differences of custom values, which are kept by field id. */
#include <string.h>

#include "server/custom.h"
#include "server/event_change.h"
#include "server/render.h"

struct place {
	struct changes *changes;
	const struct workspace *ws;
	const struct custom_field *field;
	bool deep;
};

static bool same(const struct json *a, const struct json *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static bool holds(const struct json *list, const struct json *item)
{
	for (const struct json *i = list ? list->first : NULL; i; i = i->next)
		if (same(i, item))
			return true;
	return false;
}

static bool equal(const struct json *a, const struct json *b)
{
	const struct json *x, *y;

	if (!a || !b || a->type != b->type)
		return a == b;
	if (a->type != JSON_ARRAY)
		return same(a, b);
	for (x = a->first, y = b->first; x && y && same(x, y); x = x->next)
		y = y->next;
	return !x && !y;
}

static struct json_out *begin(const struct place *p, const char *type)
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

/* Also of an option that was removed: its value may go before the removal has come by. */
static const char *option_label(const struct custom_field *f, const struct json *item)
{
	const char *label = custom_option_label(f, item);
	struct uuid id;

	if (!label && uuid_parse(item->text, item->len, &id))
		for (size_t i = 0; i < f->n_gone; i++)
			if (uuid_equal(&f->gone[i].id, &id))
				return f->gone[i].label;
	return label;
}

static void item(const struct place *p, const struct json *json)
{
	struct json_out *o = &p->changes->out;
	enum id_kind kind;
	struct uuid id;

	if (p->field->type == CUSTOM_MULTIPLE) {
		json_string(o, option_label(p->field, json));
	} else if (custom_ref_id(json, p->field->type, &kind, &id)) {
		json_begin_object(o);
		json_key(o, "id");
		render_id(o, kind, &id);
		json_end_object(o);
	}
}

/* The items of one list that the other has not. */
static bool items(const struct place *p, const char *type, const struct json *list, const struct json *other)
{
	bool any = false;

	for (const struct json *i = list ? list->first : NULL; i; i = i->next) {
		if (holds(other, i))
			continue;
		if (!any) {
			json_key(begin(p, type), "value");
			json_begin_array(&p->changes->out);
		}
		any = true;
		item(p, i);
	}
	if (any) {
		json_end_array(&p->changes->out);
		change_end(p->changes);
	}
	return any;
}

static void scalar(const struct place *p, const struct json *new)
{
	struct json_out *o = begin(p, "set");

	json_key(o, "value");
	if (!new)
		json_null(o);
	else if (p->field->type == CUSTOM_SINGLE)
		json_string(o, custom_option_label(p->field, new));
	else
		json_string_len(o, new->text, new->len);
	change_end(p->changes);
}

static void list(const struct place *p, const struct json *old, const struct json *new)
{
	bool added = items(p, "add", new, old), removed = items(p, "remove", old, new);

	if (!added && !removed) {
		begin(p, "set"); /* the same items in other places */
		change_end(p->changes);
	}
}

static void difference(struct place *p, const struct json *old, const struct json *new)
{
	struct uuid id;
	const struct json *any = new ? new : old;

	if (equal(old, new) || !uuid_parse(any->key, any->key_len, &id))
		return;
	p->field = workspace_field(p->ws, &id);
	if (!p->field)
		return;
	if (p->field->type <= CUSTOM_SINGLE)
		scalar(p, new);
	else
		list(p, old, new);
}

void changes_custom(
    struct changes *c, const struct workspace *ws, const struct value *old, const struct value *new, bool deep)
{
	const char *error;
	const struct json *before, *after;
	struct place p = {.changes = c, .ws = ws, .deep = deep};

	if (value_equal(FIELD_CUSTOM, old, new))
		return;
	before = old->null ? NULL : json_read(c->arena, old->text, old->len, &error);
	after = new->null ? NULL : json_read(c->arena, new->text, new->len, &error);
	for (const struct json *m = after ? after->first : NULL; m; m = m->next)
		difference(&p, before ? json_member(before, m->key) : NULL, m);
	for (const struct json *m = before ? before->first : NULL; m; m = m->next)
		if (!after || !json_member(after, m->key))
			difference(&p, m, NULL);
}
