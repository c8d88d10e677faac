/* Admission in batches; see admission.h. The decision itself is kith_admit()'s. */
#include "store/admission.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_ask.h"

enum {
	TOUCH_MAX = 256, /* keys whose use is to be recorded; further ones are recorded with their next request */
	TOUCH_PAUSE_US = 1000000
};

/* Columns of kith_admit(). */
enum {
	COL_PLACE,
	COL_WORKSPACE,
	COL_USER,
	COL_IS_ADMIN,
	COL_LIMITED, /* read only by processes of the previous schema level */
	COL_VERSION,
	COL_TOUCH,
	COL_ADMITTED,
	COL_NOW,
	COL_POLICIES, /* left, reset, retry of each */
	COL_LEFT = 0,
	COL_RESET,
	COL_RETRY,
	COLS_POLICY,
	COL_KEY = COL_POLICIES + ADMISSION_POLICIES * COLS_POLICY,
	COL_SCOPES,
	COL_GROUPS,
	COL_KIND,
	COL_AUDIENCE,
	COL_HORIZON
};

struct admission {
	struct db *db;
	struct admission_rate rates[ADMISSION_POLICIES];
	struct list waiting; /* tickets not sent yet, in order of arrival */
	struct list refused; /* tickets over the cap */
	size_t n_waiting;    /* tickets not sent yet */
	struct horizon horizon;

	/* The exchange in progress. There is one at a time: meanwhile the next tickets collect, and few large
	 * exchanges are cheap. */
	struct db_ask ask;
	struct list sent; /* its tickets, in order of arrival */
	size_t n_sent;
	int n_keys;
	struct admission_rate sent_rates[ADMISSION_POLICIES];

	unsigned char touch[TOUCH_MAX][ADMISSION_KEY_SIZE];
	size_t n_touch;
	int64_t touched_us; /* when uses were last recorded */
	struct db_ask touch_ask;
};

/* A key's row of the result. */
struct admission_row {
	struct uuid workspace, user, key;
	int64_t version, now_us;
	bool is_admin, touch;
	enum key_kind kind;
	bool mcp_only;
	unsigned scopes;
	struct uuid *groups;
	size_t n_groups;
	int admitted;
	int left[ADMISSION_POLICIES];
	int64_t reset_us[ADMISSION_POLICIES], retry_us[ADMISSION_POLICIES]; /* retry 0: admitted at once */
	struct admission_row *user_row; /* the row that counts for all keys of the user */
	int given;                      /* how many of admitted were given out, in user_row */
};

const char *admission_policy_name(enum admission_policy policy)
{
	return policy == ADMISSION_BURST ? "burst" : "default";
}

struct admission *admission_new(struct db *db, const struct admission_rate rates[ADMISSION_POLICIES])
{
	struct admission *a = mem_zalloc(sizeof *a);

	a->db = db;
	list_init(&a->waiting);
	list_init(&a->refused);
	list_init(&a->sent);
	a->touched_us = clock_mono_us() - TOUCH_PAUSE_US;
	admission_set_rates(a, rates);
	return a;
}

static void tickets_end(struct list *tickets)
{
	struct list *node;

	while ((node = list_take(tickets))) {
		struct admission_ticket *t = list_item(node, struct admission_ticket, link);
		t->done(t);
	}
}

void admission_free(struct admission *a)
{
	if (!a)
		return;
	tickets_end(&a->refused);
	tickets_end(&a->waiting);
	free(a);
}

void admission_set_rates(struct admission *a, const struct admission_rate rates[ADMISSION_POLICIES])
{
	for (int p = 0; p < ADMISSION_POLICIES; p++) {
		bool on = rates[p].limit > 0 && rates[p].window_s > 0;
		a->rates[p] = on ? rates[p] : (struct admission_rate){0, 0};
	}
}

struct horizon *admission_horizon(struct admission *a)
{
	return &a->horizon;
}

size_t admission_waiting(const struct admission *a)
{
	return a->n_waiting + a->n_sent;
}

