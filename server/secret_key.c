/* Opens the secret file, the rules for targets and the resolver, which webhooks need. */
#include "server/secret_key.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/loop.h"
#include "server/request/server.h"
#include "store/db_ask.h"
#include "webhook/resolve.h"
#include "webhook/target.h"
#include "webhook/vault.h"

/* The database remembers which key its secrets have. A process with another key would send deliveries that nobody can
 * verify. */
static bool is_the_key(struct server *s, const char *path)
{
	unsigned char mine[VAULT_FINGERPRINT_LEN];
	struct db_ask ask;
	struct sql *sql;
	const char *kept;
	bool asked, same = false;
	size_t len;

	vault_fingerprint(s->vault, mine);
	db_ask_begin(&ask);
	sql = db_ask_add(&ask);
	sql_begin_system(sql, &ask.arena, NULL);
	sql_add(sql, "select kith_vault(");
	sql_bytea(sql, mine, sizeof mine);
	sql_add(sql, ")");
	asked = db_ask_run(&ask, s->db) == DB_OK && db_rows(&ask.x, 0) == 1;
	if (asked) {
		kept = db_text(&ask.x, 0, 0, 0, &len);
		same = len == sizeof mine && memcmp(kept, mine, len) == 0;
	}
	db_ask_end(&ask);
	if (!asked)
		fprintf(stderr, "kith: cannot read from the database which secret file its webhooks' secrets need\n");
	else if (!same)
		fprintf(stderr,
		    "kith: the database's webhook secrets were not encrypted with %s: copy the secret file of the "
		    "other processes of this database, or restore it from a backup; if it is lost, delete the row "
		    "\"vault\" of table server_secrets and rotate the secret of every webhook\n",
		    path);
	return same;
}

bool secret_key_start(struct server *s)
{
	const char *own = s->config->secret_file;
	char path[PATH_MAX + 1]; /* opening the file refuses a path that is too long */
	const char *error = NULL;

	snprintf(path, sizeof path, "%s%s", own ? own : s->config->data_dir, own ? "" : "/secret");
	s->vault = vault_open(path);
	s->target_rules = target_rules_parse(s->config->webhook_allow_targets, &error);
	s->resolver = resolver_new(loop_base(s->loop), NULL);
	if (!s->target_rules)
		fprintf(stderr, "kith: webhook_allow_targets: %s\n", error);
	if (!s->resolver)
		fprintf(stderr, "kith: the resolver of host names does not start\n");
	return s->vault && s->target_rules && s->resolver && is_the_key(s, path);
}

void secret_key_stop(struct server *s)
{
	if (s->resolver)
		resolver_free(s->resolver);
	s->resolver = NULL;
}

void secret_key_free(struct server *s)
{
	free(s->target_rules);
	vault_close(s->vault);
}
