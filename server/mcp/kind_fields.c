/* What describe tells about the fields of a kind: how values are written, and which filters there are. It comes from
 * the tables of fields and filters. */
#include "server/mcp/call.h"

#include <string.h>

enum { OPTIONS_SHOWN = 100 };

/* --- fields of the tables ------------------------------------------------------------------ */

/* How a value of each type is written. Fields of other types are not written by tools. */
static const char *const forms[FIELD_TYPES] = {
    [FIELD_TEXT] = "text",
    [FIELD_CHOICE] = "one of",
    [FIELD_DATE] = "YYYY-MM-DD",
    [FIELD_YEAR] = "YYYY",
    [FIELD_DECIMAL] = "number",
    [FIELD_TIME] = "time",
    [FIELD_FLAG] = "true or false",
    [FIELD_TEXTS] = "[text]",
    [FIELD_GROUPS] = "[{id}]",
    [FIELD_COMPANIES] = "[{id} or {name}]",
    [FIELD_PEOPLE] = "[{id}]",
    [FIELD_USERS] = "[{id} or {email}]",
    [FIELD_ENTITY] = "{id}",
    [FIELD_CLOCK] = "HH:MM",
    [FIELD_RULE] = "DTSTART and RRULE of RFC 5545",
    [FIELD_PARENT] = "{id}",
    [FIELD_ACTIVITY] = "an emoji, or one of",
};

static const char *field_form(struct req *r, const struct field *f)
{
	const char *form = forms[f->type];

	if (f->type == FIELD_COMPANIES && !f->item_max) /* they cannot be made here */
		form = "[{id}]";
	if (f->flags & FIELD_REQUIRED)
		form = arena_printf(&r->arena, "required: %s", form);
	for (int i = 0; (f->type == FIELD_CHOICE || f->type == FIELD_ACTIVITY) && f->choices && f->choices[i]; i++)
		form = arena_printf(&r->arena, "%s%s %s", form, i ? "," : "", f->choices[i]);
	return form;
}

static bool field_written(const struct field *f)
{
	return f->flags & FIELD_IN && forms[f->type] && !f->same_as && !(f->flags & FIELD_FROM_ADMIN);
}

static void put_filter(struct json_out *o, const struct filter_table *t, unsigned ops)
{
	const struct filter_field *f;

	json_begin_array(o);
	for (int i = 0; (f = filter_field_at(t, i)); i++)
		if (f->ops == ops)
			json_string(o, f->name);
	json_end_array(o);
}

/* Groups the fields by their operators: {"eq, like": ["fullName", …]}. */
static void put_filters(struct req *r, const struct filter_table *t)
{
	struct json_out *o = &r->reply.json;
	const struct filter_field *f, *before;

	json_begin_object(o);
	for (int i = 0; (f = filter_field_at(t, i)); i++) {
		const char *ops = "";
		int k = 0;
		while ((before = filter_field_at(t, k)) != f && before->ops != f->ops)
			k++;
		if (before != f)
			continue;
		for (enum filter_op op = FILTER_OP_NONE + 1; op < FILTER_OPS; op++)
			if (f->ops & 1u << op)
				ops = arena_printf(&r->arena, "%s%s%s", ops, *ops ? ", " : "", filter_op_word(op));
		json_key(o, ops);
		put_filter(o, t, f->ops);
	}
	json_end_object(o);
}

void kind_put_fields(struct req *r, const struct kind *kind)
{
	struct json_out *o = &r->reply.json;
	const struct resource *res = kind->resource;

	json_key(o, "fields");
	json_begin_object(o);
	for (int i = 0; i < res->n_fields; i++)
		if (field_written(&res->fields[i]))
			json_add_string(o, res->fields[i].name, field_form(r, &res->fields[i]));
	json_end_object(o);
	if (kind->filters) {
		json_key(o, "filters");
		put_filters(r, kind->filters);
	}
	if (kind->members && kind->members[0]) {
		json_key(o, "filterMembers");
		json_begin_array(o);
		for (int i = 0; kind->members[i]; i++)
			json_string(o, kind->members[i]);
		json_end_array(o);
	}
}

