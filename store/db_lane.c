/* Lanes: their names, and whether each has a connection. */
#include <string.h>

#include "store/db_private.h"

static const char *const lane_names[DB_LANES] = {
    "admit", "point", "list", "feed", "write", "work", "signal", "replica"};

const char *lane_name(enum db_lane lane)
{
	return lane_names[lane];
}

bool db_ready(const struct db *db)
{
	for (int lane = 0; lane < DB_LANES; lane++)
		if (db->lanes[lane].n_conns > 0 && db->lanes[lane].n_up == 0)
			return false;
	return true;
}

void db_lane_stats(const struct db *db, enum db_lane lane, struct lane_stats *out)
{
	const struct lane *l = &db->lanes[lane];

	*out = (struct lane_stats){.waits = l->waits,
	    .durations = l->durations,
	    .connections = l->n_conns,
	    .connected = l->n_up,
	    .waiting = l->waiting.n_items,
	    .queue_max = db->config.queue_max[lane]};
	memcpy(out->ended, l->ended, sizeof out->ended);
	for (int i = 0; i < l->n_conns; i++)
		out->in_flight += l->conns[i].n_in_flight;
}

/* As in PostgreSQL's appendix of error codes. */
const char *const db_error_classes[DB_ERROR_CLASSES] = {
    "08", "21", "22", "23", "25", "26", "28", "40", "42", "53", "54", "55", "57", "58", "XX", "other"};

const uint64_t *db_errors(const struct db *db)
{
	return db->errors;
}
