/* kith workspace export, import and move. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "server/cell/cell.h"
#include "server/command/cli.h"
#include "server/embedded/embedded.h"
#include "server/embedded/command_session.h"

enum { HOLD_S = 5, HOLD_MOST_S = 600, GRACE_MS = 30 * 1000 };

/* This installation's database, while the session is open. */
struct cell_here {
	struct session session;
	struct cell_side side;
	char secret_file[PATH_MAX + 1];
};

static bool here_open(struct cell_here *h, struct config *config)
{
	const char *own = config->secret_file;

	snprintf(h->secret_file, sizeof h->secret_file, "%s%s", own ? own : config->data_dir, own ? "" : "/secret");
	if (!session_open(&h->session, config, false, SESSION_CURRENT))
		return false;
	h->side.url = h->session.embedded ? embedded_url(h->session.embedded) : h->session.config.database_url;
	h->side.secret_file = h->secret_file;
	return true;
}

static int here_close(struct cell_here *h, bool ok)
{
	session_close(&h->session);
	return ok ? 0 : 1;
}

static bool cell_workspace(const struct cli_args *args, struct uuid *out)
{
	const char *id = args->words[1];

	if (id_parse(ID_WORKSPACE, id, strlen(id), out))
		return true;
	fprintf(stderr, "kith: ID must be an id such as wsp_01234567-89ab-7cde-8f01-23456789abcd\n");
	return false;
}

static void cell_print(
    const struct uuid *workspace, const struct cell_report *report, const char *key, const char *value)
{
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_WORKSPACE, *workspace);
	json_add_int(&line.out, "rows", report->rows);
	if (key)
		cli_line_member(&line, key, value);
	if (report->held_ms)
		json_add_int(&line.out, "heldMs", report->held_ms);
	cli_line_print(&line);
}

int cli_workspace_export(struct config *config, const struct cli_args *args)
{
	const char *path = cli_option(args, "-o");
	struct file_key key;
	struct cell_report report;
	struct cell_here here;
	struct uuid ws;
	bool ok;

	if (!cell_workspace(args, &ws))
		return 2;
	if (!path) {
		fprintf(stderr, "kith: -o FILE is missing\n");
		return 2;
	}
	if (!file_key_read(&key, cli_option(args, "--file-key")))
		return 2;
	if (!here_open(&here, config))
		return 1;
	ok = cell_export(&here.side, &ws, path, cli_option(args, "--seal"), &key, &report);
	crypto_wipe(&key, sizeof key);
	if (ok)
		cell_print(&ws, &report, "file", path);
	return here_close(&here, ok);
}

int cli_workspace_import(struct config *config, const struct cli_args *args)
{
	struct file_key key;
	struct cell_import how = {.seal = cli_option(args, "--seal"),
	    .key = &key,
	    .trust = cli_option(args, "--trust-file") != NULL,
	    .quiet = cli_option(args, "--webhooks-off") != NULL};
	struct cell_report report;
	struct cell_here here;
	struct uuid ws;
	bool ok;

	if (!file_key_read(&key, cli_option(args, "--file-key")))
		return 2;
	if (!here_open(&here, config))
		return 1;
	ok = cell_import(&here.side, args->words[1], &how, &ws, &report);
	crypto_wipe(&key, sizeof key);
	if (ok)
		cell_print(&ws, &report, NULL, NULL);
	return here_close(&here, ok);
}

/* The address is used as a prefix: clients append the path of their request to it. */
static bool cell_address(const char *address)
{
	size_t len = strlen(address);

	if (cli_is_url(address) && len < CELL_ADDRESS_MAX && address[len - 1] != '/' &&
	    !strpbrk(address, " \t\r\n\"<>?#"))
		return true;
	fprintf(stderr,
	    "kith: --address is the other cell's address for clients, such as https://cell2.example.org, without a "
	    "slash at its end\n");
	return false;
}

static bool cell_hold(const struct cli_args *args, int *ms)
{
	int s = HOLD_S;

	if (!cli_read_seconds(args, "--hold", HOLD_MOST_S, &s))
		return false;
	*ms = s * 1000;
	return true;
}

int cli_workspace_move(struct config *config, const struct cli_args *args)
{
	struct cell_move m = {.address = cli_option(args, "--address"),
	    .to = {cli_option(args, "--to"), cli_option(args, "--to-secret-file")},
	    .grace_ms = (int)config_scaled_ms(config, GRACE_MS)};
	struct cell_report report;
	struct cell_here here;
	bool ok;

	if (!cell_workspace(args, &m.workspace) || !cell_address(m.address) || !cell_hold(args, &m.hold_ms))
		return 2;
	if (!here_open(&here, config))
		return 1;
	m.from = here.side;
	ok = cell_move(&m, &report);
	if (ok)
		cell_print(&m.workspace, &report, "movedTo", m.address);
	return here_close(&here, ok);
}

int cli_workspace_move_cancel(struct config *config, const struct cli_args *args)
{
	struct cell_report report = {0};
	struct cell_here here;
	struct uuid ws;
	bool ok;

	if (!cell_workspace(args, &ws))
		return 2;
	if (!here_open(&here, config))
		return 1;
	ok = cell_move_cancel(&here.side, &ws);
	if (ok)
		cell_print(&ws, &report, NULL, NULL);
	return here_close(&here, ok);
}
