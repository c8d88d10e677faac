/* The rows that a removal concerns: conditions, and the tables that link to what is deleted. */
#include "server/resource/removal_rows.h"

const struct contact_kind contact_kinds[CONTACT_KINDS] = {
    {ENTITY_PERSON, "people", "person_groups", "person_id"},
    {ENTITY_COMPANY, "companies", "company_groups", "company_id"},
};

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

void removal_rows_of_values(struct sql *s, const struct values_gone *gone, const struct owners *some)
{
	sql_add(s, " and v.field_id = ");
	sql_uuid(s, &gone->field);
	if (gone->options) {
		sql_add(s, " and v.ref_id = any (");
		sql_uuid_array(s, gone->options, gone->n_options);
		sql_add(s, ")");
	}
	removal_rows_of_owners(s, "v.owner_id", some);
}

static const struct {
	enum id_kind kind;
	struct unlinking links;
} linked[] = {
    {ID_COMPANY, {"people", "company_ids", "person_companies", "person_id", "company_id"}},
    {ID_COMPANY, {"objects", "company_ids", "object_companies", "object_id", "company_id"}},
    {ID_PERSON, {"objects", "person_ids", "object_people", "object_id", "person_id"}},
};

const struct unlinking *removal_rows_links(enum id_kind kind, int nth)
{
	for (size_t i = 0; i < sizeof linked / sizeof *linked; i++)
		if (linked[i].kind == kind && nth-- == 0)
			return &linked[i].links;
	return NULL;
}
