/* Finds records that may be the same person or company (docs/api.md, "Duplicates and merging"). It uses the table of
 * exact items and the full name, so the cost depends on the record, not on the workspace. */
#include "server/output/render.h"
#include "server/request/page.h"
#include "server/request/route.h"
#include "server/resource/merged.h"
#include "server/resource/steps.h"
#include "store/entity_kind.h"
#include "store/record.h"

enum {
	DUPLICATES_MAX = 100, /* records in an answer */
	SHARED_MAX = 101,     /* records read for each shared value, the oldest first */
	NAMESAKES_MAX = 1000, /* records read for the name, the oldest first */
	TESTED_MAX = 2000     /* records tested in total */
};

enum { AT_OWN, AT_ITEMS };

/* Selects the ids of records that share an item, by the hash of the item. */
static void duplicate_by_items(struct sql *s, const struct entity_kind *k)
{
	sql_addf(s,
	    "select distinct i.id from kith_items(own.emails, own.phones, own.urls) k cross join lateral (select "
	    "i.%s_id as id from %s_items i where i.workspace_id = $1 and i.kind = k.kind and i.key = k.key order by "
	    "i.%s_id limit %d) i",
	    k->type, k->type, k->type, SHARED_MAX);
}

static void duplicate_by_name(struct sql *s)
{
	sql_addf(s,
	    " union select n.id from (select p.id, p.company_ids from people p where p.workspace_id = $1 and "
	    "own.full_name <> '' and hashtextextended(p.full_name, 0) = hashtextextended(own.full_name, 0) "
	    "order by p.id limit %d) n where n.company_ids && own.company_ids",
	    NAMESAKES_MAX);
}

/* The items that both t and own have, compared as filters compare them. A telephone number without digits never
 * matches. */
static void duplicate_item_reasons(struct sql *s)
{
	sql_add(s, "select 1 as place, 'emails' as field, i.item as value, i.n from unnest(t.emails) with ordinality "
	           "i(item, n) where kith_fold(i.item) = any (kith_fold_items(own.emails)) union all select 2, "
	           "'phones', i.item, i.n from unnest(t.phones) with ordinality i(item, n) where i.item ~ '[0-9]' and "
	           "kith_phone_key(i.item) = any (kith_phone_keys(own.phones)) union all select 3, 'urls', i.item, i.n "
	           "from unnest(t.urls) with ordinality i(item, n) where i.item = any (own.urls)");
}

/* Appends a row c with the names of the companies that both people belong to, if the names of the people are the same,
 * too. Neither is enough without the other. */
static void duplicate_namesake_sql(struct sql *s)
{
	sql_add(s,
	    " cross join lateral (select array_agg(c.name order by i.n) as names from unnest(t.company_ids) with "
	    "ordinality i(id, n) join companies c on c.workspace_id = $1 and c.id = i.id "
	    "where i.id = any (own.company_ids) and t.full_name = own.full_name and t.full_name <> '') c");
}

static void duplicate_name_reasons(struct sql *s)
{
	sql_add(s, " union all select 4, 'fullName', t.full_name, 1 where c.names is not null "
	           "union all select 5, 'companies', i.name, i.n from unnest(c.names) with ordinality i(name, n)");
}

static void duplicate_sql(struct sql *s, const struct entity_kind *k, const struct uuid *id)
{
	bool person = k->id_kind == ID_PERSON;

	sql_addf(s, "with own as materialized (select t.* from %s t where t.workspace_id = $1 and t.id = ", k->table);
	sql_uuid(s, id);
	sql_add(s, ") select t.id, ");
	sql_addf(s, "t.%s, r.reasons from own cross join lateral (", k->name);
	duplicate_by_items(s, k);
	if (person)
		duplicate_by_name(s);
	sql_addf(s, " limit %d) f join %s t on t.workspace_id = $1 and t.id = f.id and t.id <> own.id", TESTED_MAX,
	    k->table);
	if (person)
		duplicate_namesake_sql(s);
	sql_add(s, " cross join lateral (select json_agg(json_build_object('field', x.field, 'value', x.value) "
	           "order by x.place, x.n) as reasons, count(*) as n from (");
	duplicate_item_reasons(s);
	if (person)
		duplicate_name_reasons(s);
	sql_addf(s, ") x) r where r.n > 0 order by r.n desc, t.id limit %d", DUPLICATES_MAX);
}

enum step duplicate_ask(struct req *r)
{
	const struct entity_kind *k = entity_kind_of(r->route->resource->id_kind);
	struct sql *s = req_sql(r, NULL, NULL);

	sql_addf(s, "select id from %s where workspace_id = $1 and id = ", k->table);
	sql_uuid(s, &r->given.path[0].id);
	duplicate_sql(req_sql(r, NULL, NULL), k, &r->given.path[0].id);
	return req_ask(r, DB_LIST);
}

enum step duplicate_show(struct req *r)
{
	struct json_out *o;

	if (r->merged_asked || db_rows(r->db.last, AT_OWN) == 0)
		return merged_not_found(r);
	o = page_begin(r);
	for (int row = 0; row < db_rows(r->db.last, AT_ITEMS); row++)
		render_record(o, record_load(r->db.last, AT_ITEMS, row, r->route->resource, &r->arena), r->caller.ws,
		    &r->caller.viewer, NULL);
	json_end_array(o);
	json_key(o, "pagination");
	json_begin_object(o);
	json_end_object(o);
	json_end_object(o);
	return reply_end(r);
}
