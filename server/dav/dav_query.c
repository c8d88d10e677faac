/* addressbook-query. The cards of the book are read in pages, written, and tested. If the filter takes all of them and
 * the client wants none of their texts, the pages have only names and tags. */
#include "server/dav/dav_filter.h"
#include "server/dav/dav_sync.h"

#include "server/request/reply.h"

enum { QUERY_PAGE = 500 /* names and tags that one statement reads */ };

struct dav_query {
	struct dav_filter filter;
	bool untested; /* names and tags are enough */
	int most;      /* cards that the client wants; 0: all */
	int shown;
	bool cut;                       /* one more would match */
	bool more;                      /* the book goes on after the page */
	struct uuid ids[DAV_VISIT_MAX]; /* of the page, if its cards are tested */
	int at;
};

static struct dav_query *query_of(const struct req *r)
{
	return dav_of(r)->report;
}

/* --- one card ------------------------------------------------------------------------------- */

static bool query_takes(const struct dav_query *q, const struct dav_card *card)
{
	struct arena a, folded;
	struct card read;
	bool takes;

	if (dav_filter_takes_all(&q->filter))
		return true;
	arena_init(&a);
	arena_init(&folded);
	takes = !card_read(&a, card->text, card->len, &read) && dav_filter_matches(&q->filter, &folded, &read);
	arena_free(&folded);
	arena_free(&a);
	return takes;
}

static void query_show(struct req *r, const struct dav_card *card)
{
	struct dav_query *q = query_of(r);

	q->cut = q->cut || (q->most && q->shown == q->most);
	if (q->cut)
		return;
	q->shown++;
	dav_properties_write(
	    &(struct dav_shown){.r = r, .place = DAV_CARD, .book = &dav_of(r)->path.book, .card = card});
}

static void query_test(struct req *r, const struct dav_card *card)
{
	if (!query_of(r)->cut && query_takes(query_of(r), card))
		query_show(r, card);
}

/* --- pages ---------------------------------------------------------------------------------- */

static enum step query_found(struct req *r);

static int query_page(const struct dav_query *q)
{
	return q->untested ? QUERY_PAGE : DAV_VISIT_MAX;
}

static enum step query_ask(struct req *r)
{
	static step_fn *const next[] = {query_found};
	struct dav_query *q = query_of(r);

	dav_page_sql(r, &dav_of(r)->last, query_page(q), &q->at);
	r->next = next;
	return req_ask(r, DB_FEED);
}

/* The page was shown. */
static enum step query_go_on(struct req *r)
{
	static step_fn *const next[] = {query_ask};
	struct dav_query *q = query_of(r);

	if (q->more && !q->cut)
		return dav_answer_send(r, next);
	if (q->cut)
		dav_answer_cut(r);
	return dav_answer_end(r);
}

static enum step query_found(struct req *r)
{
	static step_fn *const next[] = {query_go_on};
	struct dav_query *q = query_of(r);
	int rows = db_rows(r->db.last, q->at);
	struct dav_card card;

	q->more = rows == query_page(q);
	for (int i = 0; i < rows; i++) {
		dav_card_take(r, q->at, i, false, &card);
		dav_of(r)->last = card.id;
		if (q->untested)
			query_show(r, &card);
		else
			q->ids[i] = card.id;
	}
	return q->untested || rows == 0 ? query_go_on(r) : dav_cards_visit(r, q->ids, (size_t)rows, query_test, next);
}

/* --- the beginning -------------------------------------------------------------------------- */

/* False: the answer is set. */
static bool query_read_filter(struct req *r, struct dav_query *q)
{
	switch (dav_filter_read(&r->arena, xml_node_child(dav_of(r)->body, XML_CARDDAV, "filter"), &q->filter)) {
	case DAV_FILTER_OK:
		return true;
	case DAV_FILTER_UNSUPPORTED:
		dav_refuse(r, 403, "c:supported-filter",
		    "A filter has prop-filter, param-filter, text-match and is-not-defined, at most 100 in all");
		break;
	case DAV_FILTER_COLLATION:
		dav_refuse(r, 403, "c:supported-collation",
		    "The collations are i;unicode-casemap, i;ascii-casemap and i;octet");
		break;
	case DAV_FILTER_MALFORMED:
		reply_error_status(r, ERROR_INVALID_REQUEST, 400, "The filter is not valid");
		break;
	}
	return false;
}

enum step dav_query(struct req *r)
{
	struct dav *d = dav_of(r);
	struct dav_query *q = d->report = arena_alloc(&r->arena, sizeof *q);

	if (!dav_properties_read(r, xml_node_child(d->body, XML_DAV, "prop")) ||
	    !dav_limit_read(r, XML_CARDDAV, &q->most) || !query_read_filter(r, q))
		return DONE;
	q->untested = dav_filter_takes_all(&q->filter) && !dav_property_wanted(d, XML_CARDDAV, "address-data");
	if (!q->untested && !dav_may_stay(r))
		return reply_unavailable(r, ERROR_UNAVAILABLE, "too many searches of devices are running");
	d->searches = !q->untested;
	dav_answer_begin(r);
	return query_ask(r);
}
