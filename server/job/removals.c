/* Removes deleted things that many records refer to (server/resource/removal.h). Each transaction takes a chunk of
 * records, with their events, as if the records were changed one by one. At the end it removes the group, type, field
 * or option itself. An advisory lock lets only one process at a time work on a removal. The rows show what remains, so
 * any process can continue after a crash. Workspaces take turns, one run each, so that a large removal does not delay
 * that of another workspace.
 *
 * As in every write, a transaction locks workspace and records before it gets its number
 * (server/request/transaction_open.c). */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/job/jobs.h"
#include "server/request/locks.h"
#include "server/resource/removal.h"
#include "server/request/commit_notify.h"

/* Chunks per run. A pause between runs leaves room for other work. */
enum { CHUNKS_MAX = 16 };

enum removal_kind { REMOVE_GROUP, REMOVE_TYPE, REMOVE_FIELD, REMOVE_OPTIONS, REMOVE_CONTACT };

enum { COL_KIND, COL_WORKSPACE, COL_ID, COL_GROUP, COL_ENTITY, COL_OPTIONS };

/* Stages. Group: its people, its companies, its objects. Options: records with the first option, remaining records with
 * the second, and so on. Contact: records with it in each kind of list, then remaining records with it as a value. */
enum { GROUP_STAGES = GROUP_LINKS + 1 };

struct removal {
	enum removal_kind kind;
	struct uuid workspace, id, group;
	struct removed_values removed; /* for FIELD, OPTIONS */
	enum id_kind contact;          /* for CONTACT */
	struct uuid *options;
	int stage;
	struct uuid after; /* records up to here are done; the next chunk skips their dead index entries */
	int chunks;
	struct uuid *ids; /* of the chunk */
	size_t n;
};

static void removal_look_up(struct job_run *run);

static void removal_lock_workspace(struct job_run *run, const char *function)
{
	const struct removal *m = run->state;
	struct sql *s = job_sql(run);

	sql_addf(s, "select %s(", function);
	sql_int8(s, lock_workspace_number(&m->workspace));
	sql_add(s, ")");
}

/* --- the end of a removal --------------------------------------------------------------- */

static void removal_ended(struct job_run *run)
{
	job_end(run, true);
}

static void removal_delete_definition(struct job_run *run, const struct removal *m)
{
	static const char *const tables[] = {"groups", "object_types", "custom_fields"};
	struct sql *s = job_sql_of(run, &m->workspace);

	if (m->kind == REMOVE_OPTIONS) {
		/* The next run removes options that were removed in the meantime. */
		sql_add(s, "update custom_fields set options = o.kept, options_removed_at = case when o.more then "
		           "options_removed_at end from (select coalesce(json_agg(i.v order by i.n) filter (where not "
		           "i.gone), '[]') as kept, coalesce(bool_or(i.v ->> 'removed' is not null) filter (where not "
		           "i.gone), false) as more from (select e.v, e.n, (e.v ->> 'id')::uuid = any (");
		sql_uuid_array(s, m->removed.options, m->removed.n_options);
		sql_add(s, ") as gone from custom_fields f, json_array_elements(f.options) with ordinality e(v, n) "
		           "where f.workspace_id = $1 and f.id = ");
		sql_uuid(s, &m->id);
		sql_add_uuid(s, ") i) o where workspace_id = $1 and id = ", &m->id);
		return;
	}
	if (m->kind == REMOVE_CONTACT)
		sql_add(s, "delete from contacts_gone where workspace_id = $1 and id = ");
	else
		sql_addf(
		    s, "delete from %s where workspace_id = $1 and removed_at is not null and id = ", tables[m->kind]);
	sql_uuid(s, &m->id);
}

/* Locks the workspace as a change of settings does; only then is the content of the definition certain. */
static void removal_finish(struct job_run *run)
{
	struct removal *m = run->state;

	sql_add(job_sql(run), "begin");
	removal_lock_workspace(run, "pg_advisory_xact_lock");
	sql_add(job_sql_of(run, &m->workspace), "update workspaces set version = version + 1 where workspace_id = $1");
	removal_delete_definition(run, m);
	sql_add(job_sql(run), "commit");
	FAULT_POINT(removal_end);
	job_ask(run, false, removal_ended);
}

/* --- a chunk ------------------------------------------------------------------------------ */

static struct sql *removal_statement(void *owner)
{
	struct job_run *run = owner;

