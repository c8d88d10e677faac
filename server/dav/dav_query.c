/* addressbook-query. The cards of the book are read in pages, written, and tested. If the filter takes all of them and
 * the client wants none of their texts, the pages have only names and tags. */
#include "server/dav/dav_filter.h"
#include "server/dav/dav_sync.h"

#include "server/request/reply.h"

struct dav_query {
	struct dav_listing listing;
	struct dav_filter filter;
	int most; /* cards that the client wants; 0: all */
	int shown;
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

/* Ends the listing when one more card matches than the client wants. */
static void query_show(struct req *r, const struct dav_card *card)
{
	struct dav_query *q = query_of(r);

	if (q->listing.enough || (q->listing.texts && !query_takes(q, card)))
		return;
	q->listing.enough = q->most && q->shown == q->most;
	if (q->listing.enough)
		return;
	q->shown++;
	dav_card_shown(r, card);
}

static enum step query_listed(struct req *r)
{
	if (query_of(r)->listing.enough)
		dav_answer_cut(r);
	return dav_answer_end(r);
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
		    "A filter has prop-filter, text-match and is-not-defined, at most 100 in all");
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
	static step_fn *const listed[] = {query_listed};
	struct dav *d = dav_of(r);
	struct dav_query *q = d->report = arena_alloc(&r->arena, sizeof *q);

	if (!dav_properties_read(r, xml_node_child(d->body, XML_DAV, "prop")) ||
	    !dav_limit_read(r, XML_CARDDAV, &q->most) || !query_read_filter(r, q))
		return DONE;
	d->searches = !dav_filter_takes_all(&q->filter) || dav_property_wanted(d, XML_CARDDAV, "address-data");
	if (d->searches && !dav_may_stay(r))
		return reply_unavailable(r, ERROR_UNAVAILABLE, "too many searches of devices are running");
	dav_answer_begin(r);
	q->listing = (struct dav_listing){.lane = DB_FEED, .texts = d->searches, .show = query_show, .next = listed};
	return dav_list_begin(r, &q->listing);
}
