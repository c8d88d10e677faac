/* Grants: what users have allowed applications. Everybody lists and ends their own, admins of the workspace all. */
#include "server/oauth/oauth_private.h"

#include "server/resource/key_ending.h"
#include "store/resources.h"

/* Grants whose code was used and whose key nobody has ended. */
static void grant_conditions(void *ctx, struct sql *s)
{
	const struct req *r = ctx;

	sql_add(s, " and t.code_used_at is not null and t.expires_at > now() and exists (select from api_keys k where "
	           "k.workspace_id = t.workspace_id and k.id = t.id and k.revoked_at is null)");
	if (r->caller.viewer.admin)
		return;
	sql_add_uuid(s, " and t.user_id = ", &r->caller.viewer.user);
}

enum step grant_list_begin(struct req *r)
{
	r->list.conditions = grant_conditions;
	return PASS;
}

/* The row of the key has when the grant was last used. */
enum step grant_used_ask(struct req *r)
{
	struct uuid *ids = arena_alloc(&r->arena, r->n_records * sizeof *ids);
	struct sql *s;

	for (size_t i = 0; i < r->n_records; i++)
		ids[i] = r->records[i]->values[GRANT_ID].id;
	s = req_sql(r, "grants_used", &r->at);
	sql_add(s, "select id, last_used_at from api_keys where workspace_id = $1 and id = any (");
	sql_uuid_array(s, ids, r->n_records);
	sql_add(s, ")");
	return req_ask(r, DB_POINT);
}

enum step grant_used(struct req *r)
{
	for (size_t i = 0; i < r->n_records; i++) {
		struct value *v = r->records[i]->values;
		int row = db_row_of(r->db.last, r->at, &v[GRANT_ID].id);
		bool used = row >= 0 && !db_null(r->db.last, r->at, row, 1);
		v[GRANT_LAST_USED_AT] =
		    (struct value){.null = !used, .number = used ? db_time_ms(r->db.last, r->at, row, 1) : 0};
		v[GRANT_GROUPS].null = v[GRANT_GROUPS].n_ids == 0;
	}
	return PASS;
}

/* --- ending --------------------------------------------------------------------------------------- */

enum step grant_end_open(struct req *r)
{
	return key_ending_open(r, true);
}

enum step grant_end_apply(struct req *r)
{
	return key_ending_apply(r, ID_GRANT);
}
