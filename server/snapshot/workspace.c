/* Lookups in a snapshot of a workspace; cache.c loads it. */
#include "server/snapshot/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/text.h"

enum { EMAIL_BYTES = 1024 }; /* bytes; no stored address is longer */

static const char *const role_names[] = {
    [ROLE_NONE] = "", [ROLE_READER] = "reader", [ROLE_CONTRIBUTOR] = "contributor", [ROLE_ADMIN] = "admin"};

const char *role_name(enum role role)
{
	return role_names[role];
}

enum role role_parse(const char *text)
{
	for (enum role role = ROLE_READER; role <= ROLE_ADMIN; role++)
		if (strcmp(text, role_names[role]) == 0)
			return role;
	return ROLE_NONE;
}

/* The id is the first member of users, groups and members. */
static const void *find_by_id(const struct uuid *id, const void *items, size_t count, size_t size)
{
	return count ? bsearch(id, items, count, size, uuid_compare) : NULL;
}

const struct user *workspace_user(const struct workspace *ws, const struct uuid *id)
{
	return find_by_id(id, ws->users, ws->n_users, sizeof *ws->users);
}

const struct user *workspace_user_by_email(const struct workspace *ws, const char *email, size_t len)
{
	char small[EMAIL_BYTES];

	if (len > sizeof small)
		return NULL;
	for (size_t i = 0; i < len; i++)
		small[i] = text_lower(email[i]);
	return table_find(&ws->emails, small, len);
}

const struct group *workspace_group(const struct workspace *ws, const struct uuid *id)
{
	return find_by_id(id, ws->groups, ws->n_groups, sizeof *ws->groups);
}

const struct member *member_find(const struct group *g, const struct uuid *user)
{
	return find_by_id(user, g->members, g->n_members, sizeof *g->members);
}

struct viewer viewer_limited(const struct uuid *user, bool is_admin, const struct uuid *groups, size_t n_groups)
{
	return (struct viewer){.user = *user,
	    .admin = is_admin && n_groups == 0,
	    .groups = groups,
	    .n_groups = n_groups,
	    .admin_inside = is_admin};
}

enum role group_role(const struct group *g, const struct viewer *v)
{
	const struct member *m;

	if (!g || (v->n_groups && !uuid_in(v->groups, v->n_groups, &g->id)))
		return ROLE_NONE;
	if (v->admin || v->admin_inside)
		return ROLE_ADMIN;
	m = member_find(g, &v->user);
	if (m)
		return m->role;
	return g->private ? ROLE_NONE : ROLE_CONTRIBUTOR;
}

static bool was_member(const struct gone_group *g, const struct uuid *user)
{
	return find_by_id(user, g->users, g->n_users, sizeof *g->users) != NULL;
}

size_t workspace_hidden(const struct workspace *ws, const struct viewer *v, struct arena *a, struct uuid **out)
{
	struct uuid *hidden = arena_alloc(a, (ws->n_groups + ws->n_gone + ws->n_removed_groups) * sizeof *hidden);
	size_t n = 0;

	*out = hidden;
	if (v->admin)
		return 0;
	for (size_t i = 0; i < ws->n_groups; i++)
		if (group_role(&ws->groups[i], v) == ROLE_NONE)
			hidden[n++] = ws->groups[i].id;
	for (size_t i = 0; i < ws->n_gone; i++)
		if (!v->admin_inside && !was_member(&ws->gone[i], &v->user))
			hidden[n++] = ws->gone[i].id;
	return n;
}

size_t workspace_absent(const struct workspace *ws, const struct viewer *v, struct arena *a, struct uuid **out)
{
	size_t n = workspace_hidden(ws, v, a, out); /* out has room for more */

	if (ws->n_removed_groups)
		memcpy(*out + n, ws->removed_groups, ws->n_removed_groups * sizeof **out);
	return n + ws->n_removed_groups;
}

bool workspace_removed(const struct workspace *ws, const struct uuid *group)
{
	return find_by_id(group, ws->removed_groups, ws->n_removed_groups, sizeof *ws->removed_groups) != NULL;
}

