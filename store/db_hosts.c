/* The servers in the database's URL. libpq tries them in order and goes on when one refuses; but it waits for one
 * that does not answer, longer than our attempts last, and the next attempt would begin with the same server. So
 * after an attempt without an answer the first server is moved to the end. */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/fatal.h"
#include "store/db_private.h"

static int hosts_list_count(const char *list)
{
	int n = 1;
	for (const char *p = list; p && *p; p++)
		n += *p == ',';
	return list ? n : 0;
}

/* The comma-separated list, rotated so that item number first comes first. */
static const char *list_from(struct arena *a, const char *list, int first)
{
	const char *from = list;
	for (int i = 0; i < first; i++)
		from = strchr(from, ',') + 1;
	return first == 0 ? list : arena_printf(a, "%s,%.*s", from, (int)(from - list - 1), list);
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

void hosts_init(struct hosts *h, const char *url)
{
	PQconninfoOption *all = PQconninfoParse(url, NULL);
	char *names = hosts_value_of(all, "host", "PGHOST");
	char *addresses = hosts_value_of(all, "hostaddr", "PGHOSTADDR");
	char *ports = hosts_value_of(all, "port", "PGPORT");
	PQconninfoFree(all);
	*h = (struct hosts){{names, addresses, ports}, .n = hosts_list_count(addresses ? addresses : names)};
}

void hosts_free(struct hosts *h)
{
	for (int i = 0; i < HOSTS_LISTS; i++)
		free(h->lists[i]);
}

void hosts_silent(struct hosts *h)
{
	if (h->n > 1)
		h->first = (h->first + 1) % h->n;
}

void hosts_in_order(const struct hosts *h, struct arena *a, const char *lists[HOSTS_LISTS])
{
	for (int i = 0; i < HOSTS_LISTS; i++) {
		/* A single port applies to all hosts. Lists of different lengths are left to libpq to refuse. */
		bool fits = h->n > 1 && hosts_list_count(h->lists[i]) == h->n;
		lists[i] = fits ? list_from(a, h->lists[i], h->first) : NULL;
	}
}

void db_await(struct db *db)
{
	while (!db_ready(db) && db->stats.connect_failures < (uint64_t)db->hosts.n)
		if (event_base_loop(db->base, EVLOOP_ONCE) != 0)
			fatal_abort("db: the event loop has nothing to wait for");
}
