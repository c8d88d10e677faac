/* The state of webhooks: whether they fail, how far they are behind, and when something last arrived or failed. Only
 * webhooks that the caller may change are listed, as with deliveries. */
#include <string.h>

#include "server/request/request.h"
#include "server/resource/steps.h"

enum { PENDING_MAX = 10000, LOOKED_AT = 20 };

static void health_conditions(void *ctx, struct sql *s)
{
	const struct req *r = ctx;

	if (r->caller.viewer.n_groups) {
		sql_add(s, " and t.group_ids <> '{}' and t.group_ids <@ ");
		sql_uuid_array(s, r->caller.viewer.groups, r->caller.viewer.n_groups);
	}
	if (r->caller.viewer.admin)
		return;
	sql_add_uuid(s, " and t.created_by = ", &r->caller.viewer.user);
}

enum step health_list(struct req *r)
{
	r->list.conditions = health_conditions;
	return PASS;
}

/* --- what the page's rows do not tell -------------------------------------------------------- */

enum { COL_PENDING, COL_LAG_MS, COL_DELIVERED_AT, COL_FAILED_AT, COL_ERROR };

/* Selects the deliveries of w in a state, in the order of their events, which is the order of the index on states. */
static void health_deliveries(struct sql *s, const char *columns, const char *state, const char *order, int limit)
{
	sql_addf(s,
	    "(select %s from deliveries d where d.state = '%s' and d.workspace_id = $1 and d.webhook_id = w.id "
	    "order by d.id %s limit %d)",
	    columns, state, order, limit);
}

/* The newest failure is looked for only among the oldest and the newest deliveries, because there may be millions. */
static void health_failures(struct sql *s)
{
	static const char last[] = "d.attempts->-1 as a";

	sql_add(s, "left join lateral (select f.a->>'at' as at, f.a->>'error' as error from (");
	health_deliveries(s, last, "pending", "", LOOKED_AT);
	sql_add(s, " union all ");
	health_deliveries(s, last, "pending", "desc", LOOKED_AT);
	sql_add(s, " union all ");
	health_deliveries(s, last, "failed", "desc", LOOKED_AT);
	sql_add(s, ") f where coalesce(f.a->>'error', '') <> '' order by f.a->>'at' desc limit 1) f on true");
}

/* Sorting is disabled for the reason given in server/event/feed.c. */
enum step health_ask(struct req *r)
{
	struct uuid *ids = arena_alloc(&r->arena, r->n_records * sizeof *ids);
	struct sql *s;

	for (size_t i = 0; i < r->n_records; i++)
		ids[i] = r->records[i]->values[HEALTH_ID].id;
	sql_add(req_sql(r, NULL, NULL),
	    "select set_config('enable_sort', 'off', true) from workspaces where workspace_id = $1");
	s = req_sql(r, NULL, &r->at);
	sql_add(s, "select (select count(*) from ");
	health_deliveries(s, "1", "pending", "", PENDING_MAX);
	sql_add(s, " p), ceil(extract(epoch from clock_timestamp() - least(");
	health_deliveries(s, "d.created_at", "pending", "", 1);
	sql_addf(s,
	    ", (select e.created_at from events e where e.workspace_id = $1 and e.webhook_id is null and "
	    "(e.generation, e.xid, e.seq) > (w.position_generation, w.position_xid, w.position_seq) and "
	    "e.created_at >= w.position_at - interval '1 day' order by %s limit 1))) * 1000)::bigint, "
	    "(select (d.attempts->-1->>'at')::timestamptz from ",
	    "e.generation, e.xid, e.seq");
	health_deliveries(s, "d.attempts", "delivered", "desc", 1);
	sql_add_uuid_array(s, " d), f.at::timestamptz, f.error from unnest(", ids, r->n_records);
	sql_add(
	    s, "::uuid[]) with ordinality as o(id, n) left join webhooks w on w.workspace_id = $1 and w.id = o.id ");
	health_failures(s);
	sql_add(s, " order by o.n");
	return req_ask(r, DB_FEED);
}

static void health_take(const struct req *r, int row, struct value *v)
{
	const struct value *status = &v[HEALTH_STATUS];
	bool active = status->len == strlen("active") && memcmp(status->text, "active", status->len) == 0;
	const char *state = !active ? "inactive" : v[HEALTH_FAILING_SINCE].null ? "active" : "failing";
	size_t len;

	v[HEALTH_STATE] = (struct value){.text = state, .len = strlen(state)};
	v[HEALTH_PENDING] = (struct value){.number = db_int(r->db.last, r->at, row, COL_PENDING)};
	v[HEALTH_LAG] = (struct value){.number = 0};
	if (!db_null(r->db.last, r->at, row, COL_LAG_MS) && db_int(r->db.last, r->at, row, COL_LAG_MS) > 0)
		v[HEALTH_LAG].number = db_int(r->db.last, r->at, row, COL_LAG_MS) / 1000;
	if (!db_null(r->db.last, r->at, row, COL_DELIVERED_AT))
		v[HEALTH_DELIVERED_AT] = (struct value){.number = db_time_ms(r->db.last, r->at, row, COL_DELIVERED_AT)};
	if (db_null(r->db.last, r->at, row, COL_FAILED_AT))
		return;
	v[HEALTH_FAILED_AT] = (struct value){.number = db_time_ms(r->db.last, r->at, row, COL_FAILED_AT)};
	v[HEALTH_ERROR].text = db_text(r->db.last, r->at, row, COL_ERROR, &len);
	v[HEALTH_ERROR].len = len;
	v[HEALTH_ERROR].null = false;
}

enum step health_answered(struct req *r)
{
	for (size_t i = 0; i < r->n_records; i++)
		health_take(r, (int)i, r->records[i]->values);
	return PASS;
}
