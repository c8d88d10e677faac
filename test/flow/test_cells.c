/* Three cells, and a workspace that moves between them while it is written, followed and delivered from; the command is
 * killed at every point, and run again. Nothing is lost or there twice: writes, events, deliveries, stored answers.
 *
 * CELL_PEOPLE of them, CELL_MOVES moves under load, CELL_KILLS of them with a kill, CELL_PAUSE_MS between the requests
 * of a writer, CELL_CLOCK_SCALE (20 for moves that take minutes); CELL_POINTS=8: killed at every point. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/await.h"
#include "test/lib/db/consistency.h"
#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/server/busy.h"
#include "test/lib/server/cells.h"
#include "test/lib/server/child.h"
#include "test/lib/server/movers.h"
#include "test/lib/server/nginx.h"
#include "test/lib/webhook/told.h"

enum { CELLS = 3, WAIT_MS = 60000 };

static struct cell cells[CELLS];
static int at; /* the cell where the workspace is */
static struct receiver *receiver;
static struct movers movers;
static struct busy busy;
static const char *orders;
static char base[64]; /* of the cell where it is, for busy writers */
static struct test_user other;
static struct bystander bystander;
static int broken; /* rules that the seeded rows break */

/* Where a move is killed: from the first row to the last. */
static const char *const points[] = {"cell_ready 1", "cell_moved 1", "cell_held 1", "cell_copied 1", "cell_live 1",
    "cell_cleared 1", "cell_drained 1", "cell_locked 1"};
enum { POINTS = sizeof points / sizeof *points };

static const char *busy_base(void *ctx, int i)
{
	(void)ctx, (void)i;
	return base;
}

/* --- the cells ----------------------------------------------------------------------------------- */

static void cells_start(void)
{
	/* Failed deliveries are repeated soon, and what is kept for a day goes after seven minutes. */
	const char *settings[] = {TEXT("clock_scale=%d", rig_setting("CELL_CLOCK_SCALE", 200)), NULL};

	for (int i = 0; i < CELLS; i++)
		cell_serve(&cells[i], settings);
	snprintf(base, sizeof base, "%s", cells[at].server->base);
}

static void cells_stop(void)
{
	for (int i = 0; i < CELLS; i++)
		assert_true(server_stop(cells[i].server));
}

static void workspace_fill(void)
{
	const char *group;

	database_run_file(rig.program, "test/lib/db/workspace_rows.sql");
	rig_int(&rig, "select count(*) from (select seed.workspace_rows('%s', '%s', %d)) s",
	    cells_uuid(rig.workspace.id), rig.ada.id + 4, rig_setting("CELL_PEOPLE", 300));
	caller_turn(&ada, base);
	group = TEXT("%s", POST("{\"name\": \"G\", \"visibility\": \"private\"}", "/v1/groups"));
	caller_good(SEND("POST", "{\"name\": \"Deals\"}", "/v1/groups/%s/object-types", group));
	MAKE("{\"name\": \"Level\", \"type\": \"textField\"}", "/v1/groups/%s/custom-fields/person", group);
	hooked_make(&ada, receiver_url(receiver, "/hook"), "[{\"eventType\":\"person.created\",\"filter\":{}}]");
	busy_init(&busy);
	busy.keys[0] = busy.keys[1] = rig.ada.key;
	busy.base = busy_base;
	busy.open = busy.secret = group;
	busy.pause_ms = rig_setting("CELL_PAUSE_MS", 1);
}

RIG("cells", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	other = rig_stranger(&rig, "bystander");
	cells[0] = (struct cell){.program = *rig.program};
	cell_open(&cells[1], &rig.arena, rig.program->path, NULL, "two");
	cell_open(&cells[2], &rig.arena, rig.program->path, &cells[1], "three");
	orders = TEXT("%s/orders", rig.program->data_dir);
	receiver = receiver_start(&(struct receiver_config){.fail_percent = 5});
	cells_start();
	workspace_fill();
	broken = consistency_broken(rig.program);
}

AFTER_ALL()
{
	receiver_stop(receiver);
	cell_close(&cells[1]);
}

/* --- moving ------------------------------------------------------------------------------------------ */

/* Begins "kith workspace move" to that cell, with orders for its faults. */
static pid_t move_begin(int to, const char *order)
{
	const char *argv[] = {"workspace", "move", rig.workspace.id, "--to", cells[to].program.database_url,
	    "--address", cells[to].server->base, "--to-secret-file", TEXT("%s/secret", cells[to].program.data_dir),
	    "--clock_scale=100", NULL};
	pid_t pid;

	if (order) {
		rig_write(orders, order);
		setenv("FAULT_FILE", orders, 1);
	}
	pid = command_start(&cells[at].program, argv, -1, -1);
	unsetenv("FAULT_FILE");
	return pid;
}

