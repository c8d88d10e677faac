/* Reads and opens records that are linked to an entity. */
#include "server/resource/activity.h"

#include <string.h>

#include "server/event/activity_event.h"
#include "server/resource/entity.h"
#include "server/resource/merged.h"
#include "server/request/page.h"
#include "server/request/route.h"
#include "server/resource/steps.h"
#include "server/resource/note_words.h"
#include "store/entity_kind.h"

static const struct activity_rule rules[] = {
    {&note_resource, "t.visibility = 'public'", "array[t.author_id]"},
    {&reminder_resource, "t.visibility = 'public'", "array[t.created_by]"},
    {&task_resource, "t.is_public", "(t.assigned_user_ids || t.created_by)"},
};

const struct activity_rule *activity_rule(const struct resource *res)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].resource == res)
			return &rules[i];
	return NULL;
}

void activity_visible_sql(const struct req_caller *caller, const struct resource *res, struct sql *s)
{
	const struct activity_rule *rule = activity_rule(res);

	if (!rule)
		return;
	sql_addf(s, " and (%s or ", rule->public);
	sql_uuid(s, &caller->viewer.user);
	sql_addf(s, " = any (%s))", rule->owners);
	entity_visible_sql(caller, s);
}

/* --- one ------------------------------------------------------------------------- */

void activity_ask(struct req *r, const struct resource *res, const char *name, const char *lock)
{
	struct sql *s = req_sql(r, name, &r->at);

	record_select(s, res);
	activity_visible_sql(&r->caller, res, s);
	sql_add_uuid(s, " and t.id = ", &r->given.path[0].id);
	sql_add(s, lock);
}

enum step activity_get(struct req *r)
{
	activity_ask(r, r->route->resource, r->route->path, "");
	return req_ask(r, DB_POINT);
}

/* The entity that the body of the record gives; NULL: none. */
static struct value *activity_entity(const struct req *r)
{
	const struct resource *res = r->route->resource;
	int field = field_find(res, "entity", 6);

	return r->given.input && r->given.input->resource == res && activity_gives(r, field)
	           ? &r->given.input->values[field]
	           : NULL;
}

void activity_lock(struct req *r)
{
	const struct value *entity = activity_entity(r);

	transaction_begin(r);
	if (entity) /* its result comes before the record's */
		merged_entity_ask(r, entity);
	activity_ask(r, r->route->resource, NULL, " for update of t");
}

enum step activity_open(struct req *r)
{
	activity_lock(r);
	return transaction_ask(r);
}

struct record *activity_locked(struct req *r)
{
	return db_rows(r->db.last, r->at) ? record_load(r->db.last, r->at, 0, r->route->resource, &r->arena) : NULL;
}

struct record *activity_matched(struct req *r)
{
	struct record *rec = activity_locked(r);

	if (rec && request_matches(&r->given, rec))
		return rec;
	rec ? reply_unmatched(r, rec) : reply_not_found(r);
	return NULL;
}

enum step activity_delete(struct req *r)
{
	struct record *rec = activity_matched(r);
	struct sql *s;

	if (!rec)
		return DONE;
	activity_event(r, rec, NULL);
	s = req_sql(r, NULL, NULL);
	sql_addf(s, "delete from %s where workspace_id = $1 and id = ", r->route->resource->table);
	sql_uuid(s, &r->given.path[0].id);
	return reply_id(r, r->route->resource->id_kind, &r->given.path[0].id);
}

/* --- lists ------------------------------------------------------------------------ */

/* Parameters that limit a time. */
static const struct {
	const char *name, *sql;
} activity_times[] = {
    {"createdAfter", " and t.created_at > "},
    {"createdBefore", " and t.created_at < "},
    {"from", " and t.date_time >= "},
    {"to", " and t.date_time < "},
};

static void activity_words_sql(const struct req *r, struct sql *s)
{
	const struct param_value *query = req_param(r, "query");
	struct note_words words;

	if (!query->given)
		return;
	words_read(&words, s->arena, &r->caller.ws->id, query->text, query->len);
	if (words.count == 0)
		sql_add(s, " and false"); /* no note contains an empty word */
	sql_add(s, " and t.words @> ");
	sql_int8_array(s, words.hashes, words.count);
}

/* The rows of the list, without the filters of the request. */
static void activity_conditions(void *ctx, struct sql *s)
{
	struct req *r = ctx;
	const struct param_value *mine = req_param(r, "onlyAssignedToMe"), *user = req_param(r, "userId");
	struct uuid id = {{0}};

	activity_visible_sql(&r->caller, r->route->resource, s);
	entity_param_sql(r, s);
	activity_words_sql(r, s);
	for (size_t i = 0; i < sizeof activity_times / sizeof *activity_times; i++) {
		const struct param_value *time = req_param(r, activity_times[i].name);
		if (time->given) {
			sql_add(s, activity_times[i].sql);
			sql_time(s, time->number);
		}
	}
	if (mine->given && mine->number == 0) { /* the first choice is true */
		sql_add_uuid_array(s, " and t.assigned_user_ids @> ", &r->caller.viewer.user, 1);
	}
	if (user->given) {
		id_parse(ID_USER, user->text, user->len, &id);
		sql_add_uuid(s, " and t.user_id = ", &id);
	}
	if (r->list.sort == SORT_TIME || r->list.sort == SORT_TIME_DOWN) {
		sql_add(s, r->list.sort == SORT_TIME ? " and t.date_time > " : " and t.date_time <= ");
		sql_time(s, req_now_ms(r));
	}
}

enum step activity_list(struct req *r)
{
	r->list.conditions = activity_conditions;
	return PASS;
}

/* --- writing -------------------------------------------------------------------------- */

struct record *activity_new(struct req *r, int author, int created_at)
{
	struct record *rec = record_new(r->route->resource, &r->arena);

	body_take(rec, r->given.input);
	rec->values[0] = (struct value){.id = id_new()};
	rec->values[author] = (struct value){.id = r->caller.viewer.user};
	rec->values[created_at] = (struct value){.number = req_now_ms(r)};
	record_touch(rec, req_now_ms(r));
	return rec;
}

void activity_create_begin(struct req *r, int entity)
{
	transaction_begin(r);
	r->at = entity_ask(r, &r->given.input->values[entity], ENTITY_KEEP);
}

struct record *activity_changed(struct req *r, int entity, struct record **old)
{
	struct record *rec = activity_matched(r);
	struct issue_keys keys;

	*old = rec;
	if (!rec)
		return NULL;
	if (activity_gives(r, entity))
		merged_entity_take(r->db.last, r->at - 1, &r->given.input->values[entity]);
	if (activity_gives(r, entity) &&
	    !value_equal(FIELD_ENTITY, &r->given.input->values[entity], &rec->values[entity])) {
		issue_keys_begin(&keys, &r->given.issues, NULL, NULL, NULL);
		issue_keys_add(&keys, "entity", 6);
		issue_keys_end(&keys, NULL);
		issue_hint(&r->given.issues, "a record keeps its entity: give the same entity, or leave it out");
		reply_issues(r, "Invalid input");
		return NULL;
	}
	rec = record_copy(rec, &r->arena);
	body_take(rec, r->given.input);
	rec->values[entity] = (*old)->values[entity]; /* the entity with its name */
	return rec;
}
