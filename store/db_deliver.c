/* Delivers ended exchanges to their senders; frees a closed database afterwards. */
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "store/db_private.h"

static int error_class(const char *sqlstate)
{
	int i = 0;

	while (i < DB_ERROR_CLASSES - 1 && memcmp(db_error_classes[i], sqlstate, 2) != 0)
		i++;
	return i;
}

static void count_end(struct db *db, const struct db_exchange *x)
{
	struct lane *l = &db->lanes[x->lane];

	l->ended[x->status]++;
	histogram_add(&l->durations, x->took_us);
	if (x->status == DB_FAILED)
		db->errors[error_class(x->sqlstate)]++;
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
	free(db->silence);
	free(db->stall);
	hosts_free(&db->hosts);
	free((char *)db->config.nameservers);
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
