/* The fields that only webhooks have: where they lead, and what they subscribe to. */
#ifndef KITH_SERVER_INPUT_SUBSCRIPTION_H
#define KITH_SERVER_INPUT_SUBSCRIPTION_H

#include "server/input/body.h"

/* An address that the rule of targets lets through as far as its text tells; whether its
 * name leads where it must not is for the webhook's steps. */
void webhook_url_read(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v);

/*
 * 1 to f->max items {eventType, filter}; v becomes the text to be kept: values in the form that
 * they have in events (numbers as plain text, users by id), a filter that is not given as {}.
 */
void webhook_events_read(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v);

/* What is kept, without the items that name a group which the viewer may not see; those of
 * groups that are gone are for admins and the webhook's creator. */
void webhook_events_render(struct json_out *o, const struct value *v, const struct uuid *creator,
    const struct workspace *ws, const struct viewer *viewer);

#endif
