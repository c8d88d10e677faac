/* Who asks, and may he ask now: the key, the rate limits, the workspace. */
#include "server/admit.h"

#include <string.h>
#include <strings.h>

#include "server/base/apikey.h"
#include "server/base/crypto.h"
#include "server/reply.h"
#include "server/route.h"
#include "server/server.h"
#include "server/steps.h"
#include "server/together.h"

static void admitted(struct admission_ticket *t)
{
	request_run(t->owner);
}

/* The key behind "Bearer", NULL when there is none of the right form. */
static const char *bearer(const struct req *r)
{
	const char *header = http_header(r->call, "Authorization");

	if (!header || http_header_count(r->call, "Authorization") != 1 || strncasecmp(header, "Bearer", 6) != 0 ||
	    header[6] != ' ')
		return NULL;
	header += 6;
	while (*header == ' ')
		header++;
	return apikey_well_formed(header, strlen(header)) ? header : NULL;
}

static struct known_key *known_key(const struct req *r)
{
	return &r->server->known_keys[r->ticket.key_hash[0]];
}

static bool is_known(const struct known_key *k, const struct req *r)
{
	return k->good && memcmp(k->hash, r->ticket.key_hash, sizeof k->hash) == 0;
}

/*
 * One record is read while admission is asked: to whom the key belonged a moment ago, it nearly always belongs. Only
 * while nobody else waits for admission: those who wait together also read together, which costs the database less.
 */
static void read_ahead(struct req *r)
{
	const struct known_key *k = known_key(r);

	if (r->route->steps[0] == step_get && is_known(k, r) && admission_waiting(r->server->admission) == 1)
		together_ahead(r, &k->workspace, &r->path[0].id);
}

/* What is refused once is not read ahead for again: a refusal has to stay cheap. */
static void remember_key(const struct req *r)
{
	struct known_key *k = known_key(r);

	if (r->ticket.status == ADMISSION_ADMITTED) {
		k->good = true;
		memcpy(k->hash, r->ticket.key_hash, sizeof k->hash);
		k->workspace = r->ticket.workspace;
	} else if (is_known(k, r)) {
		k->good = false;
	}
}

enum step step_admit(struct req *r)
{
	const char *key = bearer(r);

	if (!key)
		return reply_error(r, ERROR_UNAUTHORIZED, NULL);
	sha256(key, strlen(key), r->ticket.key_hash);
	r->ticket.done = admitted;
	r->ticket.owner = r;
	admission_ask(r->server->admission, &r->ticket);
	read_ahead(r);
	return WAIT;
}

static void snapshot_ready(struct workspace_wait *w)
{
	request_run(w->owner);
}

enum step step_admitted(struct req *r)
{
	remember_key(r);
	r->counted = r->ticket.status == ADMISSION_ADMITTED || r->ticket.status == ADMISSION_LIMITED;
	switch (r->ticket.status) {
	case ADMISSION_ADMITTED:
		break;
	case ADMISSION_NO_KEY:
		return reply_error(r, ERROR_UNAUTHORIZED, NULL);
	case ADMISSION_LIMITED:
		return reply_rate_limited(r);
	case ADMISSION_UNAVAILABLE:
	case ADMISSION_BUSY:
		return reply_error(r, ERROR_UNAVAILABLE, NULL);
	}
	r->viewer = (struct viewer){.user = r->ticket.user, .admin = r->ticket.is_admin};
	r->wait.done = snapshot_ready;
	r->wait.owner = r;
	return workspace_get(r->server->workspaces, &r->ticket.workspace, r->ticket.version, &r->wait) ? PASS : WAIT;
}

enum step step_snapshot(struct req *r)
{
	r->ws = r->wait.ws;
	return r->ws ? PASS : reply_error(r, ERROR_UNAVAILABLE, NULL);
}
