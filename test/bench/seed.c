/*
 * The rows of the bench as a script for psql, continued by seed.sql:
 *   seed PEOPLE WORKSPACE USER
 * WORKSPACE and USER are bare UUIDs, in an otherwise empty database. Everything is
 * derived from row numbers, so that the tables agree with each other and two runs make
 * the same database. Secondary indexes are created after the COPY, and triggers are
 * disabled meanwhile, except those that fold texts for search.
 *
 * Skewed like real data: one group with nearly everybody, one with only the newest
 * people, one with a handful; long tails of names; rare and common values, and a value
 * that only the last rows have ("kumquat"), which a walk in order of ids finds last.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/id.h"

enum { GROUPS = 20, HUGE = GROUPS, NEWEST, HANDFUL, GROUPS_ALL, PEOPLE_A_COMPANY = 5, GROUPS_MAX = 5, USERS = 20 };
enum seed_kind { GROUP, COMPANY, PERSON, USER };

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
static uint64_t mixed_number(int64_t row, uint64_t purpose)
{
	uint64_t z = (uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) + purpose * UINT64_C(0xbf58476d1ce4e5b9) + 1;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int64_t made_ms(enum seed_kind kind, int64_t row)
{
	return kind == PERSON    ? begin_ms + 86400000 + row * (span_ms / people)
	       : kind == COMPANY ? begin_ms + 86400000 + row * (span_ms / people) * PEOPLE_A_COMPANY
	                         : begin_ms + row;
}

/* The last half percent. */
static bool row_is_late(int64_t row, int64_t rows)
{
	return row >= rows - rows / 200;
}

