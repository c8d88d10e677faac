/* Companies: what goes when one is deleted. Their names are in write_company.c. */
#include "server/entity.h"
#include "server/event_cascade.h"
#include "server/write.h"

static void remove_companies(struct req *r, const struct uuid *ids, size_t n)
{
	struct statements st = req_statements(r);
	struct sql *s;

	cascade_entities(&st, ID_COMPANY, ids, n, NULL);
	entity_forget(&st, ids, n);
	entity_unlink(&st, ids, n, "people", "company_ids", "person_companies", "person_id", "company_id");
	entity_unlink(&st, ids, n, "objects", "company_ids", "object_companies", "object_id", "company_id");
	s = req_sql(r, "companies_delete", NULL);
	sql_add(s, "delete from companies where workspace_id = $1 and id = any (");
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
}

const struct kind company_kind = {
    .res = &company_resource,
    .entity = ENTITY_COMPANY,
    .name = COMPANY_NAME,
    .created_at = COMPANY_CREATED_AT,
    .created_by = COMPANY_CREATED_BY,
    .updated_at = COMPANY_UPDATED_AT,
    .custom = COMPANY_CUSTOM,
    .groups = COMPANY_GROUPS,
    .companies = -1,
    .people = -1,
    .emails = COMPANY_EMAILS,
    .group_links = {"company_groups", "company_id", "group_id"},
    .lock = "companies_lock",
    .insert = "companies_insert",
    .remove = remove_companies,
};
