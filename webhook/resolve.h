/* Names of targets to addresses, without blocking (evdns): both families, at most 5 s, no search domains. */
#ifndef KITH_WEBHOOK_RESOLVE_H
#define KITH_WEBHOOK_RESOLVE_H

#include "webhook/target.h"

struct event_base;
struct resolver;

enum { RESOLVE_ADDRESSES_MAX = 32 };

enum resolve_status {
	RESOLVE_OK,        /* every address passed the rule */
	RESOLVE_FORBIDDEN, /* at least one did not */
	RESOLVE_FAILED     /* no such name, no answer in time, or more than the maximum of addresses */
};

/* nameservers: NULL for /etc/resolv.conf, else "address:port" for tests. NULL when the resolver cannot start. */
struct resolver *resolver_new(struct event_base *base, const char *nameservers);
/* Ends what is under way with RESOLVE_FAILED. Not from within the loop: turns it once more when evdns still holds some.
 */
void resolver_free(struct resolver *r);

struct resolution; /* one under way */
typedef void resolve_fn(void *ctx, enum resolve_status status, const struct sockaddr_storage *addresses, size_t n);

/* done is called later, from the loop, exactly once unless cancelled; until then rules and target stay where they are.
 * A literal answers itself; /etc/hosts counts. Addresses carry the target's port. */
struct resolution *resolve(
    struct resolver *r, const struct target_rules *rules, const struct target *t, resolve_fn *done, void *ctx);
void resolve_cancel(struct resolution *x);

#endif
