/* See held.h. */
#include "test/lib/model/held.h"

#include <stdlib.h>
#include <string.h>

#include "test/lib/patience.h"

struct held held;

void held_serve(const char *faults)
{
	rig_write(rig.orders, faults);
	for (int i = 0; i < HELD_SERVERS; i++)
		servers[i] = rig_serve(&rig, false, NULL);
	caller_turn(&ada, servers[0]->base);
	caller_turn(&ben, servers[1]->base);
}

void held_open(void)
{
	flow_open(&(const struct rig_plan){.name = "removals", .servers = RIG_NO_SERVER, .neighbour = true});
	setenv("FAULT_FILE", rig.orders, 1);
	database_int(rig.program, "create table marks (mark bigint); insert into marks values (0); select 1");
	held_serve(HELD_WAITING);
}

/* --- the world ----------------------------------------------------------------------------- */

static void make_fields(const char *entity)
{
	MAKE("{\"name\":\"Level\",\"type\":\"textField\"}", "/v1/groups/%s/custom-fields/%s", held.group, entity);
	MAKE("{\"name\":\"Tier\",\"type\":\"singleSelect\",\"options\":[{\"label\":\"a\"},{\"label\":\"b\"}]}",
	    "/v1/groups/%s/custom-fields/%s", held.group, entity);
	MAKE("{\"name\":\"Tags\",\"type\":\"multipleSelect\",\"options\":[{\"label\":\"x\"},{\"label\":\"y\"},"
	     "{\"label\":\"z\"}]}",
	    "/v1/groups/%s/custom-fields/%s", held.group, entity);
}

void held_make(const char *visibility)
{
	const char *in;

	held.group = POST(TEXT("{\"name\":\"Big\",\"visibility\":\"%s\"}", visibility), "/v1/groups");
	held.kept = POST("{\"name\":\"Kept\",\"visibility\":\"public\"}", "/v1/groups");
	MAKE("{\"name\":\"Deal\"}", "/v1/groups/%s/object-types", held.group);
	MAKE("{\"name\":\"Thing\"}", "/v1/groups/%s/object-types", held.group);
	make_fields("person");
	make_fields("company");
	make_fields("Deal");
	MAKE("{\"name\":\"Deals\",\"type\":\"objectField\"}", "/v1/groups/%s/custom-fields/person", held.group);
	in = TEXT("\"groups\":[{\"id\":\"%s\"},{\"id\":\"%s\"}],\"customFieldValues\":{\"%s\":{\"Level\":\"l\","
	          "\"Tier\":\"a\",\"Tags\":[\"x\",\"y\",\"z\"]}}",
	    held.group, held.kept, held.group);
	for (int i = 0; i < HELD_PEOPLE; i++)
		held.people[i] = POST(TEXT("{\"firstName\":\"P%d\",%s}", i, in), "/v1/people");
	for (int i = 0; i < HELD_COMPANIES; i++)
		held.companies[i] = POST(TEXT("{\"description\":\"C%d\",%s}", i, in), "/v1/companies");
	for (int i = 0; i < HELD_OBJECTS; i++)
		held.objects[i] = POST(TEXT("{\"name\":\"O%d\",\"people\":[{\"id\":\"%s\"}],\"customFieldValues\":{"
		                            "\"Level\":\"l\",\"Tier\":\"b\",\"Tags\":[\"x\"]}}",
		                           i, held.people[i % HELD_PEOPLE]),
		    "/v1/groups/%s/Deal", held.group);
	held.note =
	    POST(TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", held.objects[1]),
	        "/v1/notes");
	held.task = POST(TEXT("{\"entity\":{\"id\":\"%s\"},\"title\":\"t\",\"dueAt\":\"2026-01-31\"}", held.objects[5]),
	    "/v1/tasks");
	held.reminder = POST(TEXT("{\"entity\":{\"id\":\"%s\"},\"name\":\"r\",\"visibility\":\"private\","
	                          "\"recurrenceRule\":\"DTSTART:20300101T000000Z\\nRRULE:COUNT=1\"}",
	                         held.objects[2]),
	    "/v1/reminders");
	for (int i = 0; i < HELD_PEOPLE; i++)
		caller_good(SEND("PATCH",
		    TEXT("{\"customFieldValues\":{\"%s\":{\"Deals\":[{\"id\":\"%s\"}]}}}", held.group, held.objects[i]),
		    "/v1/people/%s", held.people[i]));
}

/* The number of items of the list. */
int held_listed(struct caller *c, const char *target)
{
	struct caller_answer a = caller_good(caller_send(c, "GET", target, NULL, NULL));
	int n = 0;

	/* Counted by a member that items have and references do not. */
	for (const char *at = strstr(a.reply.body, "\"items\":["); at && (at = strstr(at, "\"createdAt\"")); at++)
		n++;
	return n;
}

bool held_says(struct caller *c, const char *target, const char *text)
{
	return strstr(caller_good(caller_send(c, "GET", target, NULL, NULL)).reply.body, text) != NULL;
}

void held_expect(int status, struct caller *c, const char *method, const char *target, const char *body)
{
	struct caller_answer a = caller_send(c, method, target, NULL, body);

	if (a.status != status)
		print_message("%s %s: %d %s\n", method, target, a.status, a.reply.body);
	assert_int_equal(a.status, status);
}

void held_let_go(void)
{
	assert_true(rig_removed(&rig, HELD_WAIT_MS));
}

int64_t held_events(const char *record, const char *type)
{
	return rig_int(&rig, "select count(*) from events where type = '%s' and record_id = '%s' and xid > '%lld'",
	    type, record + 4, (long long)rig_int(&rig, "select mark from marks"));
}

/* Starts counting events. */
void held_mark(void)
{
	rig_int(&rig,
	    "with t as (update marks set mark = pg_current_xact_id()::text::bigint returning 1) select count(*) "
	    "from t");
}

const char *held_base(void *ctx)
{
	(void)ctx;
	return servers[0]->base;
}

/* Checks that an earlier copy that has followed equals a fresh one. */
void held_follows(struct follower *f)
{
	struct follower fresh;

	while (follower_step(f, 0) != 0)
		;
	follower_init(&fresh, rig.ada.key, held_base, NULL);
	assert_true(follower_copy(&fresh, patience_ms(HELD_WAIT_MS)));
	assert_int_equal(follower_differences(f, &fresh, true), 0);
	follower_free(&fresh);
	follower_free(f);
}
