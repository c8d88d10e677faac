/* The steps of a merge; see merge.h. */
#include "server/resource/merge.h"

#include <string.h>

#include "server/input/limits.h"
#include "server/output/render_custom.h"
#include "server/request/names_load.h"
#include "server/request/outbox.h"
#include "server/request/route.h"
#include "server/resource/merged.h"
#include "server/resource/steps.h"

/* --- opening ---------------------------------------------------------------------------- */

static void merge_target(struct arena *a, struct write *w, const struct write_kind *kind, enum write_op op)
{
	w->kind = kind;
	w->op = op;
	w->targets = arena_alloc(a, sizeof *w->targets);
	w->n_targets = 1;
	w->targets[0].last_warning = &w->targets[0].warnings;
}

static struct merge *merge_prepare(struct req *r)
{
	struct merge *m = arena_alloc(&r->arena, sizeof *m);

	m->kind = write_kind_of(r->route);
	m->ids[0] = r->given.path[0].id;
	m->ids[1] = r->given.input->values[MERGE_ID].id;
	merge_target(&r->arena, &m->kept, m->kind, WRITE_UPDATE);
	merge_target(&r->arena, &m->gone, m->kind, WRITE_DELETE);
	m->kept.targets[0].id = m->ids[0];
	m->gone.targets[0].id = m->ids[1];
	m->gone.targets[0].merged_into = &m->ids[0];
	return m;
}

enum step merge_open(struct req *r)
{
	struct merge *m = merge_prepare(r);
	const struct resource *res = m->kind->res;
	struct sql *s;

	r->state.merge = m;
	r->tx.exclusive = true;
	transaction_begin(r);
	s = req_sql(r, req_lock_name(r, arena_printf(&r->arena, "%s_merge", res->table)), &m->at_rows);
	record_select(s, res);
	sql_add_uuid_array(s, " and t.id = any (", m->ids, 2);
	sql_addf(s, ") order by t.id%s", req_lock(r, " for no key update of t"));
	merge_lacking_sql(req_sql(r, arena_printf(&r->arena, "%s_lacking", res->table), &m->at_lacking), m);
	merge_count(r, m);
	merge_card_sql(req_sql(r, "merge_card", &m->at_card), m);
	return transaction_ask(r);
}

/* --- what prevents it ------------------------------------------------------------------- */

static struct record *merge_load_record(struct arena *a, const struct merge *m, const struct uuid *id)
{
	int row = db_row_of(m->loads, m->at_rows, id);

	return row < 0 ? NULL : record_load(m->loads, m->at_rows, row, m->kind->res, a);
}

/* The user who merges decides about the memberships of the removed record, which end in every group that the user
 * sees. */
static bool merge_allowed(const struct req_caller *caller, const struct merge *m)
{
	const struct value *groups = &m->gone.targets[0].old->values[m->kind->groups];

	for (size_t i = 0; i < groups->n_ids; i++) {
		const struct group *g = visible_group(caller->ws, &groups->ids[i], &caller->viewer);
		if (g && group_role(g, &caller->viewer) < ROLE_CONTRIBUTOR)
			return false;
	}
	return true;
}

static void merge_check_limit(struct req *r, const struct path *at, enum limit_name which, int64_t present)
{
	char text[LIMIT_TEXT_SIZE];

	/* Private notes are hidden from everybody but their authors. */
	if (limit_exceeded(which, 0, present))
		issue_custom(&r->given.issues, at, "%s",
		    limit_text(text, which, which == LIMIT_MERGE_ACTIVITIES ? -1 : write_told(r, present)));
}

/* Adds issues for everything that prevents the merge. */
static void merge_check(struct req *r, const struct merge *m)
{
	struct path id = PATH_NAME(NULL, "id");

	if (uuid_equal(&m->ids[0], &m->ids[1])) {
		issue_custom(&r->given.issues, &id, "A record cannot be merged with itself");
		return;
	}
	if (!m->gone.targets[0].old) {
		issue_custom(
		    &r->given.issues, &id, m->kind->entity == ENTITY_PERSON ? "Person not found" : "Company not found");
		return;
	}
	merge_check_limit(r, &id, LIMIT_MERGE_REFERENCES, db_int(m->loads, m->at_references, 0, 1));
	merge_check_limit(r, &id, LIMIT_MERGE_ACTIVITIES, db_int(m->loads, m->at_activities, 0, 0));
}

static void merge_want_names(struct req *r, struct merge *m, const struct record *kept)
{
	custom_want(&r->arena, r->caller.ws, &kept->values[m->kind->custom], &m->names);
	if (m->names.count)
		names_ask(r, &m->names, &m->at_names);
}

/* --- doing it ------------------------------------------------------------------------------- */

/* The order matters: the removed record must give up its name before the kept record takes it. */
static void merge_save(struct req *r, struct merge *m)
{
	const struct entity_kind *kind = entity_kind_of(m->kind->res->id_kind);
	struct write_target *kept = &m->kept.targets[0], *gone = &m->gone.targets[0];
	struct statements st = req_statements(r);
	struct sql *s;

	merge_move(&st, m);
	s = req_sql(r, arena_printf(&r->arena, "%s_merged", kind->table), NULL);
	sql_addf(s, "delete from %s where workspace_id = $1 and id = ", kind->table);
	sql_uuid(s, &gone->id);
	merged_insert(req_sql(r, "merged_insert", NULL), kind->id_kind, &gone->id, &kept->id);
	write_save_target(r, &m->kept, kept);
	custom_save(r, &m->kept.rows, SIZE_MAX);
	write_save_links(r, &m->kept);
	merge_totals(&st, m);
	write_event(r, &m->gone, gone);
	outbox_write(r);
	s = req_sql(r, NULL, &m->at_shown);
	record_select(s, m->kind->res);
	sql_add_uuid(s, " and t.id = ", &kept->id);
	merge_want_names(r, m, kept->new);
}

enum step merge_apply(struct req *r)
{
	struct merge *m = r->state.merge;

	if (!m->loads)
		m->loads = r->db.last;
	m->kept.targets[0].old = merge_load_record(&r->arena, m, &m->ids[0]);
	m->gone.targets[0].old = merge_load_record(&r->arena, m, &m->ids[1]);
	if (!m->kept.targets[0].old)
		return merged_not_found(r);
	if (!request_matches(&r->given, m->kept.targets[0].old))
		return reply_unmatched(r, m->kept.targets[0].old);
	m->kept.targets[0].beside = merge_card(&r->arena, m) ? "card" : NULL;
	merge_check(r, m);
	if (r->given.issues.count)
		return reply_issues(r, "Invalid input");
	if (!merge_allowed(&r->caller, m))
		return reply_error(r, ERROR_FORBIDDEN, target_only_reading);
	if (!merge_fill(r, m))
		return reply_issues(r, "Invalid input");
	if (r->given.dry) { /* in a dry run, records that would move are counted, not moved, because moving would lock
		               them */
		merge_complete(r, m);
		merge_want_names(r, m, m->kept.targets[0].new);
		return m->names.count ? transaction_ask(r) : PASS;
	}
	merge_save(r, m);
	return transaction_ask(r);
}

enum step merge_show(struct req *r)
{
	struct merge *m = r->state.merge;

	if (m->names.count && !names_take(r, &m->names, r->db.last, m->at_names))
		return AGAIN;
	return reply_record_named(r,
	    r->given.dry ? m->kept.targets[0].new : record_load(r->db.last, m->at_shown, 0, m->kind->res, &r->arena),
	    &m->names);
}
