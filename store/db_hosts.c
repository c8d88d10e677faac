/* The servers in the database's URL. For a primary db_survey.c asks all of them, and chooses. Standbys, and servers of
 * a URL that accepts any kind, are tried one after the other, each in its own attempt. When one refuses the login, has
 * no room or does not answer, the next one is tried at once. libpq would stop at a server that refuses the login, and
 * would wait longer than our attempts last for one that does not answer.
 *
 * Names are looked up here, because libpq would block: in /etc/hosts and DNS, again for each attempt. Addresses found
 * before are used meanwhile, because the DNS server may be down together with the database server. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/dns.h"
#include "server/base/fatal.h"
#include "server/base/log.h"
#include "store/db_private.h"

enum { HOST_ADDRESSES_MAX = 8 };
enum { LIST_NAMES, LIST_ADDRESSES, LIST_PORTS };

/* --- the URL ------------------------------------------------------------------ */

static int hosts_list_count(const char *list)
{
	int n = 1;

	for (const char *p = list; p && *p; p++)
		n += *p == ',';
	return list ? n : 0;
}

/* Item number i of a list; a single port counts for all servers. NULL when the item is empty. */
static char *hosts_list_item(const char *list, int i)
{
	if (!list)
		return NULL;
	if (hosts_list_count(list) == 1)
		i = 0;
	for (; i > 0; i--)
		list = strchr(list, ',') + 1;
	size_t len = strcspn(list, ",");
	char *item = len > 0 ? mem_zalloc(len + 1) : NULL;
	if (item)
		memcpy(item, list, len);
	return item;
}

/* As in libpq, the environment supplies what the URL does not. */
static char *hosts_value_of(const PQconninfoOption *all, const char *keyword, const char *variable)
{
	for (const PQconninfoOption *o = all; o && o->keyword; o++)
		if (strcmp(o->keyword, keyword) == 0 && o->val)
			return mem_dupz(o->val);
	const char *value = getenv(variable);
	return value && *value ? mem_dupz(value) : NULL;
}

static bool is_name(const char *host)
{
	struct in_addr address;

	return host && *host != '/' && *host != '@' && !strchr(host, ':') && inet_pton(AF_INET, host, &address) != 1;
}

static void host_init(struct db_host *host, struct db *db, char *const lists[HOSTS_LISTS], int i)
{
	host->db = db;
	for (int list = 0; list < HOSTS_LISTS; list++)
		host->lists[list] = hosts_list_item(lists[list], i);
	host->by_name = !host->lists[LIST_ADDRESSES] && is_name(host->lists[LIST_NAMES]);
}

void hosts_init(struct hosts *h, struct db *db)
{
	PQconninfoOption *all = PQconninfoParse(db->config.url, NULL);
	char *lists[HOSTS_LISTS] = {hosts_value_of(all, "host", "PGHOST"),
	    hosts_value_of(all, "hostaddr", "PGHOSTADDR"), hosts_value_of(all, "port", "PGPORT")};
	int n = hosts_list_count(lists[LIST_ADDRESSES] ? lists[LIST_ADDRESSES] : lists[LIST_NAMES]);
	bool fits = n > 0;

	PQconninfoFree(all);
	/* libpq will refuse lists of different lengths. */
	for (int list = 0; list < HOSTS_LISTS; list++) {
		int count = hosts_list_count(lists[list]);
		fits = fits && (count == 0 || count == n || (list == LIST_PORTS && count == 1));
	}
	h->n = fits ? n : 1;
	h->list = mem_zalloc((size_t)h->n * sizeof *h->list);
	for (int i = 0; i < h->n; i++)
		if (fits)
			host_init(&h->list[i], db, lists, i);
	for (int list = 0; list < HOSTS_LISTS; list++)
		free(lists[list]);
}

void hosts_free(struct hosts *h)
{
	for (int i = 0; i < h->n; i++) {
		struct db_host *host = &h->list[i];
		if (host->query)
			dns_cancel(host->query);
		for (int list = 0; list < HOSTS_LISTS; list++)
			free(host->lists[list]);
		free(host->found);
		free(host->address);
	}
	dns_free(h->dns);
	free(h->list);
}

/* --- names ---------------------------------------------------------------------- */

