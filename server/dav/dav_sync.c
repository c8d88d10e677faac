/* sync-collection. Without a token the client gets the whole book: first its state is read, then the cards in pages. So
 * what changes meanwhile comes with the next token. With a token the client gets the cards that have events between the
 * two states. An answer that ends early has a token with which the client continues. */
#include "server/dav/dav_sync.h"

#include <string.h>

#include "server/base/text.h"
#include "server/dav/dav_changes.h"
#include "server/dav/dav_token.h"
#include "server/http/http.h"
#include "server/request/reply.h"
#include "server/request/server.h"

enum {
	SYNC_EVENTS = 500,    /* of the book, that one statement reads; fewer for a client that wants the cards */
	SYNC_STATEMENTS = 100 /* of one answer about changes */
};

struct dav_sync {
	unsigned char context[CURSOR_CONTEXT_SIZE];
	bool whole;             /* the client has no token, or one of a listing */
	struct dav_token token; /* the client's, later that of the answer */
	struct dav_listing listing;
	struct book_walk walk;
	struct table told; /* ids of the cards so far, if they are changes */
	int most;          /* cards that the client wants; 0: all */
	int shown;         /* cards so far */
	int statements;
	bool over;                      /* the walk is over */
	bool texts;                     /* the client wants the cards themselves */
	struct uuid ids[DAV_VISIT_MAX]; /* cards of the page to be read */
	size_t n_ids;
	int at, at_event;
};

/* --- tokens --------------------------------------------------------------------------------- */

static const char *token_text(
    struct req *r, const unsigned char context[CURSOR_CONTEXT_SIZE], const struct dav_token *t)
{
	char *out = arena_alloc(&r->arena, DAV_TOKEN_SIZE);

	return dav_token_seal(out, r->caller.ws->cursor_key, context, t);
}

const char *dav_token_text(struct req *r, const struct dav_book *book, int at, int row)
{
	unsigned char context[CURSOR_CONTEXT_SIZE];
	struct book_state state;

	book_state_read(r, at, row, &state);
	dav_token_context(&r->arena, r->caller.ws, &r->caller.viewer, book->name, context);
	return token_text(r, context, &(struct dav_token){.at = state.at});
}

/* The workspace may have come from another installation, which has sealed it. */
static bool sync_open_token(const struct req *r, struct dav_sync *s, const char *text)
{
	const struct workspace *ws = r->caller.ws;
	const unsigned char *before = ws->cursor_key_before ? ws->cursor_key_before : r->server->cursor_key;
	size_t len = strlen(text);

	return dav_token_open(&s->token, ws->cursor_key, s->context, text, len) ||
	       dav_token_open(&s->token, before, s->context, text, len);
}

/* False: events after it are not kept any more, or it is ahead of a database that was restored. */
static bool token_is_usable(const struct req *r, const struct event_position *p, const struct book_state *state)
{
	return p->at_ms >= book_first_ms(r) &&
	       (p->generation < state->generation || (p->generation == state->generation && p->xid <= state->xmin));
}

/* RFC 6578 wants a 403. Thunderbird begins anew only after a 400 (CardDAVDirectory.sys.mjs expects 207 or 400), and
 * after any other status it never synchronizes the book again. */
static enum step sync_refuse_token(struct req *r)
{
	const char *agent = http_header(r->call, "User-Agent");

	return dav_refuse(r, agent && strstr(agent, "Thunderbird/") ? 400 : 403, "d:valid-sync-token",
	    "This token is too old, or of another book, or was made under other rights: list the book again");
}

/* --- for both reports ----------------------------------------------------------------------- */

bool dav_limit_read(struct req *r, const char *space, int *most)
{
	const struct xml_node *limit = xml_node_child(dav_of(r)->body, space, "limit"),
	                      *node = xml_node_child(limit, space, "nresults");
	uint64_t number;

	*most = 0;
	if (!node)
		return true;
	if (!text_uint(node->text, strlen(node->text), &number)) {
		reply_error_status(r, ERROR_INVALID_REQUEST, 400, "nresults must be a number");
		return false;
	}
	if (number == 0) {
		dav_refuse(r, 507, "d:number-of-matches-within-limits",
		    "An answer has at least one card: ask for more than 0");
		return false;
	}
	*most = number < INT32_MAX ? (int)number : INT32_MAX;
	return true;
}

void dav_answer_cut(struct req *r)
{
	buf_addz(&r->reply.out, "<d:response>");
	dav_answer_href(r, DAV_BOOK, &dav_of(r)->path.book, NULL);
	buf_addz(&r->reply.out, "<d:status>HTTP/1.1 507 Insufficient Storage</d:status><d:error>"
	                        "<d:number-of-matches-within-limits/></d:error></d:response>\n");
}

/* --- the answer ----------------------------------------------------------------------------- */

static struct dav_sync *sync_of(const struct req *r)
{
	return dav_of(r)->report;
}

static void sync_take(struct req *r, const struct dav_card *card, bool gone)
{
	struct dav_sync *s = sync_of(r);

	s->shown++;
	if (gone) {
		buf_addz(&r->reply.out, "<d:response>");
		dav_answer_href(r, DAV_CARD, &dav_of(r)->path.book, card->name);
		buf_addz(&r->reply.out, "<d:status>HTTP/1.1 404 Not Found</d:status></d:response>\n");
	} else if (s->texts) {
		s->ids[s->n_ids++] = card->id;
	} else {
		dav_card_shown(r, card);
	}
}

