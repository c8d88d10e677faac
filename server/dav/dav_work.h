/* What the files of this room share: the state of a request. Only they include it. */
#ifndef KITH_SERVER_DAV_DAV_WORK_H
#define KITH_SERVER_DAV_DAV_WORK_H

#include "server/base/table.h"
#include "server/card/card.h"
#include "server/dav/dav.h"
#include "server/dav/dav_path.h"
#include "server/dav/dav_xml.h"
#include "server/request/request.h"

enum {
	DAV_WANTED_MAX = 100,    /* properties that a request names */
	DAV_BODY_MAX = 64 << 10, /* bytes of a body, unless it is a multiget */
	DAV_HREFS_MAX = 60000    /* hrefs of a multiget */
};

struct dav_listing;
struct dav_property;
struct dav_visit;

/* A property that the client asks for. property NULL: kith does not have it. */
struct dav_wanted {
	const struct dav_property *property;
	const struct xml_node *node; /* NULL: the client asks for all */
};

/* What a user has chosen for a book: a row of address_books. */
struct dav_setting {
	const char *book;
	bool has_shown, shown;
	const char *display_name, *colour; /* NULL: not chosen */
};

/* Those of all books of the user. */
struct dav_settings {
	const struct dav_setting *list;
	size_t n;
};

/* A card of a book, as the database has it. */
struct dav_card {
	struct uuid id;
	int64_t stamp_us;    /* its ETag; kept is as old */
	const char *name;    /* in paths */
	bool has_kept, held; /* held: kept was left out, because the cards before it were long */
	struct card_kept kept;
	bool own;         /* the request's key wrote it last */
	bool latest;      /* and the record has not changed since */
	const char *text; /* written as a card; NULL: not written */
	size_t len;
};

struct dav {
	struct inside inside; /* the request inside this one */
	unsigned key_scopes;  /* of the key; r->caller.ticket.scopes are those of the API that follow */
	struct dav_path path;
	int depth;       /* 0 or 1; -1: infinity */
	bool minimal;    /* the client does not want to hear of properties that kith does not have (RFC 8144) */
	bool names_only; /* it wants names without values */
	struct xml_reader *reader;
	const struct xml_node *body; /* NULL: none */
	size_t tree;                 /* bytes that it takes while the request runs, if they are many */
	struct dav_wanted wanted[DAV_WANTED_MAX];
	size_t n_wanted;
	struct dav_settings settings;
	enum card_version version;
	bool version_given;
	bool searches;                 /* tests each card of a book, which may take long without an answer */
	bool sends;                    /* waits until the client has taken what was sent */
	int64_t valid_us;              /* when the password was last known to be valid */
	struct admission_ticket valid; /* asks whether it still is */
	struct dav_visit *visit;       /* cards that are being visited */
	struct dav_listing *listing;   /* of the book */
	void *report;                  /* state of a report, in r->reply.kept */
};

static inline struct dav *dav_of(const struct req *r)
{
	return r->state.dav;
}

/* --- dav_admit.c --------------------------------------------------------------------------------- */

/* True if the request may keep its connection for long, because it waits for the rate limit, searches a book, or waits
 * for a slow client. A user, and all together, may have a limited number of such requests. */
bool dav_may_stay(const struct req *r);

/* --- dav_inside.c -------------------------------------------------------------------------------- */

typedef enum step dav_take_fn(struct req *outer, struct req *r, const struct json *answer);

/* Makes a request of the API about a record inside this one. id NULL: it creates one. if_match NULL: no condition.
 * Returns WAIT; take is called with its answer. */
enum step dav_inside_record(struct req *r, enum http_method method, enum id_kind kind, const struct uuid *id,
    struct json *body, const char *if_match, dav_take_fn *take);
/* Refuses the outer request as r, the one inside it, was refused. */
enum step dav_inside_refused(struct req *outer, const struct req *r, const struct json *answer);
/* Lists these records of a kind, at most 100, in the order of their ids. */
enum step dav_inside_list(struct req *r, enum id_kind kind, const struct uuid *ids, size_t n, dav_take_fn *take);

/* --- dav_book.c ---------------------------------------------------------------------------------- */

/* The books that the user has, in the order in which they are shown: people first, because some programs use only
 * that, then groups by name, then companies. Returns their number; they are in the arena. */
