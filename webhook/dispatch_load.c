/* Loads what must be known of a webhook before anything is sent to it: its row, and the deliveries that hold up
 * others. Deliveries that a request wants repeated are queued first, some with each attempt to load. A webhook whose
 * workspace moves to another database is not loaded. It rests while nothing of it is in memory, and its row says so.
 *
 * The pending rows that hold up later events of their record are read before everything else, in parts when there are
 * very many. Rows that were not found when they were due are looked for here, too. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

enum { HELD_RECORD, HELD_GENERATION, HELD_XID, HELD_SEQ, HELD_MANUAL, HELD_WAIT };

/* How many milliseconds a row still waits, by the clock of the database, which wrote its time. */
#define WAIT_OF_ROW "ceil(extract(epoch from q.next_attempt_at - clock_timestamp()) * 1000)::bigint"

/* --- rows that hold up others ------------------------------------------------------------- */

static int held_most(void)
{
	return FAULT_ERROR(few_held) ? 8 : 4 * WINDOW_HELD_MAX;
}

/* "from deliveries": those that hold up others, and are read when they are due. */
static void held_add_rows(struct sql *s, const struct hook *h)
{
	sql_addf(s,
	    " from deliveries q where q.workspace_id = $1 and q.state = 'pending' and q.n_attempts < %d and "
	    "q.created_at < now() + interval '1 day' and q.webhook_id = ",
	    WINDOW_HOLDING_ATTEMPTS);
	sql_uuid(s, &h->id);
}

void dispatch_held_statement(const struct hook *h, struct db_ask *ask)
{
	struct sql *s = db_ask_add(ask);

	sql_begin(s, &ask->arena, "dispatch_held", &h->workspace);
	sql_add(s, "select q.record_id, q.generation, q.xid, q.seq, q.manual, " WAIT_OF_ROW);
	held_add_rows(s, h);
	sql_add(s, " and (q.generation, q.xid, q.seq) > ");
	event_position_sql(s, &h->due.held_to);
	sql_addf(s, " order by q.generation, q.xid, q.seq limit %d", held_most());
}

void dispatch_held_result(struct hook *h, const struct db_exchange *x, int statement)
{
	int64_t now_ms = clock_mono_ms();
	int rows = db_rows(x, statement);
	struct window_row row = {0};

	for (int i = 0; i < rows; i++) {
		row.record = db_uuid(x, statement, i, HELD_RECORD);
		row.position = event_position_read(x, statement, i, HELD_GENERATION);
		row.manual = db_bool(x, statement, i, HELD_MANUAL);
		window_hold(&h->window, &row, now_ms + db_int(x, statement, i, HELD_WAIT));
	}
	h->due.held_to = rows == held_most() ? row.position : (struct event_position){0};
}

bool dispatch_held_wanted(const struct hook *h)
{
	return event_position_set(&h->due.held_to) && h->window.n_with_row == 0 && h->window.n_held < held_most() / 4;
}

void dispatch_gone_statement(const struct hook *h, struct db_ask *ask, const struct window_row *rows, int n)
{
	struct sql *s = db_ask_add(ask);
	int64_t *numbers[3];

	for (int i = 0; i < 3; i++)
		numbers[i] = arena_alloc(&ask->arena, (size_t)n * sizeof **numbers);
	for (int i = 0; i < n; i++) {
		numbers[0][i] = rows[i].position.generation;
		numbers[1][i] = (int64_t)rows[i].position.xid;
		numbers[2][i] = rows[i].position.seq;
	}
	sql_begin(s, &ask->arena, "dispatch_gone", &h->workspace);
	sql_add(s, "select e.n, (select " WAIT_OF_ROW);
	held_add_rows(s, h);
	/* In the order of an index: see webhook/delivery.h. */
	sql_add(s, " and (q.generation, q.xid, q.seq) >= (e.generation, e.xid, e.seq) and (q.generation, q.xid, q.seq) "
	           "<= (e.generation, e.xid, e.seq) order by q.generation, q.xid, q.seq limit 1) from unnest(");
	for (int i = 0; i < 3; i++) {
		sql_add(s, i ? ", " : "");
		sql_int8_array(s, numbers[i], (size_t)n);
	}
	sql_add(s, ") with ordinality e (generation, xid, seq, n)");
}

