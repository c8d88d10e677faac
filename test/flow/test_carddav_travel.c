/* A thousand random cards travel through vdirsyncer and are edited on both sides (test/dav/travel.py). The same judges
 * accept Radicale, another server, so that what they say about kith can be believed. */
#include "test/lib/flow.h"
#include "test/lib/server/judge.h"

RIG("carddav_travel");

TEST(random_cards)
{
	assert_int_equal(judge_run("travel.py", NULL), 0);
}

TEST(the_judges_accept_another_server)
{
	assert_int_equal(judge_run("radicale.py", "clients.py"), 0);
	assert_int_equal(judge_run("radicale.py", "travel.py"), 0);
}
