/* Endpoints for the custom fields of groups. The definitions are in the workspace's snapshot. */
#include <string.h>

#include "server/input/body.h"
#include "server/resource/custom_definition.h"
#include "server/input/limits.h"
#include "server/request/object_scope.h"
#include "server/request/page.h"
#include "server/request/slice.h"
#include "server/resource/removal.h"
#include "server/output/render.h"
#include "server/resource/steps.h"

static bool custom_field_path_is(const struct path_value *v, const char *text)
{
	return v->len == strlen(text) && memcmp(v->text, text, v->len) == 0;
}

/* Finds what the path refers to. Returns false with the reply set. */
static bool custom_field_place(struct req *r, struct custom_scope *p)
{
	bool people = custom_field_path_is(&r->given.path[1], "person");
	enum role role;

	*p = (struct custom_scope){.entity = people ? ENTITY_PERSON : ENTITY_COMPANY};
	if (!people && !custom_field_path_is(&r->given.path[1], "company"))
		return object_scope(r, p, &role);
	p->group = visible_group(r->caller.ws, &r->given.path[0].id, &r->caller.viewer);
	if (!p->group)
		reply_not_found(r);
	return p->group != NULL;
}

static const struct uuid *custom_field_type(const struct custom_scope *p)
{
	return p->type ? &p->type->id : NULL;
}

static void put_config(struct json_out *o, const struct custom_field *f)
{
	json_key(o, "config");
	json_begin_object(o);
	json_add_string(o, "format", f->format);
	if (f->decimals >= 0) {
		json_add_int(o, "decimals", f->decimals);
	}
	if (f->currency) {
		json_add_string(o, "currency", f->currency);
	}
	json_end_object(o);
}

static void custom_field_put(struct json_out *o, const struct custom_field *f)
{
	enum id_kind kind = f->entity == ENTITY_OBJECT ? ID_OBJECT_OPTION : ID_GROUP_OPTION;

	json_begin_object(o);
	json_add_string(o, "name", f->name);
	json_add_string(o, "type", custom_type_name(f->type));
	if (f->type == CUSTOM_SINGLE || f->type == CUSTOM_MULTIPLE) {
		json_key(o, "options");
		json_begin_array(o);
		for (size_t i = 0; i < f->n_options; i++) {
			json_begin_object(o);
			json_add_id(o, "id", kind, &f->options[i].id);
			json_add_string(o, "label", f->options[i].label);
			json_add_string(o, "color", f->options[i].color);
			json_end_object(o);
		}
		json_end_array(o);
	}
	if (f->type == CUSTOM_NUMBER)
		put_config(o, f);
	json_end_object(o);
}

static enum step custom_field_show(struct req *r, const struct custom_field *f)
{
	custom_field_put(reply_begin(r), f);
	return reply_end(r);
}

/* --- reading ----------------------------------------------------------------------------- */

enum step field_list(struct req *r)
{
	struct page_walk *w = r->state.walk;
	struct custom_scope place;

	if (!custom_field_place(r, &place))
		return DONE;
	if (!w) {
		w = arena_alloc(&r->arena, sizeof *w);
		if (!page_walk_begin(r, w))
			return DONE;
		r->state.walk = w;
	}
	while (r->done < place.group->n_fields && !w->more) {
		const struct custom_field *f = &place.group->fields[r->done++];
		if (field_of(f, place.entity, custom_field_type(&place)) && page_walk_shows(r, w, &f->id))
			custom_field_put(&r->reply.json, f);
		if (slice_over(r))
			return AGAIN;
	}
	return page_walk_end(r, w);
}

static const struct custom_field *custom_field_find(const struct path_value *name, const struct custom_scope *p)
{
	return group_field(p->group, p->entity, custom_field_type(p), name->text, name->len);
}

enum step field_get(struct req *r)
{
	struct custom_scope place;
	const struct custom_field *f;

