/* Generates contacts, always the same except for their ids. */
#include "server/demo_data.h"

#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"

enum { COMPANIES = 40, PEOPLE = 300, DEALS = 60, STAGES = 3, STATEMENTS = 24 };

struct maker {
	struct arena *arena;
	struct sql **list;
	int n;
	struct uuid workspace, admin, customers, board, type, stage, amount;
	struct uuid options[STAGES], companies[COMPANIES], people[PEOPLE], deals[DEALS];
	int64_t now;
};

static const char *const first_names[] = {"Ada", "Alan", "Barbara", "Claude", "Donald", "Edith", "Frances", "Grace",
    "Hedy", "Ivan", "Jean", "Katherine", "Linus", "Margaret", "Niklaus", "Olga", "Peter", "Radia", "Sophie", "Tim"};
static const char *const last_names[] = {"Abbott", "Berg", "Castillo", "Dubois", "Eriksen", "Fischer", "Gupta",
    "Haddad", "Ito", "Jansen", "Kowalski", "Lindqvist", "Moreau", "Nakamura", "Okafor"};
static const char *const company_words[] = {
    "Northwind", "Bluefin", "Cobalt", "Juniper", "Meridian", "Orchard", "Quarry", "Saffron"};
static const char *const company_kinds[] = {"Labs", "Works", "Partners", "Foods", "Systems"};
static const char *const industries[] = {"Software", "Logistics", "Energy", "Retail"};
static const char *const titles[] = {"Engineer", "Head of Sales", "Founder", "Buyer", "Analyst", "CTO"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct sql *demo_statement(struct maker *m)
{
	struct sql *s = m->list[m->n++] = arena_alloc(m->arena, sizeof *s);

	sql_begin(s, m->arena, NULL, &m->workspace);
	return s;
}

static void demo_make_ids(struct uuid *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ids[i] = id_new();
}

/* An array parameter of generated texts. */
static void bind_texts(struct maker *m, struct sql *s, size_t n, char *(*text)(struct arena *a, size_t i))
{
	const char **items = arena_alloc(m->arena, n * sizeof *items);
	size_t *lens = arena_alloc(m->arena, n * sizeof *lens);

	for (size_t i = 0; i < n; i++) {
		items[i] = text(m->arena, i);
		lens[i] = strlen(items[i]);
	}
	sql_text_array(s, items, lens, n);
}

static char *first_name(struct arena *a, size_t i)
{
	return arena_dupz(a, first_names[i % COUNT(first_names)]);
}
static char *last_name(struct arena *a, size_t i)
{
	return arena_dupz(a, last_names[i / COUNT(first_names) % COUNT(last_names)]);
}
static char *job_title(struct arena *a, size_t i)
{
	return arena_dupz(a, titles[i % COUNT(titles)]);
}
static char *company_industry(struct arena *a, size_t i)
{
	return arena_dupz(a, industries[i % COUNT(industries)]);
}
static char *company_name(struct arena *a, size_t i)
{
	return arena_printf(a, "%s %s", company_words[i % COUNT(company_words)],
	    company_kinds[i / COUNT(company_words) % COUNT(company_kinds)]);
}
static char *deal_name(struct arena *a, size_t i)
{
	return arena_printf(a, "Deal %zu", i + 1);
}

static void make_workspace(struct maker *m)
{
	struct sql *s = demo_statement(m);

	sql_add(s, "insert into workspaces (workspace_id, name) values ($1, ");
	sql_textz(s, DEMO_NAME);
	sql_add(s, ")");
}

static void make_users(struct maker *m)
{
	static const char *const others[][2] = {
	    {"maria@example.com", "Maria Olsen"}, {"sam@example.com", "Sam Rivers"}};
	struct sql *s = demo_statement(m);

	sql_add(s, "insert into users (workspace_id, id, email, full_name, role) values ($1, ");
	sql_uuid(s, &m->admin);
	sql_add(s, ", ");
	sql_textz(s, DEMO_EMAIL);
	sql_add(s, ", 'Demo Admin', 'admin')");
	for (size_t i = 0; i < COUNT(others); i++) {
		struct uuid id = id_new();
		sql_add(s, ", ($1, ");
		sql_uuid(s, &id);
		sql_add(s, ", ");
		sql_textz(s, others[i][0]);
		sql_add(s, ", ");
		sql_textz(s, others[i][1]);
		sql_add(s, ", 'member')");
	}
}

static void demo_make_group(struct maker *m, struct uuid *id, const char *name, const char *visibility)
{
	struct sql *s = demo_statement(m);

	*id = id_new();
	sql_add(s, "insert into groups (workspace_id, id, name, visibility, created_by) values ($1, ");
	sql_uuid(s, id);
	sql_add(s, ", ");
	sql_textz(s, name);
	sql_add(s, ", ");
	sql_textz(s, visibility);
	sql_add(s, ", ");
	sql_uuid(s, &m->admin);
	sql_add(s, ")");
	s = demo_statement(m);
	sql_add(s, "insert into group_members (workspace_id, group_id, user_id, role) values ($1, ");
	sql_uuid(s, id);
	sql_add(s, ", ");
	sql_uuid(s, &m->admin);
	sql_add(s, ", 'admin')");
}

/* created_at, created_by, updated_at; " from ". */
static void select_stamps(struct maker *m, struct sql *s)
{
	sql_time(s, m->now);
	sql_add(s, ", ");
	sql_uuid(s, &m->admin);
	sql_add(s, ", ");
	sql_time(s, m->now);
	sql_add(s, " from unnest(");
}

static void make_companies(struct maker *m)
{
	struct sql *s = demo_statement(m);

	sql_add(s,
	    "insert into companies (workspace_id, id, name, industry, group_ids, created_at, created_by, updated_at) "
	    "select $1, id, name, industry, array[");
	sql_uuid(s, &m->customers);
	sql_add(s, "], ");
	select_stamps(m, s);
	sql_uuid_array(s, m->companies, COMPANIES);
	sql_add(s, ", ");
	bind_texts(m, s, COMPANIES, company_name);
	sql_add(s, ", ");
	bind_texts(m, s, COMPANIES, company_industry);
	sql_add(s, ") n (id, name, industry)");
	s = demo_statement(m);
	sql_add(s, "insert into company_groups (workspace_id, group_id, company_id) "
	           "select workspace_id, unnest(group_ids), id from companies where workspace_id = $1");
}

static void make_people(struct maker *m)
{
	struct uuid employers[PEOPLE];
	struct sql *s = demo_statement(m);

	for (size_t i = 0; i < PEOPLE; i++)
		employers[i] = m->companies[i % COMPANIES];
	sql_add(s,
	    "insert into people (workspace_id, id, first_name, last_name, full_name, job_title, emails, company_ids, "
	    "group_ids, created_at, created_by, updated_at) select $1, id, first, last, first || ' ' || last, title, "
	    "array[lower(first || '.' || last) || '@example.com'], array[employer], array[");
	sql_uuid(s, &m->customers);
	sql_add(s, "], ");
	select_stamps(m, s);
	sql_uuid_array(s, m->people, PEOPLE);
	sql_add(s, ", ");
	bind_texts(m, s, PEOPLE, first_name);
	sql_add(s, ", ");
	bind_texts(m, s, PEOPLE, last_name);
	sql_add(s, ", ");
	bind_texts(m, s, PEOPLE, job_title);
	sql_add(s, ", ");
	sql_uuid_array(s, employers, PEOPLE);
	sql_add(s, ") n (id, first, last, title, employer)");
	s = demo_statement(m);
	sql_add(s, "insert into person_groups (workspace_id, group_id, person_id) "
	           "select workspace_id, unnest(group_ids), id from people where workspace_id = $1");
	s = demo_statement(m);
	sql_add(s, "insert into person_companies (workspace_id, company_id, person_id) "
	           "select workspace_id, unnest(company_ids), id from people where workspace_id = $1");
}

static void make_fields(struct maker *m)
{
	char ids[STAGES][37];
	struct sql *s = demo_statement(m);
	const char *options;

	demo_make_ids(m->options, STAGES);
	m->type = id_new();
	m->stage = id_new();
	m->amount = id_new();
	sql_add(s, "insert into object_types (workspace_id, id, group_id, name, created_at) values ($1, ");
	sql_uuid(s, &m->type);
	sql_add(s, ", ");
	sql_uuid(s, &m->customers);
	sql_add(s, ", 'Deals', ");
	sql_time(s, m->now);
	sql_add(s, ")");
	for (size_t i = 0; i < STAGES; i++)
		uuid_format(&m->options[i], ids[i]);
	options = arena_printf(m->arena,
	    "[{\"id\":\"%s\",\"label\":\"New\",\"color\":\"#4f86f7\"},{\"id\":\"%s\",\"label\":\"Negotiation\","
	    "\"color\":\"#fbbc05\"},"
	    "{\"id\":\"%s\",\"label\":\"Won\",\"color\":\"#34a853\"}]",
	    ids[0], ids[1], ids[2]);
	s = demo_statement(m);
	sql_add(s, "insert into custom_fields (workspace_id, id, group_id, type_id, entity, name, type, options, "
	           "format, currency) "
	           "values ($1, ");
	sql_uuid(s, &m->stage);
	sql_add(s, ", ");
	sql_uuid(s, &m->customers);
	sql_add(s, ", ");
	sql_uuid(s, &m->type);
	sql_add(s, ", 'object', 'Stage', 'singleSelect', ");
	sql_json(s, options, strlen(options));
	sql_add(s, ", 'default', null), ($1, ");
	sql_uuid(s, &m->amount);
	sql_add(s, ", ");
	sql_uuid(s, &m->customers);
	sql_add(s, ", ");
	sql_uuid(s, &m->type);
	sql_add(s, ", 'object', 'Amount', 'numericField', '[]', 'currency', 'EUR')");
}

/* Values are stored in the row, and again for filters, as by every write. */
static void make_deals(struct maker *m)
{
	struct uuid customers[DEALS], options[DEALS];
	int64_t amounts[DEALS];
	struct sql *s = demo_statement(m);

	for (size_t i = 0; i < DEALS; i++) {
		customers[i] = m->companies[i % COMPANIES];
		options[i] = m->options[i % STAGES];
		amounts[i] = (int64_t)(1000 + 250 * i);
	}
	sql_add(s, "insert into objects (workspace_id, id, group_id, type_id, name, company_ids, custom_values, "
	           "created_at, created_by, "
	           "updated_at) select $1, id, ");
	sql_uuid(s, &m->customers);
	sql_add(s, ", ");
	sql_uuid(s, &m->type);
	sql_add(s, ", name, array[customer], json_build_object(");
	sql_uuid(s, &m->stage);
	sql_add(s, "::text, option, ");
	sql_uuid(s, &m->amount);
	sql_add(s, "::text, amount::text), ");
	select_stamps(m, s);
	sql_uuid_array(s, m->deals, DEALS);
	sql_add(s, ", ");
	bind_texts(m, s, DEALS, deal_name);
	sql_add(s, ", ");
	sql_uuid_array(s, customers, DEALS);
	sql_add(s, ", ");
	sql_uuid_array(s, options, DEALS);
	sql_add(s, ", ");
	sql_int8_array(s, amounts, DEALS);
	sql_add(s, ") n (id, name, customer, option, amount)");
	s = demo_statement(m);
	sql_add(s, "insert into object_companies (workspace_id, company_id, object_id) "
	           "select workspace_id, unnest(company_ids), id from objects where workspace_id = $1");
	s = demo_statement(m);
	sql_add(s, "insert into field_values (workspace_id, field_id, owner_id, number_value, ref_id) "
	           "select $1, v.key::uuid, o.id, case when f.type = 'numericField' then (v.value)::numeric end, "
	           "case when f.type = 'singleSelect' then (v.value)::uuid end "
	           "from objects o, json_each_text(o.custom_values) v, custom_fields f "
	           "where o.workspace_id = $1 and f.workspace_id = $1 and f.id = v.key::uuid");
}

int demo_statements(struct arena *a, struct sql ***out, struct uuid *workspace, struct uuid *admin)
{
	struct maker *m = arena_alloc(a, sizeof *m);

	m->arena = a;
	m->list = arena_alloc(a, STATEMENTS * sizeof *m->list);
	m->workspace = id_new();
	m->admin = id_new();
	m->now = clock_now_ms();
	demo_make_ids(m->companies, COMPANIES);
	demo_make_ids(m->people, PEOPLE);
	demo_make_ids(m->deals, DEALS);
	make_workspace(m);
	make_users(m);
	demo_make_group(m, &m->customers, "Customers", "public");
	demo_make_group(m, &m->board, "Board", "private");
	make_companies(m);
	make_people(m);
	make_fields(m);
	make_deals(m);
	*out = m->list;
	*workspace = m->workspace;
	*admin = m->admin;
	return m->n;
}
