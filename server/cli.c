/* kith migrate, workspace, user, key, config. Data goes to stdout, one JSON object per line. */
#include "server/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"
#include "server/base/json.h"
#include "server/base/text.h"
#include "server/session.h"
#include "store/keys.h"
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

struct command {
	struct session session;
	struct arena arena;
	struct sql sql, *list[1];
	struct db_exchange x;
};

static bool command_begin(struct command *c, struct config *config)
{
	memset(c, 0, sizeof *c);
	arena_init(&c->arena);
	c->list[0] = &c->sql;
	return session_open(&c->session, config, false, SESSION_CURRENT);
}

static bool command_run(struct command *c)
{
	if (session_query(&c->session, &c->x, DB_WORK, c->list, 1))
		return true;
	if (c->x.status == DB_FAILED && strcmp(c->x.constraint, "users_email") == 0)
		fprintf(stderr, "kith: the workspace has a user with this e-mail address already\n");
	else
		session_say_failed(&c->x, "the database refused");
	return false;
}

static int command_end(struct command *c, int status)
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
	json_key(&l->out, key);
	json_string(&l->out, value);
}

void cli_line_id(struct cli_line *l, const char *key, enum id_kind kind, struct uuid id)
{
	json_key(&l->out, key);
	json_id(&l->out, kind, &id);
}

void cli_line_print(struct cli_line *l)
{
	json_end_object(&l->out);
	buf_addc(&l->text, '\n');
	fwrite(l->text.data, 1, l->text.len, stdout);
	fflush(stdout);
	buf_free(&l->text);
}

static void cli_line_time(struct cli_line *l, const char *key, const struct db_exchange *x, int row, int col)
{
	char text[TIME_TEXT_SIZE];
	cli_line_member(l, key, db_null(x, 0, row, col) ? NULL : time_format(db_time_ms(x, 0, row, col), text));
}

static const char *command_text(const struct command *c, int row, int col)
{
	size_t len;
	return db_text(&c->x, 0, row, col, &len);
}

/* --- migrate --------------------------------------------------------------------------- */

static void report_migration(const struct migrate_step *s, void *ctx)
{
	struct cli_line line;

	cli_line_begin(&line);
	if (s->migration) {
		json_key(&line.out, "level");
		json_int(&line.out, s->migration->level);
	}
	cli_line_member(&line, "name", s->migration ? s->migration->name : "rights");
	cli_line_member(&line, "state", *(bool *)ctx ? "planned" : "applied");
	if (!s->migration) {
		cli_line_member(&line, "roles", s->roles);
		json_key(&line.out, "objects");
		json_int(&line.out, s->objects);
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
		fprintf(stderr, "kith: not migrated: %s\n", error);
	session_close(&s);
	return ok ? 0 : 1;
}

/* --- workspace --------------------------------------------------------------------------- */

static void cli_print_workspace(struct uuid id, const char *name)
{
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_WORKSPACE, id);
	cli_line_member(&line, "name", name);
	cli_line_print(&line);
}

static bool cli_valid_name(const char *option, const char *text, size_t max)
{
	if (*text && text_utf8_valid(text, strlen(text)) && text_code_points(text, strlen(text)) <= max)
		return true;
	fprintf(stderr, "kith: %s must be 1 to %zu characters of UTF-8\n", option, max);
	return false;
}

int cli_workspace_create(struct config *config, const struct cli_args *args)
{
	const char *name = cli_option(args, "--name");
	struct command c;
	struct uuid id = id_new();

	if (!cli_valid_name("--name", name, 255))
		return 2;
	if (!command_begin(&c, config))
		return 1;
	sql_begin(&c.sql, &c.arena, NULL, &id);
	sql_add(&c.sql, "insert into workspaces (workspace_id, name) values ($1, ");
	sql_textz(&c.sql, name);
	sql_add(&c.sql, ")");
	if (!command_run(&c))
		return command_end(&c, 1);
	cli_print_workspace(id, name);
	return command_end(&c, 0);
}

int cli_workspace_list(struct config *config, const struct cli_args *args)
{
	struct command c;

	(void)args;
	if (!command_begin(&c, config))
		return 1;
	sql_begin_system(&c.sql, &c.arena, NULL);
	sql_add(&c.sql, "select workspace_id, name from workspaces order by workspace_id");
	if (!command_run(&c))
		return command_end(&c, 1);
	for (int i = 0; i < db_rows(&c.x, 0); i++)
		cli_print_workspace(db_uuid(&c.x, 0, i, 0), command_text(&c, i, 1));
	return command_end(&c, 0);
}

/* --- user ------------------------------------------------------------------------------------ */

static bool cli_read_id(const char *option, enum id_kind kind, const char *text, struct uuid *out)
{
	if (id_parse(kind, text, strlen(text), out))
		return true;
	fprintf(stderr, "kith: %s must be an id such as %s_01234567-89ab-7cde-8f01-23456789abcd\n", option,
	    id_prefix(kind));
	return false;
}

static bool cli_read_workspace(const struct cli_args *args, struct uuid *out)
{
	return cli_read_id("--workspace", ID_WORKSPACE, cli_option(args, "--workspace"), out);
}

static void cli_print_user(struct uuid id, const char *email, const char *name, const char *role)
{
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_USER, id);
	cli_line_member(&line, "fullName", name);
	cli_line_member(&line, "email", email);
	cli_line_member(&line, "role", role);
	cli_line_print(&line);
}

