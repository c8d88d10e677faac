/* kith key. The text of a key is printed only once, when the key is created. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/text.h"
#include "server/command/cli.h"
#include "store/keys.h"

enum { KEY_NAME_MAX = 255, DAYS_MAX = 36500 };

/* --- arguments ----------------------------------------------------------------------------- */

/* Reads "90d", "24h", "30m" or "45s" as milliseconds. A number without a unit is refused, because its unit is unknown.
 */
static bool key_read_duration(const char *option, const char *text, int64_t *ms)
{
	static const struct {
		char letter;
		int64_t ms;
	} units[] = {{'s', 1000}, {'m', 60 * 1000}, {'h', 60 * 60 * 1000}, {'d', 24 * 60 * 60 * 1000}};
	size_t len = strlen(text);
	uint64_t number;

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (len > 1 && text[len - 1] == units[i].letter && text_uint(text, len - 1, &number) &&
		    number <= (uint64_t)(DAYS_MAX * (units[3].ms / units[i].ms))) {
			*ms = (int64_t)number * units[i].ms;
			return true;
		}
	fprintf(stderr, "kith: %s must be a time such as 90d, 24h, 30m or 45s, at most %dd\n", option, DAYS_MAX);
	return false;
}

static bool key_read_scopes(const char *list, unsigned *scopes)
{
	*scopes = 0;
	for (const char *at = list;; at++) {
		size_t len = strcspn(at, ",");
		unsigned scope = key_scope_parse(at, len);
		if (!scope) {
			fprintf(stderr, "kith: --scope must be a list of read, write, delete and admin, such as "
			                "read,write, or contacts "
			                "or calendar\n");
			return false;
		}
		*scopes |= scope;
		at += len;
		if (!*at)
			return true;
	}
}

static bool key_read_groups(const char *list, struct uuid *groups, size_t *n)
{
	char id[ID_SIZE];

	for (const char *at = list;; at++) {
		size_t len = strcspn(at, ",");
		snprintf(id, sizeof id, "%.*s", (int)(len < sizeof id ? len : 0), at);
		if (*n == KEY_GROUPS_MAX) {
			fprintf(stderr, "kith: --groups takes at most %d groups\n", KEY_GROUPS_MAX);
			return false;
		}
		if (!cli_read_id("--groups", ID_GROUP, id, &groups[*n]))
			return false;
		*n += !uuid_in(groups, *n, &groups[*n]);
		at += len;
		if (!*at)
			return true;
	}
}

/* Reads all options except the user and the text of the key. */
static bool key_read_limits(const struct cli_args *args, struct key_new *k, struct uuid *groups)
{
	const char *name = cli_option(args, "--name"), *scopes = cli_option(args, "--scope");
	const char *in = cli_option(args, "--groups"), *expires = cli_option(args, "--expires");
	bool read_only = cli_option(args, "--read-only") != NULL;

	k->name = name ? name : "";
	k->scopes = read_only ? SCOPE_READ : SCOPE_ALL;
	k->groups = groups;
	if ((*k->name && !cli_valid_name("--name", k->name, KEY_NAME_MAX)) ||
	    (scopes && !key_read_scopes(scopes, &k->scopes)) || (in && !key_read_groups(in, groups, &k->n_groups)) ||
	    (expires && !key_read_duration("--expires", expires, &k->lasts_ms)))
		return false;
	if (read_only && k->scopes != SCOPE_READ) {
		fprintf(stderr, "kith: --read-only is --scope read: leave one of them out\n");
		return false;
	}
	if (key_scopes_wrong(k->scopes)) {
		fprintf(stderr, "kith: --scope: %s\n", key_scopes_wrong(k->scopes));
		return false;
	}
	if (expires && k->lasts_ms == 0) {
		fprintf(stderr, "kith: --expires must be longer than 0\n");
		return false;
	}
	return true;
}

/* --- printing ------------------------------------------------------------------------------ */

static void key_line_limits(struct cli_line *line, unsigned scopes, const struct uuid *groups, size_t n_groups)
{
	json_add_bool(&line->out, "readOnly", scopes == SCOPE_READ);
	json_key(&line->out, "scopes");
	json_begin_array(&line->out);
	for (int i = 0; i < KEY_SCOPES; i++)
		if (scopes & 1U << i)
			json_string(&line->out, key_scope_names[i]);
	json_end_array(&line->out);
	json_key(&line->out, "groups");
	if (n_groups == 0) {
		json_null(&line->out);
		return;
	}
	json_begin_array(&line->out);
	for (size_t i = 0; i < n_groups; i++)
		json_id(&line->out, ID_GROUP, &groups[i]);
	json_end_array(&line->out);
}

/* Where a device uses the key as its password. A calendar's address has the key in it, as in the answers of the API. */
static void key_line_url(struct cli_line *line, const struct config *config, const struct key_new *k)
{
	enum key_kind kind = key_kind_of(k->scopes);
	char *base = cli_server_url(config);
	struct arena arena;

	arena_init(&arena);
	if (kind == KEY_KIND_CONTACTS)
		cli_line_member(line, "url", arena_printf(&arena, "%s/dav/", base));
	else if (kind == KEY_KIND_CALENDAR)
		cli_line_member(line, "url", arena_printf(&arena, "%s/calendar/%s.ics", base, k->key));
	arena_free(&arena);
	free(base);
}

