/* The fields that only webhooks have: target URL and subscriptions. */
#ifndef KITH_SERVER_INPUT_SUBSCRIPTION_H
#define KITH_SERVER_INPUT_SUBSCRIPTION_H

#include "server/input/body.h"

/* Checks a URL's text against the rule for targets. Whether its host name resolves to a forbidden address is checked
 * by the webhook's steps. */
field_read subscription_url_read;

/* Reads 1 to f->max items {eventType, filter}. v becomes the text to store: values as in events (numbers as plain
 * text, users by id), a missing filter as {}. */
field_read subscription_events_read;

/* The attribute that a filter's path names: one of the two is set. */
struct webhook_attribute {
	const struct field *field;
	const struct custom_field *custom;
};

/* Checks a value in the form in which the attribute is written (for a list also a single item) and writes it as in
 * events. Adds an issue, and writes null, for an invalid value (subscription_value.c). */
void subscription_value_read(struct reading *rd, const struct webhook_attribute *attribute, const struct json *json,
    const struct path *at, struct json_out *out);

/* Writes the stored items without those that name a group the viewer may not see; items of deleted groups are shown
 * to admins and the webhook's creator. */
void subscription_events_render(struct json_out *o, const struct value *v, const struct uuid *creator,
    const struct workspace *ws, const struct viewer *viewer);

#endif
