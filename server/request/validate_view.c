/* The bodies of views: what depends on the kind of records that a view lists. */
#include <string.h>

#include "server/request/aggregate_read.h"
#include "server/request/listing.h"
#include "server/request/object_scope.h"
#include "server/request/params.h"
#include "server/request/validate.h"

/* The lists that a view can show. */
static const struct view_list {
	const char *kind;
	const struct resource *resource;
	const struct filter_table *filters;
	const struct param *const *params;
} lists[] = {
    {"people", &person_resource, &people_filters, params_listed},
    {"companies", &company_resource, &company_filters, params_listed},
    {"tasks", &task_resource, &task_filters, params_tasks},
    {"objects", &object_resource, &object_filters, params_listed},
};

static const struct view_list *view_list_of(const char *kind)
{
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (strcmp(lists[i].kind, kind) == 0)
			return &lists[i];
	return NULL;
}

/* The parameter that shapes the list; NULL: the list has none of that name. Limit, cursor and count belong to a page,
 * not to a view. */
static const struct param *view_param(const struct view_list *list, const struct json *member)
{
	for (int i = 0; list->params[i]; i++)
		if (list->params[i]->shapes && strlen(list->params[i]->name) == member->key_len &&
		    memcmp(list->params[i]->name, member->key, member->key_len) == 0)
			return list->params[i];
	return NULL;
}

static void view_query_near(const void *ctx, struct near *n)
{
	const struct view_list *list = ctx;

	near_try(n, "filter", 6);
	for (int i = 0; list->params[i]; i++)
		if (list->params[i]->shapes)
			near_try(n, list->params[i]->name, strlen(list->params[i]->name));
}

/* A parameter of the list, as a search checks it. */
static void view_check_param(struct req *r, const struct param *p, const struct json *member, const struct path *at)
{
	struct param_value value = {.given = false};

	validate_param(&r->given.issues, p, member, at, &value);
	if (value.given && strcmp(p->name, "search") == 0)
		listing_split(r, &value, at);
}

static void view_check_query(struct req *r, const struct view_list *list, const struct path_value *path)
{
	struct path at = PATH_NAME(NULL, "query");
	struct issue_keys unknown;

	issue_keys_begin(&unknown, &r->given.issues, view_query_near, list, "known here");
	json_each_member(m, r->given.input->json[VIEW_QUERY]) {
		const struct param *p = view_param(list, m);
		struct path here = {.up = &at, .name = m->key, .len = m->key_len};
		if (p)
			view_check_param(r, p, m, &here);
		else if (m->key_len == 6 && memcmp(m->key, "filter", 6) == 0)
			listing_check_body(r, list->filters, path, m, &at);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	issue_keys_end(&unknown, &at);
}

static bool view_gives(const struct input *in, int field)
{
	return in->given & FIELD_BIT(field) && !in->values[field].null;
}

void validate_view_parts(struct req *r, const char *kind, const struct path_value *path, field_set parts)
{
	const struct view_list *list = view_list_of(kind);
	const struct input *in = r->given.input;
	struct path board = PATH_NAME(NULL, "board"), chart = PATH_NAME(NULL, "chart");
	bool right_form = r->given.issues.count == 0; /* else members may have other types */

	if (!list)
		return;
	if (parts & in->given & FIELD_BIT(VIEW_QUERY))
		view_check_query(r, list, path);
	struct aggregate_list totals = {list->resource, list->filters, path};
	if (right_form && parts & FIELD_BIT(VIEW_BOARD) && view_gives(in, VIEW_BOARD))
		aggregate_check_board(r, &totals, in->json[VIEW_BOARD], &board);
	if (right_form && parts & FIELD_BIT(VIEW_CHART) && view_gives(in, VIEW_CHART))
		aggregate_check_chart(r, &totals, in->json[VIEW_CHART], &chart);
}

/* The group and the type of a view of objects must be given. */
static void view_check_type(struct req *r, const struct path_value *path)
{
	struct path group = PATH_NAME(NULL, "groupId"), type = PATH_NAME(NULL, "objectType");
	struct custom_scope scope;
	enum role role;

	if (!view_gives(r->given.input, VIEW_GROUP))
		issue_required(&r->given.issues, &group, "string");
	if (!view_gives(r->given.input, VIEW_TYPE_NAME))
		issue_required(&r->given.issues, &type, "string");
	else if (!object_scope_find(&r->caller, path, &scope, &role) && scope.group) {
		issue_custom(&r->given.issues, &type, "Object type not found");
		issue_hint_near(&r->given.issues, path[1].text, path[1].len, group_types_near, scope.group, "types");
	}
}

/* The other kinds have none. */
static void view_check_no_type(struct req *r)
{
	static const int fields[] = {VIEW_GROUP, VIEW_TYPE_NAME};

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		struct path at = PATH_NAME(NULL, view_resource.fields[fields[i]].name);
		if (view_gives(r->given.input, fields[i]))
			issue_custom(&r->given.issues, &at, "Only a view of objects has this");
	}
}

void validate_view(struct req *r)
{
	const struct value *v = r->given.input->values;
	struct path_value path[2] = {
	    {.id = v[VIEW_GROUP].id}, {.text = v[VIEW_TYPE_NAME].text, .len = v[VIEW_TYPE_NAME].len}};

	if (!view_gives(r->given.input, VIEW_KIND) || !v[VIEW_KIND].text)
		return;
	if (strcmp(v[VIEW_KIND].text, "objects") == 0)
		view_check_type(r, path);
	else
		view_check_no_type(r);
	validate_view_parts(r, v[VIEW_KIND].text, path, ~(field_set)0);
}
