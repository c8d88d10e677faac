/* Admission in batches; see admission.h. The decision itself is kith_admit()'s. */
#include "store/admission.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_ask.h"

enum {
	IN_FLIGHT_MAX = 1, /* exchanges: meanwhile the next batch collects, and few large batches are cheap */
	RETRIES_MAX = 3,
	TOUCH_MAX = 256, /* keys whose use is to be recorded; others come back with their next request */
	TOUCH_PAUSE_US = 1000000
};

/* Columns of kith_admit(). */
enum {
	COL_PLACE,
	COL_WORKSPACE,
	COL_USER,
	COL_IS_ADMIN,
	COL_READ_ONLY,
	COL_VERSION,
	COL_TOUCH,
	COL_ADMITTED,
	COL_NOW,
	COL_POLICIES, /* left, reset, retry of each */
	COL_LEFT = 0,
	COL_RESET,
	COL_RETRY,
	COLS_POLICY,
	COL_HORIZON = COL_POLICIES + ADMISSION_POLICIES * COLS_POLICY
};

struct admission {
	struct db *db;
	struct admission_rate rates[ADMISSION_POLICIES];
	struct list waiting; /* tickets not sent yet, in order of arrival */
	struct list refused; /* tickets over the cap */
	size_t n_waiting;    /* tickets not sent yet */
	size_t n_sent;       /* tickets sent */
	int in_flight;       /* exchanges */
	struct horizon horizon;

	unsigned char touch[TOUCH_MAX][ADMISSION_KEY_SIZE];
	size_t n_touch;
	int64_t touched_us; /* when uses were last recorded */
	struct db_ask touch_ask;
};

/* An exchange with its tickets. */
struct admission_batch {
	struct admission *a;
	struct db_ask ask;
	struct admission_rate rates[ADMISSION_POLICIES];
	struct list tickets; /* in order of arrival */
	size_t n;
	int n_keys;
	int retries;
	int64_t generation; /* of the answer */
};

/* A key's row of the result. */
struct admission_row {
	struct uuid workspace, user;
	int64_t version, now_us;
	bool is_admin, read_only, touch;
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
	struct admission *a = mem_zalloc(sizeof(*a));
	a->db = db;
	list_init(&a->waiting);
	list_init(&a->refused);
	a->touched_us = clock_mono_us() - TOUCH_PAUSE_US;
	admission_set_rates(a, rates);
	return a;
}

static void admission_end_all(struct list *tickets, enum admission_status status)
{
	struct list *node;
	while ((node = list_take(tickets))) {
		struct admission_ticket *t = list_item(node, struct admission_ticket, link);
		t->status = status;
		t->done(t);
	}
}

void admission_free(struct admission *a)
{
	if (!a)
		return;
	admission_end_all(&a->refused, ADMISSION_BUSY);
	admission_end_all(&a->waiting, ADMISSION_UNAVAILABLE);
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
		list_append(&a->refused, &t->link);
		return;
	}
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
	/* In any case: keys still in use come back. */
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