	return job_sql_of(run, &((struct removal *)run->state)->workspace);
}

static int removal_stages(const struct removal *m)
{
	int n = 1;

	if (m->kind == REMOVE_GROUP)
		return GROUP_STAGES;
	if (m->kind == REMOVE_OPTIONS)
		return (int)m->removed.n_options;
	while (m->kind == REMOVE_CONTACT && link_table_to(m->contact, n - 1))
		n++;
	return n;
}

/* No record is left in this stage. */
static void removal_stage_ended(struct job_run *run)
{
	struct removal *m = run->state;

	m->after = (struct uuid){.b = {0}};
	if (++m->stage < removal_stages(m))
		removal_look_up(run);
	else
		removal_finish(run);
}

static void removal_committed(struct job_run *run)
{
	struct removal *m = run->state;

	FAULT_POINT(removal_committed);
	commit_notify_send(run->server);
	m->after = m->ids[m->n - 1];
	if (++m->chunks < CHUNKS_MAX)
		removal_look_up(run);
	else
		removal_ended(run);
}

static void removal_change(struct job_run *run)
{
	struct removal *m = run->state;
	struct owners some = {m->ids, m->n};
	struct statements st = {.arena = &run->arena,
	    .now_ms = clock_now_ms(),
	    .add = removal_statement,
	    .owner = run,
	    .actor = event_actor_system};

	if (m->kind == REMOVE_GROUP && m->stage < GROUP_LINKS)
		removal_leave(&st, &link_tables[m->stage], &m->id, &some);
	else if (m->kind == REMOVE_GROUP)
		removal_objects(&st, &m->id, m->ids, m->n, false);
	else if (m->kind == REMOVE_TYPE)
		removal_objects(&st, &m->group, m->ids, m->n, true);
	else if (m->kind == REMOVE_CONTACT)
		removal_references(&st, m->contact, &m->id, 1, &some);
	else
		removal_values(&st, &m->removed, &some);
	sql_add(job_sql(run), "commit");
	FAULT_POINT(removal_chunk);
	job_ask(run, false, removal_committed);
	FAULT_POINT(removal_sent);
}

/* Locks the records of the chunk and the records that refer to its objects. */
static void removal_lock_all(struct job_run *run)
{
	struct removal *m = run->state;
	size_t others = m->kind == REMOVE_TYPE ? (size_t)db_rows(&run->x, 0) : 0;
	struct uuid *all = arena_alloc(&run->arena, (m->n + others) * sizeof *all);

	memcpy(all, m->ids, m->n * sizeof *all);
	for (size_t i = 0; i < others; i++)
		all[m->n + i] = db_uuid(&run->x, 0, (int)i, 0);
	lock_records_sql(job_sql(run), &m->workspace, all, m->n + others);
	job_ask(run, true, removal_change);
}

static void removal_picked(struct job_run *run)
{
	struct removal *m = run->state;
	struct sql *s;

	if (db_rows(&run->x, 2) == 0) { /* the workspace has moved meanwhile */
		sql_add(job_sql(run), "rollback");
		job_ask(run, false, job_done);
		return;
	}
	m->n = db_uuid_column(&run->x, 1, 0, &run->arena, &m->ids);
	if (m->n == 0) {
		sql_add(job_sql(run), "rollback");
		job_ask(run, false, removal_stage_ended);
		return;
	}
	if (m->kind != REMOVE_TYPE) {
		removal_lock_all(run);
		return;
	}
	s = job_sql_of(run, &m->workspace);
	sql_add(s, "select distinct owner_id from field_values where workspace_id = $1 and ref_id = any (");
	sql_uuid_array(s, m->ids, m->n);
	sql_add(s, ")");
	job_ask(run, true, removal_lock_all);
}

/* --- the next chunk -------------------------------------------------------------------------- */

/* Selects a group's objects, type by type, in index order. */
static void removal_select_objects(struct sql *s, const struct removal *m)
{
	sql_add(s, "select i.id from object_types y cross join lateral (select o.id from objects o where "
	           "o.workspace_id = $1 and o.type_id = y.id and o.id > ");
	sql_uuid(s, &m->after);
	sql_addf(s, " order by o.id limit %d) i where y.workspace_id = $1 and y.group_id = ", removal_sizes()->chunk);
	sql_uuid(s, &m->id);
	sql_addf(s, " order by i.id limit %d", removal_sizes()->chunk);
}

