/* Counters of interactions stay exact with many concurrent writes through two processes, and when interactions fall
 * due while both processes look for them. Exactness is checked in the database: every counter against the
 * interactions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/id.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/rows.h"

enum { SERVERS = 2, USERS = 3, AT_ONCE = 64, ROUNDS = 6, DUE = 48, DEADLINE_S = 60 };

/* Statistics are kept in order per backend and reported when it is idle: also those of others count a little late. */
#define DEADLOCKS "select deadlocks from pg_stat_database where datname = current_database()"

static struct test_user users[USERS];

/* Counters that differ from the interactions, and people that differ from their counters. */
static void assert_exact(void)
{
	assert_rows(0,
	    "(select workspace_id, entity_id, user_id, count(*) as n, max(date_time) as last from interactions "
	    "where counted group by 1, 2, 3) i full join interaction_counts c using (workspace_id, entity_id, "
	    "user_id) where i.n is distinct from c.count or i.last is distinct from c.last_at");
	assert_rows(0, "people p, lateral (select array_agg(c.user_id order by c.user_id) as users, array_agg(c.count "
	               "order by c.user_id) || array_agg((extract(epoch from c.last_at) * 1000)::bigint order by "
	               "c.user_id) as numbers, max(c.last_at) as last from interaction_counts c where c.workspace_id = "
	               "p.workspace_id and c.entity_id = p.id) c where (p.interaction_users, p.interaction_numbers, "
	               "p.last_interacted_at) is distinct from (c.users, c.numbers, c.last)");
}

/* --- many requests at once ------------------------------------------------------------- */

struct shot {
	int at; /* which server */
	const struct test_user *user;
	const char *method, *target, *body;
	int status;
	char id[ID_SIZE];
};

static void shot_fire(void *ctx, int i)
{
	struct shot *s = (struct shot *)ctx + i;
	struct caller c;
	struct caller_answer a;

	caller_init(&c, servers[s->at]->base, s->user->key);
	a = caller_send(&c, s->method, s->target, NULL, s->body);
	s->status = a.status;
	snprintf(s->id, sizeof s->id, "%s", a.id);
	if (a.status != 200 && a.status != 404)
		print_message("%.400s\n", a.reply.body);
	caller_free(&c);
}

/* All at once. */
static void shots_fire(struct shot *shots, int n)
{
	caller_crowd_run(n, shot_fire, shots);
}

static void expect_hits(struct shot *shots, int n)
{
	shots_fire(shots, n);
	for (int i = 0; i < n; i++)
		assert_int_equal(shots[i].status, 200);
}

static const char *make_person(void)
{
	return POST("{}", "/v1/people");
}

static const char *interaction_body(const char *entity, int64_t time_ms)
{
	char text[TIME_TEXT_SIZE];

	return TEXT("{\"entity\":{\"id\":\"%s\"},\"dateTime\":\"%s\",\"title\":\"T\",\"activityType\":\"call\"}",
	    entity, time_format(time_ms, text));
}

static int64_t long_ago(int i)
{
	return INT64_C(1700000000000) + i * INT64_C(1000);
}

/* A request of one of the users to one of the servers. */
static struct shot shot_make(int i, const char *method, const char *target, const char *body)
{
	return (struct shot){
	    .at = i % SERVERS, .user = &users[i % USERS], .method = method, .target = target, .body = body};
}

static struct shot shot_meeting(int i, const char *entity, int64_t time_ms)
{
	return shot_make(i, "POST", "/v1/interactions", interaction_body(entity, time_ms));
}

/* approximateCount of the workspace, or of the user. */
static int64_t count_of(const char *person, const struct test_user *u, const char *whose)
{
	struct caller c;
	const struct json *data;
	int64_t n;

	caller_init(&c, servers[1]->base, u->key);
	data = caller_data(&c.arena, caller_get(&c, arena_printf(&c.arena, "/v1/people/%s", person)));
	data = json_member(json_member(data, "interactionMetadata"), whose);
	n = strtoll(json_member(data, "approximateCount")->text, NULL, 10);
	caller_free(&c);
	return n;
}

/* --- the tests ---------------------------------------------------------------------------- */

/* AT_ONCE interactions with one person, of several users, through both processes. */
TEST(many_at_once)
{
	const char *person = make_person();
	struct shot shots[AT_ONCE];

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < AT_ONCE; i++)
			shots[i] = shot_meeting(i, person, long_ago(i % 5));
		expect_hits(shots, AT_ONCE);
	}
	assert_int_equal(count_of(person, &users[0], "workspace"), 2 * AT_ONCE);
	assert_int_equal(count_of(person, &users[0], "user"), 2 * ((AT_ONCE + USERS - 1) / USERS));
	assert_exact();
}