int cli_user_create(struct config *config, const struct cli_args *args)
{
	const char *email = cli_option(args, "--email"), *name = cli_option(args, "--name");
	const char *role = cli_option(args, "--role");
	struct command c;
	struct uuid ws, id = id_new();

	if (!cli_read_workspace(args, &ws) || !cli_valid_name("--email", email, 254) ||
	    !cli_valid_name("--name", name, 500))
		return 2;
	role = role ? role : "member";
	if (strcmp(role, "admin") != 0 && strcmp(role, "member") != 0) {
		fprintf(stderr, "kith: --role must be admin or member\n");
		return 2;
	}
	if (!command_begin(&c, config))
		return 1;
	/* The new version makes every running server read the users again. */
	sql_begin(&c.sql, &c.arena, NULL, &ws);
	sql_add(&c.sql,
	    "with w as (update workspaces set version = version + 1 where workspace_id = $1 returning workspace_id) "
	    "insert into users (workspace_id, id, email, full_name, role) select workspace_id, ");
	sql_uuid(&c.sql, &id);
	sql_add(&c.sql, ", ");
	sql_textz(&c.sql, email);
	sql_add(&c.sql, ", ");
	sql_textz(&c.sql, name);
	sql_add(&c.sql, ", ");
	sql_textz(&c.sql, role);
	sql_add(&c.sql, " from w");
	if (!command_run(&c))
		return command_end(&c, 1);
	if (db_affected(&c.x, 0) == 0) {
		fprintf(stderr, "kith: there is no such workspace: \"kith workspace list\" shows them\n");
		return command_end(&c, 1);
	}
	cli_print_user(id, email, name, role);
	return command_end(&c, 0);
}

int cli_user_list(struct config *config, const struct cli_args *args)
{
	struct command c;
	struct uuid ws;

	if (!cli_read_workspace(args, &ws))
		return 2;
	if (!command_begin(&c, config))
		return 1;
	sql_begin(&c.sql, &c.arena, NULL, &ws);
	sql_add(&c.sql, "select id, email, full_name, role from users where workspace_id = $1 order by id");
	if (!command_run(&c))
		return command_end(&c, 1);
	for (int i = 0; i < db_rows(&c.x, 0); i++)
		cli_print_user(
		    db_uuid(&c.x, 0, i, 0), command_text(&c, i, 1), command_text(&c, i, 2), command_text(&c, i, 3));
	return command_end(&c, 0);
}

/* --- key --------------------------------------------------------------------------------------- */

int cli_key_create(struct config *config, const struct cli_args *args)
{
	const char *name = cli_option(args, "--name");
	char key[APIKEY_SIZE];
	struct key_new k = {
	    .id = id_new(), .key = key, .name = name ? name : "", .read_only = cli_option(args, "--read-only") != NULL};
	struct command c;
	struct cli_line line;

	if (!cli_read_id("--user", ID_USER, cli_option(args, "--user"), &k.user) ||
	    (*k.name && !cli_valid_name("--name", k.name, 255)))
		return 2;
	if (!command_begin(&c, config))
		return 1;
	apikey_new(key);
	key_create(&c.sql, &c.arena, &k);
	if (!command_run(&c))
		return command_end(&c, 1);
	if (db_rows(&c.x, 0) == 0) {
		fprintf(stderr, "kith: there is no such user: \"kith user list --workspace ID\" shows them\n");
		return command_end(&c, 1);
	}
	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_KEY, k.id);
	cli_line_member(&line, "key", key);
	cli_line_member(&line, "name", k.name);
	json_key(&line.out, "readOnly");
	json_bool(&line.out, k.read_only);
	cli_line_print(&line);
	return command_end(&c, 0);
}

static void print_key(const struct command *c, int row)
{
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_KEY, db_uuid(&c->x, 0, row, KEY_ID));
	cli_line_id(&line, "user", ID_USER, db_uuid(&c->x, 0, row, KEY_USER));
	cli_line_member(&line, "name", command_text(c, row, KEY_NAME));
	cli_line_member(&line, "last4", command_text(c, row, KEY_LAST4));
	json_key(&line.out, "readOnly");
	json_bool(&line.out, db_bool(&c->x, 0, row, KEY_READ_ONLY));
	cli_line_time(&line, "createdAt", &c->x, row, KEY_CREATED_AT);
	cli_line_time(&line, "expiresAt", &c->x, row, KEY_EXPIRES_AT);
	cli_line_time(&line, "revokedAt", &c->x, row, KEY_REVOKED_AT);
	cli_line_time(&line, "lastUsedAt", &c->x, row, KEY_LAST_USED_AT);
	cli_line_print(&line);
}

int cli_key_list(struct config *config, const struct cli_args *args)
{
	struct command c;
	struct uuid ws;

	if (!cli_read_workspace(args, &ws))
		return 2;
	if (!command_begin(&c, config))
		return 1;
	key_list(&c.sql, &c.arena, &ws);
	if (!command_run(&c))
		return command_end(&c, 1);
	for (int i = 0; i < db_rows(&c.x, 0); i++)
		print_key(&c, i);
	return command_end(&c, 0);
}

int cli_key_revoke(struct config *config, const struct cli_args *args)
{
	struct command c;
	struct cli_line line;
	struct uuid id;

	if (!cli_read_id("ID", ID_KEY, args->words[1], &id))
		return 2;
	if (!command_begin(&c, config))
		return 1;
	key_revoke(&c.sql, &c.arena, &id);
	if (!command_run(&c))
		return command_end(&c, 1);
	if (db_rows(&c.x, 0) == 0) {
		fprintf(stderr, "kith: there is no such key: \"kith key list --workspace ID\" shows them\n");
		return command_end(&c, 1);
	}
	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_KEY, id);
	cli_line_time(&line, "revokedAt", &c.x, 0, 1);
	cli_line_print(&line);
	return command_end(&c, 0);
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