/* Its exit status, -1: it was killed, at that point. */
static int move_to(int to, const char *point)
{
	return child_wait(move_begin(to, point ? TEXT("%s kill\n", point) : NULL));
}

static bool is_live(int i)
{
	return database_int(
	           &cells[i].program, TEXT("select count(*) from workspaces where workspace_id = '%s' and (moving is "
	                                   "null or moving in ('copied', 'draining', 'held'))",
	                                  cells_uuid(rig.workspace.id))) == 1;
}

/* Where it is not, there is at most what says where it went. */
static void expect_one_alive(void)
{
	int live = 0;

	for (int i = 0; i < CELLS; i++)
		live += is_live(i);
	assert_true(live <= 1);
}

static void move_arrived(int to)
{
	assert_true(is_live(to));
	assert_true(cells_emptied(&rig.arena, &cells[at].program, rig.workspace.id));
	at = to;
	snprintf(base, sizeof base, "%s", cells[at].server->base);
	expect_one_alive();
}

static void move_on(const char *kill_at)
{
	int to = (at + 1) % CELLS;

	if (kill_at) {
		assert_int_equal(move_to(to, kill_at), -1);
		expect_one_alive();
	}
	assert_int_equal(move_to(to, NULL), 0);
	move_arrived(to);
}

/* --- tests --------------------------------------------------------------------------------------------- */

static void *busy_thread(void *arg)
{
	(void)arg;
	caller_crowd_run(1, busy_write, &busy);
	return NULL;
}

static int deliveries_left(void)
{
	return (int)database_int(&cells[at].program,
	    "select (select count(*) from deliveries where state <> 'delivered') + (select count(*) from webhooks w "
	    "join "
	    "events e on e.workspace_id = w.workspace_id and (e.generation, e.xid, e.seq) > (w.position_generation, "
	    "w.position_xid, w.position_seq) and e.type = 'person.created' where not exists (select from deliveries d "
	    "where "
	    "d.workspace_id = e.workspace_id and d.event_id = e.id))");
}

/* Of many thousands that fail at random some need a fifth attempt, which comes after up to three hours. */
static int64_t deliveries_end_us(void)
{
	int64_t ms = INT64_C(3) * 60 * 60 * 1000 / rig_setting("CELL_CLOCK_SCALE", 200);

	return patience_ms(ms > WAIT_MS ? ms : WAIT_MS);
}

TEST(test_under_load)
{
	int moves = rig_setting("CELL_MOVES", 2), kills = rig_setting("CELL_KILLS", 1);
	int64_t until_us;
	struct caller_answer list;
	pthread_t thread;

	bystander_start(&bystander, other.key, cells[0].server->base);
	caller_turn(&ada, base);
	list = caller_get(&ada, "/v1/people?limit=1");
	movers_start(&movers, rig.ada.key, base, feed_cursor_of(&list), rig_setting("CELL_PAUSE_MS", 1));
	pthread_create(&thread, NULL, busy_thread, NULL);
	for (int i = 0; i < moves; i++) {
		int made = movers_made(&movers);
		until_us = patience_ms(WAIT_MS);
		move_on(i < kills ? points[i % POINTS] : NULL);
		/* They go on there. */
		while (movers_made(&movers) < made + 20 && patience_pause(until_us))
			;
		assert_true(movers_made(&movers) >= made + 20);
	}
	atomic_store(&busy.stop, true);
	pthread_join(thread, NULL);
	assert_true(movers_end(&movers, base));
	assert_true(movers.follower.moved > 0);
	print_message("%d people made, %d events seen, writes held for at most %lld ms\n", movers_made(&movers),
	    movers.follower.n, (long long)movers_held_ms(&movers));
	assert_true(bystander_end(&bystander, "during the moves"));
	until_us = deliveries_end_us();
	while (deliveries_left() > 0 && patience_pause(until_us))
		;
	assert_int_equal(deliveries_left(), 0);
	assert_true(movers_delivered(&movers, receiver));
	for (int i = 0; i < CELLS; i++)
		assert_int_equal(consistency_broken(&cells[i].program), i == at ? broken : 0);
	movers_free(&movers);
}

/* In the cell where the workspace arrives next, a job removes a stored answer that has expired right after it was
 * copied. */
