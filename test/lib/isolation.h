/*
 * The isolation suite: worlds that must not see each other, and requests of one
 * with ids of the other. Which requests stands in isolation_samples.c, one row a
 * route that needs a body or a query; all others follow from the table of routes.
 */
#ifndef KITH_TEST_ISOLATION_H
#define KITH_TEST_ISOLATION_H

#include "server/base/buf.h"
#include "test/lib/client.h"
#include "test/lib/database.h"
#include "test/lib/endpoints.h"

/* --- samples ------------------------------------------------------------------ */

/* {{name}} stands for a variable of the world; see struct world. */
struct sample {
	const char *route;        /* "POST /v1/people" */
	const char *query, *body; /* NULL: none */
};
extern const struct sample samples[];

/* Made in each world, in this order; rows whose route does not exist are passed over. */
struct seed {
	const char *variable; /* what it is called; NULL: nothing is taken from the answer */
	const char *route, *body;
	bool open; /* seen by those who do not see the private group */
};
extern const struct seed seeds[];

/* Made anew for each request that mentions it: what a request may use up. */
extern const struct seed victims[];

/* The variable of a parameter in a path; NULL when the suite does not know it. */
const char *path_variable(const char *name, size_t len);

/* --- worlds --------------------------------------------------------------------- */

enum { VARIABLES_MAX = 64 };

/*
 * What one user made, and its variables: canary (in all texts), open (in those of people and
 * companies), user, email, group, and what seeds[] makes. A private world hides its canary from the rest of its own
 * workspace, but not its people and companies.
 */
struct world {
	const char *label, *key, *canary;
	bool private;
	struct {
		const char *name, *value;
		bool probed; /* stands for something that a stranger must not tell from nothing */
	} variables[VARIABLES_MAX];
	int n_variables;
};

struct suite {
	struct arena arena;
	struct client *client;
	struct buf *snapshot; /* world_snapshot() under way */
	int requests, failures;
};

void suite_fail(struct suite *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The endpoint named "POST /v1/people"; NULL when there is none. */
const struct endpoint *route_named(const char *name);
const char *route_name(struct suite *s, const struct endpoint *route);

void world_init(struct suite *s, struct world *w, const char *label, const struct user *user, bool private);
void world_set(struct world *w, const char *name, const char *value, bool probed);
const char *world_get(const struct world *w, const char *name);
/* Sends the seeds. */
void world_seed(struct suite *s, struct world *w);
/* A value of the same kind that belongs to nobody. */
const char *world_random(struct suite *s, const struct world *w, const char *value);

/* --- requests ---------------------------------------------------------------------- */

/* Which occurrence of a variable is replaced, counted over path, query and body; -1: none. */
struct replacement {
	int at;
	const char *value;
};

/* What is sent: for a route and a sample of it, in the words of a world. Answers the number of probed places. */
struct request {
	const struct endpoint *route;
	const char *target, *body;
	const char *fresh; /* what {{fresh}} stood for */
	int n_places;
	const char *variable; /* the one at replacement.at */
};
void request_make(struct suite *s, struct world *w, const struct endpoint *route, const struct sample *sample,
    struct replacement replacement, struct request *out);
void request_send(struct suite *s, const struct world *w, const struct request *q, const char *idempotency_key,
    struct client_reply *reply);

/* --- checks ---------------------------------------------------------------------- */

/* Each route has what it needs: samples, known parameters. */
void check_coverage(struct suite *s);
/* With its own ids every request is a success, and shows nothing of other. */
void check_own(struct suite *s, struct world *w, struct world *other);
/* With each id of other in turn the answer is that of a random one. */
void check_foreign(struct suite *s, struct world *w, struct world *other);
/* What other has is as it was: all that its GET routes answer, as one text. */
const char *world_snapshot(struct suite *s, struct world *w);
/* Cursors of other's lists. */
void check_cursors(struct suite *s, struct world *w, struct world *other);
/* One Idempotency-Key in both. */
void check_idempotency(struct suite *s, struct world *w, struct world *other);
/* Neither the canary of other nor one of its ids is in text, but for sent. */
void check_absent(struct suite *s, const struct world *other, const char *where, const char *text, const char *sent);

#endif
