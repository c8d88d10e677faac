/* A person with values that nothing else has, in requests of every route that can mention a person: for tests that look
 * for these values. For cmocka tests: errors fail the test. */
#ifndef KITH_TEST_LIB_MODEL_MENTION_H
#define KITH_TEST_LIB_MODEL_MENTION_H

#include "test/lib/http/caller.h"

struct mention {
	const char *route; /* "PATCH /v1/notes/{noteId}" */
	const char *body;  /* $P is the person, other letters what was made before; NULL: none */
	char made;         /* the letter of what it makes; 0: nothing that is used later */
};

/* To be sent in this order, after mention_world(): a group with the type Deal. */
extern const struct mention mentions[];
extern const int n_mentions;

/* The ids by their letters. */
extern const char *mentioned[128];

void mention_world(struct arena *a, struct caller *c, const char *user);
/* once: an Idempotency-Key, or NULL. The answer must be a 200. */
void mention_send(struct arena *a, struct caller *c, const struct mention *m, const char *once);
/* The text with ids in the place of letters after $. */
const char *mention_expand(struct arena *a, const char *text);

#endif