static void read_row(struct admission_row *r, const struct db_exchange *x, int i)
{
	r->workspace = db_uuid(x, 0, i, COL_WORKSPACE);
	r->user = db_uuid(x, 0, i, COL_USER);
	r->is_admin = db_bool(x, 0, i, COL_IS_ADMIN);
	r->read_only = db_bool(x, 0, i, COL_READ_ONLY);
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

static int compare_users(const void *a, const void *b)
{
	const struct admission_row *x = *(struct admission_row *const *)a, *y = *(struct admission_row *const *)b;
	int order = uuid_compare(&x->workspace, &y->workspace);
	return order != 0 ? order : uuid_compare(&x->user, &y->user);
}

/* The rows by their keys' places, NULL for an invalid key. */
static struct admission_row **read_rows(struct admission_batch *b)
{
	int n = db_rows(&b->ask.x, 0);
	struct admission_row *rows = arena_alloc(&b->ask.arena, (size_t)n * sizeof(*rows));
	struct admission_row **sorted = arena_alloc(&b->ask.arena, (size_t)n * sizeof(struct admission_row *));
	struct admission_row **by_place =
	    arena_alloc(&b->ask.arena, (size_t)b->n_keys * sizeof(struct admission_row *));
	for (int i = 0; i < n; i++) {
		int64_t place = db_int(&b->ask.x, 0, i, COL_PLACE);
		read_row(&rows[i], &b->ask.x, i);
		sorted[i] = &rows[i];
		if (place >= 1 && place <= b->n_keys)
			by_place[place - 1] = &rows[i];
	}
	qsort(sorted, (size_t)n, sizeof(struct admission_row *), compare_users);
	for (int i = 0; i < n; i++) {
		bool same = i > 0 && compare_users(&sorted[i - 1], &sorted[i]) == 0;
		sorted[i]->user_row = same ? sorted[i - 1]->user_row : sorted[i];
	}
	return by_place;
}

/* Milliseconds, rounded up. */
static int64_t round_up_ms(int64_t us)
{
	return (us + 999) / 1000;
}

/* With both policies off kith_admit() keeps no account of users and answers for each key separately. */
static bool is_limitless(const struct admission_batch *b)
{
	return b->rates[ADMISSION_DEFAULT].limit == 0 && b->rates[ADMISSION_BURST].limit == 0;
}

static void ticket_answer(struct admission_ticket *t, const struct admission_batch *b, const struct admission_row *r)
{
	struct admission_row *user = r->user_row;
	bool in = is_limitless(b) || user->given < user->admitted;
	user->given += in;
	t->status = in ? ADMISSION_ADMITTED : ADMISSION_LIMITED;
	t->workspace = r->workspace;
	t->user = r->user;
	t->is_admin = r->is_admin;
	t->read_only = r->read_only;
	t->version = horizon_version(b->generation, r->version);
	t->horizon = b->a->horizon.point;
	t->now_ms = user->now_us / 1000;
	t->hit = ADMISSION_DEFAULT;
	for (enum admission_policy p = 0; p < ADMISSION_POLICIES; p++) {
		struct admission_use *use = &t->use[p];
		*use = (struct admission_use){.rate = b->rates[p]};
		if (use->rate.limit == 0)
			continue;
		/* as if the requests of this batch had come one after the other */
		use->remaining = user->left[p] + (in ? user->admitted - user->given : 0);
		use->reset_ms = round_up_ms(user->reset_us[p]);
		if (!in)
			use->retry_ms = round_up_ms(user->retry_us[p]);
		if (use->retry_ms > t->use[t->hit].retry_ms)
			t->hit = p;
	}
}

static void batch_free(struct admission_batch *b)
{
	b->a->in_flight--;
	b->a->n_sent -= b->n;
	db_ask_end(&b->ask);
	free(b);
}

static enum admission_status failure_status(const struct db_exchange *x)
{
	if (x->status == DB_FAILED)
		log_error("admission", "%s %s", x->sqlstate, x->message);
	return x->status == DB_BUSY ? ADMISSION_BUSY : ADMISSION_UNAVAILABLE;
}

/* A deadlock is possible between exchanges that waited for connections together; nothing was done then. */
static bool worth_retrying(const struct admission_batch *b)
{
	const char *state = b->ask.x.sqlstate;
	return b->ask.x.status == DB_FAILED && b->retries < RETRIES_MAX &&
	       (strcmp(state, "40P01") == 0 || strcmp(state, "40001") == 0);
}

/* Fills in the results of all tickets. */
static void answer_all(struct admission_batch *b)
{
	struct admission_row **by_place = read_rows(b);
	if (db_rows(&b->ask.x, 0) > 0)
		b->generation = horizon_read(&b->a->horizon, b->a->db, &b->ask.x, 0, 0, COL_HORIZON);
	for (struct list *node = b->tickets.next; node != &b->tickets; node = node->next) {
		struct admission_ticket *t = list_item(node, struct admission_ticket, link);
		const struct admission_row *r = by_place[t->place];
		if (!r) {
			t->status = ADMISSION_NO_KEY;
			continue;
		}
		ticket_answer(t, b, r);
		if (r->touch)
			touch_add(b->a, t->key_hash);
	}
}

static void batch_done(struct db_exchange *x)
{
	struct admission_batch *b = x->owner;
	struct list tickets, *node;
	if (worth_retrying(b)) {
		b->retries++;
		db_exchange_clear(x);
		db_send(b->a->db, x);
		return;
	}
	bool answered = x->status == DB_OK;
	enum admission_status failed = answered ? ADMISSION_ADMITTED : failure_status(x);
	if (answered)
		answer_all(b);
	/* The callbacks come last: they may ask again. */
	list_init(&tickets);
	while ((node = list_take(&b->tickets)))
		list_append(&tickets, node);
	batch_free(b);
	while ((node = list_take(&tickets))) {
		struct admission_ticket *t = list_item(node, struct admission_ticket, link);
		if (!answered)
			t->status = failed;
		t->done(t);
	}
}

/* --- the query ------------------------------------------------------------------ */

static int compare_hashes(const void *a, const void *b)
{
	const struct admission_ticket *x = *(struct admission_ticket *const *)a,
	                              *y = *(struct admission_ticket *const *)b;
	return memcmp(x->key_hash, y->key_hash, ADMISSION_KEY_SIZE);
}

/* The distinct keys, sorted, with the number of tickets for each; every ticket gets the place of its key. */
static void collect_keys(struct admission_batch *b, const void **keys, size_t *lens, int64_t *counts)
{
	struct admission_ticket **sorted = arena_alloc(&b->ask.arena, b->n * sizeof(struct admission_ticket *));
	size_t n = 0;
	for (struct list *node = b->tickets.next; node != &b->tickets; node = node->next)
		sorted[n++] = list_item(node, struct admission_ticket, link);
	qsort(sorted, n, sizeof(struct admission_ticket *), compare_hashes);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || compare_hashes(&sorted[i - 1], &sorted[i]) != 0) {
			keys[b->n_keys] = sorted[i]->key_hash;
			lens[b->n_keys] = ADMISSION_KEY_SIZE;
			counts[b->n_keys++] = 0;
		}
		sorted[i]->place = b->n_keys - 1;
		counts[b->n_keys - 1]++;
	}
}

