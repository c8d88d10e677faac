/* The filters of the feed; see feed_filter.h. */
#include "server/event/feed_filter.h"

#include <string.h>

#include "server/request/route.h"

enum { MS_PER_DAY = 24 * 60 * 60 * 1000 };

bool feed_filter_read(struct req *r, struct feed_filter *f)
{
	const struct param_value *actor = req_param(r, "actor"), *via = req_param(r, "via"),
	                         *type = req_param(r, "type"), *since = req_param(r, "since"),
	                         *until = req_param(r, "until"), *after = req_param(r, "after");
	struct path wait = PATH_NAME(NULL, "wait");

	f->newest = req_param(r, "sort")->given;
	f->by_actor = actor->given;
	if (actor->given && !id_parse(ID_USER, actor->text, actor->len, &f->actor))
		f->actor = (struct uuid){.b = {0}};
	f->via = via->given ? (enum event_via)(VIA_API + via->number) : VIA_UNKNOWN;
	f->types = type->set;
	f->tests = f->by_actor || f->via != VIA_UNKNOWN || f->types;
	/* The first page begins at since; the next ones begin at their cursor. */
	f->has_since = since->given && (f->newest || !after->given);
	f->since_ms = since->number;
	f->has_until = until->given;
	f->until_ms = until->number;
	if (!req_param(r, "wait")->given || (!f->newest && !f->has_until))
		return true;
	issue_custom(&r->given.issues, &wait, "A request with %s does not wait: nothing newer belongs to its answer",
	    f->newest ? "sort" : "until");
	return false;
}

const char *feed_filter_order(const struct feed_filter *f)
{
	return f->newest ? "e.generation desc, e.xid desc, e.seq desc" : event_row_order;
}

/* The bounds of time are constants, so that the planner leaves out the partitions of other days. A position with the
 * newest first is below the horizon, and the only upper bound: with a second one PostgreSQL might begin there, and walk
 * over all events of the pages before. */
void feed_filter_range(struct sql *s, const struct feed_filter *f, const struct event_position *at)
{
	if (f->newest && event_position_set(at)) {
		sql_add(s, " and (e.generation, e.xid, e.seq) < ");
		event_position_sql(s, at);
		sql_add_time(s, " and e.created_at <= ", at->at_ms + MS_PER_DAY);
	} else {
		event_row_after(s, at);
	}
	if (f->has_since)
		sql_add_time(s, " and e.created_at >= ", f->since_ms);
	if (f->has_until) {
		sql_add_time(s, " and e.created_at < ", f->until_ms);
	}
}

void feed_filter_test(struct sql *s, const struct feed_filter *f, struct arena *a)
{
	const char **names = arena_alloc(a, EVENT_TYPES * sizeof *names);
	size_t *lens = arena_alloc(a, EVENT_TYPES * sizeof *lens), n = 0;

	sql_add(s, "true");
	if (f->by_actor)
		sql_add_uuid(s, " and e.actor_id = ", &f->actor);
	if (f->via != VIA_UNKNOWN) {
		sql_add(s, " and e.actor_via = ");
		sql_int4(s, f->via);
	}
	for (int i = 0; i < EVENT_TYPES; i++) {
		if (!(f->types >> i & 1))
			continue;
		names[n] = event_kinds[i].name;
		lens[n++] = strlen(event_kinds[i].name);
	}
	if (n) {
		sql_add(s, " and e.type = any (");
		sql_text_array(s, names, lens, n);
		sql_add(s, ")");
	}
}
