/* The commands for workspaces, users and keys, the demo, and query plans. */
#ifndef KITH_SERVER_CLI_H
#define KITH_SERVER_CLI_H

#include "server/config/config.h"

/* Each takes over the config and gets the command line after the command's name; returns the exit status: 0, 1
 * (failed), 2 (usage). */
typedef int command_fn(struct config *config, int argc, char **argv);

command_fn cli_migrate, cli_workspace, cli_user, cli_key, cli_demo, cli_explain;
command_fn cli_listen, cli_trigger; /* cli_listen.c */
void cli_trigger_help(void);        /* prints the types of events */

/* Removes "--name VALUE" or "--name=VALUE" from argv and returns the value; NULL when absent. */
const char *cli_option(int *argc, char **argv, const char *name);
bool cli_flag(int *argc, char **argv, const char *name);

/* Reports left-over words; returns 2. */
int cli_usage(const char *usage);

#endif
