/* The rows that a removal affects: conditions, and the tables that link to the deleted record. */
#include "server/resource/removal_rows.h"

/* clang-format off */
const struct link_table link_tables[LINK_TABLES] = {
	{&person_resource,  PERSON_GROUPS,    ID_GROUP,   "person_groups",    "person_id",  "group_id"},
	{&company_resource, COMPANY_GROUPS,   ID_GROUP,   "company_groups",   "company_id", "group_id"},
	{&person_resource,  PERSON_COMPANIES, ID_COMPANY, "person_companies", "person_id",  "company_id"},
	{&object_resource,  OBJECT_COMPANIES, ID_COMPANY, "object_companies", "object_id",  "company_id"},
	{&object_resource,  OBJECT_PEOPLE,    ID_PERSON,  "object_people",    "object_id",  "person_id"},
};
/* clang-format on */

const struct link_table *link_table_to(enum id_kind kind, int nth)
{
	for (int i = 0; i < LINK_TABLES; i++)
		if (link_tables[i].kind == kind && nth-- == 0)
			return &link_tables[i];
	return NULL;
}

const struct entity_kind *removal_rows_kind(enum custom_entity entity)
{
	static const enum id_kind kinds[] = {ID_PERSON, ID_COMPANY, ID_OBJECT};

	return entity_kind_of(kinds[entity]);
}

void removal_rows_of_owners(struct sql *s, const char *column, const struct owners *some)
{
	if (!some)
		return;
	sql_addf(s, " and %s = any (", column);
	sql_uuid_array(s, some->ids, some->n);
	sql_add(s, ")");
}

void removal_rows_of_values(struct sql *s, const struct removed_values *removed, const struct owners *some)
{
	sql_add_uuid(s, " and v.field_id = ", &removed->field);
	if (removed->options) {
		sql_add_uuid_array(s, " and v.ref_id = any (", removed->options, removed->n_options);
		sql_add(s, ")");
	}
	removal_rows_of_owners(s, "v.owner_id", some);
}