/* A version 7 id with the row's time of creation. */
static const char *row_id(enum seed_kind kind, int64_t row, char out[37])
{
	uint64_t ms = (uint64_t)made_ms(kind, row), random = mixed_number(row, 100 + kind),
	         more = mixed_number(row, 200 + kind);
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

/* Half of the people are in none of the first groups, the rest in one or two; returns the number. */
static int groups_of(int64_t row, int out[GROUPS_MAX])
{
	uint64_t z = mixed_number(row, 1);
	int n = z % 4 < 2 ? 0 : z % 4 == 2 ? 1 : 2;

	out[0] = (int)(z / 4 % GROUPS);
	out[1] = (out[0] + 1 + (int)(z / 400 % (GROUPS - 1))) % GROUPS;
	if (z / 8000 % 10)
		out[n++] = HUGE;
	if (row_is_late(row, people))
		out[n++] = NEWEST;
	if (row % 33333 == 5)
		out[n++] = HANDFUL;
	return n;
}

/* Most rows belong to the first user, some to the next one, few to others; the last two users have the last rows,
 * and a handful. */
static const char *row_author(int64_t row, int64_t rows, char text[37])
{
	uint64_t z = mixed_number(row, 4) % 100;
	int64_t u = row % 25000 == 9         ? USERS - 1
	            : row_is_late(row, rows) ? USERS - 2
	            : z < 80                 ? -1
	            : z < 95                 ? 0
	                                     : (int64_t)(z - 94);
	return u < 0 ? user : row_id(USER, u, text);
}

/* Two thirds have a company; -1: none. */
static int64_t company_of(int64_t row)
{
	uint64_t z = mixed_number(row, 2);
	return z % 3 == 0 ? -1 : (int64_t)(z / 3 % (uint64_t)company_count());
}

static void put_group(int64_t row)
{
	char text[37];
	printf("%s\t%s\tGroup %" PRId64 "\tpublic\t%s\n", workspace, row_id(GROUP, row, text), row, user);
}

static void put_user(int64_t row)
{
	char text[37];
	printf("%s\t%s\tuser%" PRId64 "@mail.example\tUser %" PRId64 "\tmember\n", workspace, row_id(USER, row, text),
	    row, row);
}

/* Every second one in the huge group, the last ones in the newest. */
static int company_groups_of(int64_t row, int out[GROUPS_MAX])
{
	int n = 0;

	out[n++] = (int)(mixed_number(row, 5) % GROUPS);
	if (row % 2)
		out[n++] = HUGE;
	if (row_is_late(row, company_count()))
		out[n++] = NEWEST;
	return n;
}

static void put_ids(const int *groups, int n)
{
	char text[37];

	putchar('{');
	for (int i = 0; i < n; i++)
		printf("%s%s", i ? "," : "", row_id(GROUP, groups[i], text));
	putchar('}');
}

static void put_company(int64_t row)
{
	char text[37], at[TIME_TEXT_SIZE];
	uint64_t z = mixed_number(row, 6);
	bool last = row_is_late(row, company_count());
	int groups[GROUPS_MAX];

	time_format(made_ms(COMPANY, row), at);
	printf("%s\t%s\t%s Works %" PRId64 "\tMakes things in %s\t", workspace, row_id(COMPANY, row, text),
	    cities[row % 8], row, cities[z % 8]);
	if (z % 10 == 0)
		printf("\\N\t");
	else if (last)
		printf("kumquat trade\t");
	else
		printf(z % 10 < 7 ? "software\t" : z % 10 < 9 ? "retail\t" : "niche %d\t", (int)(z / 10 % 5000));
	if (z / 3 % 2)
		printf("\\N\t");
	else
		printf("%" PRIu64 "%s\t", (z / 7 % 1000) * (z / 7 % 1000) * (last ? 100000 : 10), last ? "000" : ".5");
	if (z / 11 % 3)
		printf("\\N\t");
	else
		printf("20%02d-%02d-%02d\t", last ? 30 : (int)(10 + z / 17 % 14), (int)(1 + z / 19 % 12),
		    (int)(1 + z / 23 % 28));
	if (z / 29 % 5 < 2)
		printf("\\N\t");
	else
		printf("%d\t", last ? 2025 : (int)(1900 + z / 31 % 120));
	printf("%s\t", z / 37 % 4 == 0 ? "\\N" : last ? "10000+" : z / 41 % 100 ? "1-10" : "501-1000");
	put_ids(groups, company_groups_of(row, groups));
	printf("\t{\"%d Dock Road, %s\"}\t{hello@works%" PRId64 ".example}\t{+4420%07" PRId64
	       "}\t{https://works%" PRId64 ".example}\t",
	    (int)(1 + z / 43 % 200), cities[z / 47 % 8], row, row, row);
	printf("%s\t%s\t%s\n", at, row_author(row, company_count(), text), at);
}

static void put_company_groups(int64_t row)
{
	char group[37], company[37];
	int groups[GROUPS_MAX], n = company_groups_of(row, groups);

	for (int i = 0; i < n; i++)
		printf("%s\t%s\t%s\n", workspace, row_id(GROUP, groups[i], group), row_id(COMPANY, row, company));
}

/* A tenth of the names are rare ones. */
static void put_names(uint64_t z)
{
	char first[32], last[32];

	snprintf(first, sizeof first, "%s", firsts[z % 24]);
	snprintf(last, sizeof last, "%s", lasts[z / 24 % 24]);
	if (z / 31 % 10 == 0) {
		snprintf(first, sizeof first, "Qu%" PRIu64, z / 37 % 20000);
		snprintf(last, sizeof last, "van %" PRIu64, z / 41 % 20000);
	}
	printf("%s\t%s\t%s %s\t", first, last, first, last);
}

static void put_job(int64_t row, uint64_t z)
{
	if (row_is_late(row, people) && row % 2)
		printf("Chief Kumquat Officer\t");
	else if (z / 53 % 20 == 0)
		printf("Specialist %" PRIu64 "\t", z / 59 % 10000);
	else
		printf("%s\t", z / 61 % 7 == 6 ? "" : jobs[z / 17 % 6]);
}

/* The same number in several spellings; a third have none. */
static void put_phones(int64_t row, uint64_t z)
{
	uint64_t spelling = z / 71 % 3;

	putchar('{');
	if (z / 67 % 3)
		printf(spelling == 0   ? "\"+1 (555) %03d-%04d\""
		       : spelling == 1 ? "\"+1555%03d%04d\""
		                       : "\"1-555-%03d.%04d\"",
		    (int)(row / 10000), (int)(row % 10000));
	printf("}\t");
}

static void put_emails(int64_t row, uint64_t z)
{
	putchar('{');
	if (z / 73 % 8)
		printf("%c%" PRId64 "@mail.example", z / 79 % 5 ? 'p' : 'P', row);
	if (z / 73 % 8 && z / 29 % 3 == 0)
		printf(",p%" PRId64 "@work.example", row);
	printf("}\t");
}

static void put_person(int64_t row)
{
	char text[37], at[TIME_TEXT_SIZE], company_text[37];
	uint64_t z = mixed_number(row, 3);
	int groups[GROUPS_MAX], n = groups_of(row, groups);
	int64_t company = company_of(row);
	bool last = row_is_late(row, people);

	time_format(made_ms(PERSON, row), at);
	printf("%s\t%s\t", workspace, row_id(PERSON, row, text));
	put_names(z);
	if (z / 83 % 4)
		printf("Met in %s; wants to hear about %s %d", cities[z / 576 % 8], last ? "kumquats" : "release",
		    (int)(z / 5000 % 90));
	printf("%s\t", row % 20000 == 3 ? ", zanzibar" : "");
	/* Few have birthdays. */
	if (z / 89 % 5)
		printf("\\N\t");
	else
		printf("%d-%02d-%02d\t", last ? 2015 : (int)(1950 + z / 7000 % 55), (int)(1 + z / 11 % 12),
		    (int)(1 + z / 13 % 28));
	printf("%s\t", row % 1000 == 1 ? "Other" : z % 5 < 2 ? "Female" : z % 5 < 4 ? "Male" : "\\N");
	put_job(row, z);
	put_ids(groups, n);
	printf("\t{%s}\t", company < 0 ? "" : row_id(COMPANY, company, company_text));
	printf("{\"%d Harbour Street, %s\"}\t", (int)(1 + z / 19 % 200), cities[z / 23 % 8]);
	put_emails(row, z);
	put_phones(row, z);
	printf("{https://people.example/%" PRId64 "}\t%s\t%s\t%s\n", row, at, row_author(row, people, text), at);
}

static void put_person_groups(int64_t row)
{
	char group[37], person[37];
	int groups[GROUPS_MAX], n = groups_of(row, groups);

	for (int i = 0; i < n; i++)
		printf("%s\t%s\t%s\n", workspace, row_id(GROUP, groups[i], group), row_id(PERSON, row, person));
}

static void put_person_company(int64_t row)
{
	char company[37], person[37];
	int64_t works_at = company_of(row);

	if (works_at >= 0)
		printf("%s\t%s\t%s\n", workspace, row_id(COMPANY, works_at, company), row_id(PERSON, row, person));
}

static int64_t user_count(void)
{
	return USERS;
}

static int64_t group_count(void)
{
	return GROUPS_ALL;
}

static int64_t people_count(void)
{
	return people;
}

static const struct seed_table {
	const char *columns;
	void (*put)(int64_t row);
	int64_t (*rows)(void);
} tables[] = {
    {"users (workspace_id, id, email, full_name, role)", put_user, user_count},
    {"groups (workspace_id, id, name, visibility, created_by)", put_group, group_count},
    {"companies (workspace_id, id, name, description, industry, funding_raised, last_funding_date, foundation_year, "
     "employee_range, group_ids, addresses, emails, phones, urls, created_at, created_by, updated_at)",
        put_company, company_count},
    {"people (workspace_id, id, first_name, last_name, full_name, description, birthday, gender, job_title, group_ids, "
     "company_ids, addresses, emails, phones, urls, created_at, created_by, updated_at)",
        put_person, people_count},
    {"company_groups (workspace_id, group_id, company_id)", put_company_groups, company_count},
    {"person_groups (workspace_id, group_id, person_id)", put_person_groups, people_count},
    {"person_companies (workspace_id, company_id, person_id)", put_person_company, people_count},
};

int main(int argc, char **argv)
{
	people = argc == 4 ? strtoll(argv[1], NULL, 10) : 0;
	if (people <= 0) {
		fprintf(stderr, "usage: seed PEOPLE WORKSPACE USER\n");
		return 2;
	}
	workspace = argv[2];
	user = argv[3];
	/* The triggers that fold texts stay: otherwise a job folds them while the bench measures. */
	fputs("set session_replication_role = replica;\n"
	      "alter table people enable always trigger people_search;\n"
	      "alter table companies enable always trigger companies_search;\n"
	      "set maintenance_work_mem = '512MB';\n"
	      "create temporary table later as\n"
	      "	select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index "
	      "i\n"
	      "	where i.indrelid in ('people'::regclass, 'companies'::regclass, 'person_groups'::regclass,\n"
	      "		'person_companies'::regclass, 'company_groups'::regclass, 'objects'::regclass, "
	      "'tasks'::regclass,\n"
	      "		'object_people'::regclass, 'object_companies'::regclass, 'field_values'::regclass,\n"
	      "		'interaction_counts'::regclass)\n"
	      "	and not i.indisprimary and not exists (select from pg_constraint c where c.conindid = i.indexrelid);\n"
	      "select format('drop index %s', name) from later \\gexec\n",
	    stdout);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		printf("copy %s from stdin;\n", tables[i].columns);
		for (int64_t row = 0; row < tables[i].rows(); row++)
			tables[i].put(row);
		puts("\\.");
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
