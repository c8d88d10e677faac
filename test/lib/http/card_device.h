/* Devices of Ada's, or of another owner's, that send cards, for programs with RIG(). */
#ifndef KITH_TEST_LIB_HTTP_CARD_DEVICE_H
#define KITH_TEST_LIB_HTTP_CARD_DEVICE_H

#include "test/lib/flow.h"

/* A device on a server; scopes is a JSON array. */
struct caller device_open(struct server_process *s, const char *scopes);
struct caller device_of(struct caller *owner, struct server_process *s, const char *scopes);
/* body is a card, or NULL; header NULL: no further one. Without an answer the case fails. */
struct client_reply device_send(
    struct caller *c, const char *method, const char *target, const char *body, const char *header, const char *value);

char *card_path(const char *book, const char *name);
/* A card with this UID, FN and N, and these lines. */
char *card_text(const char *uid, const char *name, const char *lines);

#define EXPECT(reply, status_)                                                                                         \
	do {                                                                                                           \
		struct client_reply expected = (reply);                                                                \
		if (expected.status != (status_))                                                                      \
			fail_msg("%d, not %d: %s", expected.status, status_, expected.body);                           \
	} while (0)

#define EXPECT_ERROR(reply_, status_, text)                                                                            \
	do {                                                                                                           \
		struct client_reply refused = (reply_);                                                                \
		if (refused.status != (status_) || !strstr(refused.body, text))                                        \
			fail_msg("%d, not %d with %s: %s", refused.status, status_, text, refused.body);               \
	} while (0)

#endif
