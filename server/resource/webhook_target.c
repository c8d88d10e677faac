/* Resolves the host name of a webhook's target before the target is stored. */
#include <string.h>

#include "server/input/body.h"
#include "server/request/server.h"
#include "server/resource/steps.h"
#include "webhook/resolve.h"

static void target_resolved(void *ctx, enum resolve_status status, const struct sockaddr_storage *addresses, size_t n)
{
	struct path at = PATH_NAME(NULL, "targetUrl");
	struct req *r = ctx;

	(void)addresses;
	(void)n;
	if (status != RESOLVE_FORBIDDEN) { /* an unknown name is allowed: connecting fails later and is retried */
		request_continue(r, PASS);
		return;
	}
	issue_custom(&r->given.issues, &at, "The host name resolves to an address that is not public");
	request_continue(r, reply_issues(r, "Invalid input"));
}

/* The text was checked with the body. The name is resolved once, before the transaction, which may run again. */
enum step webhook_target(struct req *r)
{
	const struct value *url = &r->given.input->values[WEBHOOK_TARGET_URL];
	struct target *target;

	r->tx.open_step = r->next;
	if (!(r->given.input->given & FIELD_BIT(WEBHOOK_TARGET_URL)) || !r->server->resolver)
		return PASS;
	target = arena_alloc(&r->arena, sizeof *target);
	if (target_parse(target, r->server->target_rules, url->text, url->len) != TARGET_OK || target->literal)
		return PASS;
	r->waits_for = "name";
	resolve_start(r->server->resolver, r->server->target_rules, target, target_resolved, r);
	return WAIT;
}
