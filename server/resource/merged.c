/* Where records have gone that were merged into another one; see merged.h. */
#include "server/resource/merged.h"

#include "server/request/route.h"
#include "store/entity_kind.h"

/* A record may be merged into one that is merged itself later. The last of them counts; a chain has one link for each
 * merge, so it is long only for who makes it so. */
enum { CHAIN_MAX = 1000 };

static void merged_select(struct sql *s, enum id_kind kind, const struct uuid *id)
{
	sql_add(s, "with recursive chain as (select m.merged_into, 1 as links from contacts_merged m "
	           "where m.workspace_id = $1 and m.id = ");
	sql_uuid(s, id);
	sql_add(s, " and m.kind = ");
	sql_textz(s, entity_kind_of(kind)->type);
	sql_addf(s,
	    " union all select m.merged_into, c.links + 1 from chain c join contacts_merged m "
	    "on m.workspace_id = $1 and m.id = c.merged_into where c.links < %d) "
	    "select merged_into from chain order by links desc limit 1",
	    CHAIN_MAX);
}

static enum step merged_reply(struct req *r, enum id_kind kind, const struct uuid *into)
{
	struct buf details;
	struct json_out o;

	buf_init(&details, 1000);
	json_out_init(&o, &details);
	json_begin_object(&o);
	json_add_id(&o, "mergedInto", kind, into);
	json_end_object(&o);
	reply_error_details(r, ERROR_NOT_FOUND, &details);
	buf_free(&details);
	return DONE;
}

enum step merged_not_found(struct req *r)
{
	enum id_kind kind = r->route->resource->id_kind;
	struct uuid into;

	if (kind != ID_PERSON && kind != ID_COMPANY)
		return reply_not_found(r);
	if (!r->merged_asked) {
		r->merged_asked = true;
		merged_select(req_sql(r, "merged_into", &r->at), kind, &r->path[0].id);
		r->next--; /* runs the step again */
		return r->session ? transaction_ask(r) : req_ask(r, DB_POINT);
	}
	if (db_rows(r->x, r->at) == 0)
		return reply_not_found(r);
	into = db_uuid(r->x, r->at, 0, 0);
	return merged_reply(r, kind, &into);
}

void merged_insert(struct sql *s, enum id_kind kind, const struct uuid *gone, const struct uuid *kept)
{
	sql_add(s, "insert into contacts_merged (workspace_id, id, kind, merged_into) values ($1, ");
	sql_uuid(s, gone);
	sql_add(s, ", ");
	sql_textz(s, entity_kind_of(kind)->type);
	sql_add(s, ", ");
	sql_uuid(s, kept);
	sql_add(s, ")");
}
