/* A key that is limited to groups: whatever its user may see, the others are not there for it, neither by any route of
 * the table with their ids nor in anything that it reads, follows, is sent, changes or merges. The limit is compared
 * with another user's world, in which the key's own user may see everything. */
#include <string.h>

#include "server/base/json.h"
#include "test/lib/await.h"
#include "test/lib/kith.h"
#include "test/lib/model/grant_made.h"
#include "test/lib/model/worlds.h"
#include "test/lib/webhook/hooked.h"

enum { WAIT_MS = 60000 };

WORLDS("key_groups");

static const char *limited_key(const char *user, const char *groups)
{
	return command_text(KITH_JSON("key", "create", "--user", user, "--groups", groups), "key");
}

/* --- every route ---------------------------------------------------------------------------- */

/* The records of one are also in the group of the other, with values and objects there. */
static void share_records(struct world *mine, struct world *hidden)
{
	world_set(hidden, "shared", world_get(mine, "person"), false);
	world_set(hidden, "shared_company", world_get(mine, "company"), false);
	world_set(hidden, "mine", world_get(mine, "group"), false);
	world_good(hidden, "POST /v1/people/batch/update",
	    "{\"records\": [{\"id\": \"{{shared}}\", \"groups\": [{\"id\": \"{{mine}}\"}, {\"id\": \"{{group}}\"}], "
	    "\"customFieldValues\": {\"{{group}}\": {\"{{field}}\": \"{{canary}}\"}}}]}");
	world_good(hidden, "POST /v1/companies/batch/update",
	    "{\"records\": [{\"id\": \"{{shared_company}}\", \"groups\": [{\"id\": \"{{mine}}\"}, {\"id\": "
	    "\"{{group}}\"}]}]}");
	world_good(hidden, "POST /v1/groups/{groupId}/{objectType}",
	    "{\"name\": \"{{canary}}\", \"people\": [{\"id\": \"{{shared}}\"}]}");
}

/* All pages of the feed, and of the record's history. */
static void check_feed(struct world *w, const struct world *hidden, const char *target)
{
	struct request q = {.route = route_named("GET /v1/events")};
	const char *cursor = "", *error;
	struct client_reply reply;
	const struct json *data;

	do {
		q.target = arena_printf(&suite.arena, "%s&after=%s", target, cursor);
		request_send(&suite, w, &q, NULL, &reply);
		assert_int_equal(reply.status, 200);
		isolation_check_absent(&suite, hidden, q.target, reply.body, NULL);
		data = json_member(json_read(&suite.arena, reply.body, reply.body_len, &error), "data");
		cursor = json_member(data, "cursor")->text;
	} while (json_member(json_member(data, "pagination"), "nextLink"));
}

/* What a limited key changes leaves the other group as it was. */
static void check_changes(struct world *mine, struct world *hidden)
{
	struct client_reply reply = world_good(mine, "PATCH /v1/people/{personId}", "{\"groups\": []}");
	struct request q = {.route = route_named("GET /v1/people/{personId}")};
	const struct json *made;

	isolation_check_absent(&suite, hidden, "leaving all groups", reply.body, NULL);
	q.target = arena_printf(&suite.arena, "/v1/people/%s", world_get(mine, "person"));
	request_send(&suite, hidden, &q, NULL, &reply);
	assert_non_null(strstr(reply.body, world_get(hidden, "group")));
	assert_non_null(strstr(reply.body, hidden->canary));
	made = world_must(mine, "POST /v1/people",
	    "{\"firstName\": \"Again\", \"emails\": [\"{{open}}@example.com\"], \"groups\": [{\"id\": "
	    "\"{{group}}\"}]}");
	world_set(mine, "second", json_member(made, "id")->text, false);
	reply = world_good(mine, "GET /v1/people/{personId}/duplicates", NULL);
	isolation_check_absent(&suite, hidden, "duplicates", reply.body, NULL);
	reply = world_good(mine, "POST /v1/people/{personId}/merge", "{\"id\": \"{{second}}\"}");
	isolation_check_absent(&suite, hidden, "merge", reply.body, NULL);
	request_send(&suite, hidden, &q, NULL, &reply);
	assert_non_null(strstr(reply.body, hidden->canary));
}

