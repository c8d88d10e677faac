/* Cards as the database has them: their names, their tags, and what is kept beside their records. */
#include "server/dav/dav_work.h"

#include <string.h>

#include "server/base/etag.h"
#include "server/request/reply.h"
#include "server/request/slice.h"
#include "store/record.h"

enum { KEPT_BYTES = 512 << 10 }; /* of what is kept of the cards that are looked up at once, but for the first */

enum { COL_ID, COL_STAMP, COL_NAME, COL_KEPT, COL_UID, COL_VERSION, COL_WRITTEN_BY, COL_WRITTEN_AT };

/* --- statements ---------------------------------------------------------------------------------- */

void dav_cards_sql(struct sql *s, const struct req *r, const struct dav_book *book, bool kept)
{
	sql_add(s, "select t.id, t.updated_at, n.name");
	if (kept)
		sql_addf(s,
		    ", case when sum(octet_length(c.kept)) over w <= octet_length(c.kept) + %d then c.kept end, "
		    "c.uid, c.version, c.written_by, c.written_at",
		    KEPT_BYTES);
	sql_addf(s, " from %s t", book->kind == ID_PERSON ? "people" : "companies");
	if (book->group) {
		sql_add(s, " join person_groups g on g.workspace_id = t.workspace_id and g.person_id = t.id and "
		           "g.group_id = ");
		sql_uuid(s, &book->group->id);
	}
	sql_add_uuid(s,
	    " left join card_names n on n.workspace_id = t.workspace_id and n.record_id = t.id and n.gone_at is null "
	    "and n.user_id = ",
	    &r->caller.viewer.user);
	sql_add_textz(s, " and n.book = ", book->name);
	if (kept)
		/* offset 0: by the key of each card, whatever the statistics say while the table fills */
		sql_add(s, " left join lateral (select * from contact_cards k where k.workspace_id = $1 and "
		           "k.record_id = t.id offset 0) c on true");
	sql_add(s, " where t.workspace_id = $1");
}

void dav_card_take(struct req *r, int statement, int row, bool kept, struct dav_card *out)
{
	const struct db_exchange *x = r->db.last;
	struct uuid by;

	*out = (struct dav_card){
	    .id = db_uuid(x, statement, row, COL_ID), .stamp_us = db_time_us(x, statement, row, COL_STAMP)};
	out->name = db_null(x, statement, row, COL_NAME) ? dav_path_card(&r->arena, dav_of(r)->path.book.kind, &out->id)
	                                                 : db_text(x, statement, row, COL_NAME, NULL);
	if (!kept || db_null(x, statement, row, COL_UID))
		return;
	out->has_kept = true;
	out->held = db_null(x, statement, row, COL_KEPT);
	if (!out->held)
		out->kept.text = db_text(x, statement, row, COL_KEPT, &out->kept.len);
	out->kept.uid = db_text(x, statement, row, COL_UID, NULL);
	out->kept.version = (enum card_version)db_int(x, statement, row, COL_VERSION);
	out->own = db_uuid_read(x, statement, row, COL_WRITTEN_BY, &by) && uuid_equal(&by, &r->caller.ticket.key);
	out->latest = out->own && db_time_us(x, statement, row, COL_WRITTEN_AT) == out->stamp_us;
}

void dav_card_ask(struct req *r, int *at)
{
	static const struct uuid none;
	const struct dav_path *p = &dav_of(r)->path;
	struct sql *s = req_sql(r, NULL, at);

	dav_cards_sql(s, r, &p->book, true);
	/* Under row security coalesce() is not looked up in an index, unlike the result of a subquery. */
	sql_add_uuid(s,
	    " and t.id = (select coalesce((select k.record_id from card_names k where k.workspace_id = $1 and "
	    "k.gone_at is null and k.user_id = ",
	    &r->caller.viewer.user);
	sql_add_textz(s, " and k.book = ", p->book.name);
	sql_add_textz(s, " and k.name = ", p->card);
	sql_add_uuid(s, "), ", uuid_equal(&p->id, &none) ? NULL : &p->id);
	sql_add(s, ")) window w as (order by t.id)");
}

bool dav_card_found(struct req *r, int at, struct dav_card *out)
{
	if (db_rows(r->db.last, at) == 0)
		return false;
	dav_card_take(r, at, 0, true, out);
	return true;
}

/* --- text ---------------------------------------------------------------------------------------- */

/* The version that the client asks for, or wrote, or the one that all programs read. */
static enum card_version card_version_for(const struct dav *d, const struct dav_card *card)
{
	if (d->version_given)
		return d->version;
	return card->own && card->kept.version ? card->kept.version : CARD_3_0;
}

