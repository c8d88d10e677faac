/* Two servers on one database act as one service: the same answers, one rate limit, each other's cursors,
 * permissions and keys in force at once, unique names. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/await.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/kith.h"
#include "test/lib/rows.h"

enum { CLIENTS = 32, PEOPLE = 6, LIMIT = 20 };

static struct caller ada_at[2], ben_at[2]; /* on both servers */

/* Links contain the server's own address, so both have the same. */
RIG("two", .servers = 2, .settings = {"public_url=http://kith.test"}, .neighbour = true);

BEFORE_ALL()
{
	for (int i = 0; i < 2; i++) {
		caller_init(&ada_at[i], servers[i]->base, rig.ada.key);
		caller_init(&ben_at[i], servers[i]->base, rig.ben.key);
	}
}

AFTER_ALL()
{
	for (int i = 0; i < 2; i++) {
		caller_free(&ada_at[i]);
		caller_free(&ben_at[i]);
	}
}

static struct caller_answer get_target(struct caller *c, const char *target)
{
	return caller_send(c, "GET", target, NULL, NULL);
}

static const char *next_link(struct caller *c, const struct caller_answer *a)
{
	const struct json *pages = json_member(caller_data(&c->arena, *a), "pagination");
	const struct json *link = pages ? json_member(pages, "nextLink") : NULL;

	return link ? strstr(link->text, "/v1/") : NULL;
}

TEST(test_same_answers)
{
	const char *ids[PEOPLE], *page[2] = {"/v1/people?limit=2", "/v1/people?limit=2"};
	int pages = 0;

	for (int i = 0; i < PEOPLE; i++)
		ids[i] =
		    caller_good(caller_sendf(&ada_at[i % 2], "POST", "/v1/people", NULL, "{\"firstName\":\"s%d\"}", i))
		        .id;
	for (int i = 0; i < PEOPLE; i++) {
		const char *target = arena_printf(&rig.arena, "/v1/people/%s", ids[i]);
		struct caller_answer one = caller_good(get_target(&ada_at[0], target)),
		                     other = caller_good(get_target(&ada_at[1], target));
		assert_string_equal(one.reply.body, other.reply.body);
	}
	/* each page is requested with the other server's cursor */
	while (page[0]) {
		struct caller_answer one = caller_good(get_target(&ada_at[0], page[1])),
		                     other = caller_good(get_target(&ada_at[1], page[0]));
		page[0] = next_link(&ada_at[0], &one);
		page[1] = next_link(&ada_at[1], &other);
		assert_int_equal(page[0] == NULL, page[1] == NULL);
		assert_int_equal(one.reply.body_len, other.reply.body_len);
		pages++;
	}
	assert_int_equal(pages, PEOPLE / 2);
}

TEST(test_group_in_force_at_once)
{
	struct caller_answer a;
	const char *group, *members, *member, *person;

	for (int round = 0; round < 10; round++) {
		struct caller *one = &ada_at[round % 2], *other = &ben_at[1 - round % 2];
		a = caller_good(caller_sendf(
		    one, "POST", "/v1/groups", NULL, "{\"name\":\"g%d\",\"visibility\":\"private\"}", round));
		group = arena_printf(&rig.arena, "/v1/groups/%s", a.id);
		members = arena_printf(&rig.arena, "%s/members", group);
		member = arena_printf(&rig.arena, "%s/%s", members, rig.ben.id);
		person = arena_printf(&rig.arena, "{\"firstName\":\"g\",\"groups\":[{\"id\":\"%s\"}]}", a.id);
		assert_int_equal(get_target(other, group).status, 404);
		caller_good(
		    caller_sendf(one, "POST", members, NULL, "{\"id\":\"%s\",\"role\":\"reader\"}", rig.ben.id));
		caller_good(get_target(other, group));
		assert_int_equal(caller_send(other, "POST", "/v1/people", NULL, person).status, 403);
		caller_good(caller_send(one, "PATCH", member, NULL, "{\"role\":\"contributor\"}"));
		caller_good(caller_send(other, "POST", "/v1/people", NULL, person));
		caller_good(caller_send(one, "PATCH", member, NULL, "{\"role\":\"reader\"}"));
		assert_int_equal(caller_send(other, "POST", "/v1/people", NULL, person).status, 403);
		caller_good(caller_send(one, "DELETE", member, NULL, NULL));
		assert_int_equal(get_target(other, group).status, 404);
	}
}