/* The hidden group is private, with the user as a member or workspace admin, or public. */
static void run_worlds(const struct test_user *user, bool is_public)
{
	struct world mine, hidden;
	struct test_user carol;
	const struct json *made;
	const char *key;

	carol = user_create(rig.program, &suite.arena, &rig.workspace, "carol", "Carol",
	    arena_printf(&suite.arena, "carol.%s", user->email), "member");
	world_init(&suite, &mine, "limited", user, false);
	world_init(&suite, &hidden, "hidden", &carol, true);
	world_seed(&suite, &mine);
	world_seed(&suite, &hidden);
	world_set(&hidden, "other", user->id, false);
	world_set(&mine, "grant", grant_made(rig.program, &suite.arena, user->id, "mine"), false);
	world_set(&hidden, "grant", grant_made(rig.program, &suite.arena, carol.id, "hidden"), true);
	world_good(&hidden, "POST /v1/groups/{groupId}/members", "{\"id\": \"{{other}}\", \"role\": \"contributor\"}");
	if (is_public)
		world_good(&hidden, "PATCH /v1/groups/{groupId}", "{\"visibility\": \"public\"}");
	share_records(&mine, &hidden);
	/* without the limit it would be seen */
	assert_non_null(strstr(world_snapshot(&suite, &mine), hidden.canary));

	key = mine.key = limited_key(user->id, world_get(&mine, "group"));
	/* its own, so that it may change it */
	made = world_must(&mine, "POST /v1/webhooks",
	    "{\"name\": \"{{open}}\", \"targetUrl\": \"http://127.0.0.1:9/\", \"subscribedEvents\": [{\"eventType\": "
	    "\"object.created\", \"filter\": {}}]}");
	world_set(&mine, "webhook", json_member(made, "id")->text, false);
	isolation_check_absent(&suite, &hidden, "all lists", world_snapshot(&suite, &mine), NULL);
	isolation_check_foreign(&suite, &mine, &hidden);
	isolation_check_cursors(&suite, &mine, &hidden);
	check_feed(&mine, &hidden, "/v1/events?limit=100");
	check_feed(
	    &mine, &hidden, arena_printf(&suite.arena, "/v1/events?limit=100&record=%s", world_get(&mine, "person")));
	check_feed(
	    &mine, &hidden, arena_printf(&suite.arena, "/v1/events?limit=100&record=%s", world_get(&hidden, "object")));
	check_changes(&mine, &hidden);
	assert_string_equal(mine.key, key);
}

TEST(test_of_admin)
{
	run_worlds(&rig.ada, false);
}

TEST(test_of_member)
{
	run_worlds(&rig.ben, true);
}

/* --- webhooks --------------------------------------------------------------------------------- */

static const char events[] = "[{\"eventType\":\"object.created\",\"filter\":{}},{\"eventType\":\"person.updated\","
                             "\"filter\":{}},{\"eventType\":\"person.groups_updated\",\"filter\":{}}]";

/* A group with a type and a field, all of its name; the path of its objects. */
static const char *make_group(struct caller *c, const char *name, const char **id)
{
	struct caller_answer a = caller_good(
	    caller_sendf(c, "POST", "/v1/groups", NULL, "{\"name\":\"%s\",\"visibility\":\"public\"}", name));
	const char *path = arena_printf(&rig.arena, "/v1/groups/%s", a.id);

	*id = arena_dupz(&rig.arena, a.id);
	caller_good(caller_sendf(
	    c, "POST", arena_printf(&rig.arena, "%s/object-types", path), NULL, "{\"name\":\"%s\"}", name));
	caller_good(caller_sendf(c, "POST", arena_printf(&rig.arena, "%s/custom-fields/person", path), NULL,
	    "{\"name\":\"%s\",\"type\":\"textField\"}", name));
	return arena_printf(&rig.arena, "%s/%s", path, name);
}

static bool got_any(struct receiver *r, const char *text)
{
	for (int i = 0; i < receiver_count(r); i++)
		if (strstr(receiver_request(r, i)->body, text))
			return true;
	return false;
}

static bool wait_got(struct receiver *r, const char *text)
{
	for (int n = 1; !got_any(r, text); n++)
		if (!receiver_wait(r, n, WAIT_MS))
			return false;
	return true;
}

/* Changes of one person in both groups, and in each group separately; the last one in the first group. */
static void make_events(struct caller *c, const char *seen, const char *unseen, const char *in, const char *out)
{
	struct caller_answer person = caller_good(
	    caller_sendf(c, "POST", "/v1/people", NULL, "{\"firstName\":\"Pat\",\"groups\":[{\"id\":\"%s\"}]}", in));

	caller_good(caller_sendf(c, "PATCH", arena_printf(&c->arena, "/v1/people/%s", person.id), NULL,
	    "{\"jobTitle\":\"Known\",\"groups\":[{\"id\":\"%s\"},{\"id\":\"%s\"}],"
	    "\"customFieldValues\":{\"%s\":{\"Unseen\":\"Unseen\"},\"%s\":{\"Seen\":\"Open\"}}}",
	    in, out, out, in));
	caller_good(caller_send(c, "POST", unseen, NULL, "{\"name\":\"One\"}"));
	caller_good(caller_send(c, "POST", seen, NULL, "{\"name\":\"Two\"}"));
}

