/* A transaction left open in another database of the cluster stops the feed: the log says which. */
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/patience.h"

enum { PATIENCE_MS = 60000 };

static void await_log(const struct server_process *s, const char *word)
{
	int64_t until_us = patience_ms(PATIENCE_MS);
	while (!server_log_has(s, word))
		assert_true(patience_pause(until_us));
}

TEST(test_named)
{
	char word[64];

	/* 30 s take one. */
	struct server_process *s = rig_serve(&rig, false, (const char *const[]){"clock_scale=30", NULL});
	PGconn *pg = PQconnectdb(cluster_url(rig.cluster));
	database_execute(pg, "begin; select pg_current_xact_id()");
	snprintf(word, sizeof word, "of process %d in database postgres", PQbackendPID(pg));
	await_log(s, word);
	database_execute(pg, "prepare transaction 'forgotten'");
	PQfinish(pg);
	await_log(s, "prepared transaction \\\"forgotten\\\" of database postgres");
	assert_true(cluster_sql(rig.cluster, "rollback prepared 'forgotten'", NULL, 0));
	assert_true(server_stop(s));
}

RIG("held", .servers = RIG_NO_SERVER, .own_cluster = true);

BEFORE_ALL()
{
	assert_true(cluster_sql(rig.cluster, "alter system set max_prepared_transactions = 2", NULL, 0) &&
	            cluster_restart(rig.cluster, false));
}
