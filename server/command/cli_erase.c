/* kith erase removes a person completely, searches for what remains of one, and lists who was erased. */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/command/cli.h"
#include "server/operate/erase.h"

enum { FILE_MAX = 1 << 20, VALUE_MIN = 3, SECONDS_MAX = 24 * 60 * 60 };

struct cli_erasing {
	struct session session;
	struct arena arena;
	struct remains remains;
	struct erase erase;
	bool given;         /* --workspace was given */
	const char *values; /* the values of --values as a JSON array; NULL: not given */
};

/* --- arguments ---------------------------------------------------------------------------- */

static bool erase_refuse_values(const char *why)
{
	fprintf(stderr, "kith: --values %s\n", why);
	return false;
}

/* Each line is one value; blank lines are skipped. */
static bool erase_take_values(struct cli_erasing *c, char *text)
{
	struct json_out out;
	struct buf list;
	char *rest = text;
	bool good = true;
	int n = 0;

	buf_init(&list, FILE_MAX * 7);
	json_out_init(&out, &list);
	json_begin_array(&out);
	for (char *line; good && (line = strsep(&rest, "\r\n"));) {
		if (!*line)
			continue;
		good = text_utf8_valid(line, strlen(line)) && text_code_points(line, strlen(line)) >= VALUE_MIN &&
		       ++n <= REMAINS_VALUES_MAX;
		json_string(&out, line);
	}
	json_end_array(&out);
	c->values = arena_dup(&c->arena, list.data, list.len);
	buf_free(&list);
	return (good && n) || erase_refuse_values("must be at most 50 lines of UTF-8, each of 3 characters or more");
}

/* The values of a person are never arguments, because other users of the machine can see arguments. */
static bool erase_read_values(struct cli_erasing *c, const char *path)
{
	FILE *f = !path ? NULL : strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	char *text = arena_alloc(&c->arena, FILE_MAX + 1);
	size_t len;

	if (!path)
		return true;
	if (!f)
		return erase_refuse_values(strerror(errno));
	len = fread(text, 1, FILE_MAX + 1, f);
	if (f != stdin)
		fclose(f);
	if (len > FILE_MAX || strlen(text) != len)
		return erase_refuse_values("must be a text of at most 1 MiB");
	return erase_take_values(c, text);
}

static bool erase_read_time(struct cli_erasing *c, const struct cli_args *args)
{
	int s = 0;

	if (!cli_read_seconds(args, "--max-seconds", SECONDS_MAX, &s))
		return false;
	c->remains.until_us = s ? clock_mono_us() + s * INT64_C(1000000) : 0;
	return true;
}

static bool erase_read_reason(struct cli_erasing *c, const struct cli_args *args)
{
	const struct passwd *who = getpwuid(getuid());
	const char *by = cli_option(args, "--by");

	c->erase.reason = cli_option(args, "--reason");
	c->erase.by = by ? by : who ? who->pw_name : "unknown";
	return cli_valid_name("--reason", c->erase.reason, ERASE_REASON_MAX) &&
	       cli_valid_name("--by", c->erase.by, ERASE_REASON_MAX);
}

/* --- output ------------------------------------------------------------------------------- */

static void erase_found(void *ctx, const struct remains_found *f)
{
	struct cli_line line;
	struct uuid workspace;

	(void)ctx;
	cli_line_begin(&line);
	cli_line_member(&line, "found", f->what);
	cli_line_member(&line, "table", f->table);
	cli_line_member(&line, "column", f->column);
	json_add_int(&line.out, "rows", f->rows);
	if (f->workspace && uuid_parse(f->workspace, strlen(f->workspace), &workspace))
		cli_line_id(&line, "workspace", ID_WORKSPACE, workspace);
	if (f->records && f->records->type == JSON_ARRAY) {
		json_key(&line.out, "records");
		json_value(&line.out, f->records);
	}
	cli_line_print(&line);
}

static void erase_report(const struct cli_erasing *c, bool erased)
{
	const struct remains *r = &c->remains;
	struct cli_line line;

	cli_line_begin(&line);
	if (r->ids)
		cli_line_id(&line, "id", ID_PERSON, c->erase.person);
	if (r->workspace)
		cli_line_id(&line, "workspace", ID_WORKSPACE, c->erase.workspace);
	if (erased) {
		cli_line_member(&line, "erasedAt", c->erase.erased_at);
		json_add_int(&line.out, "events", c->erase.events);
		json_add_int(&line.out, "answers", c->erase.answers);
		json_add_int(&line.out, "values", c->erase.n_values);
		json_add_int(&line.out, "sharedValues", c->erase.n_shared);
	}
	json_add_int(&line.out, "tables", r->n_tables - r->n_left);
	json_add_int(&line.out, "remains", r->values + r->strays);
	json_add_int(&line.out, "ids", r->kept);
	json_add_int(&line.out, "sealed", r->sealed);
	cli_line_print(&line);
}

/* --- commands ------------------------------------------------------------------------------ */

static int erase_close(struct cli_erasing *c, int status)
{
	db_admin_close(c->remains.admin);
	arena_free(&c->arena);
	session_close(&c->session);
	return status;
}

static bool erase_open(struct cli_erasing *c, struct config *config)
{
	char message[DB_ADMIN_MESSAGE];

	if (!session_open(&c->session, config, false, SESSION_CURRENT)) {
		arena_free(&c->arena);
		return false;
	}
	c->erase.db = c->session.db;
	c->erase.url = session_url(&c->session);
	c->remains.admin = db_admin_open(session_url(&c->session), NULL, message);
	if (c->remains.admin)
		return true;
	fprintf(stderr, "kith: cannot connect to the database: %s\n", message);
	erase_close(c, 1);
	return false;
}

