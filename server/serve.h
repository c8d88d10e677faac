/* kith serve. */
#ifndef KITH_SERVER_SERVE_H
#define KITH_SERVER_SERVE_H

#include "server/config/config.h"

/* Serves until SIGTERM or SIGINT; takes over the config. argc and argv are those given to config_load(), to be read
 * again on SIGHUP. Returns the exit status. */
int serve_run(struct config *config, int argc, char **argv);

#endif
