/* The checks of `kith doctor`; docs/troubleshooting.md lists them. */
#ifndef KITH_SERVER_COMMAND_DOCTOR_H
#define KITH_SERVER_COMMAND_DOCTOR_H

#include <stdbool.h>

#include "server/session.h"
#include "store/db_ask.h"

struct doctor {
	struct session session;
	struct arena arena;         /* of the current check */
	const char *check;          /* the name of the current check */
	int level, findings, found; /* the database's level; findings of all checks; findings of the current one */
	bool skipped;               /* the current check has nothing to look at */
};

struct doctor_check {
	const char *name;
	/* A query that changes nothing. Each row is a finding: the first column says what was found, the second what to
	 * do. The table patience has the number of seconds (s) that a state must have lasted. NULL: run is called
	 * instead. */
	const char *sql;
	void (*run)(struct doctor *d);
	bool any_level; /* the check does not need this program's tables */
};

extern const struct doctor_check doctor_checks[];
extern const int n_doctor_checks;

/* Reports a finding, and what to do about it. */
void doctor_found(struct doctor *d, const char *advice, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs a query that was begun in ask->arena and added to ask. If it fails, reports a finding and returns false. */
bool doctor_ask(struct doctor *d, struct db_ask *ask);

/* Begins a query that is not in the table. The caller appends to it. */
struct sql *doctor_ask_begin(struct db_ask *ask);

/* Runs a query in the way that those of the table run. */
void doctor_query(struct doctor *d, const char *text);

/* Reports that a check cannot see everything, and what would let it. This is not a finding. */
void doctor_unseen(struct doctor *d, const char *advice, const char *what);

/* A query that finds the schema of the tables when search_path does not contain it. */
extern const char doctor_elsewhere[];

/* The checks that are not a single query. */
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
