/* Whether deliveries came in order, judged by what a receiver got and by the events in the database: it knows nothing
 * of how they are sent.
 *
 * For each webhook and record: before the first attempt for an event, every earlier event that the webhook gets was
 * answered with success, or with failure three times. Requests with "X-Kith-Retry: manual" are out of order and do not
 * count. Nor does a repetition of what was answered with success: it may come after a crash, or when another process
 * takes over. */
#ifndef KITH_TEST_LIB_WEBHOOK_ORDER_H
#define KITH_TEST_LIB_WEBHOOK_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "test/lib/server/command.h"
#include "test/lib/webhook/receiver.h"

/* One request, in order of arrival. */
struct order_arrival {
	int stream; /* a webhook's requests for one record have one number */
	int place;  /* of the event in the order of commits */
	bool delivered, manual;
};

struct order_verdict {
	int early;   /* attempts before an earlier event's turn */
	int first;   /* the index of the first of them; -1: none */
	int events;  /* delivered, each counted once */
	int repeats; /* deliveries of an event that was delivered before */
	int manual;  /* requests sent out of order */
};

/* stream and place are below n. */
struct order_verdict order_judge(const struct order_arrival *all, int n);

/* Judges all that the receiver got; prints the first attempt that was early. */
struct order_verdict order_of(const struct program *p, struct receiver *r);

#endif