/* --- wanted fields -------------------------------------------------------------------------- */

static void fields_near(const void *ctx, struct near *n)
{
	const struct resource *res = ctx;

	for (int i = 0; i < res->n_fields; i++)
		if (!(res->fields[i].flags & FIELD_HIDDEN))
			near_try(n, res->fields[i].name, strlen(res->fields[i].name));
}

static void field_check(struct req *r, const struct resource *res, const struct json *name, const struct path *at)
{
	size_t len = strcspn(name->text, ".");

	if (field_find(res, name->text, len) >= 0)
		return;
	issue_custom(&r->given.issues, at, "There is no such field");
	issue_hint_near(&r->given.issues, name->text, len, fields_near, res, "fields");
}

bool kind_has_fields(struct req *r, const struct resource *res)
{
	const struct json *fields = call_of(r)->fields;
	struct path at = PATH_NAME(NULL, "fields");
	size_t n = 0;

	if (fields && fields->type == JSON_STRING && fields->len)
		field_check(r, res, fields, &at);
	json_each(name, fields) {
		struct path here = PATH_INDEX(&at, n++);
		field_check(r, res, name, &here);
	}
	return !r->given.issues.count;
}

/* --- custom fields --------------------------------------------------------------------------- */

/* How a value of each type is written. */
static const char *const custom_forms[CUSTOM_TYPES] = {
    [CUSTOM_TEXT] = "text",
    [CUSTOM_NUMBER] = "number",
    [CUSTOM_DATE] = "YYYY-MM-DD",
    [CUSTOM_SINGLE] = "a label of",
    [CUSTOM_MULTIPLE] = "[labels] of",
    [CUSTOM_CONTACT] = "[{id}] of people and companies",
    [CUSTOM_USER] = "[{id}] of users",
    [CUSTOM_OBJECT] = "[{id}] of objects",
};

static void put_options(struct json_out *o, const struct custom_field *f)
{
	json_begin_array(o);
	for (size_t i = 0; i < f->n_options && i < OPTIONS_SHOWN; i++)
		json_string(o, f->options[i].label);
	if (f->n_options > OPTIONS_SHOWN)
		json_string(o, "…");
	json_end_array(o);
}

static void put_custom(struct req *r, const struct custom_field *f)
{
	struct json_out *o = &r->reply.json;

	json_key(o, f->name);
	if (f->type == CUSTOM_SINGLE || f->type == CUSTOM_MULTIPLE) {
		json_begin_object(o);
		json_key(o, custom_forms[f->type]);
		put_options(o, f);
		json_end_object(o);
	} else if (f->currency) {
		json_string(o, arena_printf(&r->arena, "number, in %s", f->currency));
	} else {
		json_string(o, custom_forms[f->type]);
	}
}

bool kind_has_custom(const struct group *g, enum custom_entity entity, const struct uuid *type)
{
	for (size_t i = 0; i < g->n_fields; i++)
		if (field_of(&g->fields[i], entity, type))
			return true;
	return false;
}

void kind_put_custom(struct req *r, const struct group *g, enum custom_entity entity, const struct uuid *type)
{
	struct json_out *o = &r->reply.json;
	size_t until = r->reply.out.len + 2 * RESULT_BYTES;
	int left_out = 0;

	json_begin_object(o);
	for (size_t i = 0; i < g->n_fields; i++) {
		if (!field_of(&g->fields[i], entity, type))
			continue;
		if (r->reply.out.len < until)
			put_custom(r, &g->fields[i]);
		else
			left_out++;
	}
	if (left_out)
		json_add_int(o, "fieldsLeftOut", left_out);
	json_end_object(o);
}
