/* The functions of reply.c for the runner; those for steps are in request.h. */
#ifndef KITH_SERVER_REQUEST_REPLY_H
#define KITH_SERVER_REQUEST_REPLY_H

#include "server/request/request.h"

#define API_VERSION "2025-06-09"

void reply_init(struct req_reply *reply);
void reply_free(struct req_reply *reply);
void reply_forget(struct req_reply *reply);

/* Adds the headers of every answer and sends it. r->call and r->in are invalid afterwards. */
void reply_send(struct req *r);

/* Begins an answer that continues, with the headers of every answer. written is called with the request when everything
 * so far was sent. reply_send() ends the answer with what is left. */
void reply_stream(struct req *r, void (*written)(void *ctx));

/* Adds a part to the body; from then on the body consists only of parts. Data that would not outlive the request must
 * be copied into its arena. */
void reply_part(struct req_reply *reply, struct http_part part);

/* Refuses the outer request as the one inside it was refused, or with a 500 if its answer could not be read. */
enum step reply_inside_refused(struct req *outer, const struct req *r);

/* Adds the name of a request header to those on which the reply depends (Vary). */
void reply_vary(struct req *r, const char *name);

/* The value of a header that the reply has so far; NULL: none. */
const char *reply_header_get(const struct req_reply *reply, const char *name);

/* Sets the ETag of an answer that never changes while the process runs. Returns true when the client has the answer
 * already and gets a 304. */
bool reply_is_known(struct req *r, const char *etag);

/* Adds the headers that answer a page's preflight request, for a path with these methods. */
void reply_preflight(struct req *r, const char *methods);

/* 429 with details of every policy (docs/api.md, "Rate limits"). */
enum step reply_rate_limited(struct req *r);
/* Writes the members of one policy; retryAfter is null unless it was hit. */
void reply_policy(struct json_out *o, const struct admission_ticket *t, enum admission_policy policy);

#endif
