/* Pages for people: the front page, the API's reference with its guides, and the console. They need no key. Their
 * scripts read a workspace from the API, with the key of the person who uses the page. */
#ifndef KITH_SERVER_PAGES_HTML_PAGE_H
#define KITH_SERVER_PAGES_HTML_PAGE_H

#include "server/pages/asset.h"
#include "server/request/request.h"

/* Adds the headers of every page. policy is its Content-Security-Policy; NULL: the usual one. */
void page_headers(struct req *r, const char *policy);

/* Answers with a file of the pages, compressed if the client accepts that, or 304 if the client has it. */
enum step page_file(struct req *r, const struct asset *file);
/* The same for the file at that path. */
enum step page_reply(struct req *r, const char *path, size_t len);

/* Makes the page of errors. It is for the build: server/command/describe.c makes errors_asset from it. */
void errors_page_make(struct buf *out);
extern const struct asset errors_asset;

/* Answers for /, /docs and /console to browsers, in a program built without the pages. */
enum step page_absent(struct req *r, int status);

step_fn step_page;        /* the file at the request's path */
step_fn step_page_moved;  /* the page without the slash at the end of its path */
step_fn step_front;       /* GET / */
step_fn step_errors_page; /* GET /docs/errors */

#endif
