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

struct sender {
	struct deliverer *deliverer;
	struct dispatcher *dispatcher;
	bool stopped;
};

static void committed(void *ctx)
{
	wake_committed(ctx);
}

static void woken(void *ctx)
{
	dispatch_wake(ctx);
}

static void stopped(void *ctx)
{
	((struct sender *)ctx)->stopped = true;
}

bool sender_start(struct server *s)
{
	struct sender *e = mem_zalloc(sizeof *e);

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
	    .committed = committed,
	    .ctx = s});
	wake_subscribe(s, woken, e->dispatcher);
	s->sender = e;
	return true;
}

void sender_stop(struct server *s, int ms)
{
	if (s->sender)
		dispatch_stop(s->sender->dispatcher, ms, stopped, s->sender);
}

bool sender_idle(const struct server *s)
{
	return !s->sender || s->sender->stopped;
}

void sender_close(struct server *s)
{
	if (s->sender)
		deliverer_free(s->sender->deliverer);
}

void sender_free(struct server *s)
{
	if (!s->sender)
		return;
	dispatch_free(s->sender->dispatcher);
	free(s->sender);
	s->sender = NULL;
}