/* --- commands ------------------------------------------------------------------------------- */

int cli_key_create(struct config *config, const struct cli_args *args)
{
	struct uuid groups[KEY_GROUPS_MAX];
	char key[APIKEY_SIZE];
	struct key_new k = {.id = id_new(), .key = key};
	struct cli_command c;
	struct cli_line line;

	if (!cli_read_id("--user", ID_USER, cli_option(args, "--user"), &k.user) || !key_read_limits(args, &k, groups))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	apikey_new(key);
	key_create(cli_command_add(&c), &c.arena, &k);
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	if (db_rows(&c.x, 0) == 0) {
		fprintf(stderr, "kith: there is no such user%s: \"kith user list --workspace ID\" shows them\n",
		    k.n_groups ? ", or not all these groups in their workspace" : "");
		return cli_command_end(&c, 1);
	}
	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_KEY, k.id);
	cli_line_member(&line, "key", key);
	cli_line_member(&line, "name", k.name);
	key_line_limits(&line, k.scopes, k.groups, k.n_groups);
	cli_line_time(&line, "expiresAt", &c.x, 0, 0, KEY_MADE_EXPIRES_AT);
	key_line_url(&line, &c.session.config, &k);
	cli_line_print(&line);
	return cli_command_end(&c, 0);
}

int cli_key_rotate(struct config *config, const struct cli_args *args)
{
	const char *valid_for = cli_option(args, "--valid-for");
	int64_t valid_ms;
	char key[APIKEY_SIZE];
	struct key_new k = {.id = id_new(), .key = key};
	struct cli_command c;
	struct cli_line line;
	struct uuid former;

	if (!cli_read_id("ID", ID_KEY, args->words[1], &former) ||
	    !key_read_duration("--valid-for", valid_for ? valid_for : "24h", &valid_ms))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	apikey_new(key);
	key_rotate(cli_command_add(&c), &c.arena, &k, &former, valid_ms);
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	if (db_rows(&c.x, 0) == 0) {
		fprintf(stderr, "kith: there is no such key, or it was revoked or replaced already: \"kith key list "
		                "--workspace ID\" shows the keys\n");
		return cli_command_end(&c, 1);
	}
	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_KEY, k.id);
	cli_line_member(&line, "key", key);
	cli_line_time(&line, "expiresAt", &c.x, 0, 0, 0);
	cli_line_id(&line, "former", ID_KEY, former);
	cli_line_time(&line, "formerExpiresAt", &c.x, 0, 0, 1);
	cli_line_print(&line);
	return cli_command_end(&c, 0);
}

static void key_print(struct cli_command *c, int row)
{
	struct cli_line line;
	struct uuid *groups;
	size_t n_groups = db_uuid_array(&c->x, 0, row, KEY_GROUPS, &c->arena, &groups);

	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_KEY, db_uuid(&c->x, 0, row, KEY_ID));
	cli_line_member(&line, "kind", cli_command_text(c, row, KEY_KIND_OF));
	cli_line_id(&line, "user", ID_USER, db_uuid(&c->x, 0, row, KEY_USER));
	cli_line_member(&line, "name", cli_command_text(c, row, KEY_NAME));
	cli_line_member(&line, "last4", cli_command_text(c, row, KEY_LAST4));
	key_line_limits(&line, (unsigned)db_int(&c->x, 0, row, KEY_SCOPES_OF), groups, n_groups);
	cli_line_time(&line, "createdAt", &c->x, 0, row, KEY_CREATED_AT);
	cli_line_time(&line, "expiresAt", &c->x, 0, row, KEY_EXPIRES_AT);
	cli_line_time(&line, "rotatedAt", &c->x, 0, row, KEY_ROTATED_AT);
	cli_line_time(&line, "revokedAt", &c->x, 0, row, KEY_REVOKED_AT);
	cli_line_time(&line, "lastUsedAt", &c->x, 0, row, KEY_LAST_USED_AT);
	cli_line_print(&line);
}

int cli_key_list(struct config *config, const struct cli_args *args)
{
	struct cli_command c;
	struct uuid ws;

	if (!cli_read_workspace(args, &ws))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	key_list(cli_command_add(&c), &c.arena, &ws);
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	for (int i = 0; i < db_rows(&c.x, 0); i++)
		key_print(&c, i);
	return cli_command_end(&c, 0);
}

int cli_key_revoke(struct config *config, const struct cli_args *args)
{
	struct cli_command c;
	struct cli_line line;
	struct uuid id;

	if (!cli_read_id("ID", ID_KEY, args->words[1], &id))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	c.notifies = true;
	key_revoke(cli_command_add(&c), &c.arena, &id);
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	if (db_rows(&c.x, 0) == 0) {
		fprintf(stderr, "kith: there is no such key: \"kith key list --workspace ID\" shows them\n");
		return cli_command_end(&c, 1);
	}
	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_KEY, id);
	cli_line_time(&line, "revokedAt", &c.x, 0, 0, 1);
	cli_line_print(&line);
	return cli_command_end(&c, 0);
}
