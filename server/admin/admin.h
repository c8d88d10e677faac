/* The listener for operators (setting admin_listen): /metrics, /livez, /readyz and /debug/requests, for those who run
 * the server. It is a second HTTP server in the same loop, of this process alone, and asks no key. */
#ifndef KITH_SERVER_ADMIN_ADMIN_H
#define KITH_SERVER_ADMIN_ADMIN_H

#include <stdbool.h>

#include "server/http/server.h"

struct admin;
struct server;

/* Listens. While another process, such as the one that this one replaces, has the address, it goes on without and
 * tries again every second. False with a message on stderr: the address is of no use. */
bool admin_start(struct server *s, http_error_writer *error_writer, struct admin **out);
/* To be called after db_close(). a may be NULL. */
void admin_free(struct admin *a);

#endif
