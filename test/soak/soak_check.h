/* The comparison of what is kept with what was told, when the load has ended. */
#ifndef KITH_TEST_SOAK_SOAK_CHECK_H
#define KITH_TEST_SOAK_SOAK_CHECK_H

/* Before the first server: days that are long over, which have to go. */
void check_prepare(void);
/* While the servers still run, and background work may end. */
void check_running(void);
/* They have just ended. */
void check_stopped(void);
void check_all(void);

/* A statement that counts violations, and one that makes some. */
struct check_rule {
	const char *what, *sql, *damage;
};
/* The rules of one kind, which end with an empty one. */
extern const char check_missing[]; /* a statement whose text tells which events webhooks did not get */
extern const struct check_rule check_rows[], check_events[], check_deliveries[], check_storage[];

#endif
