/* Looks the names in a call's arguments up, one after the other: see refer.h. */
#include "server/mcp/refer.h"

#include <string.h>

#include "server/base/text.h"
#include "server/request/reply.h"

enum { NAMES_LOOKED_UP = 10, NAME_MOST = 200, HITS_MOST = 50, FOUND_BY_EMAIL = 10 };

#define CONTACTS (MCP_BIT(MCP_PERSON) | MCP_BIT(MCP_COMPANY))
#define ENTITIES (CONTACTS | MCP_BIT(MCP_OBJECT))

struct refer_work {
	struct inside inside;
	struct refer_places p;
	int at, way; /* the place that is being looked up, and how */
	int names;   /* names that were looked up */
	struct refer_found found;
};

/* --- ways ------------------------------------------------------------------------------------ */

static const struct refer_way {
	unsigned kinds;
	bool email; /* for e-mail addresses, else for other texts */
	const char *path;
} ways[] = {
    {MCP_BIT(MCP_PERSON), true, "/v1/people/search"},
    {MCP_BIT(MCP_COMPANY), true, "/v1/companies/search"},
    {ENTITIES, false, "/v1/search"},
    {MCP_BIT(MCP_TASK), false, "/v1/tasks"},
};
enum { WAYS = sizeof ways / sizeof *ways };

static bool is_email(const struct json *text)
{
	return strchr(text->text, '@') && !strpbrk(text->text, " \t");
}

/* {"filter": {"emails": {"eq": text}}} */
static struct json *email_body(struct req *r, const struct json *text)
{
	struct json *body = json_make(&r->arena, JSON_OBJECT), *filter = json_make(&r->arena, JSON_OBJECT);
	struct json *emails = json_make(&r->arena, JSON_OBJECT);

	json_attach(&r->arena, emails, "eq", text);
	json_attach(&r->arena, filter, "emails", emails);
	json_attach(&r->arena, body, "filter", filter);
	return body;
}

/* The words together, without quotation marks of their own. */
static const char *quoted_phrase(struct req *r, const struct json *text)
{
	char *phrase = arena_printf(&r->arena, "\"%s\"", text->text);

	for (char *c = phrase + 1; c[1]; c++)
		if (*c == '"')
			*c = ' ';
	return call_encoded(r, phrase, strlen(phrase));
}

static const char *refer_target(struct req *r, const struct refer_place *place)
{
	const char *words = "";

	for (int i = 0; i < MCP_KINDS; i++)
		if (place->kinds & ENTITIES & MCP_BIT(i))
			words = arena_printf(&r->arena, "%s%s%s", words, *words ? "," : "", kinds[i].plural);
	return arena_printf(
	    &r->arena, "/v1/search?limit=%d&kinds=%s&q=%s", HITS_MOST, words, quoted_phrase(r, place->at));
}

static enum step refer_next(struct refer_work *w);
static enum step refer_take(struct req *outer, struct req *r, const struct json *answer);

static enum step refer_send(struct refer_work *w, const struct refer_way *way)
{
	const struct refer_place *place = &w->p.places[w->at];
	struct req *r = w->p.r;

	if (way->email)
		return call_inside(r, &w->inside, HTTP_POST, way->path, email_body(r, place->at), refer_take);
	if (way->kinds & ENTITIES)
		return call_inside(r, &w->inside, HTTP_GET, refer_target(r, place), NULL, refer_take);
	return call_inside(r, &w->inside, HTTP_GET,
	    arena_printf(&r->arena, "%s?limit=%d&filter[completedAt][empty]=true&search=%s", way->path, HITS_MOST,
	        quoted_phrase(r, place->at)),
	    NULL, refer_take);
}

/* --- answers ----------------------------------------------------------------------------------- */

static void refer_collect(struct refer_work *w, const struct json *data)
{
	static const char *const names[] = {"title", "fullName", "name"};
	struct arena *a = &w->p.r->arena;
	int exact = w->found.exact;
	size_t n = 0;

	json_each(item, json_member(data, "items")) {
		const char *name = "";
		for (size_t i = 0; i < sizeof names / sizeof *names && !*name; i++)
			name = json_text(item, names[i]);
		refer_found_add(&w->found, arena_dupz(a, json_text(item, "id")), name, ways[w->way].email);
		n++;
	}
	if (n < HITS_MOST && !json_member(json_member(data, "pagination"), "scanned") &&
	    !json_member(json_member(data, "pagination"), "nextCursor"))
		return;
	w->found.more = true;
	if (ways[w->way].kinds & MCP_BIT(MCP_TASK) && w->found.exact > exact)
		w->found.unsorted = true;
}

