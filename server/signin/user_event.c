/* Events of users; see user_event.h. */
#include "server/signin/user_event.h"

#include "server/event/diff.h"
#include "server/request/outbox.h"

/* Admins see every event of a user (webhook/event_row.c). */
static struct event_out *event_for_user(struct req *r, enum event_type type, const struct uuid *user)
{
	struct event_out *e = outbox_add(&r->tx.events, type, user);
	struct uuid *audience = arena_alloc(&r->arena, sizeof *audience);

	*audience = *user;
	e->audience = audience;
	e->n_audience = 1;
	e->has_audience = true;
	return e;
}

void user_event(struct req *r, enum event_type type, const struct uuid *user)
{
	event_for_user(r, type, user);
}

void user_event_changes(struct req *r, enum event_type type, const struct uuid *user, struct changes *c)
{
	struct event_out *e = event_for_user(r, type, user);

	changes_end(c);
	json_end_object(&c->out);
	outbox_data(&r->tx.events, e, &c->buf);
}

void user_end_sessions(struct req *r, const struct uuid *user)
{
	struct sql *s = req_sql(r, "user_end_sessions", NULL);

	sql_add(s,
	    "with link as (update invitations set expires_at = now() where workspace_id = $1 and used_at is null and "
	    "expires_at > now() and user_id = ");
	sql_uuid(s, user);
	sql_add(s, ") select user_ends(workspace_id, id, false) from users where workspace_id = $1 and id = ");
	sql_again(s, 2);
}