static void host_looked_up(void *ctx, const struct sockaddr_storage *addresses, size_t n)
{
	struct db_host *host = ctx;
	char list[HOST_ADDRESSES_MAX * INET6_ADDRSTRLEN];
	size_t len = 0;

	host->query = NULL;
	if (n > HOST_ADDRESSES_MAX)
		n = HOST_ADDRESSES_MAX;
	for (size_t i = 0; i < n; i++) {
		char text[INET6_ADDRSTRLEN];
		const void *at = addresses[i].ss_family == AF_INET
		                     ? (const void *)&((const struct sockaddr_in *)&addresses[i])->sin_addr
		                     : (const void *)&((const struct sockaddr_in6 *)&addresses[i])->sin6_addr;
		inet_ntop(addresses[i].ss_family, at, text, sizeof text);
		len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", i ? "," : "", text);
	}
	if (n > 0) {
		free(host->found);
		host->found = mem_dupz(list);
		host->n_found = (int)n;
	} else {
		log_warn("db", "no addresses of %s are found%s", host->lists[LIST_NAMES],
		    host->found ? "; those found before are used" : "");
	}
	db_later(host->db);
}

void hosts_look_up(struct hosts *h, int i)
{
	struct db_host *host = &h->list[i];

	if (!host->by_name || host->query)
		return;
	if (!h->dns)
		h->dns = dns_new(host->db->base, host->db->config.nameservers, true);
	if (h->dns)
		host->query = dns_ask(h->dns, host->lists[LIST_NAMES], host_looked_up, host);
}

/* Repeats the name for each address, because certificates and passwords belong to names. */
static const char *repeat_name(struct arena *a, const char *name, int n)
{
	const char *list = name;

	for (; n > 1; n--)
		list = arena_printf(a, "%s,%s", list, name);
	return list;
}

bool hosts_values(const struct hosts *h, int i, int address, struct arena *a, const char *values[HOSTS_LISTS])
{
	const struct db_host *host = &h->list[i];

	for (int list = 0; list < HOSTS_LISTS; list++)
		values[list] = host->lists[list];
	if (!host->by_name)
		return true;
	if (!host->found)
		return false;
	if (address >= 0 || host->address) {
		char *one = address >= 0 ? hosts_list_item(host->found, address) : NULL;
		values[LIST_ADDRESSES] = arena_dupz(a, one ? one : host->address);
		free(one);
		return true;
	}
	values[LIST_NAMES] = repeat_name(a, host->lists[LIST_NAMES], host->n_found);
	values[LIST_ADDRESSES] = host->found;
	return true;
}

void hosts_name(const struct hosts *h, int i, int address, char *out, size_t size)
{
	const struct db_host *host = &h->list[i];
	const char *name = host->lists[LIST_NAMES] ? host->lists[LIST_NAMES] : host->lists[LIST_ADDRESSES];
	char *at = host->by_name && host->n_found > 1 && address >= 0 ? hosts_list_item(host->found, address) : NULL;

	snprintf(out, size, "%s%s%s%s%s%s", name ? name : "the local socket", host->lists[LIST_PORTS] ? ":" : "",
	    host->lists[LIST_PORTS] ? host->lists[LIST_PORTS] : "", at ? " (" : "", at ? at : "", at ? ")" : "");
	free(at);
}

void hosts_choose(struct hosts *h, int i, const char *address)
{
	struct db_host *host = &h->list[i];

	h->first = i;
	free(host->address);
	host->address = host->by_name ? mem_dupz(address) : NULL;
}

/* --- whose turn it is ------------------------------------------------------------- */

bool hosts_failed(struct hosts *h, int host, bool silent, const char *reason)
{
	size_t len = strlen(h->said);

	h->list[host].silent = silent;
	if (h->first == host)
		h->first = (host + 1) % h->n;
	snprintf(h->said + len, sizeof h->said - len, "%s%s", len ? "; " : "", reason);
	if (++h->n_tried < h->n)
		return false;
	h->n_tried = 0;
	return true;
}

void hosts_reached(struct hosts *h, int host)
{
	h->first = host;
	h->n_tried = 0;
	h->said[0] = '\0';
	h->list[host].silent = false;
}

void db_await(struct db *db)
{
	while (!db_ready(db) && db->stats.connect_failures < (uint64_t)db->hosts.n)
		if (event_base_loop(db->base, EVLOOP_ONCE) != 0)
			fatal_abort("db: the event loop has nothing to wait for");
}