void admission_ask(struct admission *a, struct admission_ticket *t)
{
	if (admission_waiting(a) >= ADMISSION_WAITING_MAX) {
		t->status = ADMISSION_BUSY;
		list_append(&a->refused, &t->link);
		return;
	}
	t->status = ADMISSION_UNAVAILABLE; /* until it is answered */
	list_append(&a->waiting, &t->link);
	a->n_waiting++;
}

/* --- recording the use of keys ------------------------------------------------ */

static void touch_done(struct db_exchange *x)
{
	struct admission *a = x->owner;

	if (x->status == DB_FAILED)
		log_warn(
		    "admission", "the last use of %zu keys was not stored: %s %s", a->n_touch, x->sqlstate, x->message);
	/* Also after a failure: a key that is in use is recorded with its next request. */
	a->n_touch = 0;
	db_ask_end(&a->touch_ask);
}

static void touch_add(struct admission *a, const unsigned char *key_hash)
{
	if (a->touch_ask.busy || a->n_touch == TOUCH_MAX)
		return;
	for (size_t i = 0; i < a->n_touch; i++)
		if (memcmp(a->touch[i], key_hash, ADMISSION_KEY_SIZE) == 0)
			return;
	memcpy(a->touch[a->n_touch++], key_hash, ADMISSION_KEY_SIZE);
}

/* Skips locked rows: recording a use is not worth waiting. */
static void touch_flush(struct admission *a)
{
	const void *items[TOUCH_MAX];
	size_t lens[TOUCH_MAX];
	struct sql *s;

	if (a->touch_ask.busy || a->n_touch == 0 || clock_mono_us() - a->touched_us < TOUCH_PAUSE_US)
		return;
	for (size_t i = 0; i < a->n_touch; i++) {
		items[i] = a->touch[i];
		lens[i] = ADMISSION_KEY_SIZE;
	}
	db_ask_begin(&a->touch_ask);
	s = db_ask_add(&a->touch_ask);
	sql_begin_system(s, &a->touch_ask.arena, "keys_touch");
	sql_add(s, "update api_keys set last_used_at = now() where key_hash in (select key_hash from api_keys "
	           "where (last_used_at is null or last_used_at < now() - interval '1 minute') and key_hash = any(");
	sql_bytea_array(s, items, lens, a->n_touch);
	sql_add(s, ") order by key_hash for no key update skip locked)");
	a->touched_us = clock_mono_us();
	db_ask_send(&a->touch_ask, a->db, DB_WORK, touch_done, a);
}

/* --- results ------------------------------------------------------------------- */

static void row_read(struct admission_row *r, const struct db_exchange *x, int i, struct arena *a)
{
	const char *kind;
	size_t kind_len;

	r->workspace = db_uuid(x, 0, i, COL_WORKSPACE);
	r->user = db_uuid(x, 0, i, COL_USER);
	r->is_admin = db_bool(x, 0, i, COL_IS_ADMIN);
	r->key = db_uuid(x, 0, i, COL_KEY);
	r->scopes = (unsigned)db_int(x, 0, i, COL_SCOPES);
	r->n_groups = db_uuid_array(x, 0, i, COL_GROUPS, a, &r->groups);
	kind = db_text(x, 0, i, COL_KIND, &kind_len);
	r->kind = key_kind_parse(kind, kind_len);
	r->mcp_only = !db_null(x, 0, i, COL_AUDIENCE);
	r->version = db_int(x, 0, i, COL_VERSION);
	r->touch = db_bool(x, 0, i, COL_TOUCH);
	r->admitted = (int)db_int(x, 0, i, COL_ADMITTED);
	r->now_us = db_int(x, 0, i, COL_NOW);
	for (int p = 0; p < ADMISSION_POLICIES; p++) {
		int col = COL_POLICIES + p * COLS_POLICY;
		r->left[p] = (int)db_int(x, 0, i, col + COL_LEFT);
		if (!db_null(x, 0, i, col + COL_RESET))
			r->reset_us[p] = db_int(x, 0, i, col + COL_RESET);
		if (!db_null(x, 0, i, col + COL_RETRY))
			r->retry_us[p] = db_int(x, 0, i, col + COL_RETRY);
	}
}

/* The rows by their keys' places, NULL for an invalid key. While there are limits the rows of a user follow each
 * other. */