void dav_card_write(struct req *r, struct arena *a, struct dav_card *card, enum id_kind kind, const struct json *record)
{
	enum { WRITTEN_MAX = 8 << 20 };
	struct buf out;
	char tag[ETAG_SIZE];

	etag_format(card->stamp_us, tag);
	buf_init(&out, WRITTEN_MAX);
	card_write(&out, kind, record, card->has_kept ? &card->kept : NULL, card_version_for(dav_of(r), card), tag);
	card->text = arena_dup(a, out.len ? out.data : "", out.len);
	card->len = out.len;
	buf_free(&out);
}

/* --- several cards ------------------------------------------------------------------------------- */

bool dav_card_first(struct req *r, struct table *seen, const struct uuid *id)
{
	struct uuid *key = arena_alloc(&r->reply.kept, sizeof *key);

	*key = *id;
	return table_add(seen, key, sizeof *key);
}

struct dav_visit {
	const struct uuid *ids;
	size_t n;
	dav_card_show_fn *show;
	step_fn *const *next;
	struct uuid last; /* the last card that was looked up */
	bool more;        /* there are cards after it, which were left out because those before are long */
	int at;
	struct dav_card *cards; /* that were looked up */
	size_t n_cards, shown;
	size_t taken; /* records of the answer that were taken */
};

static enum step visit_list(struct req *r, struct dav_visit *v);
static enum step visit_more(struct req *r);

/* A page ends early if its records are long. */
static enum step visit_taken(struct req *outer, struct req *r, const struct json *answer)
{
	static step_fn *const more[] = {visit_more};
	struct dav_visit *v = dav_of(outer)->visit;
	const struct json *data = json_member(answer, "data");
	size_t i = 0;

	if (r->reply.status != 200 || !answer)
		return reply_inside_refused(outer, r);
	json_each(item, json_member(data, "items")) {
		const struct uuid *id = &r->records[i]->values[0].id;
		struct arena text;
		if (i++ < v->taken)
			continue;
		while (v->shown < v->n_cards && uuid_compare(&v->cards[v->shown].id, id) < 0)
			v->shown++; /* it has been deleted since */
		if (v->shown == v->n_cards)
			break;
		arena_init(&text);
		dav_card_write(outer, &text, &v->cards[v->shown], dav_of(outer)->path.book.kind, item);
		v->show(outer, &v->cards[v->shown++]);
		arena_free(&text);
		v->taken++;
		if (slice_over(r))
			return AGAIN;
	}
	if (i > 0 && v->shown < v->n_cards && json_member(json_member(data, "pagination"), "nextCursor"))
		return visit_list(outer, v);
	outer->next = v->more ? more : v->next;
	return PASS;
}

static enum step visit_list(struct req *r, struct dav_visit *v)
{
	size_t n = v->n_cards - v->shown;
	struct uuid *ids = arena_alloc(&r->arena, n * sizeof *ids);

	v->taken = 0;
	for (size_t i = 0; i < n; i++)
		ids[i] = v->cards[v->shown + i].id;
	return dav_inside_list(r, dav_of(r)->path.book.kind, ids, n, visit_taken);
}

static enum step visit_found(struct req *r)
{
	struct dav_visit *v = dav_of(r)->visit;
	int rows = db_rows(r->db.last, v->at);

	v->cards = arena_alloc(&r->arena, (size_t)rows * sizeof *v->cards);
	v->n_cards = v->shown = 0;
	for (int row = 0; row < rows; row++) {
		struct dav_card *card = &v->cards[v->n_cards];
		dav_card_take(r, v->at, row, true, card);
		if (card->held)
			break;
		v->last = card->id;
		v->n_cards++;
	}
	v->more = v->n_cards < (size_t)rows;
	if (v->n_cards)
		return visit_list(r, v);
	r->next = v->next;
	return PASS;
}

static enum step visit_ask(struct req *r)
{
	static step_fn *const steps[] = {visit_found};
	struct dav_visit *v = dav_of(r)->visit;
	struct sql *s = req_sql(r, NULL, &v->at);

	dav_cards_sql(s, r, &dav_of(r)->path.book, true);
	sql_add_uuid_array(s, " and t.id = any (", v->ids, v->n);
	sql_add_uuid(s, ") and t.id > ", &v->last);
	sql_add(s, " window w as (order by t.id) order by t.id");
	r->next = steps;
	return req_ask(r, DB_LIST);
}

/* Sends the long cards before more are read. */
static enum step visit_more(struct req *r)
{
	static step_fn *const steps[] = {visit_ask};

	return dav_answer_send(r, steps);
}

enum step dav_cards_visit(struct req *r, const struct uuid *ids, size_t n, dav_card_show_fn *show, step_fn *const *next)
{
	struct dav *d = dav_of(r);

	if (!d->visit)
		d->visit = arena_alloc(&r->reply.kept, sizeof *d->visit);
	*d->visit = (struct dav_visit){.ids = ids, .n = n, .show = show, .next = next};
	return visit_ask(r);
}
