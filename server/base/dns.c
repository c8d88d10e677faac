/* Resolves names with evdns, which reports results either at once or from the loop. */
#include "server/base/dns.h"

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

struct dns {
	struct event_base *base;
	struct evdns_base *evdns;
	char *nameserver; /* NULL: from resolv.conf */
	bool search, ended;
	struct list in_progress;
	struct timespec hosts_time, conf_time; /* modification times of the files that evdns was made from */
	int64_t looked_us;
};

struct dns_query {
	struct list link;
	struct dns *dns;
	dns_fn *done; /* NULL: cancelled or answered, but evdns still holds it */
	void *ctx;
	struct event *timer; /* for the time limit, and for results known at once */
	struct evdns_getaddrinfo_request *request;
	bool starting, held; /* inside evdns_getaddrinfo(); evdns has not called back yet */
	size_t n;
	struct sockaddr_storage addresses[DNS_ADDRESSES_MAX];
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

static struct evdns_base *dns_make(struct dns *d)
{
	struct evdns_base *evdns = evdns_base_new(d->base, EVDNS_BASE_DISABLE_WHEN_INACTIVE);

	d->hosts_time = changed_at(HOSTS);
	d->conf_time = changed_at(RESOLV_CONF);
	if (!evdns)
		return NULL;
	if (d->nameserver) {
		if (evdns_base_nameserver_ip_add(evdns, d->nameserver) != 0) {
			evdns_base_free(evdns, 0);
			return NULL;
		}
		evdns_base_load_hosts(evdns, HOSTS);
	} else {
		/* If the file is missing, evdns uses 127.0.0.1. */
		evdns_base_resolv_conf_parse(evdns,
		    DNS_OPTION_NAMESERVERS | DNS_OPTION_HOSTSFILE | DNS_OPTION_MISC |
		        (d->search ? DNS_OPTION_SEARCH : 0),
		    RESOLV_CONF);
	}
	evdns_base_set_option(evdns, "timeout:", "1.5");
	evdns_base_set_option(evdns, "attempts:", "3");
	evdns_base_set_option(evdns, "max-inflight:", "1024");
	evdns_base_set_option(evdns, "initial-probe-timeout:", "1");
	/* How long evdns waits for the answer of the other address family. */
	evdns_base_set_option(evdns, "getaddrinfo-allow-skew:", "2");
	return evdns;
}

/* Logs nameservers that stop or resume answering. */
static void on_log(int is_warning, const char *message)
{
	if (is_warning)
		log_warn("resolve", "%s", message);
}

struct dns *dns_new(struct event_base *base, const char *nameservers, bool search)
{
	struct dns *d = mem_zalloc(sizeof *d);

	d->base = base;
	d->nameserver = nameservers ? mem_dupz(nameservers) : NULL;
	d->search = search;
	list_init(&d->in_progress);
	d->looked_us = clock_mono_us();
	evdns_set_log_fn(on_log);
	d->evdns = dns_make(d);
	if (d->evdns)
		return d;
	free(d->nameserver);
	free(d);
	return NULL;
}

/* Reads changed files when no query is in progress, because evdns cannot reload while in use. */
static void read_changed_files(struct dns *d)
{
	int64_t now = clock_mono_us();

	if (!list_empty(&d->in_progress) || now - d->looked_us < FILES_LOOK_US)
		return;
	d->looked_us = now;
	if (same_time(d->hosts_time, changed_at(HOSTS)) && same_time(d->conf_time, changed_at(RESOLV_CONF)))
		return;
	struct evdns_base *evdns = dns_make(d);
	if (!evdns)
		return;
	evdns_base_free(d->evdns, 0);
	d->evdns = evdns;
}

static void dns_end(struct dns *d)
{
	evdns_base_free(d->evdns, 0);
	free(d->nameserver);
	free(d);
}

static void on_end(evutil_socket_t fd, short what, void *ctx)
{
	(void)fd;
	(void)what;
	dns_end(ctx);
}

/* --- one query -------------------------------------------------------------------- */

static void query_free(struct dns_query *q)
{
	struct dns *d = q->dns;

	list_remove(&q->link);
	event_free(q->timer);
	free(q);
	if (d->ended && list_empty(&d->in_progress)) /* evdns is calling this function */
		event_base_once(d->base, -1, EV_TIMEOUT, on_end, d, NULL);
}

/* Calls done. Frees q now, or when evdns has released it. */
static void query_answer(struct dns_query *q)
{
	dns_fn *done = q->done;

	q->done = NULL;
	if (done)
		done(q->ctx, q->addresses, q->n);
	if (!q->held)
		query_free(q);
	else if (q->request)
		evdns_getaddrinfo_cancel(q->request);
}

static void on_timer(evutil_socket_t fd, short what, void *ctx)
{
	(void)fd;
	(void)what;
	query_answer(ctx);
}

static void on_answer(int error, struct evutil_addrinfo *list, void *ctx)
{
	struct dns_query *q = ctx;

	q->held = false;
	q->request = NULL;
	for (struct evutil_addrinfo *at = error == 0 ? list : NULL; at && q->done; at = at->ai_next) {
		if (q->n == DNS_ADDRESSES_MAX || (size_t)at->ai_addrlen > sizeof q->addresses[0]) {
			q->n = 0;
			break;
		}
		memcpy(&q->addresses[q->n++], at->ai_addr, (size_t)at->ai_addrlen);
	}
	if (list)
		evutil_freeaddrinfo(list);
	if (!q->starting)
		query_answer(q);
}

struct dns_query *dns_ask(struct dns *d, const char *name, dns_fn *done, void *ctx)
{
	struct evutil_addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_protocol = IPPROTO_TCP};
	struct dns_query *q = mem_zalloc(sizeof *q);

	read_changed_files(d);
	q->dns = d;
	q->done = done;
	q->ctx = ctx;
	q->timer = evtimer_new(d->base, on_timer, q);
	list_init(&q->link);
	list_append(&d->in_progress, &q->link);
	q->held = q->starting = true;
	struct evdns_getaddrinfo_request *request = evdns_getaddrinfo(d->evdns, name, NULL, &hints, on_answer, q);
	q->starting = false;
	if (q->held) {
		q->request = request;
		event_add(q->timer, &LIMIT);
	} else { /* evdns knew the result at once: deliver it from the loop */
		event_active(q->timer, EV_TIMEOUT, 0);
	}
	return q;
}

void dns_cancel(struct dns_query *q)
{
	q->done = NULL;
	event_del(q->timer);
	query_answer(q);
}

static struct dns_query *first_unanswered(struct dns *d)
{
	list_each(q, &d->in_progress, struct dns_query, link)
		if (q->done)
			return q;
	return NULL;
}

void dns_free(struct dns *d)
{
	struct dns_query *q;

	if (!d)
		return;
	while ((q = first_unanswered(d))) {
		event_del(q->timer);
		q->n = 0;
		query_answer(q);
	}
	/* evdns reports and frees cancelled queries only from the loop. */
	for (int i = 0; i < FREE_TURNS_MAX && !list_empty(&d->in_progress); i++)
		if (event_base_loop(d->base, EVLOOP_NONBLOCK) < 0)
			break;
	if (list_empty(&d->in_progress))
		dns_end(d);
	else
		d->ended = true;
}
