/* How statements are planned: those for single records once per connection, those that remove something from all
 * records that hold it each time, with their values. A policy on the tables records every statement that touches a
 * row. */
#include "test/lib/await.h"
#include "test/lib/db/cluster.h"
#include "test/lib/model/deals.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { TIMES = 3, WAIT_MS = 60000 };

/* The unnamed statement is not among the prepared ones. */
static const char spying[] =
    "create table spied (query text, name text, generic_plans bigint, custom_plans bigint, mode text); create function "
    "spy() returns boolean language plpgsql volatile security definer set search_path from current as $$ begin insert "
    "into spied select current_query(), p.name, p.generic_plans, p.custom_plans, current_setting('plan_cache_mode') "
    "from (select) one left join pg_prepared_statements p on p.statement = current_query(); return true; end $$; do $$ "
    "declare t text; begin foreach t in array array['people', 'companies', 'objects', 'field_values', 'person_groups', "
    "'company_groups', 'person_companies', 'object_people', 'object_companies', 'tasks', 'notes'] loop execute "
    "format('create policy spy on %I as restrictive to kith_serve using (spy())', t); end loop; end $$; select 1";

static const char *ids[2][TIMES];               /* people, companies */
static const char *objects[TIMES], *further[2]; /* further: a person and a company that objects refer to */

static void send_request(const char *method, const char *target, const char *body)
{
	caller_good(caller_send(&ada, method, target, NULL, body));
}

static void forget_statements(void)
{
	rows_change("delete from spied");
}

/* The number of recorded statements with this property. */
static int64_t count_met(const char *condition)
{
	return rows_count("spied where %s", condition);
}

/* Fails, and prints the statements, if any meets the condition. */
static void expect_none(const char *condition)
{
	const char *found = rows_text("select string_agg(distinct format('%%s %%s: %%s', mode, name, left(query, "
	                              "100)), e'\n') from spied where %s",
	    condition);

	if (found)
		print_message("%s\n%s\n", condition, found);
	assert_null(found);
}

/* All have a name and a generic plan. */
static void planned_once(int64_t least)
{
	expect_none("name is null or custom_plans > 0 or mode <> 'force_generic_plan'");
	assert_true(count_met("true") >= least);
}

DEALS("plans");

BEFORE_ALL()
{
	static const char *const targets[] = {"/v1/people", "/v1/companies"};
	const char *values;

	rig_int(&rig, "%s", spying);
	for (int i = 0; i < 2; i++)
		deals_field(i ? "company" : "person", "Level", "\"type\":\"textField\"");
	deals_field("deal", "Level", "\"type\":\"textField\"");
	deals_field("deal", "Contacts", "\"type\":\"contactField\"");
	deals_field("deal", "Stage", "\"type\":\"singleSelect\",\"options\":[{\"label\":\"a\"},{\"label\":\"b\"}]");
	values = TEXT("%s,\"customFieldValues\":{\"%s\":{\"Level\":\"l\"}}", deals.in_group, deals.group);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < TIMES; i++)
			ids[k][i] = deals_post(targets[k], TEXT("{%s}", values)).id;
	for (int k = 0; k < 2; k++)
		further[k] = deals_post(targets[k], TEXT("{%s}", values)).id;
	for (int i = 0; i < TIMES; i++)
		objects[i] = deals_post(deals.target,
		    TEXT("{\"people\":[{\"id\":\"%s\"}],\"companies\":[{\"id\":\"%s\"}],\"customFieldValues\":{"
		         "\"Level\":\"l\",\"Stage\":\"a\",\"Contacts\":[{\"id\":\"%s\"}]}}",
		        further[0], further[1], further[0]))
		                 .id;
}

