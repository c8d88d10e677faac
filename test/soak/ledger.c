/* See ledger.h. */
#include "test/soak/ledger.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "test/soak/soak.h"

enum { ROWS_AT_ONCE = 2000, TEXT_MAX = 16 << 20, KIND_MAX = 48 };

struct ledger_row {
	const char *kind; /* interned */
	struct uuid id;
	char mark[32];
	int times;
};

struct ledger {
	const char *insert; /* the statement before and after the lines "kind,n,id,mark,times" */
	struct ledger_row *rows;
	size_t n, room;
	/* rows by kind and id, for those that are counted */
	size_t *places, n_places;
};

enum { ACKED, HEARD, TAKEN, LEDGERS };

static struct ledger ledgers[LEDGERS] = {
    [ACKED] = {"insert into soak.acked select p[1], p[3]::uuid, nullif(p[4], '')"},
    [HEARD] = {"insert into soak.heard select p[1], p[2]::bigint, p[3]::uuid"},
    [TAKEN] =
        {"insert into soak.taken select substr(p[1], 5)::uuid, p[2]::bigint, p[3]::uuid, p[5]::int, p[4]::bigint"},
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char kinds[256][KIND_MAX];
static int n_kinds;

/* --- in memory ------------------------------------------------------------------------------------ */

static const char *kind_of(const char *text)
{
	for (int i = 0; i < n_kinds; i++)
		if (strcmp(kinds[i], text) == 0)
			return kinds[i];
	if (n_kinds == sizeof kinds / sizeof *kinds)
		return kinds[0];
	snprintf(kinds[n_kinds], KIND_MAX, "%s", text);
	return kinds[n_kinds++];
}

static size_t *place_of(struct ledger *l, const char *kind, const struct uuid *id)
{
	uint64_t h;

	memcpy(&h, id->b + 8, sizeof h);
	h ^= (uint64_t)(uintptr_t)kind * UINT64_C(0x9E3779B97F4A7C15);
	for (size_t i = h % l->n_places;; i = (i + 1) % l->n_places) {
		const struct ledger_row *r = l->places[i] ? &l->rows[l->places[i] - 1] : NULL;
		if (!r || (r->kind == kind && uuid_equal(&r->id, id)))
			return &l->places[i];
	}
}

static void ledger_grow(struct ledger *l)
{
	if (l->n < l->room)
		return;
	l->room = l->room ? 2 * l->room : 1024;
	l->rows = mem_realloc(l->rows, l->room * sizeof *l->rows);
	free(l->places);
	l->n_places = 4 * l->room;
	l->places = mem_zalloc(l->n_places * sizeof *l->places);
	for (size_t i = 0; i < l->n; i++)
		*place_of(l, l->rows[i].kind, &l->rows[i].id) = i + 1;
}

/* The row, new or that which was there. */
static struct ledger_row *ledger_add(struct ledger *l, const char *text, const char *id, bool counted)
{
	const char *kind = kind_of(text);
	struct ledger_row row = {.kind = kind};
	enum id_kind of;

	if (!id_parse_any(id, strlen(id), &of, &row.id)) {
		finding_add("ids", "%s: \"%s\" is not an id", text, id);
		return NULL;
	}
	ledger_grow(l);
	size_t *place = place_of(l, kind, &row.id);
	if (!counted || !*place) {
		l->rows[l->n] = row;
		*place = ++l->n;
	}
	l->rows[*place - 1].times++;
	return &l->rows[*place - 1];
}

void ledger_acked(const char *event, const char *record, const char *mark)
{
	pthread_mutex_lock(&lock);
	struct ledger_row *r = ledger_add(&ledgers[ACKED], event, record, false);
	if (r)
		snprintf(r->mark, sizeof r->mark, "%s", mark ? mark : "");
	pthread_mutex_unlock(&lock);
}

void ledger_heard(const char *listener, const char *event)
{
	pthread_mutex_lock(&lock);
	ledger_add(&ledgers[HEARD], listener, event, false);
	pthread_mutex_unlock(&lock);
}

bool ledger_taken(const char *webhook, const char *event)
{
	pthread_mutex_lock(&lock);
	struct ledger_row *r = ledger_add(&ledgers[TAKEN], webhook, event, true);
	bool first = r && r->times == 1;
	if (first)
		snprintf(r->mark, sizeof r->mark, "%lld", (long long)clock_now_ms());
	pthread_mutex_unlock(&lock);
	return first;
}

long long ledger_count(void)
{
	pthread_mutex_lock(&lock);
	long long n = (long long)(ledgers[ACKED].n + ledgers[HEARD].n + ledgers[TAKEN].n);
	pthread_mutex_unlock(&lock);
	return n;
}

/* --- in the database --------------------------------------------------------------------------------- */

/* With the events' own position: it, not the time of the copy, is their order. */
static const char schema[] =
    "create schema soak; "
    "create table soak.events as select * from events with no data; "
    "create index on soak.events (record_id); create index on soak.events (id); "
    "insert into soak.events select * from events; "
    "create function soak.copy() returns trigger language plpgsql security definer as $$ begin "
    "insert into soak.events select new.*; return null; end $$; "
    "create trigger soak_copy after insert on events for each row execute function soak.copy(); "
    "grant usage on schema soak to public; "
    "create table soak.acked (event text, record uuid, mark text); "
    "create table soak.heard (listener text, n bigint, event uuid); "
    "create table soak.taken (webhook uuid, n bigint, event uuid, times int, at_ms bigint); "
    "create table soak.listeners (listener text, workspace uuid, reader uuid); "
    "create table soak.outages (from_ms bigint, to_ms bigint); "
    "create table soak.hooks (webhook uuid, kind text, workspace uuid, listener uuid, generation bigint, xid bigint, "
    "seq bigint, types text[])";

void ledger_open(void)
{
	char sql[sizeof schema + 64];

	snprintf(sql, sizeof sql, "%s; select 1", schema);
	rig_int(&soak.rig, "select 1");
	database_int(soak.rig.program, sql);
}

void ledger_close(void)
{
	rig_int(&soak.rig, "drop trigger soak_copy on events; select 1");
}

static void rows_store(const struct ledger *l, size_t from, size_t to, struct buf *sql)
{
	char id[37];

	buf_clear(sql);
	buf_printf(sql, "%s from unnest(string_to_array('", l->insert);
	for (size_t i = from; i < to; i++) {
		const struct ledger_row *r = &l->rows[i];
		buf_printf(sql, "%s%s,%zu,%s,%s,%d", i > from ? ";" : "", r->kind, i, uuid_format(&r->id, id), r->mark,
		    r->times);
	}
	buf_addz(sql, "', ';')) line, string_to_array(line, ',') p; select 1");
	database_int(soak.rig.program, sql->data);
}

void ledger_store(void)
{
	struct buf sql;

	buf_init(&sql, TEXT_MAX);
	for (int k = 0; k < LEDGERS; k++)
		for (size_t i = 0; i < ledgers[k].n; i += ROWS_AT_ONCE)
			rows_store(
			    &ledgers[k], i, i + ROWS_AT_ONCE < ledgers[k].n ? i + ROWS_AT_ONCE : ledgers[k].n, &sql);
	buf_free(&sql);
	rig_int(&soak.rig,
	    "create index on soak.heard (listener, event); create index on soak.taken (webhook, event); "
	    "create index on soak.acked (record); analyze soak.events, soak.heard, soak.taken, soak.acked; select 1");
}
