/* Companies: deleting. Their names are handled in write_company.c. */
#include "server/resource/write.h"

static void remove_companies(struct req *r, const struct uuid *ids, size_t n)
{
	contact_remove(r, ID_COMPANY, ids, n);
}

const struct write_kind company_kind = {
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
