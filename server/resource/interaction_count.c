/* The statements that keep the counters; a database function counts interactions that fall due. */
#include "server/resource/interaction_count.h"

static void count_of_user(struct sql *s, const struct uuid *entity, const struct uuid *user)
{
	sql_add(s, " where c.workspace_id = $1 and c.entity_id = ");
	sql_uuid(s, entity);
	sql_add(s, " and c.user_id = ");
	sql_uuid(s, user);
}

void interaction_counted(struct req *r, const struct uuid *entity, const struct uuid *user, int64_t time_ms)
{
	struct sql *s = req_sql(r, "interaction_counted", NULL);

	sql_add(
	    s, "insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at) values ($1, ");
	sql_uuid(s, entity);
	sql_add(s, ", ");
	sql_uuid(s, user);
	sql_add(s, ", 1, ");
	sql_time(s, time_ms);
	sql_add(s, ") on conflict (workspace_id, entity_id, user_id) do update "
	           "set count = c.count + 1, last_at = greatest(c.last_at, excluded.last_at)");
}

void interaction_uncounted(struct req *r, const struct uuid *entity, const struct uuid *user)
{
	struct sql *s = req_sql(r, "interaction_uncounted", NULL);

	sql_add(s, "update interaction_counts c set count = c.count - 1, last_at = coalesce((select i.date_time "
	           "from interactions i where i.workspace_id = c.workspace_id and i.entity_id = c.entity_id "
	           "and i.user_id = c.user_id and i.counted order by i.date_time desc limit 1), c.last_at)");
	count_of_user(s, entity, user);
	s = req_sql(r, "interaction_none_left", NULL);
	sql_add(s, "delete from interaction_counts c");
	count_of_user(s, entity, user);
	sql_add(s, " and c.count = 0");
}

void interaction_totals(struct req *r, const struct uuid *entity)
{
	struct sql *s = req_sql(r, "interaction_totals", NULL);

	sql_add(s, "select interaction_totals(workspace_id => $1, entity_id => ");
	sql_uuid(s, entity);
	sql_add(s, ")");
}
