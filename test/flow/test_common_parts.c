/*
 * Texts that nearly all records contain: the server finds them by itself, and knows from then on which records lack
 * them, whoever writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/tables.h"
#include "server/base/json.h"
#include "test/lib/deals.h"
#include "test/lib/patience.h"

enum { RECORDS = 40, WAIT_MS = 40000 };

static struct deals d;
static char orders[160];

/* Orders of faults: as if some rows were many. */
#define SMALL "small_parts 1 errors\n"

#define TEXT(...) arena_printf(&d.ada.arena, __VA_ARGS__)

static int open_rig(void **state)
{
	(void)state;
	snprintf(orders, sizeof orders, "%s/parts-orders-%d",
	    getenv("KITH_TEST_DIR") ? getenv("KITH_TEST_DIR") : "/tmp", (int)getpid());
	rig_write(orders, SMALL);
	setenv("FAULT_FILE", orders, 1);
	deals_open(&d, "parts");
	return 0;
}

static int close_rig(void **state)
{
	(void)state;
	unsetenv("FAULT_FILE");
	unlink(orders);
	return deals_close(&d) ? 0 : -1;
}

/* --- records and lists --------------------------------------------------------------------------- */

/* A body, with a number between its two halves. */
static const char *make(const char *target, const char *before, int n, const char *after)
{
	return deals_post(&d, target, TEXT("%s%d%s", before, n, after)).id;
}

static void make_many(const char *target, const char *before, const char *after)
{
	for (int i = 0; i < RECORDS; i++)
		make(target, before, i, after);
}

static void patch(const char *target, const char *id, const char *body)
{
	deals_good(caller_send(&d.ada, "PATCH", TEXT("%s/%s", target, id), NULL, body));
}

/* How many records a list has, walked page by page; whether id is among them. */
static int listed(const char *query, const char *id, bool *among)
{
	const char *next = query, *error;
	int n = 0;

	*among = false;
	while (next) {
		struct answer r = deals_good(caller_send(&d.ada, "GET", next, NULL, NULL));
		struct json *page = json_read(&d.ada.arena, r.reply.body, r.reply.body_len, &error);
		struct json *data = json_member(page, "data"),
		            *link = json_member(json_member(data, "pagination"), "nextLink");
		for (struct json *i = json_member(data, "items")->first; i; i = i->next, n++)
			*among |= id && strcmp(json_member(i, "id")->text, id) == 0;
		next = link ? strstr(link->text, "/v1/") : NULL;
	}
	return n;
}

/* That many, in every order and by small pages too; with id among them or not. */
static void expect_list(int count, const char *query, const char *id, bool expected)
{
	static const char *const ways[] = {
	    "", "&sort=updatedAt", "&sort=-updatedAt&limit=1", "&sort=-createdAt&limit=1"};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		bool among;
		int n = listed(TEXT("%s%s", query, ways[i]), id, &among);
		if (n != count || (id && among != expected))
			fail_msg("%s%s: %d, not %d%s", query, ways[i], n, count, among ? ", with it" : "");
	}
}

/* --- parts ------------------------------------------------------------------------------------------ */

/* Waits for parts of a column with that text in them to come to a state. */
static void expect_part(const char *table, const char *column, const char *within, const char *state)
{
	int64_t until_us = patience_ms(WAIT_MS);

	while (rig_int(&d.rig,
	           "select count(*) from common_parts where table_name = '%s' and column_name = '%s' and strpos(part, "
	           "'%s') > 0 and state = '%s'",
	           table, column, within, state) == 0)
		if (!patience_pause(until_us))
			fail_msg("no %s part of %s.%s has %s", state, table, column, within);
}

/* Rows that are kept of parts of the column with that text in them. */
static int64_t kept(const char *table, const char *column, const char *within)
{
	return rig_int(&d.rig,
	    "select count(*) from part_lacks l join common_parts p on p.id = l.part_id where p.table_name = '%s' and "
	    "p.column_name = '%s' and strpos(p.part, '%s') > 0",
	    table, column, within);
}

