/* Lanes: their names, and whether each has a connection. */
#include "store/db_private.h"

static const char *const lane_names[DB_LANES] = {"admit", "point", "list", "feed", "write", "work", "signal"};

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
