/* The paths of address books:
 *
 *	/dav/                                      where a client begins
 *	/dav/principals/{user}/                    the user
 *	/dav/books/{user}/                         the home: their books
 *	/dav/books/{user}/{book}/                  people, companies, or the id of a group
 *	/dav/books/{user}/{book}/{card}            a card
 *
 * A card's name is the record's id with ".vcf", or the name that the user's client gave. The slash at the end may be
 * missing. */
#ifndef KITH_SERVER_DAV_DAV_PATH_H
#define KITH_SERVER_DAV_DAV_PATH_H

#include "server/base/buf.h"
#include "server/snapshot/workspace.h"

enum dav_place { DAV_ROOT, DAV_PRINCIPAL, DAV_HOME, DAV_BOOK, DAV_CARD, DAV_PLACES };

enum { DAV_NAME_MAX = 255 }; /* bytes of the name of a card */

struct dav_book {
	const char *name;          /* as in paths: "people", "companies", "grp_…" */
	enum id_kind kind;         /* ID_PERSON or ID_COMPANY: whose cards it has */
	const struct group *group; /* NULL: it has all of them. Otherwise the people of the group */
};

struct dav_path {
	enum dav_place place;
	struct dav_book book; /* of DAV_BOOK and DAV_CARD */
	const char *card;     /* the name of the card; a text */
	struct uuid id;       /* the record that the name is the id of; zero: the name is not an id */
};

/* Finds what a path, or the address of an href, leads to. False: nothing of this user, or nothing that they may see. */
bool dav_path_read(struct arena *a, const struct workspace *ws, const struct viewer *v, const char *text, size_t len,
    struct dav_path *out);
/* Appends the path of a place. book: of a book or card. card: its name. It needs no escapes in XML. */
void dav_path_write(
    struct buf *out, const struct uuid *user, enum dav_place place, const struct dav_book *book, const char *card);
/* The name of a record's card if no client gave it another one. */
const char *dav_path_card(struct arena *a, enum id_kind kind, const struct uuid *id);

/* Finds a book by its name. False: there is none that the user may see. The name must be in the arena. */
bool dav_book_named(struct arena *a, const struct workspace *ws, const struct viewer *v, const char *name, size_t len,
    struct dav_book *out);

#endif
