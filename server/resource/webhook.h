/* Shared by the files of the webhook endpoints. */
#ifndef KITH_SERVER_RESOURCE_WEBHOOK_H
#define KITH_SERVER_RESOURCE_WEBHOOK_H

#include "server/request/request.h"
#include "store/field.h"
#include "webhook/event.h"

enum {
	WEBHOOK_FORMER_MS = 24 * 60 * 60 * 1000, /* how long old secrets sign after the last rotation */
	WEBHOOK_UNDELIVERED_MS =
	    72 * 60 * 60 * 1000, /* undelivered events younger than this are sent when a webhook becomes active again */
};

/* The webhook if the caller may change it; else NULL with a reply set: 404 or 403. */
struct record *webhook_own(struct req *r, int at);
/* The viewer whose events the webhook gets: its creator, within the groups of the key that created it. */
struct event_listener webhook_listener(struct req *r, const struct record *webhook);
/* Sets a 422 for an inactive webhook, to which nothing is sent. PASS when it is active. */
enum step webhook_needs_active(struct req *r, const struct record *rec);
/* Adds the statement that tells the dispatcher to look at the webhook again. */
void webhook_touch(struct req *r, struct record *rec, field_set changed);

/* Adds the statements of an activation: recent undelivered events are sent, older deliveries are cancelled. */
void webhook_activate(struct req *r, const struct record *rec);
#endif
