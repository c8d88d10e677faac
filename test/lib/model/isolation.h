/* The isolation suite: worlds that must not see each other, and requests of one with ids of the other.
 * isolation_samples.c has one row for each route that needs a body or a query; everything else is derived from the
 * table of routes. */
#ifndef KITH_TEST_LIB_MODEL_ISOLATION_H
#define KITH_TEST_LIB_MODEL_ISOLATION_H

#include "server/base/buf.h"
#include "test/lib/db/database.h"
#include "test/lib/http/client.h"
#include "test/lib/http/endpoints.h"

/* --- samples ------------------------------------------------------------------ */

/* {{name}} is replaced by a variable of the world; see struct world. */
struct isolation_sample {
	const char *route;        /* "POST /v1/people" */
	const char *query, *body; /* NULL: none */
};
extern const struct isolation_sample samples[];

/* Created in each world, in this order; rows whose route does not exist are skipped. */
struct seed {
	const char *variable; /* name of the variable; NULL: nothing is taken from the answer */
	const char *route, *body;
	bool open; /* visible to users who cannot see the private group */
};
extern const struct seed seeds[];

/* Created for each request that mentions one: what a request may use up. */
extern const struct seed victims[];

/* The variable for a path parameter; NULL when unknown to the suite. */
const char *isolation_path_variable(const char *name, size_t len);

/* --- worlds --------------------------------------------------------------------- */

enum { VARIABLES_MAX = 64 };

/* What one user created, as variables: canary (in all texts), open (in those of people and companies), user, email,
 * group, and the results of seeds[]. A private world hides its canary from the rest of its workspace, but not its
 * people and companies. */
struct world {
	const char *label, *key, *canary;
	bool private;
	bool admin; /* its user is an admin of the workspace; set after world_init() */
	struct {
		const char *name, *value;
		bool probed; /* for a stranger it must be indistinguishable from an unknown id */
	} variables[VARIABLES_MAX];
	int n_variables;
};

struct suite {
	struct arena arena;
	struct client *client;
	struct buf *snapshot; /* world_snapshot() in progress */
	int requests, failures;
	/* Sends instead of the client; status 0: no answer. NULL: the client, and no answer ends the process. */
	void (*send)(struct suite *s, const struct client_request *request, struct client_reply *reply);
	/* Gets the texts of suite_fail(). NULL: stderr. */
	void (*say)(struct suite *s, const char *text);
};

void suite_fail(struct suite *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The endpoint named "POST /v1/people"; NULL when there is none. */
const struct endpoint *route_named(const char *name);
const char *route_name(struct suite *s, const struct endpoint *route);

/* The route is for admins of the workspace: worlds without one neither seed nor try it. */
bool isolation_for_admins(const struct endpoint *route);

/* The route refuses every request of a world: its user is the only one who could be disabled, and has keys only. */
bool isolation_refuses(const struct endpoint *route);

void world_init(struct suite *s, struct world *w, const char *label, const struct test_user *user, bool private);
void world_set(struct world *w, const char *name, const char *value, bool probed);
const char *world_get(const struct world *w, const char *name);
/* Sends the seeds. */
void world_seed(struct suite *s, struct world *w);
/* A value of the same kind that does not exist. */
const char *world_random(struct suite *s, const struct world *w, const char *value);

/* --- requests ---------------------------------------------------------------------- */

/* Which occurrence of a variable is replaced, counted over path, query and body; -1: none. */
struct replacement {
	int at;
	const char *value;
};

/* A request for a route and sample with a world's variables. Returns the number of probed places. */
struct request {
	const struct endpoint *route;
	const char *target, *body;
	const char *fresh; /* the value of {{fresh}} */
	int n_places;
	const char *variable; /* the variable at replacement.at */
};
void request_make(struct suite *s, struct world *w, const struct endpoint *route, const struct isolation_sample *sample,
    struct replacement replacement, struct request *out);
void request_send(struct suite *s, const struct world *w, const struct request *q, const char *idempotency_key,
    struct client_reply *reply);

/* Calls fn for each route that needs a key, once per sample, or once without. */
typedef void isolation_fn(struct suite *s, struct world *w, struct world *other, const struct endpoint *route,
    const struct isolation_sample *sample);
void isolation_each_sample(struct suite *s, struct world *w, struct world *other, isolation_fn *fn);

/* Status, headers and body, without ids, times, cursors and headers of the moment: equal for equal requests. */
const char *isolation_answer_text(struct suite *s, const struct client_reply *reply);

/* --- checks ---------------------------------------------------------------------- */

/* Every route has the samples and known parameters that it needs. */
void isolation_check_coverage(struct suite *s);
/* With its own ids every request succeeds and shows nothing of other. */
void isolation_check_own(struct suite *s, struct world *w, struct world *other);
/* With any id of other the answer is the same as with a random id. */
void isolation_check_foreign(struct suite *s, struct world *w, struct world *other);
/* A text of all that the world's GET routes answer, to check that it is unchanged. */
const char *world_snapshot(struct suite *s, struct world *w);
/* Uses cursors of other's lists. */
void isolation_check_cursors(struct suite *s, struct world *w, struct world *other);
/* Uses one Idempotency-Key in both. */
void isolation_check_idempotency(struct suite *s, struct world *w, struct world *other);
/* Neither other's canary nor any of its ids is in text, except within sent. */
void isolation_check_absent(
    struct suite *s, const struct world *other, const char *where, const char *text, const char *sent);

#endif