static void expire_one(void)
{
	assert_int_equal(
	    database_int(&cells[(at + 1) % CELLS].program,
	        "create table expired (once int); insert into expired values (1); create function expire() returns "
	        "trigger language plpgsql security definer as $$ begin delete from expired; if found then delete from "
	        "idempotency_keys "
	        "where ctid = (select ctid from idempotency_keys limit 1); end if; return null; end $$; create trigger "
	        "expire after insert on idempotency_keys for each statement execute function expire(); select 1"),
	    1);
}

/* A line for each table; those that differ are named. */
static void expect_state(const char *before)
{
	const char *now = cells_state(&rig.arena, &cells[at].program, rig.workspace.id);
	int differ = 0;

	for (size_t len; *before && *now; before += len + 1, now += strcspn(now, "\n") + 1) {
		len = strcspn(before, "\n");
		if (len == strcspn(now, "\n") && strncmp(before, now, len) == 0)
			continue;
		print_message("%.*s before, now %.*s\n", (int)len, before, (int)strcspn(now, "\n"), now);
		differ++;
	}
	assert_int_equal(differ, 0);
	assert_string_equal(now, before); /* both at their end */
}

/* The cookie of a browser that signs in where the workspace is. */
static const char *sign_in(void)
{
	static const struct client_header own[] = {{"X-Kith-Console", "1"}, {NULL, NULL}};
	struct caller_answer a =
	    caller_good(caller_send_with(&ben, "POST", "/auth/key", TEXT("{\"key\":\"%s\"}", rig.ada.key), own));

	return TEXT("%s", client_header(&a.reply, "Set-Cookie"));
}

/* A session goes with its workspace: behind a proxy, the browser sees the same host. */
static void expect_signed_in(const char *cookie)
{
	const struct client_header headers[] = {{"Cookie", cookie}, {"X-Kith-Console", "1"}, {NULL, NULL}};

	caller_turn(&ben, cells[at].server->base);
	assert_int_equal(caller_send_with(&ben, "GET", "/v1/session", NULL, headers).status, 200);
}

/* Without load both are compared row by row, killed at each point; in the short form where the workspace changes
 * hands. */
TEST(test_same_rows)
{
	bool all = rig_setting("CELL_POINTS", 1) > 1;
	const char *before, *cursor, *cookie;
	struct caller_answer list;

	cells_stop();
	cells_start();
	ben.key = NULL;
	caller_turn(&ben, cells[at].server->base);
	cookie = sign_in();
	caller_turn(&ada, cells[at].server->base);
	list = caller_get(&ada, "/v1/people?limit=1");
	cursor = cells_old_cursor(&rig.arena, &cells[at].program, rig.workspace.id, feed_cursor_of(&list));
	assert_int_equal(feed_get(&ada, cursor, 1, -1).answer.status, 200);
	before = cells_state(&rig.arena, &cells[at].program, rig.workspace.id);
	expire_one();
	for (int i = all ? 0 : 1; i < (all ? POINTS : 2); i++) {
		move_on(points[i]);
		expect_state(before);
	}
	expect_signed_in(cookie);
	/* A cursor from before workspaces had keys of their own. */
	caller_turn(&ada, cells[at].server->base);
	assert_int_equal(feed_get(&ada, cursor, 1, -1).answer.status, 200);
}

static int cancel_move(void)
{
	return child_wait(command_start(&cells[at].program,
	    (const char *const[]){"workspace", "move", rig.workspace.id, "--cancel", NULL}, -1, -1));
}

/* Runs statements where the workspace is. The setting test.w is its id, test.a Ada's. */
static void source_run(const char *sql)
{
	const char *given =
	    TEXT("select set_config('test.w', '%s', false), set_config('test.a', '%s', false); %s; select 1",
	        cells_uuid(rig.workspace.id), rig.ada.id + strlen("usr_"), sql);

	assert_int_equal(database_int(&cells[at].program, given), 1);
}

#define OF_ADA "current_setting('test.w')::uuid, current_setting('test.a')::uuid"
#define ACCESS                                                                                                         \
	"insert into api_keys (workspace_id, user_id, kind, last4, expires_at, key_hash, id) select " OF_ADA           \
	", 'grant', 'last', now() + interval '1 day', "
#define LINK "insert into oidc_links (workspace_id, user_id, issuer, subject) select " OF_ADA ", 'https://id.example', "
#define NAME "insert into card_names (workspace_id, user_id, book, record_id, name) select " OF_ADA ", 'people', "
#define CARD                                                                                                           \
	"insert into contact_cards (workspace_id, company, uid, version, record_id) select "                           \
	"current_setting('test.w')::uuid, false, 'uid', 1, "