/* Where the records of this stage are found: a table, its column with the record, its column with the deleted id. */
struct holding {
	const char *table, *owner, *held;
};

static struct holding removal_holding(const struct removal *m)
{
	bool linked = m->kind == REMOVE_GROUP || m->kind == REMOVE_CONTACT;
	const struct link_table *l =
	    linked ? link_table_to(m->kind == REMOVE_GROUP ? ID_GROUP : m->contact, m->stage) : NULL;

	if (m->kind == REMOVE_TYPE)
		return (struct holding){"objects", "id", "type_id"};
	if (l)
		return (struct holding){l->name, l->owner, l->item};
	return (struct holding){"field_values", "owner_id", m->kind == REMOVE_CONTACT ? "ref_id" : "field_id"};
}

static void removal_select_holders(struct sql *s, const struct removal *m)
{
	struct holding h = removal_holding(m);

	sql_addf(s, "select distinct %s from %s where workspace_id = $1 and %s = ", h.owner, h.table, h.held);
	sql_uuid(s, &m->id);
	sql_addf(s, " and %s > ", h.owner);
	sql_uuid(s, &m->after);
	if (m->kind == REMOVE_OPTIONS) {
		sql_add(s, " and ref_id = "); /* a single value: the index has its records in order */
		sql_uuid(s, &m->removed.options[m->stage]);
	}
	sql_addf(s, " order by %s limit %d", h.owner, removal_sizes()->chunk);
}

static void removal_pick(struct job_run *run)
{
	struct removal *m = run->state;
	struct sql *s;

	removal_lock_workspace(run, "pg_advisory_xact_lock_shared");
	s = job_sql_of(run, &m->workspace);
	if (m->kind == REMOVE_GROUP && m->stage >= GROUP_LINKS)
		removal_select_objects(s, m);
	else
		removal_select_holders(s, m);
	sql_add(job_sql_of(run, &m->workspace),
	    "select from workspaces where workspace_id = $1 and kith_at_home(moving, held_until)");
	job_ask(run, true, removal_picked);
}

/* --- the next removal ------------------------------------------------------------------------ */

static struct removal *removal_read(struct job_run *run)
{
	struct removal *old = run->state, *m = arena_alloc(&run->arena, sizeof *m);
	const struct db_exchange *x = &run->x;

	m->kind = (enum removal_kind)db_int(x, 1, 0, COL_KIND);
	m->workspace = db_uuid(x, 1, 0, COL_WORKSPACE);
	m->id = db_uuid(x, 1, 0, COL_ID);
	m->group = db_uuid(x, 1, 0, COL_GROUP);
	m->removed.entity = (enum custom_entity)db_int(x, 1, 0, COL_ENTITY);
	m->contact = m->removed.entity == ENTITY_PERSON ? ID_PERSON : ID_COMPANY;
	m->removed.field = m->id;
	m->removed.n_options = db_uuid_array(x, 1, 0, COL_OPTIONS, &run->arena, &m->options);
	m->removed.options = m->kind == REMOVE_OPTIONS ? m->options : NULL;
	if (!old)
		return m;
	m->chunks = old->chunks;
	if (old->kind == m->kind && uuid_equal(&old->id, &m->id) && old->removed.n_options == m->removed.n_options &&
	    memcmp(old->options, m->options, m->removed.n_options * sizeof *m->options) == 0) {
		m->stage = old->stage;
		m->after = old->after;
	}
	return m;
}

static void removal_found(struct job_run *run)
{
	if (db_rows(&run->x, 1) == 0) {
		sql_add(job_sql(run), "rollback");
		job_ask(run, false, job_done);
		return;
	}
	run->state = removal_read(run);
	/* This happens even if the run fails: the next run is for another workspace. */
	run->last = ((const struct removal *)run->state)->workspace;
	removal_pick(run);
}

/* Picks the oldest removal of the next workspace that no other process works on. Within a run it stays with one
 * workspace until that has no more removals. */
static void removal_look_up(struct job_run *run)
{
	const struct removal *m = run->state;
	struct sql *s;

	sql_add(job_sql(run), "begin");
	s = job_sql(run);
	sql_uuid(s, m ? &m->workspace : NULL);
	sql_uuid(s, &run->last);
	sql_built_in(s, "removals next");
	job_ask(run, true, removal_found);
}

void job_removals(struct job_run *run)
{
	if (FAULT_ERROR(removals_wait))
		job_end(run, false);
	else
		removal_look_up(run);
}
