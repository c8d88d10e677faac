/* See reads.h. */
#include "test/api/reads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/db/standby.h"
#include "test/lib/server/operated.h"

static struct cluster *primary, *standby;
static bool late;
static int64_t n_there, n_here;

static bool standby_at_once(void)
{
	return cluster_set(primary, "synchronous_commit", "remote_apply") && standby_synchronous(primary, true);
}

static bool standby_late(void)
{
	return cluster_set(standby, "recovery_min_apply_delay", "50ms");
}

void reads_open(void)
{
	const char *kind = getenv("KITH_TEST_STANDBY");
	char error[CLUSTER_ERROR_SIZE] = "no standby as wanted";

	if (!kind)
		return;
	late = strcmp(kind, "late") == 0;
	primary = cluster_start(error);
	standby = primary ? cluster_standby(primary, error) : NULL;
	if (!standby || !(late ? standby_late() : standby_at_once())) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	setenv("KITH_TEST_DATABASE_URL", cluster_url(primary), 1);
}

/* When a server ends. */
static bool reads_told(void *ctx, struct server_process *s, bool killed)
{
	struct operated *o = ctx;

	(void)s, (void)killed;
	n_there += operated_reads(o, "read");
	n_here += operated_reads(o, "absent") + operated_reads(o, "behind") + operated_reads(o, "failed");
	operated_free(o);
	free(o);
	return true;
}

static const char *standby_url(struct arena *a, const struct program *p)
{
	const char *start = p->database_url + strlen("postgresql:///");

	return arena_printf(a, "replica_url=%s dbname=%.*s", cluster_url(standby), (int)strcspn(start, "?"), start);
}

struct server_process *reads_serve(const struct program *p, const char *const settings[])
{
	const char *all[SERVER_SETTINGS_MAX + 1] = {NULL};
	struct server_process *s;
	struct operated *o;
	struct arena a;
	int n = 0;

	if (!standby)
		return server_start(p, settings);
	arena_init(&a);
	o = mem_zalloc(sizeof *o);
	operated_init(o);
	all[n++] = standby_url(&a, p);
	all[n++] = o->setting;
	for (int i = 0; settings[i] && n < SERVER_SETTINGS_MAX; i++)
		all[n++] = settings[i];
	s = server_start(p, all);
	s->ends = reads_told;
	s->ctx = o;
	arena_free(&a);
	return s;
}

bool reads_close(void)
{
	bool good = late || n_there >= n_here;

	if (standby)
		printf("%lld lists were read on the standby, %lld on the primary\n", (long long)n_there,
		    (long long)n_here);
	cluster_stop(standby);
	cluster_stop(primary);
	return good;
}
