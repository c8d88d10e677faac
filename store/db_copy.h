/* A connection that blocks, for commands that copy a workspace with COPY. It acts as the role of requests and sees
 * one workspace: row-level security holds for what it reads and for what it writes. */
#ifndef KITH_STORE_DB_COPY_H
#define KITH_STORE_DB_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"

struct db_copy;

/* NULL with a message on stderr, in which what names the database. */
struct db_copy *db_copy_open(const char *url, const struct uuid *workspace, const char *what);
/* Rolls back what was not committed. c may be NULL. */
void db_copy_close(struct db_copy *c);

/* Runs the statements, separated by semicolons. False with db_copy_error(). */
bool db_copy_run(struct db_copy *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same in two parts, so that two databases can work at the same time. */
bool db_copy_send(struct db_copy *c, const char *sql);
bool db_copy_wait(struct db_copy *c);
/* db_copy_run() with a message on stderr. */
bool db_copy_must(struct db_copy *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text of the last failure. */
const char *db_copy_error(const struct db_copy *c);
/* The SQLSTATE of the last failure; "" when the connection was lost. */
const char *db_copy_state(const struct db_copy *c);
/* The line of a COPY that failed, from 1; 0: none. */
long db_copy_failed_line(const struct db_copy *c);
/* Prints the last failure on stderr; returns false. */
bool db_copy_say(const struct db_copy *c);

/* Runs one statement with parameters, as db_admin_ask(); false with a message on stderr. */
bool db_copy_ask(struct db_copy *c, const char *sql, const char *const values[]);

/* The result of the last statement run, until the next one. Text: NULL for null. */
int db_copy_rows(const struct db_copy *c);
int64_t db_copy_affected(const struct db_copy *c);
const char *db_copy_text(const struct db_copy *c, int row, int column);
int64_t db_copy_int(const struct db_copy *c, int row, int column); /* 0 for null */

/* The text as a constant of SQL. */
const char *db_copy_quote(struct db_copy *c, struct arena *a, const char *text);

/* COPY (query) TO STDOUT, in text format, line by line. db_copy_line() returns the length with the line feed, 0 at
 * the end, -1 on failure; the line is valid until the next call. */
bool db_copy_out(struct db_copy *c, const char *query);
long db_copy_line(struct db_copy *c, const char **line);

/* COPY table FROM STDIN: begin, then the lines, then the end, which returns whether the database accepted them. */
bool db_copy_in(struct db_copy *c, const char *table, const char *columns);
bool db_copy_put(struct db_copy *c, const char *line, size_t len);
bool db_copy_end(struct db_copy *c);

#endif
