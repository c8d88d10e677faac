/* Reports about a whole address book: sync-collection (RFC 6578) and addressbook-query (RFC 6352, section 8.6), and the
 * tokens that other answers show. */
#ifndef KITH_SERVER_DAV_DAV_SYNC_H
#define KITH_SERVER_DAV_DAV_SYNC_H

#include "server/dav/dav_work.h"

/* Begin the report about the book in the path. */
step_fn dav_sync, dav_query;

/* The token of a book, from row row of result at of book_states_sql() (dav_changes.h). */
const char *dav_token_text(struct req *r, const struct dav_book *book, int at, int row);

/* --- for both reports ----------------------------------------------------------------------- */

/* Reads the limit on the cards of the answer; 0: none. False: the answer is set. */
bool dav_limit_read(struct req *r, const char *space, int *most);
/* Appends the response that says that the answer ends early. */
void dav_answer_cut(struct req *r);

#endif
