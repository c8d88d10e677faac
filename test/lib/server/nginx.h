/* nginx with deploy/nginx.conf before servers of a test. */
#ifndef KITH_TEST_LIB_SERVER_NGINX_H
#define KITH_TEST_LIB_SERVER_NGINX_H

#include <sys/types.h>

#include "test/lib/server/directory.h"

struct nginx {
	pid_t pid;
	char base[64];                  /* "http://127.0.0.1:1234" */
	char directory[DIRECTORY_SIZE]; /* with access.log and error.log */
};

/* Starts it without TLS on a free port, before "http://127.0.0.1:PORT" and a second server (NULL: none), and waits
 * until /readyz returns 200. Ends the process with a message on failure. */
void nginx_start(struct nginx *n, const char *first, const char *second);
/* The same with deploy/nginx-cells.conf, before two cells: every host name leads to the first one. */
void nginx_start_cells(struct nginx *n, const char *first, const char *second);
void nginx_stop(struct nginx *n);

/* A port of 127.0.0.1 that is free at present. */
int nginx_free_port(void);

#endif