/* Moved in both directions, with new times, created and deleted, all at once: no deadlock, and the counters follow. */
TEST(in_all_ways)
{
	const char *people[] = {make_person(), make_person()}, *ids[AT_ONCE];
	struct shot shots[AT_ONCE];
	unsigned dice = 1;

	for (int i = 0; i < AT_ONCE; i++)
		shots[i] = shot_meeting(i, people[i % 2], long_ago(i));
	expect_hits(shots, AT_ONCE);
	for (int i = 0; i < AT_ONCE; i++)
		ids[i] = TEXT("%s", shots[i].id);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < AT_ONCE; i++) {
			int64_t ahead = dice % 7 == 0 ? INT64_C(30000000000000) : 0;
			const char *target;
			dice = dice * 1103515245 + 12345;
			/* each is often requested twice at once */
			target = TEXT("/v1/interactions/%s", ids[(int)(dice >> 16) % (AT_ONCE / 2)]);
			if (dice >> 28 == 0)
				shots[i] = shot_make(i, "DELETE", target, "");
			else
				shots[i] = shot_make(i, "PATCH", target,
				    interaction_body(people[dice >> 20 & 1], long_ago((int)(dice >> 22 & 63)) + ahead));
		}
		shots_fire(shots, AT_ONCE);
		for (int i = 0; i < AT_ONCE; i++)
			assert_true(shots[i].status == 200 || shots[i].status == 404);
	}
	assert_exact();
	assert_true(
	    count_of(people[0], &users[0], "workspace") + count_of(people[1], &users[0], "workspace") >= AT_ONCE / 2);
}

/* Batches that name the same people and companies in any order, while single interactions move between them: no
 * deadlock, and every record counts once. */
TEST(in_batches)
{
	enum { ENTITIES = 6, EACH = 20, CROWD = 24 };
	const char *entities[ENTITIES], *moved[CROWD];
	struct shot shots[2 * CROWD];
	int64_t before, deadlocks = rig_int(&rig, DEADLOCKS);

	for (int i = 0; i < ENTITIES; i++)
		entities[i] = POST("{}", i % 2 ? "/v1/companies" : "/v1/people");
	for (int i = 0; i < CROWD; i++)
		moved[i] = POST(interaction_body(entities[i % ENTITIES], long_ago(i)), "/v1/interactions");
	before = rows_count("interactions");
	for (int i = 0; i < CROWD; i++) {
		const char *body = "{\"records\":[";
		for (int k = 0; k < EACH; k++)
			body = TEXT("%s%s%s", body, k ? "," : "",
			    interaction_body(entities[(i * 5 + k * (i % 2 ? 1 : 5)) % ENTITIES], long_ago(i * k)));
		shots[2 * i] = shot_make(i, "POST", "/v1/interactions/batch/create", TEXT("%s]}", body));
		shots[2 * i + 1] = shot_make(i, "PATCH", TEXT("/v1/interactions/%s", moved[i]),
		    interaction_body(entities[(i + 3) % ENTITIES], long_ago(i)));
		shots[2 * i + 1].at = (i + 1) % SERVERS;
	}
	expect_hits(shots, 2 * CROWD);
	assert_rows(before + CROWD * EACH, "interactions");
	assert_number(deadlocks, DEADLOCKS);
	assert_exact();
}

/* Dated slightly ahead; both processes look for them while they are changed. */
TEST(falling_due)
{
	const char *person = make_person();
	int64_t now = clock_now_ms(), end_us = clock_mono_us() + DEADLINE_S * INT64_C(1000000);
	struct shot shots[DUE];

	for (int i = 0; i < DUE; i++)
		shots[i] = shot_meeting(i, person, now + 2000 + i * 20);
	expect_hits(shots, DUE);
	assert_true(clock_now_ms() >= now + 2000 || count_of(person, &users[0], "workspace") == 0);
	for (int i = 0; count_of(person, &users[0], "workspace") < DUE; i = (i + 1) % DUE) {
		struct shot s = shot_make(i, "PATCH", TEXT("/v1/interactions/%s", shots[i].id),
		    TEXT("{\"entity\":{\"id\":\"%s\"},\"title\":\"%d\"}", person, i));
		s.user = &users[0];
		expect_hits(&s, 1);
		assert_true(clock_mono_us() < end_us);
	}
	assert_int_equal(count_of(person, &users[1], "user"), DUE / USERS);
	assert_rows(0, "interactions where not counted and date_time <= now()");
	assert_number(0, "select interactions_fall_due(now(), 100)");
	assert_int_equal(count_of(person, &users[0], "workspace"), DUE);
	assert_exact();
}

/* No other changes: only the job counts, for more than one person. */
TEST(expect_untouched)
{
	const char *people[8];
	struct shot shots[8];
	int64_t soon = clock_now_ms() + 700, end_us = clock_mono_us() + DEADLINE_S * INT64_C(1000000);

	for (int i = 0; i < 8; i++) {
		people[i] = make_person();
		shots[i] = shot_meeting(i, people[i], soon + i);
	}
	expect_hits(shots, 8);
	for (int i = 0; i < 8; i++) {
		while (count_of(people[i], &users[0], "workspace") < 1)
			assert_true(clock_mono_us() < end_us);
		assert_rows(1,
		    "events where record_id = '%s' and type = 'person.workspace_interaction_metadata_updated'",
		    people[i] + 4);
	}
	assert_exact();
}

/* --- start and end ------------------------------------------------------------------------ */

RIG("interactions", .servers = SERVERS, .settings = {"clock_scale=20"}, .neighbour = true);

BEFORE_ALL()
{
	users[0] = rig.ada;
	users[1] = rig.ben;
	users[2] = user_create(rig.program, &rig.arena, &rig.workspace, "cid", "Cid N", "cid@example.org", "member");
}