static bool erase_arguments(struct cli_erasing *c, const struct cli_args *args)
{
	const char *workspace = cli_option(args, "--workspace"), *person = cli_option(args, "--person");

	memset(c, 0, sizeof *c);
	arena_init(&c->arena);
	c->given = workspace != NULL;
	c->remains.arena = &c->arena;
	c->remains.found = erase_found;
	c->erase.remains = &c->remains;
	return (!workspace || cli_read_id("--workspace", ID_WORKSPACE, workspace, &c->erase.workspace)) &&
	       (!person || cli_read_id("--person", ID_PERSON, person, &c->erase.person)) && erase_read_time(c, args) &&
	       erase_read_values(c, cli_option(args, "--values"));
}

/* Searches for remains and reports what could not be searched. True when nothing remains. */
static bool erase_look(struct cli_erasing *c, bool *looked)
{
	*looked = remains_look(&c->remains) && remains_statistics(&c->remains);
	if (c->remains.n_left)
		fprintf(stderr, "kith: %d tables were not searched\n", c->remains.n_left);
	if (c->remains.elsewhere)
		fprintf(stderr, "kith: another workspace has these values too. PostgreSQL's statistics cover all "
		                "workspaces, so they were not checked\n");
	if (c->remains.pending)
		fprintf(stderr,
		    "kith: many records refer to the person, and a job of the server is still removing the references. "
		    "Ids are not reported yet: run kith erase --verify --person ID when the job is done\n");
	if (c->remains.sealed)
		fprintf(stderr,
		    "kith: %lld stored answers of webhooks and keys are encrypted and were not searched; they are "
		    "deleted within 24 hours\n",
		    (long long)c->remains.sealed);
	return *looked && c->remains.values + c->remains.strays == 0;
}

/* The note about the erasure is stored, so it must not contain anything of the person. */
static bool erase_reason_fits(struct cli_erasing *c)
{
	const char *text = arena_printf(&c->arena, "%s\n%s", c->erase.reason, c->erase.by), *hit = NULL;

	if (!remains_ask(&c->remains, "erase reason", VALUES(text), &hit))
		return false;
	if (!hit || strcmp(hit, "t") != 0)
		return true;
	fprintf(stderr, "kith: --reason or --by contains one of the person's values, and both are stored: give the "
	                "number of the request or of a ticket instead\n");
	return false;
}

int cli_erase(struct config *config, const struct cli_args *args)
{
	struct cli_erasing c;
	const char *values;
	bool looked, none;

	if (!erase_arguments(&c, args) || !erase_read_reason(&c, args)) {
		arena_free(&c.arena);
		return 2;
	}
	if (!erase_open(&c, config))
		return 1;
	values = erase_find(&c.erase, c.given) ? erase_values(&c.erase, c.values) : NULL;
	if (!values || !remains_prepare(&c.remains, values) || !erase_reason_fits(&c))
		return erase_close(&c, 1);
	if (!erase_run(&c.erase) || !erase_vacuum(&c.erase) || !erase_finish(&c.erase)) {
		fprintf(stderr, "kith: the erasure is not finished: run the same command again\n");
		return erase_close(&c, 1);
	}
	none = erase_look(&c, &looked);
	erase_report(&c, true);
	if (c.erase.n_shared)
		fprintf(
		    stderr, "kith: %d values that other records have too were not searched for\n", c.erase.n_shared);
	if (c.erase.n_values == 0)
		fprintf(stderr, "kith: the database had no values of the person any more, so only the id was searched "
		                "for: give the values with --values FILE\n");
	if (!none)
		fprintf(stderr, "kith: the person is erased%s\n",
		    looked ? "; the lines above name what remains"
		           : ", but the search for remains was not finished: run kith erase --verify --person ID");
	return erase_close(&c, none ? 0 : 1);
}

int cli_erase_verify(struct config *config, const struct cli_args *args)
{
	struct cli_erasing c;
	char id[37];
	bool looked, none;

	if (!erase_arguments(&c, args) || (!c.values && !cli_option(args, "--person"))) {
		fprintf(stderr, "kith: --verify needs --values or --person\n");
		arena_free(&c.arena);
		return 2;
	}
	if (!erase_open(&c, config))
		return 1;
	if (c.given)
		c.remains.workspace = arena_dupz(&c.arena, uuid_format(&c.erase.workspace, id));
	if ((cli_option(args, "--person") && !erase_find(&c.erase, c.given)) ||
	    !remains_prepare(&c.remains, c.values ? c.values : "[]"))
		return erase_close(&c, 1);
	none = erase_look(&c, &looked);
	erase_report(&c, false);
	return erase_close(&c, none ? 0 : 1);
}

int cli_erase_list(struct config *config, const struct cli_args *args)
{
	struct cli_command c;
	struct cli_line line;
	struct sql *s;

	(void)args;
	if (!cli_command_begin(&c, config))
		return 1;
	s = cli_command_add(&c);
	sql_begin_system(s, &c.arena, NULL);
	sql_add(
	    s, "select id, workspace_id, reason, erased_by, erased_at, finished_at from erasures order by erased_at");
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	for (int i = 0; i < db_rows(&c.x, 0); i++) {
		cli_line_begin(&line);
		cli_line_id(&line, "id", ID_PERSON, db_uuid(&c.x, 0, i, 0));
		cli_line_id(&line, "workspace", ID_WORKSPACE, db_uuid(&c.x, 0, i, 1));
		cli_line_member(&line, "reason", cli_command_text(&c, i, 2));
		cli_line_member(&line, "by", cli_command_text(&c, i, 3));
		cli_line_time(&line, "erasedAt", &c.x, 0, i, 4);
		cli_line_time(&line, "finishedAt", &c.x, 0, i, 5);
		cli_line_print(&line);
	}
	return cli_command_end(&c, 0);
}