TEST(test_webhooks)
{
	struct receiver *narrow = receiver_start(&(struct receiver_config){.behaviour = {0}});
	struct receiver *wide = receiver_start(&(struct receiver_config){.behaviour = {0}});
	const char *in, *out, *seen, *unseen;
	struct caller limited;
	struct hooked all, some;

	caller_turn(&ben, server->base);
	seen = make_group(&ben, "Seen", &in);
	unseen = make_group(&ben, "Unseen", &out);
	caller_init(&limited, server->base, limited_key(rig.ben.id, in));
	all = hooked_make(&ben, receiver_url(wide, "/"), events);
	some = hooked_make(&limited, receiver_url(narrow, "/"), events);
	make_events(&ben, seen, unseen, in, out);
	assert_true(wait_got(wide, unseen));
	assert_true(wait_got(narrow, seen));
	assert_true(wait_got(narrow, "Known"));
	assert_true(wait_got(narrow, "Open"));
	assert_false(got_any(narrow, "Unseen"));
	assert_false(got_any(narrow, out));

	/* of the others it may neither change the address nor look into the deliveries */
	const char *other = arena_printf(&ben.arena, "/v1/webhooks/%s", all.id);
	const char *own = arena_printf(&ben.arena, "/v1/webhooks/%s", some.id);
	assert_int_equal(caller_send(&limited, "PATCH", other, NULL, "{\"name\":\"x\"}").status, 403);
	assert_int_equal(caller_send(&limited, "DELETE", other, NULL, NULL).status, 403);
	assert_int_equal(
	    caller_send(&limited, "GET", arena_printf(&ben.arena, "%s/deliveries", other), NULL, NULL).status, 403);
	assert_int_equal(
	    caller_send(&limited, "POST", arena_printf(&ben.arena, "%s/rotate-secret", other), NULL, NULL).status, 403);
	assert_null(strstr(caller_get(&limited, "/v1/webhooks/health").reply.body, all.id));
	assert_non_null(strstr(caller_get(&limited, "/v1/webhooks/health").reply.body, some.id));
	caller_good(caller_send(&limited, "PATCH", own, NULL, "{\"name\":\"x\"}"));
	/* a key of the same user with more rights changes it, and does not widen it */
	caller_good(caller_send(&ben, "PATCH", own, NULL, "{\"name\":\"y\"}"));
	receiver_clear(narrow);
	make_events(&ben, seen, unseen, in, out);
	assert_true(wait_got(narrow, seen));
	assert_false(got_any(narrow, "Unseen"));
	caller_good(caller_send(&ben, "DELETE", other, NULL, NULL));
	caller_good(caller_send(&limited, "DELETE", own, NULL, NULL));
	caller_free(&limited);
	receiver_stop(narrow);
	receiver_stop(wide);
}

/* --- when groups go ------------------------------------------------------------------------------ */

/* Of a group that is deleted the key is not left with all groups, but with none. */
TEST(test_group_deleted)
{
	const char *in, *out, *objects, *history;
	struct caller limited;

	caller_turn(&ben, server->base);
	make_group(&ben, "Going", &in);
	objects = make_group(&ben, "Staying", &out);
	history = arena_printf(&ben.arena, "/v1/events?record=%s",
	    caller_good(caller_send(&ben, "POST", objects, NULL, "{\"name\":\"One\"}")).id);
	caller_init(&limited, server->base, limited_key(rig.ben.id, in));
	assert_non_null(strstr(caller_get(&limited, "/v1/groups?limit=100").reply.body, in));
	caller_good(caller_send(&ben, "DELETE", arena_printf(&ben.arena, "/v1/groups/%s", in), NULL, NULL));
	assert_non_null(strstr(caller_get(&limited, "/v1/groups?limit=100").reply.body, "\"items\":[]"));
	assert_non_null(strstr(caller_get(&limited, "/v1/keys/me").reply.body, "\"groups\":[]"));
	assert_int_equal(
	    caller_send(&limited, "GET", arena_printf(&ben.arena, "/v1/groups/%s", out), NULL, NULL).status, 404);
	/* nor do events of deleted groups come back */
	caller_good(caller_send(&ben, "DELETE", arena_printf(&ben.arena, "/v1/groups/%s", out), NULL, NULL));
	await_true(strstr(caller_get(&ben, history).reply.body, out));
	assert_null(strstr(caller_get(&limited, history).reply.body, out));
	caller_free(&limited);
}

/* The user leaves a group: so does their key. */
TEST(test_rights_of_user)
{
	struct caller limited;
	struct caller_answer group;
	const char *path, *members;

	caller_turn(&ada, server->base);
	group = caller_good(SEND("POST", "{\"name\":\"Team\",\"visibility\":\"private\"}", "/v1/groups"));
	path = TEXT("/v1/groups/%s", group.id);
	members = TEXT("%s/members", path);
	caller_init(&limited, server->base, limited_key(rig.ben.id, group.id));
	assert_int_equal(caller_send(&limited, "GET", path, NULL, NULL).status, 404);
	caller_good(caller_sendf(&ada, "POST", members, NULL, "{\"id\":\"%s\",\"role\":\"reader\"}", rig.ben.id));
	caller_get(&limited, path);
	assert_int_equal(caller_send(&limited, "PATCH", path, NULL, "{\"name\":\"Mine\"}").status, 403);
	caller_good(SEND("DELETE", NULL, "%s/%s", members, rig.ben.id));
	assert_int_equal(caller_send(&limited, "GET", path, NULL, NULL).status, 404);
	caller_free(&limited);
}
