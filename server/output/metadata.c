/* Renders a person's interaction counters, which are stored in the person's row, user by user. */
#include "server/output/render.h"

/* The time of the last interaction with a user. */
static int64_t metadata_last(const struct value *m, size_t i)
{
	return m->numbers[m->n_users + i];
}

/* The two members that both parts have. n 0: there was no interaction. */
static void render_counter(struct json_out *o, int64_t n, int64_t last)
{
	json_key_literal(o, "approximateCount");
	json_int(o, n);
	json_key_literal(o, "lastInteractedAt");
	if (n)
		render_time(o, last);
	else
		json_null(o);
}

static void of_user(struct json_out *o, const struct value *m, const struct uuid *user)
{
	size_t i = 0;

	while (i < m->n_users && !uuid_equal(&m->users[i], user))
		i++;
	json_begin_object(o);
	render_counter(o, i < m->n_users ? m->numbers[i] : 0, i < m->n_users ? metadata_last(m, i) : 0);
	json_end_object(o);
}

/* Users with the same latest time are all listed. */
static void of_workspace(struct json_out *o, const struct value *m, const struct workspace *ws)
{
	int64_t n = 0, last = INT64_MIN;

	for (size_t i = 0; i < m->n_users; i++) {
		n += m->numbers[i];
		last = metadata_last(m, i) > last ? metadata_last(m, i) : last;
	}
	json_begin_object(o);
	render_counter(o, n, last);
	json_key_literal(o, "lastInteractedBy");
	json_begin_array(o);
	for (size_t i = 0; i < m->n_users; i++)
		if (metadata_last(m, i) == last)
			render_user(o, ws, &m->users[i]);
	json_end_array(o);
	json_end_object(o);
}

void metadata_render(
    struct json_out *o, const struct value *metadata, const struct workspace *ws, const struct viewer *viewer)
{
	json_begin_object(o);
	json_key_literal(o, "user");
	of_user(o, metadata, &viewer->user);
	json_key_literal(o, "workspace");
	of_workspace(o, metadata, ws);
	json_end_object(o);
}

static bool is_stronger(const struct value *m, size_t i, size_t than)
{
	if (m->numbers[i] != m->numbers[than])
		return m->numbers[i] > m->numbers[than];
	return metadata_last(m, i) > metadata_last(m, than);
}

/* Returns the index of the user with the most interactions, among the users that count for the group. m->n_users: there
 * is none. */
static size_t strongest_member(const struct value *m, const struct group *g)
{
	size_t best = m->n_users;

	for (size_t i = 0; i < m->n_users; i++) {
		if (g->private && !member_find(g, &m->users[i]))
			continue;
		if (best == m->n_users || is_stronger(m, i, best))
			best = i;
	}
	return best;
}

void metadata_render_connection(struct json_out *o, const struct value *metadata, const struct value *groups,
    const struct workspace *ws, const struct viewer *viewer)
{
	json_begin_object(o);
	for (size_t i = 0; i < groups->n_ids; i++) {
		const struct group *g = visible_group(ws, &groups->ids[i], viewer);
		size_t best = g ? strongest_member(metadata, g) : metadata->n_users;
		if (best == metadata->n_users)
			continue;
		json_key_raw(o, g->key, g->key_len);
		render_user(o, ws, &metadata->users[best]);
	}
	json_end_object(o);
}
