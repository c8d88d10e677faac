/* kith serve. */
#ifndef KITH_SERVER_SERVE_H
#define KITH_SERVER_SERVE_H

struct config;

/* Serves until SIGTERM or SIGINT. Takes over the config; SIGHUP reads it again from argv, the arguments of
 * config_load(). Returns the exit status. */
int serve_run(struct config *config, int argc, char **argv);

#endif
