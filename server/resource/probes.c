/* The probes, which need no key. */
#include "server/embedded/embedded.h"
#include "server/http/conn.h"
#include "server/request/server.h"
#include "server/resource/steps.h"

static enum step probe_state(struct req *r, const char *text)
{
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	json_add_string(o, "status", text);
	json_end_object(o);
	reply_header(r, "Cache-Control", "no-store");
	return reply_end(r);
}

/* Processes of one database may share a port. They recognise each other by this header (server/http/share.c). */
enum step step_livez(struct req *r)
{
	reply_header(r, SHARE_HEADER, r->server->identity);
	return probe_state(r, "alive");
}

/* Fails while the database is unreachable, refuses writes or does not confirm them, and while the process is stopping.
 * Load balancers then send requests to another server. */
enum step step_readyz(struct req *r)
{
	if (r->server->stopping)
		return reply_error(r, ERROR_UNAVAILABLE, "The server is stopping");
	if (!db_ready(r->server->db) && r->server->embedded && embedded_starting(r->server->embedded))
		return reply_error(r, ERROR_UNAVAILABLE, "The database has ended and is being started again");
	if (!db_ready(r->server->db))
		return reply_error(r, ERROR_UNAVAILABLE, "The database cannot be reached");
	if (db_refuses(r->server->db))
		return reply_error(r, ERROR_UNAVAILABLE, "The database refuses writes: see the log");
	if (db_stalls(r->server->db, NULL))
		return reply_error(r, ERROR_UNAVAILABLE, db_stalls(r->server->db, NULL)->waits);
	return probe_state(r, "ready");
}
