/* The listener for operators: see admin.h. */
#include "server/admin/admin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "server/admin/admin_private.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/base/loop.h"

enum {
	AGAIN_MS = 1000,
	CONNECTIONS_MAX = 64,
	BODY_MAX = 4096,
	ANSWER_MAX = 6 << 20,
	UNREAD_MAX = ANSWER_MAX + (2 << 20), /* so that a reader of the longest answer is not cut off */
	HOST_MAX = 256
};

/* --- answers --------------------------------------------------------------------------------- */

static void admin_reply(struct http_call *call, int status, const char *type, struct buf *body)
{
	const struct http_header headers[] = {
	    {"Content-Type", type}, {"Cache-Control", "no-store"}, {"Allow", "GET, HEAD"}};

	http_reply(call, status, headers, status == 405 ? 3 : 2, body);
}

static bool path_is(const struct http_input *in, const char *path)
{
	size_t len = strlen(path);

	return in->target_len >= len && memcmp(in->target, path, len) == 0 &&
	       (in->target_len == len || in->target[len] == '?');
}

static bool admin_verbose(const struct http_input *in)
{
	const char *query = memchr(in->target, '?', in->target_len);

	return query && strncmp(query + 1, "verbose", strlen("verbose")) == 0;
}

/* A foreign page can make its own host name lead to this address ("DNS rebinding"). Then it could read all of this in
 * the browser of someone who reaches the address. The browser sends that host name. So only names that no stranger can
 * own are answered: addresses, names without a dot, and the names in the settings and of this machine. */
static bool admin_host_known(const struct admin *a, const struct http_input *in)
{
	const struct config *config = a->server->config;
	const char *const known[] = {
	    config->admin_listen, config->public_url ? strstr(config->public_url, "//") + 2 : NULL};
	const char *host = in->host;
	char machine[HOST_NAME_MAX + 1] = "", text[HOST_MAX];
	unsigned char address[sizeof(struct in_addr)];
	size_t len = host ? strcspn(host, ":") : 0;

	if (!host || *host == '[' || !memchr(host, '.', len) || strcmp(in->peer, "unix") == 0)
		return true;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i] && strncasecmp(known[i], host, len) == 0 && strchr(":/", known[i][len]))
			return true;
	snprintf(text, sizeof text, "%.*s", (int)len, host);
	return inet_pton(AF_INET, text, address) == 1 ||
	       (gethostname(machine, sizeof machine - 1) == 0 && strcasecmp(machine, text) == 0);
}

static int admin_answer(struct admin *a, const struct http_input *in, struct buf *out, const char **type)
{
	if (!admin_host_known(a, in)) {
		buf_addz(out, "this host name is unknown: use an address, or the name in admin_listen or public_url\n");
		return 421;
	}
	if (in->method != HTTP_GET && in->method != HTTP_HEAD) {
		buf_addz(out, "only GET and HEAD are served here\n");
		return 405;
	}
	if (path_is(in, "/metrics")) {
		*type = "text/plain; version=0.0.4; charset=utf-8";
		admin_metrics(a, out);
	} else if (path_is(in, "/debug/requests")) {
		*type = "application/json";
		admin_requests(a, out);
	} else if (path_is(in, "/livez")) {
		buf_addz(out, "ok\n");
	} else if (path_is(in, "/readyz")) {
		bool verbose = admin_verbose(in), ready = admin_ready(a, out);
		if (!verbose)
			buf_clear(out);
		buf_addz(out, ready ? "ready\n" : "not ready\n");
		return ready ? 200 : 503;
	} else {
		buf_addz(out, "the paths are: /metrics /livez /readyz?verbose /debug/requests\n");
		return 404;
	}
	return 200;
}

static void admin_handle(struct http_call *call, const struct http_input *in, void *ctx)
{
	const char *type = "text/plain; charset=utf-8";
	struct buf out;
	int status;

	buf_init(&out, ANSWER_MAX);
	status = admin_answer(ctx, in, &out, &type);
	admin_reply(call, status, type, &out);
}

/* --- start and stop ------------------------------------------------------------------------------ */

static bool admin_listen(struct admin *a, char error[256])
{
	char bound[128];

	if (!http_listen(a->http, a->server->config->admin_listen, error, bound))
		return false;
	log_info("admin", "metrics are served on %s", bound);
	return true;
}

static void admin_listen_again(void *ctx)
{
	struct admin *a = ctx;
	char error[256];

	if (!a->server->closing && !admin_listen(a, error))
		loop_after(a->server->loop, AGAIN_MS, admin_listen_again, a);
}

static void admin_error(struct buf *body, int status, const char *request_id, const char *message, void *ctx)
{
	struct admin *a = ctx;

	a->error_writer(body, status, request_id, message, a->server);
}

bool admin_start(struct server *s, http_error_writer *error_writer, struct admin **out)
{
	struct http_config http;
	char error[256];
	struct admin *a;

	*out = NULL;
	if (!s->config->admin_listen)
		return true;
	*out = a = mem_zalloc(sizeof *a);
	a->started_ms = clock_now_ms();
	a->server = s;
	a->error_writer = error_writer;
	http_config_default(&http);
	http.body_max = http.body_max_batch = BODY_MAX;
	http.max_connections = CONNECTIONS_MAX;
	http.unread_max = UNREAD_MAX;
	http.handler = admin_handle;
	http.error_writer = admin_error;
	http.alone = true;
	http.ctx = a;
	a->http = http_new(loop_base(s->loop), &http);
	admin_sample_start(a);
	if (admin_listen(a, error))
		return true;
	if (errno != EADDRINUSE) {
		fprintf(stderr, "kith: admin_listen: %s\n", error);
		return false;
	}
	log_warn("admin", "%s; each process needs an admin_listen of its own. Trying again every second", error);
	loop_after(s->loop, AGAIN_MS, admin_listen_again, a);
	return true;
}

void admin_free(struct admin *a)
{
	if (!a)
		return;
	http_free(a->http);
	free(a);
}