TEST(test_reads)
{
	forget_statements();
	for (int i = 0; i < TIMES; i++) {
		send_request("GET", TEXT("/v1/people/%s", ids[0][i]), NULL);
		send_request("GET", TEXT("/v1/companies/%s", ids[1][i]), NULL);
		send_request("GET", TEXT("%s/%s", deals.target, objects[i]), NULL);
	}
	planned_once(3 * TIMES);
}

/* Selecting a page's rows is planned with values, reading rows by id once per connection. */
TEST(test_lists)
{
	rig_int(&rig, "create policy spy_lists on people as restrictive to kith_search using (spy()); select 1");
	forget_statements();
	for (int i = 0; i < 50; i++)
		send_request("GET", "/v1/people?filter[firstName][not_eq]=nobody", NULL);
	expect_none("name is not null and name <> 'person page 0 small'");
	assert_true(count_met("name is null and query like 'select length(set_config(''kith.page''%%'") > 0);
	assert_true(count_met("name = 'person page 0 small' and generic_plans > 0") > 0);
	rig_int(&rig, "drop policy spy_lists on people; select 1");
}

static void write_some(void)
{
	forget_statements();
	for (int i = 0; i < TIMES; i++) {
		send_request("PATCH", TEXT("/v1/people/%s", ids[0][i]), "{\"jobTitle\":\"j\"}");
		send_request("PATCH", TEXT("/v1/companies/%s", ids[1][i]), "{\"industry\":\"i\"}");
	}
	planned_once(2 * TIMES);
}

TEST(test_writes)
{
	write_some();
	forget_statements();
	for (int i = 0; i < TIMES; i++)
		send_request(
		    "PATCH", TEXT("%s/%s", deals.target, objects[i]), "{\"customFieldValues\":{\"Level\":\"m\"}}");
	planned_once(TIMES);
}

/* Its changes are planned with values; look-ups before need not be. */
static void takes_out(const char *method, const char *target, const char *body)
{
	forget_statements();
	send_request(method, target, body);
	expect_none("query !~ '^select' and (generic_plans > 0 or mode <> 'force_custom_plan')");
	assert_true(count_met("query ~ '^(delete|update)' and mode = 'force_custom_plan'") > 0);
}

TEST(test_deletes)
{
	const char *option =
	    rows_text("select 'grpo_' || (options -> 0 ->> 'id') from custom_fields where name = 'Stage'");

	takes_out("DELETE", TEXT("%s/%s", deals.target, objects[0]), NULL);
	takes_out("DELETE", TEXT("/v1/people/%s", further[0]), NULL);
	takes_out("DELETE", TEXT("/v1/companies/%s", further[1]), NULL);
	takes_out("PATCH", TEXT("/v1/groups/%s/custom-fields/deal/Stage", deals.group),
	    TEXT("{\"removeOptions\":[\"%s\"]}", option));
	takes_out("DELETE", TEXT("/v1/groups/%s/custom-fields/deal/Level", deals.group), NULL);
	takes_out("DELETE", TEXT("/v1/groups/%s/object-types/deal?force=true", deals.group), NULL);
	takes_out("DELETE", TEXT("/v1/groups/%s", deals.group), NULL);
	/* The connections are as before. */
	write_some();
}

/* --- the dispatcher's --------------------------------------------------------------------- */

/* Explains a statement, with values of its parameters' types. */
static const char explaining[] =
    "create function explained(query text) returns text language plpgsql as $$ declare line text; plan text := ''; "
    "given text; begin execute 'prepare explained as ' || query; select string_agg(case t.name when 'bigint' then '0' "
    "when 'uuid' then 'gen_random_uuid()' when 'timestamp with time zone' then 'now() - interval ''1 day''' when "
    "'double precision' then '0' else 'null' end, ', ' order by t.n) into given from pg_prepared_statements p, "
    "unnest(p.parameter_types::text[]) with ordinality t (name, n) where p.name = 'explained'; for line in execute "
    "format('explain (costs off) execute explained (%s)', given) loop plan := plan || line || e'\\n'; end loop; "
    "deallocate explained; return plan; end $$; create policy spy_events on events as restrictive to kith_system using "
    "(spy()); create policy spy_deliveries on deliveries as restrictive to kith_system, kith_serve, kith_search using "
    "(spy()); grant select on spied to kith_system; select 1";

