/* See cells.h. */
#include "test/lib/server/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/cursor.h"
#include "server/base/text.h"
#include "server/cell/cell_table.h"
#include "test/lib/server/directory.h"

static void cells_fail(const char *what)
{
	fprintf(stderr, "cells: %s\n", what);
	exit(1);
}

void cell_open(struct cell *c, struct arena *a, const char *path, const struct cell *beside, const char *name)
{
	char error[CLUSTER_ERROR_SIZE] = "", url[512], dir[DIRECTORY_SIZE];
	const struct cluster *in;
	const char *out;

	*c = (struct cell){.cluster = beside ? NULL : cluster_start(error)};
	if (!beside && !c->cluster)
		cells_fail(error);
	in = beside ? beside->cluster : c->cluster;
	if (!cluster_database(in, name, url, sizeof url) || !directory_make("data", dir))
		cells_fail("no database, or no directory");
	c->program = (struct program){.path = path, .database_url = arena_dupz(a, url), .data_dir = arena_dupz(a, dir)};
	if (command_run(&c->program, a, (const char *const[]){"migrate", NULL}, &out) != 0)
		cells_fail("kith migrate failed");
}

void cell_close(struct cell *c)
{
	if (c->cluster)
		cluster_stop(c->cluster);
}

void cell_serve(struct cell *c, const char *const more[])
{
	const char *settings[SERVER_SETTINGS_MAX] = {
	    "rate_default=0", "rate_burst=0", "webhook_allow_targets=127.0.0.0/8"};

	for (int n = 3; more && *more; n++)
		settings[n] = *more++;
	c->server = server_start(&c->program, settings);
}

/* What is not compared, of each table. */
static const char *differ_left_out(const char *table)
{
	static const char *const left_out[][2] = {
	    {"workspaces", "{version,moving,move_id,moved_to,held_until,cursor_key_before}"},
	    {"api_keys", "{last_used_at}"}, {"invitations", "{expires_at}"}, /* an import ends them */
	    {"webhooks", "{version,rests,secret,former_secret}"}};

	for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
		if (strcmp(left_out[i][0], table) == 0)
			return left_out[i][1];
	return "{}";
}

static const char *differ_digest(struct arena *a, const struct program *p, const char *table, const char *workspace)
{
	const char *columns = database_text(p, a,
	    arena_printf(a,
	        "select string_agg(case when attname = 'body' then 'nullif(get_byte(body, 0), 1), case when "
	        "get_byte(body, "
	        "0) <> 1 then body end' else quote_ident(attname) end, ', ' order by attname) from pg_attribute where "
	        "attrelid "
	        "= '%s'::regclass and attnum > 0 and not attisdropped and attname <> all ('%s')",
	        table, differ_left_out(table)));

	return database_text(p, a,
	    arena_printf(a,
	        "select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') from "
	        "(select "
	        "%s from %s where workspace_id = '%s') t",
	        columns, table, cells_uuid(workspace)));
}

/* The tables that are compared; NULL after the last one, "" for one that is left out. */
static const char *compared_table(size_t i)
{
	const char *table;

	if (i >= n_cell_tables + n_cell_exceptions)
		return NULL;
	table = i < n_cell_tables ? cell_tables[i].name : cell_exceptions[i - n_cell_tables].name;
	return strcmp(table, "rate_usage") == 0 || strcmp(table, "webhook_changes") == 0 ? "" : table;
}

const char *cells_state(struct arena *a, const struct program *p, const char *workspace)
{
	const char *state = "", *table;

	for (size_t i = 0; (table = compared_table(i)); i++)
		if (*table)
			state = arena_printf(a, "%s%s %s\n", state, table, differ_digest(a, p, table, workspace));
	return state;
}

bool cells_emptied(struct arena *a, const struct program *p, const char *workspace)
{
	const char *table;
	bool empty = true;

	for (size_t i = 0; (table = compared_table(i)); i++) {
		if (!*table || i < 3)
			continue;
		if (database_int(p, arena_printf(a, "select count(*) from %s where workspace_id = '%s'", table,
		                        cells_uuid(workspace))) == 0)
			continue;
		fprintf(stderr, "cells: %s has rows of it still\n", table);
		empty = false;
	}
	return empty;
}

int cells_differ(struct arena *a, const struct program *one, const struct program *other, const char *workspace)
{
	int differ = 0;
	const char *table;

	for (size_t i = 0; (table = compared_table(i)); i++) {
		const char *here = *table ? differ_digest(a, one, table, workspace) : "";
		const char *there = *table ? differ_digest(a, other, table, workspace) : "";
		if (strcmp(here, there) == 0)
			continue;
		fprintf(stderr, "cells: %s differs: %s, %s\n", table, here, there);
		differ++;
	}
	return differ;
}

static void key_read(struct arena *a, const struct program *p, const char *workspace, const char *which,
    unsigned char key[CURSOR_SECRET_SIZE])
{
	const char *digits = database_text(p, a,
	    arena_printf(
	        a, "select encode(%s, 'hex') from workspaces where workspace_id = '%s'", which, cells_uuid(workspace)));

	for (size_t i = 0; i < CURSOR_SECRET_SIZE; i++)
		key[i] = (unsigned char)(text_hex_value(digits[2 * i]) << 4 | text_hex_value(digits[2 * i + 1]));
}

const char *cells_old_cursor(struct arena *a, const struct program *p, const char *workspace, const char *cursor)
{
	unsigned char now[CURSOR_SECRET_SIZE], before[CURSOR_SECRET_SIZE], context[CURSOR_CONTEXT_SIZE];
	char *out = arena_alloc(a, CURSOR_SIZE);
	struct cursor_context x;
	struct cursor c;
	struct uuid id;

	key_read(a, p, workspace, "cursor_key", now);
	key_read(a, p, workspace,
	    "coalesce(cursor_key_before, (select value from server_secrets where name = 'cursor'))", before);
	if (!id_parse(ID_WORKSPACE, workspace, strlen(workspace), &id))
		cells_fail("no id of a workspace");
	cursor_context_begin(&x, a, &id, "/v1/events");
	cursor_context_end(&x, context);
	if (!cursor_open(&c, now, context, cursor, strlen(cursor)))
		cells_fail("the cursor is not sealed by the workspace's own key");
	return cursor_seal(out, before, context, &c);
}

const char *cells_uuid(const char *workspace)
{
	return workspace + strlen("wsp_");
}
