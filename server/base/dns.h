/* Resolves names to addresses without blocking (evdns): both address families, at most 5 s, /etc/hosts included. */
#ifndef KITH_SERVER_BASE_DNS_H
#define KITH_SERVER_BASE_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct event_base;
struct dns;

enum { DNS_ADDRESSES_MAX = 32 };

/* nameservers: NULL for /etc/resolv.conf, otherwise "address:port" for tests. search: also looks for names in the
 * domains that resolv.conf lists. NULL when it cannot start. */
struct dns *dns_new(struct event_base *base, const char *nameservers, bool search);
/* Ends queries in progress without addresses. While evdns still holds any, it runs the loop briefly. When called from
 * within the loop, the rest is freed later. */
void dns_free(struct dns *d);

struct dns_query; /* a query in progress */
/* n is 0 when there is no such name, no answer in time, or more than DNS_ADDRESSES_MAX addresses. */
typedef void dns_fn(void *ctx, const struct sockaddr_storage *addresses, size_t n);

/* done is called later, from the loop, exactly once unless cancelled. Addresses are returned unchanged, with port 0. */
struct dns_query *dns_ask(struct dns *d, const char *name, dns_fn *done, void *ctx);
void dns_cancel(struct dns_query *q);

#endif