static void test_people(void **state)
{
	static const char target[] = "/v1/people", query[] = "/v1/people?filter[urls][not_like]=HTTPS://www",
	                  with[] = "{\"urls\":[\"ftp://x\",\"https://www.people.example/";
	const char *one, *two;

	(void)state;
	one = make(target, "{\"firstName\":\"First\",\"jobTitle\":\"", 0, "\"}");
	make_many(target, with, "\"]}");
	expect_list(1, query, one, true); /* nobody knows of parts yet, or has just found them */
	expect_part("people", "urls", "https://www.people.example/", "ready");
	expect_list(1, query, one, true);
	expect_list(1, "/v1/people?filter[urls][not_like]=https&filter[firstName][eq]=First", one, true);
	expect_list(0, "/v1/people?filter[urls][not_like]=https&filter[firstName][not_eq]=First", one, false);
	expect_list(1, "/v1/people?filter[urls][not_like]=none&filter[urls][not_like]=//www.", one, true);
	expect_list(RECORDS + 1, "/v1/people?filter[urls][not_like]=https://www.people.example/x", one, true);
	expect_list(RECORDS + 1, "/v1/people?combinator=or&filter[urls][not_like]=https&filter[firstName][not_eq]=x",
	    one, true);

	two = make(target, "{\"firstName\":\"Second\",\"urls\":[\"gopher://", 2, "\"]}");
	expect_list(2, query, two, true);
	patch(target, one, "{\"urls\":[\"Https://WWW.people.example/\"]}");
	expect_list(1, query, one, false);
	assert_int_equal(kept("people", "urls", "https://www"), 1);
	patch(target, one, "{\"urls\":[\"http://www.people.example/\"]}");
	expect_list(2, query, one, true);
	patch(target, one, "{\"firstName\":\"Renamed\"}");
	expect_list(2, query, one, true);
	deals_good(caller_send(&d.ada, "DELETE", TEXT("%s/%s", target, two), NULL, NULL));
	expect_list(1, query, two, false);
	assert_int_equal(rig_int(&d.rig, "select count(*) from part_lacks where row_id = '%s'", two + 4), 0);
	/* That is where they are read from. */
	rig_int(&d.rig, "with x as (delete from part_lacks where row_id = '%s' returning 1) select count(*) from x",
	    one + 4);
	expect_list(0, query, one, false);
	patch(target, one, "{\"urls\":[]}");
	expect_list(1, query, one, true);
}

static void test_companies_and_objects(void **state)
{
	const char *deals = TEXT("%s?filter[name][not_like]=deal", d.target), *one, *other;

	(void)state;
	one = make("/v1/companies", "{\"emails\":[],\"name\":\"None ", 0, "\"}");
	make_many("/v1/companies", "{\"emails\":[\"hello@Works.example\"],\"name\":\"c", "\"}");
	other = make(d.target, "{\"name\":\"Offer ", 0, "\"}");
	make_many(d.target, "{\"name\":\"Big Deal ", "\"}");
	expect_part("companies", "emails", "@works.example", "ready");
	expect_part("objects", "name", "big deal ", "ready");
	expect_list(1, "/v1/companies?filter[emails][not_like]=@", one, true);
	expect_list(1, deals, other, true);
	patch(d.target, other, "{\"name\":\"A deal\"}");
	expect_list(0, deals, other, false);
	other = make(d.target, "{\"name\":\"Offer ", 2, "\"}");
	expect_list(1, deals, other, true);
}

/* --- who writes meanwhile ------------------------------------------------------------------------------ */

static void run(PGconn *c, const char *sql)
{
	PGresult *r = PQexec(c, sql);

	if (PQresultStatus(r) != PGRES_COMMAND_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(c));
	PQclear(r);
}

/* A transaction that wrote before the part was there, and commits when it is. */
static void test_unseen(void **state)
{
	static const char query[] = "/v1/people?filter[jobTitle][not_like]=smith";
	PGconn *c = PQconnectdb(d.rig.program->database_url);
	bool among;

	(void)state;
	assert_int_equal(PQstatus(c), CONNECTION_OK);
	rig_write(orders, SMALL "parts_wait 1 errors\n");
	for (int64_t until_us = patience_ms(1000); patience_pause(until_us);)
		; /* a run under way ends */
	rig_int(&d.rig, "with x as (update people set job_title = 'Locksmith' returning 1) select count(*) from x");
	run(c, "begin");
	run(c, "update people set job_title = 'Clerk' where id = (select id from people order by id limit 1)");
	rig_write(orders, SMALL);
	expect_part("people", "job_title", "locksmith", "filling");
	/* It waits for whoever may not have seen it, and nobody's list is wrong meanwhile. */
	for (int64_t until_us = patience_ms(7000); patience_pause(until_us);)
		assert_int_equal(
		    rig_int(&d.rig, "select count(*) from common_parts where column_name = 'job_title' and "
		                    "state = 'ready'"),
		    0);
	assert_int_equal(listed(query, NULL, &among), 0);
	run(c, "commit");
	assert_int_equal(listed(query, NULL, &among), 1);
	expect_part("people", "job_title", "locksmith", "ready");
	expect_list(1, query, NULL, true);
	PQfinish(c);
}

/* --- killed ---------------------------------------------------------------------------------------------- */

static void kill_both(const char *point, int hit)
{
	int64_t until_us = patience_ms(WAIT_MS);

	rig_write(orders, TEXT(SMALL "%s %d kill\n", point, hit));
	while (server_alive(d.servers[0]) && server_alive(d.servers[1]))
		assert_true(patience_pause(until_us));
	rig_write(orders, SMALL "parts_wait 1 errors\n");
	for (int i = 0; i < 2; i++) {
		assert_true(server_kill(d.servers[i]));
		d.servers[i] = rig_serve(&d.rig, false, NULL);
	}
	caller_turn(&d.ada, d.servers[0]->base);
}