struct reorder {
	const char *field;
	int round;
};

/* Each adds an option and puts it first. */
static void reorder_send(void *ctx, int i)
{
	const struct reorder *o = ctx;

	caller_good(caller_sendf(&ada_at[i], "PATCH", o->field, NULL,
	    "{\"addOptions\":[{\"label\":\"%c%d\"}],\"optionOrder\":[\"%c%d\"]}", 'a' + i, o->round, 'a' + i,
	    o->round));
}

static const char *option_label(const struct json *field, int i)
{
	const struct json *option = json_member(field, "options")->first;

	while (i--)
		option = option->next;
	return json_text(option, "label");
}

/* The second change is made to what the first one has left. */
TEST(test_options_moved_at_once)
{
	const char *group = caller_good(
	    caller_send(&ada_at[0], "POST", "/v1/groups", NULL, "{\"name\":\"options\",\"visibility\":\"public\"}"))
	                        .id;
	const char *fields = arena_printf(&rig.arena, "/v1/groups/%s/custom-fields/person", group);
	struct reorder o = {.field = arena_printf(&rig.arena, "%s/Stage", fields)};

	caller_good(caller_send(&ada_at[0], "POST", fields, NULL,
	    "{\"name\":\"Stage\",\"type\":\"singleSelect\",\"options\":[{\"label\":\"Won\"},{\"label\":\"Lost\"}]}"));
	for (o.round = 0; o.round < 20; o.round++) {
		caller_crowd_run(2, reorder_send, &o);
		const struct json *field =
		    caller_data(&ada_at[0].arena, caller_good(get_target(&ada_at[o.round % 2], o.field)));
		assert_int_equal(json_member(field, "options")->count, 2 * o.round + 4);
		assert_int_equal(option_label(field, 0)[0] + option_label(field, 1)[0], 'a' + 'b');
		for (int i = 0; i < 2; i++)
			assert_int_equal(strtol(option_label(field, i) + 1, NULL, 10), o.round);
		assert_string_equal(option_label(field, 2 * o.round + 2), "Won");
	}
}

TEST(test_key_revoked_at_once)
{
	struct caller c[2];
	const char *id, *key = api_key_create(rig.program, &rig.arena, rig.ben.id, false, &id);

	for (int i = 0; i < 2; i++) {
		caller_init(&c[i], servers[i]->base, key);
		caller_good(get_target(&c[i], "/v1/users/me"));
	}
	assert_int_equal(KITH("key", "revoke", id), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(get_target(&c[i], "/v1/users/me").status, 401);
		caller_free(&c[i]);
	}
}

/* Made and deleted by the API: works and ends in both, and is nowhere in clear, not even among stored answers. */
TEST(test_key_of_api_at_once)
{
	struct caller_answer made =
	    caller_good(caller_send(&ada_at[0], "POST", "/v1/keys", "key-once", "{\"name\":\"Both\"}"));
	const char *text = strstr(made.reply.body, "\"key\":\"kith_"),
	           *key = arena_printf(&rig.arena, "%.*s", APIKEY_LEN, text + strlen("\"key\":\""));
	struct caller c[2];

	assert_int_equal(rig_stored(&rig, "key-once"), 1);
	assert_rows(0, "idempotency_keys where position('kith_' in encode(body, 'escape')) > 0");
	assert_rows(0, "api_keys k where position('%s' in k::text) > 0", key);
	for (int i = 0; i < 2; i++) {
		caller_init(&c[i], servers[i]->base, key);
		caller_good(get_target(&c[i], "/v1/users/me"));
	}
	caller_good(caller_send(&ada_at[1], "DELETE", arena_printf(&rig.arena, "/v1/keys/%s", made.id), NULL, NULL));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(get_target(&c[i], "/v1/users/me").status, 401);
		caller_free(&c[i]);
	}
}

