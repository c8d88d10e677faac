/* Resolves names with evdns, which reports results either at once or from the loop. */
#include "webhook/resolve.h"

#include <event2/dns.h>
#include <event2/event.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/list.h"
#include "server/base/log.h"

static const struct timeval LIMIT = {5, 0};

#define HOSTS "/etc/hosts"
#define RESOLV_CONF "/etc/resolv.conf"
enum { FILES_LOOK_US = 1000000, FREE_TURNS_MAX = 64 };

struct resolver {
	struct event_base *base;
	struct evdns_base *dns;
	char *nameserver; /* NULL: from resolv.conf */
	struct list in_progress;
	struct timespec hosts_time, conf_time; /* modification times of the files that dns was made from */
	int64_t looked_us;
};

struct resolution {
	struct list link;
	struct resolver *resolver;
	const struct target_rules *rules;
	const struct target *target;
	resolve_fn *done; /* NULL: cancelled or answered, but evdns still holds it */
	void *ctx;
	struct event *timer; /* for the time limit, and for results known at once */
	struct evdns_getaddrinfo_request *query;
	bool starting, held; /* within evdns_getaddrinfo(); until evdns calls back */
	enum resolve_status status;
	size_t n;
	struct sockaddr_storage addresses[RESOLVE_ADDRESSES_MAX];
};

/* --- the resolver ----------------------------------------------------------------- */

static struct timespec changed_at(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? st.st_mtim : (struct timespec){0};
}

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static struct evdns_base *resolver_make_dns(struct resolver *r)
{
	/* Without DNS_OPTION_SEARCH: a target is a full name. */
	struct evdns_base *dns = evdns_base_new(r->base, EVDNS_BASE_DISABLE_WHEN_INACTIVE);
	r->hosts_time = changed_at(HOSTS);
	r->conf_time = changed_at(RESOLV_CONF);
	if (!dns)
		return NULL;
	if (r->nameserver) {
		if (evdns_base_nameserver_ip_add(dns, r->nameserver) != 0) {
			evdns_base_free(dns, 0);
			return NULL;
		}
		evdns_base_load_hosts(dns, HOSTS);
	} else {
		/* Without the file it uses 127.0.0.1. */
		evdns_base_resolv_conf_parse(
		    dns, DNS_OPTION_NAMESERVERS | DNS_OPTION_HOSTSFILE | DNS_OPTION_MISC, RESOLV_CONF);
	}
	evdns_base_set_option(dns, "timeout:", "1.5");
	evdns_base_set_option(dns, "attempts:", "3");
	evdns_base_set_option(dns, "max-inflight:", "1024");
	evdns_base_set_option(dns, "initial-probe-timeout:", "1");
	/* How long to wait for the other family's answer. */
	evdns_base_set_option(dns, "getaddrinfo-allow-skew:", "2");
	return dns;
}

/* Logs nameservers that stop or resume answering. */
static void on_log(int is_warning, const char *message)
{
	if (is_warning)
		log_warn("resolve", "%s", message);
}

struct resolver *resolver_new(struct event_base *base, const char *nameservers)
{
	struct resolver *r = mem_zalloc(sizeof(*r));
	r->base = base;
	r->nameserver = nameservers ? mem_dupz(nameservers) : NULL;
	list_init(&r->in_progress);
	r->looked_us = clock_mono_us();
	evdns_set_log_fn(on_log);
	r->dns = resolver_make_dns(r);
	if (r->dns)
		return r;
	free(r->nameserver);
	free(r);
	return NULL;
}

/* Reads changed files when nothing is in progress: evdns cannot reload while in use. */
static void read_changed_files(struct resolver *r)
{
	int64_t now = clock_mono_us();
	if (!list_empty(&r->in_progress) || now - r->looked_us < FILES_LOOK_US)
		return;
	r->looked_us = now;
	if (same_time(r->hosts_time, changed_at(HOSTS)) && same_time(r->conf_time, changed_at(RESOLV_CONF)))
		return;
	struct evdns_base *dns = resolver_make_dns(r);
	if (!dns)
		return;
	evdns_base_free(r->dns, 0);
	r->dns = dns;
}

/* --- one resolution --------------------------------------------------------------- */

static void resolution_free(struct resolution *x)
{
	list_remove(&x->link);
	event_free(x->timer);
	free(x);
}

