/* kith_admit() with a clock of its own: the simulations of admission.sql, which check every admission against every
 * true window, on a throw-away cluster. No lanes: statements go through psql. */
#include <stdio.h>
#include <stdlib.h>

#include "store/migrate.h"
#include "test/lib/db/cluster.h"
#include "test/lib/test.h"

static struct cluster *cluster;

TEST(test_exact)
{
	static const char *const runs[] = {
	    "admission_change(sha256('1/a'))",
	    "admission_exact(1, sha256('1/a'), 600, 60, 20, 2, 2500, 0.1)",
	    "admission_exact(2, sha256('1/a'), 5, 1, 2, 3, 2500, 0.2)",
	    "admission_exact(3, sha256('1/a'), 7, 7, 0, 3, 2500, 0.3)",
	    "admission_exact(4, sha256('1/a'), 0, 7, 3, 1, 2500, 0.4)",
	    "admission_exact(5, sha256('1/a'), 1, 1, 1, 1, 2500, 0.5)",
	    "admission_exact(6, sha256('1/a'), 100, 13, 20, 11, 2500, 0.6)",
	    "admission_clock(7, sha256('1/a'), 20, 6, 2500, 0.7)",
	    "admission_clock(8, sha256('1/a'), 6, 20, 2500, 0.8)",
	    "admission_together(sha256('1/a'), 600, 0.9)",
	};
	char text[160];

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		snprintf(text, sizeof(text), "select %s", runs[i]);
		if (!cluster_sql(cluster, text, NULL, 0))
			fail_msg("%s", text);
	}
}

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	char *text = calloc(1, 65536);
	assert_non_null(text);
	size_t n = fread(text, 1, 65535, f);
	fclose(f);
	assert_true(n > 0 && n < 65535);
	return text;
}

BEFORE_ALL()
{
	static const char seed[] =
	    "insert into workspaces (workspace_id, name) values ('00000000-0000-0000-0000-000000000001', 'w');"
	    "insert into users (workspace_id, id, email, full_name, role) select workspace_id, workspace_id, 'u', 'u', "
	    "'member' "
	    "from workspaces;"
	    "insert into api_keys (key_hash, workspace_id, id, user_id, last4) select sha256('1/a'), workspace_id, "
	    "workspace_id, "
	    "workspace_id, 'last' from workspaces";
	char error[CLUSTER_ERROR_SIZE];

	cluster = cluster_start(error);
	if (!cluster)
		fail_msg("%s", error);
	/* A shared cluster may have the tables of an earlier run. */
	assert_true(cluster_sql(cluster,
	    "drop schema if exists kith_search cascade; drop schema public cascade; create schema public", NULL, 0));
	for (int i = 0; i < n_migrations; i++)
		assert_true(cluster_sql(cluster, migrations[i].sql, NULL, 0));
	assert_true(cluster_sql(cluster, seed, NULL, 0));
	char *text = read_file("test/flow/admission.sql");
	assert_true(cluster_sql(cluster, text, NULL, 0));
	free(text);
}

AFTER_ALL()
{
	cluster_stop(cluster);
}
