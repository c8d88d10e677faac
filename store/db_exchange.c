/* Exchanges: initial state, failure, end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/fatal.h"
#include "store/db_private.h"

void db_exchange_clear(struct db_exchange *x)
{
	for (int i = 0; x->results && i < x->n_statements; i++)
		PQclear((PGresult *)x->results[i]);
	free(x->results);
	x->results = NULL;
}

size_t db_exchange_bytes(const struct db_exchange *x)
{
	size_t bytes = 0;

	for (int i = 0; x->results && i < x->n_statements; i++)
		bytes += x->results[i] ? PQresultMemorySize((PGresult *)x->results[i]) : 0;
	return bytes;
}

static bool result_copy_row(PGresult *copy, const PGresult *from, int row)
{
	for (int i = 0; i < PQnfields(from); i++) {
		bool null = PQgetisnull(from, row, i);
		if (!PQsetvalue(
		        copy, 0, i, null ? NULL : PQgetvalue(from, row, i), null ? -1 : PQgetlength(from, row, i)))
			return false;
	}
	return true;
}

struct db_result *db_result_copy(const struct db_result *result, int row)
{
	const PGresult *from = (const PGresult *)result;
	PGresult *copy = PQcopyResult(from, row < 0 ? PG_COPYRES_TUPLES : PG_COPYRES_ATTRS);
	bool whole = row < 0 || row >= PQntuples(from) || result_copy_row(copy, from, row);

	if (result && (!copy || !whole))
		fatal_abort("out of memory");
	return (struct db_result *)copy;
}

bool db_exchange_waits(const struct db_exchange *x)
{
	return !x->connection;
}

bool exchange_name_trouble(const struct db_exchange *x)
{
	return x->status == DB_FAILED && x->statements[x->failed]->name &&
	       (strcmp(x->sqlstate, "26000") == 0 || strcmp(x->sqlstate, "0A000") == 0);
}

static void exchange_copy_field(const PGresult *r, int field, char *out, size_t size)
{
	const char *value = PQresultErrorField(r, field);

	snprintf(out, size, "%s", value ? value : "");
}

void exchange_failed(struct db_exchange *x, int index, const PGresult *r)
{
	x->status = DB_FAILED;
	x->failed = index;
	exchange_copy_field(r, PG_DIAG_SQLSTATE, x->sqlstate, sizeof x->sqlstate);
	exchange_copy_field(r, PG_DIAG_CONSTRAINT_NAME, x->constraint, sizeof x->constraint);
	exchange_copy_field(r, PG_DIAG_MESSAGE_PRIMARY, x->message, sizeof x->message);
}

void db_finish(struct db *db, struct db_exchange *x, enum db_status status)
{
	list_remove(&x->link);
	x->connection = NULL;
	x->status = status;
	if (status != DB_OK && status != DB_FAILED)
		db_exchange_clear(x);
	if (status != DB_FAILED)
		x->failed = -1;
	list_append(&db->finished, &x->link);
	db->n_finished++;
	db_later(db);
}

void db_later(struct db *db)
{
	if (!db->later_pending && !db->closing) {
		db->later_pending = true;
		event_active(&db->later, EV_TIMEOUT, 1);
	}
}
