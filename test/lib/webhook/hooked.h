/* For tests of webhooks: making webhooks by the API, and parsing what a receiver got. */
#ifndef KITH_TEST_LIB_WEBHOOK_HOOKED_H
#define KITH_TEST_LIB_WEBHOOK_HOOKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/json.h"
#include "test/lib/http/caller.h"
#include "test/lib/rig.h"
#include "test/lib/webhook/receiver.h"

struct hooked {
	const char *id;     /* wbk_… */
	const char *secret; /* whsec_… */
};

/* Makes a webhook for people's creation and updates, or for events (JSON). Ends the process with a message on
 * failure. */
struct hooked hooked_make(struct caller *c, const char *url, const char *events);

/* The content of a request. Texts are in the arena. */
struct hooked_event {
	const char *id, *type, *source, *record, *created_at;
	const struct json *body;
};
struct hooked_event hooked_event(struct arena *a, const struct receiver_request *q);

/* The number of signatures in the request, all well-formed; *good: those made with that secret. */
int hooked_signatures(const struct receiver_request *q, const char *secret, int *good);

/* Waits until the query returns the number; false when the time is over. */
bool hooked_until(const struct rig *r, int64_t number, int ms, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
