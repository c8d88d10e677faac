/* What tests of webhooks share: webhooks made by the API, and what a receiver got. */
#ifndef KITH_TEST_HOOKED_H
#define KITH_TEST_HOOKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/json.h"
#include "test/lib/caller.h"
#include "test/lib/receiver.h"
#include "test/lib/rig.h"

struct hooked {
	const char *id;     /* wbk_… */
	const char *secret; /* whsec_… */
};

/* Makes a webhook that hears of people's creation and updates, or of what events says (JSON). Ends the process with a
 * message when it cannot. */
struct hooked hooked_make(struct caller *c, const char *url, const char *events);

/* What one request brought. Texts live in the arena. */
struct hooked_event {
	const char *id, *type, *source, *record, *created_at;
	const struct json *body;
};
struct hooked_event hooked_event(struct arena *a, const struct receiver_request *q);

/* How many signatures the request has; every one is well formed, and as many as *good are by that secret. */
int hooked_signatures(const struct receiver_request *q, const char *secret, int *good);

/* Waits until the query answers the number; false when the time is over. */
bool hooked_until(const struct rig *r, int64_t number, int ms, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
