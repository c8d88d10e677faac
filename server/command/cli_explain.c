/* kith explain: how the database runs a list with its filters. */
#include <stdio.h>
#include <string.h>

#include "server/resource/activity.h"
#include "server/base/json.h"
#include "server/command/cli.h"
#include "server/request/listing.h"
#include "server/request/object_scope.h"
#include "server/request/route.h"
#include "server/request/search_know.h"
#include "server/routes.h"
#include "server/embedded/command_session.h"
#include "server/resource/steps.h"
#include "server/request/validate.h"

/* The options of the command line; NULL: not given. */
struct explain {
	const char *query, *workspace, *resource, *group, *type, *user;
	bool analyze; /* run the statement and show how long each part took */
};

/* A request as the server would have it for the list, but without a client. */
struct work {
	struct session session;
	struct db_exchange x;
	struct req r;
};

static bool explain_refuse(const char *text)
{
	fprintf(stderr, "kith: %s\n", text);
	return false;
}

static bool explain_query(struct work *w, struct sql **statements, int n)
{
	/* The statement runs as lists do: with the same rights, views and planner settings. */
	if (session_query(&w->session, &w->x, DB_LIST, statements, n))
		return true;
	return explain_refuse(w->x.status == DB_FAILED ? w->x.message : "no connection to the database");
}

/* --- the request -------------------------------------------------------------------- */

static const struct route *find_route(struct work *w, const struct explain *e)
{
	const char *path = e->group ? "/v1/groups/{groupId}/{objectType}"
	                            : arena_printf(&w->r.arena, "/v1/%s", e->resource ? e->resource : "people");

	for (int i = 0; i < n_routes; i++)
		if (routes[i].filters && routes[i].method == HTTP_GET && strcmp(routes[i].path, path) == 0)
			return &routes[i];
	explain_refuse("--resource must be people, companies or tasks");
	return NULL;
}

static bool load_workspace(struct work *w, const struct explain *e)
{
	struct sql *statements[WORKSPACE_STATEMENTS];
	struct workspace_loading *loading;
	struct uuid id;

	if (!id_parse(ID_WORKSPACE, e->workspace, strlen(e->workspace), &id))
		return explain_refuse("--workspace must be an id such as wsp_01234567-89ab-7cde-8f01-23456789abcd");
	workspace_statements(statements, &w->r.arena, &id);
	if (!explain_query(w, statements, WORKSPACE_STATEMENTS))
		return false;
	loading = workspace_load_begin(&w->r.arena, &w->x, &id);
	w->r.caller.ws = loading ? workspace_load_some(loading, NULL) : NULL;
	return w->r.caller.ws || explain_refuse("there is no such workspace: \"kith workspace list\" shows them");
}

/* Chooses the given user, or the first admin. */
static bool choose_viewer(struct work *w, const struct explain *e)
{
	const struct workspace *ws = w->r.caller.ws;
	const struct user *u = NULL;
	struct uuid id;

	if (e->user && id_parse(ID_USER, e->user, strlen(e->user), &id))
		u = workspace_user(ws, &id);
	for (size_t i = 0; i < ws->n_users && !u && !e->user; i++)
		if (ws->users[i].admin)
			u = &ws->users[i];
	if (!u)
		return explain_refuse(e->user ? "there is no such user: \"kith user list --workspace ID\" shows them"
		                              : "the workspace has no admin: name a user with --user");
	w->r.caller.viewer = (struct viewer){.user = u->id, .admin = u->admin};
	return true;
}

static bool explain_read_path(struct work *w, const struct explain *e)
{
	struct req *r = &w->r;
	struct custom_scope scope;
	enum role role;

	if (!e->group)
		return true;
	if (!id_parse(ID_GROUP, e->group, strlen(e->group), &r->given.path[0].id))
		return explain_refuse("--group must be an id such as grp_01234567-89ab-7cde-8f01-23456789abcd");
	r->given.path[0].text = e->group;
	r->given.path[0].len = strlen(e->group);
	r->given.path[1].text = e->type;
	r->given.path[1].len = strlen(e->type);
	if (!object_scope_find(&r->caller, r->given.path, &scope, &role))
		return explain_refuse("there is no such group or type that the user may see");
	r->list.column = "type_id";
	r->list.id = scope.type->id;
	return true;
}

static void explain_print(const struct buf *text, FILE *to)
{
	fwrite(text->data, 1, text->len, to);
	fputc('\n', to);
	fflush(to);
}

/* Reads the query as a request would. Issues go to stderr in the form of an answer. */
static bool read_query(struct work *w, const struct explain *e, struct page *p)
{
	struct req *r = &w->r;
	struct buf details;

	r->given.raw_query = e->query + (*e->query == '?');
	r->given.raw_query_len = strlen(r->given.raw_query);
	validate_query(r);
	if (r->given.issues.count) {
		buf_init(&details, 4 << 20);
		issues_details(&r->given.issues, &details);
		explain_print(&details, stderr);
		buf_free(&details);
		return false;
	}
	if (req_param(r, "cursor")->given)
		return explain_refuse(
		    "the query has a cursor, but the plan is that of a first page: leave the cursor out");
	return page_read(r, p);
}