void dispatch_gone_result(
    struct hook *h, const struct db_exchange *x, int statement, const struct window_row *rows, int n)
{
	int64_t now_ms = clock_mono_ms();

	for (int i = 0; i < db_rows(x, statement); i++) {
		int64_t at = db_int(x, statement, i, 0);
		if (at < 1 || at > n)
			continue;
		if (db_null(x, statement, i, 1))
			window_gone(&h->window, &rows[at - 1]);
		else
			window_still_due(&h->window, &rows[at - 1], now_ms + db_int(x, statement, i, 1));
	}
}

/* --- the webhook -------------------------------------------------------------------------- */

enum { AGAIN_ROWS = 500, REST_MS = 500, AT_REST = 0, AT_AGAIN, AT_ROW, AT_HELD };

enum {
	COL_CREATOR,
	COL_GROUPS,
	COL_EVENTS,
	COL_SECRET,
	COL_FORMER,
	COL_FORMER_UNTIL,
	COL_URL,
	COL_GENERATION,
	COL_XID,
	COL_SEQ,
	COL_AT,
	COL_FAILING,
	COL_VERSION,
	COL_REPEATS,
	COL_RESTS,
	COL_RECOVERED, /* generation, xid, seq */
	COL_KNOWN = COL_RECOVERED + 3,
	COL_DUE = COL_KNOWN + 3
};

/* Whether a webhook rests is also asked of its workspace: its row may be locked by a request now, or have just been
 * copied from another database, where it does not rest yet. */
void dispatch_load_statements(const struct hook *h, struct db_ask *ask)
{
	struct arena *a = &ask->arena;
	struct sql *s[AT_HELD];

	for (int i = 0; i < AT_HELD; i++)
		s[i] = db_ask_add(ask);
	sql_begin(s[AT_REST], a, "dispatch_rest", &h->workspace);
	sql_add(s[AT_REST],
	    "select kith_webhook_rests(w.workspace_id, w.id) from webhooks w where w.workspace_id = $1 and "
	    "w.id = ");
	sql_uuid(s[AT_REST], &h->id);
	sql_begin(s[AT_AGAIN], a, "dispatch_again", &h->workspace);
	sql_addf(s[AT_AGAIN],
	    "select kith_deliveries_again(w.workspace_id, w.id, %d) from webhooks w where w.workspace_id = $1 and "
	    "w.status = 'active' and w.rests is null and exists (select from workspaces s where "
	    "s.workspace_id = $1 and not kith_rests(s.moving, s.held_until)) and exists (select from webhook_repeats r "
	    "where r.workspace_id = "
	    "$1 and r.webhook_id = w.id) and w.id = ",
	    AGAIN_ROWS);
	sql_uuid(s[AT_AGAIN], &h->id);
	sql_begin(s[AT_ROW], a, "dispatch_load", &h->workspace);
	sql_uuid(s[AT_ROW], &h->id);
	sql_built_in(s[AT_ROW], "dispatch_load row");
	dispatch_held_statement(h, ask);
}

/* --- reading it --------------------------------------------------------------------------- */