/* A retry has the first answer, also when the key that it made is no longer valid. */
TEST(test_retry_of_an_expired_key)
{
	char soon[TIME_TEXT_SIZE];
	const char *body = arena_printf(&rig.arena, "{\"expiresAt\":\"%s\"}", time_format(clock_now_ms() + 1000, soon));
	struct caller_answer made = caller_good(caller_send(&ada_at[0], "POST", "/v1/keys", "key-soon", body)), again;
	const char *text = strstr(made.reply.body, "\"key\":\"kith_");
	struct caller c;

	assert_non_null(text);
	caller_init(&c, servers[0]->base, arena_printf(&rig.arena, "%.*s", APIKEY_LEN, text + strlen("\"key\":\"")));
	await_true(get_target(&c, "/v1/users/me").status != 200);
	assert_int_equal(get_target(&c, "/v1/users/me").status, 401);
	caller_free(&c);
	assert_int_equal(caller_send(&ada_at[0], "POST", "/v1/keys", NULL, body).status, 422);
	again = caller_good(caller_send(&ada_at[1], "POST", "/v1/keys", "key-soon", body));
	assert_true(again.replayed);
	assert_string_equal(again.id, made.id);
}

/* --- one rate limit -------------------------------------------------------------------------- */

struct burst {
	struct caller callers[CLIENTS];
	atomic_int admitted, limited, other;
};

static void ask_twice(void *ctx, int i)
{
	struct burst *b = ctx;

	for (int n = 0; n < 2; n++) {
		int status = get_target(&b->callers[i], "/v1/users/me").status;
		atomic_fetch_add(status == 200 ? &b->admitted : status == 429 ? &b->limited : &b->other, 1);
	}
}

TEST(test_one_rate_limit)
{
	/* the last setting counts; the window is longer than the test */
	const char *const settings[] = {"rate_default=20/60", NULL};
	struct server_process *pair[2];
	static struct burst b;

	for (int i = 0; i < 2; i++)
		pair[i] = rig_serve(&rig, false, settings);
	for (int i = 0; i < CLIENTS; i++)
		caller_init(&b.callers[i], pair[i % 2]->base, rig.ben.key);
	caller_crowd_run(CLIENTS, ask_twice, &b);
	assert_int_equal(b.admitted, LIMIT);
	assert_int_equal(b.limited, 2 * CLIENTS - LIMIT);
	for (int i = 0; i < CLIENTS; i++)
		caller_free(&b.callers[i]);
	for (int i = 0; i < 2; i++)
		assert_true(server_stop(pair[i]));
}

/* --- one company of a name --------------------------------------------------------------------- */

struct namers {
	struct caller callers[CLIENTS];
	const char *people[CLIENTS];
	char name[32];
	struct caller_answer answers[CLIENTS];
};

/* A third each: creates a person with it, updates one, creates the company itself. */
static void name_company(void *ctx, int i)
{
	struct namers *n = ctx;
	struct caller *c = &n->callers[i];
	const char *body = arena_printf(&c->arena,
	    "{\"companies\":[{\"name\":\"%s\"},{\"name\":\"%s too\"}],\"jobTitle\":\"x\"}", n->name, n->name);

	if (i % 3 == 0)
		n->answers[i] = caller_sendf(c, "POST", "/v1/people", NULL,
		    "{\"firstName\":\"n\",\"companies\":[{\"name\":\"%s too\"},{\"name\":\"%s\"}]}", n->name, n->name);
	else if (i % 3 == 1)
		n->answers[i] =
		    caller_send(c, "PATCH", arena_printf(&c->arena, "/v1/people/%s", n->people[i]), NULL, body);
	else
		n->answers[i] = caller_sendf(c, "POST", "/v1/companies", NULL, "{\"name\":\"%s\"}", n->name);
}

TEST(test_company_once)
{
	static struct namers n;
	int rounds = rig_setting("NAME_ROUNDS", 8);

	for (int i = 0; i < CLIENTS; i++) {
		caller_init(&n.callers[i], servers[i % 2]->base, rig.ada.key);
		n.people[i] =
		    caller_good(caller_send(&ada_at[0], "POST", "/v1/people", NULL, "{\"firstName\":\"n\"}")).id;
	}
	for (int round = 0; round < rounds; round++) {
		snprintf(n.name, sizeof n.name, "Acme %d", round);
		caller_crowd_run(CLIENTS, name_company, &n);
		for (int i = 0; i < CLIENTS; i++)
			caller_good(n.answers[i]);
		assert_rows(1, "companies where name = '%s'", n.name);
		assert_rows(1, "companies where name = '%s too'", n.name);
		/* all have the same one */
		assert_rows(CLIENTS - CLIENTS / 3,
		    "person_companies p join companies c on c.id = p.company_id where c.name = '%s'", n.name);
	}
	for (int i = 0; i < CLIENTS; i++)
		caller_free(&n.callers[i]);
}
