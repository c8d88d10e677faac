/* Fault points: reads the orders, counts hits and performs the actions. The file is empty without KITH_FAULTS. */
#include "server/base/fault.h"

#ifdef KITH_FAULTS
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { ORDERS_MAX = 32, FDS_MAX = 1024 };

struct fault_order {
	enum fault_point point;
	char action[32];
	long at, hits;
};

#define FAULT_NAME(name) #name,
static const char *const names[] = {FAULT_POINTS(FAULT_NAME)};

static struct fault_order orders[ORDERS_MAX];
static int n_orders;
static struct stat seen;

static enum fault_point point_named(const char *name, size_t len)
{
	for (int i = 0; i < FAULT_POINTS_END; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return (enum fault_point)i;
	fprintf(stderr, "no fault point has the name %.*s\n", (int)len, name);
	abort();
}

static void read_orders(void)
{
	const char *path = getenv("FAULT_FILE");
	struct stat now;
	char line[128];

	if (!path || stat(path, &now) != 0) {
		n_orders = 0;
		seen.st_ino = 0;
		return;
	}
	if (now.st_ino == seen.st_ino && now.st_mtim.tv_sec == seen.st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == seen.st_mtim.tv_nsec)
		return;
	FILE *f = fopen(path, "r");
	if (!f)
		return;
	seen = now;
	n_orders = 0;
	while (n_orders < ORDERS_MAX && fgets(line, sizeof line, f)) {
		struct fault_order *o = &orders[n_orders];
		size_t name = strcspn(line, " ");
		char *rest;
		memset(o, 0, sizeof *o);
		o->point = point_named(line, name);
		o->at = strtol(line + name, &rest, 10);
		if (*rest == ' ')
			snprintf(o->action, sizeof o->action, "%.*s", (int)strcspn(rest + 1, "\n"), rest + 1);
		n_orders += o->at > 0 && o->action[0];
	}
	fclose(f);
}

/* Looks like a network failure: the server and libpq both see the connection closed. */
static void drop_database(void)
{
	for (int fd = 3; fd < FDS_MAX; fd++) {
		struct sockaddr_un peer;
		socklen_t len = sizeof peer;
		memset(&peer, 0, sizeof peer);
		if (getpeername(fd, (struct sockaddr *)&peer, &len) == 0 && peer.sun_family == AF_UNIX &&
		    strstr(peer.sun_path, ".s.PGSQL."))
			shutdown(fd, SHUT_RDWR);
	}
}

static bool fault_act(const char *action)
{
	if (strcmp(action, "kill") == 0) {
		raise(SIGKILL);
	} else if (strcmp(action, "term") == 0) {
		raise(SIGTERM);
	} else if (strcmp(action, "stop") == 0) {
		raise(SIGSTOP);
	} else if (strcmp(action, "drop") == 0) {
		drop_database();
	} else if (strncmp(action, "sleep=", 6) == 0) {
		long ms = strtol(action + 6, NULL, 10);
		nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
	}
	return strcmp(action, "error") == 0 || strcmp(action, "errors") == 0;
}

static bool is_due(struct fault_order *o)
{
	o->hits++;
	return o->hits == o->at || (o->hits > o->at && strcmp(o->action, "errors") == 0);
}

static bool is_always(enum fault_point point)
{
	const char *name = getenv("FAULT_ALWAYS");
	bool found = false;

	for (size_t len; name && *name; name += len + strspn(name + len, " ")) {
		len = strcspn(name, " ");
		found |= point_named(name, len) == point;
	}
	return found;
}

bool fault_hit(enum fault_point point)
{
	bool error = is_always(point);

	read_orders();
	for (int i = 0; i < n_orders; i++)
		if (orders[i].point == point && is_due(&orders[i]))
			error |= fault_act(orders[i].action);
	return error;
}
#else
/* ISO C forbids an empty translation unit. */
extern const char fault_unused;
#endif
