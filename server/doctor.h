/* What `kith doctor` looks at; docs/operating.md lists it. */
#ifndef KITH_SERVER_DOCTOR_H
#define KITH_SERVER_DOCTOR_H

#include <stdbool.h>

#include "server/session.h"
#include "store/db_ask.h"

struct doctor {
	struct session session;
	struct arena arena;         /* of one check */
	const char *check;          /* its name */
	int level, findings, found; /* the database's level; of all checks, of this one */
	bool skipped;               /* this one has nothing to look at */
};

struct doctor_check {
	const char *name;
	/* A query that changes nothing: a row for each finding, with what was found and, in a second column, what to
	 * do. The table patience has the seconds (s) for which a state must have lasted. NULL: run looks. */
	const char *sql;
	void (*run)(struct doctor *d);
	bool any_level; /* does not need this program's tables */
};

extern const struct doctor_check doctor_checks[];
extern const int n_doctor_checks;

/* Says what a check has found, and what to do. */
void doctor_found(struct doctor *d, const char *advice, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs a query begun in ask->arena and added to ask; false, and a finding, when it failed. */
bool doctor_ask(struct doctor *d, struct db_ask *ask);

/* Begins a query that is not of the table; the caller appends to it. */
struct sql *doctor_ask_begin(struct db_ask *ask);

/* Runs a query as those of the table are. */
void doctor_query(struct doctor *d, const char *text);

/* Says that a check cannot see everything, and what would let it; that is no finding. */
void doctor_unseen(struct doctor *d, const char *advice, const char *what);

/* Where the tables are, when search_path does not reach them. */
extern const char doctor_elsewhere[];

/* The checks that are no query. */
void doctor_hosts(struct doctor *d);
void doctor_private(struct doctor *d);
void doctor_replica(struct doctor *d);
void doctor_level(struct doctor *d);
void doctor_rights(struct doctor *d);
void doctor_clock(struct doctor *d);
void doctor_connections(struct doctor *d);
void doctor_indexes(struct doctor *d);
void doctor_keys(struct doctor *d);
void doctor_sight(struct doctor *d);
void doctor_space(struct doctor *d);
void doctor_secret(struct doctor *d);
void doctor_zones(struct doctor *d);

#endif
