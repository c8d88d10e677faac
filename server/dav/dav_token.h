/* Tokens of address books: the DAV:sync-token of RFC 6578, which is also the getctag. A token is a URI. It holds a
 * position in the feed of events. While the first listing of a book goes on, it also holds the last card listed. It is
 * sealed for its book and user, and for what the user may see: with other rights it does not open, and the client
 * lists the book again. */
#ifndef KITH_SERVER_DAV_DAV_TOKEN_H
#define KITH_SERVER_DAV_DAV_TOKEN_H

#include "server/base/cursor.h"
#include "server/snapshot/workspace.h"
#include "webhook/event.h"

enum { DAV_TOKEN_SIZE = 128 }; /* buffer size for any token with its NUL */

struct dav_token {
	struct event_position at; /* the client knows the book as it was here */
	bool listing;             /* the first listing ended at the card last */
	struct uuid last;
};

/* The context of a book's tokens. book: its name in the path. */
void dav_token_context(struct arena *a, const struct workspace *ws, const struct viewer *v, const char *book,
    unsigned char out[CURSOR_CONTEXT_SIZE]);

/* Writes the token with a NUL, and returns out. Equal tokens are equal texts. */
char *dav_token_seal(char out[DAV_TOKEN_SIZE], const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const struct dav_token *t);

/* The inverse. False, with *t zeroed, for anything that dav_token_seal() did not make with this secret and context. */
bool dav_token_open(struct dav_token *t, const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const char *text, size_t len);

#endif
