/* Generates contacts, always the same except for their ids. */
#include "server/command/demo_data.h"

#include "server/base/clock.h"

enum { USERS = 3, GROUPS = 2, COMPANIES = 40, PEOPLE = 300, DEALS = 60, STAGES = 3 };

/* $1: the workspace; $2: the present time; $3: users, the first is the admin; $4: groups, the first has the records;
 * $5: companies; $6: people; $7: deals; $8: their type; $9, $10: their fields; $11: options. */
static const char *const statements[] = {
    "insert into workspaces (workspace_id, name) values ($1, '" DEMO_NAME "')",
    "insert into users (workspace_id, id, email, full_name, role) "
    "select $1, u.* from unnest($3, array['" DEMO_EMAIL "', 'maria@example.com', 'sam@example.com'], "
    "array['Demo Admin', 'Maria Olsen', 'Sam Rivers'], array['admin', 'member', 'member']) u",
    "insert into groups (workspace_id, id, name, visibility, created_by) "
    "select $1, g.*, $3[1] from unnest($4, array['Customers', 'Board'], array['public', 'private']) g",
    "insert into group_members (workspace_id, group_id, user_id, role) select $1, unnest($4), $3[1], 'admin'",

    "insert into companies (workspace_id, id, name, industry, group_ids, created_at, created_by, updated_at) "
    "select $1, $5[n + 1], "
    "(array['Northwind', 'Bluefin', 'Cobalt', 'Juniper', 'Meridian', 'Orchard', 'Quarry', 'Saffron'])[n % 8 + 1] || "
    "' ' || (array['Labs', 'Works', 'Partners', 'Foods', 'Systems'])[n / 8 % 5 + 1], "
    "(array['Software', 'Logistics', 'Energy', 'Retail'])[n % 4 + 1], array[$4[1]], $2, $3[1], $2 "
    "from generate_series(0, cardinality($5) - 1) n",
    "insert into company_groups (workspace_id, group_id, company_id) "
    "select workspace_id, unnest(group_ids), id from companies where workspace_id = $1",

    "insert into people (workspace_id, id, first_name, last_name, full_name, job_title, emails, company_ids, "
    "group_ids, created_at, created_by, updated_at) select $1, $6[n + 1], first, last, first || ' ' || last, "
    "(array['Engineer', 'Head of Sales', 'Founder', 'Buyer', 'Analyst', 'CTO'])[n % 6 + 1], "
    "array[lower(first || '.' || last) || '@example.com'], array[$5[n % cardinality($5) + 1]], array[$4[1]], "
    "$2, $3[1], $2 from generate_series(0, cardinality($6) - 1) n, lateral (select "
    "(array['Ada', 'Alan', 'Barbara', 'Claude', 'Donald', 'Edith', 'Frances', 'Grace', 'Hedy', 'Ivan', 'Jean', "
    "'Katherine', 'Linus', 'Margaret', 'Niklaus', 'Olga', 'Peter', 'Radia', 'Sophie', 'Tim'])[n % 20 + 1] as first, "
    "(array['Abbott', 'Berg', 'Castillo', 'Dubois', 'Eriksen', 'Fischer', 'Gupta', 'Haddad', 'Ito', 'Jansen', "
    "'Kowalski', 'Lindqvist', 'Moreau', 'Nakamura', 'Okafor'])[n / 20 % 15 + 1] as last) names",
    "insert into person_groups (workspace_id, group_id, person_id) "
    "select workspace_id, unnest(group_ids), id from people where workspace_id = $1",
    "insert into person_companies (workspace_id, company_id, person_id) "
    "select workspace_id, unnest(company_ids), id from people where workspace_id = $1",

    "insert into object_types (workspace_id, id, group_id, name, created_at) values ($1, $8, $4[1], 'Deals', $2)",
    "insert into custom_fields (workspace_id, id, group_id, type_id, entity, name, type, options, format, currency) "
    "values ($1, $9, $4[1], $8, 'object', 'Stage', 'singleSelect', "
    "(select json_agg(json_build_object('id', o.id, 'label', o.label, 'color', o.color)) from unnest($11, "
    "array['New', 'Negotiation', 'Won'], array['#4f86f7', '#fbbc05', '#34a853']) o (id, label, color)), "
    "'default', null), ($1, $10, $4[1], $8, 'object', 'Amount', 'numericField', '[]', 'currency', 'EUR')",

    /* As in every write, values are stored in the row and a second time for filters. */
    "insert into objects (workspace_id, id, group_id, type_id, name, company_ids, custom_values, created_at, "
    "created_by, updated_at) select $1, $7[n + 1], $4[1], $8, 'Deal ' || (n + 1), "
    "array[$5[n % cardinality($5) + 1]], json_build_object($9::text, $11[n % cardinality($11) + 1], $10::text, "
    "(1000 + 250 * n)::text), $2, $3[1], $2 from generate_series(0, cardinality($7) - 1) n",
    "insert into object_companies (workspace_id, company_id, object_id) "
    "select workspace_id, unnest(company_ids), id from objects where workspace_id = $1",
    "insert into field_values (workspace_id, field_id, owner_id, number_value, ref_id) "
    "select $1, v.key::uuid, o.id, case when f.type = 'numericField' then (v.value)::numeric end, "
    "case when f.type = 'singleSelect' then (v.value)::uuid end "
    "from objects o, json_each_text(o.custom_values) v, custom_fields f "
    "where o.workspace_id = $1 and f.workspace_id = $1 and f.id = v.key::uuid",
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

/* Adds a parameter of n new ids; returns the first. */
static struct uuid demo_new_ids(struct sql *s, size_t n)
{
	struct uuid ids[PEOPLE];

	for (size_t i = 0; i < n; i++)
		ids[i] = id_new();
	sql_uuid_array(s, ids, n);
	return ids[0];
}

static void demo_new_id(struct sql *s)
{
	struct uuid id = id_new();

	sql_uuid(s, &id);
}

int demo_statements(struct arena *a, struct sql ***out, struct uuid *workspace, struct uuid *admin)
{
	struct sql all, *list = arena_alloc(a, STATEMENTS * sizeof *list);

	*workspace = id_new();
	sql_begin(&all, a, NULL, workspace);
	sql_time(&all, clock_now_ms());
	*admin = demo_new_ids(&all, USERS);
	demo_new_ids(&all, GROUPS);
	demo_new_ids(&all, COMPANIES);
	demo_new_ids(&all, PEOPLE);
	demo_new_ids(&all, DEALS);
	demo_new_id(&all);
	demo_new_id(&all);
	demo_new_id(&all);
	demo_new_ids(&all, STAGES);
	*out = arena_alloc(a, STATEMENTS * sizeof **out);
	for (int i = 0; i < STATEMENTS; i++) {
		list[i] = all; /* all parameters, but a text of its own */
		sql_take(&list[i]);
		sql_add(&list[i], statements[i]);
		(*out)[i] = &list[i];
	}
	return STATEMENTS;
}
