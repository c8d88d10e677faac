/* Finds the record that a merged record became part of, and replaces references to merged records; see merged.h. */
#include "server/resource/merged.h"

#include "server/request/listing.h"
#include "server/request/route.h"
#include "server/resource/entity.h"
#include "store/entity_kind.h"

/* A record may be merged into one that is later merged itself. The last record counts. A chain has one link for each
 * merge, so it is long only for a user who makes it long. */
enum { CHAIN_MAX = 1000 };

static const char chain_begin[] = "with recursive chain as (select m.merged_into, 1 as links from contacts_merged m "
                                  "where m.workspace_id = $1 and m.id = ";

static void merged_end_sql(struct sql *s)
{
	sql_addf(s,
	    " union all select m.merged_into, c.links + 1 from chain c join contacts_merged m "
	    "on m.workspace_id = $1 and m.id = c.merged_into where c.links < %d) "
	    "select merged_into from chain order by links desc limit 1",
	    CHAIN_MAX);
}

static void merged_select(struct sql *s, enum id_kind kind, const struct uuid *id)
{
	sql_add(s, chain_begin);
	sql_uuid(s, id);
	sql_add(s, " and m.kind = "); /* a parameter, because the statement has a name */
	sql_textz(s, entity_kind_of(kind)->type);
	merged_end_sql(s);
}

/* Only contacts are merged. */
static bool kind_merges(const struct entity_kind *kind)
{
	return kind->id_kind == ID_PERSON || kind->id_kind == ID_COMPANY;
}

void merged_now_sql(struct sql *s, const struct entity_kind *kind, const char *id)
{
	if (!kind_merges(kind)) {
		sql_add(s, id);
		return;
	}
	sql_addf(s, "coalesce((%s%s and m.kind = '%s'", chain_begin, id, kind->type);
	merged_end_sql(s);
	sql_addf(s, "), %s)", id);
}

void merged_given_sql(struct sql *s, const struct uuid *ids, size_t n, const struct uuid *group)
{
	sql_addf(s, "select g.id, c.id, coalesce(p.full_name, k.name), g.kind, coalesce(");
	sql_uuid(s, group);
	sql_addf(s,
	    " = any (coalesce(p.group_ids, k.group_ids)), true) from contacts_merged g cross join lateral (%sg.id",
	    chain_begin);
	merged_end_sql(s);
	sql_add(s, ") c (id) left join people p on g.kind = 'person' and p.workspace_id = $1 and p.id = c.id "
	           "left join companies k on g.kind = 'company' and k.workspace_id = $1 and k.id = c.id "
	           "where g.workspace_id = $1 and g.id = any (");
	sql_uuid_array(s, ids, n);
	sql_add(s, ") and coalesce(p.id, k.id) is not null");
}

/* --- entities --------------------------------------------------------------------------- */

void merged_entity_ask(struct req *r, const struct value *ref)
{
	struct sql *s;

	if (!kind_merges(ref->kind))
		return;
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select i.id, ");
	merged_now_sql(s, ref->kind, "i.id");
	sql_add_uuid(s, " from (values (", &ref->entity);
	sql_add(s, ")) i (id)");
}

void merged_entity_take(const struct db_exchange *x, int at, struct value *ref)
{
	if (kind_merges(ref->kind))
		ref->entity = db_uuid(x, at, 0, 1);
}

/* --- what a query refers to --------------------------------------------------------------- */

enum { CONTACTS = 1u << ID_PERSON | 1u << ID_COMPANY };

static bool condition_has_contacts(const struct filter_condition *c)
{
	return (c->field->type == FILTER_REFS || c->field->type == FILTER_ENTITY) && c->field->kinds & CONTACTS;
}

/* Appends the contacts in a filter to ids. ids NULL: only counts them. */
static size_t filter_contacts(const struct filter *f, struct uuid *ids, size_t n)
{
	const struct filter_condition *c = f->kind == FILTER_ONE ? f->condition : NULL;

	for (size_t i = 0; c && condition_has_contacts(c) && i < c->n_values; i++, n++)
		if (ids)
			ids[n] = c->values[i].id;
	for (size_t i = 0; !c && i < f->n_parts; i++)
		n = filter_contacts(f->parts[i], ids, n);
	return n;
}

