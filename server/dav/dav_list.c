/* Lists the cards of a book in pages. Each page is sent before the next one is read. */
#include "server/dav/dav_work.h"

#include "server/request/slice.h"

enum { LIST_PAGE = 500 };

static enum step list_found(struct req *r);

static enum step list_ask(struct req *r)
{
	static step_fn *const steps[] = {list_found};
	struct dav *d = dav_of(r);
	struct dav_listing *l = d->listing;
	const char *id = d->path.book.group ? "g.person_id" : "t.id"; /* of the index that has the order */
	struct sql *s = req_sql(r, NULL, &l->at);

	l->row = 0;
	l->page = l->texts ? DAV_VISIT_MAX : LIST_PAGE;
	if (l->most && l->most - l->taken < l->page)
		l->page = l->most - l->taken;
	dav_cards_sql(s, r, &d->path.book, false);
	sql_addf(s, " and %s > ", id);
	sql_uuid(s, &l->last);
	sql_addf(s, " order by %s limit %d", id, l->page + 1);
	r->next = steps;
	return req_ask(r, l->lane);
}

/* The page was shown. */
static enum step list_go_on(struct req *r)
{
	static step_fn *const steps[] = {list_ask};
	struct dav_listing *l = dav_of(r)->listing;

	if (l->more && !l->enough && !(l->most && l->taken == l->most))
		return dav_answer_send(r, steps);
	r->next = l->next;
	return PASS;
}

static enum step list_found(struct req *r)
{
	static step_fn *const steps[] = {list_go_on};
	struct dav_listing *l = dav_of(r)->listing;
	int rows = db_rows(r->db.last, l->at);
	struct dav_card card;

	l->more = rows > l->page;
	for (; l->row < rows && l->row < l->page; l->row++) {
		if (slice_over(r))
			return AGAIN;
		dav_card_take(r, l->at, l->row, false, &card);
		l->last = card.id;
		l->taken++;
		if (l->texts)
			l->ids[l->row] = card.id;
		else
			l->show(r, &card);
	}
	return l->texts && l->row ? dav_cards_visit(r, l->ids, (size_t)l->row, l->show, steps) : list_go_on(r);
}

enum step dav_list_begin(struct req *r, struct dav_listing *l)
{
	dav_of(r)->listing = l;
	return list_ask(r);
}
