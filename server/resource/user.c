/* Users, from the snapshot; the command line creates them. */
#include "server/request/page.h"
#include "server/output/render.h"
#include "server/resource/steps.h"

enum step user_list(struct req *r)
{
	struct page_walk w;

	if (!page_walk_begin(r, &w))
		return DONE;
	for (size_t i = 0; i < r->caller.ws->n_users && !w.more; i++) {
		const struct uuid *id = &r->caller.ws->users[i].id;
		if (page_walk_shows(r, &w, id))
			render_user(&r->reply.json, r->caller.ws, id);
	}
	return page_walk_end(r, &w);
}

static enum step user_show(struct req *r, const struct uuid *id)
{
	if (!workspace_user(r->caller.ws, id))
		return reply_not_found(r);
	render_user(reply_begin(r), r->caller.ws, id);
	return reply_end(r);
}

enum step user_get(struct req *r)
{
	return user_show(r, &r->given.path[0].id);
}

enum step user_me(struct req *r)
{
	return user_show(r, &r->caller.viewer.user);
}