static void build_statement(struct admission_batch *b)
{
	const void **keys = arena_alloc(&b->ask.arena, b->n * sizeof(void *));
	size_t *lens = arena_alloc(&b->ask.arena, b->n * sizeof(*lens));
	int64_t *counts = arena_alloc(&b->ask.arena, b->n * sizeof(*counts));
	struct sql *s = db_ask_add(&b->ask);
	collect_keys(b, keys, lens, counts);
	sql_begin_system(s, &b->ask.arena, "admit");
	sql_add(s, "select a.*");
	sql_add(s, horizon_columns);
	sql_add(s, " from kith_admit(");
	sql_bytea_array(s, keys, lens, (size_t)b->n_keys);
	sql_add(s, ", ");
	sql_int8_array(s, counts, (size_t)b->n_keys);
	for (int p = 0; p < ADMISSION_POLICIES; p++) {
		sql_add(s, ", ");
		sql_int4(s, b->rates[p].limit);
		sql_add(s, ", ");
		sql_int4(s, b->rates[p].window_s);
	}
	sql_add(s, ") a");
}

static void batch_send(struct admission *a)
{
	struct admission_batch *b = mem_zalloc(sizeof(*b));
	struct list *node;
	b->a = a;
	db_ask_begin(&b->ask);
	memcpy(b->rates, a->rates, sizeof(b->rates));
	list_init(&b->tickets);
	while ((node = list_take(&a->waiting)))
		list_append(&b->tickets, node);
	b->n = a->n_waiting;
	a->n_sent += a->n_waiting;
	a->n_waiting = 0;
	a->in_flight++;
	build_statement(b);
	db_ask_send(&b->ask, a->db, DB_ADMIT, batch_done, b);
}

void admission_flush(struct admission *a)
{
	admission_end_all(&a->refused, ADMISSION_BUSY);
	if (a->n_waiting > 0 && a->in_flight < IN_FLIGHT_MAX)
		batch_send(a);
	touch_flush(a);
}
