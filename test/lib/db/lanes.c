/* See lanes.h. */
#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/log.h"
#include "test/lib/db/lanes.h"

struct cluster *lanes_cluster;

void lanes_cluster_open(void)
{
	char error[CLUSTER_ERROR_SIZE];

	signal(SIGPIPE, SIG_IGN);
	log_set_level(getenv("KITH_TEST_LOG") ? LOG_DEBUG : LOG_ERROR);
	lanes_cluster = cluster_start(error);
	if (!lanes_cluster)
		fail_msg("%s", error);
}

void lanes_cluster_close(void)
{
	cluster_stop(lanes_cluster);
}

static struct event_base *base_new(void)
{
	struct event_config *config = event_config_new();
	event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
	struct event_base *base = event_base_new_with_config(config);
	event_config_free(config);
	return base;
}

void lanes_turn(struct lanes *w)
{
	db_flush(w->db);
	assert_int_equal(event_base_loop(w->base, EVLOOP_ONCE), 0);
	log_flush();
}

void lanes_stop(struct lanes *w)
{
	db_close(w->db);
	if (w->base)
		event_base_free(w->base);
	memset(w, 0, sizeof *w);
}

void lanes_config(struct lanes *w)
{
	lanes_stop(w);
	w->base = base_new();
	db_config_default(&w->config, cluster_url(lanes_cluster), 2);
}

void lanes_open(struct lanes *w)
{
	w->db = db_open(w->base, &w->config);
	UNTIL(w, db_ready(w->db));
}
