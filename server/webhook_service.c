/* The dispatcher of webhooks: see webhook_service.h. */
#include "server/webhook_service.h"

#include <stdlib.h>

#include "server/base/arena.h"
#include "server/base/loop.h"
#include "server/request/server.h"
#include "server/request/commit_notify.h"
#include "webhook/deliver.h"
#include "webhook/dispatch.h"

enum { TIMEOUT_MS = 20000, CONNECTIONS_MAX = 512, IDLE_MS = 30000 };

struct webhook_service {
	struct deliverer *deliverer;
	struct dispatcher *dispatcher;
	bool stopped;
};

static void events_committed(void *ctx)
{
	commit_notify_send(ctx);
}

static void service_woken(void *ctx)
{
	dispatch_wake(ctx);
}

static void service_stopped(void *ctx)
{
	((struct webhook_service *)ctx)->stopped = true;
}

bool webhook_service_start(struct server *s)
{
	struct webhook_service *e = mem_zalloc(sizeof *e);

	e->deliverer = deliverer_new(&(struct deliver_config){.loop = s->loop,
	    .rules = s->target_rules,
	    .resolver = s->resolver,
	    .timeout_ms = TIMEOUT_MS,
	    .connections_max = CONNECTIONS_MAX,
	    .idle_ms = IDLE_MS});
	if (!e->deliverer) {
		free(e);
		return false;
	}
	e->dispatcher = dispatch_start(&(struct dispatch_config){.loop = s->loop,
	    .db = s->db,
	    .deliverer = e->deliverer,
	    .rules = s->target_rules,
	    .vault = s->vault,
	    .public_url = s->config->public_url ? s->config->public_url : s->default_url,
	    .clock_scale = s->config->clock_scale,
	    .committed = events_committed,
	    .ctx = s});
	commit_notify_subscribe(s, service_woken, e->dispatcher);
	s->webhook_service = e;
	s->dispatcher = e->dispatcher;
	return true;
}

void webhook_service_stop(struct server *s, int ms)
{
	if (s->webhook_service)
		dispatch_stop(s->webhook_service->dispatcher, ms, service_stopped, s->webhook_service);
}

bool webhook_service_idle(const struct server *s)
{
	return !s->webhook_service || s->webhook_service->stopped;
}

void webhook_service_close(struct server *s)
{
	if (s->webhook_service)
		deliverer_free(s->webhook_service->deliverer);
}

void webhook_service_free(struct server *s)
{
	if (!s->webhook_service)
		return;
	dispatch_free(s->webhook_service->dispatcher);
	free(s->webhook_service);
	s->webhook_service = NULL;
	s->dispatcher = NULL;
}
