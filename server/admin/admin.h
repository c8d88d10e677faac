/* The listener for operators (setting admin_listen): /metrics, /livez, /readyz and /debug/requests, for those who run
 * the server. It is a second HTTP server in the same loop, which belongs to this process only and asks for no key. */
#ifndef KITH_SERVER_ADMIN_ADMIN_H
#define KITH_SERVER_ADMIN_ADMIN_H

#include <stdbool.h>

#include "server/http/http.h"

struct admin;
struct server;

/* Listens. If another process has the address, such as the process that this one replaces, the server runs without the
 * listener and tries again every second. False with a message on stderr: the address cannot be used. */
bool admin_start(struct server *s, http_error_writer *error_writer, struct admin **out);
/* Call it after db_close(). a may be NULL. */
void admin_free(struct admin *a);

#endif
