/* A device with address books: a caller that sends a password by Basic, and asks for XML. */
#ifndef KITH_TEST_LIB_DAV_PHONE_H
#define KITH_TEST_LIB_DAV_PHONE_H

#include "test/lib/flow.h"

struct phone {
	struct caller caller;
	const char *user; /* id */
	char authorization[160];
};

/* A phone of Ada or Ben. scopes: JSON, such as "\"contacts\", \"read\"". */
struct phone phone_open(struct caller *owner, const char *user, const char *scopes);
void phone_close(struct phone *p);

/* depth and if_match may be NULL. */
struct caller_answer phone_send(
    struct phone *p, const char *method, const char *depth, const char *if_match, const char *body, const char *target);

/* The address of a book of its user, and of a card in it. */
const char *phone_book(struct phone *p, const char *book);
const char *phone_card(struct phone *p, const char *book, const char *name);

/* How often the text occurs in the answer. */
int phone_count(const struct caller_answer *a, const char *text);
/* True when the answer has the text. */
#define phone_has(a, text) (phone_count(a, text) > 0)

/* Bodies. */
#define PROPFIND(names)                                                                                                \
	"<propfind xmlns='DAV:' xmlns:c='urn:ietf:params:xml:ns:carddav' "                                             \
	"xmlns:s='http://calendarserver.org/ns/'><prop>" names "</prop></propfind>"

#endif
