/* See page_post.h. */
#include "test/lib/signin/page_post.h"

#include "test/lib/flow.h"

struct caller_answer page_post(struct caller *c, const char *target, const char *network, const char *body)
{
	const struct client_header headers[] = {{"X-Kith-Console", "1"}, {"X-Forwarded-For", network}, {NULL, NULL}};

	return caller_send_with(c, "POST", target, body, headers);
}

struct caller_answer sign_in(struct caller *c, const char *network, const char *email, const char *password)
{
	return page_post(c, "/auth/password", network,
	    arena_printf(&c->arena, "{\"email\":\"%s\",\"password\":\"%s\"}", email, password));
}

struct caller stranger_at(int at)
{
	struct caller c;

	caller_init(&c, servers[at]->base, NULL);
	return c;
}
