/* kith setup creates in PostgreSQL what database_url names, before there is anything of kith: the login, the roles that
 * it acts as, and the database. Each step first asks whether it is already done, so the command can run again. */
#include <stdio.h>
#include <string.h>

#include "server/base/built_in.h"
#include "server/command/cli.h"
#include "store/db_admin.h"

static const char default_url[] = "host=/var/run/postgresql user=kith dbname=kith";

/* These are the roles of kith_roles() (migrations/0009_row_security.sql), which creates them if the login may. */
static const char *const acting_roles[] = {"kith_serve", "kith_system", "kith_admit", "kith_search"};

enum { ROLES = sizeof acting_roles / sizeof *acting_roles, STEPS_MAX = 2 * ROLES + 5 };

struct installation {
	struct arena arena;
	const char *url;
	struct db_names names;
	struct db_admin *admin; /* NULL: the statements are only printed */
	struct setup_step {
		const char *what;
		const char *done; /* a query that returns a row when the step is done */
		const char *make;
		const char *note; /* for the reader of the statements; NULL: none */
	} steps[STEPS_MAX];
	int n_steps;
};

/* --- the statements ----------------------------------------------------------------------- */

static const char *setup_quote(struct arena *a, const char *text, char mark)
{
	struct buf out;
	const char *quoted;

	buf_init(&out, 1 << 16);
	buf_addc(&out, mark);
	for (; *text; text++) {
		if (*text == mark)
			buf_addc(&out, mark);
		buf_addc(&out, *text);
	}
	buf_addc(&out, mark);
	quoted = arena_dup(a, out.data, out.len);
	buf_free(&out);
	return quoted;
}

static struct setup_step *setup_add(struct installation *s, const char *what, const char *done, const char *make)
{
	s->steps[s->n_steps] = (struct setup_step){.what = what, .done = done, .make = make};
	return &s->steps[s->n_steps++];
}

static void setup_add_role(struct installation *s, const char *role, const char *how)
{
	struct arena *a = &s->arena;

	setup_add(s, arena_printf(a, "role %s", role),
	    arena_printf(a, "select 1 from pg_roles where rolname = %s", setup_quote(a, role, '\'')),
	    arena_printf(a, "create role %s %s", setup_quote(a, role, '"'), how));
}

/* From version 16 on, acting as a role and inheriting its rights are options of the grant. */
static bool setup_grants_options(const struct installation *s)
{
	return s->admin && db_admin_version(s->admin) >= 160000;
}

static void setup_add_grant(struct installation *s, const char *role, const char *to)
{
	struct arena *a = &s->arena;
	bool options = setup_grants_options(s);
	const char *asked = arena_printf(a, "%s, %s", setup_quote(a, to, '\''), setup_quote(a, role, '\''));

	setup_add(s, arena_printf(a, "%s may act as %s", to, role),
	    options
	        ? arena_printf(a, "select 1 where pg_has_role(%s, 'set') and pg_has_role(%s, 'usage')", asked, asked)
	        : arena_printf(a, "select 1 where pg_has_role(%s, 'member')", asked),
	    arena_printf(a, "grant %s to %s%s", setup_quote(a, role, '"'), setup_quote(a, to, '"'),
	        options ? " with inherit true, set true" : ""));
}

static bool setup_add_login(struct installation *s, char message[DB_ADMIN_MESSAGE])
{
	const struct db_names *n = &s->names;
	const char *how = "login", *stored;

	if (n->password && s->admin) {
		stored = db_admin_password(s->admin, n->login, n->password, &s->arena, message);
		if (!stored)
			return false;
		how = arena_printf(&s->arena, "login password %s", setup_quote(&s->arena, stored, '\''));
	}
	setup_add_role(s, n->login, how);
	if (n->password && !s->admin)
		s->steps[s->n_steps - 1].note =
		    arena_printf(&s->arena, "with the password of database_url; in psql: \\password %s", n->login);
	return true;
}