static struct admission_row **rows_read(struct admission *a)
{
	const struct db_exchange *x = &a->ask.x;
	int n = db_rows(x, 0);
	struct admission_row *rows = arena_alloc(&a->ask.arena, (size_t)n * sizeof *rows);
	struct admission_row **by_place =
	    arena_alloc(&a->ask.arena, (size_t)a->n_keys * sizeof(struct admission_row *));

	for (int i = 0; i < n; i++) {
		struct admission_row *r = &rows[i], *before = &rows[i - 1];
		int64_t place = db_int(x, 0, i, COL_PLACE);
		row_read(r, x, i, &a->ask.arena);
		bool same =
		    i > 0 && uuid_equal(&before->user, &r->user) && uuid_equal(&before->workspace, &r->workspace);
		r->user_row = same ? before->user_row : r;
		if (place >= 1 && place <= a->n_keys)
			by_place[place - 1] = r;
	}
	return by_place;
}

/* Milliseconds, rounded up. */
static int64_t ms_rounded_up(int64_t us)
{
	return (us + 999) / 1000;
}

/* With both policies off kith_admit() keeps no account of users and answers for each key separately. */
static bool is_limitless(const struct admission *a)
{
	return a->sent_rates[ADMISSION_DEFAULT].limit == 0 && a->sent_rates[ADMISSION_BURST].limit == 0;
}

static void ticket_answer(
    struct admission_ticket *t, const struct admission *a, int64_t generation, const struct admission_row *r)
{
	struct admission_row *user = r->user_row;
	bool in = t->uncounted || is_limitless(a) || user->given < user->admitted;

	user->given += in && !t->uncounted;
	t->status = in ? ADMISSION_ADMITTED : ADMISSION_LIMITED;
	t->workspace = r->workspace;
	t->user = r->user;
	t->is_admin = r->is_admin;
	t->key = r->key;
	t->kind = r->kind;
	t->mcp_only = r->mcp_only;
	t->scopes = r->scopes;
	t->n_groups = r->n_groups < KEY_GROUPS_MAX ? r->n_groups : KEY_GROUPS_MAX;
	if (t->n_groups)
		memcpy(t->groups, r->groups, t->n_groups * sizeof *t->groups);
	t->version = horizon_version(generation, r->version);
	t->horizon = a->horizon.point;
	t->now_ms = user->now_us / 1000;
	t->hit = ADMISSION_DEFAULT;
	for (enum admission_policy p = 0; p < ADMISSION_POLICIES; p++) {
		struct admission_use *use = &t->use[p];
		*use = (struct admission_use){.rate = a->sent_rates[p]};
		if (use->rate.limit == 0)
			continue;
		/* as if the requests of this batch had come one after the other */
		use->remaining = user->left[p] + (in ? user->admitted - user->given : 0);
		use->reset_ms = ms_rounded_up(user->reset_us[p]);
		if (!in)
			use->retry_ms = ms_rounded_up(user->retry_us[p]);
		if (use->retry_ms > t->use[t->hit].retry_ms)
			t->hit = p;
	}
}

static void tickets_fail(struct admission *a)
{
	const struct db_exchange *x = &a->ask.x;

	if (x->status == DB_FAILED)
		log_error("admission", "keys cannot be checked: %s %s", x->sqlstate, x->message);
	if (x->status != DB_BUSY)
		return;
	list_each(t, &a->sent, struct admission_ticket, link)
		t->status = ADMISSION_BUSY;
}

static void tickets_answer(struct admission *a)
{
	struct admission_row **by_place = rows_read(a);
	int64_t generation = db_rows(&a->ask.x, 0) ? horizon_read(&a->horizon, a->db, &a->ask.x, 0, 0, COL_HORIZON) : 0;

	list_each(t, &a->sent, struct admission_ticket, link) {
		const struct admission_row *r = by_place[t->place];
		if (!r) {
			t->status = ADMISSION_NO_KEY;
			continue;
		}
		ticket_answer(t, a, generation, r);
		/* An open stream does not count as use of a session, which would otherwise never be idle. */
		if (r->touch && !(t->uncounted && r->kind == KEY_KIND_SESSION))
			touch_add(a, t->key_hash);
	}
}

