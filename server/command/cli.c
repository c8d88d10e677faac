/* kith migrate, workspace and config, and what the commands share. Data goes to stdout, one JSON object per line. */
#include "server/command/cli.h"

#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "server/base/text.h"
#include "server/serve.h"
#include "server/embedded/command_session.h"
#include "store/migrate.h"

const char *cli_option_len(const struct cli_args *args, const char *name, size_t len)
{
	for (int i = 0; i < args->n_options; i++)
		if (args->options[i].len == len && strncmp(args->options[i].name, name, len) == 0)
			return args->options[i].value;
	return NULL;
}

const char *cli_option(const struct cli_args *args, const char *name)
{
	return cli_option_len(args, name, strlen(name));
}

/* --- one statement ------------------------------------------------------------------- */

bool cli_command_begin(struct cli_command *c, struct config *config)
{
	memset(c, 0, sizeof *c);
	arena_init(&c->arena);
	return session_open(&c->session, config, false, SESSION_CURRENT);
}

struct sql *cli_command_add(struct cli_command *c)
{
	struct sql *s = arena_alloc(&c->arena, sizeof *s);

	c->list[c->n++] = s;
	return s;
}

/* As a server does at its start. If it fails, events go to the default partition, for which the log of a server or kith
 * doctor says what to do. */
static void cli_make_partitions(struct cli_command *c)
{
	struct sql *s = arena_alloc(&c->arena, sizeof *s);

	sql_begin_system(s, &c->arena, NULL);
	sql_add(s, "select kith_partitions()");
	session_query(&c->session, &c->x, DB_WORK, &s, 1);
}

bool cli_command_run(struct cli_command *c)
{
	int n = c->n;

	if (c->tells)
		cli_make_partitions(c);
	if (c->notifies) { /* its result comes after those of the command */
		c->list[n] = arena_alloc(&c->arena, sizeof(struct sql));
		sql_begin_system(c->list[n], &c->arena, NULL);
		sql_add(c->list[n++], "notify " DB_CHANNEL);
	}
	if (session_query(&c->session, &c->x, DB_WORK, c->list, n))
		return true;
	if (c->x.status == DB_FAILED && strcmp(c->x.constraint, "users_email") == 0)
		fprintf(stderr, "kith: the workspace already has a user with this e-mail address: use another address, "
		                "or change that user with \"kith user update\"\n");
	else
		session_say_failed(&c->x, "the database refused");
	return false;
}

int cli_command_end(struct cli_command *c, int status)
{
	db_exchange_clear(&c->x);
	arena_free(&c->arena);
	session_close(&c->session);
	return status;
}

void cli_line_begin(struct cli_line *l)
{
	buf_init(&l->text, 1 << 20);
	json_out_init(&l->out, &l->text);
	json_begin_object(&l->out);
}

void cli_line_member(struct cli_line *l, const char *key, const char *value)
{
	json_add_string(&l->out, key, value);
}

void cli_line_id(struct cli_line *l, const char *key, enum id_kind kind, struct uuid id)
{
	json_add_id(&l->out, key, kind, &id);
}

void cli_line_print(struct cli_line *l)
{
	json_end_object(&l->out);
	buf_addc(&l->text, '\n');
	fwrite(l->text.data, 1, l->text.len, stdout);
	fflush(stdout);
	buf_free(&l->text);
}

void cli_line_time(struct cli_line *l, const char *key, const struct db_exchange *x, int statement, int row, int col)
{
	char text[TIME_TEXT_SIZE];

	cli_line_member(
	    l, key, db_null(x, statement, row, col) ? NULL : time_format(db_time_ms(x, statement, row, col), text));
}

const char *cli_command_text(const struct cli_command *c, int row, int col)
{
	size_t len;

	return db_text(&c->x, c->n - 1, row, col, &len);
}

/* --- migrate --------------------------------------------------------------------------- */

static void report_migration(const struct migrate_step *s, void *ctx)
{
	struct cli_line line;

	cli_line_begin(&line);
	if (s->migration) {
		json_add_int(&line.out, "level", s->migration->level);
	}
	cli_line_member(&line, "name", s->migration ? s->migration->name : "rights");
	cli_line_member(&line, "state", *(bool *)ctx ? "planned" : "applied");
	if (!s->migration) {
		cli_line_member(&line, "roles", s->roles);
		json_add_int(&line.out, "objects", s->objects);
	}
	cli_line_print(&line);
}

