/* What both ends of a copy need. */
#include "server/cell/arrive.h"

#include <stdio.h>
#include <string.h>

#include "server/cell/seal.h"

enum { LOCK_TRIES = 20 };
#define DAY_MS INT64_C(86400000)

struct db_copy *arrive_open(const char *url, const struct uuid *workspace, const char *what)
{
	struct db_copy *c = db_copy_open(url, workspace, what);

	if (!c || db_copy_must(c, "select set_config('kith.moves', 'on', false)"))
		return c;
	db_copy_close(c);
	return NULL;
}

bool arrive_alone(struct db_copy *c, const struct uuid *workspace)
{
	char id[37];

	if (!db_copy_must(
	        c, "select pg_try_advisory_lock(hashtextextended('kith_cell %s', 0))", uuid_format(workspace, id)))
		return false;
	if (strcmp(db_copy_text(c, 0, 0), "t") == 0)
		return true;
	fprintf(stderr, "kith: another command is exporting, importing or moving this workspace: wait until it ends\n");
	return false;
}

bool arrive_print(struct db_copy *c, char out[])
{
	out[0] = '\0';
	if (!db_copy_must(c, "select encode(value, 'hex') from server_secrets where name = 'vault'"))
		return false;
	if (db_copy_rows(c))
		snprintf(out, SEAL_PRINT_SIZE, "%s", db_copy_text(c, 0, 0));
	return true;
}

struct vault *arrive_vault(struct db_copy *c, const char *secret_file)
{
	struct vault *v = vault_open(secret_file);
	char mine[SEAL_PRINT_SIZE];

	if (!v)
		return NULL;
	seal_print(v, mine);
	if (!db_copy_must(c, "set role kith_system; select encode(kith_vault('\\x%s'), 'hex')", mine)) {
		vault_close(v);
		return NULL;
	}
	if (strcmp(db_copy_text(c, 0, 0), mine) == 0 && db_copy_must(c, "set role kith_serve"))
		return v;
	fprintf(stderr,
	    "kith: the webhooks' secrets of that database are not encrypted with %s: name the secret file of its "
	    "servers\n",
	    secret_file);
	vault_close(v);
	return NULL;
}

int64_t arrive_generation(struct db_copy *c)
{
	return db_copy_must(c, "select kith_generation()") ? db_copy_int(c, 0, 0) : 0;
}

bool arrive_in_time(struct db_copy *c, int64_t generation, int days, const char *what)
{
	if (!db_copy_must(c,
	        "select greatest(kith_generation(), floor(extract(epoch from clock_timestamp()) * 1000)::bigint) + "
	        "%lld",
	        (long long)(days * DAY_MS)))
		return false;
	if (generation <= db_copy_int(c, 0, 0))
		return true;
	fprintf(stderr, "kith: %s generation of events, %lld, is in the future\n", what, (long long)generation);
	return false;
}

/* It waits at most two seconds for transactions that write events. */
bool arrive_after(struct db_copy *c, int64_t generation)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (db_copy_run(c, "select kith_generation_after(%lld)", (long long)generation))
			return true;
		if (strcmp(db_copy_state(c), "55P03") != 0)
			break;
	}
	return db_copy_say(c);
}
