/* GET /v1/events/stream: the feed as Server-Sent Events, page after page in one answer that continues. Each page is
 * read with the rights that the key has at that time. Without new events the stream holds no database connection. */
#ifndef KITH_SERVER_EVENT_FEED_STREAM_H
#define KITH_SERVER_EVENT_FEED_STREAM_H

#include "server/request/request.h"

/* The step before event_feed_answer. */
step_fn event_stream;

#endif