int cli_migrate(struct config *config, const struct cli_args *args)
{
	bool plan = cli_option(args, "--plan") != NULL, ok;
	char error[512] = "";
	struct session s;

	if (!session_open(&s, config, false, SESSION_ANY))
		return 1;
	ok = migrate_apply(s.db, plan, report_migration, &plan, error);
	if (!ok)
		fprintf(stderr, "kith: the database was not migrated: %s\n", error);
	session_close(&s);
	return ok ? 0 : 1;
}

/* --- arguments ----------------------------------------------------------------------------- */

bool cli_read_id(const char *option, enum id_kind kind, const char *text, struct uuid *out)
{
	if (id_parse(kind, text, strlen(text), out))
		return true;
	fprintf(stderr, "kith: %s must be an id such as %s_01234567-89ab-7cde-8f01-23456789abcd\n", option,
	    id_prefix(kind));
	return false;
}

bool cli_read_workspace(const struct cli_args *args, struct uuid *out)
{
	return cli_read_id("--workspace", ID_WORKSPACE, cli_option(args, "--workspace"), out);
}

bool cli_valid_name(const char *option, const char *text, size_t max)
{
	if (*text && text_utf8_valid(text, strlen(text)) && text_code_points(text, strlen(text)) <= max)
		return true;
	fprintf(stderr, "kith: %s must be 1 to %zu characters of UTF-8\n", option, max);
	return false;
}

bool cli_read_seconds(const struct cli_args *args, const char *option, int most, int *s)
{
	const char *text = cli_option(args, option);
	uint64_t number;

	if (!text)
		return true;
	if (text_uint(text, strlen(text), &number) && number >= 1 && number <= (uint64_t)most) {
		*s = (int)number;
		return true;
	}
	fprintf(stderr, "kith: %s must be a whole number of seconds from 1 to %d\n", option, most);
	return false;
}

/* --- workspace --------------------------------------------------------------------------- */

/* moving and moved_to are "" unless the workspace is being moved or was moved. */
static void cli_print_workspace(struct uuid id, const char *name, const char *moving, const char *moved_to)
{
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_WORKSPACE, id);
	cli_line_member(&line, "name", name);
	if (*moving)
		cli_line_member(&line, "moving", moving);
	if (*moved_to)
		cli_line_member(&line, "movedTo", moved_to);
	cli_line_print(&line);
}

int cli_workspace_create(struct config *config, const struct cli_args *args)
{
	const char *name = cli_option(args, "--name");
	struct cli_command c;
	struct uuid id = id_new();
	struct sql *s;

	if (!cli_valid_name("--name", name, 255))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	s = cli_command_add(&c);
	sql_begin(s, &c.arena, NULL, &id);
	sql_add_textz(s, "insert into workspaces (workspace_id, name) values ($1, ", name);
	sql_add(s, ")");
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	cli_print_workspace(id, name, "", "");
	return cli_command_end(&c, 0);
}

int cli_workspace_list(struct config *config, const struct cli_args *args)
{
	struct cli_command c;
	struct sql *s;

	(void)args;
	if (!cli_command_begin(&c, config))
		return 1;
	s = cli_command_add(&c);
	sql_begin_system(s, &c.arena, NULL);
	sql_add(s, "select workspace_id, name, coalesce(moving, ''), coalesce(moved_to, '') from workspaces order by "
	           "workspace_id");
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	for (int i = 0; i < db_rows(&c.x, 0); i++)
		cli_print_workspace(db_uuid(&c.x, 0, i, 0), cli_command_text(&c, i, 1), cli_command_text(&c, i, 2),
		    cli_command_text(&c, i, 3));
	return cli_command_end(&c, 0);
}

/* --- serve ------------------------------------------------------------------------------------- */

int cli_serve(struct config *config, const struct cli_args *args)
{
	return serve_run(config, args->argc, args->argv);
}

/* --- config ------------------------------------------------------------------------------------ */

int cli_config(struct config *config, const struct cli_args *args)
{
	struct buf text;

	(void)args;
	buf_init(&text, 1 << 20);
	config_print(config, &text);
	fwrite(text.data, 1, text.len, stdout);
	buf_free(&text);
	return 0;
}
