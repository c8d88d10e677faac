/* A connection that blocks, see db_copy.h. */
#include "store/db_copy.h"

#include <libpq-fe.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "store/db.h"
#include "store/db_admin.h"
#include "store/db_probe.h"

enum { STATEMENT_MAX = 16 << 20, MESSAGE_MAX = 512 };

struct db_copy {
	PGconn *pg;
	PGresult *result; /* of the last statement */
	char *line;       /* the last one of COPY */
	const char *what;
	char error[MESSAGE_MAX], state[6];
	long failed_line; /* of COPY; 0: none */
};

/* As in db_setup.c, names mean the same as for the login. Tables are read only by workspace; statistics may take one
 * workspace for the whole table. Sequential scans are off, so that the keys are used. */
static const char settings_sql[] =
    "select set_config('search_path', concat_ws(', ', quote_ident(current_schema()), current_setting('search_path')), "
    "false), set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false), "
    "set_config('bytea_output', 'hex', false), set_config('extra_float_digits', '1', false), "
    "set_config('jit', 'off', false), set_config('enable_seqscan', 'off', false), "
    "set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false), "
    "set_config('client_min_messages', 'warning', false), set_config('kith.workspace', '%s', false), "
    "set_config('role', 'kith_serve', false)";

static void copy_failed(struct db_copy *c)
{
	const char *state = c->result ? PQresultErrorField(c->result, PG_DIAG_SQLSTATE) : NULL;
	const char *text = c->result ? PQresultErrorField(c->result, PG_DIAG_MESSAGE_PRIMARY) : NULL;

	snprintf(c->state, sizeof c->state, "%s", state ? state : "");
	snprintf(c->error, sizeof c->error, "%s", text ? text : PQerrorMessage(c->pg));
	c->error[strcspn(c->error, "\n")] = '\0';
	/* The message may quote a file, and goes to a terminal. */
	for (char *at = c->error; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	text = c->result ? PQresultErrorField(c->result, PG_DIAG_CONTEXT) : NULL;
	text = text && strncmp(text, "COPY ", 5) == 0 ? strstr(text, ", line ") : NULL;
	c->failed_line = text ? strtol(text + strlen(", line "), NULL, 10) : 0;
}

/* Keeps the result; true when it is of that kind. */
static bool copy_keep(struct db_copy *c, PGresult *result, ExecStatusType one, ExecStatusType other)
{
	PQclear(c->result);
	c->result = result;
	if (PQresultStatus(result) == one || PQresultStatus(result) == other)
		return true;
	copy_failed(c);
	return false;
}

static bool __attribute__((format(printf, 2, 0))) copy_run(struct db_copy *c, const char *format, va_list args)
{
	char *sql = NULL;
	bool ok =
	    vasprintf(&sql, format, args) >= 0 && copy_keep(c, PQexec(c->pg, sql), PGRES_COMMAND_OK, PGRES_TUPLES_OK);

	free(sql);
	return ok;
}

bool db_copy_run(struct db_copy *c, const char *format, ...)
{
	va_list args;
	bool ok;

	va_start(args, format);
	ok = copy_run(c, format, args);
	va_end(args);
	return ok;
}

bool db_copy_send(struct db_copy *c, const char *sql)
{
	if (PQsendQuery(c->pg, sql) == 1)
		return true;
	copy_failed(c);
	return false;
}

bool db_copy_wait(struct db_copy *c)
{
	PGresult *next;
	bool ok = copy_keep(c, PQgetResult(c->pg), PGRES_COMMAND_OK, PGRES_TUPLES_OK);

	while ((next = PQgetResult(c->pg)))
		ok = copy_keep(c, next, PGRES_COMMAND_OK, PGRES_TUPLES_OK) && ok;
	return ok;
}

bool db_copy_must(struct db_copy *c, const char *format, ...)
{
	va_list args;
	bool ok;

	va_start(args, format);
	ok = copy_run(c, format, args);
	va_end(args);
	return ok || db_copy_say(c);
}

bool db_copy_ask(struct db_copy *c, const char *sql, const char *const values[])
{
	int n = 0;

	while (values[n])
		n++;
	return copy_keep(
	           c, PQexecParams(c->pg, sql, n, NULL, values, NULL, NULL, 0), PGRES_COMMAND_OK, PGRES_TUPLES_OK) ||
	       db_copy_say(c);
}

const char *db_copy_error(const struct db_copy *c)
{
	return c->error;
}

const char *db_copy_state(const struct db_copy *c)
{
	return c->state;
}

long db_copy_failed_line(const struct db_copy *c)
{
	return c->failed_line;
}

bool db_copy_say(const struct db_copy *c)
{
	fprintf(stderr, "kith: %s: %s\n", c->what, c->error);
	return false;
}

struct db_copy *db_copy_open(const char *url, const struct uuid *workspace, const char *what)
{
	static const char *const keywords[] = {
	    "connect_timeout", "target_session_attrs", "client_encoding", "application_name", "dbname", NULL};
	struct db_copy *c = mem_zalloc(sizeof *c);
	struct arena a;
	char id[37], message[DB_ADMIN_MESSAGE] = "";

	arena_init(&a);
	const char *const values[] = {"10", db_session_attrs(), "UTF8", "kith", db_writer_url(url, &a, message), NULL};
	c->what = what;
	c->pg = values[4] ? PQconnectdbParams(keywords, values, 1) : NULL;
	arena_free(&a);
	if (!c->pg)
		snprintf(c->error, sizeof c->error, "%s", message);
	else if (PQstatus(c->pg) != CONNECTION_OK)
		copy_failed(c);
	else if (db_copy_run(c, settings_sql, uuid_format(workspace, id)))
		return c;
	db_copy_say(c);
	db_copy_close(c);
	return NULL;
}

void db_copy_close(struct db_copy *c)
{
	if (!c)
		return;
	PQfreemem(c->line);
	PQclear(c->result);
	PQfinish(c->pg);
	free(c);
}

int db_copy_rows(const struct db_copy *c)
{
	return PQntuples(c->result);
}

int64_t db_copy_affected(const struct db_copy *c)
{
	return strtoll(PQcmdTuples(c->result), NULL, 10);
}

const char *db_copy_text(const struct db_copy *c, int row, int column)
{
	return PQgetisnull(c->result, row, column) ? NULL : PQgetvalue(c->result, row, column);
}

int64_t db_copy_int(const struct db_copy *c, int row, int column)
{
	return strtoll(PQgetvalue(c->result, row, column), NULL, 10);
}

const char *db_copy_quote(struct db_copy *c, struct arena *a, const char *text)
{
	char *quoted = PQescapeLiteral(c->pg, text, strlen(text));
	const char *kept = quoted ? arena_dupz(a, quoted) : "''";

	PQfreemem(quoted);
	return kept;
}

/* --- COPY --------------------------------------------------------------------------------- */

bool db_copy_out(struct db_copy *c, const char *query)
{
	struct buf sql;
	bool ok;

	buf_init(&sql, STATEMENT_MAX);
	buf_printf(&sql, "copy (%s) to stdout", query);
	ok = !sql.overflow && copy_keep(c, PQexec(c->pg, sql.data), PGRES_COPY_OUT, PGRES_COPY_OUT);
	buf_free(&sql);
	return ok;
}

/* Reads the result that ends a COPY, until there is no further result. */
static bool copy_verdict(struct db_copy *c)
{
	bool ok = copy_keep(c, PQgetResult(c->pg), PGRES_COMMAND_OK, PGRES_COMMAND_OK);
	PGresult *more;

	while ((more = PQgetResult(c->pg)))
		PQclear(more);
	return ok;
}

long db_copy_line(struct db_copy *c, const char **line)
{
	long len;

	PQfreemem(c->line);
	c->line = NULL;
	len = PQgetCopyData(c->pg, &c->line, 0);
	*line = c->line;
	if (len > 0)
		return len;
	return copy_verdict(c) && len == -1 ? 0 : -1;
}

bool db_copy_in(struct db_copy *c, const char *table, const char *columns)
{
	struct buf sql;
	bool ok;

	buf_init(&sql, STATEMENT_MAX);
	buf_printf(&sql, "copy %s (%s) from stdin", table, columns);
	ok = !sql.overflow && copy_keep(c, PQexec(c->pg, sql.data), PGRES_COPY_IN, PGRES_COPY_IN);
	buf_free(&sql);
	return ok;
}

bool db_copy_put(struct db_copy *c, const char *line, size_t len)
{
	if (PQputCopyData(c->pg, line, (int)len) == 1)
		return true;
	copy_failed(c);
	return false;
}

bool db_copy_end(struct db_copy *c)
{
	if (PQputCopyEnd(c->pg, NULL) != 1) {
		copy_failed(c);
		return false;
	}
	return copy_verdict(c);
}
