/* The program's commands on the database of RIG(), from the main thread:
 *
 *	assert_int_equal(KITH("user", "disable", rig.ben.id), 0);
 */
#ifndef KITH_TEST_LIB_KITH_H
#define KITH_TEST_LIB_KITH_H

#include "test/lib/flow.h"
#include "test/lib/server/command.h"

/* Runs the command to its end; returns the exit code. */
#define KITH(...) KITH_OF(rig.program, __VA_ARGS__)

/* The same on another database. */
#define KITH_OF(program, ...) kith_run(program, (const char *const[]){__VA_ARGS__, NULL})

/* The JSON object that a command prints; command_text() has its members. A command that fails ends the process. */
#define KITH_JSON(...) command_json(rig.program, &rig.arena, (const char *const[]){__VA_ARGS__, NULL})

extern const char *kith_said; /* all that the latest command has printed */

/* Called by the macro. */
int kith_run(const struct program *p, const char *const argv[]);

#endif
