/* Two servers on one database, which are ended and started again, and what they logged. */
#include <pthread.h>
#include <stdio.h>

#include "test/soak/soak_log.h"
#include "test/soak/soak.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct soak_side {
	struct server_process *server;
	char base[64];
	int generation;
	pid_t pid;
} sides[SOAK_SIDES];

void side_start(int i)
{
	char scale[32], retention[32], listen[48];
	const char *const settings[] = {
	    listen, scale, retention, "delivery_retention=1", "rate_burst=300/2", "public_url=http://kith.test", NULL};

	/* Beside the port of its own: one that is the same whenever it is started. */
	snprintf(listen, sizeof listen, "listen=127.0.0.1:%d", soak.port + i);
	snprintf(scale, sizeof scale, "clock_scale=%d", soak.scale);
	snprintf(retention, sizeof retention, "event_retention=%d", soak.retention);
	struct server_process *server = rig_serve(&soak.rig, false, settings);
	pthread_mutex_lock(&lock);
	sides[i].server = server;
	snprintf(sides[i].base, sizeof sides[i].base, "http://127.0.0.1:%d", soak.port + i);
	sides[i].generation++;
	sides[i].pid = server->pid;
	pthread_mutex_unlock(&lock);
	log_watch(i, server->log);
}

void side_end(int i, bool killed)
{
	struct server_process *server = sides[i].server;

	pthread_mutex_lock(&lock);
	sides[i].pid = 0;
	pthread_mutex_unlock(&lock);
	if (!(killed ? server_kill(server) : server_stop(server)))
		finding_add("servers", "server %d did not end as it should", i);
	log_watch(i, NULL);
}

const char *side_base(int i)
{
	static _Thread_local char base[64];

	pthread_mutex_lock(&lock);
	snprintf(base, sizeof base, "%s", sides[i].base);
	pthread_mutex_unlock(&lock);
	return base;
}

int side_generation(int i)
{
	pthread_mutex_lock(&lock);
	int generation = sides[i].generation;
	pthread_mutex_unlock(&lock);
	return generation;
}

pid_t side_pid(int i)
{
	pthread_mutex_lock(&lock);
	pid_t pid = sides[i].pid;
	pthread_mutex_unlock(&lock);
	return pid;
}
