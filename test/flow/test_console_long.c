/* What takes long of the console in a browser (test/web/console.mjs): faults, boards, reports, imports, hostile texts.
 */
#include "test/lib/flow.h"
#include "test/lib/server/web.h"

RIG("console_long");

TEST(the_rest_of_the_console)
{
	char *const more[] = {TEXT("KITH_PROGRAM=%s", rig.program->path),
	    TEXT("KITH_DATABASE_URL=%s", rig.program->database_url), TEXT("KITH_DATA_DIR=%s", rig.program->data_dir),
	    TEXT("KITH_CONSOLE_PART=%s", "long"), NULL};

	assert_int_equal(web_run("console.mjs", server, rig.ada.key, more), 0);
}