	if (!custom_field_place(r, &place))
		return DONE;
	f = custom_field_find(&r->given.path[2], &place);
	return f ? custom_field_show(r, f) : reply_not_found(r);
}

/* --- writing ------------------------------------------------------------------------------- */

/* Sets the place if the viewer is an admin of the group; else sets the reply. */
static bool custom_field_administered(struct req *r, struct custom_scope *p)
{
	return custom_field_place(r, p) && group_administered(r);
}

static void custom_field_take_name(struct req_given *given, const struct custom_scope *p, struct custom_field *f)
{
	const struct value *name = &given->input->values[CF_NAME];
	struct path at = PATH_NAME(NULL, "name");
	const struct custom_field *other;

	if (!(given->input->given & FIELD_BIT(CF_NAME)))
		return;
	other = group_field(p->group, p->entity, custom_field_type(p), name->text, name->len);
	if (other && !uuid_equal(&other->id, &f->id))
		issue_custom(&given->issues, &at, "Another field has this name");
	f->name = name->text;
}

static void custom_field_bind_definition(struct sql *s, const struct custom_field *f)
{
	struct buf options;

	buf_init(&options, 16 << 20);
	definition_options(&options, f);
	sql_json(s, options.data, options.len);
	sql_add_textz(s, ", ", f->format);
	sql_add(s, ", ");
	f->decimals >= 0 ? sql_int4(s, f->decimals) : sql_int4_null(s);
	sql_add_textz(s, ", ", f->currency);
	buf_free(&options);
}

static bool room_for_field(struct req *r, const struct custom_scope *p)
{
	int64_t here = 0;

	for (size_t i = 0; i < p->group->n_fields; i++)
		here += field_of(&p->group->fields[i], p->entity, custom_field_type(p));
	return limit_check(&r->given.issues, NULL, LIMIT_FIELDS, here, 1) &&
	       limit_check(&r->given.issues, NULL, LIMIT_ALL_FIELDS, (int64_t)r->caller.ws->n_fields, 1);
}

enum step field_create(struct req *r)
{
	static const char *const entities[] = {"person", "company", "object"};
	struct custom_scope place;
	struct custom_field f = {.id = id_new(), .format = "default", .decimals = -1};
	struct removed_values none;
	struct sql *s;

	if (!custom_field_administered(r, &place))
		return DONE;
	f.entity = place.entity;
	f.type = custom_type_parse(r->given.input->values[CF_TYPE].text);
	custom_field_take_name(&r->given, &place, &f);
	if (!room_for_field(r, &place) || !definition_apply(r, &f, &none))
		return reply_issues(r, "Invalid input");
	s = req_sql(r, "field_insert", NULL);
	sql_add(s,
	    "insert into custom_fields (workspace_id, id, group_id, type_id, entity, name, type, options, format, "
	    "decimals, currency) values ($1, ");
	sql_uuid(s, &f.id);
	sql_add_uuid(s, ", ", &place.group->id);
	sql_add_uuid(s, ", ", custom_field_type(&place));
	sql_add_textz(s, ", ", entities[place.entity]);
	sql_add_textz(s, ", ", f.name);
	sql_add_textz(s, ", ", custom_type_name(f.type));
	sql_add(s, ", ");
	custom_field_bind_definition(s, &f);
	sql_add(s, ")");
	return custom_field_show(r, &f);
}

/* --- values removed with a field, or with its options ----------------------------------------- */

/* Queries whether many records hold such values. */
static enum step custom_field_ask_holders(struct req *r, const struct removed_values *removed)
{
	struct sql *s = req_sql(r, NULL, &r->at);

	sql_add(s, "select count(*) from (select from field_values v where v.workspace_id = $1");
	removal_rows_of_values(s, removed, NULL);
	sql_addf(s, " limit %d) h", removal_sizes()->at_once + 1);
	return transaction_ask(r);
}

