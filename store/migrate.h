/* The schema: forward-only migrations with checksums, each in a transaction. */
#ifndef KITH_STORE_MIGRATE_H
#define KITH_STORE_MIGRATE_H

#include <stdbool.h>

#include "store/db.h"

struct migration {
	int level;
	const char *name, *sql;
}; /* compiled in from migrations/NNNN_name.sql, in order */
extern const struct migration migrations[];
extern const int n_migrations;

/* A step that was done; with plan a step that would be done. */
struct migrate_step {
	const struct migration *migration; /* NULL: objects missing in a restored database were created again: */
	const char *roles;                 /* the missing roles, as "kith_admit, kith_serve" */
	int objects; /* number of objects whose grants, policies, views or settings were missing */
};

enum migrate_check {
	MIGRATE_CURRENT,    /* the database is at this program's level */
	MIGRATE_OLDER,      /* run kith migrate */
	MIGRATE_NEWER,      /* made by a newer program */
	MIGRATE_UNRELEASED, /* made before the first release: no migration leads from there */
	MIGRATE_CHANGED,    /* a recorded checksum differs from ours */
	MIGRATE_UNKNOWN     /* could not be determined */
};

/* Compares the database with the compiled-in migrations. *level is the database's, 0 when it has none. Uses the WORK
 * lane; for start-up only. */
enum migrate_check migrate_check(struct db *db, int *level);

/* False with a message for NEWER, UNRELEASED and CHANGED, from which kith cannot migrate. */
bool migrate_possible(enum migrate_check check, int level, char error[512]);

/* Applies missing migrations, each in its own transaction under a session advisory lock, so that two processes may
 * do so at once; in a database of this program's level creates what is missing. Calls report after each step (with
 * plan: instead of applying it; the last one is done and rolled back). False with a message on failure. */
typedef void migrate_report_fn(const struct migrate_step *s, void *ctx);
bool migrate_apply(struct db *db, bool plan, migrate_report_fn *report, void *ctx, char error[512]);
/* The same with any table, for tests. */
bool migrate_apply_table(struct db *db, const struct migration *table, int n, bool plan, migrate_report_fn *report,
    void *ctx, char error[512]);

#endif
