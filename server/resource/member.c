/* Members of groups, and their roles. */
#include <string.h>

#include "server/input/body.h"
#include "server/request/object_scope.h"
#include "server/request/page.h"
#include "server/output/render.h"
#include "server/resource/steps.h"

enum step member_list(struct req *r)
{
	struct page_walk w;
	const struct group *g = page_walk_group(r, &w);

	if (!g)
		return DONE;
	for (size_t i = 0; i < g->n_members && !w.more; i++) {
		const struct member *m = &g->members[i];
		if (page_walk_shows(r, &w, &m->user))
			render_member(&r->reply.json, r->caller.ws, m);
	}
	return page_walk_end(r, &w);
}

/* True when a private group without the member m would have no admin. */
static bool member_is_last_admin(const struct group *g, const struct member *m)
{
	int admins = 0;

	for (size_t i = 0; i < g->n_members; i++)
		admins += g->members[i].role == ROLE_ADMIN;
	return g->private && m && m->role == ROLE_ADMIN && admins == 1;
}

static enum step member_refuse_last(struct req *r, const char *member)
{
	struct path at = PATH_NAME(NULL, member);

	issue_custom(&r->given.issues, &at, "A private group must keep at least one admin");
	return reply_issues(r, strcmp(member, "userId") == 0 ? "Invalid path parameters" : "Invalid input");
}

static enum step member_show(struct req *r, const struct uuid *user, enum role role)
{
	struct member m = {.user = *user, .role = role};

	render_member(reply_begin(r), r->caller.ws, &m);
	return reply_end(r);
}

static void member_set_role(struct req *r, const struct group *g, const struct uuid *user, enum role role)
{
	struct sql *s = req_sql(r, "member_set", NULL);

	sql_add_uuid(s, "insert into group_members (workspace_id, group_id, user_id, role) values ($1, ", &g->id);
	sql_add_uuid(s, ", ", user);
	sql_add_textz(s, ", ", role_name(role));
	sql_add(s, ") on conflict (workspace_id, group_id, user_id) do update set role = excluded.role");
}

static enum role member_given_role(const struct input *in)
{
	return role_parse(in->values[MEMBER_ROLE].text);
}

/* Adding an existing member sets the role. */
enum step member_add(struct req *r)
{
	const struct group *g = group_administered(r);
	const struct uuid *user = &r->given.input->values[MEMBER_ID].id;
	struct path id = {.name = "id", .len = 2};

	if (!g)
		return DONE;
	if (!workspace_user(r->caller.ws, user)) {
		issue_custom(&r->given.issues, &id, "User not found");
		return reply_issues(r, "Invalid input");
	}
	if (member_given_role(r->given.input) != ROLE_ADMIN && member_is_last_admin(g, member_find(g, user)))
		return member_refuse_last(r, "role");
	member_set_role(r, g, user, member_given_role(r->given.input));
	return member_show(r, user, member_given_role(r->given.input));
}

enum step member_update(struct req *r)
{
	const struct group *g = group_administered(r);
	const struct member *m = g ? member_find(g, &r->given.path[1].id) : NULL;
	enum role role;

	if (!g)
		return DONE;
	if (!m)
		return reply_not_found(r);
	role = r->given.input->given & FIELD_BIT(MEMBER_ROLE) ? member_given_role(r->given.input) : m->role;
	if (role != ROLE_ADMIN && member_is_last_admin(g, m))
		return member_refuse_last(r, "role");
	if (role != m->role)
		member_set_role(r, g, &m->user, role);
	return member_show(r, &m->user, role);
}

/* Admins may remove every member; every member may leave. */
enum step member_remove(struct req *r)
{
	bool leaves = uuid_equal(&r->given.path[1].id, &r->caller.viewer.user);
	const struct group *g =
	    leaves ? visible_group(r->caller.ws, &r->given.path[0].id, &r->caller.viewer) : group_administered(r);
	const struct member *m = g ? member_find(g, &r->given.path[1].id) : NULL;
	struct sql *s;

	if (!g && !leaves)
		return DONE;
	if (!m)
		return reply_not_found(r);
	if (member_is_last_admin(g, m))
		return member_refuse_last(r, "userId");
	s = req_sql(r, "member_remove", NULL);
	sql_add_uuid(s, "delete from group_members where workspace_id = $1 and group_id = ", &g->id);
	sql_add_uuid(s, " and user_id = ", &m->user);
	return reply_id(r, ID_USER, &m->user);
}
