/* Removals that the job has yet to do: what is deleted at once, and what a write keeps of what is deleted. */
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/model/held.h"
#include "test/lib/rows.h"
#include "test/lib/test.h"
#include "test/lib/webhook/hooked.h"

AROUND_ALL(held_open, flow_close);

/* The real number: a delete of more is only marked, so that it does not stop the workspace's other writes. */
TEST(test_at_once)
{
	enum { MORE = 501, A_BATCH = 100 };
	const char *group = POST("{\"name\":\"Crowd\",\"visibility\":\"public\"}", "/v1/groups");
	struct buf b;

	rig_write(rig.orders, "removals_wait 1 errors\n");
	buf_init(&b, 1 << 16);
	for (int n = 0; n < MORE; n++) {
		buf_printf(&b, "%s{\"groups\":[{\"id\":\"%s\"}]}", b.len ? "," : "{\"records\":[", group);
		if ((n + 1) % A_BATCH && n + 1 < MORE)
			continue;
		buf_addz(&b, "]}");
		MAKE(b.data, "/v1/people/batch/create");
		buf_clear(&b);
	}
	buf_free(&b);
	held_expect(200, &ada, "DELETE", TEXT("/v1/groups/%s", group), NULL);
	assert_rows(MORE, "person_groups where group_id = '%s'", group + 4);
	rig_write(rig.orders, "");
	held_let_go();
}

/* A contact whose references are still stored is unknown to a write that gives it again. */
TEST(test_deleted_contact)
{
	enum { DEALS = 4 }; /* more than are changed at once */
	const char *group = POST("{\"name\":\"Held\",\"visibility\":\"public\"}", "/v1/groups"), *person, *deal = NULL;
	struct caller_answer a;

	rig_write(rig.orders, HELD_WAITING);
	MAKE("{\"name\":\"Deal\"}", "/v1/groups/%s/object-types", group);
	person = POST(TEXT("{\"firstName\":\"P\",\"groups\":[{\"id\":\"%s\"}]}", group), "/v1/people");
	for (int i = 0; i < DEALS; i++)
		deal = POST(TEXT("{\"name\":\"D\",\"people\":[{\"id\":\"%s\"}]}", person), "/v1/groups/%s/Deal", group);
	held_expect(200, &ada, "DELETE", TEXT("/v1/people/%s", person), NULL);
	assert_rows(DEALS, "object_people where person_id = '%s'", person + 4);
	a = caller_good(
	    SEND("PATCH", TEXT("{\"people\":[{\"id\":\"%s\"}]}", person), "/v1/groups/%s/Deal/%s", group, deal));
	assert_non_null(strstr(a.reply.body, "\"people\":[]"));
	assert_non_null(strstr(a.reply.body, "not found"));
	assert_rows(1, "objects where id = '%s' and cardinality(person_ids) = 0", deal + 4);
	rig_write(rig.orders, HELD_SMALL);
	held_let_go();
}

/* A group with more people than are changed at once. */
static const char *crowd_make(struct caller *c)
{
	const char *group =
	    caller_good(caller_send(c, "POST", "/v1/groups", NULL, "{\"name\":\"Crowd\",\"visibility\":\"public\"}"))
	        .id;

	for (int i = 0; i < 4; i++)
		caller_good(caller_sendf(c, "POST", "/v1/people", NULL, "{\"groups\":[{\"id\":\"%s\"}]}", group));
	return group;
}

/* Removals of one workspace that fail each time do not keep those of another one from their turn. */
TEST(test_failing)
{
	enum { GROUPS = HELD_SERVERS + 1 };
	static const char spoil[] = "with u as (update people set custom_values = %s where id in (select person_id "
	                            "from person_groups where group_id = '%s') returning 1) select count(*) from u";
	/* In the order in which they are served. */
	struct test_user eve = rig_stranger(&rig, "fails"), fay = rig_stranger(&rig, "waits");
	struct caller failing, other;
	const char *ids[GROUPS], *own;

	rig_write(rig.orders, HELD_WAITING);
	caller_init(&failing, servers[0]->base, eve.key);
	caller_init(&other, servers[0]->base, fay.key);
	own = crowd_make(&other);
	for (int i = 0; i < GROUPS; i++) {
		ids[i] = crowd_make(&failing);
		/* More than a number in jsonb may be. */
		assert_number(4, spoil, "'{\"a\": 1e200000}'", ids[i] + 4);
		held_expect(200, &failing, "DELETE", TEXT("/v1/groups/%s", ids[i]), NULL);
	}
	held_expect(200, &other, "DELETE", TEXT("/v1/groups/%s", own), NULL);
	rig_write(rig.orders, HELD_SMALL);
	await_rows(0, "groups where id = '%s'", own + 4);
	for (int i = 0; i < GROUPS; i++)
		assert_number(4, spoil, "null", ids[i] + 4);
	held_let_go();
	caller_free(&failing);
	caller_free(&other);
}
