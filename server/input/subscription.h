/* The fields that only webhooks have: target URL and subscriptions. */
#ifndef KITH_SERVER_INPUT_SUBSCRIPTION_H
#define KITH_SERVER_INPUT_SUBSCRIPTION_H

#include "server/input/body.h"

/* Checks a URL's text against the rule for targets. Whether its host name resolves to a forbidden address is checked
 * by the webhook's steps. */
void subscription_url_read(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v);

/* Reads 1 to f->max items {eventType, filter}. v becomes the text to store: values as in events (numbers as plain
 * text, users by id), a missing filter as {}. */
void subscription_events_read(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v);

/* Writes the stored items without those that name a group the viewer may not see; items of deleted groups are shown
 * to admins and the webhook's creator. */
void subscription_events_render(struct json_out *o, const struct value *v, const struct uuid *creator,
    const struct workspace *ws, const struct viewer *viewer);

#endif
