/* Failures that are not the statement's fault are logged, once per second and cause, with their number. Also records
 * whether the database refuses writes (its disk is full, say), which an open connection does not reveal. */
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_private.h"

enum {
	LOG_AGAIN_US = 1000 * 1000,
	REFUSING_US = 10 * 1000 * 1000 /* then writes are tried again: only they can tell */
};

/* 53 resources (disk, memory, connections), 57 operator intervention, 58 system errors, 08 connection errors. */
static bool not_its_fault(const struct db_exchange *x)
{
	return x->status != DB_FAILED || strncmp(x->sqlstate, "53", 2) == 0 || strncmp(x->sqlstate, "57", 2) == 0 ||
	       strncmp(x->sqlstate, "58", 2) == 0 || strncmp(x->sqlstate, "08", 2) == 0;
}

static void trouble_log(struct trouble *t, int64_t now_us)
{
	log_warn("db", "lane %s: %s (%d times)", lane_name(t->lane), t->text, t->n);
	t->n = 0;
	t->said_us = now_us;
}

static struct trouble *trouble_find(struct db *db, const struct db_exchange *x)
{
	struct trouble *oldest = db->troubles;

	for (int i = 0; i < TROUBLES_MAX; i++) {
		struct trouble *t = &db->troubles[i];
		if (t->said_us && t->lane == x->lane && t->status == x->status && strcmp(t->sqlstate, x->sqlstate) == 0)
			return t;
		if (t->said_us < oldest->said_us)
			oldest = t;
	}
	*oldest = (struct trouble){.lane = x->lane, .status = x->status};
	memcpy(oldest->sqlstate, x->sqlstate, sizeof oldest->sqlstate);
	return oldest;
}

static void trouble_describe(struct trouble *t, const struct db_exchange *x)
{
	static const char *const texts[] = {
	    [DB_BUSY] = "no connection became free in time, too many wait, or the request was cancelled",
	    [DB_UNAVAILABLE] = "no connection, or it broke before anything was done",
	    [DB_LOST] = "no answer: the connection broke, or the time was over"};

	if (x->status == DB_FAILED)
		snprintf(t->text, sizeof t->text, "%s %s", x->sqlstate, x->message);
	else
		snprintf(t->text, sizeof t->text, "%s", texts[x->status]);
}

void trouble_note(struct db *db, const struct db_exchange *x)
{
	int64_t now_us = clock_mono_us();
	struct trouble *t;

	if (x->status == DB_OK || db->closing || !not_its_fault(x))
		return;
	t = trouble_find(db, x);
	trouble_describe(t, x);
	t->n++;
	if (now_us - t->said_us >= LOG_AGAIN_US)
		trouble_log(t, now_us);
	if (x->status == DB_FAILED && x->lane == DB_WRITE && (x->sqlstate[1] == '3' || x->sqlstate[1] == '8') &&
	    x->sqlstate[0] == '5') {
		db->refused_us = now_us;
		memcpy(db->refused_for, t->text, sizeof db->refused_for);
	}
}

void trouble_tick(struct db *db, int64_t now_us)
{
	for (int i = 0; i < TROUBLES_MAX; i++)
		if (db->troubles[i].n > 0 && now_us - db->troubles[i].said_us >= LOG_AGAIN_US)
			trouble_log(&db->troubles[i], now_us);
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
