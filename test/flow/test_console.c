/* The console in a browser (test/web/console.mjs). */
#include "test/lib/rig.h"
#include "test/lib/server/web.h"
#include "test/lib/test.h"

TEST(test_console)
{
	struct server_process *server;
	struct arena arena;
	struct rig rig;

	arena_init(&arena);
	rig_open(&rig, "console", false);
	server = rig_serve(&rig, false, NULL);
	char *const more[] = {arena_printf(&arena, "KITH_PROGRAM=%s", rig.program->path),
	    arena_printf(&arena, "KITH_DATABASE_URL=%s", rig.program->database_url),
	    arena_printf(&arena, "KITH_DATA_DIR=%s", rig.program->data_dir), NULL};
	assert_int_equal(web_run("console.mjs", server, rig.ada.key, more), 0);
	assert_true(server_stop(server));
	rig_close(&rig);
	arena_free(&arena);
}
