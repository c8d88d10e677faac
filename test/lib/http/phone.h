/* A device that uses address books (/dav) with a password of its own. */
#ifndef KITH_TEST_LIB_HTTP_PHONE_H
#define KITH_TEST_LIB_HTTP_PHONE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/arena.h"
#include "test/lib/http/client.h"

struct phone {
	struct client *client;
	struct arena arena;  /* of all its answers */
	const char *home;    /* "/dav/books/usr_…/" */
	const char *account; /* the header Authorization */
};

/* key: of the scope contacts. */
void phone_init(struct phone *p, const char *base, const char *user, const char *key);
void phone_free(struct phone *p);
/* Continues with another server. */
void phone_turn(struct phone *p, const char *base);

/* path: below the home. more: further headers, which end with a name that is NULL; NULL: none. A request without an
 * answer ends the process. */
struct client_reply phone_send(
    struct phone *p, const char *method, const char *path, const char *body, const struct client_header *more);

/* A card in an answer. */
struct phone_card {
	const char *name; /* the last part of its href */
	const char *tag;  /* "" without */
	int status;       /* of the card itself; 200: it has properties */
	const char *text; /* all that the answer has of it */
};

/* An answer in parts. */
struct phone_cards {
	int status;
	struct phone_card *cards;
	size_t n;
	bool cut;          /* the book has a 507 */
	const char *token; /* "" without */
	const char *body;
};
struct phone_cards phone_cards_read(struct phone *p, const struct client_reply *reply);
/* NULL: it is not among them. */
const struct phone_card *phone_card_named(const struct phone_cards *cards, const char *name);

/* sync-collection, for getetag. token "": the first time. limit 0: none. */
struct phone_cards phone_sync(struct phone *p, const char *book, const char *token, int limit);

/* The text between the first tag that ends with that name and the next tag; "" without. */
const char *phone_text(struct phone *p, const char *body, const char *name);

#endif
