/* See worlds.h. */
#include "test/lib/model/worlds.h"

struct suite suite;

struct client_reply world_ask(struct world *w, const char *route, const char *body)
{
	struct isolation_sample sample = {.body = body};
	struct client_reply reply;
	struct request q;

	assert_non_null(route_named(route));
	request_make(&suite, w, route_named(route), &sample, (struct replacement){.at = -1}, &q);
	request_send(&suite, w, &q, NULL, &reply);
	return reply;
}

struct client_reply world_good(struct world *w, const char *route, const char *body)
{
	struct client_reply reply = world_ask(w, route, body);

	if (reply.status != 200)
		fail_msg("%s %s by %s: %d %s", route, body ? body : "", w->label, reply.status, reply.body);
	return reply;
}

const struct json *world_must(struct world *w, const char *route, const char *body)
{
	struct client_reply reply = world_good(w, route, body);
	const char *error;

	return json_member(json_read(&suite.arena, reply.body, reply.body_len, &error), "data");
}

void worlds_open(void)
{
	int last = 0;

	while (last + 1 < RIG_SERVERS_MAX && servers[last + 1])
		last++;
	arena_init(&suite.arena);
	endpoints_read();
	suite.client = client_new(servers[last]->base);
}

void worlds_close(void)
{
	client_free(suite.client);
	arena_free(&suite.arena);
	flow_close();
}

void worlds_judge(void)
{
	int failures = suite.failures;

	suite.failures = 0;
	assert_int_equal(failures, 0);
}