#define PERSON(order)                                                                                                  \
	"(select id from people where workspace_id = current_setting('test.w')::uuid order by id " order " limit 1)"
#define GRANT "'11111111-1111-4111-8111-111111111111'::uuid"

/* After the first copy, what only one row may have goes to another one: an access token is replaced, a device makes
 * the card that it deleted anew and names another one anew, and a user gets another account at a provider. */
TEST(test_changes_hands)
{
	int to = (at + 1) % CELLS;
	const char *state;
	pid_t pid;

	source_run(
	    ACCESS "sha256('one'), " GRANT "; " LINK "'one'; " NAME PERSON("asc") ", 'one.vcf'; " CARD PERSON("asc"));
	pid = move_begin(to, "cell_copied 1 stop\n");
	await_true(child_stopped(pid));
	source_run("update api_keys set key_hash = sha256('two') where id = " GRANT "; " ACCESS
	           "sha256('one'), gen_random_uuid(); delete from oidc_links where subject = 'one'; " LINK
	           "'two'; delete from card_names where name = 'one.vcf'; " NAME PERSON(
	               "asc") ", 'two.vcf'; "
	                      "delete from contact_cards where uid = 'uid'; " CARD PERSON("desc"));
	state = cells_state(&rig.arena, &cells[at].program, rig.workspace.id);
	kill(pid, SIGCONT);
	assert_int_equal(child_wait(pid), 0);
	move_arrived(to);
	expect_state(state);
}

/* A move is given up after the first copy, and done when an access token has been replaced. */
TEST(test_token_replaced_between_moves)
{
	int to = (at + 1) % CELLS;

	assert_int_equal(move_to(to, "cell_copied 1"), -1);
	assert_int_equal(cancel_move(), 0);
	source_run("update api_keys set key_hash = sha256('three') where id = " GRANT);
	move_on(NULL);
	assert_int_equal(database_int(&cells[at].program,
	                     "select count(*) from api_keys where key_hash = sha256('three') and id = " GRANT),
	    1);
}

/* What "kith workspace list" of a cell says of where the workspace is. */
static bool list_says(int cell, const char *text)
{
	const char *out;

	assert_int_equal(
	    command_run(&cells[cell].program, &rig.arena, (const char *const[]){"workspace", "list", NULL}, &out), 0);
	return strstr(out, text);
}

/* Through the proxy, which asks the previous cell first: a write and a read, with all that they have. */
static void expect_found(const char *proxy)
{
	struct caller_answer a;

	caller_turn(&ada, proxy);
	a = caller_send(&ada, "POST", "/v1/people", "found", "{\"firstName\": \"Found\"}");
	assert_int_equal(a.status, 200);
	assert_true(strstr(a.reply.body, "Found"));
	a = SEND("GET", NULL, "/v1/people/%s?x=1", a.id);
	assert_int_equal(a.status, 200);
	assert_true(strstr(a.reply.body, "Found"));
}

/* A command that dies while writes are held does not hold them for long. Given up, the workspace stays. */
TEST(test_cancel)
{
	int64_t until_us = patience_ms(WAIT_MS);
	struct caller_answer a;
	struct nginx nginx;
	int held = 0, from;

	caller_turn(&ada, base);
	assert_int_equal(move_to((at + 1) % CELLS, "cell_held 1"), -1);
	do {
		a = SEND("POST", "{}", "/v1/people");
		held += a.status == 503;
		assert_true(a.status == 200 || (a.status == 503 && a.retry_after));
		assert_int_equal(SEND("GET", NULL, "/v1/people?limit=1").status, 200);
	} while (a.status != 200 && patience_pause(until_us));
	assert_int_equal(a.status, 200);
	assert_true(held > 0);
	assert_int_equal(cancel_move(), 0);
	assert_int_equal(cancel_move(), 1);
	assert_true(is_live(at));
	assert_int_equal(move_to((at + 1) % CELLS, "cell_moved 1"), -1);
	assert_int_equal(cancel_move(), 1);
	assert_int_equal(SEND("GET", NULL, "/v1/people?limit=1").status, 421);
	from = at;
	move_on(NULL);
	assert_true(list_says(from, TEXT("\"moving\":\"moved\",\"movedTo\":\"%s\"", cells[at].server->base)));
	assert_false(list_says(at, "\"moving\""));
	nginx_start_cells(&nginx, cells[from].server->base, cells[at].server->base);
	expect_found(nginx.base);
	nginx_stop(&nginx);
	cells_stop();
}
