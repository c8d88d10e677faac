/* Delivers ended exchanges to their senders; frees a closed database afterwards. */
#include <stdlib.h>

#include "server/base/clock.h"
#include "store/db_private.h"

static void count_end(struct db *db, const struct db_exchange *x)
{
	db->stats.exchanges++;
	db->stats.statements += (uint64_t)(x->status == DB_OK ? x->n_statements : 0);
	db->stats.busy += x->status == DB_BUSY;
	db->stats.lost += x->status == DB_LOST;
}

void db_free(struct db *db)
{
	for (int i = 0; i < DB_LANES; i++)
		free(db->lanes[i].conns);
	for (int i = 0; i < db->n_names; i++) {
		free(db->names[i].name);
		free(db->names[i].text);
	}
	free(db->names);
	free(db->orphans);
	hosts_free(&db->hosts);
	free((char *)db->config.url);
	free(db);
}

void db_deliver(struct db *db)
{
	int n = db->n_finished; /* exchanges that end meanwhile wait for the next round, so that the loop continues */
	db->depth++;
	while (n-- > 0 && !list_empty(&db->finished)) {
		struct db_exchange *x = list_item(list_take(&db->finished), struct db_exchange, link);
		db->n_finished--;
		x->took_us = clock_mono_us() - x->sent_us;
		count_end(db, x);
		trouble_note(db, x);
		if (x->done)
			x->done(x);
	}
	db->depth--;
	if (db->free_me && db->depth == 0)
		db_free(db);
}