/* A 422 says that the text cannot be searched for, so nothing has this name. */
static enum step refer_take(struct req *outer, struct req *r, const struct json *answer)
{
	struct refer_work *w = (struct refer_work *)r->inside;

	if (r->reply.status == 200 && answer) {
		refer_collect(w, json_member(answer, "data"));
	} else if (r->reply.status != 422) {
		buf_free(&w->found.shown);
		return reply_inside_refused(outer, r);
	}
	return refer_next(w);
}

/* --- names ------------------------------------------------------------------------------------- */

/* Replaces the name, also where it stands again. */
static void refer_replace(struct refer_work *w, const char *id)
{
	const struct refer_place first = w->p.places[w->at];
	const char *name = first.at->text;

	for (int i = w->at; i < w->p.n; i++) {
		struct refer_place *place = &w->p.places[i];
		if (place->kinds != first.kinds || strcmp(place->at->text, name) != 0)
			continue;
		place->at->text = id;
		place->at->len = strlen(id);
	}
}

static enum step refer_too_many(struct refer_work *w)
{
	struct req *r = w->p.r;

	issue_custom(&r->given.issues, w->p.places[w->at].path,
	    "A call looks at most %d names up: give ids, as search shows them", NAMES_LOOKED_UP);
	return result_bad_arguments(r);
}

/* Begins with the next name. */
static enum step refer_begin(struct refer_work *w)
{
	enum id_kind kind;
	struct uuid id;

	while (w->at < w->p.n && id_parse_any(w->p.places[w->at].at->text, w->p.places[w->at].at->len, &kind, &id))
		w->at++;
	if (w->at == w->p.n)
		return PASS;
	if (w->names++ == NAMES_LOOKED_UP)
		return refer_too_many(w);
	refer_found_begin(&w->found, w->p.places[w->at].at->text, w->p.places[w->at].at->len);
	w->way = -1;
	return refer_next(w);
}

/* Asks in the next way, or decides which record is meant. */
static enum step refer_next(struct refer_work *w)
{
	const struct refer_place *place = &w->p.places[w->at];
	bool email = is_email(place->at), valid = text_code_points(place->at->text, place->at->len) <= NAME_MOST;
	struct req *r = w->p.r;
	const char *id;

	while (++w->way < WAYS && valid) {
		const struct refer_way *way = &ways[w->way];
		if (way->kinds & place->kinds && (way->email == email || way->kinds & MCP_BIT(MCP_TASK)))
			return refer_send(w, way);
	}
	id = refer_found_end(&w->found, r, place, call_of(r)->tool->tried);
	if (!id)
		return result_bad_arguments(r);
	refer_replace(w, id);
	return refer_begin(w);
}

static enum step refer_places(struct req *r, void (*find)(struct refer_places *p))
{
	struct refer_work *w = arena_alloc(&r->arena, sizeof *w);

	w->p.r = r;
	find(&w->p);
	if (r->given.issues.count)
		return result_bad_arguments(r);
	return refer_begin(w);
}

enum step refer_start(struct req *r)
{
	return tool_allowed(r, call_of(r)->tool) ? refer_places(r, refer_arguments) : PASS;
}

enum step refer_object_type(struct req *r)
{
	struct tool_call *c = call_of(r);
	const struct json *id = call_argument(r, "id"), *fields = call_argument(r, "fields");
	struct uuid object;
	struct sql *s;

	if (!json_typed(fields, "customFieldValues", JSON_OBJECT) || !id || id->type != JSON_STRING ||
	    !id_parse(ID_OBJECT, id->text, id->len, &object))
		return PASS;
	s = req_sql(r, "object_place", &r->at);
	sql_add_uuid(s, "select group_id, type_id from objects where workspace_id = $1 and id = ", &object);
	c->type_asked = true;
	return req_ask(r, DB_POINT);
}

enum step refer_inside(struct req *r)
{
	return refer_places(r, refer_contents);
}
