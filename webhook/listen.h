/* For developers of receivers: posts events to an address of their own, signed, with the same body and headers as a
 * delivery. For the command line; blocks. */
#ifndef KITH_WEBHOOK_LISTEN_H
#define KITH_WEBHOOK_LISTEN_H

#include <stdbool.h>

#include "webhook/event.h"
#include "webhook/sign.h"

struct listen_config {
	char *base_url;      /* of the server that is followed, without a slash at its end */
	const char *key;     /* API key */
	const char *after;   /* cursor; NULL: from now on */
	const char *forward; /* URL to post to */
	bool only[EVENT_TYPES];
	unsigned char secret[SIGN_SECRET_MAX];
	size_t secret_len;
};

/* Parses "whsec_…", as printed by kith or made by another program. Returns the length, 0 when it is malformed. */
size_t listen_secret_parse(unsigned char secret[SIGN_SECRET_MAX], const char *text);

/* Parses "a,b" into only; "" and NULL are all. False with the unknown name in wrong. */
bool listen_events_parse(bool only[EVENT_TYPES], const char *text, char wrong[64]);

/* Follows the feed until a signal or a permanent failure ends it; prints a line of JSON for each event. Returns the
 * exit status. */
int listen_run(const struct listen_config *c);

/* Posts a sample of that type and prints its line. Returns the exit status: 1 unless the answer is a 2xx. */
int listen_trigger(const struct listen_config *c, enum event_type type);

/* --- internal ------------------------------------------------------------------------ */

/* A handle of libcurl; its owner calls curl_easy_cleanup(). */
void *listen_curl_new(int timeout_s);

/* The same for posts to that URL. */
void *listen_post_new(const char *url);

/* Prints the line, with its end, and frees it. */
void listen_print(struct buf *line);

struct listen_event {
	const char *id, *type, *created_at;
	const struct json *actor; /* NULL: unknown */
	struct buf data;          /* JSON */
};

/* Posts the event, signed; prints {"id", "type", "status" or "error", "durationMs", "cursor"?}. True on a 2xx. */
bool listen_post_send(void *curl, const struct listen_config *c, const struct listen_event *e, const char *cursor);

/* Appends sample data for an event of that type of a record, as posted by listen_trigger(). */
void listen_sample(struct buf *out, enum event_type type, const struct uuid *record, const char *base_url);

/* The actor of samples, JSON. */
extern const char listen_sample_actor[];

/* Hosts for which libcurl shall use no proxy: those in the environment, and this machine. */
const char *listen_no_proxy(void);

#endif
