/* Counters of interactions stay exact with many concurrent writes through two processes, and when interactions fall
 * due while both processes look for them. Exactness is checked in the database: every counter against the
 * interactions. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/rows.h"

enum { SERVERS = 2, USERS = 3, AT_ONCE = 64, ROUNDS = 6, DUE = 48, DEADLINE_S = 20, REPLY_MAX = 1 << 20, SMALL = 512 };

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
	int fd;
	struct buf reply;
};

static int dial_server(const struct server_process *s)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct timeval limit = {.tv_sec = DEADLINE_S};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_port = htons((uint16_t)strtol(strrchr(s->base, ':') + 1, NULL, 10));
	assert_true(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

/* Sends on a connection of its own without waiting. */
static struct shot shot_send(
    int at, const struct test_user *u, const char *method, const char *target, const char *body)
{
	struct shot s = {.fd = dial_server(servers[at])};
	struct buf request;

	buf_init(&request, 4096);
	buf_init(&s.reply, REPLY_MAX);
	buf_printf(&request, "%s %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer %s\r\n", method,
	    target, u->key);
	buf_printf(&request, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
	assert_int_equal(send(s.fd, request.data, request.len, MSG_NOSIGNAL), request.len);
	buf_free(&request);
	return s;
}

/* Waits for the answer; returns its status. body, when not NULL, gets the parsed JSON, in the arena. */
static int shot_answer(struct shot *s, struct json **body)
{
	char bytes[4096];
	const char *start, *error;
	ssize_t n;
	int status;

	while ((n = recv(s->fd, bytes, sizeof(bytes), 0)) > 0)
		buf_add(&s->reply, bytes, (size_t)n);
	assert_true(n == 0 && s->reply.len > 12);
	status = (int)strtol(s->reply.data + 9, NULL, 10);
	start = strstr(s->reply.data, "\r\n\r\n") + 4;
	if (body)
		*body = json_read(&rig.arena, start, s->reply.len - (size_t)(start - s->reply.data), &error);
	if (status != 200 && status != 404)
		print_message("%.400s\n", start);
	buf_free(&s->reply);
	close(s->fd);
	return status;
}

static const char *id_of(struct json *body)
{
	return json_member(json_member(body, "data"), "id")->text;
}

static const char *make_person(void)
{
	struct json *body;
	struct shot s = shot_send(0, &users[0], "POST", "/v1/people", "{}");

	assert_int_equal(shot_answer(&s, &body), 200);
	return id_of(body);
}

static const char *interaction_body(const char *entity, int64_t time_ms)
{
	char text[TIME_TEXT_SIZE];

	return arena_printf(&rig.arena,
	    "{\"entity\":{\"id\":\"%s\"},\"dateTime\":\"%s\",\"title\":\"T\",\"activityType\":\"call\"}", entity,
	    time_format(time_ms, text));
}

static int64_t long_ago(int i)
{
	return INT64_C(1700000000000) + i * INT64_C(1000);
}

/* approximateCount of the workspace, or of the user. */
static int64_t count_of(const char *person, const struct test_user *u, const char *whose)
{
	char target[SMALL];
	struct json *body;
	struct shot s;

	snprintf(target, sizeof(target), "/v1/people/%s", person);
	s = shot_send(1, u, "GET", target, "");
	assert_int_equal(shot_answer(&s, &body), 200);
	body = json_member(json_member(json_member(body, "data"), "interactionMetadata"), whose);
	return strtoll(json_member(body, "approximateCount")->text, NULL, 10);
}

/* --- the tests ---------------------------------------------------------------------------- */

/* AT_ONCE interactions with one person, of several users, through both processes. */
TEST(many_at_once)
{
	const char *person = make_person();
	struct shot shots[AT_ONCE];

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < AT_ONCE; i++)
			shots[i] = shot_send(i % SERVERS, &users[i % USERS], "POST", "/v1/interactions",
			    interaction_body(person, long_ago(i % 5)));
		for (int i = 0; i < AT_ONCE; i++)
			assert_int_equal(shot_answer(&shots[i], NULL), 200);
	}
	assert_int_equal(count_of(person, &users[0], "workspace"), 2 * AT_ONCE);
	assert_int_equal(count_of(person, &users[0], "user"), 2 * ((AT_ONCE + USERS - 1) / USERS));
	assert_exact();
}

