/* Users, out of the snapshot; they are made with the command line. */
#include "server/request/page.h"
#include "server/output/record.h"
#include "server/resource/steps.h"

enum step user_list(struct req *r)
{
	struct page p;
	struct json_out *o;
	struct cursor last = {.has_id = true};
	int shown = 0;
	bool more = false;

	if (!page_read(r, &p))
		return reply_issues(r, "Invalid query parameters");
	o = page_begin(r);
	for (size_t i = 0; i < r->ws->n_users; i++) {
		const struct uuid *id = &r->ws->users[i].id;
		if (p.after && uuid_compare(id, &p.cursor.id) <= 0)
			continue;
		more = shown == p.limit;
		if (more)
			break;
		render_user(o, r->ws, id);
		last.id = *id;
		shown++;
	}
	return page_end(r, &p, more ? &last : NULL);
}

static enum step show(struct req *r, const struct uuid *id)
{
	if (!workspace_user(r->ws, id))
		return reply_not_found(r);
	render_user(reply_begin(r), r->ws, id);
	return reply_end(r);
}

enum step user_get(struct req *r)
{
	return show(r, &r->path[0].id);
}

enum step user_me(struct req *r)
{
	return show(r, &r->viewer.user);
}
