/* The rest of what is asked of servers: imports and exports by the program's own commands, tools of /mcp, the pages,
 * a user at the rate limit, keys that expire. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/soak/soak_load.h"

enum { TOOLS = 5, FILE_PEOPLE = 300, BURST = 300, WINDOW_MS = 2000, HAMMERED = 700, KEY_S = 3 };

static pthread_t threads[TOOLS];
static struct test_user eve, mallory; /* of the third workspace; of the second */

/* --- kith import, kith export ----------------------------------------------------------------------- */

static void write_file(const char *path, int round)
{
	FILE *f = fopen(path, "w");

	for (int i = 0; f && i < FILE_PEOPLE; i++)
		fprintf(f, "{\"firstName\":\"%sfile\",\"lastName\":\"%d-%d\",\"emails\":[\"f%d-%d@file.example\"]}\n",
		    soak.spaces[1].mark, round, i, round, i);
	if (f)
		fclose(f);
}

/* Its exit code, -1 when it did not end in time; killed: after that time, if not before. */
static int run_command(const char *const args[], int ms, bool killed)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC), status;
	int64_t until_ms = clock_now_ms() + ms;
	pid_t pid = command_start(soak.rig.program, args, null, null);

	close(null);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (clock_now_ms() > until_ms) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			if (!killed)
				finding_add("commands", "kith %s did not end", args[0]);
			return -1;
		}
		soak_pause(20);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The same line again until it is in: the server may be down, or the command itself is killed. Then every record of
 * the file must be there once, and leaves by the same file. */
static void import_file(int round, const char *path)
{
	int done = -1;
	char error[256];
	int64_t n = 0;

	write_file(path, round);
	for (int try = 0; done != 0 && try < 30; try++) {
		const char *const args[] = {"import", path, "--url", side_base(round % SOAK_SIDES), "--key",
		    mallory.key, "--as", "people", NULL};
		done = run_command(args, try == 0 && round % 2 ? 150 : 120000, try == 0 && round % 2);
	}
	if (done != 0)
		finding_add("imports", "import %d ended with %d", round, done);
	char *sql = arena_printf(&soak.rig.arena,
	    "select count(*) from people where workspace_id = '%s' and last_name like '%d-%%' and first_name = "
	    "'%sfile'",
	    soak.spaces[1].workspace, round, soak.spaces[1].mark);
	if (database_try(soak.rig.program, sql, &n, error) && done == 0 && n != FILE_PEOPLE)
		finding_add("imports", "import %d left %lld of %d people", round, (long long)n, FILE_PEOPLE);
	atomic_fetch_add(&soak.imports, 1);
	const char *const undo[] = {
	    "import", "--undo", path, "--url", side_base(round % SOAK_SIDES), "--key", mallory.key, NULL};
	for (int try = 0; try < 10 && run_command(undo, 120000, false) != 0; try++)
		soak_pause(500);
}

static void export_people(const char *path)
{
	int64_t began_ms = clock_now_ms();
	const char *const args[] = {"export", "people", "--url", side_base(1), "--key", mallory.key, "-o", path, NULL};
	int status = run_command(args, 120000, false);

	if (status != 0 && !outage_between(began_ms, clock_now_ms()))
		finding_add("exports", "an export ended with %d", status);
	atomic_fetch_add(&soak.exports, status == 0);
	unlink(path);
}

static void *transfer_on(void *unused)
{
	const char *dir = soak.rig.program->data_dir;
	char file[160], out[160], progress[176];

	snprintf(out, sizeof out, "%s/export.ndjson", dir);
	for (int round = 0; !atomic_load(&soak.stop); round++) {
		snprintf(file, sizeof file, "%s/import-%d.ndjson", dir, round);
		snprintf(progress, sizeof progress, "%s.kith", file);
		import_file(round, file);
		unlink(file);
		unlink(progress);
		export_people(out);
		soak_rest(5000);
	}
	return unused;
}

/* --- /mcp ------------------------------------------------------------------------------------------------ */

