/* Differences of records, field by field. */
#include "server/event/diff.h"

#include <string.h>

#include "server/output/render.h"
#include "store/field_type.h"

enum { CHANGES_MAX = 64 << 20 };

void changes_init(struct changes *c, struct arena *a)
{
	memset(c, 0, sizeof *c);
	c->arena = a;
	buf_init(&c->buf, CHANGES_MAX);
	json_out_init(&c->out, &c->buf);
	json_begin_object(&c->out);
}

void changes_end(struct changes *c)
{
	if (c->count)
		json_end_array(&c->out);
}

void changes_free(struct changes *c)
{
	buf_free(&c->buf);
}

void changes_name(struct changes *c, const struct uuid *group)
{
	if (uuid_in(c->named, c->n_named, group))
		return;
	if (c->n_named == c->cap_named) {
		size_t cap = c->cap_named ? 2 * c->cap_named : 4;
		struct uuid *more = arena_alloc(c->arena, cap * sizeof *more);
		if (c->n_named)
			memcpy(more, c->named, c->n_named * sizeof *more);
		c->named = more;
		c->cap_named = cap;
	}
	c->named[c->n_named++] = *group;
}

struct json_out *change_begin(struct changes *c, const char *const path[], int n_path, const char *type)
{
	struct json_out *o = &c->out;

	if (c->count++ == 0) {
		json_key(o, "changes");
		json_begin_array(o);
	}
	json_begin_object(o);
	json_key(o, "path");
	json_begin_array(o);
	for (int i = 0; i < n_path; i++)
		json_string(o, path[i]);
	json_end_array(o);
	json_add_string(o, "type", type);
	return o;
}

static void diff_silent(struct changes *c, const struct field *f)
{
	json_end_object(change_begin(c, &f->name, 1, "set"));
}

/* --- scalars -------------------------------------------------------------------------- */

static void put_scalar(struct json_out *o, const struct field *f, const struct value *v)
{
	if (f->type == FIELD_ENTITY)
		render_entity_reference(o, v);
	else if (!value_unset(f->type, v))
		field_views[f->type].render(o, v);
	else if (f->unset)
		json_string(o, f->unset);
	else
		json_null(o);
}

static void diff_scalar(struct changes *c, const struct field *f, const struct value *old, const struct value *new)
{
	struct json_out *o = change_begin(c, &f->name, 1, "set");

	json_key(o, "value");
	put_scalar(o, f, new);
	if (!c->conceals) {
		json_key(o, "previous");
		put_scalar(o, f, old);
	}
	json_end_object(o);
}

/* --- lists ------------------------------------------------------------------------------ */

static size_t list_length(const struct field *f, const struct value *list)
{
	return f->type == FIELD_TEXTS ? list->n_items : list->n_ids;
}

static bool list_holds(const struct field *f, const struct value *list, const struct value *other, size_t i)
{
	return f->type == FIELD_TEXTS ? value_has_text(list, other->items[i], other->lens[i])
	                              : uuid_in(list->ids, list->n_ids, &other->ids[i]);
}

static void put_item(struct changes *c, const struct field *f, const struct value *list, size_t i)
{
	struct json_out *o = &c->out;

	if (f->type == FIELD_TEXTS) {
		json_string_len(o, list->items[i], list->lens[i]);
		return;
	}
	if (f->type == FIELD_GROUPS)
		changes_name(c, &list->ids[i]);
	json_begin_object(o);
	json_add_id(o, "id", field_storages[f->type].refers, &list->ids[i]);
	json_end_object(o);
}

/* The items of one list that are not in the other. */
static void diff_items(
    struct changes *c, const struct field *f, const char *type, const struct value *list, const struct value *other)
{
	bool any = false;

	for (size_t i = 0; i < list_length(f, list); i++) {
		if (list_holds(f, other, list, i))
			continue;
		if (!any) {
			json_key(change_begin(c, &f->name, 1, type), "value");
			json_begin_array(&c->out);
		}
		any = true;
		put_item(c, f, list, i);
	}
	if (any) {
		json_end_array(&c->out);
		json_end_object(&c->out);
	}
}

static void diff_list(struct changes *c, const struct field *f, const struct value *old, const struct value *new)
{
	size_t before = c->count;

	diff_items(c, f, "add", new, old);
	diff_items(c, f, "remove", old, new);
	if (c->count == before)
		diff_silent(c, f); /* the same items in another order */
}

/* --- all ---------------------------------------------------------------------------------- */

void changes_field(struct changes *c, const struct field *f, const struct value *old, const struct value *new)
{
	if (value_equal(f->type, old, new))
		return;
	if (f->flags & FIELD_SILENT)
		diff_silent(c, f);
	else if (field_views[f->type].scalar || f->type == FIELD_ENTITY)
		diff_scalar(c, f, old, new);
	else if (field_storages[f->type].never_null)
		diff_list(c, f, old, new);
	else
		diff_silent(c, f);
}

void changes_record(struct changes *c, const struct record *old, const struct record *new, field_set without)
{
	const struct resource *res = new->resource;

	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (f->column && (f->flags & FIELD_IN) && f->type != FIELD_CUSTOM && !(without & FIELD_BIT(i)))
			changes_field(c, f, &old->values[i], &new->values[i]);
	}
}
