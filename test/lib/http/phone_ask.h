/* Short ways to ask as a phone of Ada or Ben (flow.h), and to look into the answers. */
#ifndef KITH_TEST_LIB_HTTP_PHONE_ASK_H
#define KITH_TEST_LIB_HTTP_PHONE_ASK_H

#include "test/lib/flow.h"
#include "test/lib/http/phone.h"

#define PROPFIND(names)                                                                                                \
	"<propfind xmlns='DAV:' xmlns:c='urn:ietf:params:xml:ns:carddav' xmlns:s='http://calendarserver.org/ns/'>"     \
	"<prop>" names "</prop></propfind>"
#define TAGS PROPFIND("<getetag/>")

/* The beginning of a multiget; hrefs, and the end of the element, follow. */
#define MULTIGET                                                                                                       \
	"<c:addressbook-multiget xmlns='DAV:' "                                                                        \
	"xmlns:c='urn:ietf:params:xml:ns:carddav'><prop><getetag/><c:address-data/></prop>"

/* A phone with a new password. user: the owner's id; scopes: JSON, such as "\"contacts\", \"read\"". */
struct phone phone_open(struct caller *owner, const char *user, const char *scopes);
/* depth NULL: without the header. */
struct client_reply phone_ask(
    struct phone *p, const char *method, const char *depth, const char *body, const char *target);

/* Defines a phone of Ada for all cases of a program, and functions that send its requests. */
#define PHONE_OF_ADA()                                                                                                 \
	static struct phone phone;                                                                                     \
	static void phone_begin(void)                                                                                  \
	{                                                                                                              \
		phone = phone_open(&ada, rig.ada.id, "\"contacts\"");                                                  \
	}                                                                                                              \
	static void phone_end(void)                                                                                    \
	{                                                                                                              \
		phone_free(&phone);                                                                                    \
	}                                                                                                              \
	TEST_AROUND(phone_around, TEST_BEFORE_ALL, phone_begin, TEST_AFTER_ALL, phone_end)
#define ASK(method, depth, body, target) phone_ask(&phone, method, depth, body, target)

/* The paths of a book of its user, and of a card in it. */
const char *phone_book(const struct phone *p, const char *book);
const char *phone_card(const struct phone *p, const char *book, const char *name);

/* How often the text occurs in the answer. */
int phone_times(const struct client_reply *a, const char *text);
bool phone_has(const struct client_reply *a, const char *text);

#endif