size_t dav_books_all(struct req *r, struct dav_book **out);
/* True when the home lists the book. setting NULL: the user has chosen nothing. */
bool dav_book_listed(const struct viewer *v, const struct dav_book *book, const struct dav_setting *setting);
/* Its name, if no device has given it another one. */
const char *dav_book_title(const struct dav_book *book);
/* Adds the statement that reads the settings of all books of the user; dav_settings_read() reads result at. */
void dav_settings_ask(struct req *r, int *at);
struct dav_settings dav_settings_read(struct req *r, int at);
/* NULL: none for this book. */
const struct dav_setting *dav_setting_of(const struct dav_settings *settings, const struct dav_book *book);

/* --- dav_cards.c --------------------------------------------------------------------------------- */

/* Begins a statement that selects cards t of a book, up to "where … t.workspace_id = $1". The caller appends " and …"
 * for rows of t, then the order by t.id. dav_card_take() reads a row. kept: with what is kept of them. */
void dav_cards_sql(struct sql *s, const struct req *r, const struct dav_book *book, bool kept);
void dav_card_take(struct req *r, int statement, int row, bool kept, struct dav_card *out);
/* Adds the statement that finds the card of the path, with what is kept. */
void dav_card_ask(struct req *r, int *at);
/* Reads its result. False: there is no such card. */
bool dav_card_found(struct req *r, int at, struct dav_card *out);
/* Writes the record as a card: card->text. */
void dav_card_write(
    struct req *r, struct arena *a, struct dav_card *card, enum id_kind kind, const struct json *record);
/* True if the card is not in seen, and adds it. */
bool dav_card_first(struct req *r, struct table *seen, const struct uuid *id);
/* Visits cards of the book of the path by the ids of their records, at most DAV_VISIT_MAX, which must last. Calls show
 * for each that there is, in the order of the ids, with its text. Then the request continues with next. As
 * dav_answer_send() it may send what there is, and end what r->arena has. */
enum { DAV_VISIT_MAX = 100 };
typedef void dav_card_show_fn(struct req *r, const struct dav_card *card);
enum step dav_cards_visit(
    struct req *r, const struct uuid *ids, size_t n, dav_card_show_fn *show, step_fn *const *next);

/* --- dav_list.c ---------------------------------------------------------------------------------- */

/* A listing of the book of the path, in the order of the ids. */
struct dav_listing {
	enum db_lane lane;
	bool texts;       /* show needs the texts of the cards */
	int most;         /* it ends after so many cards; 0: all */
	struct uuid last; /* the last card so far; at first the one after which it begins */
	dav_card_show_fn *show;
	step_fn *const *next; /* when it has ended */
	bool more;            /* the book goes on */
	bool enough;          /* set by show: it may end early */
	int at, row, page, taken;
	struct uuid ids[DAV_VISIT_MAX]; /* of the page, if it needs the texts */
};
/* Begins the listing, which must last. */
enum step dav_list_begin(struct req *r, struct dav_listing *l);

/* --- dav_answer.c -------------------------------------------------------------------------------- */

/* Begins a 207. What r->arena has so far is moved to r->reply.kept, and so lasts as long as the request. */
void dav_answer_begin(struct req *r);
void dav_answer_href(struct req *r, enum dav_place place, const struct dav_book *book, const char *card);
/* The same of an address as the client wrote it. */
void dav_answer_href_as(struct req *r, const char *href);
/* Appends a response that has only a status. href: as it came. */
void dav_answer_status(struct req *r, const char *href, int status);
/* Sends what there is if it is much, then continues with these steps when the client has taken it. Statements, results
 * and what r->arena has are gone then, in either case: many pages can pass before there is much to send. */
enum step dav_answer_send(struct req *r, step_fn *const *next);
enum step dav_answer_end(struct req *r);
/* Refuses the request with the element of a precondition, such as "c:valid-address-data", and a reason. */
enum step dav_refuse(struct req *r, int status, const char *element, const char *reason);

/* --- dav_property.c ------------------------------------------------------------------------------ */

/* What a response shows. */
struct dav_shown {
	struct req *r;
	enum dav_place place;
	const struct dav_book *book;
	const struct dav_setting *setting; /* of the book; NULL: none */
	const char *token;                 /* of the book; NULL: the client does not ask for it */
	const struct dav_card *card;
	const char *href; /* as the client wrote it; NULL: by the others */
};
/* Reads the properties that a body asks for; prop NULL: all of them. False: the answer is set. */
bool dav_properties_read(struct req *r, const struct xml_node *prop);
/* Writes one response. */
void dav_properties_write(const struct dav_shown *shown);
/* The response of a card in the book of the path. */
void dav_card_shown(struct req *r, const struct dav_card *card);
/* True when the client asks for the property. */
bool dav_property_wanted(const struct dav *d, const char *space, const char *name);

/* --- dav_multiget.c ------------------------------------------------------------------------------ */

step_fn dav_multiget;

#endif