static void exchange_done(struct db_exchange *x)
{
	struct admission *a = x->owner;

	if (x->status == DB_OK)
		tickets_answer(a);
	else
		tickets_fail(a);
	a->n_sent = 0;
	db_ask_end(&a->ask);
	tickets_end(&a->sent); /* last: the callbacks may ask again */
}

/* --- the query ------------------------------------------------------------------ */

static int compare_hashes(const void *a, const void *b)
{
	const struct admission_ticket *x = *(struct admission_ticket *const *)a,
	                              *y = *(struct admission_ticket *const *)b;

	return memcmp(x->key_hash, y->key_hash, ADMISSION_KEY_SIZE);
}

/* The distinct keys, sorted, with the number of tickets for each; every ticket gets the place of its key. */
static void collect_keys(struct admission *a, const void **keys, size_t *lens, int64_t *counts)
{
	struct admission_ticket **sorted = arena_alloc(&a->ask.arena, a->n_sent * sizeof(struct admission_ticket *));
	size_t n = 0;

	list_each(t, &a->sent, struct admission_ticket, link)
		sorted[n++] = t;
	qsort(sorted, n, sizeof(struct admission_ticket *), compare_hashes);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || compare_hashes(&sorted[i - 1], &sorted[i]) != 0) {
			keys[a->n_keys] = sorted[i]->key_hash;
			lens[a->n_keys] = ADMISSION_KEY_SIZE;
			counts[a->n_keys++] = 0;
		}
		sorted[i]->place = a->n_keys - 1;
		counts[a->n_keys - 1] += !sorted[i]->uncounted;
	}
}

static void build_statement(struct admission *a)
{
	const void **keys = arena_alloc(&a->ask.arena, a->n_sent * sizeof(void *));
	size_t *lens = arena_alloc(&a->ask.arena, a->n_sent * sizeof *lens);
	int64_t *counts = arena_alloc(&a->ask.arena, a->n_sent * sizeof *counts);
	struct sql *s = db_ask_add(&a->ask);

	collect_keys(a, keys, lens, counts);
	sql_begin_system(s, &a->ask.arena, "admit");
	sql_add(s, "select a.*, k.id, kith_scopes(k.scopes, k.read_only), k.group_ids, k.kind, k.audience");
	sql_add(s, horizon_columns);
	sql_add(s, " from kith_admit(");
	sql_bytea_array(s, keys, lens, (size_t)a->n_keys);
	sql_add(s, ", ");
	sql_int8_array(s, counts, (size_t)a->n_keys);
	for (int p = 0; p < ADMISSION_POLICIES; p++) {
		sql_add(s, ", ");
		sql_int4(s, a->sent_rates[p].limit);
		sql_add(s, ", ");
		sql_int4(s, a->sent_rates[p].window_s);
	}
	/* As in kith_keys(), the lateral join makes the planner look up each row in the index. */
	sql_add(s, ") a cross join lateral (select * from api_keys k where k.key_hash = ($1)[a.o_place] offset 0) k");
}

/* Sends the tickets to which the same policies apply as to the first one. The others wait for the next exchange. */
static void admission_send(struct admission *a)
{
	const struct admission_ticket *first = list_item(a->waiting.next, struct admission_ticket, link);

	db_ask_begin(&a->ask);
	memcpy(a->sent_rates, a->rates, sizeof a->sent_rates);
	if (first->no_burst)
		a->sent_rates[ADMISSION_BURST] = (struct admission_rate){0, 0};
	a->n_sent = 0;
	list_each(t, &a->waiting, struct admission_ticket, link) {
		if (t->no_burst != first->no_burst)
			continue;
		list_move(&a->sent, &t->link);
		a->n_sent++;
	}
	a->n_waiting -= a->n_sent;
	a->n_keys = 0;
	build_statement(a);
	db_ask_send(&a->ask, a->db, DB_ADMIT, exchange_done, a);
}

void admission_flush(struct admission *a)
{
	tickets_end(&a->refused);
	if (a->n_waiting > 0 && !a->ask.busy)
		admission_send(a);
	touch_flush(a);
}
