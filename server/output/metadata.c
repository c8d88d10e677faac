/* Renders a person's interaction counters, which are stored in the person's row, user by user. */
#include "server/output/metadata.h"

#include "server/output/record.h"

static int64_t count_of(const struct value *m, size_t i)
{
	return m->numbers[i];
}

static int64_t last_of(const struct value *m, size_t i)
{
	return m->numbers[m->n_users + i];
}

/* The two members that both parts have; n 0: no interaction. */
static void counter(struct json_out *o, int64_t n, int64_t last)
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
	counter(o, i < m->n_users ? count_of(m, i) : 0, i < m->n_users ? last_of(m, i) : 0);
	json_end_object(o);
}

/* Users with the same latest time are all listed. */
static void of_workspace(struct json_out *o, const struct value *m, const struct workspace *ws)
{
	int64_t n = 0, last = INT64_MIN;

	for (size_t i = 0; i < m->n_users; i++) {
		n += count_of(m, i);
		last = last_of(m, i) > last ? last_of(m, i) : last;
	}
	json_begin_object(o);
	counter(o, n, last);
	json_key_literal(o, "lastInteractedBy");
	json_begin_array(o);
	for (size_t i = 0; i < m->n_users; i++)
		if (last_of(m, i) == last)
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

static bool stronger(const struct value *m, size_t i, size_t than)
{
	if (count_of(m, i) != count_of(m, than))
		return count_of(m, i) > count_of(m, than);
	return last_of(m, i) > last_of(m, than);
}

/* The user with most interactions that counts for the group; m->n_users: none. */
static size_t strongest(const struct value *m, const struct group *g)
{
	size_t best = m->n_users;

	for (size_t i = 0; i < m->n_users; i++) {
		if (g->private && !member_find(g, &m->users[i]))
			continue;
		if (best == m->n_users || stronger(m, i, best))
			best = i;
	}
	return best;
}

void connection_render(struct json_out *o, const struct value *metadata, const struct value *groups,
    const struct workspace *ws, const struct viewer *viewer)
{
	json_begin_object(o);
	for (size_t i = 0; i < groups->n_ids; i++) {
		const struct group *g = visible_group(ws, &groups->ids[i], viewer);
		size_t best = g ? strongest(metadata, g) : metadata->n_users;
		if (best == metadata->n_users)
			continue;
		json_key_raw(o, g->key, g->key_len);
		render_user(o, ws, &metadata->users[best]);
	}
	json_end_object(o);
}
