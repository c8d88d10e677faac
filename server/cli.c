/* kith migrate, workspace, user, key. Data goes to stdout, one JSON object per line. */
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

const char *cli_option(int *argc, char **argv, const char *name)
{
	size_t len = strlen(name);

	for (int i = 0; i < *argc; i++) {
		const char *value = NULL;
		int taken = 1;
		if (strncmp(argv[i], name, len) == 0 && argv[i][len] == '=') {
			value = argv[i] + len + 1;
		} else if (strcmp(argv[i], name) == 0 && i + 1 < *argc) {
			value = argv[i + 1];
			taken = 2;
		}
		if (!value)
			continue;
		*argc -= taken;
		memmove(argv + i, argv + i + taken, (size_t)(*argc - i) * sizeof *argv);
		return value;
	}
	return NULL;
}

bool cli_flag(int *argc, char **argv, const char *name)
{
	for (int i = 0; i < *argc; i++) {
		if (strcmp(argv[i], name) != 0)
			continue;
		(*argc)--;
		memmove(argv + i, argv + i + 1, (size_t)(*argc - i) * sizeof *argv);
		return true;
	}
	return false;
}

int cli_usage(const char *usage)
{
	fprintf(stderr, "kith: usage: %s\n", usage);
	return 2;
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
	db_exchange_clear(&c->x);
	memset(&c->x, 0, sizeof c->x);
	c->x.lane = DB_WORK;
	c->x.statements = c->list;
	c->x.n_statements = 1;
	if (db_run(c->session.db, &c->x) == DB_OK)
		return true;
	if (c->x.status == DB_FAILED && strcmp(c->x.constraint, "users_email") == 0)
		fprintf(stderr, "kith: the workspace has a user with this e-mail address already\n");
	else
		fprintf(stderr, "kith: the database refused: %s\n",
		    c->x.status == DB_FAILED ? c->x.message : "no connection");
	return false;
}

static int command_end(struct command *c, int status)
{
	db_exchange_clear(&c->x);
	arena_free(&c->arena);
	session_close(&c->session);
	return status;
}

static void cli_print_line(struct buf *line)
{
	buf_addc(line, '\n');
	fwrite(line->data, 1, line->len, stdout);
	fflush(stdout);
	buf_free(line);
}

static void cli_put_member(struct json_out *o, const char *key, const char *value)
{
	json_key(o, key);
	json_string(o, value);
}

static void cli_put_id(struct json_out *o, const char *key, enum id_kind kind, struct uuid id)
{
	char text[ID_SIZE];
	cli_put_member(o, key, id_format(kind, &id, text));
}

static void cli_put_time(struct json_out *o, const char *key, const struct db_exchange *x, int row, int col)
{
	char text[TIME_TEXT_SIZE];
	cli_put_member(o, key, db_null(x, 0, row, col) ? NULL : time_format(db_time_ms(x, 0, row, col), text));
}

static const char *command_text(const struct command *c, int row, int col)
{
	size_t len;
	return db_text(&c->x, 0, row, col, &len);
}

/* --- migrate --------------------------------------------------------------------------- */

static void report_migration(const struct migrate_step *s, void *ctx)
{
	struct buf line;
	struct json_out o;

	buf_init(&line, 4096);
	json_out_init(&o, &line);
	json_begin_object(&o);
	if (s->migration) {
		json_key(&o, "level");
		json_int(&o, s->migration->level);
	}
	cli_put_member(&o, "name", s->migration ? s->migration->name : "rights");
	cli_put_member(&o, "state", *(bool *)ctx ? "planned" : "applied");
	if (!s->migration) {
		cli_put_member(&o, "roles", s->roles);
		json_key(&o, "objects");
		json_int(&o, s->objects);
	}
	json_end_object(&o);
	cli_print_line(&line);
}

int cli_migrate(struct config *config, int argc, char **argv)
{
	bool plan = cli_flag(&argc, argv, "--plan"), ok;
	char error[512] = "";
	struct session s;

	if (argc)
		return cli_usage("kith migrate [--plan]");
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
	struct buf line;
	struct json_out o;

	buf_init(&line, 1 << 20);
	json_out_init(&o, &line);
	json_begin_object(&o);
	cli_put_id(&o, "id", ID_WORKSPACE, id);
	cli_put_member(&o, "name", name);
	json_end_object(&o);
	cli_print_line(&line);
}

static bool valid_name(const char *option, const char *text, size_t max)
{
	if (*text && text_utf8_valid(text, strlen(text)) && text_code_points(text, strlen(text)) <= max)
		return true;
	fprintf(stderr, "kith: %s must be 1 to %zu characters of UTF-8\n", option, max);
	return false;
}

