/* kith serve. */
#ifndef KITH_SERVER_SERVE_H
#define KITH_SERVER_SERVE_H

#include "server/config/config.h"

/* Serves until SIGTERM or SIGINT; takes the config over. argc and argv are those
 * that config_load() was given, to be read again on SIGHUP. Answers the exit status. */
int serve(struct config *config, int argc, char **argv);

#endif
