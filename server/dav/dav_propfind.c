/* PROPFIND. */
#include "server/dav/dav_changes.h"
#include "server/dav/dav_sync.h"

#include "server/request/reply.h"

struct propfind {
	int at; /* result: settings, states or the card */
	struct dav_book *books;
	size_t n;
	bool tokens;  /* the client asks for those of the books */
	bool written; /* it asks for what only a written card shows: its length */
	struct dav_listing listing;
	struct uuid card;
};

static step_fn *const end_steps[] = {dav_answer_end};

static void propfind_show(struct req *r, const struct dav_card *card)
{
	struct dav *d = dav_of(r);
	struct dav_card shown = *card;

	if (d->path.place == DAV_CARD)
		shown.name = d->path.card; /* the client's own name, or its alias */
	dav_card_shown(r, &shown);
}

/* --- books --------------------------------------------------------------------------------------- */

static void propfind_book(struct req *r, const struct dav_book *book, const char *token)
{
	dav_properties_write(&(struct dav_shown){.r = r,
	    .place = DAV_BOOK,
	    .book = book,
	    .setting = dav_setting_of(&dav_of(r)->settings, book),
	    .token = token});
}

static enum step propfind_books_show(struct req *r)
{
	struct dav *d = dav_of(r);
	struct propfind *f = d->report;

	dav_answer_begin(r);
	if (d->path.place == DAV_HOME)
		dav_properties_write(&(struct dav_shown){.r = r, .place = DAV_HOME});
	for (size_t i = 0; i < f->n; i++)
		propfind_book(r, &f->books[i], f->tokens ? dav_token_text(r, &f->books[i], f->at, (int)i) : NULL);
	if (d->path.place != DAV_BOOK || d->depth != 1)
		return dav_answer_end(r);
	f->listing =
	    (struct dav_listing){.lane = DB_LIST, .texts = f->written, .show = propfind_show, .next = end_steps};
	return dav_list_begin(r, &f->listing);
}

/* The books that are shown: that of the path, or those that the home lists. */
static void propfind_books(struct req *r, struct propfind *f)
{
	struct dav *d = dav_of(r);
	struct dav_book *all;
	size_t n;

	if (d->path.place == DAV_BOOK) {
		f->books = &d->path.book;
		f->n = 1;
		return;
	}
	n = d->depth == 1 ? dav_books_all(r, &all) : 0;
	f->books = all = n ? all : NULL;
	for (size_t i = 0; i < n; i++)
		if (dav_book_listed(&r->caller.viewer, &all[i], dav_setting_of(&d->settings, &all[i])))
			all[f->n++] = all[i];
}

static enum step propfind_settings(struct req *r)
{
	static step_fn *const show[] = {propfind_books_show};
	struct dav *d = dav_of(r);
	struct propfind *f = d->report;

	d->settings = dav_settings_read(r, f->at);
	propfind_books(r, f);
	f->tokens = f->n && (dav_property_wanted(d, XML_DAV, "sync-token") ||
	                        dav_property_wanted(d, XML_CALENDARSERVER, "getctag"));
	r->next = show;
	if (!f->tokens)
		return PASS;
	book_states_sql(r, f->books, f->n, &f->at);
	return req_ask(r, DB_FEED);
}

static enum step propfind_card_show(struct req *r)
{
	struct propfind *f = dav_of(r)->report;
	struct dav_card card;

	if (!dav_card_found(r, f->at, &card))
		return reply_not_found(r);
	dav_answer_begin(r);
	f->card = card.id;
	if (f->written)
		return dav_cards_visit(r, &f->card, 1, propfind_show, end_steps);
	propfind_show(r, &card);
	return dav_answer_end(r);
}

/* --- the request --------------------------------------------------------------------------------- */

/* False: the answer is set. */
static bool propfind_read(struct req *r)
{
	struct dav *d = dav_of(r);
	const struct xml_node *prop = xml_node_child(d->body, XML_DAV, "prop");

	d->names_only = xml_node_child(d->body, XML_DAV, "propname");
	if (d->body && (!xml_node_is(d->body, XML_DAV, "propfind") ||
	                   (!prop && !d->names_only && !xml_node_child(d->body, XML_DAV, "allprop")))) {
		reply_error_status(r, ERROR_INVALID_REQUEST, 400,
		    "The body of PROPFIND is a propfind of DAV: with prop, allprop or propname");
		return false;
	}
	return dav_properties_read(r, d->names_only ? NULL : prop);
}

/* Principals have no members. */
static enum step propfind_principal(struct req *r)
{
	dav_answer_begin(r);
	dav_properties_write(&(struct dav_shown){.r = r, .place = dav_of(r)->path.place});
	return dav_answer_end(r);
}

enum step dav_propfind(struct req *r)
{
	static step_fn *const books[] = {propfind_settings}, *const card[] = {propfind_card_show};
	struct dav *d = dav_of(r);
	struct propfind *f = d->report = arena_alloc(&r->arena, sizeof *f);

	if (!propfind_read(r))
		return DONE;
	f->written = !d->names_only && dav_property_wanted(d, XML_DAV, "getcontentlength");
	if (d->depth < 0 && (d->path.place == DAV_HOME || d->path.place == DAV_BOOK))
		return dav_refuse(r, 403, "d:propfind-finite-depth", "Depth must be 0 or 1 here");
	if (d->path.place < DAV_HOME)
		return propfind_principal(r);
	if (d->path.place == DAV_CARD)
		dav_card_ask(r, &f->at);
	else
		dav_settings_ask(r, &f->at);
	r->next = d->path.place == DAV_CARD ? card : books;
	return req_ask(r, DB_POINT);
}