/* --- the plan ------------------------------------------------------------------------- */

/* Prints in one sentence where the page comes from. */
static void print_source(const struct filter_plan *p)
{
	if (p->driver)
		printf("The page comes from %s, in the order of the list, for \"%s\"", p->driver_index, p->driver);
	else
		printf("The page comes from the list in its order");
	if (p->most)
		printf("; the filters are tested on each row");
	if (p->lookups)
		printf(", and when the first %d rows do not fill it, from %s, for \"%s\"", p->first, p->lookup_index,
		    p->lookups);
	if (p->most)
		printf("; it ends after %d rows at the latest", p->most);
	puts(".");
}

/* Selects the parameters of a statement as rows of text. */
static struct sql values_of(const struct sql *s)
{
	struct sql values = *s;

	values.text = arena_dupz(s->arena, "");
	for (int i = 1; i <= s->n_params; i++)
		values.text =
		    arena_printf(s->arena, "%s%s$%d::text", values.text, i > 1 ? ", " : "select unnest(array[", i);
	values.text = arena_printf(s->arena, "%s]) from workspaces where workspace_id = $1", values.text);
	values.len = strlen(values.text);
	return values;
}

static void print_values(struct work *w)
{
	size_t len;

	for (int i = 0; i < db_rows(&w->x, 1); i++)
		printf("$%d = %s\n", i + 1, db_text(&w->x, 1, i, 0, &len));
	puts("");
}

static void print_plan(struct work *w)
{
	size_t len;

	for (int i = 0; i < db_rows(&w->x, 0); i++)
		puts(db_text(&w->x, 0, i, 0, &len));
	fflush(stdout);
}

struct words_statements {
	struct work *w;
	struct sql *list[1 + SEARCH_NAMED];
	int n;
};

static struct sql *words_begin(void *ctx, const char *name)
{
	struct words_statements *to = ctx;
	struct sql *s = to->list[to->n++] = arena_alloc(&to->w->r.arena, sizeof *s);

	sql_begin(s, &to->w->r.arena, name, &to->w->r.caller.ws->id);
	return s;
}

/* What a list knows before its search (server/request/listing.h). */
static bool explain_words(struct work *w)
{
	struct filter_search *search = w->r.given.listing ? w->r.given.listing->search : NULL;
	struct words_statements to = {.w = w};

	if (!search)
		return true;
	search->named = search_named_by(search->in);
	search_words_sql(search, words_begin, &to);
	if (!explain_query(w, to.list, to.n))
		return false;
	search_words_take(&w->r.arena, &w->x, 0, search);
	return true;
}

static bool explain_run(struct work *w, const struct explain *e)
{
	const char *before = e->analyze ? "explain (analyze, buffers)\n" : "explain\n";
	struct req *r = &w->r;
	struct filter_plan plan;
	struct sql s, values, *list[2] = {&s, &values};
	struct page page;

	r->route = find_route(w, e);
	if (!r->route || !load_workspace(w, e) || !choose_viewer(w, e) || !explain_read_path(w, e) ||
	    !read_query(w, e, &page) || !explain_words(w))
		return false;
	if (r->route->resource == &task_resource)
		activity_list(r);
	sql_begin(&s, &r->arena, NULL, &r->caller.ws->id);
	sql_add(&s, before);
	plan = listing_plan_sql(r, &s, step_list_base(r), &page);
	values = values_of(&s);
	if (!explain_query(w, list, 2))
		return false;
	print_source(&plan);
	printf("\n%s\n\n", s.text + strlen(before));
	print_values(w);
	print_plan(w);
	return true;
}

int cli_explain(struct config *config, const struct cli_args *args)
{
	struct explain e = {.query = args->words[0],
	    .workspace = cli_option(args, "--workspace"),
	    .resource = cli_option(args, "--resource"),
	    .group = cli_option(args, "--group"),
	    .type = cli_option(args, "--type"),
	    .user = cli_option(args, "--user"),
	    .analyze = cli_option(args, "--analyze") != NULL};
	struct work w = {0};
	bool ok;

	config->db_connections = 1; /* the write lane is not used */
	if (!session_open(&w.session, config, true, SESSION_CURRENT))
		return 1;
	routes_use();
	arena_init(&w.r.arena);
	issues_init(&w.r.given.issues);
	ok = explain_run(&w, &e);
	db_exchange_clear(&w.x);
	issues_free(&w.r.given.issues);
	workspace_release(w.r.caller.ws);
	arena_free(&w.r.arena);
	session_close(&w.session);
	return ok ? 0 : 1;
}
