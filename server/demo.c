/* kith demo: a workspace to try things with, made once. */
#include <stdio.h>

#include "server/cli.h"

int cli_demo(struct config *config, int argc, char **argv)
{
	(void)config;
	(void)argc;
	(void)argv;
	fprintf(stderr, "kith: not yet\n");
	return 1;
}
