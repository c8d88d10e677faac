/* The black-box suite: main KITH [-v] [FILE.t …]. Each file gets a workspace of its own; KITH_TEST_DATABASE_URL
 * names the cluster. Without files: all of test/api, and a route that was never reached is a failure. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/api/hits.h"
#include "test/api/play.h"
#include "test/api/reads.h"
#include "test/lib/db/database.h"
#include "test/lib/server/kith_server.h"

#ifndef API_DIR
#define API_DIR "test/api"
#endif

struct run {
	struct program *program;
	struct server_process *shared; /* NULL until a file needs it */
	const char *templates_text;
	bool verbose;
	int passed, failed;
};

static const char *const no_limits[] = {"rate_default=0", "rate_burst=0", NULL};

/* "ada" is ada_id, ada_key, ada_key_id, ada_email, and as a whole the user reference. */
static void add_user(struct play *p, const struct test_user *u)
{
	struct arena *a = p->arena;

	variable_set(&p->variables, arena_printf(a, "%s_id", u->name), u->id);
	variable_set(&p->variables, arena_printf(a, "%s_key", u->name), u->key);
	variable_set(&p->variables, arena_printf(a, "%s_key_id", u->name), u->key_id);
	variable_set(&p->variables, arena_printf(a, "%s_email", u->name), u->email);
	variable_set(&p->variables, u->name,
	    arena_printf(
	        a, "{\"id\": \"%s\", \"fullName\": \"%s\", \"email\": \"%s\"}", u->id, u->full_name, u->email));
}

static void make_user(
    struct play *p, const struct test_workspace *w, const char *name, const char *full_name, const char *role)
{
	const char *email = arena_printf(p->arena, "%s@example.com", name);
	struct test_user u = user_create(p->program, p->arena, w, name, full_name, email, role);

	add_user(p, &u);
}

static void make_workspaces(struct play *p, const struct case_file *file)
{
	struct test_workspace w = workspace_create(p->program, p->arena, file->path);
	struct test_workspace other = workspace_create(p->program, p->arena, "other");
	const char *key_id;

	variable_set(&p->variables, "workspace_id", w.id);
	make_user(p, &w, "admin", "Alma Admin", "admin");
	make_user(p, &w, "ada", "Ada Lovelace", "member");
	make_user(p, &w, "bob", "Bob Stone", "member");
	for (size_t i = 0; file->users[i]; i++)
		make_user(p, &w, file->users[i], arena_printf(p->arena, "%s Example", file->users[i]), "member");
	make_user(p, &other, "other", "Otto Other", "member");
	const char *key = api_key_create(p->program, p->arena, variable_get(&p->variables, "ada_id"), true, &key_id);
	variable_set(&p->variables, "readonly_key", key);
	variable_set(&p->variables, "readonly_key_id", key_id);
}

static void play_file(struct run *run, struct arena *a, const struct case_file *file)
{
	struct server_process *server = run->shared;
	const char *error = NULL;

	if (file->own_server)
		server = reads_serve(run->program, file->settings);
	else if (!server)
		server = run->shared = reads_serve(run->program, no_limits);
	struct play p = {.arena = a,
	    .variables = {.arena = a},
	    .program = run->program,
	    .path = file->path,
	    .base = server->base,
	    .templates_text = run->templates_text};
	p.client = client_new(server->base);
	variable_set(&p.variables, "base", server->base);
	make_workspaces(&p, file);
	if (!play_prepare(&p, &error)) {
		printf("%s/shapes.json: %s\n", API_DIR, error);
		run->failed++;
	}
	for (const struct test_case *t = file->cases; t && !error; t = t->next) {
		bool ok = play_case(&p, t);
		run->passed += ok;
		run->failed += !ok;
		if (run->verbose || !ok)
			printf("[ %s ] %s: %s\n", ok ? "     OK" : " FAILED", file->path, t->name);
		if (!server_alive(server)) {
			printf("%s:%d: the server has ended during this case\n", file->path, t->line);
			break;
		}
	}
	client_free(p.client);
	if (file->own_server && !server_stop(server))
		run->failed++;
	fflush(stdout);
}

static void run_file(struct run *run, const char *path)
{
	const char *error = NULL;
	struct arena a;

	arena_init(&a);
	struct case_file *file = case_read(&a, path, &error);
	if (file) {
		play_file(run, &a, file);
	} else {
		printf("%s\n", error);
		run->failed++;
	}
	arena_free(&a);
}

static void run_all(struct run *run)
{
	glob_t files;

	if (glob(API_DIR "/*.t", 0, NULL, &files) != 0) {
		printf("no files %s/*.t: run from the top of the source tree\n", API_DIR);
		run->failed++;
		return;
	}
	for (size_t i = 0; i < files.gl_pathc; i++)
		run_file(run, files.gl_pathv[i]);
	globfree(&files);
	run->failed += hits_report();
}

static char *read_templates(void)
{
	struct buf text;
	FILE *f = fopen(API_DIR "/shapes.json", "r");

	if (!f) {
		fprintf(stderr, "%s/shapes.json cannot be opened: run from the top of the source tree\n", API_DIR);
		exit(1);
	}
	buf_init(&text, 1 << 20);
	for (int c; (c = getc(f)) != EOF;)
		buf_addc(&text, (char)c);
	fclose(f);
	return buf_take(&text, NULL);
}

int main(int argc, char **argv)
{
	struct run run = {0};
	int first = 2;

	if (argc < 2) {
		fprintf(stderr, "usage: %s KITH [-v] [FILE.t …]\n", argv[0]);
		return 2;
	}
	if (argc > first && strcmp(argv[first], "-v") == 0) {
		run.verbose = true;
		first++;
	}
	char *templates = read_templates();
	run.templates_text = templates;
	reads_open();
	run.program = database_create(argv[1], "api");
	for (int i = first; i < argc; i++)
		run_file(&run, argv[i]);
	if (first == argc)
		run_all(&run);
	if (run.shared && !server_stop(run.shared))
		run.failed++;
	database_drop(run.program);
	run.failed += !reads_close();
	free(templates);
	printf("[  PASSED  ] %d test(s).\n", run.passed);
	if (run.failed)
		printf("[  FAILED  ] %d test(s)\n", run.failed);
	return run.failed ? 1 : 0;
}