/* Calls done; frees x now, or when evdns has released it. */
static void resolution_answer(struct resolution *x)
{
	resolve_fn *done = x->done;
	x->done = NULL;
	if (done)
		done(x->ctx, x->status, x->addresses, x->status == RESOLVE_OK ? x->n : 0);
	if (!x->held)
		resolution_free(x);
	else if (x->query)
		evdns_getaddrinfo_cancel(x->query);
}

static void on_timer(evutil_socket_t fd, short what, void *ctx)
{
	(void)fd;
	(void)what;
	resolution_answer(ctx);
}

/* Checks and stores an address; false ends the resolution. */
static bool resolution_take_address(struct resolution *x, const struct sockaddr *address, size_t len)
{
	if (x->n == RESOLVE_ADDRESSES_MAX || len > sizeof(x->addresses[0])) {
		x->status = RESOLVE_FAILED;
		return false;
	}
	if (!target_address_allowed(x->rules, x->target, address)) {
		x->status = RESOLVE_FORBIDDEN;
		return false;
	}
	struct sockaddr_storage *to = &x->addresses[x->n++];
	memcpy(to, address, len);
	if (to->ss_family == AF_INET)
		((struct sockaddr_in *)to)->sin_port = htons(x->target->port);
	else
		((struct sockaddr_in6 *)to)->sin6_port = htons(x->target->port);
	x->status = RESOLVE_OK;
	return true;
}

static void on_answer(int error, struct evutil_addrinfo *list, void *ctx)
{
	struct resolution *x = ctx;
	bool going_on = error == 0;
	x->held = false;
	x->query = NULL;
	for (struct evutil_addrinfo *at = list; at && going_on && x->done; at = at->ai_next)
		going_on = resolution_take_address(x, at->ai_addr, (size_t)at->ai_addrlen);
	if (list)
		evutil_freeaddrinfo(list);
	if (!x->starting)
		resolution_answer(x);
}

/* Delivers a known result from the loop. */
static void resolution_answer_soon(struct resolution *x)
{
	event_active(x->timer, EV_TIMEOUT, 0);
}

static void resolution_ask(struct resolution *x)
{
	struct evutil_addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_protocol = IPPROTO_TCP};
	x->held = x->starting = true;
	struct evdns_getaddrinfo_request *query =
	    evdns_getaddrinfo(x->resolver->dns, x->target->host, NULL, &hints, on_answer, x);
	x->starting = false;
	if (!x->held) {
		resolution_answer_soon(x);
		return;
	}
	x->query = query;
	event_add(x->timer, &LIMIT);
}

struct resolution *resolve_start(
    struct resolver *r, const struct target_rules *rules, const struct target *t, resolve_fn *done, void *ctx)
{
	read_changed_files(r);
	struct resolution *x = mem_zalloc(sizeof(*x));
	x->resolver = r;
	x->rules = rules;
	x->target = t;
	x->done = done;
	x->ctx = ctx;
	x->status = RESOLVE_FAILED;
	x->timer = evtimer_new(r->base, on_timer, x);
	list_init(&x->link);
	list_append(&r->in_progress, &x->link);
	if (t->literal) {
		resolution_take_address(x, (const struct sockaddr *)&t->address, sizeof(t->address));
		resolution_answer_soon(x);
	} else {
		resolution_ask(x);
	}
	return x;
}

void resolve_cancel(struct resolution *x)
{
	x->done = NULL;
	event_del(x->timer);
	resolution_answer(x);
}

static struct resolution *first_unanswered(struct resolver *r)
{
	for (struct list *at = r->in_progress.next; at != &r->in_progress; at = at->next) {
		struct resolution *x = list_item(at, struct resolution, link);
		if (x->done)
			return x;
	}
	return NULL;
}

void resolver_free(struct resolver *r)
{
	struct resolution *x;
	while ((x = first_unanswered(r))) {
		x->status = RESOLVE_FAILED;
		event_del(x->timer);
		resolution_answer(x);
	}
	/* evdns reports and frees cancelled queries only from the loop. */
	for (int i = 0; i < FREE_TURNS_MAX && !list_empty(&r->in_progress); i++)
		event_base_loop(r->base, EVLOOP_NONBLOCK);
	evdns_base_free(r->dns, 0);
	free(r->nameserver);
	free(r);
}
