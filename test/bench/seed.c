/*
 * The rows of the bench as a script for psql:
 *   seed PEOPLE WORKSPACE USER
 * WORKSPACE and USER are bare UUIDs of a database that holds nothing else yet.
 * Everything follows from a row's number, so that the tables agree with each
 * other and two runs make the same database. Secondary indexes are made anew
 * behind the COPY, and triggers sleep meanwhile.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/id.h"

enum { GROUPS = 20, PEOPLE_A_COMPANY = 50, GROUPS_MAX = 2 };
enum kind { GROUP, COMPANY, PERSON };

static const int64_t begin_ms = 1704067200000; /* 2024-01-01 */
static const int64_t span_ms = 600 * INT64_C(86400000);

static const char *const firsts[] = {"Ada", "Björn", "Chidi", "Dana", "Elif", "Farid", "Grace", "Hana", "Iván", "Júlia",
    "Kofi", "Lena", "Mateo", "Nora", "Omar", "Priya", "Quinn", "Rosa", "Sven", "Tariq", "Uma", "Vera", "Wei", "Yara"};
static const char *const lasts[] = {"Abara", "Bennett", "Castillo", "Dubois", "Eriksen", "Fischer", "García", "Haddad",
    "Ibrahim", "Jansen", "Kowalska", "Lindqvist", "Moreau", "Nakamura", "Okafor", "Petrov", "Quintero", "Rossi",
    "Schmidt", "Tanaka", "Ueda", "Varga", "Weber", "Yilmaz"};
static const char *const jobs[] = {"Engineer", "Head of Sales", "Account Manager", "Founder", "Designer", "Analyst"};
static const char *const cities[] = {"Lisbon", "Oslo", "Accra", "Lyon", "Kyoto", "Bogotá", "Izmir", "Cork"};

static const char *workspace, *user;
static int64_t people;

