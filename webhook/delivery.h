/* The id of an event's delivery to a webhook: a function of both ids, in the order of the event's. */
#ifndef KITH_WEBHOOK_DELIVERY_H
#define KITH_WEBHOOK_DELIVERY_H

#include "server/base/id.h"

struct uuid delivery_id(const struct uuid *webhook, const struct uuid *event);

#endif
