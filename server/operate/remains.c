/* Searches for what remains of a person; see remains.h. The statements are in remains.sql. */
#include "server/operate/remains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/built_in.h"
#include "server/base/clock.h"

/* Tables where ids stay: events and deliveries, without values, until they expire, and so the names of cards that are
 * UUIDs; the record of merges; erasures. A job may still be removing references in other records (contacts_gone). */
static const char *const id_tables[] = {
    "events", "deliveries", "card_names", "contacts_merged", "contacts_gone", "erasures"};

bool remains_run(struct remains *r, const char *sql, const char **out)
{
	char message[DB_ADMIN_MESSAGE];

	if (db_admin_run(r->admin, sql, r->arena, out, message))
		return true;
	fprintf(stderr, "kith: the database refused: %s\n", message);
	return false;
}

bool remains_ask(struct remains *r, const char *name, const char *const values[], const char **out)
{
	char message[DB_ADMIN_MESSAGE];

	if (db_admin_ask(r->admin, built_in_text(name), values, r->arena, out, message))
		return true;
	fprintf(stderr, "kith: the database refused: %s\n", message);
	return false;
}

/* Reads the answer of a statement as JSON; NULL with a message. */
static const struct json *remains_json(struct remains *r, const char *name, const char *const values[])
{
	const char *text, *error = "no answer";
	const struct json *read = NULL;

	if (!remains_ask(r, name, values, &text))
		return NULL;
	text = text ? text : "[]";
	read = json_read(r->arena, text, strlen(text), &error);
	if (!read)
		fprintf(stderr, "kith: the database's answer cannot be read: %s\n", error);
	return read;
}

bool remains_prepare(struct remains *r, const char *values)
{
	r->wanted = values;
	return remains_ask(r, "remains as_text", VALUES(NULL), NULL) &&
	       remains_ask(r, "remains patterns", VALUES(values, r->ids ? r->ids : ""), NULL) &&
	       remains_ask(r, "remains columns", VALUES(NULL), NULL) &&
	       remains_ask(r, "remains remains_in", VALUES(NULL), NULL);
}

/* --- tables --------------------------------------------------------------------------------- */

static bool keeps_ids(const char *table)
{
	for (size_t i = 0; i < sizeof id_tables / sizeof *id_tables; i++) {
		size_t len = strlen(id_tables[i]);
		if (strncmp(table, id_tables[i], len) == 0 && (table[len] == '\0' || table[len] == '_'))
			return true;
	}
	return false;
}

static void remains_take(struct remains *r, const char *table, const struct json *row)
{
	const struct json *workspace = json_typed(row, "workspace", JSON_STRING);
	struct remains_found f = {.what = json_text(row, "found"),
	    .table = table,
	    .column = json_text(row, "column"),
	    .workspace = workspace ? workspace->text : NULL,
	    .rows = json_number(row, "rows", 0),
	    .records = json_member(row, "records")};
	bool value = strcmp(f.what, "value") == 0;

	if (r->workspace && f.workspace && strcmp(r->workspace, f.workspace) != 0) {
		r->elsewhere |= value;
		return;
	}
	if (!value && (r->pending || keeps_ids(table))) {
		r->kept += f.rows;
		return;
	}
	r->values += value ? f.rows : 0;
	r->strays += value ? 0 : f.rows;
	r->found(r->ctx, &f);
}

/* False when the time is over. */
static bool remains_limit(struct remains *r)
{
	int64_t left_ms = (r->until_us - clock_mono_us()) / 1000;

	if (!r->until_us)
		return true;
	return left_ms > 0 &&
	       remains_run(r, arena_printf(r->arena, "set statement_timeout = %lld", (long long)left_ms), NULL);
}

static bool remains_table(struct remains *r, const char *table)
{
	const struct json *rows;

	if (isatty(STDERR_FILENO))
		dprintf(STDERR_FILENO, "\rkith: searching: %d tables left \033[K", r->n_left);
	rows = remains_limit(r) ? remains_json(r, "remains table", VALUES(table)) : NULL;
	json_each(row, rows)
		remains_take(r, table, row);
	return rows;
}

bool remains_look(struct remains *r)
{
	const struct json *tables = remains_json(r, "remains tables", VALUES(NULL));
	const char *sealed = NULL, *pending = NULL;

	if (!tables || !remains_ask(r, "remains pending", VALUES(r->ids ? r->ids : ""), &pending))
		return false;
	r->pending = pending;
	r->n_tables = r->n_left = (int)tables->count;
	json_each(table, tables) {
		if (!remains_table(r, table->text))
			break;
		r->n_left--;
	}
	if (isatty(STDERR_FILENO))
		dprintf(STDERR_FILENO, "\r\033[K");
	if (!remains_ask(r, "remains sealed", VALUES(NULL), &sealed))
		return false;
	r->sealed = sealed ? strtoll(sealed, NULL, 10) : 0;
	return r->n_left == 0;
}

/* --- statistics ------------------------------------------------------------------------------ */

bool remains_statistics(struct remains *r)
{
	const struct json *tables;

	if (r->elsewhere)
		return true;
	tables = remains_json(r, "remains statistics", VALUES(NULL));
	json_each(t, tables) {
		struct remains_found f = {.what = "value", .table = t->text, .column = "(statistics)", .rows = 1};
		r->values++;
		r->found(r->ctx, &f);
	}
	return tables;
}