/* Whoever dies while rows are read leaves the rest to others: each row that lacks the part is kept at last. */
static void test_killed(void **state)
{
	static const char *const points[] = {"parts_commit", "parts_committed"};
	bool among;

	(void)state;
	rig_int(&d.rig,
	    "with x as (update companies set description = 'Known ' || name where name <> 'c3' returning 1) "
	    "select count(*) from x");
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		for (int hit = 1; hit <= 3; hit++) {
			kill_both(points[i], hit);
			assert_int_equal(listed("/v1/companies?filter[description][not_like]=Known", NULL, &among), 1);
		}
	rig_write(orders, SMALL);
	expect_part("companies", "description", "known ", "ready");
	assert_true(kept("companies", "description", "known ") > 0);
	assert_int_equal(
	    rig_int(&d.rig,
	        "select count(*) from (select p.id, t.id from common_parts p join companies t on "
	        "t.workspace_id = p.workspace_id where p.table_name = 'companies' and p.state = 'ready' and "
	        "kith_lacks(companies_text(t, p.column_name), p.part) except select part_id, row_id from "
	        "part_lacks) missing"),
	    0);
	expect_list(1, "/v1/companies?filter[description][not_like]=Known", NULL, true);
}

/* --- what is given up -------------------------------------------------------------------------------------- */

/* What more and more lack is given up, and found the slow way. */
static void test_given_up(void **state)
{
	static const char query[] = "/v1/companies?filter[emails][not_like]=works";
	int64_t until_us;

	(void)state;
	expect_part("companies", "emails", "@works.example", "ready");
	for (int i = 0; i < 20; i++)
		make("/v1/companies", "{\"emails\":[\"hello@other.example\"],\"name\":\"d", i, "\"}");
	expect_list(21, query, NULL, true);
	expect_part("companies", "emails", "@works.example", "rare");
	for (until_us = patience_ms(WAIT_MS); kept("companies", "emails", "@works") > 0;)
		assert_true(patience_pause(until_us));
	make("/v1/companies", "{\"emails\":[\"hello@other.example\"],\"name\":\"e", 0, "\"}");
	expect_list(22, query, NULL, true);
	assert_int_equal(kept("companies", "emails", "@works"), 0);
	/* So is what is kept of a part that is no more. */
	rig_int(&d.rig, "with x as (insert into part_lacks select workspace_id, gen_random_uuid(), id from companies "
	                "returning 1) select count(*) from x");
	while (rig_int(&d.rig, "select count(*) from part_lacks l where not exists (select from common_parts p where "
	                       "p.id = l.part_id)") > 0)
		assert_true(patience_pause(until_us));
}

#define LISTS                                                                                                          \
	"\"emails\":[\"b@x.org\",\"a@x.org\"],\"phones\":[\"2\",\"1\"],\"addresses\":[\"B\",\"A\"],"                   \
	"\"urls\":[\"ftp://b\",\"ftp://a\"]"

/* The triggers know every column that has the operator. */
static void test_columns(void **state)
{
	static const struct filter_table *const tables[] = {&people_filters, &company_filters, &object_filters};
	int columns = 0;

	(void)state;
	deals_post(&d, "/v1/people",
	    "{\"firstName\":\"F\",\"lastName\":\"L\",\"jobTitle\":\"J\",\"description\":\"D\"," LISTS "}");
	deals_post(&d, "/v1/companies",
	    "{\"name\":\"N\",\"description\":\"D\",\"industry\":\"I\",\"employeeRange\":\"1-10\"," LISTS "}");
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
		const char *table = tables[t]->resource->table;
		for (int i = 0; i < tables[t]->n_fields; i++) {
			const struct filter_field *f = &tables[t]->fields[i];
			if (!(f->ops & 1u << FILTER_LIKE))
				continue;
			columns++;
			/* Rows whose text is not the column's own, and whether any has one. */
			assert_int_equal(
			    rig_int(&d.rig,
			        "select count(*) filter (where coalesce(%s_text(t, '%s'), '') <> c.text) + "
			        "(count(*) filter (where c.text <> '') = 0)::int from %s t, lateral (select "
			        "coalesce(case jsonb_typeof(j) when 'array' then (select string_agg(i, e'\\n' "
			        "order by n) from jsonb_array_elements_text(j) with ordinality e(i, n)) else "
			        "j #>> '{}' end, '') as text from to_jsonb(t.%s) j) c",
			        table, f->column, table, f->column),
			    0);
			assert_int_equal(rig_int(&d.rig,
			                     "select count(*) from pg_trigger g join pg_attribute a on a.attrelid = "
			                     "g.tgrelid and a.attnum = any (g.tgattr) where g.tgname = '%s_lacks' and "
			                     "a.attname = '%s'",
			                     table, f->column),
			    1);
		}
	}
	assert_int_equal(columns, 9 + 8 + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_people),
	    cmocka_unit_test(test_companies_and_objects),
	    cmocka_unit_test(test_unseen),
	    cmocka_unit_test(test_killed),
	    cmocka_unit_test(test_given_up),
	    cmocka_unit_test(test_columns),
	};
	return cmocka_run_group_tests(tests, open_rig, close_rig);
}