static void read_secrets(struct hook *h, const struct db_exchange *x, int first)
{
	const struct vault *vault = h->d->config.vault;
	struct hook_row *row = &h->row;
	char id[ID_SIZE];
	const char *sealed = NULL;
	size_t len = 0;

	row->n_secrets = 0;
	if (!db_null(x, first + AT_ROW, 0, COL_SECRET)) {
		sealed = db_text(x, first + AT_ROW, 0, COL_SECRET, &len);
		row->n_secrets = vault_unseal(vault, &h->id, sealed, len, row->secrets[0]);
	}
	if (!row->n_secrets) {
		log_error("dispatch", "the secret of webhook %s cannot be decrypted with this secret file",
		    id_format(ID_WEBHOOK, &h->id, id));
		return;
	}
	if (db_null(x, first + AT_ROW, 0, COL_FORMER_UNTIL) || db_null(x, first + AT_ROW, 0, COL_FORMER))
		return;
	row->former_until_ms = clock_mono_ms() + db_int(x, first + AT_ROW, 0, COL_FORMER_UNTIL);
	sealed = db_text(x, first + AT_ROW, 0, COL_FORMER, &len);
	for (; len >= VAULT_SEALED_LEN && row->n_secrets < HOOK_SECRETS; sealed += VAULT_SEALED_LEN) {
		row->n_secrets += vault_unseal(vault, &h->id, sealed, VAULT_SEALED_LEN, row->secrets[row->n_secrets]);
		len -= VAULT_SEALED_LEN;
	}
}

bool dispatch_load_waits(struct hook *h, const struct db_exchange *x, int first)
{
	bool rests;

	if (db_rows(x, first + AT_ROW) == 0)
		return false;
	rests = db_bool(x, first + AT_ROW, 0, COL_RESTS);
	if (!rests && !db_bool(x, first + AT_ROW, 0, COL_REPEATS))
		return false;
	h->due.at_ms = clock_mono_ms();
	if (rests) {
		h->failing.pause_until_us = clock_mono_us() + REST_MS * 1000;
		return true;
	}
	if (db_rows(x, first + AT_AGAIN) == 0 || !db_bool(x, first + AT_AGAIN, 0, 0))
		h->failing.pause_until_us = clock_mono_us() + AGAIN_MS * 1000;
	return true;
}

bool dispatch_load_result(struct hook *h, const struct db_exchange *x, int first)
{
	struct event_position at;
	int64_t now_ms = clock_mono_ms();
	const char *text;
	size_t len;

	if (db_rows(x, first + AT_ROW) == 0)
		return false;
	h->row.creator = db_uuid(x, first + AT_ROW, 0, COL_CREATOR);
	h->row.n_groups = db_uuid_array(x, first + AT_ROW, 0, COL_GROUPS, &h->row.arena, &h->row.groups);
	text = db_text(x, first + AT_ROW, 0, COL_EVENTS, &len);
	subscriptions_read(&h->row.subscriptions, &h->row.arena, arena_dup(&h->row.arena, text, len), len);
	read_secrets(h, x, first);
	text = db_text(x, first + AT_ROW, 0, COL_URL, &len);
	h->row.target = arena_alloc(&h->row.arena, sizeof *h->row.target);
	h->row.verdict = target_parse(h->row.target, h->d->config.rules, text, len);
	at = event_position_read(x, first + AT_ROW, 0, COL_GENERATION);
	at.at_ms = db_time_ms(x, first + AT_ROW, 0, COL_AT);
	h->failing.since_ms =
	    db_null(x, first + AT_ROW, 0, COL_FAILING) ? INT64_MAX : now_ms - db_int(x, first + AT_ROW, 0, COL_FAILING);
	window_init(&h->window, &at);
	h->write.saved = at;
	h->write.saved_us = clock_mono_us();
	dispatch_held_result(h, x, first + AT_HELD);
	h->row.recovered = event_position_read(x, first + AT_ROW, 0, COL_RECOVERED);
	if (!db_null(x, first + AT_ROW, 0, COL_KNOWN))
		h->row.known = event_position_read(x, first + AT_ROW, 0, COL_KNOWN);
	h->due.at_ms =
	    db_null(x, first + AT_ROW, 0, COL_DUE) ? INT64_MAX : now_ms + db_int(x, first + AT_ROW, 0, COL_DUE);
	h->version = db_int(x, first + AT_ROW, 0, COL_VERSION);
	hook_loaded(h);
	return true;
}