/* splitmix64: a well mixed number for each (row, purpose). */
static uint64_t mixed(int64_t row, uint64_t purpose)
{
	uint64_t z = (uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) + purpose * UINT64_C(0xbf58476d1ce4e5b9) + 1;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int64_t made_ms(enum kind kind, int64_t row)
{
	return kind == PERSON ? begin_ms + 86400000 + row * (span_ms / people) : begin_ms + row;
}

/* A version 7 id of the moment at which the row was made. */
static const char *id(enum kind kind, int64_t row, char out[37])
{
	uint64_t ms = (uint64_t)made_ms(kind, row), random = mixed(row, 100 + kind), more = mixed(row, 200 + kind);
	struct uuid u;

	for (int i = 0; i < 6; i++)
		u.b[i] = (unsigned char)(ms >> (40 - 8 * i));
	memcpy(u.b + 6, &random, 8);
	memcpy(u.b + 14, &more, 2);
	u.b[6] = (unsigned char)(0x70 | (u.b[6] & 0x0f));
	u.b[8] = (unsigned char)(0x80 | (u.b[8] & 0x3f));
	return uuid_format(&u, out);
}

static int64_t company_count(void)
{
	return people / PEOPLE_A_COMPANY + 1;
}

/* Half of the people are in no group, the rest in one or two; answers how many. */
static int groups_of(int64_t row, int out[GROUPS_MAX])
{
	uint64_t z = mixed(row, 1);
	int n = z % 4 < 2 ? 0 : z % 4 == 2 ? 1 : 2;

	out[0] = (int)(z / 4 % GROUPS);
	out[1] = (out[0] + 1 + (int)(z / 400 % (GROUPS - 1))) % GROUPS;
	return n;
}

/* Two thirds work somewhere; -1: nowhere. */
static int64_t company_of(int64_t row)
{
	uint64_t z = mixed(row, 2);
	return z % 3 == 0 ? -1 : (int64_t)(z / 3 % (uint64_t)company_count());
}

static void put_group(int64_t row)
{
	char text[37];
	printf("%s\t%s\tGroup %" PRId64 "\tpublic\t%s\n", workspace, id(GROUP, row, text), row, user);
}

static void put_company(int64_t row)
{
	char text[37], at[TIME_TEXT_SIZE];

	time_format(made_ms(COMPANY, row), at);
	printf("%s\t%s\t%s Works %" PRId64 "\tsoftware\t{hello@works%" PRId64 ".example}\t%s\t%s\t%s\n", workspace,
	    id(COMPANY, row, text), cities[row % 8], row, row, at, user, at);
}

static void put_person(int64_t row)
{
	char text[37], at[TIME_TEXT_SIZE];
	uint64_t z = mixed(row, 3);
	const char *first = firsts[z % 24], *last = lasts[z / 24 % 24];
	int groups[GROUPS_MAX], n = groups_of(row, groups);
	int64_t company = company_of(row);

	time_format(made_ms(PERSON, row), at);
	printf("%s\t%s\t%s\t%s\t%s %s\t", workspace, id(PERSON, row, text), first, last, first, last);
	printf("Met in %s; wants to hear about release %d\t%d-%02d-%02d\t%s\t%s\t{", cities[z / 576 % 8],
	    (int)(z / 5000 % 90), (int)(1950 + z / 7000 % 55), (int)(1 + z / 11 % 12), (int)(1 + z / 13 % 28),
	    z % 5 < 2   ? "Female"
	    : z % 5 < 4 ? "Male"
	                : "\\N",
	    jobs[z / 17 % 6]);
	for (int i = 0; i < n; i++)
		printf("%s%s", i ? "," : "", id(GROUP, groups[i], text));
	printf("}\t{%s}\t", company < 0 ? "" : id(COMPANY, company, text));
	printf("{\"%d Harbour Street, %s\"}\t{p%" PRId64 "@mail.example", (int)(1 + z / 19 % 200), cities[z / 23 % 8],
	    row);
	if (z / 29 % 3 == 0)
		printf(",p%" PRId64 "@work.example", row);
	printf("}\t{+1555%07" PRId64 "}\t{https://people.example/%" PRId64 "}\t%s\t%s\t%s\n", row, row, at, user, at);
}

static void put_person_groups(int64_t row)
{
	char group[37], person[37];
	int groups[GROUPS_MAX], n = groups_of(row, groups);

	for (int i = 0; i < n; i++)
		printf("%s\t%s\t%s\n", workspace, id(GROUP, groups[i], group), id(PERSON, row, person));
}

static void put_person_company(int64_t row)
{
	char company[37], person[37];
	int64_t works_at = company_of(row);

	if (works_at >= 0)
		printf("%s\t%s\t%s\n", workspace, id(COMPANY, works_at, company), id(PERSON, row, person));
}

static const struct table {
	const char *columns;
	void (*put)(int64_t row);
} tables[] = {
    {"groups (workspace_id, id, name, visibility, created_by)", put_group},
    {"companies (workspace_id, id, name, industry, emails, created_at, created_by, updated_at)", put_company},
    {"people (workspace_id, id, first_name, last_name, full_name, description, birthday, gender, job_title, group_ids, "
     "company_ids, addresses, emails, phones, urls, created_at, created_by, updated_at)",
        put_person},
    {"person_groups (workspace_id, group_id, person_id)", put_person_groups},
    {"person_companies (workspace_id, company_id, person_id)", put_person_company},
};

static int64_t rows_of(const struct table *t)
{
	if (t->put == put_group)
		return GROUPS;
	return t->put == put_company ? company_count() : people;
}

int main(int argc, char **argv)
{
	people = argc == 4 ? strtoll(argv[1], NULL, 10) : 0;
	if (people <= 0) {
		fprintf(stderr, "usage: seed PEOPLE WORKSPACE USER\n");
		return 2;
	}
	workspace = argv[2];
	user = argv[3];
	fputs("set session_replication_role = replica;\n"
	      "set maintenance_work_mem = '256MB';\n"
	      "create temporary table later as\n"
	      "	select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index "
	      "i\n"
	      "	where i.indrelid in ('people'::regclass, 'companies'::regclass, 'person_groups'::regclass,\n"
	      "		'person_companies'::regclass)\n"
	      "	and not i.indisprimary and not exists (select from pg_constraint c where c.conindid = i.indexrelid);\n"
	      "select format('drop index %s', name) from later \\gexec\n",
	    stdout);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		printf("copy %s from stdin;\n", tables[i].columns);
		for (int64_t row = 0; row < rows_of(&tables[i]); row++)
			tables[i].put(row);
		puts("\\.");
	}
	puts("select definition from later \\gexec\n"
	     "update workspaces set version = version + 1;");
	return fflush(stdout) == 0 ? 0 : 1;
}
