/* The checks of `kith doctor` on the schema: its level, rights, primary keys and indexes. */
#include "server/command/doctor.h"

#include <ctype.h>
#include <string.h>

#include "store/migrate.h"

/* --- the schema --------------------------------------------------------------------------- */

void doctor_level(struct doctor *d)
{
	char error[512] = "";
	enum migrate_check check = migrate_check(d->session.db, &d->level);

	if (d->level == 0)
		doctor_query(d, "doctor elsewhere");
	if (d->found)
		return;
	if (!migrate_possible(check, d->level, error))
		doctor_found(d, "use the version of kith that the message names", "%s", error);
	else if (check != MIGRATE_CURRENT)
		doctor_found(
		    d, "kith migrate", "the database is at level %d, this program needs %d", d->level, n_migrations);
}

static void doctor_step(const struct migrate_step *s, void *ctx)
{
	struct doctor *d = ctx;

	if (s->migration)
		return;
	doctor_found(d, "kith migrate",
	    "%d objects lack rights, policies or views%s%s, as after a restore into another cluster", s->objects,
	    *s->roles ? ", and the cluster lacks the roles " : "", s->roles);
}

/* Makes a plan for the migration and rolls it back. */
void doctor_rights(struct doctor *d)
{
	char error[512] = "";

	if (!migrate_apply(d->session.db, true, doctor_step, d, error))
		doctor_found(d, "kith migrate, which says what is missing", "%s", error);
}

/* --- indexes ------------------------------------------------------------------------------ */

struct index_name {
	const char *name, *statement;
	size_t len, statement_len;
};

enum { INDEXES_MAX = 256, MIGRATIONS_MAX = 256 };

static const char *skip_word(const char *at, const char *word)
{
	size_t len = strlen(word);

	return strncmp(at, word, len) == 0 ? at + len : at;
}

static size_t name_span(const char *at)
{
	size_t n = 0;

	while (islower((unsigned char)at[n]) || isdigit((unsigned char)at[n]) || at[n] == '_')
		n++;
	return n;
}

/* Reads "create [unique] index NAME on" or "drop index [if exists] NAME" at the start of a line. */
static size_t index_read(const char *line, struct index_name names[INDEXES_MAX], size_t n)
{
	bool drop = strncmp(line, "drop index ", 11) == 0;
	const char *at = drop ? skip_word(line + 11, "if exists ") : skip_word(line, "create ");
	size_t len;

	if (!drop) {
		if (at == line || strncmp(at = skip_word(at, "unique "), "index ", 6) != 0)
			return n;
		at += 6;
	}
	len = name_span(at);
	for (size_t i = 0; i < n; i++)
		if (names[i].len == len && memcmp(names[i].name, at, len) == 0)
			names[i--] = names[--n];
	if (!drop && len && strncmp(at + len, " on ", 4) == 0 && n < INDEXES_MAX)
		names[n++] = (struct index_name){at, line, len, strcspn(line, ";")};
	return n;
}

/* Checks the indexes that the migrations created and did not drop again. The advice is the statement that creates the
 * index. */
void doctor_indexes(struct doctor *d)
{
	struct index_name names[INDEXES_MAX];
	const char *items[INDEXES_MAX];
	size_t lens[INDEXES_MAX], n = 0;
	struct db_ask ask;
	struct sql *sql = doctor_ask_begin(&ask);

	for (int i = 0; i < n_migrations; i++)
		for (const char *line = migrations[i].sql; line; line = strchr(line, '\n'), line += line != NULL)
			n = index_read(line, names, n);
	for (size_t i = 0; i < n; i++)
		items[i] = names[i].name, lens[i] = names[i].len;
	sql_text_array(sql, items, lens, n);
	sql_built_in(sql, "doctor indexes");
	if (doctor_ask(d, &ask))
		for (int i = 0; i < db_rows(&ask.x, 0); i++) {
			const struct index_name *missing = &names[db_int(&ask.x, 0, i, 0)];
			doctor_found(d, arena_dup(&d->arena, missing->statement, missing->statement_len),
			    "the index %.*s is missing", (int)missing->len, missing->name);
		}
	db_ask_end(&ask);
}

void doctor_keys(struct doctor *d)
{
	const char *items[MIGRATIONS_MAX];
	size_t lens[MIGRATIONS_MAX], n = 0;
	struct db_ask ask;
	struct sql *sql = doctor_ask_begin(&ask);

	for (; n < (size_t)n_migrations && n < MIGRATIONS_MAX; n++)
		items[n] = migrations[n].sql, lens[n] = strlen(items[n]);
	sql_text_array(sql, items, lens, n);
	sql_built_in(sql, "doctor primary keys");
	doctor_findings(d, &ask);
}
