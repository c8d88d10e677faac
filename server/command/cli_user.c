/* kith user: creates, changes and lists users, as admins can by the API (server/signin/account.c). */
#include <stdio.h>
#include <string.h>

#include "server/command/cli.h"
#include "store/invitations.h"
#include "webhook/actor.h"

enum { EMAIL_MAX = 254, NAME_MAX_USER = 500 };

static bool user_valid_role(const char *role)
{
	if (strcmp(role, "admin") == 0 || strcmp(role, "member") == 0)
		return true;
	fprintf(stderr, "kith: --role must be admin or member\n");
	return false;
}

/* Writes the members that every line about a user has. */
static void user_line(struct cli_line *line, struct uuid id, const char *email, const char *name, const char *role)
{
	cli_line_begin(line);
	cli_line_id(line, "id", ID_USER, id);
	cli_line_member(line, "fullName", name);
	cli_line_member(line, "email", email);
	cli_line_member(line, "role", role);
}

void cli_user_tell(struct cli_command *c, enum event_type type, const struct uuid *user)
{
	struct sql *s = cli_command_add(c);

	c->tells = c->notifies = true;
	sql_begin_system(s, &c->arena, NULL);
	event_user_sql(s, type, &event_actor_command);
	sql_add(s, "(select workspace_id, id, null::json as data from users where disabled_at is null and id = ");
	sql_uuid(s, user);
	sql_add(s, ") u");
}

int cli_user_create(struct config *config, const struct cli_args *args)
{
	const char *email = cli_option(args, "--email"), *name = cli_option(args, "--name");
	const char *role = cli_option(args, "--role");
	struct cli_command c;
	struct cli_line line;
	char token[INVITATION_SIZE];
	struct uuid ws, id = id_new();
	struct sql *s;

	role = role ? role : "member";
	if (!cli_read_workspace(args, &ws) || !cli_valid_name("--email", email, EMAIL_MAX) ||
	    !cli_valid_name("--name", name, NAME_MAX_USER) || !user_valid_role(role))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	/* The new version makes every running server read the users again. */
	s = cli_command_add(&c);
	sql_begin(s, &c.arena, NULL, &ws);
	sql_add(s,
	    "with w as (update workspaces set version = version + 1 where workspace_id = $1 returning workspace_id) "
	    "insert into users (workspace_id, id, email, full_name, role) select workspace_id, ");
	sql_uuid(s, &id);
	sql_add_textz(s, ", ", email);
	sql_add_textz(s, ", ", name);
	sql_add_textz(s, ", ", role);
	sql_add(s, " from w");
	invitation_token(token);
	s = cli_command_add(&c);
	sql_begin(s, &c.arena, NULL, &ws);
	invitation_insert(
	    s, &(struct invitation_new){
	           .token = token, .user = id, .lasts_ms = config_days_ms(&c.session.config, INVITATION_DAYS)});
	cli_user_tell(&c, EVENT_USER_CREATED, &id);
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	if (db_affected(&c.x, 0) == 0) {
		fprintf(stderr, "kith: there is no such workspace: \"kith workspace list\" shows them\n");
		return cli_command_end(&c, 1);
	}
	user_line(&line, id, email, name, role);
	cli_line_invitation(&line, &c.session.config, token);
	cli_line_print(&line);
	return cli_command_end(&c, 0);
}

/* --- the list ------------------------------------------------------------------------------ */

enum { COL_ID, COL_EMAIL, COL_NAME, COL_ROLE, COL_DISABLED_AT, COL_STOPPED };
#define COLUMNS "u.id, u.email, u.full_name, u.role, u.disabled_at"

static void user_begin_row(struct cli_line *line, const struct cli_command *c, int row)
{
	user_line(line, db_uuid(&c->x, c->n - 1, row, COL_ID), cli_command_text(c, row, COL_EMAIL),
	    cli_command_text(c, row, COL_NAME), cli_command_text(c, row, COL_ROLE));
	cli_line_time(line, "disabledAt", &c->x, c->n - 1, row, COL_DISABLED_AT);
}

int cli_user_list(struct config *config, const struct cli_args *args)
{
	struct cli_command c;
	struct cli_line line;
	struct uuid ws;
	struct sql *s;

	if (!cli_read_workspace(args, &ws))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	s = cli_command_add(&c);
	sql_begin(s, &c.arena, NULL, &ws);
	sql_add(s, "select " COLUMNS " from users u where u.workspace_id = $1 order by u.id");
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	for (int i = 0; i < db_rows(&c.x, 0); i++) {
		user_begin_row(&line, &c, i);
		cli_line_print(&line);
	}
	return cli_command_end(&c, 0);
}

/* --- changes --------------------------------------------------------------------------------- */

/* A change of a user. The command names only the user's id; the statements find the workspace. */
struct user_change {
	const char *name, *role; /* NULL: unchanged */
	bool disable, enable;
	enum event_type event;
};

void cli_user_lock(struct cli_command *c, const struct uuid *user)
{
	struct sql *s = cli_command_add(c);

	sql_begin_system(s, &c->arena, NULL);
	sql_add(s,
	    "update workspaces set version = version + 1 where workspace_id in (select u.workspace_id from users u "
	    "where u.id = ");
	sql_uuid(s, user);
	sql_add(s, ")");
}

