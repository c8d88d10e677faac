/* Looks for what remains of a person: in every column of every table, as the catalogue has them, so that tables of
 * later levels are looked through as well, and in PostgreSQL's statistics, which have samples of values.
 *
 * Values are looked for as parts of texts, in any case and Unicode normal form, escaped as in JSON and in URLs;
 * telephone numbers also by their digits, whatever stands between these. They are never shown. Everything here blocks:
 * for the command line. */
#ifndef KITH_SERVER_OPERATE_REMAINS_H
#define KITH_SERVER_OPERATE_REMAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/json.h"
#include "store/db_admin.h"

enum { REMAINS_VALUES_MAX = 50 };

/* Any of the patterns in a setting of the connection: "in_text", "in_bytes", "in_hex", "in_id". */
#define REMAINS_ANY(name) "any (array(select unnest(current_setting('kith." name "')::text[])))"

struct remains_found {
	const char *what; /* "value" or "id" */
	const char *table, *column, *workspace;
	int64_t rows;
	const struct json *records; /* at most five of their ids; NULL or null: they have none */
};

struct remains {
	struct db_admin *admin; /* as the owner of the tables */
	struct arena *arena;
	const char *workspace; /* only rows of this one, and of none; NULL: all rows */
	const char *ids;       /* "uuid|uuid": the person and those merged into it; NULL: none are looked for */
	int64_t until_us;      /* gives up then; 0: never */

	const char *in_bytes, *as_id; /* arrays of patterns for columns of bytes, and for ids; see remains_prepare() */

	/* Called for each column of a table with something. */
	void (*found)(void *ctx, const struct remains_found *f);
	void *ctx;

	/* What was seen. */
	int64_t values; /* places with one of the values */
	int64_t strays; /* places with an id, where none should be */
	int64_t kept;   /* rows that have the id by design: events without values, the note of the erasure */
	int64_t sealed; /* stored answers that are encrypted, and were not looked into */
	int n_tables, n_left;
	bool elsewhere; /* other workspaces have the values, too */
	bool pending;   /* a job still removes references to the person */
};

/* Runs a statement; false with a message on stderr. out, if wanted, gets its first value, NULL for none. */
bool remains_ask(struct remains *r, const char *sql, const char **out);
/* As a constant of SQL, in the arena. */
const char *remains_quote(struct arena *a, const char *text);

/* Sets a setting of the connection: values of a person are in no text of a statement, which PostgreSQL may log. */
bool remains_set(struct remains *r, const char *name, const char *value);

/* Makes the patterns of values, a JSON array of texts. */
bool remains_prepare(struct remains *r, const char *values);

/* Looks through all tables. False with a message when the database failed or the time was over (n_left > 0). */
bool remains_look(struct remains *r);

/* Looks at the statistics, which are of all workspaces: not when others have the values, too. */
bool remains_statistics(struct remains *r);

#endif
