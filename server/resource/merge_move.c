/* Moves everything that refers to one contact to another contact, as sets. */
#include "server/resource/merge.h"

#include "server/resource/entity.h"
#include "server/resource/removal.h"
#include "store/entity_kind.h"
#include "store/record.h"

/* --- how much it is ----------------------------------------------------------------------- */

static const struct resource *const activities[] = {
    &note_resource, &task_resource, &reminder_resource, &interaction_resource};

enum { ACTIVITIES = sizeof activities / sizeof *activities };

/* Counts beyond the limits, so that the message can say how many there are, but not without end. */
enum { COUNTED_MOST = 100 * 1000 };

void merge_count(struct req *r, struct merge *m)
{
	const struct uuid *gone = &m->gone.targets[0].id;
	struct sql *s = req_sql(r, NULL, &m->at_references);

	removal_held_sql(s, m->kind->res->id_kind, gone, 1, COUNTED_MOST, false);
	s = req_sql(r, "activities_held", &m->at_activities);
	for (int i = 0; i < ACTIVITIES; i++) {
		sql_addf(s, "%s(select count(*) from (select from %s where workspace_id = $1 and entity_id = ",
		    i ? " + " : "select ", activities[i]->table);
		if (i)
			sql_again(s, 2);
		else
			sql_uuid(s, gone);
		sql_addf(s, " limit %d) h)", COUNTED_MOST);
	}
}

/* --- lists --------------------------------------------------------------------------------- */

/* In the list, the kept record takes the place of whichever of the two was first. */
static void move_in_lists(
    const struct statements *st, const struct link_table *l, const struct uuid *gone, const struct uuid *kept)
{
	const char *list = l->resource->fields[l->field].column;
	struct sql *s = statements_add(st);
	int from;

	sql_addf(s, "update %s t set ", l->resource->table);
	record_touch_sql(s, st->now_ms);
	sql_addf(s, ", %s = array(select u.id from (select case when o.id = ", list);
	sql_uuid(s, gone);
	from = s->n_params;
	sql_add_uuid(s, " then ", kept);
	sql_addf(s,
	    " else o.id end as id, min(o.n) as n from unnest(t.%s) with ordinality o(id, n) group by 1) u order by "
	    "u.n) where t.workspace_id = $1 and t.id in (select l.%s from %s l where l.workspace_id = $1 and l.%s = "
	    "$%d)",
	    list, l->owner, l->name, l->item, from);
	s = statements_add(st);
	sql_addf(s, "insert into %s (workspace_id, %s, %s) select $1, ", l->name, l->item, l->owner);
	sql_uuid(s, kept);
	sql_addf(s, ", l.%s from %s l where l.workspace_id = $1 and l.%s = ", l->owner, l->name, l->item);
	sql_uuid(s, gone);
	sql_add(s, " on conflict do nothing");
	s = statements_add(st);
	sql_addf(s, "delete from %s where workspace_id = $1 and %s = ", l->name, l->item);
	sql_uuid(s, gone);
}

/* --- custom values --------------------------------------------------------------------------- */

/* Values of the kept record itself are part of its new state, so they are left out here. */
static void move_in_values(
    const struct statements *st, const char *table, enum id_kind kind, const struct uuid *gone, const struct uuid *kept)
{
	struct sql *s = statements_add(st);
	char id[ID_SIZE];
	int from;

	sql_addf(s, "update %s t set ", table);
	record_touch_sql(s, st->now_ms);
	sql_add(s, ", custom_values = custom_with_item(t.custom_values, array(select distinct v.field_id::text "
	           "from field_values v where v.workspace_id = $1 and v.ref_id = ");
	sql_uuid(s, gone);
	from = s->n_params;
	sql_add_textz(s, "), ", id_format(kind, gone, id));
	sql_add_textz(s, ", ", id_format(kind, kept, id));
	sql_add_uuid(s, ") where t.workspace_id = $1 and t.id <> ", kept);
	sql_addf(s, " and t.id in (select v.owner_id from field_values v where v.workspace_id = $1 and v.ref_id = $%d)",
	    from);
}

static void move_value_rows(const struct statements *st, const struct uuid *gone, const struct uuid *kept)
{
	struct sql *s = statements_add(st);

	/* This is a scalar subquery for the same reason as in removal_events_moved(). */
	sql_add_uuid(s, "delete from field_values v where v.workspace_id = $1 and v.ref_id = ", gone);
	sql_add_uuid(s, " and v.owner_id <> ", kept);
	sql_add(s, " and (select 1 from field_values k where k.workspace_id = $1 and k.field_id = v.field_id and "
	           "k.owner_id = v.owner_id and k.ref_id = $3 limit 1) is not null");
	s = statements_add(st);
	sql_add_uuid(s, "update field_values v set ref_id = ", kept);
	sql_add_uuid(s, " where v.workspace_id = $1 and v.ref_id = ", gone);
	sql_add(s, " and v.owner_id <> $2");
}

