/* addressbook-query. The cards of the book are read in pages, written, and tested. If the filter takes all of them and
 * the client wants none of their texts, the pages have only names and tags. */
#include "server/dav/dav_filter.h"
#include "server/dav/dav_sync.h"

#include "server/request/reply.h"
#include "server/request/slice.h"

enum {
	QUERY_PAGE = 500, /* names and tags that one statement reads */
	QUERY_CARDS = 100 /* cards that are read together */
};

struct dav_query {
	const struct dav_book *book;
	struct dav_filter filter;
	bool untested; /* names and tags are enough */
	int most;      /* cards that the client wants; 0: all */
	int shown;
	bool cut; /* one more would match */
	struct uuid last;
	const struct uuid *ids;             /* of the page */
	size_t n, found;                    /* those that were looked up; all */
	bool more;                          /* the book goes on after the page */
	struct dav_card cards[QUERY_CARDS]; /* of the page, written, and how many of them there are and were tested */
	size_t n_cards, tested;
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

	if (q->cut)
		return;
	q->cut = q->most && q->shown == q->most;
	if (q->cut)
		return;
	q->shown++;
	dav_properties_write(&(struct dav_shown){.r = r, .place = DAV_CARD, .book = q->book, .card = card});
}

/* --- pages ---------------------------------------------------------------------------------- */

static enum step query_found(struct req *r);

static enum step query_ask(struct req *r)
{
	static step_fn *const next[] = {query_found};
	struct dav_query *q = query_of(r);

	dav_page_sql(r, q->book, &q->last, q->untested ? QUERY_PAGE : QUERY_CARDS, &q->at);
	r->next = next;
	return req_ask(r, DB_FEED);
}

/* The page was shown. */
static enum step query_go_on(struct req *r)
{
	static step_fn *const next[] = {query_ask};
	struct dav_query *q = query_of(r);

	if (q->more && !q->cut) {
		q->last = q->ids[q->n - 1];
		return dav_answer_send(r, next);
	}
	if (q->cut)
		dav_answer_cut(r, q->book);
	return dav_answer_end(r);
}

static void query_keep(struct req *r, const struct dav_card *card)
{
	struct dav_query *q = query_of(r);
	struct dav_card *kept = &q->cards[q->n_cards++];

	*kept = *card;
	kept->text = arena_dup(&r->arena, card->text, card->len);
}

/* Tests may take long, so they are done in slices. If the cards are long, the page ends before all found ones are in
 * it. */
static enum step query_visited(struct req *r)
{
	struct dav_query *q = query_of(r);

	while (q->tested < q->n_cards && !q->cut) {
		const struct dav_card *card = &q->cards[q->tested++];
		if (query_takes(q, card))
			query_show(r, card);
		if (q->tested < q->n_cards && slice_over(r))
			return AGAIN;
	}
	q->more |= q->n < q->found;
	return query_go_on(r);
}

static enum step query_found(struct req *r)
{
	static step_fn *const next[] = {query_visited};
	struct dav_query *q = query_of(r);
	int rows = db_rows(r->db.last, q->at);
	struct uuid *ids = arena_alloc(&r->arena, (size_t)rows * sizeof *ids);
	struct dav_card card;

	q->ids = ids;
	q->n_cards = q->tested = 0;
	q->n = q->found = (size_t)rows;
	q->more = rows == (q->untested ? QUERY_PAGE : QUERY_CARDS);
	for (int i = 0; i < rows; i++) {
		dav_card_take(r, q->at, i, q->book, false, &card);
		ids[i] = card.id;
		if (q->untested)
			query_show(r, &card);
	}
	return q->untested || rows == 0 ? query_go_on(r) : dav_cards_visit(r, q->book, ids, &q->n, query_keep, next);
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

	q->book = &d->path.book;
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
