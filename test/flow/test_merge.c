/* Merges: random worlds against a model, which a follower of the events must equal, too; and servers killed meanwhile.
 * MERGE_ROUNDS makes it longer, MERGE_SEED repeats a failure. */
#include <stdio.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/lib/db/consistency.h"
#include "test/lib/model/follower.h"
#include "test/lib/model/merge_model.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { SERVERS = 2, BODY_MAX = 1 << 20, ACTIVITIES = 9, MERGES = 4, INTERACTIONS = 10 };

#define FORMAT(...) arena_printf(&rig.arena, __VA_ARGS__)

static const char *first_base(void *ctx)
{
	(void)ctx;
	return servers[0]->base;
}

/* Only the first server obeys the orders. */
static void serve_first(void)
{
	servers[0] = rig_serve_faulty(&rig, false, NULL);
}

static void serve_all(void)
{
	serve_first();
	for (int i = 1; i < SERVERS; i++)
		servers[i] = rig_serve(&rig, false, NULL);
	caller_turn(&ada, servers[0]->base);
	caller_turn(&ben, servers[1]->base);
}

RIG("merge", .servers = RIG_NO_SERVER, .neighbour = true);

BEFORE_ALL()
{
	rig_write(rig.orders, "");
	serve_all();
}

static const char *make_record(const char *target, const char *body)
{
	return caller_good(caller_send(&ada, "POST", target, NULL, body)).id;
}

static void check_all(void)
{
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
}

/* --- random worlds ---------------------------------------------------------------------------- */

static struct merge_model model;
static struct {
	const char *id, *target;
	int entity; /* contact */
} activities[ACTIVITIES];

static void make_fields(const char *group, const char *entity)
{
	static const char *const fields[] = {"{\"name\":\"Text\",\"type\":\"textField\"}",
	    "{\"name\":\"Number\",\"type\":\"numericField\"}", "{\"name\":\"Date\",\"type\":\"dateField\"}",
	    "{\"name\":\"Tier\",\"type\":\"singleSelect\",\"options\":[{\"label\":\"a\"},{\"label\":\"b\"},{\"label\":"
	    "\"c\"}]}",
	    "{\"name\":\"Tags\",\"type\":\"multipleSelect\",\"options\":[{\"label\":\"x\"},{\"label\":\"y\"},{"
	    "\"label\":\"z\"}]}",
	    "{\"name\":\"Friends\",\"type\":\"contactField\"}", "{\"name\":\"Owners\",\"type\":\"userField\"}"};

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		make_record(FORMAT("/v1/groups/%s/custom-fields/%s", group, entity), fields[i]);
}

static void make_groups(void)
{
	for (int i = 0; i < MODEL_GROUPS; i++) {
		const char *id = make_record("/v1/groups",
		    i ? "{\"name\":\"P\",\"visibility\":\"private\"}" : "{\"name\":\"G\",\"visibility\":\"public\"}");
		model.groups[i] = arena_dupz(&rig.arena, id);
		make_fields(id, "person");
		make_fields(id, "company");
		make_record(FORMAT("/v1/groups/%s/object-types", id), "{\"name\":\"Deal\"}");
		make_record(
		    FORMAT("/v1/groups/%s/custom-fields/Deal", id), "{\"name\":\"Who\",\"type\":\"contactField\"}");
	}
	make_record(FORMAT("/v1/groups/%s/members", model.groups[1]),
	    FORMAT("{\"id\":\"%s\",\"role\":\"contributor\"}", rig.ben.id));
	model.users[0] = rig.ada.id;
	model.users[1] = rig.ben.id;
}

static const char *collection_of(int contact)
{
	return model_is_person(contact) ? "people" : "companies";
}

/* Sends a body made of the model's members. */
static struct caller_answer send_members(
    const char *method, const char *target, void (*put)(struct buf *, const struct merge_model *, int), int which)
{
	struct caller_answer a;
	struct buf body;

	buf_init(&body, BODY_MAX);
	buf_addc(&body, '{');
	put(&body, &model, which);
	buf_addc(&body, '}');
	a = caller_good(caller_send(&ada, method, target, NULL, body.data));
	buf_free(&body);
	return a;
}

