/* See kith.h. */
#include "test/lib/kith.h"

const char *kith_said;

int kith_run(const struct program *p, const char *const argv[])
{
	return command_run(p, &rig.arena, argv, &kith_said);
}
