/* Random edits of an address book by clients that others wrote, while the server and the clients are killed
 * (test/dav/soak.py), and a large book (test/dav/volume.py): a short round, "make soak-carddav" has a longer one. */
#include <stdlib.h>

#include "test/lib/flow.h"
#include "test/lib/rows.h"
#include "test/lib/server/judge.h"

RIG("carddav_soak");

TEST(both_sides_end_equal)
{
	setenv("SOAK_MINUTES", "0.5", 0);
	assert_int_equal(judge_run("soak.py", NULL), 0);
}

TEST(a_large_book)
{
	setenv("VOLUME_PEOPLE", "2000", 0);
	rows_change("delete from people where %s", rig.own);
	assert_int_equal(judge_run("volume.py", NULL), 0);
}
