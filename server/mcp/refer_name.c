/* Which record, user or group a name means: see refer.h. */
#include "server/mcp/refer.h"

#include <string.h>

#include "server/base/text.h"

enum { SHOWN_BYTES = 4096, NAME_SHOWN = 200 };

/* --- comparing ------------------------------------------------------------------------------- */

/* Compares without regard to the case of ASCII letters. */
static bool name_equal(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text_lower(a[i]) != text_lower(b[i]))
			return false;
	return true;
}

/* True when the word begins at the beginning of a word of the name. */
static bool name_has_word(const char *name, const char *word, size_t len)
{
	size_t n = strlen(name);

	for (size_t i = 0; i + len <= n; i++)
		if ((i == 0 || strchr(" -.,'(/", name[i - 1])) && name_equal(name + i, word, len))
			return true;
	return false;
}

static bool name_has_words(const char *name, const char *text)
{
	const char *blank = " \t";

	for (text += strspn(text, blank); *text; text += strspn(text, blank)) {
		size_t len = strcspn(text, blank);
		if (!name_has_word(name, text, len))
			return false;
		text += len;
	}
	return true;
}

/* --- candidates ------------------------------------------------------------------------------ */

void refer_found_begin(struct refer_found *f, const char *text, size_t len)
{
	memset(f, 0, sizeof *f);
	f->text = text;
	f->len = len;
	buf_init(&f->shown, SHOWN_BYTES);
}

void refer_found_add(struct refer_found *f, const char *id, const char *name, bool exact)
{
	size_t len = strlen(name);

	exact = exact || (len == f->len && name_equal(name, f->text, f->len));
	if (f->n++ < REFER_SHOWN)
		buf_printf(&f->shown, "%s%.*s (%s)", f->n > 1 ? ", " : "",
		    (int)text_utf8_span(name, len < NAME_SHOWN ? len : NAME_SHOWN), name, id);
	if (exact && f->exact++ == 0)
		f->exact_id = id;
	if (name_has_words(name, f->text) && f->within++ == 0)
		f->within_id = id;
}

/* "person, company or object" */
static const char *kinds_in_words(struct req *r, unsigned allowed)
{
	const char *text = "";

	for (int i = 0; i < MCP_KINDS; i++) {
		if (!(allowed & MCP_BIT(i)))
			continue;
		allowed &= ~MCP_BIT(i);
		text = arena_printf(&r->arena, "%s%s%s", text, !*text ? "" : allowed ? ", " : " or ", kinds[i].name);
	}
	return text;
}

const char *refer_found_end(struct refer_found *f, struct req *r, const struct refer_place *place, bool strict)
{
	const char *id = f->exact == 1 && !f->unsorted ? f->exact_id : NULL;
	struct issues *is = &r->given.issues;

	if (!f->exact && f->within == 1 && !f->more && !strict)
		id = f->within_id;
	if (!id && f->exact)
		issue_custom(is, place->path, "Several %s named \"%s\": give the id of one of them",
		    f->exact > 1 ? "are" : "may be", f->text);
	else if (!id && f->n)
		issue_custom(is, place->path, "No %s has exactly the name \"%s\": give the id",
		    kinds_in_words(r, place->kinds), f->text);
	else if (!id)
		issue_custom(is, place->path, "No %s has the name \"%s\": find it with search",
		    kinds_in_words(r, place->kinds), f->text);
	if (!id && f->n)
		issue_hint(is, "there are: %s%s", f->shown.data, f->n > REFER_SHOWN || f->more ? ", and others" : "");
	buf_free(&f->shown);
	return id;
}

/* --- users and groups, which the snapshot has -------------------------------------------------- */

static void found_add_users(struct refer_found *f, struct req *r)
{
	const struct workspace *ws = r->caller.ws;
	const struct user *by_email = workspace_user_by_email(ws, f->text, f->len);
	bool me = f->len == 2 && name_equal(f->text, "me", 2);

	for (size_t i = 0; i < ws->n_users; i++) {
		const struct user *u = &ws->users[i];
		bool exact = u == by_email || (me && uuid_equal(&u->id, &r->caller.viewer.user));
		if (exact || name_has_words(u->full_name, f->text))
			refer_found_add(
			    f, id_format(ID_USER, &u->id, arena_alloc(&r->arena, ID_SIZE)), u->full_name, exact);
	}
}

static void found_add_groups(struct refer_found *f, struct req *r)
{
	for (size_t i = 0; i < r->caller.ws->n_groups; i++) {
		const struct group *g = &r->caller.ws->groups[i];
		if (group_role(g, &r->caller.viewer) != ROLE_NONE && name_has_words(g->name, f->text))
			refer_found_add(
			    f, id_format(ID_GROUP, &g->id, arena_alloc(&r->arena, ID_SIZE)), g->name, false);
	}
}

void refer_known(struct req *r, const struct refer_place *place)
{
	struct refer_found found;
	const char *id;

	refer_found_begin(&found, place->at->text, place->at->len);
	if (place->kinds & MCP_BIT(MCP_USER))
		found_add_users(&found, r);
	if (place->kinds & MCP_BIT(MCP_GROUP))
		found_add_groups(&found, r);
	id = refer_found_end(&found, r, place, false);
	if (!id)
		return;
	place->at->text = id;
	place->at->len = strlen(id);
}
