/* GET /v1/events/stream: the feed as Server-Sent Events, page after page over one answer that goes on. It has the
 * rights of its key as they are for each page, and holds no database connection while there is nothing to tell. */
#ifndef KITH_SERVER_EVENT_STREAM_H
#define KITH_SERVER_EVENT_STREAM_H

#include "server/request/request.h"

/* The step before event_feed_answer. */
step_fn event_stream;

#endif
