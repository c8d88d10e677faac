/* Shared by the files of the listener for operators; included by server/admin/ only. */
#ifndef KITH_SERVER_ADMIN_ADMIN_PRIVATE_H
#define KITH_SERVER_ADMIN_ADMIN_PRIVATE_H

#include "server/admin/admin.h"
#include "server/base/buf.h"
#include "server/request/server.h"

struct admin {
	struct server *server;
	struct http_server *http;
	http_error_writer *error_writer;
};

/* render.c: all metrics in the text format. */
void admin_metrics(const struct admin *a, struct buf *out);
/* debug.c: what is under way, as JSON. */
void admin_requests(const struct admin *a, struct buf *out);

#endif