bool workspace_gone_contact(const struct workspace *ws, const struct uuid *id)
{
	return find_by_id(id, ws->gone_contacts, ws->n_gone_contacts, sizeof *ws->gone_contacts) != NULL;
}

const struct group *visible_group(const struct workspace *ws, const struct uuid *id, const struct viewer *v)
{
	const struct group *g = workspace_group(ws, id);

	return group_role(g, v) == ROLE_NONE ? NULL : g;
}

const struct object_type *group_type(const struct group *g, const char *name, size_t len)
{
	for (size_t i = 0; i < g->n_types; i++)
		if (strlen(g->types[i].name) == len && memcmp(g->types[i].name, name, len) == 0)
			return &g->types[i];
	return NULL;
}

static int compare_field(const void *key, const void *item)
{
	return uuid_compare(key, &(*(struct custom_field *const *)item)->id);
}

const struct custom_field *workspace_field(const struct workspace *ws, const struct uuid *id)
{
	struct custom_field *const *found =
	    ws->n_fields ? bsearch(id, ws->fields, ws->n_fields, sizeof *ws->fields, compare_field) : NULL;

	return found ? *found : NULL;
}

bool field_of(const struct custom_field *f, enum custom_entity entity, const struct uuid *type)
{
	return f->entity == entity && (entity != ENTITY_OBJECT || uuid_equal(&f->object_type, type));
}

const struct custom_field *group_field(
    const struct group *g, enum custom_entity entity, const struct uuid *type, const char *name, size_t len)
{
	const struct custom_field *f = table_find(&g->names, name, len);

	while (f && !field_of(f, entity, type))
		f = f->namesake;
	return f;
}

static struct option_tables *option_tables(const struct custom_field *f)
{
	struct option_tables *t = f->tables;

	if (t->made)
		return t;
	t->made = true;
	table_init(&t->by_label, t->arena, f->n_options);
	table_init(&t->by_id, t->arena, f->n_options + f->n_gone);
	for (size_t i = 0; i < f->n_options; i++) {
		struct custom_option *o = &f->options[i];
		table_row(&t->by_label, o->label, strlen(o->label))->value = o;
		table_row(&t->by_id, &o->id, sizeof o->id)->value = o;
	}
	for (size_t i = 0; i < f->n_gone; i++)
		table_row(&t->by_id, &f->gone[i].id, sizeof f->gone[i].id)->value = &f->gone[i];
	return t;
}

const struct custom_option *field_option(const struct custom_field *f, const char *label, size_t len)
{
	return table_find(&option_tables(f)->by_label, label, len);
}

const struct custom_option *field_option_by_id(const struct custom_field *f, const struct uuid *id)
{
	return table_find(&option_tables(f)->by_id, id, sizeof *id);
}

void field_names_near(const void *ctx, struct near *n)
{
	const struct field_names *names = ctx;

	for (size_t i = 0; i < names->group->n_fields; i++) {
		const struct custom_field *f = &names->group->fields[i];
		if (field_of(f, names->entity, names->type))
			near_try(n, f->name, strlen(f->name));
	}
}

void option_near(const void *ctx, struct near *n)
{
	const struct custom_field *f = ctx;

	for (size_t i = 0; i < f->n_options; i++)
		near_try(n, f->options[i].label, strlen(f->options[i].label));
}

void group_types_near(const void *ctx, struct near *n)
{
	const struct group *g = ctx;

	for (size_t i = 0; i < g->n_types; i++)
		near_try(n, g->types[i].name, strlen(g->types[i].name));
}

static const char *const type_names[CUSTOM_TYPES] = {"textField", "numericField", "dateField", "singleSelect",
    "multipleSelect", "contactField", "userField", "objectField"};

const char *custom_type_name(enum custom_type type)
{
	return type_names[type];
}

enum custom_type custom_type_parse(const char *text)
{
	enum custom_type type = 0;

	while (type < CUSTOM_TYPES && strcmp(type_names[type], text) != 0)
		type++;
	return type;
}