/* --- what is linked to it ---------------------------------------------------------------------- */

static void move_activities(
    const struct statements *st, const struct resource *res, const struct uuid *gone, const struct uuid *kept)
{
	struct sql *s = statements_add(st);

	sql_addf(s, "update %s t set entity_id = ", res->table);
	sql_uuid(s, kept);
	if (res->stamp) {
		sql_add(s, ", ");
		record_touch_sql(s, st->now_ms);
	}
	sql_add_uuid(s, " where t.workspace_id = $1 and t.entity_id = ", gone);
}

/* Both entities are locked, as every change of counters requires. */
static void move_counts(const struct statements *st, const struct uuid *gone, const struct uuid *kept)
{
	struct sql *s = statements_add(st);

	sql_add(
	    s, "insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at) select $1, ");
	sql_uuid(s, kept);
	sql_add(s, ", g.user_id, g.count, g.last_at from interaction_counts g where g.workspace_id = $1 and "
	           "g.entity_id = ");
	sql_uuid(s, gone);
	sql_add(s, " on conflict (workspace_id, entity_id, user_id) do update set count = c.count + excluded.count, "
	           "last_at = greatest(c.last_at, excluded.last_at)");
	s = statements_add(st);
	sql_add_uuid(s, "delete from interaction_counts where workspace_id = $1 and entity_id = ", gone);
}

void merge_totals(const struct statements *st, const struct merge *m)
{
	struct sql *s = statements_add(st);

	sql_add_uuid(s, "select interaction_totals(workspace_id => $1, entity_id => ", &m->kept.targets[0].id);
	sql_add(s, ", told => ");
	sql_bool(s, !st->untold);
	event_actor_arguments(s, &st->actor);
}

/* --- the card ------------------------------------------------------------------------------------ */

enum { CARD_COL_ID, CARD_COL_KEPT, CARD_COL_UID, CARD_COL_VERSION };

void merge_card_sql(struct sql *s, const struct merge *m)
{
	sql_add(
	    s, "select record_id, kept, uid, version from contact_cards where workspace_id = $1 and record_id = any (");
	sql_uuid_array(s, m->ids, 2);
	sql_add(s, ")");
}

bool merge_card(struct arena *a, struct merge *m)
{
	struct card_kept cards[2], united;
	bool has[2];

	for (int i = 0; i < 2; i++) {
		int row = db_row_of(m->loads, m->at_card, &m->ids[i]);
		has[i] = row >= 0;
		if (!has[i])
			continue;
		cards[i].text = db_text(m->loads, m->at_card, row, CARD_COL_KEPT, &cards[i].len);
		cards[i].uid = db_text(m->loads, m->at_card, row, CARD_COL_UID, NULL);
		cards[i].version = (enum card_version)db_int(m->loads, m->at_card, row, CARD_COL_VERSION);
	}
	if (!has[1] || cards[1].len == 0)
		return false;
	united = card_unite(a, m->kind->res->id_kind, has[0] ? &cards[0] : NULL, &cards[1]);
	if (united.len == (has[0] ? cards[0].len : 0))
		return false;
	m->card = arena_alloc(a, sizeof *m->card);
	*m->card = united;
	return true;
}

/* The key that wrote the kept record's card last may not have seen what it has now. */
static void save_card(const struct statements *st, const struct merge *m)
{
	struct sql *s = statements_add(st);

	sql_add(s, "insert into contact_cards (workspace_id, record_id, company, kept, version) values ($1, ");
	sql_uuid(s, &m->ids[0]);
	sql_add(s, ", ");
	sql_bool(s, m->kind->res->id_kind == ID_COMPANY);
	sql_add(s, ", ");
	sql_text(s, m->card->text, m->card->len);
	sql_add(s, ", ");
	sql_int4(s, m->card->version);
	sql_add(s, ") on conflict (workspace_id, record_id) do update set kept = excluded.kept, version = "
	           "excluded.version, written_by = null, written_at = null");
}

/* --- all of it ----------------------------------------------------------------------------------- */

void merge_move(const struct statements *st, const struct merge *m)
{
	enum id_kind kind = m->kind->res->id_kind;
	const struct uuid *kept = &m->kept.targets[0].id, *gone = &m->gone.targets[0].id;
	const struct link_table *l;

	removal_events_moved(st, kind, gone, kept);
	entity_forget_own_values(st, gone, 1);
	for (int i = 0; (l = link_table_to(kind, i)); i++)
		move_in_lists(st, l, gone, kept);
	for (int entity = ENTITY_PERSON; entity <= ENTITY_OBJECT; entity++)
		move_in_values(st, removal_rows_kind((enum custom_entity)entity)->table, kind, gone, kept);
	move_value_rows(st, gone, kept);
	for (int i = 0; i < ACTIVITIES; i++)
		move_activities(st, activities[i], gone, kept);
	move_counts(st, gone, kept);
	if (m->card)
		save_card(st, m);
}