static int workspace_create(struct config *config, const char *name)
{
	struct command c;
	struct uuid id = id_new();

	if (!valid_name("--name", name, 255))
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

static int workspace_list(struct config *config)
{
	struct command c;

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

int cli_workspace(struct config *config, int argc, char **argv)
{
	static const char usage[] = "kith workspace create --name NAME | kith workspace list";
	const char *name = cli_option(&argc, argv, "--name");

	if (argc == 1 && name && strcmp(argv[0], "create") == 0)
		return workspace_create(config, name);
	if (argc == 1 && !name && strcmp(argv[0], "list") == 0)
		return workspace_list(config);
	return cli_usage(usage);
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

static void cli_print_user(struct uuid id, const char *email, const char *name, const char *role)
{
	struct buf line;
	struct json_out o;

	buf_init(&line, 1 << 20);
	json_out_init(&o, &line);
	json_begin_object(&o);
	cli_put_id(&o, "id", ID_USER, id);
	cli_put_member(&o, "fullName", name);
	cli_put_member(&o, "email", email);
	cli_put_member(&o, "role", role);
	json_end_object(&o);
	cli_print_line(&line);
}

static int user_create(
    struct config *config, const char *workspace, const char *email, const char *name, const char *role)
{
	struct command c;
	struct uuid ws, id = id_new();

	if (!cli_read_id("--workspace", ID_WORKSPACE, workspace, &ws) || !valid_name("--email", email, 254) ||
	    !valid_name("--name", name, 500))
		return 2;
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

static int cli_user_list(struct config *config, const char *workspace)
{
	struct command c;
	struct uuid ws;

	if (!cli_read_id("--workspace", ID_WORKSPACE, workspace, &ws))
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

int cli_user(struct config *config, int argc, char **argv)
{
	static const char usage[] = "kith user create --workspace ID --email EMAIL --name NAME [--role admin|member] | "
	                            "kith user list --workspace ID";
	const char *workspace = cli_option(&argc, argv, "--workspace"), *email = cli_option(&argc, argv, "--email");
	const char *name = cli_option(&argc, argv, "--name"), *role = cli_option(&argc, argv, "--role");

	if (argc == 1 && workspace && email && name && strcmp(argv[0], "create") == 0)
		return user_create(config, workspace, email, name, role ? role : "member");
	if (argc == 1 && workspace && !email && !name && !role && strcmp(argv[0], "list") == 0)
		return cli_user_list(config, workspace);
	return cli_usage(usage);
}

/* --- key --------------------------------------------------------------------------------------- */

static int key_make(struct config *config, const char *user, const char *name, bool read_only)
{
	char key[APIKEY_SIZE];
	struct key_new k = {.id = id_new(), .key = key, .name = name, .read_only = read_only};
	struct command c;
	struct buf line;
	struct json_out o;

	if (!cli_read_id("--user", ID_USER, user, &k.user) || (*name && !valid_name("--name", name, 255)))
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
	buf_init(&line, 4096);
	json_out_init(&o, &line);
	json_begin_object(&o);
	cli_put_id(&o, "id", ID_KEY, k.id);
	cli_put_member(&o, "key", key);
	cli_put_member(&o, "name", name);
	json_key(&o, "readOnly");
	json_bool(&o, read_only);
	json_end_object(&o);
	cli_print_line(&line);
	return command_end(&c, 0);
}

static void print_key(const struct command *c, int row)
{
	struct buf line;
	struct json_out o;

	buf_init(&line, 1 << 16);
	json_out_init(&o, &line);
	json_begin_object(&o);
	cli_put_id(&o, "id", ID_KEY, db_uuid(&c->x, 0, row, KEY_ID));
	cli_put_id(&o, "user", ID_USER, db_uuid(&c->x, 0, row, KEY_USER));
	cli_put_member(&o, "name", command_text(c, row, KEY_NAME));
	cli_put_member(&o, "last4", command_text(c, row, KEY_LAST4));
	json_key(&o, "readOnly");
	json_bool(&o, db_bool(&c->x, 0, row, KEY_READ_ONLY));
	cli_put_time(&o, "createdAt", &c->x, row, KEY_CREATED_AT);
	cli_put_time(&o, "expiresAt", &c->x, row, KEY_EXPIRES_AT);
	cli_put_time(&o, "revokedAt", &c->x, row, KEY_REVOKED_AT);
	cli_put_time(&o, "lastUsedAt", &c->x, row, KEY_LAST_USED_AT);
	json_end_object(&o);
	cli_print_line(&line);
}

static int key_show(struct config *config, const char *workspace)
{
	struct command c;
	struct uuid ws;

	if (!cli_read_id("--workspace", ID_WORKSPACE, workspace, &ws))
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

static int key_end(struct config *config, const char *text)
{
	struct command c;
	struct buf line;
	struct json_out o;
	struct uuid id;

	if (!cli_read_id("ID", ID_KEY, text, &id))
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
	buf_init(&line, 4096);
	json_out_init(&o, &line);
	json_begin_object(&o);
	cli_put_id(&o, "id", ID_KEY, id);
	cli_put_time(&o, "revokedAt", &c.x, 0, 1);
	json_end_object(&o);
	cli_print_line(&line);
	return command_end(&c, 0);
}

int cli_key(struct config *config, int argc, char **argv)
{
	static const char usage[] =
	    "kith key create --user ID [--name NAME] [--read-only] | kith key list --workspace ID | kith key revoke ID";
	const char *user = cli_option(&argc, argv, "--user"), *name = cli_option(&argc, argv, "--name");
	const char *workspace = cli_option(&argc, argv, "--workspace");
	bool read_only = cli_flag(&argc, argv, "--read-only");

	if (argc == 1 && user && !workspace && strcmp(argv[0], "create") == 0)
		return key_make(config, user, name ? name : "", read_only);
	if (argc == 1 && workspace && !user && !name && !read_only && strcmp(argv[0], "list") == 0)
		return key_show(config, workspace);
	if (argc == 2 && !user && !workspace && !name && !read_only && strcmp(argv[0], "revoke") == 0)
		return key_end(config, argv[1]);
	return cli_usage(usage);
}