/* Shows the cards of the page that have to be read. */
static enum step sync_show_texts(struct req *r, step_fn *const *next)
{
	struct dav_sync *s = sync_of(r);
	size_t n = s->n_ids;

	s->n_ids = 0;
	return n ? dav_cards_visit(r, s->ids, n, dav_card_shown, next) : (*next)(r);
}

static enum step sync_end(struct req *r, bool cut)
{
	struct dav_sync *s = sync_of(r);
	struct buf *out = &r->reply.out;

	if (cut)
		dav_answer_cut(r);
	buf_printf(out, "<d:sync-token>%s</d:sync-token>\n", token_text(r, s->context, &s->token));
	return dav_answer_end(r);
}

/* --- the whole book ------------------------------------------------------------------------- */

static enum step sync_listed(struct req *r)
{
	struct dav_sync *s = sync_of(r);

	s->token.listing = s->listing.more;
	s->token.last = s->listing.more ? s->listing.last : (struct uuid){.b = {0}};
	return sync_end(r, s->listing.more);
}

static enum step sync_list(struct req *r)
{
	static step_fn *const listed[] = {sync_listed};
	struct dav_sync *s = sync_of(r);

	s->listing = (struct dav_listing){.lane = DB_FEED,
	    .texts = s->texts,
	    .most = s->most,
	    .last = s->token.last,
	    .show = dav_card_shown,
	    .next = listed};
	return dav_list_begin(r, &s->listing);
}

/* --- changes -------------------------------------------------------------------------------- */

static enum step sync_walked(struct req *r);

static enum step sync_walk(struct req *r)
{
	static step_fn *const next[] = {sync_walked};
	struct dav_sync *s = sync_of(r);

	book_changes_sql(r, &s->walk, &s->at);
	s->statements++;
	r->next = next;
	return req_ask(r, DB_FEED);
}

/* With a limit the walk ends after the first cards, because each statement may have as many as the limit. */
static enum step sync_walk_on(struct req *r)
{
	static step_fn *const next[] = {sync_walk};
	struct dav_sync *s = sync_of(r);

	if (!s->over && s->statements < SYNC_STATEMENTS && !(s->most && s->shown))
		return dav_answer_send(r, next);
	s->token.at = s->over ? s->walk.until : s->walk.after;
	return sync_end(r, !s->over);
}

/* A card may have events for several statements. It was shown as it is now. */
static enum step sync_walked(struct req *r)
{
	static step_fn *const next[] = {sync_walk_on};
	struct dav_sync *s = sync_of(r);
	struct dav_card card;
	bool gone;

	for (int i = 0; i < db_rows(r->db.last, s->at); i++)
		if (book_change_read(r, s->at, i, &card, &gone) && dav_card_first(r, &s->told, &card.id))
			sync_take(r, &card, gone);
	s->over = book_changes_end(r, s->at, &s->walk);
	return sync_show_texts(r, next);
}

/* --- the beginning -------------------------------------------------------------------------- */

static enum step sync_begin(struct req *r)
{
	static step_fn *const listing[] = {sync_list}, *const walking[] = {sync_walk};
	struct dav_sync *s = sync_of(r);
	struct book_state state;
	bool first = s->whole && !s->token.listing;

	book_state_read(r, s->at, 0, &state);
	if (first)
		s->token.at = state.at;
	else if (!token_is_usable(r, &s->token.at, &state) || !book_has_event(r, &s->token.at, s->at_event))
		return sync_refuse_token(r);
	dav_answer_begin(r);
	r->next = s->whole ? listing : walking;
	if (s->whole)
		return PASS;
	table_init(&s->told, &r->reply.kept, SYNC_EVENTS);
	s->walk =
	    (struct book_walk){.after = s->token.at, .until = state.at, .most = s->texts ? DAV_VISIT_MAX : SYNC_EVENTS};
	if (s->most && s->most < s->walk.most)
		s->walk.most = s->most;
	s->token.at = state.at;
	return event_position_compare(&s->walk.after, &state.at) < 0 ? PASS : sync_end(r, false);
}

enum step dav_sync(struct req *r)
{
	static step_fn *const next[] = {sync_begin};
	struct dav *d = dav_of(r);
	struct dav_sync *s = d->report = arena_alloc(&r->arena, sizeof *s);
	const struct xml_node *token = xml_node_child(d->body, XML_DAV, "sync-token");

	dav_token_context(&r->arena, r->caller.ws, &r->caller.viewer, d->path.book.name, s->context);
	if (!dav_properties_read(r, xml_node_child(d->body, XML_DAV, "prop")) || !dav_limit_read(r, XML_DAV, &s->most))
		return DONE;
	s->texts = dav_property_wanted(d, XML_CARDDAV, "address-data");
	s->whole = !token || !*token->text;
	if (!s->whole && !sync_open_token(r, s, token->text))
		return sync_refuse_token(r);
	if (!s->whole)
		book_event_sql(r, &s->token.at, &s->at_event);
	s->whole |= s->token.listing;
	book_states_sql(r, &d->path.book, 1, &s->at);
	r->next = next;
	return req_ask(r, DB_FEED);
}