/* The database to plan statements in. */
static const struct program *asked;

/* Returns the recorded statements that meet the condition "which" and whose plan, made as the server would, meets
 * the other one; NULL when there are none. */
static const char *planned_of(const char *which, const char *condition)
{
	return database_text(asked, &ada.arena,
	    TEXT("set role kith_system; set kith.workspace = 'all'; set plan_cache_mode = 'force_generic_plan'; "
	         "set enable_sort = off; set enable_seqscan = off; set enable_bitmapscan = off; "
	         "select string_agg(format('%%s %%s: %%s', name, query, plan), e'\\n') from (select name, query, "
	         "explained(replace(query, '(select $1)', '(select $1::uuid)')) as plan from (select distinct on "
	         "(name, left(query, 40)) name, query from spied "
	         "where "
	         "%s) q) p where %s",
	        which, condition));
}

static const char *plan_of(const char *condition)
{
	return planned_of("name ~ '^dispatch_(poll|scan|events|due)'", condition);
}

static void none_planned(const char *which, const char *condition)
{
	const char *found = planned_of(which, condition);

	if (found)
		print_message("%s\n", found);
	assert_null(found);
}

/* Requests that look up one delivery, the health of webhooks, and a webhook whose position is set back. */
static void deliveries_met(void)
{
	int64_t until_us = patience_ms(WAIT_MS);
	const char *hook = rows_text("select id::text from webhooks limit 1"),
	           *delivery = rows_text("select id::text from deliveries limit 1"),
	           *since = rows_text("select to_char(now() - interval '1 hour', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')");

	send_request("GET", "/v1/webhooks/health", NULL);
	send_request("GET", TEXT("/v1/webhooks/wbk_%s/deliveries/dlv_%s", hook, delivery), NULL);
	send_request("POST", TEXT("/v1/webhooks/wbk_%s/deliveries/dlv_%s/retry", hook, delivery), "{}");
	send_request("POST", TEXT("/v1/webhooks/wbk_%s/recover", hook), TEXT("{\"since\":\"%s\"}", since));
	while (count_met("name like 'dispatch_events%known'") == 0) {
		rows_change("update webhooks set position_generation = 0, position_xid = 0, version = version + 1");
		assert_true(patience_pause(until_us));
	}
}

/* The position is an index condition, also with row-level security: earlier rows are not read. */
static void well_planned(void)
{
	static const char by_id[] = "query ~ 'id >= .*id <= .* order by .\\.id limit 1'",
	                  health[] = "query ~ 'd.state = ''pending'''",
	                  by_position[] = "query ~ 'from deliveries q .* order by q.generation, q.xid, q.seq limit 1'";

	none_planned("name ~ '^dispatch_(poll|scan|events|due)'",
	    "plan ~ 'Seq Scan on (events|deliveries)|Filter: [^\\n]*(generation|next_attempt_at)'");
	assert_non_null(plan_of("name = 'dispatch_poll' and plan ~ 'Index Cond: [^\\n]*ROW\\(generation, xid\\) >='"));
	/* Nor from an index that begins with another column, which is read completely in spite of an index
	 * condition. */
	none_planned("name = 'dispatch_poll'", "plan ~ 'using events[^ ]*_pkey'");
	assert_non_null(
	    plan_of("name like 'dispatch_events%' and plan ~ 'Index Cond: [^\\n]*ROW\\(generation, xid, seq\\) >'"));
	/* A look-up of one delivery does not read all deliveries of its webhook. */
	none_planned(by_id, "plan ~ 'Filter: [^\\n]*\\mid [<>]='");
	assert_non_null(planned_of(by_id, "query ~ '^select' and plan ~ 'Index Cond: [^\\n]*id >='"));
	assert_non_null(planned_of(by_id, "query ~ '^update' and plan ~ 'Index Cond: [^\\n]*id >='"));
	/* For each webhook one event after its position. */
	assert_non_null(
	    planned_of(health, "plan ~ 'Index Cond: [^\\n]*ROW\\(e?[^ ]*generation, e?[^ ]*xid, e?[^ ]*seq\\) >'"));
	none_planned(by_position, "plan ~ 'Filter: [^\\n]*generation'");
	assert_non_null(planned_of(by_position, "name like 'dispatch_events%known'"));
	assert_non_null(planned_of(by_position, "name is null"));
}

