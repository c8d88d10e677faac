/* Commands that write files, on a disk that is full: each says so, fails, and leaves nothing behind that could be taken
 * for a whole file. A limit of a file's size stands for the disk: both take a part of a write, and refuse the next. */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/server/backed.h"
#include "test/lib/server/child.h"

enum { PEOPLE = 40, ABOUT_LEN = 2000 };

static struct backed backed;
static struct program full; /* the program where files end at 1,536 bytes */

#define AT(name) TEXT("%s/%s", backed.dir, name)
#define RUN(...) backed_run(&backed, &full, (const char *const[]){__VA_ARGS__, NULL})

RIG("full_disk");

BEFORE_ALL()
{
	const char *script;
	char about[ABOUT_LEN + 1];

	backed_open(&backed, &rig.arena);
	full = *rig.program;
	full.path = AT("kith-there");
	script = TEXT("#!/bin/sh\ntrap '' XFSZ\nulimit -f 3\nexec %s \"$@\"\n", rig.program->path);
	backed_write(full.path, script, strlen(script), 0755);
	for (int i = 0; i < PEOPLE; i++) {
		/* Hardly to be compressed. */
		for (int at = 0; at < ABOUT_LEN; at++)
			about[at] = (char)('!' + (i * 7919 + at * at * 31 + (at >> 3) * i) % 90);
		for (char *c = about; c < about + ABOUT_LEN; c++)
			if (*c == '"' || *c == '\\')
				*c = '.';
		about[ABOUT_LEN] = '\0';
		MAKE(TEXT("{\"fullName\": \"P%d\", \"description\": \"%s\"}", i, about), "/v1/people");
	}
}

AFTER_ALL()
{
	backed_close(&backed);
}

/* Whether the directory holds a file whose name begins so. */
static bool is_left(const char *name)
{
	return child_wait(child_start(
	           &(struct child){.argv = (const char *const[]){"sh", "-c",
	                               TEXT("! ls -d %s/%s* >/dev/null 2>&1", backed.dir, name), NULL}})) != 0;
}

TEST(test_backup)
{
	backed_refused(&backed, RUN("backup", AT("copy"), "--without-secret"), "database.dump: File too large");
	assert_false(is_left("copy"));
}

TEST(test_workspace)
{
	backed_refused(&backed, RUN("workspace", "export", rig.workspace.id, "-o", AT("moved")),
	    "moved cannot be written: File too large");
	assert_false(is_left("moved"));
}

/* What it has is kept, and the export goes on when there is room again. */
TEST(test_export)
{
	const char *url = rig.servers[0]->base, *to = AT("people"), *key = rig.ada.key, *text;
	size_t len, lines = 0;

	backed_refused(&backed, RUN("export", "people", "--url", url, "--key", key, "-o", to), "File too large");
	backed_done(&backed,
	    backed_run(&backed, rig.program,
	        (const char *const[]){"export", "people", "--url", url, "--key", key, "-o", to, "--continue", NULL}));
	text = backed_read(&backed, to, &len);
	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	assert_int_equal(lines, PEOPLE);
}
