/* kith demo creates a workspace to try things with, only once, and a working key. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/apikey.h"
#include "server/base/crypto.h"
#include "server/command/cli.h"
#include "server/command/demo_data.h"
#include "server/pages/asset.h"
#include "server/embedded/command_session.h"
#include "store/invitations.h"
#include "store/keys.h"

struct demo {
	struct session session;
	struct arena arena;
	struct db_exchange x;
	struct uuid workspace, user;
};

/* False with a message on stderr. */
static bool demo_query(struct demo *d, struct sql **statements, int n)
{
	if (session_query(&d->session, &d->x, DB_WORK, statements, n))
		return true;
	session_say_failed(&d->x, "the demo workspace was not created");
	return false;
}

/* Finds the demo workspace of an earlier run, and its first user. */
static bool demo_find(struct demo *d, bool *found)
{
	struct sql s, *list[] = {&s};

	sql_begin_system(&s, &d->arena, NULL);
	sql_add(&s, "select w.workspace_id, u.id from workspaces w join users u on u.workspace_id = w.workspace_id "
	            "where w.name = ");
	sql_textz(&s, DEMO_NAME);
	sql_add(&s, " and u.email = ");
	sql_textz(&s, DEMO_EMAIL);
	sql_add(&s, " order by w.workspace_id limit 1");
	if (!demo_query(d, list, 1))
		return false;
	*found = db_rows(&d->x, 0) == 1;
	if (*found) {
		d->workspace = db_uuid(&d->x, 0, 0, 0);
		d->user = db_uuid(&d->x, 0, 0, 1);
	}
	return true;
}

static bool demo_make(struct demo *d)
{
	struct sql **statements;
	int n = demo_statements(&d->arena, &statements, &d->workspace, &d->user);

	return demo_query(d, statements, n);
}

/* --- the key --------------------------------------------------------------------------- */

/* The database stores only digests of keys, so the demo's key is kept in a file that only its owner can read. */
static bool demo_read_key(const char *path, char key[APIKEY_SIZE])
{
	FILE *f = fopen(path, "r");
	bool ok;

	if (!f)
		return false;
	ok = fread(key, 1, APIKEY_LEN, f) == APIKEY_LEN;
	fclose(f);
	key[APIKEY_LEN] = '\0';
	return ok && apikey_well_formed(key, APIKEY_LEN);
}

static bool write_key(const char *path, const char *key)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && write(fd, key, APIKEY_LEN) == APIKEY_LEN;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* True when the key in the file still belongs to the demo's user. */
static bool key_works(struct demo *d, const char *key)
{
	unsigned char digest[32];
	struct sql s, *list[] = {&s};

	sha256_digest(key, APIKEY_LEN, digest);
	sql_begin(&s, &d->arena, NULL, &d->workspace);
	sql_add(&s, "select 1 from api_keys where workspace_id = $1 and revoked_at is null and key_hash = ");
	sql_bytea(&s, digest, sizeof digest);
	return demo_query(d, list, 1) && db_rows(&d->x, 0) == 1;
}

static bool new_key(struct demo *d, char key[APIKEY_SIZE])
{
	struct key_new k = {.id = id_new(), .user = d->user, .key = key, .name = "demo", .scopes = SCOPE_ALL};
	struct sql s, *list[] = {&s};

	apikey_new(key);
	key_create(&s, &d->arena, &k);
	return demo_query(d, list, 1) && db_rows(&d->x, 0) == 1;
}

static bool get_key(struct demo *d, char key[APIKEY_SIZE])
{
	const char *path = arena_printf(&d->arena, "%s/demo.key", d->session.config.data_dir);

	if (demo_read_key(path, key) && key_works(d, key))
		return true;
	if (!new_key(d, key))
		return false;
	mkdir(d->session.config.data_dir, 0755);
	if (!write_key(path, key))
		fprintf(stderr, "kith: the demo key was not saved: %s: %s\n", path, strerror(errno));
	return true;
}

/* --- the link ------------------------------------------------------------------------- */

/* Makes a link that signs in the demo's user, once, in place of an earlier one. */
static bool new_link(struct demo *d, char token[INVITATION_SIZE])
{
	struct sql s, *list[] = {&s};

	invitation_token(token);
	sql_begin(&s, &d->arena, NULL, &d->workspace);
	invitation_insert(&s, &(struct invitation_new){.token = token,
	                          .user = d->user,
	                          .lasts_ms = config_days_ms(&d->session.config, INVITATION_DAYS),
	                          .signs_in = true});
	return demo_query(d, list, 1);
}

static void demo_print(struct demo *d, const char *key, const char *token)
{
	const char *address = d->session.config.listen[0];
	char *link = n_assets ? cli_invitation_link(&d->session.config, token) : NULL;
	struct cli_line line;

	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_WORKSPACE, d->workspace);
	cli_line_member(&line, "name", DEMO_NAME);
	cli_line_member(&line, "key", key);
	if (link)
		cli_line_member(&line, "signInUrl", link);
	cli_line_print(&line);
	if (strncmp(address, "unix:", 5) != 0)
		fprintf(stderr,
		    "\nTry it when \"kith serve\" runs:\n\n  curl -H 'Authorization: Bearer %s' "
		    "'http://%s/v1/people?limit=3'\n\n%s: http://%s/\n\n",
		    key, address,
		    n_assets ? "In a browser (documents and console)"
		             : "In a browser (built without documents and console)",
		    address);
	if (link)
		fprintf(stderr,
		    "This link signs you in to the console, once; \"kith demo\" prints another one:\n\n  %s\n\n"
		    "There, \"My account\" connects phones, calendars and assistants.\n\n",
		    link);
	free(link);
}

int cli_demo(struct config *config, const struct cli_args *args)
{
	struct demo d;
	char key[APIKEY_SIZE], token[INVITATION_SIZE];
	bool found = false, ok;

	(void)args;
	memset(&d, 0, sizeof d);
	arena_init(&d.arena);
	if (!session_open(&d.session, config, false, SESSION_CURRENT))
		return 1;
	ok = demo_find(&d, &found) && (found || demo_make(&d)) && get_key(&d, key) && new_link(&d, token);
	if (ok)
		demo_print(&d, key, token);
	db_exchange_clear(&d.x);
	arena_free(&d.arena);
	session_close(&d.session);
	return ok ? 0 : 1;
}
