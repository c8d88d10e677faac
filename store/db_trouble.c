/* Failures that are not the statement's fault are logged, once per second, lane and status, with their number. Also
 * records whether the database refuses writes (its disk is full, say), which an open connection does not reveal. */
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_private.h"

enum {
	LOG_AGAIN_US = 1000 * 1000,
	REFUSING_US = 10 * 1000 * 1000 /* then writes are tried again: only a write can show it */
};

/* 53 resources (disk, memory, connections), 57 operator intervention, 58 system errors, 08 connection errors. */
static bool not_its_fault(const struct db_exchange *x)
{
	return x->status != DB_FAILED || strncmp(x->sqlstate, "53", 2) == 0 || strncmp(x->sqlstate, "57", 2) == 0 ||
	       strncmp(x->sqlstate, "58", 2) == 0 || strncmp(x->sqlstate, "08", 2) == 0;
}

static void trouble_log(struct trouble *t, enum db_lane lane, int64_t now_us)
{
	if (t->n == 0 || now_us - t->logged_us < LOG_AGAIN_US)
		return;
	log_warn("db", "lane %s: %s (%d times)", lane_name(lane), t->text, t->n);
	t->n = 0;
	t->logged_us = now_us;
}

void trouble_note(struct db *db, const struct db_exchange *x)
{
	/* The server has sent no SQLSTATE, so the fitting one is written here. */
	static const char *const texts[] = {
	    [DB_BUSY] = "no connection became free in time, the queue was full, or the request was cancelled",
	    [DB_UNAVAILABLE] = "08001 no connection, or it broke before anything was done",
	    [DB_LOST] = "08006 no answer: the connection broke, or the deadline passed"};
	int64_t now_us = clock_mono_us();
	struct trouble *t = &db->troubles[x->lane][x->status];

	if (x->status == DB_OK || db->closing || !not_its_fault(x))
		return;
	if (x->status == DB_FAILED)
		snprintf(t->text, sizeof t->text, "%s %s", x->sqlstate, x->message);
	else
		snprintf(t->text, sizeof t->text, "%s%s%.200s", texts[x->status], db->healthy ? "" : ": ",
		    db->healthy ? "" : db->away);
	t->n++;
	db->last_trouble[x->lane] = x->status;
	trouble_log(t, x->lane, now_us);
	if (x->status == DB_FAILED && x->lane == DB_WRITE && (x->sqlstate[1] == '3' || x->sqlstate[1] == '8') &&
	    x->sqlstate[0] == '5') {
		db->refused_us = now_us;
		memcpy(db->refused_for, t->text, sizeof db->refused_for);
	}
}

const char *db_trouble(const struct db *db, enum db_lane lane)
{
	return db->troubles[lane][db->last_trouble[lane]].text;
}

const char *db_away(const struct db *db)
{
	return db->away;
}

void trouble_lost(struct db *db, enum db_lane lane)
{
	int64_t now_us = clock_mono_us();

	if (db->lost_us && now_us - db->lost_us < LOG_AGAIN_US) {
		db->n_lost++;
		return;
	}
	log_warn("db", "lane %s lost a connection: %s", lane_name(lane), db->away);
	db->lost_us = now_us;
}

void trouble_tick(struct db *db, int64_t now_us)
{
	if (db->n_lost && now_us - db->lost_us >= LOG_AGAIN_US) {
		log_warn("db", "%d more connections were lost within a second, the last one: %s", db->n_lost, db->away);
		db->n_lost = 0;
	}
	for (enum db_lane lane = 0; lane < DB_LANES; lane++)
		for (int status = 0; status <= DB_LOST; status++)
			trouble_log(&db->troubles[lane][status], lane, now_us);
}

void trouble_written(struct db *db)
{
	if (db->refused_us)
		log_info("db", "the database accepts writes again");
	db->refused_us = 0;
}

const char *db_refuses(const struct db *db)
{
	return db->refused_us && clock_mono_us() - db->refused_us < REFUSING_US ? db->refused_for : NULL;
}
