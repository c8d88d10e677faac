/* A program as systemd runs it: it tells its state, has sockets held, and gets them in its next process. */
#ifndef KITH_TEST_LIB_SERVER_SERVICE_H
#define KITH_TEST_LIB_SERVER_SERVICE_H

#include <stdbool.h>
#include <sys/types.h>

#include "test/lib/server/command.h"
#include "test/lib/server/directory.h"

enum { SERVICE_SOCKETS_MAX = 8, SERVICE_NAME_SIZE = 80 };

struct service {
	bool late; /* lets sockets go only when the service waits for that */
	char let_go[SERVICE_NAME_SIZE];
	const struct program *program;
	char told_at[DIRECTORY_SIZE + 16]; /* NOTIFY_SOCKET */
	int told;                          /* its descriptor */
	int watchdog_ms;                   /* 0: not watched */
	pid_t pid;                         /* 0: does not run */
	struct service_socket {
		int fd;
		char name[SERVICE_NAME_SIZE];
	} held[SERVICE_SOCKETS_MAX];
	int n_held;
	char log[DIRECTORY_SIZE + 16]; /* its stderr */
};

/* in_namespace: the address is one of Linux's abstract namespace, else a path. */
void service_open(struct service *s, const struct program *p, bool in_namespace, int watchdog_ms);
void service_close(struct service *s);

/* Runs `kith serve` with the settings ("--listen=…", ends with NULL) and the sockets held. */
void service_start(struct service *s, const char *const settings[]);

/* Reads what the program says until a message has this line; messages of other processes, and none in time, end the
 * test. */
void service_await(struct service *s, const char *line);

/* SIGTERM, and reads on until it has ended: the exit status, -1 when it was killed. */
int service_stop(struct service *s);
/* Reads on until it has ended by itself. */
int service_end(struct service *s);

/* A listening socket on 127.0.0.1, as of a .socket unit, to be passed under that name; returns its port. */
int service_add_socket(struct service *s, const char *name);

#endif
