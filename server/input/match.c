/* Reads the member "match" of an upsert. */
#include "server/input/match.h"

#include <string.h>

#include "server/input/custom.h"
#include "store/resources.h"

static const char custom_prefix[] = "customFieldValues.";
enum { CUSTOM_PREFIX_LEN = sizeof custom_prefix - 1 };

static const char *const person_names[] = {"emails", "phones", "urls", "fullName", NULL};
static const char *const company_names[] = {"emails", "phones", "urls", "name", NULL};
static const char *const object_names[] = {"name", NULL};

static const struct {
	const struct filter_table *table;
	const char *const *names;
} rows[] = {{&people_filters, person_names}, {&company_filters, company_names}, {&object_filters, object_names}};

static int match_row(const struct resource *res)
{
	int i = 0;

	while (rows[i].table->resource != res)
		i++;
	return i;
}

const char *const *match_names(const struct resource *res)
{
	return rows[match_row(res)].names;
}

/* "<group id>.<name>" for people and companies, "<name>" for objects. NULL: the viewer has no such field. */
static const struct custom_field *match_find_custom(const struct custom_scope *s, const char *name, size_t len)
{
	const struct group *g = s->group;
	struct uuid id;

	if (s->entity == ENTITY_OBJECT)
		return group_field(g, s->entity, &s->type->id, name, len);
	if (len <= ID_LEN || name[ID_LEN] != '.' || !id_parse(ID_GROUP, name, ID_LEN, &id))
		return NULL;
	g = visible_group(s->ws, &id, s->viewer);
	return g ? group_field(g, s->entity, NULL, name + ID_LEN + 1, len - ID_LEN - 1) : NULL;
}

static bool match_read_custom(
    struct reading *rd, const char *name, size_t len, const struct path *at, struct match *out)
{
	out->custom = match_find_custom(rd->scope, name, len);
	if (!out->custom) {
		issue_custom(rd->shape, at, "Unknown custom field");
		return false;
	}
	out->field = filter_custom_field(custom_type_name(out->custom->type));
	if (!(out->field->ops & 1u << FILTER_EQ)) {
		issue_custom(
		    rd->shape, at, "Records can be matched only by custom fields for a text, a number or a date");
		return false;
	}
	return true;
}

bool match_read(
    struct reading *rd, const struct resource *res, const struct json *json, const struct path *at, struct match *out)
{
	int row = match_row(res);
	const char *const *name = rows[row].names;

	*out = (struct match){NULL};
	if (json->type != JSON_STRING) {
		issue_type(rd->shape, at, "string", json);
		return false;
	}
	out->name = json->text;
	if (json->len > CUSTOM_PREFIX_LEN && memcmp(json->text, custom_prefix, CUSTOM_PREFIX_LEN) == 0)
		return !rd->scope ||
		       match_read_custom(rd, json->text + CUSTOM_PREFIX_LEN, json->len - CUSTOM_PREFIX_LEN, at, out);
	while (*name && (strlen(*name) != json->len || memcmp(*name, json->text, json->len) != 0))
		name++;
	if (*name)
		out->field = filter_field_find(rows[row].table, json->text, json->len);
	else
		issue_choice(rd->shape, at, rows[row].names, json->text, json->len);
	return *name != NULL;
}
