/* Clients of address books that others wrote: Debian's vdirsyncer, khard, cadaver, syncevolution, litmus and vobject
 * (test/dav/clients.py), npm's tsdav and dav (test/web/carddav.mjs), and what only kith has (test/dav/shared.py). */
#include "test/lib/flow.h"
#include "test/lib/server/judge.h"

RIG("carddav_clients");

TEST(vdirsyncer_syncs)
{
	assert_int_equal(judge_run("clients.py", "vdirsyncer"), 0);
}

TEST(khard_changes_cards)
{
	assert_int_equal(judge_run("clients.py", "khard"), 0);
}

TEST(cadaver_walks)
{
	assert_int_equal(judge_run("clients.py", "cadaver"), 0);
}

TEST(syncevolution_syncs)
{
	assert_int_equal(judge_run("clients.py", "syncevolution"), 0);
}

TEST(litmus_and_vobject)
{
	assert_int_equal(judge_run("clients.py", "litmus"), 0);
	assert_int_equal(judge_run("clients.py", "vobject"), 0);
}

TEST(tsdav_and_dav)
{
	assert_int_equal(judge_run_node("carddav.mjs"), 0);
}

TEST(what_only_kith_has)
{
	assert_int_equal(judge_run("shared.py", NULL), 0);
}
