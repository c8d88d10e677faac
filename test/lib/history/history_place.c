/* See history_round.h: the databases and processes of a round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/lib/db/database.h"
#include "test/lib/db/standby.h"
#include "test/lib/history/history_round.h"
#include "test/lib/server/command.h"

#define TEXT(...) arena_printf(&r->arena, __VA_ARGS__)

static void place_fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

/* --- databases --------------------------------------------------------------------------------------- */

static void open_clusters(struct round *r)
{
	char error[CLUSTER_ERROR_SIZE] = "";
	const struct history_setup *s = r->setup;

	if (!(r->one = cluster_start(error)) || !cluster_sql(r->one, "create database kith", NULL, 0))
		place_fail("the database", error);
	if ((s->standby || s->synchronous) && !(r->two = cluster_standby(r->one, error)))
		place_fail("the standby", error);
	if (s->promoted)
		r->program.database_url = TEXT("host=%s,%s port=5432 user=postgres dbname=kith",
		    cluster_socket_dir(r->one), cluster_socket_dir(r->two));
	else
		r->program.database_url =
		    TEXT("host=%s port=5432 user=postgres dbname=kith", cluster_socket_dir(r->one));
}

/* The standby follows through a proxy, which may delay its acknowledgements. */
static void open_stream(struct round *r)
{
	r->stream = proxy_start(r->stream_dir, cluster_socket_dir(r->one));
	chmod(r->stream_dir, 0711);
	chmod(TEXT("%s/.s.PGSQL.5432", r->stream_dir), 0777);
	if (!cluster_sql(r->two,
	        TEXT("alter system set primary_conninfo = 'host=%s port=5432 user=postgres'", r->stream_dir), NULL,
	        0) ||
	    !cluster_sql(r->two, "select pg_reload_conf()", NULL, 0))
		place_fail("the standby", "does not take another way");
}

static void open_workspace(struct round *r)
{
	const char *out;

	if (command_run(&r->program, &r->arena, (const char *const[]){"migrate", NULL}, &out) != 0)
		place_fail("kith migrate", "failed");
	if (r->setup->synchronous && !standby_synchronous(r->one, true))
		place_fail("the standby", "is not synchronous");
	struct test_workspace w = workspace_create(&r->program, &r->arena, "history");
	r->key = user_create(&r->program, &r->arena, &w, "ada", "Ada L", "ada@example.org", "admin").key;
}

/* --- processes ---------------------------------------------------------------------------------------- */

void round_base(struct round *r, int process, char base[64], int *generation)
{
	pthread_mutex_lock(&r->lock);
	snprintf(base, 64, "%s", r->processes[process].base);
	*generation = r->processes[process].generation;
	pthread_mutex_unlock(&r->lock);
}

/* The first process is behind the proxy and has fault points. */
void round_start(struct round *r, int process)
{
	const char *settings[] = {
	    "rate_default=0", "rate_burst=0", "webhook_allow_targets=127.0.0.0/8", "clock_scale=5", NULL, NULL};
	struct round_process *p = &r->processes[process];

	if (r->setup->standby && !r->setup->promoted)
		settings[4] =
		    TEXT("replica_url=host=%s port=5432 user=postgres dbname=kith", cluster_socket_dir(r->two));
	if (process == 0)
		setenv("FAULT_FILE", r->faults, 1);
	else
		unsetenv("FAULT_FILE");
	struct server_process *server = server_start(process == 0 && r->proxy ? &r->via : &r->program, settings);
	pthread_mutex_lock(&r->lock);
	p->server = server;
	snprintf(p->base, sizeof p->base, "%s", server->base);
	p->generation++;
	pthread_mutex_unlock(&r->lock);
}

void round_look(struct round *r, int process)
{
	if (server_alive(r->processes[process].server))
		return;
	unlink(r->faults);
	r->wrong += !server_kill(r->processes[process].server);
	round_start(r, process);
}

/* --- all ------------------------------------------------------------------------------------------------- */

void round_open(struct round *r)
{
	arena_init(&r->arena);
	history_init(&r->h);
	pthread_mutex_init(&r->lock, NULL);
	if (!directory_make("data", r->data_dir) || !directory_make("proxy", r->proxy_dir) ||
	    !directory_make("stream", r->stream_dir))
		place_fail("a directory", "cannot be made");
	snprintf(r->faults, sizeof r->faults, "%s/faults", r->data_dir);
	r->program.path = command_binary();
	r->program.data_dir = r->data_dir;
	open_clusters(r);
	if (r->two && !r->setup->promoted)
		open_stream(r);
	open_workspace(r);
	if (!r->setup->promoted) {
		r->proxy = proxy_start(r->proxy_dir, cluster_socket_dir(r->one));
		r->via = r->program;
		r->via.database_url = proxy_url(r->program.database_url, cluster_socket_dir(r->one), r->proxy_dir);
	}
	for (int i = 0; i < r->setup->processes; i++)
		round_start(r, i);
	round_hooks_open(r);
}

void round_close(struct round *r)
{
	unlink(r->faults);
	for (int i = 0; i < r->setup->processes; i++)
		if (!server_stop(r->processes[i].server))
			r->wrong++;
	if (r->proxy) {
		proxy_stop(r->proxy);
		free((char *)r->via.database_url);
	}
	cluster_stop(r->two);
	if (r->stream)
		proxy_stop(r->stream);
	cluster_stop(r->one);
	for (int i = 0; i < r->heard.n; i++)
		free(r->heard.texts[i]);
	free(r->heard.texts);
	free(r->heard.table);
	free(r->attempts);
	history_free(&r->h);
	arena_free(&r->arena);
	pthread_mutex_destroy(&r->lock);
}
