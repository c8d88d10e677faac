/*
 * Cursors of the event feed: a position, sealed for the workspace and nothing
 * else, so that the X-Events-Cursor of any list is where the feed goes on.
 */
#ifndef KITH_SERVER_REQUEST_EVENT_CURSOR_H
#define KITH_SERVER_REQUEST_EVENT_CURSOR_H

#include "filter/cursor.h"
#include "server/request/request.h"
#include "webhook/event.h"

/* Answers out. */
char *event_cursor_seal(struct req *r, const struct event_position *p, char out[CURSOR_SIZE]);

/* False when it is none of this workspace. */
bool event_cursor_open(struct req *r, struct event_position *p, const char *text, size_t len);

/* Adds X-Events-Cursor to a list's answer: what was committed after it may be missing in the list, what was before
 * is in it. */
void event_cursor_header(struct req *r);

#endif
