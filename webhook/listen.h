/*
 * For those who build a receiver: events posted to an address of their own, signed,
 * with the very body and headers of a delivery. The command line's; it blocks.
 */
#ifndef KITH_WEBHOOK_LISTEN_H
#define KITH_WEBHOOK_LISTEN_H

#include <stdbool.h>

#include "webhook/event.h"
#include "webhook/sign.h"

struct listen_config {
	const char *base_url; /* of the server that is followed, without a slash at its end */
	const char *key;      /* of the API */
	const char *after;    /* cursor; NULL: from now on */
	const char *forward;  /* where to post */
	bool only[EVENT_TYPES];
	unsigned char secret[SIGN_GIVEN_MAX];
	size_t secret_len;
};

/* Reads "whsec_…" as it is printed, or as another program made it. Answers its length, 0 when it is none. */
size_t listen_secret_parse(unsigned char secret[SIGN_GIVEN_MAX], const char *text);

/* "a,b" into only; "" and NULL are all. False with the name that is none in wrong. */
bool listen_events_parse(bool only[EVENT_TYPES], const char *text, char wrong[64]);

/* Follows until it is told to end or cannot go on; a line of JSON on stdout for each event. Answers the exit status. */
int listen_run(const struct listen_config *c);

/* Posts one sample of that type, prints its line. Answers the exit status: 1 unless the answer was a 2xx. */
int listen_trigger(const struct listen_config *c, enum event_type type);

/* --- the parts ----------------------------------------------------------------------- */

struct listen_post; /* a connection to where events are posted */

/* What no proxy of the environment is asked for: what it names itself, and this machine. */
const char *listen_no_proxy(void);

struct listen_post *listen_post_new(const char *url);
void listen_post_free(struct listen_post *p);

struct listen_event {
	const char *id, *type, *created_at;
	const char *data; /* JSON */
	size_t data_len;
};

/* Posts it signed; prints {"id", "type", "status" or "error", "durationMs", "cursor"?}. True on a 2xx. */
bool listen_post_send(
    struct listen_post *p, const struct listen_config *c, const struct listen_event *e, const char *cursor);

/* Appends sample data of an event of that type: what listen_trigger() posts. */
void listen_sample(struct buf *out, enum event_type type, const char *base_url);

#endif