TEST(test_dispatcher)
{
	static const char *const names[] = {"dispatch_poll", "dispatch_events", "dispatch_due", "dispatch_scan"};
	int64_t until_us = patience_ms(WAIT_MS);

	database_int(rig.program, explaining);
	deals_post("/v1/webhooks",
	    "{\"name\":\"Nowhere\",\"targetUrl\":\"http://no-such-name.invalid/\",\"subscribedEvents\":"
	    "[{\"eventType\":\"person.created\",\"filter\":{}}]}");
	forget_statements();
	for (int i = 0; i < TIMES; i++)
		deals_post("/v1/people", "{\"firstName\":\"Planned\"}");
	await_true(rows_count("deliveries where state = 'pending'") != 0);
	/* A new sender has to look for everything. */
	rig_int(&rig, "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'kith' "
	              "and datname = current_database()");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		while (count_met(TEXT("name like '%s%%'", names[i])) == 0)
			if (!patience_pause(until_us))
				fail_msg("%s was not met", names[i]);
	deliveries_met();
	rig_int(&rig, "drop policy spy_events on events; drop policy spy_deliveries on deliveries; select 1");
	asked = rig.program;
	well_planned();
}

/* A dump restores indexes in another order, and of equally good ones the newest is taken. */
TEST(test_restored)
{
	char error[CLUSTER_ERROR_SIZE] = "";
	struct cluster *other = cluster_start(error);
	struct program restored = *rig.program;
	const char *dump, *out;

	if (!other)
		fail_msg("%s", error);
	dump = TEXT("%s/dump.sql", cluster_socket_dir(other));
	assert_true(cluster_sql(other, "create database kith", NULL, 0));
	restored.database_url = TEXT("host=%s port=5432 user=postgres dbname=kith", cluster_socket_dir(other));
	assert_true(cluster_program(
	    other, (const char *const[]){"pg_dump", "-d", rig.program->database_url, "-f", dump, NULL}));
	assert_true(cluster_program(
	    other, (const char *const[]){"psql", "-X", "-q", "-d", restored.database_url, "-f", dump, NULL}));
	assert_int_equal(command_run(&restored, &ada.arena, (const char *const[]){"migrate", NULL}, &out), 0);
	database_int(&restored, "grant select on spied to kith_system; select 1");
	asked = &restored;
	well_planned();
	cluster_stop(other);
}

#define GIN                                                                                                            \
	"from pg_class c join pg_am a on a.oid = c.relam where a.amname = 'gin' and c.relkind = 'i' and "              \
	"c.relnamespace = current_schema()::regnamespace"

/* Writes append to the pending lists of GIN indexes and never merge them: a job does. */
TEST(test_pending)
{
	rig_int(&rig, "create extension if not exists pgstattuple; select 1");
	assert_number(0, "select count(*) " GIN " and not coalesce('gin_pending_list_limit=16384' = "
	                 "any (c.reloptions), false)");
	send_request("POST", "/v1/people", "{\"firstName\":\"Pending\",\"emails\":[\"pending@mail.example\"]}");
	await_true(!rig_int(&rig, "select coalesce(sum((pgstatginindex(c.oid)).pending_tuples), 0)::bigint " GIN));
}
