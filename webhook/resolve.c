/* Checks the addresses of names; see resolve.h. */
#include "webhook/resolve.h"

#include <event2/event.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/dns.h"
#include "server/base/list.h"

struct resolver {
	struct event_base *base;
	struct dns *dns;
	struct list literal; /* resolutions of literal addresses, in progress */
};

struct resolution {
	struct list link;
	const struct target_rules *rules;
	const struct target *target;
	resolve_fn *done;
	void *ctx;
	struct event *soon;      /* literal addresses: their result is delivered from the loop */
	struct dns_query *query; /* NULL: a literal address, or answered */
	enum resolve_status status;
	size_t n;
	struct sockaddr_storage addresses[DNS_ADDRESSES_MAX];
};

struct resolver *resolver_new(struct event_base *base, const char *nameservers)
{
	struct resolver *r = mem_zalloc(sizeof *r);

	r->base = base;
	list_init(&r->literal);
	/* Without a search: a target is a full name. */
	r->dns = dns_new(base, nameservers, false);
	if (r->dns)
		return r;
	free(r);
	return NULL;
}

static void resolution_free(struct resolution *x)
{
	list_remove(&x->link);
	if (x->soon)
		event_free(x->soon);
	free(x);
}

/* Checks and stores an address; false ends the resolution. */
static bool resolution_take_address(struct resolution *x, const struct sockaddr_storage *address)
{
	if (!target_address_allowed(x->rules, x->target, (const struct sockaddr *)address)) {
		x->status = RESOLVE_FORBIDDEN;
		return false;
	}
	struct sockaddr_storage *to = &x->addresses[x->n++];
	memcpy(to, address, sizeof *to);
	if (to->ss_family == AF_INET)
		((struct sockaddr_in *)to)->sin_port = htons(x->target->port);
	else
		((struct sockaddr_in6 *)to)->sin6_port = htons(x->target->port);
	x->status = RESOLVE_OK;
	return true;
}

static void resolution_answer(struct resolution *x)
{
	x->done(x->ctx, x->status, x->addresses, x->status == RESOLVE_OK ? x->n : 0);
	resolution_free(x);
}

static void on_soon(evutil_socket_t fd, short what, void *ctx)
{
	(void)fd;
	(void)what;
	resolution_answer(ctx);
}

static void on_answer(void *ctx, const struct sockaddr_storage *addresses, size_t n)
{
	struct resolution *x = ctx;

	for (size_t i = 0; i < n && resolution_take_address(x, &addresses[i]); i++)
		;
	resolution_answer(x);
}

struct resolution *resolve_start(
    struct resolver *r, const struct target_rules *rules, const struct target *t, resolve_fn *done, void *ctx)
{
	struct resolution *x = mem_zalloc(sizeof *x);

	x->rules = rules;
	x->target = t;
	x->done = done;
	x->ctx = ctx;
	x->status = RESOLVE_FAILED;
	list_init(&x->link);
	if (t->literal) {
		list_append(&r->literal, &x->link);
		resolution_take_address(x, &t->address);
		x->soon = evtimer_new(r->base, on_soon, x);
		event_active(x->soon, EV_TIMEOUT, 0);
	} else {
		x->query = dns_ask(r->dns, t->host, on_answer, x);
	}
	return x;
}

void resolve_cancel(struct resolution *x)
{
	if (x->query)
		dns_cancel(x->query);
	resolution_free(x);
}

void resolver_free(struct resolver *r)
{
	while (!list_empty(&r->literal)) {
		struct resolution *x = list_item(r->literal.next, struct resolution, link);
		x->status = RESOLVE_FAILED;
		resolution_answer(x);
	}
	dns_free(r->dns);
	free(r);
}
