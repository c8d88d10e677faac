/* Decides what pages of other origins may do. */
#include "server/request/cors.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/http/http.h"

/* The request headers that pages may send, and the answer headers that they may read, beyond those that the standard
 * always allows. */
const char cors_sent[] = "Authorization, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, MCP-Protocol-Version, "
                         "traceparent, tracestate, "
                         "X-API-Version, X-Kith-Via, X-Server-Timing";
const char cors_shown[] =
    "Allow, Deprecation, ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, Sunset, "
    "WWW-Authenticate, X-API-Version, X-Dry-Run, X-Events-Cursor, X-RateLimit-Limit, X-RateLimit-Remaining, "
    "X-RateLimit-Reset, X-Request-Id";
/* Seconds for which a browser need not ask again. No browser keeps the answer longer than this, or than a day. */
const char cors_kept[] = "7200";

void cors_init(struct cors *c, const char *origins)
{
	char *item;

	*c = (struct cors){.any = origins && strcmp(origins, "*") == 0};
	if (!origins || c->any)
		return;
	c->text = mem_dupz(origins);
	for (item = c->text + strspn(c->text, ", \t"); *item && c->n < CONFIG_ORIGINS_MAX;) {
		size_t len = strcspn(item, ", \t");
		bool last = item[len] == '\0';
		c->origins[c->n++] = item;
		item[len] = '\0';
		item += len + !last;
		item += strspn(item, ", \t");
	}
}

void cors_free(struct cors *c)
{
	free(c->text);
}

const char *cors_allowed(const struct cors *c, const char *origin)
{
	if (c->any)
		return "*";
	for (int i = 0; origin && i < c->n; i++)
		if (strcmp(c->origins[i], origin) == 0)
			return c->origins[i];
	return NULL;
}

void cors_judge(const struct cors *c, const char *origin, struct http_verdict *v)
{
	const char *allowed = cors_allowed(c, origin);

	if (c->n)
		v->more[v->n_more++] = (struct http_header){"Vary", "Origin"};
	if (!allowed)
		return;
	v->more[v->n_more++] = (struct http_header){"Access-Control-Allow-Origin", allowed};
	v->more[v->n_more++] = (struct http_header){"Access-Control-Expose-Headers", cors_shown};
}
