/* make soak: everything at once for a while, on a clock that makes days pass in minutes, while everything is ended and
 * started again; then what is kept is compared with what was told. See README.md.
 *   SOAK_SECONDS=1800   of load
 *   SOAK_SCALE=1440     clock_scale: a day a minute
 *   SOAK_CLIENTS=5      of all routes
 *   SOAK_PAUSE_MS=10    before each of their requests
 *   SOAK_FAULT_S=20     between two faults
 *   SOAK_PORT=25000     of the first server; the second has the next one
 *   SOAK_PROVE=1        then damages what is kept, once for each check: it must see it */
#include "test/soak/soak.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "server/base/clock.h"
#include "test/soak/soak_check.h"
#include "test/soak/soak_copy.h"
#include "test/soak/receiving.h"
#include "test/soak/ledger.h"
#include "test/soak/soak_log.h"

/* Longer than a delivery is tried. */
enum { RETENTION_MIN = 4, RETENTION_MAX = 7 };
enum { DAY_MS = 24 * 60 * 60 * 1000, LINE_S = 10 };

struct soak soak;

int64_t soak_days_ms(int days)
{
	return (int64_t)days * DAY_MS / soak.scale;
}

void soak_pause(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000}, NULL);
}

bool soak_rest(int ms)
{
	for (int64_t until_ms = clock_now_ms() + ms; clock_now_ms() < until_ms && !atomic_load(&soak.stop);)
		soak_pause(50);
	return !atomic_load(&soak.stop);
}

static void soak_settings(void)
{
	soak.seconds = rig_setting("SOAK_SECONDS", 1800);
	soak.scale = rig_setting("SOAK_SCALE", 1440);
	soak.clients = rig_setting("SOAK_CLIENTS", 5);
	soak.pause_ms = rig_setting("SOAK_PAUSE_MS", 10);
	soak.fault_s = rig_setting("SOAK_FAULT_S", 20);
	soak.port = rig_setting("SOAK_PORT", 25000);
	/* A quarter of the days that pass, so that most of them end. */
	soak.retention = soak.seconds * 1000LL / soak_days_ms(1) / 4;
	soak.retention = soak.retention < RETENTION_MIN   ? RETENTION_MIN
	                 : soak.retention > RETENTION_MAX ? RETENTION_MAX
	                                                  : soak.retention;
}

static void make_spaces(void)
{
	static const char *const names[SOAK_SPACES] = {"", "second", "third"};

	for (int i = 0; i < SOAK_SPACES; i++) {
		struct soak_space *s = &soak.spaces[i];
		s->admin = i ? rig_stranger(&soak.rig, names[i]) : soak.rig.ada;
		s->workspace = database_text(soak.rig.program, &soak.rig.arena,
		    arena_printf(&soak.rig.arena, "select workspace_id from users where id = '%s'", s->admin.id + 4));
		snprintf(s->mark, sizeof s->mark, "soak%dmark", i);
	}
}

static void soak_line(void)
{
	char line[256];

	measure_line(line, sizeof line);
	printf(
	    "soak: %lld s: %lld requests, %lld writes, %lld replays, %d rounds, %d faults, %lld kept in mind, %s, %d "
	    "found\n",
	    (long long)(clock_now_ms() - soak.began_ms) / 1000, atomic_load(&soak.requests), atomic_load(&soak.writes),
	    atomic_load(&soak.replays), atomic_load(&soak.rounds), outage_count(), ledger_count(), line,
	    finding_count());
}

/* The main thread's part of the load. */
static void soak_wait(void)
{
	for (int s = 1; clock_now_ms() - soak.began_ms < soak.seconds * 1000LL; s++) {
		soak_pause(1000);
		receiving_turn();
		if (s % soak.fault_s == 0)
			fault_turn();
		if (s % LINE_S == 0) {
			copy_sample();
			soak_line();
		}
	}
	soak_line();
	atomic_store(&soak.stop, true);
}

static void soak_load(void)
{
	soak.began_ms = clock_now_ms();
	load_begin();
	keyed_begin();
	tools_begin();
	measure_begin();
	soak_wait();
	load_end();
	keyed_end();
	tools_end();
	measure_end();
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	rig_open(&soak.rig, "soak", true);
	soak_settings();
	make_spaces();
	printf("soak: %d s of load, in which %.1f days pass; events are kept for %d of them\n", soak.seconds,
	    soak.seconds * 1000.0 / (double)soak_days_ms(1), soak.retention);
	check_prepare();
	for (int i = 0; i < SOAK_SIDES; i++)
		side_start(i);
	ledger_open();
	receiving_begin();
	listen_begin();
	soak_load();
	printf("soak: the load has ended\n");
	receiving_end();
	listen_end();
	check_running();
	for (int i = 0; i < SOAK_SIDES; i++)
		side_end(i, false);
	check_stopped();
	receiving_free();
	ledger_close();
	ledger_store();
	outage_store();
	check_all();
	printf("soak: %lld requests, %lld writes, %lld replays, %lld dry runs, %lld limited, %lld lost in outages, %d "
	       "imports, %d exports, %d calls of tools\n",
	    atomic_load(&soak.requests), atomic_load(&soak.writes), atomic_load(&soak.replays),
	    atomic_load(&soak.dry_runs), atomic_load(&soak.limited), atomic_load(&soak.lost),
	    atomic_load(&soak.imports), atomic_load(&soak.exports), atomic_load(&soak.calls));
	fault_print();
	receiving_print();
	log_print();
	finding_print();
	int found = finding_count();
	printf(found ? "soak: FAILED, %d deviations\n" : "soak: passed\n", found);
	rig_close(&soak.rig);
	return found ? 1 : 0;
}
