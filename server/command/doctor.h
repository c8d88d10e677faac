/* The checks of `kith doctor`; docs/troubleshooting.md lists them. */
#ifndef KITH_SERVER_COMMAND_DOCTOR_H
#define KITH_SERVER_COMMAND_DOCTOR_H

#include <stdbool.h>

#include "server/embedded/command_session.h"
#include "store/db_ask.h"

struct doctor {
	struct session session;
	struct arena arena;         /* of the current check */
	const char *check;          /* the name of the current check */
	int level, findings, found; /* the database's level; findings of all checks; findings of the current one */
	bool skipped;               /* the current check has nothing to look at */
};

/* Reports a finding, and what to do about it. */
void doctor_found(struct doctor *d, const char *advice, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs a query that was begun in ask->arena and added to ask. If it fails, reports a finding and returns false. */
bool doctor_ask(struct doctor *d, struct db_ask *ask);

/* Begins a query that is not in the table. The caller appends to it. */
struct sql *doctor_ask_begin(struct db_ask *ask);

/* Runs the query and reports each of its rows as a finding: what was found, and what to do. Ends ask. */
void doctor_findings(struct doctor *d, struct db_ask *ask);

/* The same with a statement of doctor.sql, such as "doctor locks". */
void doctor_query(struct doctor *d, const char *name);

/* The checks in doctor_schema.c. */
void doctor_level(struct doctor *d);
void doctor_rights(struct doctor *d);
void doctor_keys(struct doctor *d);
void doctor_indexes(struct doctor *d);

#endif