static void mcp_call(
    struct load_client *c, struct arena *a, const char *tool, const char *arguments, struct client_reply *reply)
{
	const char *body = arena_printf(a,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}",
	    tool, arguments);

	load_send(c, a, "POST", "/mcp", NULL, body, reply);
	atomic_fetch_add(&soak.calls, 1);
	/* A result tells of a request that failed. */
	if ((strstr(reply->body, "SERVICE_UNAVAILABLE") ||
	        strstr(reply->body, "outcome of this operation is unknown")) &&
	    outage_between(clock_now_ms() - 5000, clock_now_ms()))
		c->outage = true;
	if (!c->outage && (reply->status != 200 || strstr(reply->body, "\"isError\":true") ||
	                      strstr(reply->body, "\"error\":{\"code\"")))
		finding_add("mcp", "%s %s: %d %.400s", tool, arguments, reply->status, reply->body);
}

/* The first id of that kind in an answer, in the arena; "" without. */
static const char *mcp_id(struct arena *a, const char *body, const char *prefix)
{
	const char *at = strstr(body, prefix);

	return at ? arena_dup(a, at, strnlen(at, ID_LEN)) : "";
}

static void mcp_round(struct load_client *c, struct arena *a)
{
	struct client_reply reply;

	load_send(c, a, "POST", "/mcp", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", &reply);
	mcp_call(c, a, "describe", "{}", &reply);
	mcp_call(c, a, "search", "{\"kind\":\"people\",\"limit\":5}", &reply);
	mcp_call(c, a, "create",
	    arena_printf(a, "{\"kind\":\"person\",\"fields\":{\"firstName\":\"%smcp\"}}", c->space->mark), &reply);
	const char *person = mcp_id(a, reply.body, "per_");
	if (!*person || c->outage)
		return;
	mcp_call(c, a, "get", arena_printf(a, "{\"id\":\"%s\"}", person), &reply);
	mcp_call(c, a, "update", arena_printf(a, "{\"id\":\"%s\",\"fields\":{\"jobTitle\":\"m\"}}", person), &reply);
	mcp_call(c, a, "add_note", arena_printf(a, "{\"entity\":\"%s\",\"content\":\"m\"}", person), &reply);
	mcp_call(c, a, "delete", arena_printf(a, "{\"id\":\"%s\",\"dryRun\":false}", person), &reply);
}

static void *mcp_on(void *unused)
{
	struct load_client c;
	struct arena a;

	arena_init(&a);
	load_client_init(&c, &soak.spaces[0], soak.rig.ben.key, 200);
	while (soak_rest(200)) {
		mcp_round(&c, &a);
		arena_free(&a);
	}
	load_client_free(&c);
	return unused;
}

/* --- pages ---------------------------------------------------------------------------------------------- */

static void *pages_on(void *unused)
{
	static const char *const targets[] = {"/", "/docs", "/docs/", "/console", "/console/", "/docs/errors",
	    "/openapi.json", "/livez", "/readyz", "/nowhere"};
	struct load_client c;
	struct arena a;

	arena_init(&a);
	load_client_init(&c, &soak.spaces[1], mallory.key, 201);
	for (size_t i = 0; soak_rest(150); i = (i + 1) % (sizeof targets / sizeof *targets)) {
		struct client_reply reply;
		load_send(&c, &a, "GET", targets[i], NULL, NULL, &reply);
		if (!c.outage && reply.status != 200 && reply.status != 301 && reply.status != 302 &&
		    reply.status != 308 && strcmp(targets[i], "/nowhere") != 0)
			finding_add("pages", "%s: %d", targets[i], reply.status);
		arena_free(&a);
	}
	load_client_free(&c);
	return unused;
}

/* --- the rate limit ----------------------------------------------------------------------------------------- */

/* Never more than the limit in any window: of requests whose decisions certainly lie within one. */
static void judge_burst(const int64_t *sent_ms, const int64_t *done_ms, int n)
{
	for (int i = 0; i + BURST < n; i++)
		if (done_ms[i + BURST] - sent_ms[i] < WINDOW_MS &&
		    !outage_crash_between(sent_ms[i], done_ms[i + BURST]))
			finding_add("rate limits", "%d requests within %lld ms", BURST + 1,
			    (long long)(done_ms[i + BURST] - sent_ms[i]));
}

static void hammer_once(struct load_client *c, struct arena *a)
{
	static int64_t sent_ms[HAMMERED], done_ms[HAMMERED];
	struct client_request request = {.method = "GET", .target = "/v1/users/me"};
	char error[256];
	int n = 0;

	request.headers[request.n_headers++] =
	    (struct client_header){"Authorization", arena_printf(a, "Bearer %s", eve.key)};
	for (int i = 0; i < HAMMERED && !atomic_load(&soak.stop); i++) {
		struct client_reply reply;
		int64_t began_ms = clock_now_ms();
		bool came = client_send(c->client, a, &request, &reply, error);
		atomic_fetch_add(&soak.requests, 1);
		if (!came || reply.status == 503) {
			load_turn(c);
			soak_pause(50);
		} else if (reply.status == 200) {
			sent_ms[n] = began_ms;
			done_ms[n++] = clock_now_ms();
		} else if (reply.status == 429) {
			atomic_fetch_add(&soak.limited, 1);
		} else {
			finding_add("rate limits", "%d %.200s", reply.status, reply.body);
		}
	}
	judge_burst(sent_ms, done_ms, n);
}

static void *hammer_on(void *unused)
{
	struct load_client c;
	struct arena a;

	arena_init(&a);
	load_client_init(&c, &soak.spaces[2], eve.key, 202);
	while (soak_rest(9000)) {
		hammer_once(&c, &a);
		load_turn(&c);
		arena_free(&a);
	}
	load_client_free(&c);
	return unused;
}

/* --- keys that expire ------------------------------------------------------------------------------------------ */

/* Works until its time, and not a second longer. */
static void key_round(struct load_client *c, struct arena *a)
{
	char at[TIME_TEXT_SIZE];
	int64_t end_ms = clock_now_ms() + KEY_S * 1000;
	struct client_reply reply;

	load_send(c, a, "POST", "/v1/keys", NULL,
	    arena_printf(a, "{\"name\":\"short\",\"expiresAt\":\"%s\"}", time_format(end_ms, at)), &reply);
	const char *key = reply.status == 200 ? strstr(reply.body, "\"kith_") : NULL;
	if (!key) {
		if (!c->outage)
			finding_add("keys", "none was made: %d %.300s", reply.status, reply.body);
		return;
	}
	struct load_client short_lived;
	load_client_init(&short_lived, c->space, arena_dup(a, key + 1, strcspn(key + 1, "\"")), 203);
	for (int64_t now_ms = 0; now_ms < end_ms + 1500;) {
		int64_t sent_ms = clock_now_ms();
		load_send(&short_lived, a, "GET", "/v1/keys/me", NULL, NULL, &reply);
		now_ms = clock_now_ms();
		if (!short_lived.outage &&
		    ((now_ms < end_ms && reply.status != 200) || (sent_ms > end_ms + 500 && reply.status != 401)))
			finding_add("keys", "%lld ms before its end: %d", (long long)(end_ms - now_ms), reply.status);
		soak_pause(100);
	}
	load_client_free(&short_lived);
}

static void *keys_on(void *unused)
{
	struct load_client c;
	struct arena a;

	arena_init(&a);
	load_client_init(&c, &soak.spaces[2], soak.spaces[2].admin.key, 204);
	while (soak_rest(3000)) {
		key_round(&c, &a);
		arena_free(&a);
	}
	load_client_free(&c);
	return unused;
}

/* --------------------------------------------------------------------------------------------------------------- */

static struct test_user user_of(const struct soak_space *space, const char *name)
{
	const struct test_workspace w = {.id = arena_printf(&soak.rig.arena, "wsp_%s", space->workspace)};

	return user_create(soak.rig.program, &soak.rig.arena, &w, name, name,
	    arena_printf(&soak.rig.arena, "%s@example.org", name), "admin");
}

void tools_begin(void)
{
	static void *(*const all[TOOLS])(void *) = {transfer_on, mcp_on, pages_on, hammer_on, keys_on};

	eve = user_of(&soak.spaces[2], "eve");
	mallory = user_of(&soak.spaces[1], "mallory");
	for (int i = 0; i < TOOLS; i++)
		pthread_create(&threads[i], NULL, all[i], NULL);
}

void tools_end(void)
{
	for (int i = 0; i < TOOLS; i++)
		pthread_join(threads[i], NULL);
}
