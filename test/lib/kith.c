/* See kith.h. */
#include "test/lib/kith.h"

const char *kith_said;

int kith_run(const char *const argv[])
{
	return command_run(rig.program, &rig.arena, argv, &kith_said);
}
