/* The fields that only webhooks have: the target URL and the subscriptions. */
#ifndef KITH_SERVER_INPUT_BODY_SUBSCRIPTION_H
#define KITH_SERVER_INPUT_BODY_SUBSCRIPTION_H

#include "server/input/body.h"

/* Checks the text of a URL against the rules for targets. The steps of webhooks check whether its host name resolves to
 * a forbidden address. */
field_read subscription_url_read;

/* Reads 1 to f->max items {eventType, filter}. v becomes the text to store: values are as in events (numbers as plain
 * text, users by id), a missing filter is {}. */
field_read subscription_events_read;

/* The attribute that a filter's path names; one of the two members is set. */
struct webhook_attribute {
	const struct field *field;
	const struct custom_field *custom;
};

/* Checks a value in the form in which answers show the attribute (for a list also a single item), and writes it as in
 * events. For an invalid value it adds an issue and writes null (subscription_value.c). */
void subscription_value_read(struct reading *rd, const struct webhook_attribute *attribute, const struct json *json,
    const struct path *at, struct json_out *out);

/* Writes the stored items without those that name a group the viewer may not see. Admins and the webhook's creator also
 * see items of deleted groups. */
void subscription_events_render(struct json_out *o, const struct value *v, const struct uuid *creator,
    const struct workspace *ws, const struct viewer *viewer);

#endif
