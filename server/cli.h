/* The commands that manage workspaces, users and keys, the demo, and plans. */
#ifndef KITH_SERVER_CLI_H
#define KITH_SERVER_CLI_H

#include "server/config/config.h"

/* Each takes the config over and what is left of the command line behind the
 * command's name, and answers the exit status: 0, 1 (failed), 2 (wrong usage). */
typedef int command_fn(struct config *config, int argc, char **argv);

command_fn cli_migrate, cli_workspace, cli_user, cli_key, cli_demo, cli_explain;
command_fn cli_listen, cli_trigger; /* cli_listen.c */
void cli_trigger_help(void);        /* the types of events */

/* The value of "--name VALUE" or "--name=VALUE", taken out of argv; NULL when absent. */
const char *cli_option(int *argc, char **argv, const char *name);
bool cli_flag(int *argc, char **argv, const char *name);

/* Complains about what is left over; answers 2. */
int cli_usage(const char *usage);

#endif
