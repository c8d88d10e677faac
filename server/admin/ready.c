/* /readyz tells whether the process can serve, as GET /readyz of the API tells load balancers. With ?verbose it also
 * lists what was checked. What only holds back readers of the feed is reported, but does not make the process unready.
 */
#include "server/admin/admin_private.h"
#include "server/embedded/embedded.h"
#include "server/request/replica.h"

static bool ready_line(struct buf *out, bool good, const char *what, const char *how)
{
	buf_printf(out, "[%c] %s: %s\n", good ? '+' : '-', what, how);
	return good;
}

static bool ready_database(const struct server *s, struct buf *out)
{
	struct lane_stats lane;
	bool good = true;

	if (!db_ready(s->db) && s->embedded && embedded_starting(s->embedded))
		return ready_line(out, false, "database", "it has ended and is being started again");
	for (enum db_lane l = 0; l < DB_LANES; l++) {
		db_lane_stats(s->db, l, &lane);
		if (lane.connections == 0)
			continue;
		buf_printf(out, "[%c] lane %s: %d of %d connections, %d in flight, %d waiting\n",
		    lane.connected ? '+' : '-', lane_name(l), lane.connected, lane.connections, lane.in_flight,
		    lane.waiting);
		good = good && lane.connected;
	}
	return good;
}

/* The process is ready without the replica, because lists are then read on the primary. */
static void ready_replica(const struct server *s, struct buf *out)
{
	const struct db *replica = replica_db(s);
	struct lane_stats lane;

	if (!replica)
		return;
	db_lane_stats(replica, DB_REPLICA, &lane);
	buf_printf(out, "[%c] replica: %d of %d connections; %llu lists read there, %llu not\n",
	    lane.connected ? '+' : '!', lane.connected, lane.connections,
	    (unsigned long long)replica_count(s, REPLICA_READ),
	    (unsigned long long)(replica_count(s, REPLICA_ABSENT) + replica_count(s, REPLICA_BEHIND) +
	                         replica_count(s, REPLICA_AHEAD) + replica_count(s, REPLICA_FAILED)));
}

static void ready_feed(const struct admin *a, struct buf *out)
{
	const struct sample *s = admin_sample(a);

	if (!s) {
		buf_addz(out, "[?] feed: the database has not reported lately\n");
		return;
	}
	buf_printf(out, "[%c] feed: %.1f s behind", s->holder.any ? '!' : '+', (double)s->feed_lag_us / 1e6);
	if (s->holder.any && s->holder.pid)
		buf_printf(out, ", held by process %lld of database \"%s\", whose transaction is %.1f s old: %s",
		    (long long)s->holder.pid, s->holder.database, (double)s->feed_held_us / 1e6,
		    *s->holder.query ? s->holder.query : "this login may not see its query");
	else if (s->holder.any)
		buf_printf(out, ", held by a prepared transaction of database \"%s\", %.1f s old", s->holder.database,
		    (double)s->feed_held_us / 1e6);
	buf_addc(out, '\n');
}

static void ready_webhooks(const struct admin *a, struct buf *out)
{
	struct dispatch_stats stats;

	dispatch_stats_get(a->server->dispatcher, &stats);
	if (stats.leads)
		buf_printf(out, "[%c] webhooks: sent by this process; %d have work, %d fail\n",
		    stats.n_failing ? '!' : '+', stats.n_behind, stats.n_failing);
	else
		buf_addz(out, "[+] webhooks: another process sends them\n");
}

bool admin_ready(const struct admin *a, struct buf *out)
{
	const struct server *s = a->server;
	const char *refuses = db_refuses(s->db);
	const struct db_stall_cause *stall = db_stalls(s->db, NULL);
	bool good = ready_database(s, out);

	good = ready_line(out, !refuses, "writes", refuses ? refuses : "accepted") && good;
	good = ready_line(out, !stall, "commits", stall ? stall->waits : "confirmed") && good;
	good = ready_line(out, !s->stopping, "process", s->stopping ? "stopping" : "serving") && good;
	ready_replica(s, out);
	ready_feed(a, out);
	ready_webhooks(a, out);
	return good;
}