static void make_activity(int i)
{
	int entity = (int)patience_chance(MODEL_CONTACTS);
	const char *of = FORMAT("{\"entity\":{\"id\":\"%s\"}", model.contacts[entity].id);

	activities[i].entity = entity;
	switch (i % 3) {
	case 0:
		activities[i].target = "/v1/notes";
		activities[i].id =
		    make_record("/v1/notes", FORMAT("%s,\"content\":\"n\",\"visibility\":\"public\"}", of));
		break;
	case 1:
		activities[i].target = "/v1/tasks";
		activities[i].id = make_record("/v1/tasks", FORMAT("%s,\"title\":\"t\",\"dueAt\":\"2026-01-31\"}", of));
		break;
	default:
		activities[i].target = "/v1/reminders";
		activities[i].id = make_record(
		    "/v1/reminders", FORMAT("%s,\"name\":\"r\",\"visibility\":\"private\","
		                            "\"recurrenceRule\":\"DTSTART:20300101T000000Z\\nRRULE:COUNT=1\"}",
		                         of));
	}
	activities[i].id = arena_dupz(&rig.arena, activities[i].id);
}

/* Each at a minute of its own. */
static void make_interaction(int minute)
{
	int contact = (int)patience_chance(MODEL_CONTACTS), user = (int)patience_chance(MODEL_USERS);
	struct model_contact *c = &model.contacts[contact];

	caller_good(caller_sendf(user ? &ben : &ada, "POST", "/v1/interactions", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"dateTime\":\"2025-01-01T%02d:%02d:00Z\",\"title\":\"i\",\"activityType\":"
	    "\"call\"}",
	    c->id, minute / 60, minute % 60));
	c->counts[user]++;
	c->last[user] = c->last[user] > minute ? c->last[user] : minute;
}

static void make_world(int round)
{
	model_fill(&model, round);
	for (int i = 0; i < MODEL_CONTACTS; i++)
		model.contacts[i].id = arena_dupz(
		    &rig.arena, send_members("POST", FORMAT("/v1/%s", collection_of(i)), model_put_create, i).id);
	for (int i = 0; i < MODEL_CONTACTS; i++)
		send_members("PATCH", FORMAT("/v1/%s/%s", collection_of(i), model.contacts[i].id), model_put_rest, i);
	for (int i = 0; i < MODEL_DEALS; i++)
		model.deals[i].id = arena_dupz(
		    &rig.arena, send_members("POST", FORMAT("/v1/groups/%s/Deal", model.groups[model.deals[i].group]),
		                    model_put_deal, i)
		                    .id);
	for (int i = 0; i < ACTIVITIES; i++)
		make_activity(i);
	for (int i = 0; i < INTERACTIONS; i++)
		make_interaction(1 + i * 7 % 60 + 60 * i);
}

static int last_of(int contact)
{
	while (model.contacts[contact].into >= 0)
		contact = model.contacts[contact].into;
	return contact;
}

/* Compares the copy that follows the events, the links, and the answers for the old ids. */
static bool world_is_as_modelled(struct follower *f)
{
	bool same = true;

	while (follower_step(f, 0) != 0)
		;
	for (int i = 0; i < MODEL_CONTACTS; i++) {
		const struct model_contact *c = &model.contacts[i];
		struct caller_answer a;
		same &= model_contact_is(&model, i, follower_find(f, c->id));
		a = caller_send(&ben, "GET", FORMAT("/v1/%s/%s", collection_of(i), c->id), NULL, NULL);
		assert_int_equal(a.status, c->into < 0 ? 200 : 404);
		if (c->into >= 0)
			assert_non_null(
			    strstr(a.reply.body, FORMAT("{\"mergedInto\":\"%s\"}", model.contacts[last_of(i)].id)));
	}
	for (int i = 0; i < MODEL_DEALS; i++)
		same &= model_deal_is(&model, i, follower_find(f, model.deals[i].id));
	for (int i = 0; i < ACTIVITIES; i++) {
		struct caller_answer a = caller_good(
		    caller_send(&ada, "GET", FORMAT("%s/%s", activities[i].target, activities[i].id), NULL, NULL));
		const char *entity = model.contacts[last_of(activities[i].entity)].id;
		if (strstr(a.reply.body, FORMAT("\"entity\":{\"id\":\"%s\"", entity)))
			continue;
		fprintf(stderr, "not of %s: %s\n", entity, a.reply.body);
		same = false;
	}
	return same;
}