static bool setup_collect(struct installation *s, char message[DB_ADMIN_MESSAGE])
{
	const struct db_names *n = &s->names;
	struct arena *a = &s->arena;

	if (!setup_add_login(s, message))
		return false;
	for (int i = 0; i < ROLES; i++)
		setup_add_role(s, acting_roles[i], "nologin");
	for (int i = 0; i < ROLES; i++)
		setup_add_grant(s, acting_roles[i], n->login);
	/* An administrator who is not a superuser may create a database only for a role that he may act as. From
	 * version 16 on, having created the role is not enough for that. */
	setup_add(s, arena_printf(a, "the administrator may act as %s", n->login),
	    arena_printf(a, "select 1 where pg_has_role(%s, '%s')", setup_quote(a, n->login, '\''),
	        setup_grants_options(s) ? "set" : "member"),
	    arena_printf(a, "grant %s to current_user", setup_quote(a, n->login, '"')))
	    ->note = "a superuser does not need this";
	setup_add(s, arena_printf(a, "database %s", n->database),
	    arena_printf(a, "select 1 from pg_database where datname = %s", setup_quote(a, n->database, '\'')),
	    arena_printf(a, "create database %s owner %s encoding 'UTF8' template template0",
	        setup_quote(a, n->database, '"'), setup_quote(a, n->login, '"')));
	return true;
}

static void setup_print(const struct installation *s)
{
	printf("-- Run these statements as an administrator, connected to the database postgres of the server.\n"
	       "-- A statement fails if what it creates exists already; continue with the next one.\n");
	for (int i = 0; i < s->n_steps; i++)
		printf("%s%s%s%s;\n", s->steps[i].note ? "-- " : "", s->steps[i].note ? s->steps[i].note : "",
		    s->steps[i].note ? "\n" : "", s->steps[i].make);
}

/* --- running the statements --------------------------------------------------------------- */

static bool setup_step_run(struct installation *s, const struct setup_step *step, char message[DB_ADMIN_MESSAGE])
{
	struct cli_line line;
	const char *done;

	if (!db_admin_run(s->admin, step->done, &s->arena, &done, message) ||
	    (!done && !db_admin_run(s->admin, step->make, &s->arena, NULL, message)))
		return false;
	cli_line_begin(&line);
	cli_line_member(&line, "what", step->what);
	cli_line_member(&line, "state", done ? "exists" : "created");
	cli_line_print(&line);
	return true;
}

/* Checks for problems that none of our statements can fix. */
static bool setup_check(struct installation *s, char message[DB_ADMIN_MESSAGE])
{
	const char *const values[] = {s->names.login, s->names.database, NULL};
	const char *found;

	if (!db_admin_ask(s->admin, built_in_text("cli_setup problems"), values, &s->arena, &found, message))
		return false;
	if (found)
		snprintf(message, DB_ADMIN_MESSAGE, "%s", found);
	return !found;
}

static bool setup_run(struct installation *s, char message[DB_ADMIN_MESSAGE])
{
	for (int i = 0; i < s->n_steps; i++)
		if (!setup_step_run(s, &s->steps[i], message))
			return false;
	return setup_check(s, message);
}

static bool setup_connect(struct installation *s, const char *admin, char message[DB_ADMIN_MESSAGE])
{
	s->admin = db_admin_open(admin ? admin : s->url, admin ? NULL : "postgres", message);
	if (!s->admin)
		fprintf(stderr,
		    "kith: cannot connect as an administrator: %s\n"
		    "kith: run this command as root or postgres on PostgreSQL's machine, give an administrator's "
		    "connection with --admin, or ask an administrator to run the statements of \"kith setup "
		    "--print\"\n",
		    message);
	return s->admin != NULL;
}

static int setup_do(struct installation *s, const struct cli_args *args, const char *configured)
{
	char message[DB_ADMIN_MESSAGE] = "";
	bool print = cli_option(args, "--print") != NULL;

	if (!print && !setup_connect(s, cli_option(args, "--admin"), message))
		return 1;
	if (!setup_collect(s, message) || (!print && !setup_run(s, message))) {
		fprintf(stderr, "kith: %s\n", message);
		return 1;
	}
	if (print)
		setup_print(s);
	if (!configured)
		fprintf(stderr, "kith: put this into the settings (--config FILE): database_url = %s\n", s->url);
	else if (!print)
		fprintf(
		    stderr, "kith: the tables are made by \"kith migrate\", which the service runs when it starts\n");
	return 0;
}

int cli_setup(struct config *config, const struct cli_args *args)
{
	struct installation s = {.url = config->database_url ? config->database_url : default_url};
	int status = 2;

	arena_init(&s.arena);
	if (!db_names_read(s.url, &s.arena, &s.names)) {
		fprintf(stderr, "kith: database_url is not a connection string: use "
		                "postgresql://user:password@host:port/database or \"host=... dbname=...\"\n");
	} else {
		s.names.login = s.names.login ? s.names.login : "kith";
		s.names.database = s.names.database ? s.names.database : s.names.login;
		status = setup_do(&s, args, config->database_url);
	}
	db_admin_close(s.admin);
	arena_free(&s.arena);
	return status;
}