/* An id may then be there twice: filters use each id once (filter/condition_value.c). */
static void condition_follow(struct filter_condition *c, const struct table *now)
{
	for (size_t i = 0; i < c->n_values; i++) {
		const struct uuid *id = c->values[i].unknown ? NULL : table_find(now, &c->values[i].id, sizeof *id);
		if (id)
			c->values[i].id = *id;
	}
}

static void filter_follow(const struct filter *f, const struct table *now)
{
	if (f->kind == FILTER_ONE && condition_has_contacts(f->condition))
		condition_follow(f->condition, now);
	for (size_t i = 0; f->kind != FILTER_ONE && i < f->n_parts; i++)
		filter_follow(f->parts[i], now);
}

/* The parameter entity.id. NULL: it is not given, or does not name a contact. */
static struct param_value *query_entity(struct req *r, const struct entity_kind **kind, struct uuid *id)
{
	struct param_value *v = (struct param_value *)req_param(r, "entity.id");

	*kind = v->given ? entity_param_read(v, id) : NULL;
	return *kind && 1u << (*kind)->id_kind & CONTACTS ? v : NULL;
}

static enum step query_ask(struct req *r, const struct uuid *ids, size_t n)
{
	struct sql *s = req_sql(r, "merged_in_query", &r->at);

	sql_addf(s, "select g.id, (%sg.id", chain_begin);
	merged_end_sql(s);
	sql_add_uuid_array(s, ") from contacts_merged g where g.workspace_id = $1 and g.id = any (", ids, n);
	sql_add(s, ")");
	r->next--; /* runs the step again */
	return req_ask(r, DB_POINT);
}

static void query_take(struct req *r)
{
	const struct entity_kind *kind;
	struct param_value *entity;
	struct uuid id, *pairs;
	struct table now;
	int rows = db_rows(r->db.last, r->at);

	table_init(&now, &r->arena, (size_t)rows);
	pairs = arena_alloc(&r->arena, (size_t)rows * 2 * sizeof *pairs);
	for (int i = 0; i < rows; i++) {
		pairs[2 * i] = db_uuid(r->db.last, r->at, i, 0);
		pairs[2 * i + 1] = db_uuid(r->db.last, r->at, i, 1);
		table_row(&now, &pairs[2 * i], sizeof *pairs)->value = &pairs[2 * i + 1];
	}
	if (rows && r->given.listing)
		filter_follow(r->given.listing->filter, &now);
	entity = query_entity(r, &kind, &id);
	if (entity && table_has(&now, &id, sizeof id))
		entity->text =
		    id_format(kind->id_kind, table_find(&now, &id, sizeof id), arena_alloc(&r->arena, ID_SIZE));
}

enum step merged_follow_query(struct req *r)
{
	const struct entity_kind *kind;
	struct uuid id, *ids;
	bool entity = query_entity(r, &kind, &id);
	size_t n = r->given.listing ? filter_contacts(r->given.listing->filter, NULL, 0) : 0;

	if (r->followed) {
		query_take(r);
		r->followed = false;
		return PASS;
	}
	if (n + entity == 0)
		return PASS;
	r->followed = true;
	ids = arena_alloc(&r->arena, (n + 1) * sizeof *ids);
	if (entity)
		ids[n] = id;
	if (n)
		filter_contacts(r->given.listing->filter, ids, 0);
	return query_ask(r, ids, n + entity);
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
		merged_select(req_sql(r, "merged_into", &r->at), kind, &r->given.path[0].id);
		r->next--; /* runs the step again */
		return r->tx.session ? transaction_ask(r) : req_ask(r, DB_POINT);
	}
	if (db_rows(r->db.last, r->at) == 0)
		return reply_not_found(r);
	into = db_uuid(r->db.last, r->at, 0, 0);
	return merged_reply(r, kind, &into);
}

void merged_insert(struct sql *s, enum id_kind kind, const struct uuid *gone, const struct uuid *kept)
{
	sql_add_uuid(s, "insert into contacts_merged (workspace_id, id, kind, merged_into) values ($1, ", gone);
	sql_add_textz(s, ", ", entity_kind_of(kind)->type);
	sql_add_uuid(s, ", ", kept);
	sql_add(s, ")");
}