/* A webhook sends what its creator may see to an address that its creator chose. So the webhooks of a disabled user
 * become inactive until somebody activates them again. */
static void user_stop_webhooks(struct sql *s)
{
	sql_add(s,
	    ", stopped as (update webhooks w set status = 'inactive', version = w.version + 1, updated_at = now() "
	    "from changed u where w.workspace_id = u.workspace_id and w.created_by = u.id and w.status = 'active' "
	    "returning w.id)");
}

/* The event of a change; a command that changes nothing makes none. */
static void user_tell_change(struct sql *s, const struct user_change *to)
{
	sql_add(s, ", told as (");
	event_user_sql(s, to->event, &event_actor_command);
	sql_add(s, "(select c.workspace_id, c.id, ");
	if (to->disable || to->enable)
		sql_addf(s,
		    "null::json as data from changed c join before b on b.id = c.id where b.disabled_at is %s null",
		    to->enable ? "not" : "");
	else
		sql_add(s,
		    "json_build_object('changes', (select json_agg(json_build_object('path', "
		    "json_build_array(v.path), 'type', 'set', 'value', v.value, 'previous', v.previous) order by "
		    "v.path) from (values ('fullName', c.full_name, b.full_name), ('role', c.role, b.role)) v (path, "
		    "value, previous) where v.value <> v.previous)) as data from changed c join before b on b.id = "
		    "c.id where (c.full_name, c.role) <> (b.full_name, b.role)");
	sql_add(s, ") u)");
}

/* A workspace always keeps an admin who is not disabled. Otherwise nobody could create keys. */
static void user_change(struct cli_command *c, const struct uuid *id, const struct user_change *to)
{
	struct sql *s = cli_command_add(c);

	sql_begin_system(s, &c->arena, NULL);
	sql_add_uuid(s, "with before as (select * from users where id = ", id);
	sql_add(s, "), changed as (update users u set full_name = coalesce(");
	sql_text(s, to->name, to->name ? strlen(to->name) : 0);
	sql_add(s, ", u.full_name), role = coalesce(");
	sql_text(s, to->role, to->role ? strlen(to->role) : 0);
	sql_add(s, ", u.role), updated_at = greatest(now(), u.updated_at + interval '1 microsecond')");
	if (to->disable)
		sql_add(s, ", disabled_at = coalesce(u.disabled_at, now())");
	if (to->enable)
		sql_add(s, ", disabled_at = null");
	sql_add_uuid(s, " where u.id = ", id);
	if (to->disable || (to->role && strcmp(to->role, "member") == 0))
		sql_add(s, " and (u.role <> 'admin' or u.disabled_at is not null or exists (select from users o where "
		           "o.workspace_id = u.workspace_id and o.id <> u.id and o.role = 'admin' and o.disabled_at is "
		           "null))");
	sql_add(s, " returning u.*)");
	if (to->disable)
		user_stop_webhooks(s);
	user_tell_change(s, to);
	sql_addf(s, " select " COLUMNS "%s from changed u",
	    to->disable ? ", array(select id from stopped order by id)" : "");
}

static void user_print_stopped(struct cli_line *line, struct cli_command *c)
{
	struct uuid *ids;
	size_t n = db_uuid_array(&c->x, c->n - 1, 0, COL_STOPPED, &c->arena, &ids);

	json_key(&line->out, "stoppedWebhooks");
	json_begin_array(&line->out);
	for (size_t i = 0; i < n; i++)
		json_id(&line->out, ID_WEBHOOK, &ids[i]);
	json_end_array(&line->out);
}

static int user_update(struct config *config, const struct cli_args *args, const struct user_change *to)
{
	struct cli_command c;
	struct cli_line line;
	struct uuid id;

	if (!cli_read_id("ID", ID_USER, args->words[1], &id))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	c.tells = c.notifies = true;
	cli_user_lock(&c, &id);
	user_change(&c, &id, to);
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	if (db_rows(&c.x, 1) == 0) {
		fprintf(stderr, db_affected(&c.x, 0) == 0
		                    ? "kith: there is no such user: \"kith user list --workspace ID\" shows them\n"
		                    : "kith: this is the last admin of the workspace: first make another user an admin "
		                      "with \"kith user update ID --role admin\"\n");
		return cli_command_end(&c, 1);
	}
	user_begin_row(&line, &c, 0);
	if (to->disable)
		user_print_stopped(&line, &c);
	cli_line_print(&line);
	return cli_command_end(&c, 0);
}

int cli_user_update(struct config *config, const struct cli_args *args)
{
	struct user_change to = {
	    .name = cli_option(args, "--name"), .role = cli_option(args, "--role"), .event = EVENT_USER_UPDATED};

	if (!to.name && !to.role) {
		fprintf(stderr, "kith: there is nothing to change: give --name or --role\n");
		return 2;
	}
	if ((to.name && !cli_valid_name("--name", to.name, NAME_MAX_USER)) || (to.role && !user_valid_role(to.role)))
		return 2;
	return user_update(config, args, &to);
}

int cli_user_disable(struct config *config, const struct cli_args *args)
{
	return user_update(config, args, &(struct user_change){.disable = true, .event = EVENT_USER_DISABLED});
}

int cli_user_enable(struct config *config, const struct cli_args *args)
{
	return user_update(config, args, &(struct user_change){.enable = true, .event = EVENT_USER_ENABLED});
}
