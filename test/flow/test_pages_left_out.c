/* A program that was built without the pages, which is this one: it serves the API, and tells browsers why there is
 * nothing more. And their build, where what it takes is not there. */
#include <stdio.h>
#include <string.h>

#include "server/config/config.h"
#include "server/serve.h"
#include "server/pages/asset.h"
#include "test/lib/http/client.h"
#include "test/lib/rig.h"
#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"
#include "test/lib/test.h"

/* In place of the library's. */
const struct asset assets[] = {{0}};
const size_t n_assets = 0;

static struct rig rig;
static struct server_process *server;
static struct client *client;
static struct arena arena;

BEFORE_ALL()
{
	static struct program self;

	rig_open(&rig, "left_out", false);
	self = *rig.program;
	self.path = "/proc/self/exe";
	server = server_start(&self, (const char *const[]){NULL});
	client = client_new(server->base);
	arena_init(&arena);
}

AFTER_ALL()
{
	bool ok;

	arena_free(&arena);
	client_free(client);
	ok = server_stop(server);
	rig_close(&rig);
	assert_true(ok);
}

static struct client_reply page_ask(const char *target, const char *accept)
{
	struct client_request request = {
	    .method = "GET", .target = target, .headers = {{"Accept", accept}}, .n_headers = 1};
	struct client_reply reply;
	char error[256];

	if (!client_send(client, &arena, &request, &reply, error))
		fail_msg("%s: %s", target, error);
	return reply;
}

TEST(test_answers)
{
	static const struct {
		const char *path, *accept;
		int status;
		const char *type, *has;
	} cases[] = {
	    {"/docs", "text/html", 404, "text/html; charset=utf-8", "was built without its pages"},
	    {"/console", "*/*", 404, "text/html; charset=utf-8", "was built without its pages"},
	    {"/docs/feed", "text/html", 404, "application/json", "RESOURCE_NOT_FOUND"},
	    {"/docs/errors", "text/html", 200, "text/html; charset=utf-8", "PRECONDITION_FAILED"},
	    {"/openapi.json", "*/*", 200, "application/json", "\"openapi\""},
	    {"/", "text/html", 200, "text/html; charset=utf-8", "was built without its pages"},
	    {"/", "*/*", 200, "application/json", "/openapi.json"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct client_reply reply = page_ask(cases[i].path, cases[i].accept);
		const char *type = client_header(&reply, "Content-Type");
		if (reply.status != cases[i].status || !type || strcmp(type, cases[i].type) != 0 ||
		    !strstr(reply.body, cases[i].has))
			fail_msg("%s: %d %s %s", cases[i].path, reply.status, type ? type : "", reply.body);
	}
	assert_null(strstr(page_ask("/", "*/*").body, "/console"));
}

/* Runs a shell's line; what it prints, in the arena. */
static const char *run_shell(const char *line, int *code)
{
	const char *const argv[] = {"sh", "-c", line, NULL};
	char text[4096];
	FILE *out = tmpfile();
	size_t len;

	assert_non_null(out);
	*code = child_wait(child_start(&(struct child){.argv = argv, .out = fileno(out), .err = fileno(out)}));
	rewind(out);
	len = fread(text, 1, sizeof text - 1, out);
	text[len] = '\0';
	fclose(out);
	return arena_dupz(&arena, text);
}

/* One line says why; make goes on, with an empty table, and tries again unless it was told not to. */
static void check_build(const char *path, const char *npm, const char *wanted, const char *says)
{
	char dir[DIRECTORY_SIZE];
	const char *out;
	int code;

	assert_true(directory_make("left_out", dir));
	out = run_shell(arena_printf(&arena,
	                    "PATH=%s npm_config_registry=%s npm_config_cache=%s/cache sh pages/build.sh "
	                    "%s/out 0.0.0 %s",
	                    path, npm, dir, dir, wanted),
	    &code);
	if (code != 0 || !strstr(out, says) || strchr(out, '\n') != (*out ? out + strlen(out) - 1 : NULL))
		fail_msg("ended with %d: %s", code, out);
	run_shell(arena_printf(&arena, "grep -q 'n_assets = 0' %s/out/assets.c", dir), &code);
	assert_int_equal(code, 0);
	run_shell(arena_printf(&arena, "test -e %s/out/done", dir), &code);
	assert_int_equal(code == 0, strcmp(wanted, "no") == 0);
	run_shell(arena_printf(&arena, "rm -rf %s", dir), &code);
}

TEST(test_build)
{
	char bare[DIRECTORY_SIZE], with_node[DIRECTORY_SIZE];
	int code;

	assert_true(directory_make("left_out", bare));
	assert_true(directory_make("left_out", with_node));
	run_shell(arena_printf(&arena,
	              "for t in sh cat cmp cp mkdir rm dirname; do ln -s \"$(command -v $t)\" %s/; done; "
	              "cp -a %s/. %s/; ln -s \"$(command -v node)\" %s/node",
	              bare, bare, with_node, with_node),
	    &code);
	assert_int_equal(code, 0);
	check_build(bare, "http://127.0.0.1:9", "yes", "Node.js is missing");
	check_build(bare, "http://127.0.0.1:9", "no", "");
	check_build(with_node, "http://127.0.0.1:9", "yes", "npm is missing");
	check_build("\"$PATH\"", "http://127.0.0.1:9", "yes", "npm could not install");
	run_shell(arena_printf(&arena, "rm -rf %s %s", bare, with_node), &code);
}

/* It is the server, too. */
int main(int argc, char **argv)
{
	struct config config;
	char error[512];
	int n = argc - 2;

	if (argc > 1 && strcmp(argv[1], "serve") == 0)
		return config_load(&config, &n, argv + 2, error) ? serve_run(&config, argc - 2, argv + 2) : 2;
	return test_run(argc, argv);
}
