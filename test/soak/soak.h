/* The soak test: the parts of one program, and what they share. Threads write, read, receive and break things for a
 * while; then what is kept is checked (soak_check.h). README.md tells what is done and found out. */
#ifndef KITH_TEST_SOAK_SOAK_H
#define KITH_TEST_SOAK_SOAK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "test/lib/rig.h"

enum { SOAK_SPACES = 3, SOAK_MARK = 16 };

/* A workspace. */
struct soak_space {
	const char *workspace; /* its UUID */
	struct test_user admin;
	char mark[SOAK_MARK]; /* in texts of its records, and in no other workspace's */
};

struct soak {
	struct rig rig;
	int seconds; /* of load */
	int scale;   /* clock_scale */
	int clients; /* of all routes */
	int pause_ms;
	int fault_s;   /* between two faults */
	int port;      /* of the first server; that of the second follows */
	int retention; /* days of events */
	/* The load; everything up to there was delivered; the servers. */
	int64_t began_ms, ended_ms, drained_ms, stopped_ms;
	struct soak_space spaces[SOAK_SPACES];
	atomic_bool stop;                                                /* the load ends */
	atomic_llong requests, writes, replays, dry_runs, limited, lost; /* lost: refused or unanswered in an outage */
	atomic_int rounds, imports, exports, calls;
};
extern struct soak soak;

/* Days of the scaled clock in milliseconds. */
int64_t soak_days_ms(int days);
void soak_pause(int ms);
/* The same in small pieces; false when the load ends. */
bool soak_rest(int ms);

/* --- outage.c: what was wrong, and when something may be ---------------------------------------- */

/* Prints a deviation from what is promised, and counts it. The first of each kind are shown. */
void finding_add(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
int finding_count(void);
void finding_print(void);

/* The time between the two, and some seconds after it, in which requests may fail. */
void outage_begin(void);
void outage_end(void);
/* Whether any of it lies between these times, in milliseconds since 1970. */
bool outage_between(int64_t from_ms, int64_t to_ms);
/* The same, of those in which the database lost its unlogged tables. */
void outage_of_crash(void);
bool outage_crash_between(int64_t from_ms, int64_t to_ms);
int outage_count(void);
/* Stores them as soak.outages (from_ms, to_ms). */
void outage_store(void);

/* --- side.c: two servers, started and ended -------------------------------------------------------- */

enum { SOAK_SIDES = 2 };

void side_start(int i);
void side_end(int i, bool killed);
/* The current address of a server, in a buffer of the thread. */
const char *side_base(int i);
/* How often a server was started, and its process: 0 while there is none. */
int side_generation(int i);
pid_t side_pid(int i);

/* --- threads --------------------------------------------------------------------------------------- */

/* Each begins its threads; the others wait for their end, when soak.stop is set. */
void load_begin(void);
void load_end(void);
void keyed_begin(void);
void keyed_end(void);
void listen_begin(void);
void listen_end(void); /* once all events were heard, or it takes too long */
void tools_begin(void);
void tools_end(void);
void measure_begin(void);
void measure_end(void); /* and judges */

/* --- soak_fault.c ------------------------------------------------------------------------------------- */

/* Ends something, and waits until it is back. For the main thread: servers end with the thread that started them. */
void fault_turn(void);
void fault_print(void);

/* One line of the current state. */
void measure_line(char *out, size_t size);

#endif
