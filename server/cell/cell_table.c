/* The tables of a workspace. A test compares them with the catalogue: every new table must be in one of the two lists.
 */
#include "server/cell/cell_table.h"

#include <string.h>

#define PART(id) "(uuid_hash(" id ") & 4095)"
#define HASH_PART(hash) "((get_byte(" hash ", 1) & 15) * 256 + get_byte(" hash ", 0))"

static const char same_email[] = "lower(t.email) = lower(s.email)", same_company[] = "t.name = s.name and s.name <> ''",
                  same_type[] =
                      "t.group_id = s.group_id and t.name = s.name and t.removed_at is null and s.removed_at is null",
                  same_field[] =
                      "t.group_id = s.group_id and t.entity = s.entity and t.type_id is not distinct from s.type_id "
                      "and t.name = s.name and t.removed_at is null and s.removed_at is null",
                  same_key[] = "t.id = s.id", same_account[] = "t.user_id = s.user_id and t.issuer = s.issuer",
                  same_card[] = "t.company = s.company and t.uid = s.uid and t.uid <> ''",
                  same_place[] = "t.user_id = s.user_id and t.book = s.book and t.record_id = s.record_id";

/* clang-format off */
const struct cell_table cell_tables[] = {
    {"workspaces",         "",                                  "0"},
    {"users",              "id",                                PART("id"), "email", same_email},
    {"api_keys",           "key_hash",                          HASH_PART("key_hash"), .same_name = same_key},
    {"invitations",        "id",                                PART("id")},
    {"groups",             "id",                                PART("id")},
    {"group_members",      "group_id, user_id",                 PART("user_id")},
    {"groups_gone",        "id",                                PART("id")},
    {"object_types",       "id",                                PART("id"), "name", same_type},
    {"custom_fields",      "id",                                PART("id"), "name", same_field},
    {"views",              "id",                                PART("id")},
    {"objects",            "id",                                PART("id")},
    {"object_people",      "person_id, object_id",              PART("object_id")},
    {"object_companies",   "company_id, object_id",             PART("object_id")},
    {"companies",          "id",                                PART("id"), "name", same_company},
    {"company_groups",     "group_id, company_id",              PART("company_id")},
    {"people",             "id",                                PART("id")},
    {"person_groups",      "group_id, person_id",               PART("person_id")},
    {"person_companies",   "company_id, person_id",             PART("person_id")},
    {"contacts_gone",      "id",                                PART("id")},
    {"contacts_merged",    "id",                                PART("id")},
    {"erasures",           "id",                                PART("id")},
    {"field_values",       NULL,                                PART("owner_id"), .owner = "owner_id"},
    {"notes",              "id",                                PART("id")},
    {"tasks",              "id",                                PART("id")},
    {"reminders",          "id",                                PART("id")},
    {"interactions",       "id",                                PART("id")},
    {"interaction_counts", "entity_id, user_id",                PART("entity_id")},
    {"events",             "generation, xid, seq, created_at",  PART("id")},
    {"webhooks",           "id",                                PART("id"), .sealed = CELL_WEBHOOK},
    {"webhooks_gone",      "id",                                PART("id")},
    {"webhook_repeats",    "webhook_id, kind",                  PART("webhook_id")},
    {"deliveries",         "webhook_id, generation, xid, seq, created_at", PART("id")},
    {"idempotency_keys",   "user_id, key_hash",                 HASH_PART("key_hash"), .sealed = CELL_ANSWER},
    {"oidc_links",         "issuer, subject",                   PART("user_id"), .same_name = same_account},
    {"contact_cards",      "record_id",                         PART("record_id"), .same_name = same_card},
    {"card_names",         "user_id, book, name",               PART("record_id"), .same_name = same_place},
    {"address_books",      "user_id, book",                     PART("user_id")},
};

const struct cell_exception cell_exceptions[] = {
    {"oauth_grants",      "an application is connected to the address of one installation; its user connects it anew"},
    {"rate_usage",        "the use of limits in the last minutes is forgotten by a crash, too"},
    {"webhook_changes",   "made by a trigger on webhooks, for the process that sends"},
    {"objects_updates",   "made by a trigger on objects"},
    {"companies_updates", "made by a trigger on companies"},
    {"people_updates",    "made by a trigger on people"},
    {"company_items",     "made by a trigger on companies"},
    {"person_items",      "made by a trigger on people"},
};
/* clang-format on */
const size_t n_cell_tables = sizeof cell_tables / sizeof *cell_tables;
const size_t n_cell_exceptions = sizeof cell_exceptions / sizeof *cell_exceptions;

const struct cell_table *cell_table_find(const char *name, size_t len)
{
	for (size_t i = 0; i < n_cell_tables; i++)
		if (strlen(cell_tables[i].name) == len && memcmp(cell_tables[i].name, name, len) == 0)
			return &cell_tables[i];
	return NULL;
}
