/* Election of the sending process. The sender holds an advisory lock on its signal connection and has raised the term.
 * Every transaction that it writes checks the term. So writes of a process that has lost the lock without noticing it
 * are refused.
 *
 * When the connection breaks, the sender tries to get the lock back. If no other process has raised the term meanwhile,
 * its state in memory is still valid, and nothing is sent twice. */
#include "server/base/clock.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

static void lead_raise_term(struct dispatcher *d);

static struct sql *lead_begin(struct dispatcher *d, const char *name)
{
	struct sql *s;

	db_ask_begin(&d->lead_ask);
	s = db_ask_add(&d->lead_ask);
	sql_begin_system(s, &d->lead_ask.arena, name);
	return s;
}

static void lead_ask(struct dispatcher *d, enum db_lane lane, void (*done)(struct db_exchange *x))
{
	db_ask_send(&d->lead_ask, d->config.db, lane, done, d);
}

void dispatch_lead_lost(struct dispatcher *d)
{
	if (d->term)
		log_info("dispatch", "another process delivers webhooks now");
	d->lead = LEAD_NOT;
	d->term = 0;
	d->generation = 0;
	dispatch_write_forget(d);
	hooks_discard(d);
}

static void term_raised(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	bool ok = x->status == DB_OK, mine = ok && db_rows(x, 0) == 1;
	int64_t term = mine ? db_int(x, 0, 0, 0) : 0;

	db_ask_end(&d->lead_ask);
	if (mine) {
		d->lead = LEAD_YES;
		d->term = term;
		dispatch_poll_restart(d);
		dispatch_at(d, clock_mono_us()); /* webhooks in memory continue */
		log_info("dispatch", "this process delivers webhooks, term %lld", (long long)term);
	} else if (ok && d->term) {
		uint64_t generation = d->generation;
		dispatch_lead_lost(d);
		d->generation = generation;
		if (!d->stopping) {
			lead_raise_term(d);
			return;
		}
	} else {
		d->lead = LEAD_NOT;
		d->lead_us = clock_mono_us() + LEAD_MS * 1000;
	}
	dispatch_run(d);
}

/* A process that had a term before gets one only if no other process has had one since. */
static void lead_raise_term(struct dispatcher *d)
{
	struct sql *s = lead_begin(d, d->term ? "dispatch_term_again" : "dispatch_term");

	d->lead = LEAD_RAISING;
	sql_add(s, "update dispatcher_term set term = term + 1");
	if (d->term) {
		sql_add(s, " where term = ");
		sql_int8(s, d->term);
	}
	sql_add(s, " returning term");
	lead_ask(d, DB_WORK, term_raised);
}

static void lock_asked(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	bool mine = x->status == DB_OK && db_bool(x, 0, 0, 0);
	uint64_t generation = x->generation;

	db_ask_end(&d->lead_ask);
	if (mine) {
		d->generation = generation;
		lead_raise_term(d);
		return;
	}
	dispatch_run(d);
}

void dispatch_lead_run(struct dispatcher *d)
{
	uint64_t there = db_signal_generation(d->config.db);
	struct sql *s;

	if (d->lead == LEAD_YES && d->generation != there) {
		d->lead = LEAD_NOT;
		d->generation = 0;
		d->lead_us = 0;
	}
	if (d->lead != LEAD_NOT || d->lead_ask.busy || d->stopping || there == 0)
		return;
	if (clock_mono_us() < d->lead_us) {
		dispatch_at(d, d->lead_us);
		return;
	}
	if (d->generation == there) {
		lead_raise_term(d);
		return;
	}
	d->lead_us = clock_mono_us() + LEAD_MS * 1000;
	dispatch_at(d, d->lead_us);
	s = lead_begin(d, "dispatch_lock");
	sql_add(s, "select pg_try_advisory_lock(hashtextextended('kith_dispatcher', 0))");
	lead_ask(d, DB_SIGNAL, lock_asked);
}
