/* What takes long of the clients that others wrote for address books: all cases of vdirsyncer, with conflicts and lost
 * answers, syncevolution, and followers of changes (test/dav/clients.py), Evolution's data server
 * (test/dav/evolution.py), and what only kith has (test/dav/shared.py). */
#include "test/lib/flow.h"
#include "test/lib/server/judge.h"

RIG("carddav_judges");

TEST(vdirsyncer_syncs)
{
	assert_int_equal(judge_run("clients.py", "vdirsyncer"), 0);
}

TEST(syncevolution_syncs)
{
	assert_int_equal(judge_run("clients.py", "syncevolution"), 0);
}

TEST(evolution_edits)
{
	assert_int_equal(judge_run("evolution.py", NULL), 0);
}

TEST(changes_are_told)
{
	assert_int_equal(judge_run("clients.py", "sync_collection"), 0);
}

TEST(what_only_kith_has)
{
	assert_int_equal(judge_run("shared.py", NULL), 0);
}
