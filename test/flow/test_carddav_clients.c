/* Clients of address books that others wrote: Debian's vdirsyncer, khard, cadaver, litmus and vobject
 * (test/dav/clients.py), and npm's tsdav and dav (test/web/carddav.mjs). test_carddav_judges has all cases. */
#include "test/lib/flow.h"
#include "test/lib/server/judge.h"

RIG("carddav_clients");

TEST(vdirsyncer_carries_changes)
{
	assert_int_equal(judge_run("clients.py", "vdirsyncer_carries"), 0);
}

TEST(khard_changes_cards)
{
	assert_int_equal(judge_run("clients.py", "khard"), 0);
}

TEST(cadaver_walks)
{
	assert_int_equal(judge_run("clients.py", "cadaver"), 0);
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

TEST(a_colleague_edits)
{
	assert_int_equal(judge_run("shared.py", "a_colleague_edits"), 0);
}
