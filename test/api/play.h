/* Runs cases against a server. */
#ifndef KITH_TEST_API_PLAY_H
#define KITH_TEST_API_PLAY_H

#include "test/api/case.h"
#include "test/api/case_text.h"
#include "test/lib/http/client.h"
#include "test/lib/server/command.h"

/* What the cases of one file share. */
struct play {
	struct arena *arena;
	struct variables variables;
	const struct program *program;
	const char *path; /* of the file, for messages */
	const char *base; /* the server's address */
	struct client *client;
	const char *templates_text;   /* shapes.json as it is on disk */
	const struct json *templates; /* with the file's variables in it */
};

/* Puts the variables into the templates; false with a message in *error. */
bool play_prepare(struct play *p, const char **error);

/* Runs the steps in order, stops at the first that does not come out as
 * expected and prints why. */
bool play_case(struct play *p, const struct test_case *test);

#endif
