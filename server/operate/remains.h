/* Searches for what remains of a person, in every column of every table in the catalogue, so that tables of later
 * levels are searched too. It also searches PostgreSQL's statistics, which contain samples of values. Values are
 * searched for as parts of texts, in any case and Unicode normal form, and escaped as in JSON and in URLs. Telephone
 * numbers are also searched for by their digits, whatever stands between these. Values are never shown. All functions
 * block: they are for the command line. */
#ifndef KITH_SERVER_OPERATE_REMAINS_H
#define KITH_SERVER_OPERATE_REMAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/json.h"
#include "store/db_admin.h"

enum { REMAINS_VALUES_MAX = 50 };

/* The parameters of a statement. */
#define VALUES(...) ((const char *const[]){__VA_ARGS__, NULL})

struct remains_found {
	const char *what; /* "value" or "id" */
	const char *table, *column, *workspace;
	int64_t rows;
	const struct json *records; /* at most five of the records' ids; NULL or null: the rows have no ids */
};

struct remains {
	struct db_admin *admin; /* connected as the owner of the tables */
	struct arena *arena;
	const char *workspace; /* only rows of this workspace, and rows of no workspace; NULL: all rows */
	const char *ids;  /* "uuid|uuid": the person and those merged into the person; NULL: no ids are searched for */
	int64_t until_us; /* time to give up; 0: never */

	const char *wanted; /* the values, a JSON array; see remains_prepare() */

	/* Called for each column of a table that has something. */
	void (*found)(void *ctx, const struct remains_found *f);
	void *ctx;

	/* What was found. */
	int64_t values; /* places with one of the values */
	int64_t strays; /* places with an id, where none should be */
	int64_t kept;   /* rows that have the id by design: events without values, the note of the erasure */
	int64_t sealed; /* stored answers that are encrypted and were not searched */
	int n_tables, n_left;
	bool elsewhere; /* other workspaces have the values too */
	bool pending;   /* a job still removes references to the person */
};

/* Runs a statement. False with a message on stderr. If out is not NULL, it gets the first value, NULL for none. */
bool remains_run(struct remains *r, const char *sql, const char **out);
/* The same by the name of the statement, such as "remains table", and with its parameters. */
bool remains_ask(struct remains *r, const char *name, const char *const values[], const char **out);

/* Makes the patterns from values, a JSON array of texts. */
bool remains_prepare(struct remains *r, const char *values);

/* Searches all tables. False with a message when the database failed or the time was over (n_left > 0). */
bool remains_look(struct remains *r);

/* Searches the statistics. It skips them if other workspaces have the values too, because the statistics cover all
 * workspaces. */
bool remains_statistics(struct remains *r);

#endif