/* Removes the values if few records have them. Returns false if server/job/removals.c must do it. */
static bool custom_field_remove_now(struct req *r, const struct removed_values *removed)
{
	struct statements st = req_statements(r);

	if (db_int(r->db.last, r->at, 0, 0) > removal_sizes()->at_once)
		return false;
	removal_values(&st, removed, NULL);
	return true;
}

/* --- changing --------------------------------------------------------------------------------- */

struct field_change {
	struct custom_field field;
	struct removed_values removed;
};

static enum step custom_field_save(struct req *r, const struct custom_field *f, bool options_hidden)
{
	struct sql *s = req_sql(r, options_hidden ? "field_update_hide" : "field_update", NULL);

	sql_add_textz(s, "update custom_fields set name = ", f->name);
	sql_add(s, ", (options, format, decimals, currency) = (select ");
	custom_field_bind_definition(s, f);
	sql_add(s, options_hidden ? "), options_removed_at = clock_timestamp()" : ")");
	sql_add_uuid(s, " where workspace_id = $1 and id = ", &f->id);
	return custom_field_show(r, f);
}

enum step field_update(struct req *r)
{
	struct custom_scope place;
	const struct custom_field *old;
	struct field_change *change = arena_alloc(&r->arena, sizeof *change);
	struct custom_field *f = &change->field;

	if (!custom_field_administered(r, &place))
		return DONE;
	old = custom_field_find(&r->given.path[2], &place);
	if (!old)
		return reply_not_found(r);
	*f = *old;
	f->tables = NULL; /* the index belongs to the old definition */
	f->options = arena_alloc(&r->arena, old->n_options * sizeof *f->options);
	if (old->n_options)
		memcpy(f->options, old->options, old->n_options * sizeof *f->options);
	custom_field_take_name(&r->given, &place, f);
	if (!definition_apply(r, f, &change->removed))
		return reply_issues(r, "Invalid input");
	r->state.field = change;
	return change->removed.n_options ? custom_field_ask_holders(r, &change->removed) : PASS;
}

/* Removes options from the values that have them. Options in many values stay in the definition until the job is
 * done. */
static bool hide_options(struct req *r, const struct custom_field *old, struct field_change *change)
{
	struct custom_field *f = &change->field;
	struct custom_option *gone;

	if (!change->removed.n_options || custom_field_remove_now(r, &change->removed))
		return false;
	gone = arena_alloc(&r->arena, (f->n_gone + change->removed.n_options) * sizeof *gone);
	if (f->n_gone)
		memcpy(gone, f->gone, f->n_gone * sizeof *gone);
	f->gone = gone;
	for (size_t i = 0; i < change->removed.n_options; i++)
		f->gone[f->n_gone++] = *field_option_by_id(old, &change->removed.options[i]);
	return true;
}

enum step field_update_all(struct req *r)
{
	struct field_change *change = r->state.field;
	bool hidden = hide_options(r, workspace_field(r->caller.ws, &change->field.id), change);

	return custom_field_save(r, &change->field, hidden);
}

/* --- deleting --------------------------------------------------------------------------------- */

enum step field_delete(struct req *r)
{
	struct custom_scope place;
	const struct custom_field *f;
	struct field_change *change = arena_alloc(&r->arena, sizeof *change);

	if (!custom_field_administered(r, &place))
		return DONE;
	f = custom_field_find(&r->given.path[2], &place);
	if (!f)
		return reply_not_found(r);
	change->removed = (struct removed_values){.entity = f->entity, .field = f->id};
	r->state.field = change;
	return custom_field_ask_holders(r, &change->removed);
}

enum step field_delete_all(struct req *r)
{
	const struct removed_values *removed = &r->state.field->removed;
	const struct custom_field *f = workspace_field(r->caller.ws, &removed->field);

	removal_definition(r, "custom_fields", &f->id, custom_field_remove_now(r, removed));
	return reply_name(r, f->name);
}
