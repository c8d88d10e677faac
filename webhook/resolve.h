/* Resolves target names (server/base/dns.h), without search domains, and checks their addresses. */
#ifndef KITH_WEBHOOK_RESOLVE_H
#define KITH_WEBHOOK_RESOLVE_H

#include "webhook/target.h"

struct event_base;
struct resolver;

enum resolve_status {
	RESOLVE_OK,        /* every address is allowed */
	RESOLVE_FORBIDDEN, /* at least one is not */
	RESOLVE_FAILED     /* no such name, no answer in time, or too many addresses */
};

/* nameservers: NULL for /etc/resolv.conf, else "address:port" for tests. NULL when it cannot start. */
struct resolver *resolver_new(struct event_base *base, const char *nameservers);
/* Ends resolutions in progress with RESOLVE_FAILED; see dns_free(). */
void resolver_free(struct resolver *r);

struct resolution; /* one in progress */
typedef void resolve_fn(void *ctx, enum resolve_status status, const struct sockaddr_storage *addresses, size_t n);

/* done is called later, from the loop, exactly once unless cancelled; rules and target must stay valid until then.
 * Addresses are returned as they are; /etc/hosts is used. Results carry the target's port. */
struct resolution *resolve_start(
    struct resolver *r, const struct target_rules *rules, const struct target *t, resolve_fn *done, void *ctx);
void resolve_cancel(struct resolution *x);

#endif