/* Moved in both directions, with new times, created and deleted, all at once: no deadlock, and the counters follow. */
TEST(in_all_ways)
{
	const char *people[] = {make_person(), make_person()}, *ids[AT_ONCE];
	char target[AT_ONCE][SMALL];
	struct shot shots[AT_ONCE];
	struct json *body;
	unsigned dice = 1;

	for (int i = 0; i < AT_ONCE; i++) {
		shots[i] = shot_send(i % SERVERS, &users[i % USERS], "POST", "/v1/interactions",
		    interaction_body(people[i % 2], long_ago(i)));
		assert_int_equal(shot_answer(&shots[i], &body), 200);
		ids[i] = id_of(body);
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < AT_ONCE; i++) {
			int64_t ahead = dice % 7 == 0 ? INT64_C(30000000000000) : 0;
			int which;
			dice = dice * 1103515245 + 12345;
			which = (int)(dice >> 16) % (AT_ONCE / 2); /* each is often requested twice at once */
			snprintf(target[i], sizeof(target[i]), "/v1/interactions/%s", ids[which]);
			if (dice >> 28 == 0)
				shots[i] = shot_send(i % SERVERS, &users[i % USERS], "DELETE", target[i], "");
			else
				shots[i] = shot_send(i % SERVERS, &users[i % USERS], "PATCH", target[i],
				    interaction_body(people[dice >> 20 & 1], long_ago((int)(dice >> 22 & 63)) + ahead));
		}
		for (int i = 0; i < AT_ONCE; i++) {
			int status = shot_answer(&shots[i], NULL);
			assert_true(status == 200 || status == 404);
		}
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
	char targets[CROWD][SMALL];
	struct shot shots[2 * CROWD], s;
	int64_t before, deadlocks = rig_int(&rig, DEADLOCKS);
	struct json *body;

	for (int i = 0; i < ENTITIES; i++) {
		s = shot_send(0, &users[0], "POST", i % 2 ? "/v1/companies" : "/v1/people", "{}");
		assert_int_equal(shot_answer(&s, &body), 200);
		entities[i] = id_of(body);
	}
	for (int i = 0; i < CROWD; i++) {
		s = shot_send(
		    0, &users[0], "POST", "/v1/interactions", interaction_body(entities[i % ENTITIES], long_ago(i)));
		assert_int_equal(shot_answer(&s, &body), 200);
		moved[i] = id_of(body);
	}
	before = rows_count("interactions");
	for (int i = 0; i < CROWD; i++) {
		struct buf b;
		buf_init(&b, REPLY_MAX);
		for (int k = 0; k < EACH; k++)
			buf_printf(&b, "%s%s", k ? "," : "{\"records\":[",
			    interaction_body(entities[(i * 5 + k * (i % 2 ? 1 : 5)) % ENTITIES], long_ago(i * k)));
		buf_addz(&b, "]}");
		shots[2 * i] =
		    shot_send(i % SERVERS, &users[i % USERS], "POST", "/v1/interactions/batch/create", b.data);
		buf_free(&b);
		snprintf(targets[i], sizeof(targets[i]), "/v1/interactions/%s", moved[i]);
		shots[2 * i + 1] = shot_send((i + 1) % SERVERS, &users[i % USERS], "PATCH", targets[i],
		    interaction_body(entities[(i + 3) % ENTITIES], long_ago(i)));
	}
	for (int i = 0; i < 2 * CROWD; i++)
		assert_int_equal(shot_answer(&shots[i], NULL), 200);
	assert_rows(before + CROWD * EACH, "interactions");
	assert_number(deadlocks, DEADLOCKS);
	assert_exact();
}

/* Dated slightly ahead; both processes look for them while they are changed. */
TEST(falling_due)
{
	const char *person = make_person(), *ids[DUE];
	int64_t now = clock_now_ms(), end_us = clock_mono_us() + DEADLINE_S * INT64_C(1000000);
	struct shot shots[DUE];
	char target[SMALL];
	struct json *body;

	for (int i = 0; i < DUE; i++)
		shots[i] = shot_send(i % SERVERS, &users[i % USERS], "POST", "/v1/interactions",
		    interaction_body(person, now + 2000 + i * 20));
	for (int i = 0; i < DUE; i++) {
		assert_int_equal(shot_answer(&shots[i], &body), 200);
		ids[i] = id_of(body);
	}
	assert_true(clock_now_ms() >= now + 2000 || count_of(person, &users[0], "workspace") == 0);
	for (int i = 0; count_of(person, &users[0], "workspace") < DUE; i = (i + 1) % DUE) {
		struct shot s;
		snprintf(target, sizeof(target), "/v1/interactions/%s", ids[i]);
		s = shot_send(i % SERVERS, &users[0], "PATCH", target,
		    arena_printf(&rig.arena, "{\"entity\":{\"id\":\"%s\"},\"title\":\"%d\"}", person, i));
		assert_int_equal(shot_answer(&s, NULL), 200);
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
	int64_t soon = clock_now_ms() + 700, end_us = clock_mono_us() + DEADLINE_S * INT64_C(1000000);

	for (int i = 0; i < 8; i++) {
		struct shot s;
		people[i] = make_person();
		s = shot_send(0, &users[i % USERS], "POST", "/v1/interactions", interaction_body(people[i], soon + i));
		assert_int_equal(shot_answer(&s, NULL), 200);
	}
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