/* One merge of two of a kind that are there; false: there are none. */
static bool merge_some(void)
{
	int kept = (int)patience_chance(MODEL_CONTACTS), gone = (int)patience_chance(MODEL_CONTACTS);
	struct caller *c = patience_chance(2) ? &ada : &ben;

	if (kept == gone || model_is_person(kept) != model_is_person(gone) || model.contacts[kept].into >= 0 ||
	    model.contacts[gone].into >= 0)
		return false;
	caller_good(caller_sendf(c, "POST", FORMAT("/v1/%s/%s/merge", collection_of(kept), model.contacts[kept].id),
	    NULL, "{\"id\":\"%s\"}", model.contacts[gone].id));
	model_merge(&model, kept, gone);
	return true;
}

TEST(test_oracle)
{
	int rounds = rig_setting("MERGE_ROUNDS", 6),
	    seed = rig_setting("MERGE_SEED", (int)(clock_now_ms() % 1000000) + 1);
	struct follower f;

	print_message("MERGE_SEED=%d\n", seed);
	patience_seed((uint64_t)seed);
	make_groups();
	follower_init(&f, rig.ada.key, first_base, NULL);
	assert_true(follower_copy(&f, patience_ms(60000)));
	for (int round = 0; round < rounds; round++) {
		make_world(round);
		assert_true(world_is_as_modelled(&f));
		for (int merges = 0; merges < MERGES; merges += merge_some())
			;
		assert_true(world_is_as_modelled(&f));
	}
	follower_free(&f);
	check_all();
}

/* --- killed ----------------------------------------------------------------------------------------- */

/* At each point of the request: the retry under the same key finds it done, or does it. */
TEST(test_killed)
{
	static const char *const points[] = {
	    "open_sent", "opened", "ask", "ask_sent", "changes", "commit_sent", "commit_answered", "reply"};

	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		const char *kept = arena_dupz(&rig.arena, make_record("/v1/people", "{\"firstName\":\"K\"}"));
		const char *gone = arena_dupz(&rig.arena, make_record("/v1/people", "{\"lastName\":\"G\"}"));
		const char *target = FORMAT("/v1/people/%s/merge", kept), *once = FORMAT("killed-%zu", i);
		const char *body = FORMAT("{\"id\":\"%s\"}", gone);
		struct caller_answer a;
		int64_t until_us = patience_ms(60000);
		make_record("/v1/notes",
		    FORMAT("{\"entity\":{\"id\":\"%s\"},\"content\":\"n\",\"visibility\":\"public\"}", gone));
		rig_write(rig.orders, FORMAT("%s 1 kill\n", points[i]));
		a = caller_send(&ada, "POST", target, once, body);
		assert_int_equal(a.status, 0);
		rig_write(rig.orders, "");
		assert_true(server_kill(servers[0]));
		serve_first();
		caller_turn(&ada, servers[0]->base);
		/* It is answered as soon as the database has noticed. */
		while ((a = caller_send(&ada, "POST", target, once, body)).status == 409 || a.status == 503)
			assert_true(patience_pause(until_us));
		assert_int_equal(a.status, 200);
		assert_non_null(strstr(a.reply.body, "\"fullName\":\"K G\""));
		a = caller_send(&ben, "GET", FORMAT("/v1/notes?entity.id=%s", kept), NULL, NULL);
		assert_non_null(strstr(a.reply.body, "\"content\":\"n\""));
		assert_rows(1, "events where record_id = '%s' and type = 'person.deleted'", gone + 4);
	}
	check_all();
}
